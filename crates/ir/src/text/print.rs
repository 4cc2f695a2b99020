//! Printing programs.  `parse(print(p)) == p` for every valid program.

use super::lexer::NameKind;
use super::print_expr::{Printer, bytes, constant, name, string};
use super::{default_align, names};
use crate::Check;
use crate::layout::Layout;
use crate::program::*;
use base::Pos;
use std::fmt::Write;

/// The whole program.
pub fn print(program: &Program) -> String {
    Printer { positions: true, ..Printer::new(program, None) }.program()
}

/// The whole program without source positions: easier to read, and enough where nobody asks for the user's lines.
pub fn print_without_positions(program: &Program) -> String {
    Printer::new(program, None).program()
}

/// One instruction, without its position.
pub fn print_inst(program: &Program, function: &Function, inst: &InstKind) -> String {
    Printer::new(program, Some(function)).inst(inst)
}

/// One terminator, without its position.
pub fn print_term(program: &Program, function: &Function, term: &Term) -> String {
    Printer::new(program, Some(function)).term(term)
}

/// One expression; literals that nothing in it gives a type have a suffix.
pub fn print_expr(program: &Program, function: &Function, expr: &Expr) -> String {
    Printer::new(program, Some(function)).value(expr, None)
}

/// The address of an access of type `ty`, as `load` and `store` show it: `@q.tail`, `%p->next`.
pub fn print_address(program: &Program, function: &Function, addr: &Expr, ty: Ty) -> String {
    Printer::new(program, Some(function)).address(addr, ty)
}

pub fn print_layout(program: &Program, layout: &Layout) -> String {
    Printer::new(program, None).layout(layout)
}

/// Declarations of registers share lines up to about this width.
const LINE: usize = 110;

