//! Printing programs.  `parse(print(p)) == p` for every valid program.

use super::lexer::NameKind;
use super::print_expr::{ExprPrinter, bytes, constant, name, string};
use super::{default_align, names};
use crate::Check;
use crate::layout::Layout;
use crate::program::*;
use base::Pos;
use std::fmt::Write;

/// The whole program.
pub fn print(program: &Program) -> String {
    Printer { program, positions: true }.program()
}

/// The whole program without source positions: easier to read, and enough where nobody asks for the user's lines.
pub fn print_without_positions(program: &Program) -> String {
    Printer { program, positions: false }.program()
}

/// One instruction, without its position.
pub fn print_inst(program: &Program, function: &Function, inst: &InstKind) -> String {
    let mut out = String::new();
    Printer { program, positions: false }.inst(&mut out, function, inst);
    out
}

/// One terminator, without its position.
pub fn print_term(program: &Program, function: &Function, term: &Term) -> String {
    let mut out = String::new();
    Printer { program, positions: false }.term(&mut out, function, term);
    out
}

/// One expression; literals that nothing in it gives a type have a suffix.
pub fn print_expr(program: &Program, function: &Function, expr: &Expr) -> String {
    let mut out = String::new();
    ExprPrinter::new(program, Some(function)).value(&mut out, expr, None);
    out
}

/// The address of an access of type `ty`, as `load` and `store` show it: `@q.tail`, `%p->next`.
pub fn print_address(program: &Program, function: &Function, addr: &Expr, ty: Ty) -> String {
    let mut out = String::new();
    ExprPrinter::new(program, Some(function)).address(&mut out, addr, ty);
    out
}

pub fn print_layout(program: &Program, layout: &Layout) -> String {
    let mut out = String::new();
    ExprPrinter::new(program, None).layout(&mut out, layout);
    out
}

/// Declarations of registers share lines up to about this width.
const LINE: usize = 110;

struct Printer<'a> {
    program: &'a Program,
    positions: bool,
}

