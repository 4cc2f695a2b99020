//! Instructions as statements.

use crate::lvalue::Lvalue;
use crate::scope::{Leaf, Scope, leaves};
use crate::types::{CType, int_name};
use crate::value::{Level, Sort, Value};
use base::IdVec;
use ir::{BinOp, BlockId, Callee, Expr, FuncId, Inst, InstKind, Layout, Reg, Ty, signed};
use passes::ThreadId;

/// A variable that takes an argument of a thread.
pub struct Param {
    pub name: String,
    pub ctype: CType,
    pub width: u32,
    pub needed: bool,
}

/// What the statements of a thread need to know of the other threads.
pub struct Others<'a> {
    /// By function, the thread that runs it.
    pub thread_of: &'a dyn Fn(FuncId) -> Option<ThreadId>,
    /// By thread, the variables that take its arguments.
    pub params: &'a IdVec<ThreadId, Vec<Param>>,
    /// Does any thread join or detach another?
    pub handles: bool,
    /// Does any thread ask for the result of another?
    pub results: bool,
}

impl Scope<'_> {
    /// The statements of an instruction.
    pub fn statements(&self, block: BlockId, at: usize, inst: &Inst, others: &Others) -> Vec<String> {
        self.pos.set(inst.pos);
        let mut lines = Vec::new();
        // An update is only looked at together with the old content.
        if !matches!(inst.kind, InstKind::Update { .. }) {
            inst.kind.for_each_expr(&mut |expr| self.assume_no_fault(expr, &mut lines));
        }
        match &inst.kind {
            InstKind::Assign { dst, .. }
            | InstKind::Load { dst, .. }
            | InstKind::Havoc { dst, .. }
            | InstKind::Alloc { dst, .. }
                if !self.regs[*dst].needed => {}
            InstKind::Assign { dst, value } => lines.push(self.assign(*dst, &self.value(value))),
            InstKind::Load { dst, ty, addr, .. } => {
                lines.push(self.assign(*dst, &self.read(&self.place(addr, *ty), *ty)));
            }
            InstKind::Store { ty, addr, value, .. } => {
                if self.is_constant(addr) {
                    lines.push("assume(0); /* a constant is written */".into());
                } else {
                    lines.push(self.write(&self.place(addr, *ty), *ty, &self.value(value)));
                }
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                self.update(*dst, *ty, addr, when.as_ref(), set.as_ref(), &mut lines);
            }
            InstKind::Havoc { dst, .. } => {
                let width = self.unit.program.bits_of(self.function.ty(*dst));
                let variable = &self.regs[*dst];
                lines.push(format!("{} = {};", variable.name, self.any(&variable.ctype, width)));
            }
            InstKind::Assume { cond } => lines.push(format!("assume({});", self.condition(cond, true).text)),
            InstKind::Assert { cond, message, .. } => {
                let failed = self.condition(cond, false);
                let message = comment(message);
                lines.push(match failed.literal {
                    Some(1) => format!("reach_error(); /* {message} */"),
                    Some(_) => String::new(),
                    None => format!("if ({}) reach_error(); /* {message} */", failed.text),
                });
            }
            InstKind::Alloc { dst, size, align, zeroed, .. } => {
                self.allocate((block, at), *dst, size, *align, *zeroed, &mut lines);
            }
            InstKind::Free { addr } => {
                self.unit.declare("extern void free(void *);");
                lines.push(format!("free({});", self.value(addr).text));
            }
            InstKind::Call { .. } => self.fail("a call that was not inlined"),
            InstKind::Spawn { dst, callee, args } => self.spawn(*dst, callee, args, others, &mut lines),
            InstKind::Join { dst, handle } => self.join(*dst, handle, others, &mut lines),
            InstKind::Detach { handle } => {
                let handle = self.thread_number(handle);
                if let Some(in_table) = in_table(&handle, others) {
                    // A thread may be detached again as long as it runs.
                    let detached = format!("handle[{handle}] == 2 && pc[{handle}] != last[{handle}]");
                    lines.push(format!("assume({in_table}(handle[{handle}] == 1 || ({detached})));"));
                    lines.push(format!("handle[{handle}] = 2;"));
                } else {
                    lines.push(NO_THREAD.into());
                }
            }
            InstKind::AtomicBegin => lines.push("/* an atomic section begins */".into()),
            InstKind::AtomicEnd => lines.push("/* the atomic section ends */".into()),
            InstKind::Fence { .. } => (),
            // By the facts nobody comes here.
            InstKind::Unsupported { what } if what == passes::EXCLUDED => lines.push("assume(0);".into()),
            InstKind::Unsupported { what } => self.fail(format!("not supported: {what}")),
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn assign(&self, dst: Reg, value: &Value) -> String {
        let variable = &self.regs[dst];
        let width = self.unit.program.bits_of(self.function.ty(dst));
        let value = self.assignable(value, &variable.ctype, width);
        if value == variable.name { String::new() } else { format!("{} = {value};", variable.name) }
    }

    fn read(&self, place: &Lvalue, ty: Ty) -> Value {
        let width = self.unit.program.bits_of(ty);
        match place {
            Lvalue::Direct { text, level, .. } if ty == Ty::BOOL => {
                let whole = Value::bool(text.clone(), *level);
                Value::bool(format!("{} & 1", whole.at(Level::Unary)), Level::Bits)
            }
            Lvalue::Direct { text, level, ctype } => Value::variable(text.clone(), *level, ctype, width),
            Lvalue::Bytes { address, width } => self.load_bytes(address, *width),
        }
    }

    fn write(&self, place: &Lvalue, ty: Ty, value: &Value) -> String {
        match place {
            Lvalue::Direct { text, ctype, .. } => {
                format!("{text} = {};", self.assignable(value, ctype, self.unit.program.bits_of(ty)))
            }
            Lvalue::Bytes { address, width } => self.store_bytes(address, *width, value),
        }
    }

    /// Reads, waits by assuming that it need not, writes.
    fn update(
        &self,
        dst: Option<Reg>,
        ty: Ty,
        addr: &Expr,
        when: Option<&Expr>,
        set: Option<&Expr>,
        lines: &mut Vec<String>,
    ) {
        let dst = dst.filter(|dst| self.regs[*dst].needed);
        if set.is_some() && self.is_constant(addr) {
            lines.push("assume(0); /* a constant is written */".into());
            return;
        }
        self.assume_no_fault(addr, lines);
        let place = self.place(addr, ty);
        let old = self.read(&place, ty);
        let mut mentions = false;
        for expr in [Some(addr), when, set].into_iter().flatten() {
            expr.for_each_reg(&mut |reg| mentions |= Some(reg) == dst);
        }
        // The old content by the register that gets it, unless that still holds something else that is needed.
        let old = match dst {
            Some(dst) if !mentions => {
                lines.push(self.assign(dst, &old));
                self.register(dst)
            }
            None if matches!(place, Lvalue::Direct { .. }) => old,
            _ => {
                let ctype = crate::scope::register_type(self.unit, ty, None);
                let width = self.unit.program.bits_of(ty);
                let declared = self.unit.types.borrow().declare(&ctype, "old");
                lines.push(format!("{{ {declared} = {};", self.assignable(&old, &ctype, width)));
                Value::variable("old", Level::Primary, &ctype, width)
            }
        };
        let braced = lines.last().is_some_and(|line| line.starts_with('{'));
        *self.old.borrow_mut() = Some((old.clone(), ty));
        if let Some(when) = when {
            self.assume_no_fault(when, lines);
            lines.push(format!("assume({});", self.condition(when, true).text));
        }
        if let Some(set) = set {
            self.assume_no_fault(set, lines);
            lines.push(self.write(&place, ty, &self.value(set)));
        }
        *self.old.borrow_mut() = None;
        if let Some(dst) = dst.filter(|_| mentions) {
            lines.push(self.assign(dst, &old));
        }
        if braced {
            lines.push("}".into());
        }
    }

    pub fn old_value(&self) -> Value {
        let old = self.old.borrow();
        old.as_ref().map_or_else(|| self.unit.numbers.literal(1, 0), |(value, _)| value.clone())
    }

    pub fn old_type(&self) -> Option<Ty> {
        self.old.borrow().as_ref().map(|(_, ty)| *ty)
    }

    fn allocate(
        &self,
        place: (BlockId, usize),
        dst: Reg,
        size: &Expr,
        align: u64,
        zeroed: bool,
        lines: &mut Vec<String>,
    ) {
        if let Some(object) = self.allocs.get(&place) {
            let object = &self.objects[*object];
            self.unit.need_type(&object.layout);
            // The variable is zero from the start, and this is executed once.
            if !zeroed {
                let leaves = leaves(self.unit, &object.layout, usize::MAX).unwrap_or_default();
                for Leaf { path, ctype, .. } in &leaves {
                    let width = match ctype {
                        CType::Int { bits, .. } => *bits,
                        CType::Bool | CType::Float(_) | CType::Pointer(_) => 0,
                    };
                    lines.push(format!("{}{path} = {};", object.name, self.any(ctype, width)));
                }
                // Between them, too.
                let is_gap = |at: &u64| leaves.iter().all(|leaf| !leaf.bytes.contains(at));
                for at in (0..object.layout.size(self.unit.program)).filter(is_gap) {
                    let byte = self.any(&CType::Int { bits: 8, signed: true }, 8);
                    lines.push(format!("*((char *)&{} + {at}) = {byte};", object.name));
                }
            }
            if self.regs[dst].object.is_none() {
                let address = match object.layout {
                    Layout::Array { .. } | Layout::Bytes(_) => format!("(void *){}", object.name),
                    _ => format!("(void *)&{}", object.name),
                };
                lines.push(self.assign(dst, &Value::new(address, Level::Unary, Sort::Pointer(None))));
            }
            return;
        }
        let size = self.unit.numbers.unsigned(&self.value(size));
        let size_t =
            int_name(self.unit.program.data_model, u32::from(self.unit.program.data_model.pointer_bits()), false);
        // What `malloc` gives is aligned for every type of C.
        const LIMIT: u64 = 16;
        let name = &self.regs[dst].name;
        let (function, params, first) = match (zeroed, align > LIMIT) {
            (true, false) => ("calloc", format!("{size_t}, {size_t}"), "1, ".to_string()),
            (false, false) => ("malloc", size_t.to_string(), String::new()),
            (false, true) => ("aligned_alloc", format!("{size_t}, {size_t}"), format!("{align}, ")),
            (true, true) => return self.fail("zeroed memory with a large alignment"),
        };
        self.unit.declare(&format!("extern void *{function}({params});"));
        lines.push(format!("{name} = {function}({first}{});", size.text));
        lines.push(format!("assume({name} != 0);"));
    }

    fn spawn(&self, dst: Option<Reg>, callee: &Callee, args: &[Expr], others: &Others, lines: &mut Vec<String>) {
        let thread = match callee {
            Callee::Direct(func) => (others.thread_of)(*func),
            Callee::Indirect(_) => None,
        };
        let Some(thread) = thread else { return self.fail("the start of a thread that is not known") };
        for (param, arg) in others.params[thread].iter().zip(args).filter(|(param, _)| param.needed) {
            let value = self.assignable(&self.value(arg), &param.ctype, param.width);
            lines.push(format!("{} = {value};", param.name));
        }
        lines.push(format!("created[{}] = 1;", thread.0));
        if others.handles {
            lines.push(format!("handle[{}] = 1;", thread.0));
        }
        if let Some(dst) = dst.filter(|dst| self.regs[*dst].needed) {
            lines.push(self.assign(dst, &self.unit.numbers.literal(32, u128::from(thread.0) + 1)));
        }
    }

    /// The index of the thread with a handle.
    fn thread_number(&self, handle: &Expr) -> String {
        match handle {
            Expr::Const(_, bits) => (*bits as u32).wrapping_sub(1).to_string(),
            Expr::Cast(ir::CastOp::Trunc, _, inner) => {
                format!("(unsigned int){} - 1", self.value(inner).at(Level::Unary))
            }
            _ => {
                let handle = self.unit.numbers.unsigned(&self.value(handle));
                format!("{} - 1", handle.at(Level::Sum))
            }
        }
    }

    fn join(&self, dst: Option<Reg>, handle: &Expr, others: &Others, lines: &mut Vec<String>) {
        let handle = self.thread_number(handle);
        let Some(in_table) = in_table(&handle, others) else {
            lines.push(NO_THREAD.into());
            return;
        };
        lines.push(format!("assume({in_table}handle[{handle}] == 1 && pc[{handle}] == last[{handle}]);"));
        lines.push(format!("handle[{handle}] = 0;"));
        if let Some(dst) = dst.filter(|dst| self.regs[*dst].needed) {
            let result = Value::new(format!("result[{handle}]"), Level::Primary, Sort::Pointer(None));
            let value = match self.function.ty(dst) {
                Ty::Ptr => result,
                to @ Ty::Int(_) => self.cast(ir::CastOp::PtrToInt, to, result),
                Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => {
                    self.fail("a thread whose result is a floating-point number");
                    return;
                }
            };
            lines.push(self.assign(dst, &value));
        }
    }

    /// Divisions that have no result end the execution: what follows assumes that they have one.
    pub fn assume_no_fault(&self, expr: &Expr, lines: &mut Vec<String>) {
        self.faults(expr, "", lines);
    }

    /// The same where the expression counts only unless a condition holds.
    fn faults(&self, expr: &Expr, unless: &str, lines: &mut Vec<String>) {
        if !expr.can_fault() {
            return;
        }
        if let Expr::Select(parts) = expr {
            self.faults(&parts[0], unless, lines);
            for (part, holds) in [(&parts[1], false), (&parts[2], true)] {
                let other = self.condition(&parts[0], holds).at(Level::Comparison);
                let unless = if unless.is_empty() { other } else { format!("{unless} || {other}") };
                self.faults(part, &unless, lines);
            }
            return;
        }
        expr.children().for_each(|child| self.faults(child, unless, lines));
        let Expr::Bin(op, left, right) = expr else { return };
        let is_signed = match op {
            BinOp::UDiv | BinOp::URem => false,
            BinOp::SDiv | BinOp::SRem => true,
            _ => return,
        };
        let Ty::Int(width) = self.type_of(left) else { return };
        let may_be = |expr: &Expr, number: i128| match expr {
            Expr::Const(_, bits) => signed(*bits, u32::from(width)) == number,
            _ => true,
        };
        let differs = |expr: &Expr, number: i128| {
            self.condition(&Expr::bin(BinOp::Ne, expr.clone(), Expr::int(width, number)), true)
        };
        let assume = |cond: Value| match unless {
            "" => format!("assume({});", cond.text),
            _ => format!("assume({unless} || {});", cond.at(Level::Comparison)),
        };
        if may_be(right, 0) {
            lines.push(assume(differs(right, 0)));
        }
        if is_signed && may_be(right, -1) {
            let (a, b) = (differs(left, signed(1 << (width - 1), u32::from(width))), differs(right, -1));
            let both = format!("{} || {}", a.at(Level::Comparison), b.at(Level::Comparison));
            lines.push(assume(Value::bool(format!("({both})"), Level::Primary)));
        }
    }
}

const NO_THREAD: &str = "assume(0); /* not a thread */";

/// The condition that a number is one of a thread, to stand in front of others; `None` if it is not.
fn in_table(handle: &str, others: &Others) -> Option<String> {
    match handle.parse::<usize>() {
        Ok(thread) => (thread < others.params.len()).then(String::new),
        Err(_) => Some(format!("{handle} < THREADS && ")),
    }
}

/// Text that can stand in a comment.
pub fn comment(text: &str) -> String {
    let mut clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    for (bad, good) in [("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ("\\", "\\ ")] {
        clean = clean.replace(bad, good);
    }
    clean.trim().to_string()
}