impl Printer<'_> {
    fn program(&self) -> String {
        let program = self.program;
        let mut out = format!("target {}\n", program.data_model.pointer_bits());
        if program.block_names != BlockNames::Reused {
            writeln!(out, "names {}", names::block_names(program.block_names)).ok();
        }
        if program.handle_names != HandleNames::Lowest {
            writeln!(out, "handles {}", names::handle_names(program.handle_names)).ok();
        }
        for (id, file) in program.files.iter() {
            writeln!(out, "file {} {}", id.0, string(file)).ok();
        }
        for (id, named) in program.layouts.iter() {
            writeln!(out, "layout {} = {}", self.layout_name(id), self.layout(&named.layout)).ok();
        }
        for object in program.objects.values() {
            writeln!(out, "{}", self.object(object)).ok();
        }
        if program.functions.get(program.entry).is_some() {
            writeln!(out, "entry {}", self.function_name(program.entry)).ok();
        }
        for function in program.functions.values() {
            out.push('\n');
            Printer { function: Some(function), ..*self }.function(&mut out, function);
        }
        out
    }

    fn pos(&self, pos: Pos) -> String {
        if !self.positions || pos == Pos::NONE {
            return String::new();
        }
        let Pos { file, line, column } = pos;
        if file.0 == 0 { format!(" !{line}:{column}") } else { format!(" !{}:{line}:{column}", file.0) }
    }

    fn object(&self, object: &Object) -> String {
        let mut out = String::from(if object.thread_local { "thread_local @" } else { "global @" });
        write!(out, "{}: {}", name(&object.name, NameKind::Object), self.layout(&object.layout)).ok();
        if object.size != object.layout.size(self.program) {
            write!(out, " size {}", object.size).ok();
        }
        if object.align != default_align(object.size, self.program.data_model) {
            write!(out, " align {}", object.align).ok();
        }
        if object.constant {
            out.push_str(" const");
        }
        if object.internal {
            out.push_str(" internal");
        }
        if !object.init.is_empty() {
            write!(out, " = {}", self.init(object)).ok();
        }
        out + &self.pos(object.pos)
    }

    fn init(&self, object: &Object) -> String {
        let typed = |ty: Ty| scalar(&object.layout) == Some(ty);
        match &object.init[..] {
            [Init { offset: 0, value: InitValue::Scalar(ty, bits) }] if typed(*ty) => {
                constant(*ty, *bits, Some(*ty), is_unsigned(&object.layout))
            }
            [Init { offset: 0, value }] if !matches!(value, InitValue::Scalar(..)) => self.init_value(value),
            all => {
                let one = |init: &Init| {
                    let ty = match init.value {
                        InitValue::Scalar(ty, _) => format!("{ty} "),
                        InitValue::Bytes(_) => String::new(),
                        InitValue::Object(..) | InitValue::Function(_) => "ptr ".to_string(),
                    };
                    format!("{}: {ty}{}", init.offset, self.init_value(&init.value))
                };
                format!("{{ {} }}", all.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// An initial value without its type.
    fn init_value(&self, value: &InitValue) -> String {
        match value {
            InitValue::Scalar(ty, bits) => constant(*ty, *bits, Some(*ty), false),
            InitValue::Bytes(content) => bytes(content),
            InitValue::Object(id, offset) => self.value(&Expr::Object(*id, *offset), None),
            InitValue::Function(id) => self.value(&Expr::Func(*id), None),
        }
    }

    fn function(&self, out: &mut String, function: &Function) {
        // Parameters are declared where they stand when they are the first registers, in order.
        let in_order = function.params.iter().enumerate().all(|(i, reg)| reg.0 as usize == i);
        let param = |reg: &Reg| match function.regs.get(*reg) {
            Some(data) if in_order && data.user => self.declaration(*reg, data),
            Some(data) if in_order => format!("temp {}", self.declaration(*reg, data)),
            _ => self.reg(*reg),
        };
        let params = function.params.iter().map(param).collect::<Vec<_>>().join(", ");
        let word = if function.model { "model func" } else { "func" };
        write!(out, "{word} {}({params})", name(&function.name, NameKind::Word)).ok();
        if let Some(result) = function.result {
            write!(out, " -> {result}").ok();
        }
        writeln!(out, "{} {{", self.pos(function.pos)).ok();
        let declared = if in_order { function.params.len() } else { 0 };
        self.declarations(out, function, declared);
        for (id, block) in function.blocks.iter() {
            writeln!(out, "{}:", self.block(id)).ok();
            for inst in &block.insts {
                writeln!(out, "  {}{}", self.inst(&inst.kind), self.pos(inst.pos)).ok();
            }
            writeln!(out, "  {}{}", self.term(&block.term), self.pos(block.term_pos)).ok();
        }
        out.push_str("}\n");
    }

    fn inst(&self, inst: &InstKind) -> String {
        let text = match inst {
            InstKind::Assign { dst, value } => self.value(value, self.reg_data(*dst).map(|data| data.ty)),
            InstKind::Load { ty, addr, order, .. } => {
                format!("load{} {ty} {}", names::order(*order), self.address(addr, *ty))
            }
            InstKind::Store { ty, addr, value, order } => {
                let (addr, value) = (self.address(addr, *ty), self.value(value, Some(*ty)));
                format!("store{} {ty} {addr}, {value}", names::order(*order))
            }
            InstKind::Update { ty, addr, when, set, order, role, .. } => {
                let word = update_word(*ty, when.as_ref(), set.as_ref(), *role);
                let mut text = format!("{word}{} {ty} {}", names::order(*order), self.address(addr, *ty));
                // The address is read before there is an old content.
                let inside = Printer { old: Some(*ty), ..*self };
                if let Some(when) = when.as_ref().filter(|_| word != "lock") {
                    write!(text, " when {}", inside.value(when, Some(Ty::BOOL))).ok();
                }
                if let Some(set) = set.as_ref().filter(|_| word != "unlock") {
                    write!(text, " set {}", inside.value(set, Some(*ty))).ok();
                }
                text
            }
            InstKind::Havoc { input, .. } => {
                let (kind, name) = match input {
                    Input::Nondet(name) => ("nondet", name),
                    Input::Uninit(name) => ("uninit", name),
                    Input::Extern(name) => ("extern", name),
                    Input::Choice(name) => ("choice", name),
                };
                format!("havoc {kind}{}", optional_string(name))
            }
            InstKind::Assume { cond } => format!("assume {}", self.value(cond, Some(Ty::BOOL))),
            InstKind::Assert { cond, check, message } => {
                let mut text = format!("assert {}", self.value(cond, Some(Ty::BOOL)));
                if *check != Check::default() {
                    write!(text, " {}", check.name()).ok();
                }
                text + &optional_string(message)
            }
            InstKind::Alloc { kind, size, align, zeroed, name, layout, .. } => {
                let bytes = self.value(size, Some(self.program.pointer_int()));
                let mut text = format!("alloc {} {bytes}", names::alloc_kind(*kind));
                if *align != alloc_align(*kind, size, self.program.data_model) {
                    write!(text, " align {align}").ok();
                }
                if *zeroed {
                    text.push_str(" zeroed");
                }
                text.push_str(&optional_string(name));
                if let Some(layout) = layout {
                    write!(text, " as {}", self.layout(layout)).ok();
                }
                text
            }
            InstKind::Free { addr } => format!("free {}", self.value(addr, Some(Ty::Ptr))),
            InstKind::Call { callee, args, .. } => format!("call {}", self.call(callee, args)),
            InstKind::Spawn { callee, args, .. } => format!("spawn {}", self.call(callee, args)),
            InstKind::Join { handle, .. } => format!("join {}", self.value(handle, Some(Ty::Int(32)))),
            InstKind::Detach { handle } => format!("detach {}", self.value(handle, Some(Ty::Int(32)))),
            InstKind::AtomicBegin => "atomic begin".to_string(),
            InstKind::AtomicEnd => "atomic end".to_string(),
            InstKind::Fence { order } => format!("fence{}", names::order(*order)),
            InstKind::Unsupported { what } => format!("unsupported {}", string(what)),
        };
        match inst.dst() {
            Some(dst) => format!("{} = {text}", self.reg(dst)),
            None => text,
        }
    }

    fn call(&self, callee: &Callee, args: &[Expr]) -> String {
        let (shown, target) = match callee {
            Callee::Direct(id) => (self.function_name(*id), self.program.functions.get(*id)),
            // A path would run into the argument list.
            Callee::Indirect(Expr::Reg(reg)) => (format!("*{}", self.reg(*reg)), None),
            Callee::Indirect(target) => (format!("*({})", self.value(target, Some(Ty::Ptr))), None),
        };
        let param = |i: usize| target.and_then(|f| f.regs.get(*f.params.get(i)?)).map(|data| data.ty);
        let args: Vec<String> = args.iter().enumerate().map(|(i, arg)| self.value(arg, param(i))).collect();
        format!("{shown}({})", args.join(", "))
    }

    fn term(&self, term: &Term) -> String {
        let optional = |value: &Option<Expr>, ty| match value {
            Some(value) => format!(" {}", self.value(value, ty)),
            None => String::new(),
        };
        match term {
            Term::Jump(to) => format!("jump {}", self.block(*to)),
            Term::Branch { cond, then, other } => {
                let cond = self.value(cond, Some(Ty::BOOL));
                format!("branch {cond}, {}, {}", self.block(*then), self.block(*other))
            }
            Term::Switch { value, cases, default } => {
                let mut text = format!("switch {}", self.value(value, None));
                // Without a type the program is invalid and the cases show as they are.
                let bits = self.infer(value, true).map_or(128, |ty| self.program.bits_of(ty));
                for (case, to) in cases {
                    let shown = if bits == 1 { *case as i128 } else { signed(*case, bits) };
                    write!(text, ", {shown}: {}", self.block(*to)).ok();
                }
                text + ", default " + &self.block(*default)
            }
            Term::Return(value) => {
                format!("return{}", optional(value, self.function.and_then(|function| function.result)))
            }
            Term::ExitThread(value) => format!("exit_thread{}", optional(value, None)),
            Term::Halt => "halt".to_string(),
            Term::Unreachable => "unreachable".to_string(),
        }
    }

    /// Declares all registers but the first `skip`, in order, the same kind side by side.
    fn declarations(&self, out: &mut String, function: &Function, skip: usize) {
        let mut line = out.len();
        let mut kind = None;
        for (reg, data) in function.regs.iter().skip(skip) {
            let text = self.declaration(reg, data);
            if kind == Some(data.user) && out.len() - line + text.len() < LINE {
                out.push_str(", ");
            } else {
                out.push_str(if kind.is_some() { "\n" } else { "" });
                line = out.len();
                out.push_str(if data.user { "  local " } else { "  temp " });
                kind = Some(data.user);
            }
            out.push_str(&text);
        }
        out.push_str(if kind.is_some() { "\n" } else { "" });
    }

    /// `%x: u32`.  The user's variables always have a layout, which a bare type gives; a temporary has one only where that says more.
    fn declaration(&self, reg: Reg, data: &RegData) -> String {
        let shown = match &data.layout {
            Some(layout) if scalar(layout) == Some(data.ty) && (data.user || says_more(layout)) => self.layout(layout),
            Some(layout) => format!("{} as {}", data.ty, self.layout(layout)),
            None if data.user => format!("{} as none", data.ty),
            None => data.ty.to_string(),
        };
        format!("{}: {shown}", self.reg(reg))
    }
}

/// Does the layout say more than its type does?
pub(super) fn says_more(layout: &Layout) -> bool {
    is_unsigned(layout) || matches!(layout, Layout::Pointer(Some(_)))
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

fn optional_string(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {}", string(text)) }
}
