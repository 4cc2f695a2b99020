//! The variables of one thread: its registers and the objects on its stack.

use crate::types::{CType, byte_layout, container, is_standard, leaf_type, pointee};
use crate::unit::Unit;
use crate::value::{Level, Value};
use base::{IdVec, Pos};
use ir::{AllocKind, BlockId, Expr, FuncId, Function, InstKind, Layout, Reg, Ty};
use passes::ThreadId;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Objects with more numbers than this are taken from `malloc`, whose memory holds any values without further ado.
const MOST_LEAVES: usize = 32;

/// A register as a variable of C.
pub struct Variable {
    pub name: String,
    pub ctype: CType,
    /// Is it read at all?
    pub needed: bool,
    /// The object it is the address of, all the time.
    pub object: Option<usize>,
}

/// An object on the stack as a variable of C.
pub struct LocalObject {
    pub name: String,
    pub layout: Layout,
    pub align: u64,
}

pub struct Scope<'a> {
    pub unit: &'a Unit<'a>,
    pub func: FuncId,
    pub function: &'a Function,
    pub thread: ThreadId,
    pub regs: IdVec<Reg, Variable>,
    pub objects: Vec<LocalObject>,
    /// By block and instruction, the object an `alloc` makes.
    pub allocs: FxHashMap<(BlockId, usize), usize>,
    /// Names of C labels, by block.
    pub labels: IdVec<BlockId, String>,
    /// Where the instruction that is printed stands.
    pub pos: Cell<Pos>,
    /// What the old content is called, and its type, while an update is printed.
    pub old: RefCell<Option<(Value, Ty)>>,
}

impl<'a> Scope<'a> {
    pub fn new(unit: &'a Unit<'a>, func: FuncId, thread: ThreadId) -> Self {
        let program = unit.program;
        let function = &program.functions[func];
        let mut names = unit.names.borrow().clone();
        let needed = needed(function);
        let mut definitions: IdVec<Reg, u32> = IdVec::filled(0, function.regs.len());
        function.params.iter().for_each(|reg| definitions[*reg] += 1);
        for inst in function.insts() {
            if let Some(dst) = inst.kind.dst() {
                definitions[dst] += 1;
            }
        }
        let mut scope = Scope {
            unit,
            func,
            function,
            thread,
            regs: IdVec::new(),
            objects: Vec::new(),
            allocs: FxHashMap::default(),
            labels: IdVec::new(),
            pos: Cell::new(function.pos),
            old: RefCell::default(),
        };
        for (reg, data) in function.regs.iter() {
            // Parameters are set by another thread: they are variables of the file.
            let name = match function.params.contains(&reg) {
                true => unit.names.borrow_mut().fresh(&format!("{}_of_thread_{}", data.name, thread.0)),
                false => names.fresh(&data.name),
            };
            let ctype = register_type(unit, data.ty, data.layout.as_ref());
            scope.regs.push(Variable { name, ctype, needed: needed[reg], object: None });
        }
        for (block, data) in function.blocks.iter() {
            for (at, inst) in data.insts.iter().enumerate() {
                let InstKind::Alloc {
                    dst,
                    kind: AllocKind::Stack,
                    size: Expr::Const(_, size),
                    align,
                    layout,
                    name,
                    ..
                } = &inst.kind
                else {
                    continue;
                };
                let layout = unit.sized_layout(layout.as_ref(), *size as u64);
                if !needed[*dst] || *size == 0 || leaves(unit, &layout, MOST_LEAVES).is_none() {
                    continue;
                }
                let object = scope.objects.len();
                let always = definitions[*dst] == 1;
                // The register's name is free when the object takes its place.
                let name = match always {
                    true => scope.regs[*dst].name.clone(),
                    false => names.fresh(if name.is_empty() { "object" } else { name }),
                };
                scope.objects.push(LocalObject { name, layout, align: *align });
                scope.allocs.insert((block, at), object);
                if always {
                    scope.regs[*dst].object = Some(object);
                }
            }
        }
        for block in function.blocks.values() {
            scope.labels.push(names.fresh(&block.name));
        }
        scope
    }

    pub fn fail(&self, message: impl Into<String>) {
        self.unit.fail(self.pos.get(), message);
    }

