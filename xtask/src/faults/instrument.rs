//! Puts faults into Rust code: places where, if a number says so, something else happens than what is written.
//!
//! The text stays as it is but for what is put in around expressions and statements, so that lines keep their numbers and all
//! faults are in one build.  `base::faults` says which fault is on.

use proc_macro2::LineColumn;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Item, Lit, Stmt};

/// A fault that can be switched on.
#[derive(Clone, Debug)]
pub struct Fault {
    pub number: usize,
    pub line: usize,
    pub what: &'static str,
}

/// Text that is put in.
struct Insertion {
    at: usize,
    /// What ends at a place goes before what begins there; of several that end, the innermost first.
    rank: (bool, isize),
    text: String,
    /// How many bytes it takes the place of.
    instead_of: usize,
}

struct Instrumenter<'t> {
    text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
    next: usize,
    /// Lines that do not compile with a fault in them.
    without: &'t BTreeSet<usize>,
    faults: Vec<Fault>,
    insertions: Vec<Insertion>,
    serial: isize,
}

/// Functions of iterators and options that take a condition.
const CONDITIONAL: [&str; 12] = [
    "filter",
    "retain",
    "any",
    "all",
    "take_while",
    "skip_while",
    "find",
    "position",
    "is_some_and",
    "is_none_or",
    "partition",
    "rposition",
];
/// Functions of two arguments that could be exchanged; the last two of three for `bin`.
const EXCHANGED: [&str; 3] = ["lt", "le", "bin"];

/// The text with faults in it, numbered from `first` on; none in the lines of `without`.
pub fn instrument(text: &str, first: usize, without: &BTreeSet<usize>) -> Result<(String, Vec<Fault>), String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut made =
        Instrumenter { text, lines, next: first, without, faults: Vec::new(), insertions: Vec::new(), serial: 0 };
    made.visit_file(&file);
    let mut insertions = made.insertions;
    insertions.sort_by_key(|insertion| (insertion.at, insertion.rank));
    let mut result = String::with_capacity(2 * text.len());
    let mut from = 0;
    for insertion in insertions {
        result.push_str(&text[from..insertion.at]);
        result.push_str(&insertion.text);
        from = insertion.at + insertion.instead_of;
    }
    result.push_str(&text[from..]);
    Ok((result, made.faults))
}

impl Instrumenter<'_> {
    fn offset(&self, place: LineColumn) -> usize {
        let line = self.lines[place.line - 1];
        let column = self.text[line..].char_indices().nth(place.column).map_or(self.text.len() - line, |(at, _)| at);
        line + column
    }
    fn range(&self, of: &impl Spanned) -> (usize, usize) {
        let span = of.span();
        (self.offset(span.start()), self.offset(span.end()))
    }

    /// A new fault, if there may be one in the line.
    fn fault(&mut self, of: &impl Spanned, what: &'static str) -> Option<usize> {
        let line = of.span().start().line;
        if self.without.contains(&line) {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.faults.push(Fault { number, line, what });
        Some(number)
    }

    fn before(&mut self, at: usize, text: String) {
        self.serial += 1;
        self.insertions.push(Insertion { at, rank: (true, self.serial), text, instead_of: 0 });
    }
    fn after(&mut self, at: usize, text: String) {
        self.serial += 1;
        self.insertions.push(Insertion { at, rank: (false, -self.serial), text, instead_of: 0 });
    }
    fn instead(&mut self, (from, to): (usize, usize), text: String) {
        self.serial += 1;
        self.insertions.push(Insertion { at: from, rank: (true, self.serial), text, instead_of: to - from });
    }
    fn around(&mut self, of: &impl Spanned, before: String, after: &str) {
        let (from, to) = self.range(of);
        self.before(from, before);
        self.after(to, after.into());
    }

    /// A condition that may be taken for its contrary.
    fn condition(&mut self, condition: &Expr, what: &'static str) {
        if is_decided(condition) || has_let(condition) {
            return;
        }
        if let Some(number) = self.fault(condition, what) {
            self.around(condition, format!("({ON}({number}) != ("), "))");
        }
    }

    /// One side of `&&` or `||`, which may be left out.
    fn operand(&mut self, operand: &Expr, and: bool) {
        if has_let(operand) || matches!(operand, Expr::Binary(inner) if is_logical(&inner.op)) {
            return;
        }
        if let Some(number) = self.fault(operand, "an operand of && or || left out") {
            let open = if and { format!("({ON}({number}) || (") } else { format!("(!{ON}({number}) && (") };
            self.around(operand, open, "))");
        }
    }
}

