//! One thread as a function that goes on where it was stopped.
//!
//! Blocks stand in topological order, so control only moves forward, and the labels are numbered as they stand.  `J` before a
//! label's statements jumps on to the next label: while the thread's stored label is still ahead, and once the guessed one is
//! reached.  `G` where a jump arrives prunes guesses of a label that was jumped over.

use crate::Options;
use crate::inst::{Others, Param, comment};
use crate::scope::Scope;
use crate::value::Level;
use base::Pos;
use ir::{BlockId, Expr, Function, Inst, InstKind, Term, Ty};
use passes::{Cut, ThreadId};
use rustc_hash::FxHashSet;
use std::fmt::Write;

pub struct Body {
    pub text: String,
    /// The number of the last label: the thread has ended when it is there.
    pub last: u32,
}

pub struct Printer<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub others: &'s Others<'s>,
    pub options: &'s Options<'s>,
    pub cuts: &'s [Cut],
    /// Where the thread may be stopped, in the order of the text: before the instruction (or the terminator) of that index.
    pub labels: &'s [(BlockId, u32)],
    /// What has been printed, the place of the comment that was printed last, and the number of the next label.
    pub text: String,
    pub shown: Pos,
    pub next_label: u32,
}

impl Printer<'_, '_> {
    pub fn print(mut self, name: &str) -> Body {
        let function = self.scope.function;
        let jumped_to = jumped_to(function);
        let last = self.labels.len() as u32;
        let mut ends = false;
        for (id, block) in function.blocks.iter() {
            if jumped_to[id.0 as usize] {
                let label = self.scope.labels[id].clone();
                let next = self.next_label;
                let _ = writeln!(self.text, "{label}:\n    G({next});");
            }
            for (at, inst) in block.insts.iter().enumerate() {
                let lines = self.scope.statements(id, at, inst, self.others);
                self.stop(id, at, inst.pos);
                self.source(inst.pos, !lines.is_empty());
                self.lines(&lines);
            }
            self.stop(id, block.insts.len(), block.term_pos);
            ends |= self.term(id, &block.term, block.term_pos);
        }
        if ends {
            let _ = writeln!(self.text, "the_end:\n    G({last});");
        }
        let _ = writeln!(self.text, "l{last}:\n    return;");
        let declarations = self.declarations();
        let text = format!("static void {name}(void)\n{{\n{declarations}{}}}\n", self.text);
        Body { text, last }
    }

    /// A label before the place, if there is one.
    fn stop(&mut self, block: BlockId, at: usize, pos: Pos) {
        if self.labels.get(self.next_label as usize) != Some(&(block, at as u32)) {
            return;
        }
        self.source(pos, true);
        let here = self.next_label;
        let label = if here == 0 { String::new() } else { format!("l{here}: ") };
        let _ = writeln!(self.text, "{label:4}J({}, {here}, l{});", self.scope.thread.0, here + 1);
        self.next_label += 1;
    }