impl Printer<'_> {
    fn program(&self) -> String {
        let program = self.program;
        let mut out = format!("target {}\n", program.data_model.pointer_bits());
        match program.block_names {
            BlockNames::Reused => (),
            BlockNames::Kept => out.push_str("names kept\n"),
            BlockNames::Unique => out.push_str("names unique\n"),
        }
        match program.handle_names {
            HandleNames::Lowest => (),
            HandleNames::Reused => out.push_str("handles reused\n"),
            HandleNames::Unique => out.push_str("handles unique\n"),
            HandleNames::Refused => out.push_str("handles refused\n"),
        }
        for (id, file) in program.files.iter() {
            write!(out, "file {} ", id.0).ok();
            string(&mut out, file);
            out.push('\n');
        }
        let printer = ExprPrinter::new(program, None);
        for (id, named) in program.layouts.iter() {
            out.push_str("layout ");
            printer.layout_name(&mut out, id);
            out.push_str(" = ");
            printer.layout(&mut out, &named.layout);
            out.push('\n');
        }
        for object in program.objects.values() {
            self.object(&mut out, object);
        }
        if program.functions.get(program.entry).is_some() {
            out.push_str("entry ");
            printer.function_name(&mut out, program.entry);
            out.push('\n');
        }
        for function in program.functions.values() {
            out.push('\n');
            self.function(&mut out, function);
        }
        out
    }

    fn pos(&self, out: &mut String, pos: Pos) {
        if !self.positions || pos == Pos::NONE {
            return;
        }
        out.push_str(" !");
        if pos.file.0 != 0 {
            write!(out, "{}:", pos.file.0).ok();
        }
        write!(out, "{}:{}", pos.line, pos.column).ok();
    }

    fn object(&self, out: &mut String, object: &Object) {
        let printer = ExprPrinter::new(self.program, None);
        out.push_str(if object.thread_local { "thread_local @" } else { "global @" });
        name(out, &object.name, NameKind::Object);
        out.push_str(": ");
        printer.layout(out, &object.layout);
        if object.size != object.layout.size(self.program) {
            write!(out, " size {}", object.size).ok();
        }
        printer.align(out, object.align, object.size);
        if object.constant {
            out.push_str(" const");
        }
        if object.internal {
            out.push_str(" internal");
        }
        if !object.init.is_empty() {
            out.push_str(" = ");
            self.init(out, object);
        }
        self.pos(out, object.pos);
        out.push('\n');
    }

    fn init(&self, out: &mut String, object: &Object) {
        if let [Init { offset: 0, value }] = &object.init[..] {
            match value {
                InitValue::Scalar(ty, bits) if scalar(&object.layout) == Some(*ty) => {
                    return constant(out, *ty, *bits, Some(*ty), is_unsigned(&object.layout));
                }
                InitValue::Bytes(content) => return bytes(out, content),
                InitValue::Object(id, offset) => {
                    return ExprPrinter::new(self.program, None).value(out, &Expr::Object(*id, *offset), None);
                }
                InitValue::Function(id) => {
                    return ExprPrinter::new(self.program, None).value(out, &Expr::Func(*id), None);
                }
                InitValue::Scalar(..) => (),
            }
        }
        out.push('{');
        for (i, init) in object.init.iter().enumerate() {
            write!(out, "{}{}: ", if i == 0 { " " } else { ", " }, init.offset).ok();
            self.init_value(out, &init.value);
        }
        out.push_str(" }");
    }

    fn init_value(&self, out: &mut String, value: &InitValue) {
        let printer = ExprPrinter::new(self.program, None);
        match value {
            InitValue::Scalar(ty, bits) => {
                write!(out, "{ty} ").ok();
                constant(out, *ty, *bits, Some(*ty), false);
            }
            InitValue::Bytes(content) => bytes(out, content),
            InitValue::Object(id, offset) => {
                out.push_str("ptr ");
                printer.value(out, &Expr::Object(*id, *offset), None);
            }
            InitValue::Function(id) => {
                out.push_str("ptr ");
                printer.value(out, &Expr::Func(*id), None);
            }
        }
    }

    fn function(&self, out: &mut String, function: &Function) {
        let printer = ExprPrinter::new(self.program, Some(function));
        out.push_str(if function.model { "model func " } else { "func " });
        name(out, &function.name, NameKind::Word);
        out.push('(');
        // Parameters are declared where they stand when they are the first registers, in order.
        let in_order = function.params.iter().enumerate().all(|(i, reg)| reg.0 as usize == i);
        for (i, reg) in function.params.iter().enumerate() {
            if i != 0 {
                out.push_str(", ");
            }
            match function.regs.get(*reg) {
                Some(data) if in_order => {
                    if !data.user {
                        out.push_str("temp ");
                    }
                    self.declaration(out, &printer, *reg, data);
                }
                _ => printer.reg(out, *reg),
            }
        }
        out.push(')');
        if let Some(result) = function.result {
            write!(out, " -> {result}").ok();
        }
        self.pos(out, function.pos);
        out.push_str(" {\n");
        let declared = if in_order { function.params.len() } else { 0 };
        self.declarations(out, &printer, function, declared);
        for (id, block) in function.blocks.iter() {
            printer.block(out, id);
            out.push_str(":\n");
            for inst in &block.insts {
                out.push_str("  ");
                self.inst(out, function, &inst.kind);
                self.pos(out, inst.pos);
                out.push('\n');
            }
            out.push_str("  ");
            self.term(out, function, &block.term);
            self.pos(out, block.term_pos);
            out.push('\n');
        }
        out.push_str("}\n");
    }

    /// Declares all registers but the first `skip`, in order, the same kind side by side.
    fn declarations(&self, out: &mut String, printer: &ExprPrinter, function: &Function, skip: usize) {
        let mut line = String::new();
        let mut kind = None;
        for (reg, data) in function.regs.iter().skip(skip) {
            let mut text = String::new();
            self.declaration(&mut text, printer, reg, data);
            if kind == Some(data.user) && line.len() + text.len() < LINE {
                line.push_str(", ");
            } else {
                if kind.is_some() {
                    line.push('\n');
                }
                out.push_str(&line);
                line.clear();
                line.push_str(if data.user { "  local " } else { "  temp " });
                kind = Some(data.user);
            }
            line.push_str(&text);
        }
        if kind.is_some() {
            line.push('\n');
        }
        out.push_str(&line);
    }

    /// `%x: u32`; see `implied_layout` in the parser for what a bare type says about the layout.
    fn declaration(&self, out: &mut String, printer: &ExprPrinter, reg: Reg, data: &RegData) {
        printer.reg(out, reg);
        out.push_str(": ");
        match &data.layout {
            Some(layout @ Layout::Scalar { ty, unsigned }) if *ty == data.ty && (*unsigned || data.user) => {
                printer.layout(out, layout);
            }
            Some(layout @ Layout::Pointer(to)) if data.ty == Ty::Ptr && (to.is_some() || data.user) => {
                printer.layout(out, layout);
            }
            Some(layout) => {
                write!(out, "{} as ", data.ty).ok();
                printer.layout(out, layout);
            }
            None if data.user => write!(out, "{} as none", data.ty).unwrap_or(()),
            None => write!(out, "{}", data.ty).unwrap_or(()),
        }
    }

    fn inst(&self, out: &mut String, function: &Function, inst: &InstKind) {
        let mut printer = ExprPrinter::new(self.program, Some(function));
        if let Some(dst) = inst.dst() {
            printer.reg(out, dst);
            out.push_str(" = ");
        }
        match inst {
            InstKind::Assign { dst, value } => {
                printer.value(out, value, function.regs.get(*dst).map(|data| data.ty));
            }
            InstKind::Load { ty, addr, order, .. } => {
                write!(out, "load{} {ty} ", names::order(*order)).ok();
                printer.address(out, addr, *ty);
            }
            InstKind::Store { ty, addr, value, order } => {
                write!(out, "store{} {ty} ", names::order(*order)).ok();
                printer.address(out, addr, *ty);
                out.push_str(", ");
                printer.value(out, value, Some(*ty));
            }
            InstKind::Update { ty, addr, when, set, order, role, .. } => {
                printer.old = Some(*ty);
                let word = update_word(*ty, when.as_ref(), set.as_ref(), *role);
                write!(out, "{word}{} {ty} ", names::order(*order)).ok();
                // The address is read before there is an old content.
                printer.old = None;
                printer.address(out, addr, *ty);
                printer.old = Some(*ty);
                if let Some(when) = when.as_ref().filter(|_| word != "lock") {
                    out.push_str(" when ");
                    printer.value(out, when, Some(Ty::BOOL));
                }
                if let Some(set) = set.as_ref().filter(|_| word != "unlock") {
                    out.push_str(" set ");
                    printer.value(out, set, Some(*ty));
                }
            }
            InstKind::Havoc { input, .. } => {
                let (kind, name) = match input {
                    Input::Nondet(name) => ("nondet", name),
                    Input::Uninit(name) => ("uninit", name),
                    Input::Extern(name) => ("extern", name),
                    Input::Choice(name) => ("choice", name),
                };
                write!(out, "havoc {kind}").ok();
                optional_string(out, name);
            }
            InstKind::Assume { cond } => {
                out.push_str("assume ");
                printer.value(out, cond, Some(Ty::BOOL));
            }
            InstKind::Assert { cond, check, message } => {
                out.push_str("assert ");
                printer.value(out, cond, Some(Ty::BOOL));
                if *check != Check::default() {
                    write!(out, " {}", check.name()).ok();
                }
                optional_string(out, message);
            }
            InstKind::Alloc { kind, size, align, zeroed, name, layout, .. } => {
                write!(out, "alloc {} ", names::alloc_kind(*kind)).ok();
                printer.value(out, size, Some(self.program.pointer_int()));
                if *align != alloc_align(*kind, size, self.program.data_model) {
                    write!(out, " align {align}").ok();
                }
                if *zeroed {
                    out.push_str(" zeroed");
                }
                optional_string(out, name);
                if let Some(layout) = layout {
                    out.push_str(" as ");
                    printer.layout(out, layout);
                }
            }
            InstKind::Free { addr } => {
                out.push_str("free ");
                printer.value(out, addr, Some(Ty::Ptr));
            }
            InstKind::Call { callee, args, .. } => self.call(out, &printer, "call ", callee, args),
            InstKind::Spawn { callee, args, .. } => self.call(out, &printer, "spawn ", callee, args),
            InstKind::Join { handle, .. } => {
                out.push_str("join ");
                printer.value(out, handle, Some(Ty::Int(32)));
            }
            InstKind::Detach { handle } => {
                out.push_str("detach ");
                printer.value(out, handle, Some(Ty::Int(32)));
            }
            InstKind::AtomicBegin => out.push_str("atomic begin"),
            InstKind::AtomicEnd => out.push_str("atomic end"),
            InstKind::Fence { order } => write!(out, "fence{}", names::order(*order)).unwrap_or(()),
            InstKind::Unsupported { what } => {
                out.push_str("unsupported ");
                string(out, what);
            }
        }
    }

    fn call(&self, out: &mut String, printer: &ExprPrinter, word: &str, callee: &Callee, args: &[Expr]) {
        out.push_str(word);
        let target = match callee {
            Callee::Direct(id) => {
                printer.function_name(out, *id);
                self.program.functions.get(*id)
            }
            Callee::Indirect(target) => {
                out.push('*');
                // A path would run into the argument list.
                match target {
                    Expr::Reg(reg) => printer.reg(out, *reg),
                    _ => {
                        out.push('(');
                        printer.value(out, target, Some(Ty::Ptr));
                        out.push(')');
                    }
                }
                None
            }
        };
        out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i != 0 {
                out.push_str(", ");
            }
            let param = target.and_then(|f| f.regs.get(*f.params.get(i)?)).map(|data| data.ty);
            printer.value(out, arg, param);
        }
        out.push(')');
    }

    fn term(&self, out: &mut String, function: &Function, term: &Term) {
        let printer = ExprPrinter::new(self.program, Some(function));
        match term {
            Term::Jump(to) => {
                out.push_str("jump ");
                printer.block(out, *to);
            }
            Term::Branch { cond, then, other } => {
                out.push_str("branch ");
                printer.value(out, cond, Some(Ty::BOOL));
                out.push_str(", ");
                printer.block(out, *then);
                out.push_str(", ");
                printer.block(out, *other);
            }
            Term::Switch { value, cases, default } => {
                out.push_str("switch ");
                printer.value(out, value, None);
                // Without a type the program is invalid and the cases show as they are.
                let bits = printer.type_of(value).map_or(128, |ty| self.program.bits_of(ty));
                for (case, to) in cases {
                    let shown = if bits == 1 { *case as i128 } else { signed(*case, bits) };
                    write!(out, ", {shown}: ").ok();
                    printer.block(out, *to);
                }
                out.push_str(", default ");
                printer.block(out, *default);
            }
            Term::Return(value) => {
                out.push_str("return");
                if let Some(value) = value {
                    out.push(' ');
                    printer.value(out, value, function.result);
                }
            }
            Term::ExitThread(value) => {
                out.push_str("exit_thread");
                if let Some(value) = value {
                    out.push(' ');
                    printer.value(out, value, None);
                }
            }
            Term::Halt => out.push_str("halt"),
            Term::Unreachable => out.push_str("unreachable"),
        }
    }
}

