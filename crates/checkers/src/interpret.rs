//! Runs a path: the judge of every counterexample.

use crate::{Sequential, Statement};
use formula::Var;
use std::collections::BTreeMap;

/// Values of variables.
pub type Values = BTreeMap<Var, i128>;

/// An execution that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The arcs from the entry; the last one fails at an assertion.
    pub arcs: Vec<usize>,
    /// The statement of the last arc that fails.
    pub failing: usize,
    /// The values of all variables before each arc, and at last where the assertion fails.
    pub states: Vec<Values>,
    /// For each arc what its `Havoc` statements choose, in their order (of the last arc those before the failing statement).
    pub choices: Vec<Vec<i128>>,
}

/// Runs the arcs from these values, with these values for the `Havoc` statements of each arc (what is missing is 0), and
/// gives the path if the last arc fails.  The error says where it is no execution or does not fail.
pub fn execute(program: &Sequential, arcs: &[usize], initial: &Values, choices: &[Vec<i128>]) -> Result<Path, String> {
    let value_at_first = |var: &Var| initial.get(var).copied().unwrap_or(0);
    let mut values: Values = program.vars.iter().map(|(var, _)| (*var, value_at_first(var))).collect();
    let mut path = Path { arcs: arcs.to_vec(), failing: 0, states: vec![values.clone()], choices: Vec::new() };
    let mut node = program.entry;
    for (place, &index) in arcs.iter().enumerate() {
        let arc = program.edges.get(index).ok_or_else(|| format!("there is no arc {index}"))?;
        if arc.from != node {
            return Err(format!("arc {index} leaves {}, the execution is at {node}", arc.from));
        }
        let mut given = choices.get(place).into_iter().flatten().copied();
        let mut chosen = Vec::new();
        for (number, statement) in arc.statements.iter().enumerate() {
            match step(statement, &mut values, &mut given, &mut chosen) {
                Step::Done => {}
                Step::Blocked => return Err(format!("assumption {number} of arc {index} does not hold")),
                Step::TooLarge => return Err(format!("a value at statement {number} of arc {index} is too large")),
                Step::Failed if place + 1 == arcs.len() => {
                    path.failing = number;
                    path.states.push(values);
                    path.choices.push(chosen);
                    return Ok(path);
                }
                Step::Failed => {
                    return Err(format!("assertion {number} of arc {index} fails before the end of the path"));
                }
            }
        }
        path.states.push(values.clone());
        path.choices.push(chosen);
        node = arc.to;
    }
    Err("no assertion fails".into())
}

/// Whether the path is a real execution that fails where it says, through the states that it says.
pub fn replay(program: &Sequential, path: &Path) -> Result<(), String> {
    let initial = path.states.first().ok_or("the path has no states")?;
    let again = execute(program, &path.arcs, initial, &path.choices)?;
    match again == *path {
        true => Ok(()),
        false => Err("the execution goes through other states than the path says".into()),
    }
}

/// What became of a statement.
enum Step {
    Done,
    Blocked,
    Failed,
    /// Beyond 128 bits.
    TooLarge,
}

fn step(
    statement: &Statement,
    values: &mut Values,
    given: &mut dyn Iterator<Item = i128>,
    chosen: &mut Vec<i128>,
) -> Step {
    let value = |var: Var| values.get(&var).copied().unwrap_or(0);
    match statement {
        Statement::Assign(var, term) => match term.checked_eval(&value) {
            Some(result) => {
                values.insert(*var, result);
                Step::Done
            }
            None => Step::TooLarge,
        },
        Statement::Havoc(var) => {
            let choice = given.next().unwrap_or(0);
            chosen.push(choice);
            values.insert(*var, choice);
            Step::Done
        }
        Statement::Assume(condition) => match condition.checked_eval(&value) {
            Some(true) => Step::Done,
            Some(false) => Step::Blocked,
            None => Step::TooLarge,
        },
        Statement::Assert(condition) => match condition.checked_eval(&value) {
            Some(true) => Step::Done,
            Some(false) => Step::Failed,
            None => Step::TooLarge,
        },
    }
}
