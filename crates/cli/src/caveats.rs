//! What a SAFE does not say: that executions end early, and that there was nothing to violate.
//!
//! The explicit search has met every end there is.  Other proofs know nothing of ends, so for them the places are named
//! at which one is not ruled out.

use crate::answer::Answer;
use base::Pos;
use claim::Proof;
use facts::{Facts, ends, hidden};
use ir::Program;
use serde_json::{Value, json};

/// So many places are named above the verdict; the JSON has them all.
const MOST_PLACES: usize = 5;

/// Adds to a SAFE what it does not say.  `notes` are those of the engine that answered.
pub fn add(answer: &mut Answer, program: &Program, proof: &Proof, notes: &[(Pos, String)]) {
    let facts = Facts::compute(program);
    let (ends, certain): (Vec<(Pos, String)>, bool) = match proof {
        Proof::ClosedStates(_) => (notes.to_vec(), true),
        Proof::Unrolling(_) | Proof::Modular(_) | Proof::Product(_) => {
            let ends = ends::possible(program, &facts).into_iter().map(|(pos, what)| (pos, what.to_string()));
            (ends.collect(), false)
        }
    };
    // Not whether an execution came to one: a call of an error function is never executed where the program is safe.
    let reachable = ends::has_assertion(program, &facts);
    if !reachable {
        answer.caveats.push("no assertion can be reached: this SAFE says nothing about the program".into());
    }
    if !ends.is_empty() {
        let what = if certain { "executions end early" } else { "not ruled out: executions that end early" };
        let places = places(program, &ends);
        answer.caveats.push(format!("{what}, {places}; nothing is said about what would come after"));
    }
    let numbers = hidden::computed_numbers(program, &facts).into_iter().map(|pos| (pos, String::new()));
    let numbers: Vec<(Pos, String)> = numbers.collect();
    if !numbers.is_empty() {
        let places = places(program, &numbers);
        answer
            .caveats
            .push(format!("computes with the numbers of pointers{places}: they are not those of any machine"));
    }
    let list: Vec<Value> = ends.iter().map(|(pos, what)| end_json(program, *pos, what, certain)).collect();
    answer.fields.insert("ends".into(), Value::Array(list));
    answer.fields.insert("assertions_reachable".into(), json!(reachable));
}

/// `null pointer dereference at a.c:3, a.c:7; division by zero at b.c:9`, the first few.
fn places(program: &Program, ends: &[(Pos, String)]) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (pos, what) in ends.iter().take(MOST_PLACES) {
        let place = program.place(*pos).unwrap_or_else(|| "an unknown place".into());
        match groups.iter_mut().find(|(other, _)| other == what) {
            Some((_, places)) if places.contains(&place) => (),
            Some((_, places)) => places.push(place),
            None => groups.push((what, vec![place])),
        }
    }
    let groups: Vec<String> = groups.iter().map(|(what, places)| format!("{what} at {}", places.join(", "))).collect();
    match ends.len().saturating_sub(MOST_PLACES) {
        0 => groups.join("; "),
        more => format!("{} and {more} more", groups.join("; ")),
    }
}

fn end_json(program: &Program, pos: Pos, what: &str, certain: bool) -> Value {
    let number = |n: u32| (n != 0).then_some(n);
    json!({
        "file": program.file_of(pos),
        "line": number(pos.line),
        "column": number(pos.column),
        "message": what,
        "certain": certain,
    })
}
