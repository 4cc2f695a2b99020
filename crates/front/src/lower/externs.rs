//! Calls of functions that have no body and that the library's model does not know.
//!
//! Such a function can do nothing to a program that gives it no pointer to its memory: it returns any value.  One that
//! gets such a pointer could write through it, or call it, so the call is an instruction whose being reached means
//! UNKNOWN, unless the user has said what is meant.  Whether a call gives memory away is decided here, call by call,
//! because a pointer to a string literal is harmless and `&x` is not.

use super::consts::{Part, Unsupported};
use super::func::{FnLower, To};
use super::memory::known_size;
use crate::model::{Externs, is_input, more_than_a_value};
use ir::{BinOp, Expr, InitValue, Input, InstKind, Layout, ObjectId, Term, Ty};
use llvm::{Arg, Call, Inst, LocalId, Op, Operand, TypeId, Value};
use rustc_hash::FxHashSet;

/// The function of SV-COMP that writes any bytes.
pub const ANY_MEMORY: &str = "__VERIFIER_nondet_memory";
/// Constants that point to constants that point to constants are followed this far.
const MAX_DEPTH: u32 = 8;
/// An argument that is computed from more values than this may lead anywhere.
const MAX_VALUES: usize = 500;

impl<'m> FnLower<'_, 'm> {
    /// `__VERIFIER_nondet_memory` where it is known what the bytes are: whole values are cheaper than the model's bytes.
    pub fn any_memory(&mut self, call: &'m Call) -> Result<bool, Unsupported> {
        let [to, size] = &call.args[..] else { return Ok(false) };
        let (to, size) = (self.scalar(&to.value)?, self.scalar(&size.value)?);
        Ok(known_size(&size).is_some_and(|size| self.any_bytes(ANY_MEMORY, to, size).is_ok()))
    }

    pub fn extern_call(&mut self, name: &str, to: To, call: &'m Call) -> Result<(), Unsupported> {
        // All arguments are evaluated, as C says.
        let mut given = Vec::new();
        let mut returned = None;
        for (index, arg) in call.args.iter().enumerate() {
            let gives = self.gives_memory(arg);
            if let Some(ty) = arg.attrs.sret {
                returned = Some((self.scalar(&arg.value)?, ty));
                continue;
            }
            let values = self.argument(call, index)?;
            if gives {
                given.push((values, arg.attrs.byval.is_some()));
            }
        }
        let unsupported = |this: &mut Self, what: String| this.emit(InstKind::Unsupported { what });
        let does = if self.never_returns(call) { "it ends the program" } else { "it returns any value" };
        match self.shared.link.externs {
            _ if given.is_empty() && is_input(name) => (),
            Externs::Error => unsupported(self, format!("a call of `{name}`, which has no body")),
            Externs::Careful if !given.is_empty() || more_than_a_value(name).is_some() => {
                let why = more_than_a_value(name).filter(|_| given.is_empty()).unwrap_or(" and gets a pointer");
                let what = format!("a call of `{name}`, which has no body{why}");
                unsupported(self, format!("{what} (give it a body, or see --extern)"));
            }
            _ if given.is_empty() => self.shared.note_extern(name, does),
            Externs::Careful | Externs::Pure => {
                self.shared.note_extern(name, "it returns any value and leaves memory alone");
            }
            Externs::Havoc => {
                self.shared.note_extern(name, "it returns any value and writes anything to what it gets pointers to");
                for (values, copied) in given {
                    if let Err(why) = self.write_anything(name, &values, copied) {
                        unsupported(self, format!("a call of `{name}`, which has no body: {why}"));
                    }
                }
            }
        }
        if self.never_returns(call) {
            let status = self.choice(Ty::Int(32), input(name));
            self.library_call("model.exit", &[Ty::Int(32)], None, vec![status])?;
            self.end(Term::Halt);
            self.current = self.new_block("never");
            return Ok(());
        }
        if let Some((address, ty)) = returned {
            self.any_record(name, address, ty)?;
        }
        self.any_result(name, to, call.ret)
    }

    /// `div` and its like: the quotient and the remainder are a struct, which the text form has no way to return.  Not if the
    /// program declares the function otherwise.
    pub fn quotient(&mut self, to: To, call: &'m Call) -> Result<bool, Unsupported> {
        let (place, numbers) = match &call.args[..] {
            [place, numbers @ ..] if place.attrs.sret.is_some() => (Some(place), numbers),
            numbers => (None, numbers),
        };
        let [left, right] = numbers else { return Ok(false) };
        let (ty, other) = (self.ty(left.value.ty)?, self.ty(right.value.ty)?);
        let results = self.unit.leaf_types(call.ret)?;
        let Ty::Int(bits @ (32 | 64)) = ty else { return Ok(false) };
        let one = Ty::Int(64);
        let fits = match place {
            Some(_) => results.is_empty(),
            None => (bits == 32 && results == [one]) || results == [ty, ty],
        };
        if ty != other || !fits {
            return Ok(false);
        }
        let (left, right) = (self.scalar(&left.value)?, self.scalar(&right.value)?);
        let (left, right) = (self.in_register(left), self.in_register(right));
        let [quotient, rest] =
            [BinOp::SDiv, BinOp::SRem].map(|op| self.in_register(Expr::bin(op, left.clone(), right.clone())));
        if let Some(place) = place {
            let address = self.steady(&place.value)?;
            self.store_at(&address, 0, ty, quotient);
            self.store_at(&address, u64::from(bits) / 8, ty, rest);
        } else if results == [one] {
            let both = self.join(64, vec![(0, ty, quotient), (32, ty, rest)]);
            self.deliver(to, vec![Part::Expr(both)]);
        } else {
            self.deliver(to, vec![Part::Expr(quotient), Part::Expr(rest)]);
        }
        Ok(true)
    }

    fn never_returns(&self, call: &Call) -> bool {
        let module = self.unit.module;
        let callee = call.callee.global().and_then(|id| module.function(module.resolve_alias(id)));
        let declared = callee.is_some_and(|function| module.has_attr(&function.attrs, "noreturn"));
        declared || module.has_attr(&call.attrs, "noreturn")
    }

    /// A struct that is returned in memory.
    fn any_record(&mut self, name: &str, address: Expr, ty: TypeId) -> Result<(), Unsupported> {
        let address = self.in_register(address);
        let leaves = self.unit.types.leaves(ty).ok_or_else(|| self.unit.no_type(ty))?;
        for leaf in leaves {
            if leaf.ty == Ty::Ptr {
                return Err(pointer_from(name));
            }
            let addr = self.fold().offset(address.clone(), leaf.offset as i64);
            self.any_cell(name, addr, leaf.ty);
        }
        Ok(())
    }

    pub fn any_cell(&mut self, name: &str, addr: Expr, ty: Ty) {
        let value = self.choice(ty, input(name));
        self.store_at(&addr, 0, ty, value);
    }

    /// Any value, part by part, where somebody looks at it.
    pub fn any_result(&mut self, name: &str, to: To, ret: TypeId) -> Result<(), Unsupported> {
        let wanted = self.unit.leaf_types(ret)?;
        let Some(result) = self.read_result(to.result) else { return Ok(()) };
        let mut parts = Vec::new();
        for ty in wanted {
            if ty == Ty::Ptr && !self.is_only_compared(result, |_| true) {
                self.null_or_unknown(name);
                parts.push(Part::Expr(Expr::null()));
                continue;
            }
            parts.push(Part::Expr(self.choice(ty, input(name))));
        }
        self.deliver(to, parts);
        Ok(())
    }

    /// A pointer that the program goes on to use.  Null is a value like any other; what else it points to nobody knows,
    /// and an execution that just ended at its first use would hide what the program does then.
    fn null_or_unknown(&mut self, name: &str) {
        let cond = self.choice(Ty::BOOL, input(name));
        let (null, other) = (self.new_block("null"), self.new_block("other"));
        self.end(Term::Branch { cond, then: null, other });
        self.current = other;
        self.emit(InstKind::Unsupported { what: pointer_from(name) });
        self.end(Term::Unreachable);
        self.current = null;
    }

    // ---- what a function gets ----

    /// Does the argument lead to memory that can be written, as far as types tell?
    fn gives_memory(&mut self, arg: &'m Arg) -> bool {
        if arg.attrs.sret.is_some() {
            return false;
        }
        if let Some(ty) = arg.attrs.byval {
            let holds = self.unit.types.leaves(ty).is_none_or(|leaves| leaves.iter().any(|leaf| leaf.ty == Ty::Ptr));
            return holds || self.hides_pointer(&arg.value, None);
        }
        self.leads_to_memory(&arg.value, &mut FxHashSet::default())
    }

    fn leads_to_memory(&mut self, operand: &'m Operand, seen: &mut FxHashSet<LocalId>) -> bool {
        let local = match &operand.value {
            Value::Local(local) => *local,
            Value::Const(value) => {
                let Ok(parts) = self.unit.const_parts(self.shared, operand.ty, value) else { return true };
                return parts.iter().any(|part| match part {
                    Part::Expr(expr) => self.constant_leads_to_memory(expr),
                    Part::Undef(_) => false,
                });
            }
            Value::Metadata(_) | Value::Asm(_) => return false,
        };
        // What is being looked at already adds nothing.
        if !seen.insert(local) {
            return false;
        }
        if seen.len() > MAX_VALUES {
            return true;
        }
        let pointer = self.unit.types.leaves(operand.ty).is_none_or(|leaves| leaves.iter().any(|l| l.ty == Ty::Ptr));
        let Some(definition) = self.source.insts().find(|inst| inst.result == Some(local)) else { return pointer };
        match &definition.op {
            Op::Load { ty, addr, .. } => match self.facts.slot_at(addr) {
                Some(slot) => self.slot_leads_to_memory(slot, pointer, seen),
                None => pointer || self.hides_pointer(addr, Some(*ty)),
            },
            Op::Gep { base, .. } => self.leads_to_memory(base, seen),
            Op::Icmp { .. } | Op::Fcmp { .. } => false,
            Op::Phi { incoming } => incoming.iter().any(|(operand, _)| self.leads_to_memory(operand, seen)),
            Op::Select { then, otherwise, .. } => {
                self.leads_to_memory(then, seen) || self.leads_to_memory(otherwise, seen)
            }
            // What the unknown hands out is its own, as long as it was given nothing.
            Op::Call(call) if self.shared.link.externs == Externs::Careful && self.is_extern_call(call) => false,
            Op::Cast { .. }
            | Op::Binary { .. }
            | Op::Freeze(_)
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
            | Op::ShuffleVector { .. } => {
                let mut found = false;
                definition.op.for_each_operand(&mut |operand| {
                    found = found || self.leads_to_memory(operand, seen);
                });
                found
            }
            _ => pointer,
        }
    }

    /// A variable leads to memory if something that is stored to it does.
    fn slot_leads_to_memory(&mut self, slot: usize, pointer: bool, seen: &mut FxHashSet<LocalId>) -> bool {
        for inst in self.source.insts() {
            if let Op::Store { value, addr, .. } = &inst.op
                && self.facts.slot_at(addr) == Some(slot)
                && self.leads_to_memory(value, seen)
            {
                return true;
            }
        }
        // Parameters that are the variable are not stored.
        pointer && self.out.params.contains(&self.slot_regs[slot])
    }

    fn constant_leads_to_memory(&self, expr: &Expr) -> bool {
        expr.any(&mut |expr| match expr {
            Expr::Object(object, _) => self.object_leads_to_memory(*object, MAX_DEPTH),
            // It could be called.
            Expr::Func(_) => true,
            _ => false,
        })
    }

    fn object_leads_to_memory(&self, object: ObjectId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let data = &self.shared.program.objects[object];
        if !data.constant || self.shared.extern_objects.contains(&object) {
            return true;
        }
        data.init.iter().any(|init| match &init.value {
            InitValue::Object(other, _) => self.object_leads_to_memory(*other, depth),
            InitValue::Function(_) => true,
            InitValue::Scalar(..) | InitValue::Bytes(_) => false,
        })
    }

    /// Is a number read from a union that also holds pointers?  clang passes small unions as numbers.
    fn hides_pointer(&mut self, address: &'m Operand, read: Option<TypeId>) -> bool {
        let wide = read.is_none_or(|ty| self.unit.types.size(ty) >= self.shared.program.data_model.pointer_bytes());
        let Some(root) = self.root(address) else { return false };
        let Some(layout) = self.declared_layout(root).filter(|_| wide) else { return false };
        self.has_pointer_in_union(&layout, false, MAX_DEPTH)
    }

    /// The variable that an address lies in.
    fn root(&self, address: &Operand) -> Option<LocalId> {
        let mut local = address.local()?;
        for _ in 0..MAX_DEPTH {
            let base = match self.source.insts().find(|inst| inst.result == Some(local)).map(|inst| &inst.op) {
                Some(Op::Gep { base, .. }) => base.local(),
                Some(Op::Cast { value, .. }) => value.local(),
                _ => None,
            };
            match base {
                Some(base) => local = base,
                None => break,
            }
        }
        Some(local)
    }

    fn has_pointer_in_union(&self, layout: &Layout, inside: bool, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        match layout.resolve(&self.shared.program) {
            Layout::Pointer(_) => inside,
            Layout::Array { element, .. } => self.has_pointer_in_union(element, inside, depth),
            Layout::Struct { fields, .. } => {
                fields.iter().any(|field| self.has_pointer_in_union(&field.layout, inside, depth))
            }
            Layout::Union { fields, .. } => {
                fields.iter().any(|field| self.has_pointer_in_union(&field.layout, true, depth))
            }
            Layout::Scalar { .. } | Layout::Bytes(_) | Layout::Named(_) => false,
        }
    }

    /// Does the call print, with a format that stores how much was printed?  One that is not known here is taken to do so
    /// where it gets pointers; only a format that is passed on with a `va_list` is trusted.
    pub fn stores_a_count(&mut self, name: &str, call: &'m Call) -> bool {
        if !name.contains("printf") && !["syslog", "error", "error_at_line"].contains(&name) {
            return false;
        }
        let listed = name.starts_with('v');
        let fixed = self.fixed_args(call);
        let format = if listed { fixed.checked_sub(2) } else { fixed.checked_sub(1) };
        let Some(format) = format.and_then(|at| call.args.get(at)) else { return false };
        let text = match &format.value.value {
            Value::Const(value) => match self.unit.const_scalar(self.shared, format.value.ty, value) {
                Ok(Part::Expr(address)) => self.string(&address),
                _ => None,
            },
            _ => None,
        };
        match text {
            Some(text) => has_percent_n(&text),
            None => !listed && call.args[fixed..].iter().any(|arg| self.gives_memory(arg)),
        }
    }

    // ---- what becomes of a pointer that a function returns ----

    fn is_extern_call(&self, call: &Call) -> bool {
        let Some(id) = call.callee.global() else { return false };
        let id = self.unit.callee(self.shared, id);
        let name = self.unit.module.symbol_name(id).unwrap_or("");
        let defined = self.shared.function_named(name).is_some_and(|function| self.shared.signatures[function].defined);
        let local = self.unit.module.function(id).is_some_and(|function| function.defined);
        let known = self.shared.model.has_function(name) || is_input(name) || name.starts_with("llvm.");
        !defined && !local && !known
    }

    /// Is the pointer only compared, with what `with` allows, or given back to functions that nobody knows?
    pub fn is_only_compared(&self, result: LocalId, with: impl Fn(&Operand) -> bool) -> bool {
        let mut todo = vec![result];
        let mut seen: FxHashSet<LocalId> = todo.iter().copied().collect();
        while let Some(local) = todo.pop() {
            for inst in self.source.insts().filter(|inst| inst.op.uses(local)) {
                match &inst.op {
                    Op::Icmp { lhs, rhs, .. } if with(if lhs.local() == Some(local) { rhs } else { lhs }) => (),
                    Op::Call(call) if self.is_extern_call(call) && call.callee.local() != Some(local) => (),
                    Op::Phi { .. } | Op::Select { .. } | Op::Freeze(_) | Op::Cast { op: llvm::CastOp::BitCast, .. } => {
                        let Some(next) = inst.result else { return false };
                        if seen.insert(next) {
                            todo.push(next);
                        }
                    }
                    Op::Store { value, addr, .. } if value.local() == Some(local) => {
                        let Some(slot) = self.facts.slot_at(addr) else { return false };
                        let reads = |inst: &&Inst| matches!(&inst.op, Op::Load { addr, .. } if self.facts.slot_at(addr) == Some(slot));
                        let results = self.source.insts().filter(reads).filter_map(|inst| inst.result);
                        todo.extend(results.filter(|next| seen.insert(*next)));
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    // ---- --extern havoc ----

    /// Writes any value to every cell of the object that the argument points into.
    fn write_anything(&mut self, name: &str, values: &[Expr], copied: bool) -> Result<(), Unsupported> {
        let [value] = values else { return Err("it gets a pointer within something else".to_string()) };
        let root = match strip(value) {
            root @ Expr::Object(..) if !copied => root.clone(),
            root @ Expr::Reg(reg) if !copied && self.stack.contains(reg) => root.clone(),
            _ => return Err("what the pointer it gets points to is not known here".to_string()),
        };
        let (start, size) = match &root {
            Expr::Object(object, _) => (Expr::Object(*object, 0), self.shared.program.objects[*object].size),
            other => (other.clone(), self.size_on_stack(other).ok_or("an object of unknown size")?),
        };
        if let Expr::Object(object, _) = &start
            && !self.shared.program.objects[*object]
                .init
                .iter()
                .all(|init| matches!(init.value, InitValue::Scalar(..) | InitValue::Bytes(_)))
        {
            return Err("it gets a pointer to memory that holds pointers".to_string());
        }
        self.any_bytes(name, start, size)
    }

    fn size_on_stack(&self, address: &Expr) -> Option<u64> {
        let Expr::Reg(wanted) = address else { return None };
        self.allocations.iter().find_map(|inst| {
            let InstKind::Alloc { dst, size, .. } = &inst.kind else { return None };
            known_size(size).filter(|_| dst == wanted)
        })
    }
}

/// The address without what is added to it.
fn strip(mut address: &Expr) -> &Expr {
    while let Expr::Bin(BinOp::PtrAdd, base, _) = address {
        address = base;
    }
    address
}

/// Is one of the directives of the format an `n`?
fn has_percent_n(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*$'hlLqjzt".contains(c));
        if rest.starts_with('n') {
            return true;
        }
        // Also the second of two percent signs.
        let mut chars = rest.chars();
        chars.next();
        rest = chars.as_str();
    }
    false
}

fn input(name: &str) -> Input {
    let name = name.to_string();
    if is_input(&name) { Input::Nondet(name) } else { Input::Extern(name) }
}

fn pointer_from(name: &str) -> String {
    format!("the use of a pointer that `{name}` returns, which has no body")
}
