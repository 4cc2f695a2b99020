//! Runs a path: the judge of every counterexample.

use crate::Sequential;
use formula::Var;
use std::collections::BTreeMap;

/// Values of variables.
pub type Values = BTreeMap<Var, i128>;

/// An execution that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The edges from the entry; the last one fails.
    pub edges: Vec<usize>,
    /// The values of all variables before each edge.
    pub states: Vec<Values>,
    /// For each edge the values of its inputs.
    pub choices: Vec<Vec<i128>>,
}

/// Runs the edges from these values, with these values for their inputs (what is missing is 0), and gives the path up to
/// the first edge that fails.  The error says where it is no execution, or that nothing fails.
pub fn execute(program: &Sequential, edges: &[usize], initial: &Values, choices: &[Vec<i128>]) -> Result<Path, String> {
    let value_at_first = |var: &Var| initial.get(var).copied().unwrap_or(0);
    let mut values: Values = program.vars.iter().map(|(var, _)| (*var, value_at_first(var))).collect();
    let mut path = Path { edges: Vec::new(), states: Vec::new(), choices: Vec::new() };
    let mut location = program.graph.entry;
    for (place, &index) in edges.iter().enumerate() {
        let edge = program.graph.edges.get(index).ok_or_else(|| format!("there is no edge {index}"))?;
        if edge.from != location {
            return Err(format!("edge {index} leaves {}, the execution is at {location}", edge.from));
        }
        let given = choices.get(place).map_or(&[][..], Vec::as_slice);
        let inputs: Vec<i128> =
            (0..edge.step.inputs.len()).map(|input| given.get(input).copied().unwrap_or(0)).collect();
        path.edges.push(index);
        path.states.push(values.clone());
        path.choices.push(inputs.clone());
        let value = |var: Var| match var.as_input() {
            Some(input) => inputs[input],
            None => values.get(&var).copied().unwrap_or(0),
        };
        let too_large = || format!("a value on edge {index} is too large");
        if edge.step.fails.checked_eval(&value).ok_or_else(too_large)? {
            return Ok(path);
        }
        if !edge.step.guard.checked_eval(&value).ok_or_else(too_large)? {
            return Err(format!("edge {index} cannot be taken"));
        }
        let mut after = values.clone();
        for (var, term) in &edge.step.updates {
            after.insert(*var, term.checked_eval(&value).ok_or_else(too_large)?);
        }
        values = after;
        location = edge.to;
    }
    Err("nothing fails".into())
}

/// Whether the path is a real execution that fails at its end, through the states that it says.
pub fn replay(program: &Sequential, path: &Path) -> Result<(), String> {
    let initial = path.states.first().ok_or("the path has no states")?;
    let again = execute(program, &path.edges, initial, &path.choices)?;
    match again == *path {
        true => Ok(()),
        false => Err("the execution goes through other states than the path says".into()),
    }
}
