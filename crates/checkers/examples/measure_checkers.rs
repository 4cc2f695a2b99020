//! How long the checkers take on programs like those of a proof by learned environments: a thread that adds numbers of
//! others to its own, between moves of an environment that is known by bounds.
//!
//! `cargo run --release -p checkers --example measure_checkers`

#[path = "../tests/random/mod.rs"]
mod random;

use base::{Budget, Id};
use checkers::{Acyclic, Checked, Checker, Sequential, Spacer, is_on};
use formula::{Formula, Linear, Var};
use random::sequential;
use std::time::Duration;
use transition::{Location, Step};

const RUNS: u32 = 5;
const LIMIT: Duration = Duration::from_secs(30);

/// One number of the environment.
struct Other {
    value: Var,
    /// How often it has been added to.
    count: Var,
    old_value: Var,
    old_count: Var,
}

fn at_most(a: impl Into<Linear>, b: impl Into<Linear>) -> Formula {
    Formula::le(&a.into(), &b.into())
}

/// The thread adds each of the `others` in turn, `times` times, to its own number; before each addition the environment may
/// move, which adds to its numbers at most twice each.  The claim is exact, or too small by one.  What is known of the
/// environment goes through `known`.
fn adding(others: usize, times: usize, exact: bool, known: &mut dyn FnMut(Formula) -> Formula) -> Sequential {
    let own = Var(0);
    let kinds = ["value", "count", "old_value", "old_count"];
    let names = (0..others).flat_map(|number| kinds.map(|kind| format!("{kind}_{number}")));
    let names: Vec<String> = ["own".to_string()].into_iter().chain(names).collect();
    let others: Vec<Other> = (0..others)
        .map(|number| {
            let [value, count, old_value, old_count] = [1, 2, 3, 4].map(|kind| Var::new(4 * number + kind));
            Other { value, count, old_value, old_count }
        })
        .collect();
    let set = |step: Step, var: Var, value: i128| step.assign(var, &Linear::constant(value));
    let at_first =
        others.iter().fold(set(Step::default(), own, 1), |step, other| set(set(step, other.value, 1), other.count, 0));
    let mut edges = vec![(0, 1, at_first, "initial values")];
    let (mut here, mut most) = (1, 1);
    for time in 0..times {
        let added = &others[time % others.len()];
        edges.push((here, here + 1, Step::default(), "no move"));
        let mut environment = Step::default();
        for other in &others {
            environment = environment
                .assign(other.old_value, &other.value.into())
                .assign(other.old_count, &other.count.into())
                .havoc(other.value, "value".into())
                .havoc(other.count, "count".into());
            let mut all = vec![at_most(other.old_value, other.value), at_most(other.old_count, other.count)];
            all.push(at_most(other.count, 2));
            // Bounds under the counters.
            for (count, bound) in [(0, 1), (1, 3), (2, 7)] {
                all.push(Formula::or([at_most(other.count, count).not(), at_most(other.value, bound)]));
            }
            environment = all.into_iter().fold(environment, |step, one| step.assume(&known(one)));
        }
        edges.push((here, here + 1, environment, "env_move"));
        let sum = Linear::var(own).plus(&Linear::var(added.value));
        edges.push((here + 1, here + 2, Step::default().assign(own, &sum), "add"));
        here += 2;
        most += 7;
    }
    let bound = Linear::constant(if exact { most } else { most - 1 });
    edges.push((here, here + 1, Step::default().check(&at_most(own, bound)), "claim"));
    sequential(&names.iter().map(String::as_str).collect::<Vec<_>>(), edges)
}

/// The same thread with a loop.
fn looping(others: usize, times: i128, exact: bool) -> Sequential {
    let mut program = adding(others, 1, exact, &mut |known| known);
    let steps = Var(program.vars.len() as u32);
    program.vars.push((steps, "steps".into()));
    let edges = &mut program.graph.edges;
    edges[0].step = edges[0].step.clone().assign(steps, &Linear::constant(0));
    let counted = Step::default().assume(&at_most(steps, times - 1));
    let up = Step::default().assign(steps, &Linear::var(steps).plus_constant(1));
    edges[3].step = counted.then(&edges[3].step).then(&up);
    edges[3].to = Location(1);
    edges[4].from = Location(1);
    edges[4].step = Step::default().check(&at_most(Var(0), 1 + 7 * times - i128::from(!exact)));
    program
}

/// What this thread has computed so far: other load on the machine does not count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// The middle one of some times, and the last result.
fn timed<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..RUNS {
        let start = processor_time();
        last = Some(work());
        times.push(processor_time() - start);
    }
    times.sort_unstable();
    (times[times.len() / 2], last.expect("there are runs"))
}

fn shown(checked: &Checked) -> String {
    match checked {
        Checked::Safe(_) => "safe".into(),
        Checked::Unsafe(path) => format!("unsafe, {} edges", path.edges.len()),
        Checked::Unknown(why) => format!("unknown: {why}"),
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn main() {
    let budget = Budget::unlimited();
    println!("program                  locations vars  acyclic");
    for (others, times) in [(1, 4), (2, 4), (3, 6), (5, 8), (5, 16), (10, 16), (24, 16), (5, 30)] {
        for exact in [true, false] {
            let program = adding(others, times, exact, &mut |known| known);
            let (time, checked) = timed(|| Acyclic.check(&program, &budget.within(LIMIT)));
            println!(
                "adding {others:2} others, {times:2} times  {:5} {:4}  {:>9}  {}",
                program.graph.locations.len(),
                program.vars.len(),
                milliseconds(time),
                shown(&checked)
            );
        }
        let program = adding(others, times, true, &mut |known| known);
        let first = program.first_free().index();
        let mut switches: Vec<Var> = Vec::new();
        let switched = adding(others, times, true, &mut |known| {
            switches.push(Var::new(first + switches.len()));
            Formula::or([is_on(switches[switches.len() - 1]).not(), known])
        });
        let (time, needed) = timed(|| Acyclic.check_with(&switched, &switches, &budget.within(LIMIT)));
        let count = needed.map_or(0, |needed| needed.len());
        println!("    {count} of {} assumptions needed: {}", switches.len(), milliseconds(time));
        let (time, most) = timed(|| Acyclic.maximise(&program, &Linear::var(Var(0)), &budget.within(LIMIT)));
        println!("    maximum {most:?}: {}", milliseconds(time));
    }
    println!("program                  locations vars  spacer     without large blocks");
    for (others, times) in [(1, 2), (1, 4), (2, 4), (3, 6)] {
        for exact in [true, false] {
            let program = looping(others, times, exact);
            let (time, checked) = timed(|| Spacer::default().check(&program, &budget.within(LIMIT)));
            let mut small = Spacer { large_blocks: false };
            let (without, _) = timed(|| small.check(&program, &budget.within(LIMIT)));
            println!(
                "looping {others:2} others, {times:2} times {:5} {:4}  {:>9}  {:>9}  {}",
                program.graph.locations.len(),
                program.vars.len(),
                milliseconds(time),
                milliseconds(without),
                shown(&checked)
            );
        }
    }
}
