//! A sequential program as standard C, for people and for other checkers.
//!
//! The file follows the rules of the verification competition: values come from `__VERIFIER_nondet_long`, executions end
//! at `assume_abort_if_not`, and one that fails calls `reach_error`.  The program computes with
//! mathematical integers and the file with `long`, which its head says.

mod numbers;
mod shape;
mod text;

use crate::Sequential;
use base::Names;
use formula::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use shape::Shape;
use std::fmt::Write;
use transition::Live;

const HEAD: &str = include_str!("head.c");
/// Words that mean something in the file already.
const TAKEN: &str = include_str!("taken.txt");
/// Functions, each with what is in the text where it is used.
const HELPERS: [(&str, &str); 3] = [
    ("assume_abort_if_not(", include_str!("assume.c")),
    ("floor_div(", include_str!("floor_div.c")),
    ("floor_mod(", include_str!("floor_mod.c")),
];

/// The program as C, under these lines of comment.  The error names a number that `long` does not hold.
pub fn to_c(program: &Sequential, header: &[String]) -> Result<String, String> {
    let mentioned = mentioned_vars(program);
    program.graph.edges.iter().try_for_each(|edge| numbers::fit(&edge.step))?;
    let mut names = Names::without(TAKEN.split_whitespace());
    let namer = program.namer();
    let vars: Vec<(Var, String)> = mentioned.iter().map(|var| (*var, names.fresh(&namer(*var)))).collect();
    let mut known: FxHashMap<Var, String> = vars.iter().cloned().collect();
    let next = known.iter().map(|(var, name)| (*var, names.fresh(&format!("next_{name}")))).collect();
    let most_inputs = program.graph.edges.iter().map(|edge| edge.step.inputs.len()).max().unwrap_or(0);
    known.extend((0..most_inputs).map(|number| (Var::input(number), names.fresh(&format!("input_{number}")))));
    let labels = program.graph.locations.values().map(|data| names.fresh(&data.name)).collect();
    let body = text::body(program, &Shape::of(&program.graph), &text::Names { known, next, labels });

    let mut c = String::new();
    for line in header.iter().flat_map(|text| text.lines()) {
        c += &comment(line);
        c.push('\n');
    }
    c += HEAD;
    for (name, definition) in HELPERS {
        if body.contains(name) {
            c += &format!("\n{definition}");
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
    let free = Live::of(&program.graph).vars(program.graph.entry);
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
    program.graph.edges.iter().for_each(|edge| mentioned.extend(edge.step.mentioned()));
    let mut ordered: Vec<Var> = program.vars.iter().map(|(var, _)| *var).filter(|var| mentioned.remove(var)).collect();
    let mut others: Vec<Var> = mentioned.into_iter().collect();
    others.sort_unstable();
    ordered.extend(others);
    ordered
}
