//! Operators on `_Atomic` objects that clang computes wrongly, at least up to version 19.
//!
//! clang makes a loop of a load and a compare-exchange of `a /= 2`, and converts as if `_Atomic(T)` were an unsigned type
//! that is no `_Bool`.  So the executable that clang makes is wrong as well, and a verdict on its LLVM text would be about
//! another program.  What is wrong:
//!
//! * an old value of a signed type is extended by `zext` or `uitofp`, a new one made by `fptoui` (`loops.rs`);
//! * a new value of type `_Bool` is cut to a byte instead of being compared with 0, and the value of an expression of that
//!   type is a byte where LLVM wants a bit (`booleans.rs`);
//! * the value of `p++` is what the first load read, not what the compare-exchange that succeeded found (`loops.rs`);
//! * `a += 1.5` converts 1.5 and not the sum (`mod.rs`);
//! * an enumeration whose values are those of `_Bool` is taken for a byte (`mod.rs`);
//! * an operator on complex numbers is a load and a store (`mod.rs`);
//! * a compare-exchange of a type that clang pads does not give back what it found, and compares bytes that nobody set
//!   (`padding.rs`).
//!
//! LLVM text does not say what types the program has, and a constant that was converted does not tell what it was.  So clang
//! is asked for its syntax tree (`tree.rs`) where the text has something of this kind.  What is certain then is put right;
//! all else is refused at its place.

mod booleans;
mod loops;
mod padding;
mod tree;

use ir::DataModel;
use llvm::{
    BlockId, CastOp, Const, Function, Inst, Local, LocalId, MdId, Module, Name, Op, Operand, RmwOp, TypeId, Types,
    Value,
};
use rustc_hash::FxHashMap;
use tree::{Body, Kind, Tree};

const WRONG: &str = "clang computes this operator on an atomic object wrongly";

/// Does the text have anything for which [`mend`] needs the syntax tree?
pub fn concern(text: &str) -> bool {
    let has = |words: &str| text.contains(words);
    has("\natomic_op")
        || has("= atomicrmw ")
        || (has(" load atomic ") && has(" store atomic "))
        || has("@__atomic_load")
}

/// Puts right what clang got wrong, or puts a refusal in its place.  There is no tree where the text has nothing of [`concern`].
pub fn mend(module: &mut Module, tree: Option<&str>, data_model: DataModel) {
    let Tree { bodies, enums_of_bool } = tree::parse(tree.unwrap_or_default(), data_model);
    let find_body = |function| tree.and_then(|_| body_of(module, &bodies, function));
    let bodies: Vec<Option<&Body>> = module.functions.iter().map(find_body).collect();
    let runtime = Runtime::new(module);
    let Module { functions, types, .. } = module;
    for (function, body) in functions.iter_mut().zip(bodies) {
        let mut mender = Mender { types, function, body, enums_of_bool, runtime: &runtime };
        mender.mend_padding();
        if tree.is_some() {
            mender.mend();
        }
    }
}

/// What the tree says about the function; it has the name that C knows.
fn body_of<'t>(module: &Module, bodies: &'t FxHashMap<&str, Body<'t>>, function: &Function) -> Option<&'t Body<'t>> {
    let own = function.dbg.and_then(|id| module.node(id)).and_then(|node| node.text("name"));
    bodies.get(own.or_else(|| module.symbol_name(function.id))?).filter(|body| body.certain)
}

/// Functions of the runtime library that load and store atomic objects which are too large for instructions, and those
/// that copy memory.
struct Runtime {
    copies: Vec<llvm::GlobalId>,
    loads: Vec<llvm::GlobalId>,
    stores: Vec<llvm::GlobalId>,
}

impl Runtime {
    fn new(module: &Module) -> Self {
        let named = |start: &str| {
            let ids = module.functions.iter().map(|function| function.id);
            ids.filter(|id| module.symbol_name(*id).is_some_and(|name| name.starts_with(start))).collect()
        };
        Runtime { copies: named("llvm.memcpy."), loads: named("__atomic_load"), stores: named("__atomic_store") }
    }

    fn is_load(&self, op: &Op) -> bool {
        matches!(op, Op::Load { atomic: Some(_), .. }) || calls_one_of(op, &self.loads)
    }

    fn is_store(&self, op: &Op) -> bool {
        matches!(op, Op::Store { atomic: Some(_), .. }) || calls_one_of(op, &self.stores)
    }
}

fn calls_one_of(op: &Op, functions: &[llvm::GlobalId]) -> bool {
    matches!(op, Op::Call(call) if call.callee.global().is_some_and(|id| functions.contains(&id)))
}

/// An instruction: its block and its index there.
type At = (BlockId, usize);

/// One function.
struct Mender<'a> {
    types: &'a mut Types,
    function: &'a mut Function,
    /// `None` if the tree does not say for certain what the function does.
    body: Option<&'a Body<'a>>,
    enums_of_bool: bool,
    runtime: &'a Runtime,
}