    /// A comment with the user's line, when it is another than before.
    fn source(&mut self, pos: Pos, wanted: bool) {
        if !wanted || (pos.file, pos.line) == (self.shown.file, self.shown.line) {
            return;
        }
        let Some(path) = self.scope.unit.program.file_of(pos) else { return };
        self.shown = pos;
        let file = path.rsplit('/').next().unwrap_or(path);
        let line = (self.options.source)(pos.file, pos.line).map(|line| comment(&line)).unwrap_or_default();
        let colon = if line.is_empty() { "" } else { ": " };
        let _ = writeln!(self.text, "    /* {}:{}{colon}{line} */", comment(file), pos.line);
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            let _ = writeln!(self.text, "    {line}");
        }
    }

    /// The end of a block; tells whether the thread may end here.
    fn term(&mut self, block: BlockId, term: &Term, pos: Pos) -> bool {
        let scope = self.scope;
        scope.pos.set(pos);
        let mut lines = Vec::new();
        term.for_each_expr(&mut |expr| scope.assume_no_fault(expr, &mut lines));
        let next = BlockId(block.0 + 1);
        let goto = |to: BlockId| format!("goto {};", scope.labels[to]);
        let come_to = |to: BlockId| (to != next).then(|| goto(to));
        let mut ends = false;
        match term {
            Term::Jump(to) => lines.extend(come_to(*to)),
            Term::Branch { then, other, .. } if then == other => lines.extend(come_to(*then)),
            Term::Branch { cond, then, other } if *then == next => {
                lines.push(format!("if ({}) {}", scope.condition(cond, false).text, goto(*other)));
            }
            Term::Branch { cond, then, other } => {
                lines.push(format!("if ({}) {}", scope.condition(cond, true).text, goto(*then)));
                lines.extend(come_to(*other));
            }
            Term::Switch { value, cases, default } => {
                let ty = scope.type_of(value);
                for (case, to) in cases {
                    let equal = Expr::bin(ir::BinOp::Eq, value.clone(), Expr::Const(ty, *case));
                    if to != default {
                        lines.push(format!("if ({}) {}", scope.condition(&equal, true).text, goto(*to)));
                    }
                }
                lines.extend(come_to(*default));
            }
            Term::Return(_) if scope.thread == ThreadId::FIRST => {
                lines.push("assume(0); /* the first thread returns: the program ends */".into());
            }
            Term::Return(value) | Term::ExitThread(value) => {
                if let Some(value) = value.as_ref().filter(|_| self.others.results) {
                    lines.push(self.keep_result(value));
                }
                lines.push("goto the_end;".into());
                ends = true;
            }
            Term::Halt => lines.push("assume(0); /* the program ends */".into()),
            Term::Unreachable => {
                let cut = self.cuts.iter().any(|cut| cut.func == scope.func && cut.block == block);
                let why = if cut { "beyond the bounds" } else { "undefined behaviour" };
                lines.push(format!("assume(0); /* {why} */"));
            }
        }
        self.source(pos, !lines.is_empty());
        self.lines(&lines);
        ends
    }

    /// What a thread returns is kept as a pointer, as pthreads have it.
    fn keep_result(&self, value: &Expr) -> String {
        let scope = self.scope;
        let pointer_bits = scope.unit.program.data_model.pointer_bits();
        let pointer = match scope.type_of(value) {
            Ty::Ptr => scope.value(value),
            Ty::Int(bits) if bits <= pointer_bits => {
                scope.value(&Expr::cast(ir::CastOp::IntToPtr, Ty::Ptr, value.clone()))
            }
            Ty::Int(_) | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => {
                scope.fail("a thread whose result is wider than a pointer");
                return String::new();
            }
        };
        format!("result[{}] = {};", scope.thread.0, pointer.at(Level::Conditional))
    }

    /// The variables, which keep their values from round to round.
    fn declarations(&self) -> String {
        let scope = self.scope;
        let types = scope.unit.types.borrow();
        let mut text = String::new();
        let read = read_names(&self.text);
        let mut unread = Vec::new();
        for object in &scope.objects {
            if !read.contains(object.name.as_str()) {
                unread.push(&object.name);
            }
            let declared = types.declare_layout(&object.layout, &object.name, "    ");
            let _ =
                writeln!(text, "    static {declared}{};", alignment(object.align, &object.layout, scope.unit.program));
        }
        for (reg, variable) in scope.regs.iter() {
            let param = scope.function.params.contains(&reg);
            if variable.needed && variable.object.is_none() && !param {
                let declared = types.declare(&variable.ctype, &variable.name);
                let _ = writeln!(text, "    static {declared};");
                if !read.contains(variable.name.as_str()) {
                    unread.push(&variable.name);
                }
            }
        }
        // Compilers warn about what is only ever assigned.
        unread.iter().for_each(|name| _ = writeln!(text, "    (void){name};"));
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

/// An attribute for what needs more alignment than its type has.
pub fn alignment(align: u64, layout: &ir::Layout, program: &ir::Program) -> String {
    match align > crate::types::align_of(program, layout) {
        true => format!(" __attribute__((aligned({align})))"),
        false => String::new(),
    }
}

/// The identifiers in statements, but for those that are only assigned to.
fn read_names(text: &str) -> FxHashSet<&str> {
    let mut found = FxHashSet::default();
    for line in text.lines() {
        let line = line.trim_start();
        // Comments use words as they like.
        let line = line.split("/*").next().unwrap_or_default();
        let mut words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        // A line that begins with a name and goes on to `=` without an index or a call assigns to it.
        let assigns = line.split_once(" = ").is_some_and(|(left, _)| {
            left.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !left.contains(['(', ' ', '>'])
        });
        if assigns {
            words.next();
        }
        found.extend(words);
    }
    found
}

/// By block: is it reached otherwise than from the block before it?
fn jumped_to(function: &Function) -> Vec<bool> {
    let mut jumped = vec![false; function.blocks.len()];
    for (id, block) in function.blocks.iter() {
        let next = BlockId(id.0 + 1);
        match &block.term {
            Term::Switch { cases, default, .. } => {
                cases.iter().filter(|(_, to)| to != default).for_each(|(_, to)| jumped[to.0 as usize] = true);
                jumped[default.0 as usize] |= *default != next;
            }
            term @ (Term::Jump(_)
            | Term::Branch { .. }
            | Term::Return(_)
            | Term::ExitThread(_)
            | Term::Halt
            | Term::Unreachable) => term.for_each_target(&mut |to| jumped[to.0 as usize] |= to != next),
        }
    }
    jumped
}

/// Does the thread ask for another's result?
pub fn asks_for_results(scope: &Scope) -> bool {
    let reads = |inst: &Inst| matches!(inst.kind, InstKind::Join { dst: Some(dst), .. } if scope.regs[dst].needed);
    scope.function.insts().any(reads)
}

/// Does the thread wait for another's end, or say that it will not?
pub fn uses_handles(function: &Function) -> bool {
    function.insts().any(|inst| inst.kind.handle().is_some())
}

/// The variables that take the arguments of a thread.
pub fn params(scope: &Scope) -> Vec<Param> {
    let param = |reg: &ir::Reg| Param {
        name: scope.regs[*reg].name.clone(),
        ctype: scope.regs[*reg].ctype.clone(),
        width: scope.unit.program.bits_of(scope.function.ty(*reg)),
        needed: scope.regs[*reg].needed,
    };
    scope.function.params.iter().map(param).collect()
}