    /// The value of a register.
    pub fn register(&self, reg: Reg) -> Value {
        let variable = &self.regs[reg];
        let width = self.unit.program.bits_of(self.function.ty(reg));
        Value::variable(variable.name.clone(), Level::Primary, &variable.ctype, width)
    }
}

/// The type of a variable that holds a register's values.
pub fn register_type(unit: &Unit, ty: Ty, layout: Option<&Layout>) -> CType {
    let layout = layout.map(|layout| layout.resolve(unit.program));
    match ty {
        Ty::Int(1) => CType::Bool,
        Ty::Int(bits) if is_standard(u32::from(bits)) => {
            let unsigned = matches!(layout, Some(Layout::Scalar { unsigned: true, .. }));
            CType::Int { bits: u32::from(bits), signed: !unsigned }
        }
        Ty::Int(bits) => CType::Int { bits: container(u32::from(bits)), signed: false },
        Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => CType::Float(ty),
        Ty::Ptr => CType::Pointer(match layout {
            Some(Layout::Pointer(Some(to))) => pointee(unit.program, to),
            _ => None,
        }),
    }
}

/// A number or pointer in an object: its path from there, its type, where it lies.
pub struct Leaf {
    pub path: String,
    pub ctype: CType,
    pub bytes: Range<u64>,
}

/// The numbers and pointers of a clean layout; `None` if there are more than `most`.
pub fn leaves(unit: &Unit, layout: &Layout, most: usize) -> Option<Vec<Leaf>> {
    fn walk(unit: &Unit, layout: &Layout, path: String, at: u64, most: usize, found: &mut Vec<Leaf>) -> Option<()> {
        let mut elements = |element: &Layout, count: u64| {
            let size = element.size(unit.program);
            (0..count).try_for_each(|i| walk(unit, element, format!("{path}[{i}]"), at + i * size, most, found))
        };
        match layout {
            Layout::Scalar { .. } | Layout::Pointer(_) => {
                let bytes = at..at + layout.size(unit.program);
                found.extend(leaf_type(layout).map(|ctype| Leaf { path, ctype, bytes }));
                (found.len() <= most).then_some(())
            }
            Layout::Bytes(size) => elements(&byte_layout(), *size),
            Layout::Array { element, count } => elements(element, *count),
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                // The largest member of a union stands for all bytes.
                let largest = fields.iter().rev().max_by_key(|field| field.layout.size(unit.program));
                let whole = matches!(layout, Layout::Struct { .. });
                let mut wanted = fields.iter().filter(|field| whole || largest == Some(*field));
                wanted.try_for_each(|field| {
                    let path = format!("{path}.{}", field.name);
                    walk(unit, &field.layout, path, at + field.offset, most, found)
                })
            }
            Layout::Named(id) => walk(unit, unit.named(*id), path, at, most, found),
        }
    }
    let mut found = Vec::new();
    walk(unit, layout, String::new(), 0, most, &mut found)?;
    Some(found)
}

/// The registers whose values matter: those read by anything but assignments to registers that do not matter.
fn needed(function: &Function) -> IdVec<Reg, bool> {
    let mut needed = IdVec::filled(false, function.regs.len());
    let mut sources: IdVec<Reg, Vec<Reg>> = IdVec::filled(Vec::new(), function.regs.len());
    let mut work: Vec<Reg> = Vec::new();
    for block in function.blocks.values() {
        for inst in &block.insts {
            let is_pure = matches!(inst.kind, InstKind::Assign { .. } | InstKind::Load { .. });
            let pure = inst.kind.dst().filter(|_| is_pure);
            inst.kind.for_each_expr(&mut |expr| {
                // Whether a division goes wrong matters even if its result does not.
                let keeps = pure.is_none() || expr.can_fault();
                expr.for_each_reg(&mut |reg| match pure {
                    Some(dst) if !keeps => sources[dst].push(reg),
                    _ => work.push(reg),
                });
            });
        }
        block.term.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg| work.push(reg)));
    }
    while let Some(reg) = work.pop() {
        if !std::mem::replace(&mut needed[reg], true) {
            work.extend(sources[reg].iter().copied());
        }
    }
    needed
}