impl Mender<'_> {
    fn mend(&mut self) {
        for block in self.function.blocks.ids() {
            self.mend_loop(block);
        }
        self.mend_bits();
        self.refuse_sums_of_floats();
        self.refuse_enums();
        self.refuse_complex();
    }

    /// `a += 1.5` adds 1 instead, and looks like `a += 1`.
    fn refuse_sums_of_floats(&mut self) {
        let mut found = Vec::new();
        for (block, data) in self.function.blocks.iter() {
            for (i, inst) in data.insts.iter().enumerate() {
                let Op::AtomicRmw { op: op @ (RmwOp::Add | RmwOp::Sub), value, .. } = &inst.op else { continue };
                let operator = if *op == RmwOp::Add { "+=" } else { "-=" };
                let is_sum = matches!(data.insts.get(i + 1).map(|next| &next.op),
                    Some(Op::Binary { lhs, .. }) if lhs.local().is_some() && lhs.local() == inst.result);
                let may_be_float = match value.local().and_then(|local| self.definition(local)) {
                    Some(definition) => matches!(definition.op, Op::Cast { op: CastOp::FPToUI | CastOp::FPToSI, .. }),
                    None => value.constant().is_some(),
                };
                if is_sum && may_be_float && self.may_add_float(operator, value.ty) {
                    found.push((block, i));
                }
            }
        }
        self.refuse_all(found);
    }

    /// Does the program say `a operator x` with a number `x` that is no integer?
    fn may_add_float(&self, operator: &str, ty: TypeId) -> bool {
        let bits = self.types.int_width(ty);
        self.body.is_none_or(|body| {
            body.updates.iter().any(|update| {
                update.operator == operator
                    && update.computed == Kind::Float
                    && match update.value {
                        Kind::Int { bits: width, .. } => Some(width) == bits,
                        Kind::Other => true,
                        Kind::Bool | Kind::Float | Kind::Complex => false,
                    }
            })
        })
    }

    /// A byte that should be 0 or 1 becomes something else.
    fn refuse_enums(&mut self) {
        let has_enum = |body: &Body| body.updates.iter().any(|update| update.value == Kind::Other);
        if !self.enums_of_bool || !self.body.is_none_or(has_enum) {
            return;
        }
        let is_wrong = |op: &Op| match op {
            Op::AtomicRmw { op: RmwOp::Add | RmwOp::Sub | RmwOp::Or | RmwOp::Xor, value, .. } => value.ty == TypeId::I8,
            _ => false,
        };
        let found = self.all(is_wrong).into_iter().map(|(at, _)| at).collect();
        self.refuse_all(found);
    }

    /// Instructions of some kind, and their places in the source.
    fn all(&self, wanted: impl Fn(&Op) -> bool) -> Vec<(At, Option<MdId>)> {
        let blocks = self.function.blocks.iter();
        let insts = blocks.flat_map(|(b, block)| block.insts.iter().enumerate().map(move |(i, inst)| ((b, i), inst)));
        insts.filter(|(_, inst)| wanted(&inst.op)).map(|(at, inst)| (at, inst.dbg)).collect()
    }

    /// Loads and stores at one place are one operator.
    fn refuse_complex(&mut self) {
        let is_complex = |body: &Body| {
            body.updates.iter().any(|update| update.value == Kind::Complex || update.computed == Kind::Complex)
        };
        let known = self.body.map(is_complex);
        if known == Some(false) {
            return;
        }
        let (loads, stores) = (self.all(|op| self.runtime.is_load(op)), self.all(|op| self.runtime.is_store(op)));
        let pairs = loads.iter().filter(|(_, place)| stores.iter().any(|(_, other)| other == place));
        let mut found: Vec<At> = pairs.map(|(at, _)| *at).collect();
        if found.is_empty() && known == Some(true) && !self.function.blocks.is_empty() {
            found.push((BlockId(0), 0));
        }
        self.refuse_all(found);
    }

    fn refuse_all(&mut self, mut places: Vec<At>) {
        places.sort_unstable();
        for at in places.into_iter().rev() {
            self.refuse(at);
        }
    }

    /// Puts a refusal before the instruction.
    fn refuse(&mut self, at: At) {
        self.insert(at, None, TypeId::VOID, Op::Refused(WRONG.into()));
    }

    /// Puts an instruction before another, at the same position of the source.
    fn insert(&mut self, (block, index): At, result: Option<LocalId>, ty: TypeId, op: Op) {
        let insts = &mut self.function.blocks[block].insts;
        let dbg = insts.get(index).and_then(|inst| inst.dbg);
        insts.insert(index, Inst { result, ty, op, dbg, typed: false });
        for declaration in &mut self.function.declarations {
            if declaration.block == block && declaration.before > index {
                declaration.before += 1;
            }
        }
    }

    fn new_local(&mut self, name: &'static str, ty: TypeId) -> LocalId {
        self.function.locals.push(Local { name: Name::Named(name.into()), ty })
    }

    fn find(&self, local: LocalId) -> Option<At> {
        let mut blocks = self.function.blocks.iter();
        blocks.find_map(|(b, block)| Some((b, block.insts.iter().position(|inst| inst.result == Some(local))?)))
    }

    fn definition(&self, local: LocalId) -> Option<&Inst> {
        self.find(local).map(|at| self.inst(at))
    }

    fn inst(&self, (block, index): At) -> &Inst {
        &self.function.blocks[block].insts[index]
    }

    fn inst_mut(&mut self, (block, index): At) -> &mut Inst {
        &mut self.function.blocks[block].insts[index]
    }

    /// Where the local is used, once for each operand that it is.
    fn uses(&self, local: LocalId) -> Vec<At> {
        let mut found = Vec::new();
        for (b, block) in self.function.blocks.iter() {
            for (i, inst) in block.insts.iter().enumerate() {
                inst.op.for_each_operand(&mut |operand| {
                    if operand.local() == Some(local) {
                        found.push((b, i));
                    }
                });
            }
        }
        found
    }
}

fn local(ty: TypeId, id: LocalId) -> Operand {
    Operand { ty, value: Value::Local(id) }
}

fn number(ty: TypeId, value: Const) -> Operand {
    Operand { ty, value: Value::Const(value) }
}
