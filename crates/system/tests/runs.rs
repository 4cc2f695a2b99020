//! Small systems run state by state: what is prepared must do what the original does, and ranges must hold wherever it goes.

use base::{Budget, Id, IdVec, Interval};
use formula::Var;
use rustc_hash::FxHashSet;
use std::path::Path;
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

#[test]
fn counters_and_locks() {
    let program = |increment: &str, assertion: &str| {
        format!(
            "global @m: i32\nglobal @x: i32\nentry main\n
func worker(%arg: ptr) -> ptr {{
  temp %v: i32
b0:
{increment}
  return null
}}

func main() -> i32 {{
  temp %h: i32, %k: i32, %v: i32
b0:
  %h = spawn worker(null)
  %k = spawn worker(null)
  join %h
  join %k
  %v = load i32 @x
  assert {assertion}
  return 0
}}"
        )
    };
    let bare = "  %v = load i32 @x\n  store i32 @x, %v + 1";
    let locked = format!("  lock i32 @m set self\n{bare}\n  unlock i32 @m");
    assert_eq!(check("locked", &program(&locked, "%v == 2")), Some(false));
    assert_eq!(check("locked", &program(&locked, "%v != 2")), Some(true));
    assert_eq!(check("lost", &program(bare, "%v == 2")), Some(true));
    assert_eq!(check("lost", &program(bare, "%v <= 2")), Some(false));
}

#[test]
fn loops_with_inputs() {
    let program = |assertion: &str| {
        format!(
            "global @state: i32\nglobal @a: i32\nglobal @b: i32\nentry main\n
func worker(%arg: ptr) -> ptr {{
  temp %v: i32, %s: i32, %x: i32, %y: i32
b0:
  jump head
head:
  %v = havoc nondet \"v\"
  assume (%v >= 0) & (%v <= 2)
  %s = load i32 @state
  switch %s, 0: zero, 1: one, default two
zero:
  store i32 @a, %v
  store i32 @state, 1
  jump head
one:
  store i32 @b, %v
  store i32 @state, 2
  jump head
two:
  %x = load i32 @a
  %y = load i32 @b
  assert {assertion}
  return null
}}

func main() -> i32 {{
  temp %v: i32
b0:
  spawn worker(null)
  %v = load i32 @a
  assert %v != 3
  return 0
}}"
        )
    };
    assert_eq!(check("inputs", &program("%x == %y")), Some(true));
    assert_eq!(check("inputs", &program("(%x + %y) <= 4")), Some(false));
}

/// The programs whose systems are printed in `tests/ir`.
#[test]
fn printed_systems() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir");
    let mut checked = 0;
    for folder in ["system", "prepare"] {
        for file in std::fs::read_dir(root.join(folder)).expect("it is there") {
            let path = file.expect("it can be read").path();
            // The first has a state for every value of an integer; the inputs of the second are as wide as addresses.
            if path.ends_with("wraps.ir") || path.ends_with("indices.ir") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let program: Vec<&str> = text.lines().filter(|line| !line.starts_with("test ")).collect();
            checked += usize::from(check(&path.to_string_lossy(), &program.join("\n")).is_some());
        }
    }
    assert!(checked >= 4, "only {checked} have a system");
}
