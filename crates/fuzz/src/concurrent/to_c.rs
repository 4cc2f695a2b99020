//! Random programs as C text.  It means what `to_ir` says: where it does not, the front end is wrong.

use super::source::*;
use std::fmt::Write;

const PRELUDE: &str = include_str!("prelude.h");

/// The whole program.
pub fn to_c(source: &Source) -> String {
    let mut out = PRELUDE.to_string();
    out.push_str("struct record {\n");
    for (index, shape) in source.record.iter().enumerate() {
        _ = writeln!(out, "    {};", declaration(shape, &format!("f{index}")));
    }
    out.push_str("};\n\n");
    for index in 1..source.functions.len() {
        _ = writeln!(out, "{};", head(source, index));
    }
    out.push('\n');
    // An initialiser may name a global that comes later.
    for (index, global) in source.globals.iter().enumerate().filter(|(_, global)| !global.thread_local) {
        _ = writeln!(out, "extern {};", declaration(&global.shape, &format!("g{index}")));
    }
    for (index, global) in source.globals.iter().enumerate() {
        let init = match &global.init {
            Init::Zero => String::new(),
            Init::Number(n) => format!(" = {n}"),
            Init::Address(target) => format!(" = &g{target}"),
            Init::Function(target) => format!(" = {}", name(source, *target)),
            Init::Functions(targets) => {
                let names: Vec<String> = targets.iter().map(|target| name(source, *target)).collect();
                format!(" = {{ {} }}", names.join(", "))
            }
        };
        let storage = if global.thread_local { "_Thread_local " } else { "" };
        _ = writeln!(out, "{storage}{}{init};", declaration(&global.shape, &format!("g{index}")));
    }
    for index in (0..source.functions.len()).rev() {
        print_function(&mut out, source, index);
    }
    out
}

fn declaration(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Int { .. } => format!("{} {name}", int_type(shape)),
        Shape::Pointer(to) => pointer(*to, name),
        Shape::Lock => format!("pthread_mutex_t {name}"),
        Shape::Handle => format!("pthread_t {name}"),
        Shape::Array(element, count) => declaration(element, &format!("{name}[{count}]")),
        Shape::Record => format!("struct record {name}"),
        Shape::Mix => format!("union mix {name}"),
    }
}

fn pointer(to: To, name: &str) -> String {
    match (to.shape(), to) {
        (Some(shape), _) => declaration(&shape, &format!("*{name}")),
        (None, To::Worker) => format!("worker *{name}"),
        (None, _) => format!("function *{name}"),
    }
}

fn int_type(shape: &Shape) -> &'static str {
    match shape {
        Shape::Int { bits: 8, signed: true } => "signed char",
        Shape::Int { bits: 8, signed: false } => "unsigned char",
        Shape::Int { bits: 16, signed: true } => "short",
        Shape::Int { bits: 16, signed: false } => "unsigned short",
        Shape::Int { bits: 64, signed: true } => "long long",
        Shape::Int { bits: 64, signed: false } => "unsigned long long",
        Shape::Int { signed: false, .. } => "unsigned",
        _ => "int",
    }
}

fn name(source: &Source, index: usize) -> String {
    match source.functions[index].kind {
        FunctionKind::Main => "main".into(),
        FunctionKind::Worker => format!("worker{index}"),
        FunctionKind::Helper => format!("helper{index}"),
    }
}

fn head(source: &Source, index: usize) -> String {
    let name = name(source, index);
    match (source.functions[index].kind, source.functions[index].locals.first()) {
        (FunctionKind::Main, _) => "int main(void)".into(),
        (FunctionKind::Worker, _) => format!("void *{name}(void *param)"),
        (FunctionKind::Helper, Some(Shape::Pointer(to))) => format!("int {name}({})", pointer(*to, "v0")),
        (FunctionKind::Helper, _) => format!("int {name}(int v0)"),
    }
}

fn print_function(out: &mut String, source: &Source, index: usize) {
    let function = &source.functions[index];
    _ = writeln!(out, "\n{} {{", head(source, index));
    for (local, ty) in function.locals.iter().enumerate() {
        let value = match (function.kind, local) {
            (FunctionKind::Helper, 0) => continue,
            (FunctionKind::Worker, 0) => "param",
            _ => "0",
        };
        match is_set_late(ty, local) {
            true => _ = writeln!(out, "    int v{local}, s{local} = 0;"),
            false => _ = writeln!(out, "    {} = {value};", declaration(ty, &format!("v{local}"))),
        }
    }
    for (cell, shape) in function.cells.iter().enumerate() {
        let init = if matches!(shape, Shape::Int { .. }) { "0" } else { "{0}" };
        _ = writeln!(out, "    {} = {init};", declaration(shape, &format!("c{cell}")));
    }
    Body { source, function }.stmts(out, &function.body, 1);
    _ = writeln!(out, "    return 0;\n}}");
}

/// Some numbers become 0 where they are first mentioned, so that what is set in one round of a loop is so in the next.
fn is_set_late(ty: &Shape, local: usize) -> bool {
    *ty == Shape::INT && local % 2 == 1
}

