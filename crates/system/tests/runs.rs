//! Small systems run state by state: what is prepared must do what the original does, and ranges must hold wherever it goes.

use base::{Budget, Id, IdVec, Interval};
use formula::Var;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use system::ranges::{Known, declared, ranges};
use system::{Edge, Options, System, ThreadId, location_value, prepare, translate};

/// The values of the variables, those of the `pc`s among them.
type Values = IdVec<Var, i128>;

/// What inputs are tried.
const INPUTS: [i128; 6] = [-1, 0, 1, 2, i32::MIN as i128, i32::MAX as i128];

/// No system here has more states than this with those inputs.
const MOST_STATES: usize = 200_000;

/// Every list of values for so many inputs.
fn choices(count: usize) -> Vec<Vec<i128>> {
    (0..count).fold(vec![Vec::new()], |lists, _| {
        let longer = |list: &Vec<i128>| INPUTS.map(|value| [list.as_slice(), &[value]].concat());
        lists.iter().flat_map(longer).collect()
    })
}

/// The states that an edge leads to.
fn after(system: &System, thread: ThreadId, edge: &Edge, state: &Values) -> Vec<Values> {
    let pc = system.threads[thread].pc;
    if state[pc] != location_value(edge.from) {
        return Vec::new();
    }
    assert!(edge.step.inputs.iter().all(|input| !input.named), "an input that is the name of a term cannot be guessed");
    let mut all = Vec::new();
    for inputs in choices(edge.step.inputs.len()) {
        let value = |var: Var| var.as_input().map_or_else(|| state[var], |input| inputs[input]);
        if edge.step.guard.eval(&value) {
            let mut next = state.clone();
            edge.step.updates.iter().for_each(|(var, term)| next[*var] = term.eval(&value));
            next[pc] = location_value(edge.to);
            all.push(next);
        }
    }
    all
}

/// All states, from those in which every variable is what `initial` says.
fn states(system: &System) -> FxHashSet<Vec<i128>> {
    let mut first = declared(system);
    assert!(formula::interval::refine(&mut first, &system.initial));
    let single = |range: &Interval| range.constant().expect("it says so of each");
    let first: Values = first.state.values().map(single).collect();
    let mut seen = FxHashSet::from_iter([first.values().copied().collect::<Vec<_>>()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        for (id, thread) in system.threads.iter() {
            for next in thread.graph.edges.iter().flat_map(|edge| after(system, id, edge, &state)) {
                if seen.insert(next.values().copied().collect()) {
                    open.push(next);
                }
            }
        }
        assert!(seen.len() < MOST_STATES, "too many states to look at all");
    }
    seen
}

fn can_fail(system: &System) -> bool {
    states(system).iter().any(|state| state[system.failed.index()] == 1)
}

#[track_caller]
fn ranges_hold(system: &System, known: &Known) {
    for state in states(system) {
        for (id, thread) in system.threads.iter() {
            let here = system::Location::new(state[thread.pc.index()] as usize);
            let Some(ranges) = &known[id][here] else { panic!("{} comes to {here:?}", thread.name) };
            for (var, value) in system.vars.ids().zip(&state) {
                let range = ranges[var];
                assert!(range.has(*value), "{} is {value}, not in {range:?}", system.name(var));
            }
        }
    }
}

/// Checks each system that a program becomes; whether it can fail.
#[track_caller]
fn check(name: &str, text: &str) -> Option<bool> {
    let program = ir::text::parse(text, name).expect("a program");
    assert_eq!(ir::validate(&program), []);
    let budget = Budget::unlimited();
    let translated = translate(&program, &Options::default(), &budget).ok()?;
    let fails = can_fail(&translated.system);
    let prepared = prepare(&translated.system, &budget);
    assert_eq!(can_fail(&prepared.system), fails, "{name} as it is prepared");
    for (system, known) in &prepared.assumed {
        ranges_hold(system, known);
    }
    ranges_hold(&translated.system, &ranges(&translated.system, &budget).expect("it is small"));
    Some(fails)
}

/// The texts in a folder, with their paths.
fn texts(folder: &str) -> impl Iterator<Item = (PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("it is there").map(|file| file.expect("it can be read").path());
    files.map(|path| (path.clone(), std::fs::read_to_string(path).expect("it can be read")))
}

/// The programs beside this file: lines `;? condition => fails` say what comes of asserting it.
#[test]
fn written_programs() {
    let mut checked = 0;
    for (path, text) in texts("tests/runs") {
        for case in text.lines().filter_map(|line| line.strip_prefix(";? ")) {
            let (condition, expected) = case.split_once(" => ").expect("what is expected");
            let fails = check(&path.to_string_lossy(), &text.replace("COND", condition)).expect("a system");
            assert_eq!(if fails { "fails" } else { "holds" }, expected, "{condition} in {}", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 6, "only {checked} cases");
}

/// The programs whose systems are printed in `tests/ir`.
#[test]
fn printed_systems() {
    let mut checked = 0;
    for (path, text) in texts("../../tests/ir/system").chain(texts("../../tests/ir/prepare")) {
        // The first has a state for every value of an integer; the inputs of the second are as wide as addresses.
        if path.ends_with("wraps.ir") || path.ends_with("indices.ir") {
            continue;
        }
        let program: Vec<&str> = text.lines().filter(|line| !line.starts_with("test ")).collect();
        checked += usize::from(check(&path.to_string_lossy(), &program.join("\n")).is_some());
    }
    assert!(checked >= 4, "only {checked} have a system");
}
