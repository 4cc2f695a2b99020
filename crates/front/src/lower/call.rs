//! Calls: of functions, of what has a meaning of its own, and with a variable number of arguments.
//!
//! Structs in registers are passed and returned part by part.  A function returns one part; further parts go through
//! thread-local cells that only the return and the instruction after the call touch.

use super::ASSERT_FAIL;
use super::analysis::{Passage, Passing};
use super::consts::{Part, Unsupported};
use super::externs::ANY_MEMORY;
use super::func::{FnLower, To};
use super::shared::Signature;
use super::unit::Target;
use crate::model::{Kind, Use, is_input, other_function, sign_is_lost};
use ir::{Callee, Check, Expr, FuncId, Init, InitValue, Input, InstKind, Order, Ty};
use llvm::{Arg, Call, Const, GlobalId, InlineAsm, TypeId, Value};

impl<'m> FnLower<'_, 'm> {
    pub fn call(&mut self, to: To, call: &'m Call) -> Result<(), Unsupported> {
        if let Value::Asm(asm) = &call.callee.value {
            return self.asm(to, asm, call);
        }
        if let Some(called) = call.callee.global() {
            let id = self.unit.callee(self.shared, called);
            let name = self.unit.module.symbol_name(id).unwrap_or("");
            if let Some(intrinsic) = name.strip_prefix("llvm.") {
                return self.intrinsic(intrinsic, to, call);
            }
            if !self.is_own(name, called) && self.special(name, call)? {
                return Ok(());
            }
            if let Target::Function(function) = self.unit.called(self.shared, called)? {
                let name = name.to_string();
                if !self.shared.signatures[function].defined {
                    if name == ANY_MEMORY && self.any_memory(call)? {
                        return Ok(());
                    }
                    if matches!(&*name, "div" | "ldiv" | "lldiv" | "imaxdiv") && self.quotient(to, call)? {
                        return Ok(());
                    }
                    // A function for inputs gives any value by its name, but could write through a pointer like any other.
                    let gets_nothing = is_input(&name) && call.args.is_empty();
                    if !self.shared.model.has_function(&name) && !gets_nothing {
                        return self.extern_call(&name, to, call);
                    }
                    if !self.can_be_the_librarys(&name, called, call)? {
                        return Err(other_function(&name));
                    }
                    if self.stores_a_count(&name, call) {
                        let what = format!("a format of `{name}` that may contain %n, which stores a number");
                        self.emit(InstKind::Unsupported { what });
                    }
                }
                return self.direct(to, function, call);
            }
        }
        self.indirect(to, call)
    }

    /// Is it a function of the program's own with a name that other C libraries have in the place of `__assert_fail`, or with that of
    /// one that begins or ends an atomic section?
    fn is_own(&mut self, name: &str, called: GlobalId) -> bool {
        (name.starts_with("__assert") || name.starts_with("__VERIFIER_atomic_"))
            && name != ASSERT_FAIL
            && matches!(self.unit.called(self.shared, called),
                Ok(Target::Function(function)) if self.shared.signatures[function].defined)
    }

    /// Functions that mean something to a verifier.
    fn special(&mut self, name: &str, call: &'m Call) -> Result<bool, Unsupported> {
        match name {
            ASSERT_FAIL | "__assert" | "__assert_perror_fail" | "__assert_rtn" | "__assert_func" => {
                // The text of the condition is an argument, but not the same one for all.
                let at = match name {
                    "__assert_rtn" | "__assert_func" => 3,
                    "__assert_perror_fail" => usize::MAX,
                    _ => 0,
                };
                let mut text = None;
                for (i, arg) in call.args.iter().enumerate() {
                    let value = self.scalar(&arg.value)?;
                    if i == at {
                        text = self.string(&value);
                    }
                }
                let message = match text {
                    Some(text) => format!("assertion `{text}` failed"),
                    None => "assertion failed".to_string(),
                };
                self.emit(InstKind::Assert { cond: Expr::bool(false), check: Check::Assertion, message });
            }
            _ if self.shared.is_error_function(name) => {
                let message = format!("{name}() is called");
                self.emit(InstKind::Assert { cond: Expr::bool(false), check: Check::Error, message });
            }
            "__VERIFIER_atomic_begin" => self.emit(InstKind::AtomicBegin),
            "__VERIFIER_atomic_end" => self.emit(InstKind::AtomicEnd),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Does the call fit the function that the model has under this name?
    fn can_be_the_librarys(&self, name: &str, called: GlobalId, call: &'m Call) -> Result<bool, Unsupported> {
        let Some(prototype) = self.shared.model.prototype(name) else { return Ok(true) };
        // Old C has no parameters in the declaration, and 0 for a null pointer in the call.
        let old = self.unit.is_old_declaration(called);
        let mut given = Vec::new();
        for arg in &call.args {
            let fits_all = old && matches!(arg.value.value, Value::Const(Const::Int(0) | Const::Null));
            let kinds = self.unit.kinds(arg.value.ty, &arg.attrs)?;
            given.extend(kinds.into_iter().map(|kind| Some(kind).filter(|_| !fits_all)));
        }
        let result = Kind::of_parts(&self.unit.leaf_types(call.ret)?);
        Ok(prototype.fits(&Use { given, result, old }))
    }

    /// The constant string at an address.
    pub fn string(&self, address: &Expr) -> Option<String> {
        let Expr::Object(object, offset) = address else { return None };
        let object = self.shared.program.objects.get(*object)?;
        let [Init { offset: 0, value: InitValue::Bytes(bytes) }] = &object.init[..] else { return None };
        let bytes = bytes.get(usize::try_from(*offset).ok()?..)?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    fn direct(&mut self, to: To, function: FuncId, call: &'m Call) -> Result<(), Unsupported> {
        let signature = self.shared.signatures[function].clone();
        let fixed = match signature.variadic {
            // Old C need not know which are fixed; the definition does.
            true if signature.defined => signature.fixed.min(call.args.len()),
            true => self.fixed_args(call),
            // Old C calls functions without knowing their parameters.
            false => call.args.len(),
        };
        let mut args = self.arguments(call, fixed)?;
        let rest = &call.args[fixed..];
        let list = match signature.variadic && signature.defined {
            true => Some(self.variable_arguments(rest)?),
            false => None,
        };
        if list.is_none() {
            // Evaluated, as C says, and not passed: nobody looks at it.
            self.evaluate(rest)?;
        }
        // What nobody defines may be the library's, whose parameters linking knows.
        if signature.defined {
            args = self.fit(args, &signature.params)?;
        }
        args.extend(list);
        self.finish(to, Callee::Direct(function), args, call.ret, Some((function, signature)))
    }

    fn indirect(&mut self, to: To, call: &'m Call) -> Result<(), Unsupported> {
        let callee = self.scalar(&call.callee)?;
        let fixed = self.fixed_args(call);
        let mut args = self.arguments(call, fixed)?;
        let rest = &call.args[fixed..];
        if !rest.is_empty() {
            args.push(self.variable_arguments(rest)?);
        }
        self.finish(to, Callee::Indirect(callee), args, call.ret, None)
    }

    pub fn fixed_args(&self, call: &Call) -> usize {
        let params = self.unit.types.types.function(call.fn_ty).map_or(call.args.len(), |(_, params, _)| params.len());
        params.min(call.args.len())
    }

    /// Evaluates arguments that nobody looks at.
    pub fn evaluate(&mut self, args: &[Arg]) -> Result<(), Unsupported> {
        args.iter().try_for_each(|arg| self.parts(&arg.value).map(drop))
    }

    /// The registers that the first arguments are passed in.
    fn arguments(&mut self, call: &Call, count: usize) -> Result<Vec<Expr>, Unsupported> {
        let mut args = Vec::new();
        for index in 0..count {
            args.extend(self.argument(call, index)?);
        }
        Ok(args)
    }

    /// The registers that an argument is passed in.
    pub fn argument(&mut self, call: &Call, index: usize) -> Result<Vec<Expr>, Unsupported> {
        let arg = &call.args[index];
        if let Some(ty) = arg.attrs.byval {
            // The callee may change what it gets, so it gets a copy.
            let (size, align) = (self.unit.types.size(ty), self.unit.types.align(ty));
            let source = self.scalar(&arg.value)?;
            let of = Passing::of_call(self.unit.module, call);
            let passed = of.map(|of| self.passed(Passage { of, index: Some(index) }));
            let records = passed.into_iter().flat_map(|passed| passed.parts).map(|(record, _)| record);
            let records: Vec<_> = records.filter(|record| record.size(&self.shared.program) == size).collect();
            let layout = match &records[..] {
                [record] => record.clone(),
                _ => self.layout_of(&source, ty),
            };
            let what: Vec<_> = records.iter().filter_map(|record| self.regions().copied(record, size)).collect();
            let copy = self.stack_object("copy", size, align, Some(layout), self.pos);
            let size = Expr::Const(self.pointer_int(), u128::from(size));
            self.copy(Expr::Reg(copy), source, size, align, &what, false)?;
            return Ok(vec![Expr::Reg(copy)]);
        }
        self.part_values(&arg.value)
    }

    /// The layout of what is at the address, which has the given type.
    fn layout_of(&mut self, address: &Expr, ty: TypeId) -> ir::Layout {
        let size = self.unit.types.size(ty);
        match self.pointer_layout(address) {
            Some(ir::Layout::Pointer(Some(layout))) if layout.size(&self.shared.program) == size => *layout,
            _ => self.unit.layout_of_type(self.shared, ty),
        }
    }

    /// As many arguments, and of such types, as the callee has parameters.
    fn fit(&mut self, args: Vec<Expr>, params: &[Ty]) -> Result<Vec<Expr>, Unsupported> {
        let mut args = args.into_iter();
        let mut fitted = Vec::with_capacity(params.len());
        for param in params {
            fitted.push(match args.next() {
                Some(arg) => self.convert(arg, *param)?,
                None => self.any(*param, "missing argument"),
            });
        }
        Ok(fitted)
    }

    /// What a register holds, seen as another type, when caller and callee disagree.
    fn convert(&mut self, value: Expr, to: Ty) -> Result<Expr, Unsupported> {
        let from = self.fold().type_of(&value);
        if sign_is_lost(&self.shared.program, from, to) {
            return Err("a call that widens a value narrower than an `int`".to_string());
        }
        let pointer_int = self.pointer_int();
        let fold = self.fold();
        Ok(match (from, to) {
            _ if from == to => value,
            (Ty::Int(_), Ty::Int(_)) => fold.resize(false, from, to, value),
            (Ty::Ptr, Ty::Int(_)) => {
                let value = fold.cast(ir::CastOp::PtrToInt, Ty::Ptr, pointer_int, value);
                fold.resize(false, pointer_int, to, value)
            }
            (Ty::Int(_), Ty::Ptr) => {
                let value = fold.resize(false, from, pointer_int, value);
                fold.cast(ir::CastOp::IntToPtr, pointer_int, Ty::Ptr, value)
            }
            _ if from.is_float() && to.is_float() => fold.cast(ir::CastOp::Float, from, to, value),
            // In different kinds of registers: what is found there is anything.
            _ => self.any(to, "argument of another type"),
        })
    }

    /// Emits the call and takes its results.
    fn finish(
        &mut self,
        to: To,
        callee: Callee,
        args: Vec<Expr>,
        ret: TypeId,
        known: Option<(FuncId, Signature)>,
    ) -> Result<(), Unsupported> {
        let wanted = self.unit.leaf_types(ret)?;
        let given = known.as_ref().map_or_else(|| wanted.clone(), |(_, signature)| signature.results.clone());
        let (Some(_), Some(first)) = (self.read_result(to.result), wanted.first().copied()) else {
            self.emit(InstKind::Call { dst: None, callee, args });
            return Ok(());
        };
        if given.is_empty() {
            // The caller was told of a result that the callee does not return.
            self.emit(InstKind::Call { dst: None, callee, args });
            self.deliver(to, wanted.into_iter().map(Part::Undef).collect());
            return Ok(());
        }
        if given.first() == Some(&first) && self.unit.types.scalar(ret).is_some() {
            let dst = self.result_reg(to, first);
            self.emit(InstKind::Call { dst: Some(dst), callee, args });
            return Ok(());
        }
        let dst = given.first().map(|ty| self.temporary(*ty));
        self.emit(InstKind::Call { dst, callee, args });
        let undefined = known.filter(|(_, signature)| !signature.defined).map(|(function, _)| function);
        let mut parts = Vec::new();
        for (i, ty) in wanted.into_iter().enumerate() {
            parts.push(Part::Expr(match (i, dst, undefined) {
                (0, Some(dst), _) => self.convert(Expr::Reg(dst), ty)?,
                (_, _, Some(function)) => {
                    let name = self.shared.program.functions[function].name.clone();
                    self.choice(ty, Input::Extern(name))
                }
                (_, _, None) => {
                    let slot = self.shared.result_slot(i, ty);
                    self.load_at(&Expr::Object(slot, 0), 0, ty)
                }
            }));
        }
        self.deliver(to, parts);
        Ok(())
    }

    /// Gives the result to the local, or to the variable that it was meant for.
    pub fn deliver(&mut self, to: To, parts: Vec<Part>) {
        match (to.target, parts.first(), to.result) {
            (Some(target), Some(part), _) => {
                let value = self.part(part.clone());
                self.assign(target, value);
            }
            (_, _, Some(result)) => self.define_parts(result, parts),
            (_, _, None) => (),
        }
    }

    /// Calls a function of the C library that the program need not have declared.
    pub fn library_call(
        &mut self,
        name: &str,
        params: &[Ty],
        result: Option<Ty>,
        args: Vec<Expr>,
    ) -> Result<(), Unsupported> {
        if let Some(Target::Object(..) | Target::Value(_)) = self.shared.by_name.get(name) {
            return Err(format!("the variable `{name}`, which has the name of a library function"));
        }
        if self.shared.is_error_function(name) {
            return Err(format!("an operation that is done with `{name}`, a call of which is an error"));
        }
        let function = self.shared.library_function(name, params, result);
        let params = self.shared.signatures[function].params.clone();
        let args = self.fit(args, &params)?;
        self.emit(InstKind::Call { dst: None, callee: Callee::Direct(function), args });
        Ok(())
    }

    // ---- inline assembly ----

    fn asm(&mut self, to: To, asm: &InlineAsm, call: &'m Call) -> Result<(), Unsupported> {
        let unsupported = || Err(format!("inline assembly `{}`", shorten(&asm.template)));
        let code: Vec<&str> = asm.template.split([';', '\n']).map(str::trim).filter(|code| !is_comment(code)).collect();
        let outputs: Vec<&str> = asm.constraints.split(',').filter(|c| c.starts_with('=')).collect();
        match &code[..] {
            [] => (),
            // Under sequential consistency these are all the same.
            ["mfence" | "lfence" | "sfence"] if outputs.is_empty() => {
                self.emit(InstKind::Fence { order: Order::SeqCst });
                return Ok(());
            }
            ["nop" | "pause"] | ["rep", "nop"] | ["rep nop"] if outputs.is_empty() => return Ok(()),
            _ => return unsupported(),
        }
        if to.result.is_none() {
            self.evaluate(&call.args)?;
            // An output through memory could be anything; one that is also an input stays what it is.
            let memory = outputs.iter().any(|output| output.contains('*'));
            let tied = asm.constraints.split(',').any(|c| c.starts_with('*') || c.bytes().all(|b| b.is_ascii_digit()));
            return if memory && !tied { unsupported() } else { Ok(()) };
        }
        // Nothing is executed, so an output that shares its register with an input is that input.
        let inputs: Vec<&str> = asm.constraints.split(',').filter(|c| !c.starts_with(['=', '~', '!'])).collect();
        let mut parts = Vec::new();
        for output in 0..outputs.len() {
            let tied = inputs.iter().position(|input| input.parse() == Ok(output));
            let Some(arg) = tied.and_then(|at| call.args.get(at)) else { return unsupported() };
            parts.extend(self.parts(&arg.value)?);
        }
        let parts: Vec<Part> = parts.into_iter().map(|part| Part::Expr(self.part(part))).collect();
        self.deliver(to, parts);
        Ok(())
    }
}

fn is_comment(code: &str) -> bool {
    code.is_empty()
        || code.starts_with('#')
        || code.starts_with("//")
        || (code.starts_with("/*") && code.ends_with("*/"))
}

fn shorten(template: &str) -> String {
    let line = template.trim().replace(['\n', '\t'], " ");
    if line.chars().count() > 40 { line.chars().take(40).chain(['…']).collect() } else { line }
}