struct Body<'s> {
    source: &'s Source,
    function: &'s Function,
}

impl Body<'_> {
    fn place(&self, place: &Lvalue) -> String {
        let mut text = match &place.base {
            Base::Global(global) => format!("g{global}"),
            Base::Cell(cell) => format!("c{cell}"),
            Base::Deref(local) => format!("(*v{local})"),
            Base::DerefAs(local, shape) => format!("(({} *)v{local})", int_type(shape)),
        };
        for select in &place.path {
            match select {
                Select::Index(Index::Const(n)) => _ = write!(text, "[{n}]"),
                Select::Index(Index::Masked(local, mask)) => _ = write!(text, "[v{local} & {mask}]"),
                Select::Index(Index::Raw(local)) => _ = write!(text, "[v{local}]"),
                Select::Field(field) => _ = write!(text, ".f{field}"),
            }
        }
        text
    }

    /// The value converted to the type of a place.
    fn converted(&self, place: &Lvalue, value: &Expr) -> String {
        let shape = self.source.shape_of(self.function, place).unwrap_or(Shape::INT);
        match shape {
            Shape::Int { .. } => format!("({})({})", int_type(&shape), self.expr(value)),
            _ => self.expr(value),
        }
    }

    fn callee(&self, callee: Callee) -> String {
        match callee {
            Callee::Named(function) => name(self.source, function),
            Callee::Pointer(local) => format!("v{local}"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(n) => n.to_string(),
            Expr::Null => "0".into(),
            Expr::Function(function) => name(self.source, *function),
            Expr::Local(local) => format!("v{local}"),
            Expr::Binary(op, left, right) => {
                use BinOp::*;
                let unsigned = matches!(op, UDiv | URem | LShr | ULt | ULe);
                let op = match op {
                    SRem | URem => "%",
                    // The text form has C's signs, with a `u` behind them where the operands are unsigned.
                    op => ir::text::bin_op_name(*op).trim_end_matches('u'),
                };
                // Pointers of different types are compared as addresses.
                let is_pointer = |expr: &Expr| self.function.is_pointer(expr);
                if is_pointer(left) && is_pointer(right) {
                    return format!("((void *){} {op} (void *){})", self.expr(left), self.expr(right));
                }
                if unsigned {
                    return format!("(int)((unsigned){} {op} (unsigned){})", self.expr(left), self.expr(right));
                }
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            Expr::Choose(parts) => {
                format!("({} ? {} : {})", self.expr(&parts[0]), self.expr(&parts[1]), self.expr(&parts[2]))
            }
        }
    }

    /// What the text mentions is set before.
    fn set(&self, out: &mut String, text: &str, indent: &str) {
        let is_word_end = |c: char| !c.is_alphanumeric() && c != '_';
        for (local, _) in self.function.locals.iter().enumerate().filter(|(local, ty)| is_set_late(ty, *local)) {
            if text.split(is_word_end).any(|word| word.strip_prefix('v') == Some(&local.to_string())) {
                _ = writeln!(out, "{indent}if (!s{local}) {{ s{local} = 1; v{local} = 0; }}");
            }
        }
    }

    fn stmts(&self, out: &mut String, stmts: &[Stmt], depth: usize) {
        for stmt in stmts {
            self.stmt(out, stmt, depth);
        }
    }

    fn stmt(&self, out: &mut String, stmt: &Stmt, depth: usize) {
        let indent = "    ".repeat(depth);
        let result = |local: &Option<Local>| local.map_or(String::new(), |local| format!("v{local} = "));
        let line = match stmt {
            Stmt::Set(local, value) => format!("v{local} = {}", self.expr(value)),
            Stmt::Read(local, place) => format!("v{local} = {}", self.place(place)),
            Stmt::Write(place, value) => format!("{} = {}", self.place(place), self.converted(place, value)),
            Stmt::AddressOf(local, place) => format!("v{local} = &{}", self.place(place)),
            Stmt::FetchAdd(local, place, by) => {
                let (place, by) = (self.place(place), self.converted(place, by));
                format!("{}__sync_fetch_and_add(&{place}, {by})", result(local))
            }
            Stmt::Exchange(local, place, value) => {
                let (place, value) = (self.place(place), self.converted(place, value));
                format!("v{local} = __atomic_exchange_n(&{place}, {value}, __ATOMIC_SEQ_CST)")
            }
            Stmt::CompareSwap(local, place, expected, value) => {
                let (expected, value) = (self.converted(place, expected), self.converted(place, value));
                format!("v{local} = __sync_val_compare_and_swap(&{}, {expected}, {value})", self.place(place))
            }
            Stmt::Wait(place, value, new) => {
                let (text, value) = (self.place(place), self.converted(place, value));
                let new = new.as_ref().map(|new| self.converted(place, new));
                self.set(out, &format!("{text} {value} {new:?}"), &indent);
                _ = writeln!(out, "{indent}__VERIFIER_atomic_begin();");
                _ = writeln!(out, "{indent}__VERIFIER_assume({text} == {value});");
                if let Some(new) = new {
                    _ = writeln!(out, "{indent}{text} = {new};");
                }
                "__VERIFIER_atomic_end()".into()
            }
            Stmt::Take(place, least, change) => {
                let (text, least) = (self.place(place), self.converted(place, &Expr::Const(*least)));
                self.set(out, &text, &indent);
                _ = writeln!(out, "{indent}__VERIFIER_atomic_begin();");
                _ = writeln!(out, "{indent}__VERIFIER_assume({text} >= {least});");
                _ = writeln!(out, "{indent}{text} = {text} + {};", self.converted(place, &Expr::Const(*change)));
                "__VERIFIER_atomic_end()".into()
            }
            Stmt::Lock(place) => format!("pthread_mutex_lock(&{})", self.place(place)),
            Stmt::Unlock(place) => format!("pthread_mutex_unlock(&{})", self.place(place)),
            Stmt::If(condition, then, other) => {
                self.set(out, &self.expr(condition), &indent);
                _ = writeln!(out, "{indent}if ({}) {{", self.expr(condition));
                self.stmts(out, then, depth + 1);
                if !other.is_empty() {
                    _ = writeln!(out, "{indent}}} else {{");
                    self.stmts(out, other, depth + 1);
                }
                _ = writeln!(out, "{indent}}}");
                return;
            }
            Stmt::Switch(value, cases, default) => {
                self.set(out, &self.expr(value), &indent);
                _ = writeln!(out, "{indent}switch ({}) {{", self.expr(value));
                for (number, body) in cases {
                    _ = writeln!(out, "{indent}case {number}:");
                    self.stmts(out, body, depth + 1);
                    _ = writeln!(out, "{indent}    break;");
                }
                _ = writeln!(out, "{indent}default:");
                self.stmts(out, default, depth + 1);
                _ = writeln!(out, "{indent}    break;\n{indent}}}");
                return;
            }
            Stmt::Repeat(local, count, body) => {
                self.set(out, &format!("v{local}"), &indent);
                _ = writeln!(out, "{indent}for (v{local} = 0; v{local} < {count}; v{local}++) {{");
                self.stmts(out, body, depth + 1);
                _ = writeln!(out, "{indent}}}");
                return;
            }
            Stmt::While(before, condition, after) => {
                _ = writeln!(out, "{indent}for (;;) {{");
                self.stmts(out, before, depth + 1);
                self.set(out, &self.expr(condition), &format!("{indent}    "));
                _ = writeln!(out, "{indent}    if (!{})\n{indent}        break;", self.expr(condition));
                self.stmts(out, after, depth + 1);
                _ = writeln!(out, "{indent}}}");
                return;
            }
            Stmt::Atomic(body) => {
                _ = writeln!(out, "{indent}__VERIFIER_atomic_begin();");
                self.stmts(out, body, depth);
                "__VERIFIER_atomic_end()".into()
            }
            Stmt::Break => "break".into(),
            Stmt::Continue => "continue".into(),
            Stmt::AtomicBegin => "__VERIFIER_atomic_begin()".into(),
            Stmt::AtomicEnd => "__VERIFIER_atomic_end()".into(),
            Stmt::CopyRecord(to, from) => format!("{} = {}", self.place(to), self.place(from)),
            Stmt::Havoc(local, bits) => {
                let bit = |n: &u8| format!("__VERIFIER_nondet_bool() << {n}");
                let parts: Vec<String> = (0..*bits).collect::<Vec<u8>>().iter().map(bit).collect();
                format!("v{local} = {}", parts.join(" | "))
            }
            Stmt::Assume(condition) => format!("__VERIFIER_assume({} != 0)", self.expr(condition)),
            Stmt::Assert(number, local) => {
                format!("assert(v{local} != {})", self.source.forbidden.get(*number).copied().unwrap_or(0))
            }
            Stmt::Alloc(local, to) => {
                let what = if *to == To::Record { "struct record" } else { "int" };
                format!("v{local} = calloc(1, sizeof({what}))")
            }
            Stmt::Free(local) => format!("free(v{local})"),
            Stmt::Call(local, callee, arg) => {
                format!("{}{}({})", result(local), self.callee(*callee), self.expr(arg))
            }
            Stmt::Spawn(local, callee, arg) => {
                format!("pthread_create(&v{local}, 0, {}, {})", self.callee(*callee), self.expr(arg))
            }
            Stmt::Join(handle, None) => format!("pthread_join(v{handle}, 0)"),
            Stmt::Join(handle, Some(local)) => {
                _ = writeln!(out, "{indent}{{\n{indent}    void *result;");
                _ = writeln!(out, "{indent}    pthread_join(v{handle}, &result);");
                _ = writeln!(out, "{indent}    v{local} = result;\n{indent}}}");
                return;
            }
            Stmt::Detach(handle) => format!("pthread_detach(v{handle})"),
            Stmt::Return(value) => format!("return {}", self.expr(value)),
            Stmt::ExitThread => "pthread_exit(0)".into(),
            Stmt::Halt => "exit(0)".into(),
        };
        self.set(out, &line, &indent);
        _ = writeln!(out, "{indent}{line};");
    }
}