/// What says whether a fault is on.
const ON: &str = "::base::faults::on";

fn is_logical(op: &BinOp) -> bool {
    matches!(op, BinOp::And(_) | BinOp::Or(_))
}

/// Whether it is a comparison, a negation or the like, which have faults of their own.
fn is_decided(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => {
            is_logical(&binary.op)
                || matches!(
                    binary.op,
                    BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
                )
        }
        Expr::Paren(inner) => is_decided(&inner.expr),
        Expr::Lit(_) | Expr::Block(_) => true,
        _ => false,
    }
}

/// Whether it binds variables.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("test"))
}

impl<'ast> Visit<'ast> for Instrumenter<'_> {
    // What is no code that runs, or not when the program does.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(_) | Item::Static(_) => (),
            Item::Mod(module) if is_test(&module.attrs) => (),
            Item::Fn(function) if function.sig.constness.is_some() || is_test(&function.attrs) => (),
            other => visit::visit_item(self, other),
        }
    }
    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        match item {
            syn::ImplItem::Const(_) => (),
            syn::ImplItem::Fn(function) if function.sig.constness.is_some() => (),
            other => visit::visit_impl_item(self, other),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for stmt in &block.stmts {
            if let Stmt::Expr(expr, Some(_)) = stmt {
                let inner = if let Expr::Try(inner) = expr { &*inner.expr } else { expr };
                let is_effect = match inner {
                    Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) => true,
                    Expr::Binary(binary) => !is_logical(&binary.op),
                    _ => false,
                };
                if is_effect && let Some(number) = self.fault(stmt, "a statement left out") {
                    self.around(stmt, format!("if !{ON}({number}) {{ "), " }");
                }
            }
            self.visit_stmt(stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Const(_) => return,
            Expr::Binary(binary) => match &binary.op {
                BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                    if let Some(number) = self.fault(expr, "a bound off by one") {
                        let name = match &binary.op {
                            BinOp::Lt(_) => "less",
                            BinOp::Le(_) => "at_most",
                            BinOp::Gt(_) => "more",
                            _ => "at_least",
                        };
                        self.around(expr, format!("::base::faults::{name}({number}, &("), "))");
                        let op = self.range(&binary.op);
                        self.instead(op, "), &(".into());
                    }
                }
                BinOp::Eq(_) | BinOp::Ne(_) => {
                    if let Some(number) = self.fault(expr, "the contrary") {
                        self.around(expr, format!("({ON}({number}) != ("), "))");
                    }
                }
                BinOp::And(_) | BinOp::Or(_) => {
                    let and = matches!(binary.op, BinOp::And(_));
                    self.operand(&binary.left, and);
                    self.operand(&binary.right, and);
                }
                _ => (),
            },
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Not(_)) => {
                if let Some(number) = self.fault(expr, "the contrary") {
                    self.around(expr, format!("({ON}({number}) != ("), "))");
                }
            }
            Expr::If(branch) => self.condition(&branch.cond, "the other branch"),
            Expr::Lit(literal) => self.literal(expr, &literal.lit),
            Expr::ForLoop(all) => {
                if let Some(number) = self.fault(&*all.expr, "a loop without its first element") {
                    self.around(&*all.expr, "(".into(), &format!(").into_iter().skip(usize::from({ON}({number})))"));
                }
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            _ => (),
        }
        match expr {
            // The length is a constant.
            Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
            other => visit::visit_expr(self, other),
        }
    }
}