/// `lock` and `unlock` stand for the guard and the value their roles promise; other shapes are spelled out.
fn update_word(ty: Ty, when: Option<&Expr>, set: Option<&Expr>, role: Role) -> &'static str {
    match role {
        Role::Plain => "update",
        Role::Lock if when == Some(&lock_guard(ty)) && set.is_some() => "lock",
        Role::Lock => "update.lock",
        Role::Unlock if when.is_none() && set == Some(&Expr::Const(ty, 0)) => "unlock",
        Role::Unlock => "update.unlock",
    }
}

/// What `lock` waits for.
pub(super) fn lock_guard(ty: Ty) -> Expr {
    Expr::bin(BinOp::Eq, Expr::Old, Expr::Const(ty, 0))
}

/// The alignment of an allocation that does not say.
pub(super) fn alloc_align(kind: AllocKind, size: &Expr, data_model: DataModel) -> u64 {
    match (kind, size) {
        // What malloc promises on the machines we know.
        (AllocKind::Heap, _) => 16,
        (AllocKind::Stack, Expr::Const(_, size)) => default_align(*size as u64, data_model),
        (AllocKind::Stack, _) => data_model.pointer_bytes(),
    }
}

/// The type of a layout that is one number or pointer by its own words.
pub(super) fn scalar(layout: &Layout) -> Option<Ty> {
    match layout {
        Layout::Scalar { ty, .. } => Some(*ty),
        Layout::Pointer(_) => Some(Ty::Ptr),
        _ => None,
    }
}

fn is_unsigned(layout: &Layout) -> bool {
    matches!(layout, Layout::Scalar { unsigned: true, .. })
}

fn optional_string(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push(' ');
        string(out, text);
    }
}
