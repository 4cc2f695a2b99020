//! A sequential program as standard C, for people and for other checkers.
//!
//! The file follows the rules of the verification competition: values come from `__VERIFIER_nondet_long`, executions end
//! at `assume_abort_if_not`, and an assertion that does not hold calls `reach_error`.  The program computes with
//! mathematical integers and the file with `long`, which its head says.

mod names;
mod numbers;
mod shape;
mod text;

use crate::{Relevance, Sequential};
use formula::Var;
use names::Names;
use rustc_hash::FxHashSet;
use shape::Shape;
use std::fmt::Write;

const HEAD: &str = "\
// This program is meant over mathematical integers: `long` stands for them, and no overflow is intended.

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
extern long __VERIFIER_nondet_long(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    __assert_fail(\"0\", \"program.c\", 1, \"reach_error\");
}
";
const ASSUME: &str = "
static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}
";
const FLOOR_DIV: &str = "
// Division rounded towards minus infinity; the divisor is positive.
static long floor_div(long dividend, long divisor)
{
    return dividend / divisor - (dividend % divisor < 0);
}
";
const FLOOR_MOD: &str = "
// What is left of that division: from 0 up.
static long floor_mod(long dividend, long divisor)
{
    return dividend % divisor < 0 ? dividend % divisor + divisor : dividend % divisor;
}
";

/// The program as C, under these lines of comment.  The error names a number that `long` does not hold.
pub fn to_c(program: &Sequential, header: &[String]) -> Result<String, String> {
    let mentioned = mentioned_vars(program);
    for arc in &program.edges {
        arc.statements.iter().try_for_each(numbers::fit)?;
    }
    let mut names = Names::default();
    let namer = program.namer();
    let vars: Vec<(Var, String)> = mentioned.iter().map(|var| (*var, names.fresh(&namer(*var)))).collect();
    let labels = program.nodes.values().map(|name| names.fresh(name)).collect();
    let body = text::body(program, &Shape::of(program), &vars.iter().cloned().collect(), labels);

    let mut c = String::new();
    for line in header.iter().flat_map(|text| text.lines()) {
        c += &comment(line);
        c.push('\n');
    }
    c += HEAD;
    for (name, definition) in [("assume_abort_if_not(", ASSUME), ("floor_div(", FLOOR_DIV), ("floor_mod(", FLOOR_MOD)] {
        if body.contains(name) {
            c += definition;
        }
    }
    c.push('\n');
    for (var, name) in &vars {
        let shown = namer(*var);
        let remark = if shown == *name { String::new() } else { format!(" {}", comment(&shown)) };
        writeln!(c, "long {name};{remark}").expect("strings can be written");
    }
    c += "\nint main(void)\n{\n";
    // The others are written before they are read, or do not matter.
    let free = Relevance::of(program).vars(program.entry);
    for (_, name) in vars.iter().filter(|(var, _)| free.contains(var)) {
        writeln!(c, "    {name} = __VERIFIER_nondet_long();").expect("strings can be written");
    }
    c += &body;
    c += "}\n";
    Ok(c)
}

/// A comment of one line.
fn comment(text: &str) -> String {
    // A backslash at its end would take the next line along.
    format!("// {}", text.replace(['\n', '\r'], " ").replace('\\', "/")).trim_end().to_string()
}

/// The variables of the program that it reads or writes, in its order.
fn mentioned_vars(program: &Sequential) -> Vec<Var> {
    let mut mentioned = FxHashSet::default();
    for statement in program.edges.iter().flat_map(|arc| &arc.statements) {
        statement.visit_reads(&mut |var| {
            mentioned.insert(var);
        });
        mentioned.extend(statement.written());
    }
    let mut ordered: Vec<Var> = program.vars.iter().map(|(var, _)| *var).filter(|var| mentioned.remove(var)).collect();
    let mut others: Vec<Var> = mentioned.into_iter().collect();
    others.sort_unstable();
    ordered.extend(others);
    ordered
}