impl Instrumenter<'_> {
    fn literal(&mut self, expr: &Expr, literal: &Lit) {
        match literal {
            Lit::Int(_) => {
                if let Some(number) = self.fault(expr, "a number larger by one") {
                    let range = self.range(expr);
                    let text = &self.text[range.0..range.1];
                    self.instead(range, format!("(if {ON}({number}) {{ {text} + 1 }} else {{ {text} }})"));
                }
            }
            Lit::Bool(value) => {
                if let Some(number) = self.fault(expr, "the contrary") {
                    let range = self.range(expr);
                    let not = if value.value { "!" } else { "" };
                    self.instead(range, format!("({not}{ON}({number}))"));
                }
            }
            _ => (),
        }
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        if CONDITIONAL.contains(&name.as_str())
            && let [Expr::Closure(closure)] = call.args.iter().collect::<Vec<_>>()[..]
        {
            self.condition(&closure.body, "the contrary for elements");
        }
        if name == "collect"
            && let Some(number) = self.fault(&call.method, "a collection without its first element")
        {
            let (_, end) = self.range(&*call.receiver);
            self.after(end, format!(".skip(usize::from({ON}({number})))"));
        }
    }

    fn call(&mut self, call: &syn::ExprCall) {
        let Expr::Path(path) = &*call.func else { return };
        let Some(name) = path.path.segments.last().map(|segment| segment.ident.to_string()) else { return };
        let args: Vec<&Expr> = call.args.iter().collect();
        if name == "Some"
            && let [_] = args[..]
            && let Some(number) = self.fault(call, "nothing instead of something")
        {
            let (_, end) = self.range(call);
            self.after(end, format!(".filter(|_| !{ON}({number}))"));
        }
        if EXCHANGED.contains(&name.as_str())
            && let [first @ .., one, _] = &args[..]
            && first.iter().all(|first| matches!(first, Expr::Path(_)))
            && let Some(number) = self.fault(call, "operands exchanged")
        {
            // The operands are taken out of the call, and put into it again by their names.
            let ((from, to), (operands, _)) = (self.range(call), self.range(*one));
            let head = self.text[from..operands].to_string();
            self.before(from, format!("(match ::base::faults::exchanged({number}, "));
            self.instead((from, operands), String::new());
            self.after(to, format!(" {{ (one_, other_) => {head}one_, other_) }})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_put_around_what_is_written() {
        let text = "fn f(a: u8, b: &mut Vec<u8>) -> Option<u8> {\n    if a < 3 && b.is_empty() {\n        b.push(a);\n    }\n    Some(a)\n}\n";
        let (with, faults) = instrument(text, 1, &BTreeSet::new()).unwrap();
        let expected = "fn f(a: u8, b: &mut Vec<u8>) -> Option<u8> {\n    if (::base::faults::on(1) || (::base::faults::less(3, &(a ), &( (if ::base::faults::on(4) { 3 + 1 } else { 3 }))))) && (::base::faults::on(2) || (b.is_empty())) {\n        if !::base::faults::on(5) { b.push(a); }\n    }\n    Some(a).filter(|_| !::base::faults::on(6))\n}\n";
        assert_eq!(with, expected);
        let lines: Vec<usize> = faults.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [2, 2, 2, 2, 3, 5]);
        assert!(instrument(text, 1, &(1..7).collect()).unwrap().1.is_empty());
    }

    #[test]
    fn what_is_no_code_stays_as_it_is() {
        let text = "const A: usize = 3;\nconst fn f() -> bool { A == 4 }\n#[cfg(test)]\nmod tests { fn g() { assert!(true); h(1); } }\nstruct S { x: [u8; 4] }\n";
        assert_eq!(instrument(text, 1, &BTreeSet::new()).unwrap().0, text);
    }
}
