//! How long the checkers take on programs like those of a proof by learned environments: a thread that adds numbers of
//! others to its own, between moves of an environment that is known by bounds.
//!
//! `cargo run --release -p checkers --example measure_checkers`

use base::{Budget, IdVec};
use checkers::{Acyclic, Arc, Checked, Checker, Needed, Node, Sequential, Spacer, Statement};
use formula::{Formula, Linear, Var};
use std::time::Duration;

const RUNS: u32 = 5;
const LIMIT: Duration = Duration::from_secs(30);

/// A program that grows.
struct Builder {
    program: Sequential,
}

impl Builder {
    fn new() -> Self {
        let nodes = IdVec::from_vec(vec!["start".to_string()]);
        Builder { program: Sequential { vars: Vec::new(), nodes, entry: Node(0), edges: Vec::new() } }
    }
    fn var(&mut self, name: String) -> Var {
        let var = Var(self.program.vars.len() as u32);
        self.program.vars.push((var, name));
        var
    }
    fn node(&mut self) -> Node {
        let name = format!("node_{}", self.program.nodes.len());
        self.program.nodes.push(name)
    }
    fn arc(&mut self, from: Node, to: Node, note: &str, statements: Vec<Statement>) {
        self.program.edges.push(Arc { from, to, statements, note: note.into() });
    }
}

/// One number of the environment.
struct Other {
    value: Var,
    /// How often it has been added to.
    count: Var,
    old_value: Var,
    old_count: Var,
}

fn at_most(a: impl Into<Linear>, b: impl Into<Linear>) -> Statement {
    Statement::Assume(Formula::le(&a.into(), &b.into()))
}

/// The thread adds each of the `others` in turn, `times` times, to its own number; before each addition the environment may
/// move, which adds to its numbers at most twice each.  The claim is exact, or too small by one.
fn adding(others: usize, times: usize, exact: bool) -> Sequential {
    let mut builder = Builder::new();
    let own = builder.var("own".into());
    let others: Vec<Other> = (0..others)
        .map(|number| Other {
            value: builder.var(format!("value_{number}")),
            count: builder.var(format!("count_{number}")),
            old_value: builder.var(format!("old_value_{number}")),
            old_count: builder.var(format!("old_count_{number}")),
        })
        .collect();
    let set = |var: Var, value: i128| Statement::Assign(var, Linear::constant(value));
    let mut at_first = vec![set(own, 1)];
    at_first.extend(others.iter().flat_map(|other| [set(other.value, 1), set(other.count, 0)]));
    let mut here = builder.node();
    builder.arc(Node(0), here, "initial values", at_first);
    let mut most = 1;
    for time in 0..times {
        let added = &others[time % others.len()];
        let moved = builder.node();
        builder.arc(here, moved, "no move", Vec::new());
        let mut environment = Vec::new();
        for other in &others {
            environment.push(Statement::Assign(other.old_value, Linear::var(other.value)));
            environment.push(Statement::Assign(other.old_count, Linear::var(other.count)));
            environment.extend([Statement::Havoc(other.value), Statement::Havoc(other.count)]);
            environment.extend([at_most(other.old_value, other.value), at_most(other.old_count, other.count)]);
            environment.push(at_most(other.count, 2));
            // Bounds under the counters.
            for (count, bound) in [(0, 1), (1, 3), (2, 7)] {
                let bounded = Formula::le(&Linear::var(other.value), &Linear::constant(bound));
                let counted = Formula::le(&Linear::var(other.count), &Linear::constant(count));
                environment.push(Statement::Assume(Formula::or([counted.not(), bounded])));
            }
        }
        builder.arc(here, moved, "env_move", environment);
        here = builder.node();
        builder.arc(moved, here, "add", vec![Statement::Assign(own, Linear::var(own).plus(&Linear::var(added.value)))]);
        most += 7;
    }
    let end = builder.node();
    let bound = Linear::constant(if exact { most } else { most - 1 });
    builder.arc(here, end, "claim", vec![Statement::Assert(Formula::le(&Linear::var(own), &bound))]);
    builder.program
}

/// The same thread with a loop.
fn looping(others: usize, times: i128, exact: bool) -> Sequential {
    let mut program = adding(others, 1, exact);
    let steps = Var(program.vars.len() as u32);
    program.vars.push((steps, "steps".into()));
    program.edges[0].statements.push(Statement::Assign(steps, Linear::constant(0)));
    let add = &mut program.edges[3];
    add.to = Node(1);
    add.statements.insert(0, at_most(steps, times - 1));
    add.statements.push(Statement::Assign(steps, Linear::var(steps).plus_constant(1)));
    let bound = Linear::constant(1 + 7 * times - i128::from(!exact));
    let own = Linear::var(Var(0));
    program.edges[4].from = Node(1);
    program.edges[4].statements = vec![Statement::Assert(Formula::le(&own, &bound))];
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
        Checked::Unsafe(path) => format!("unsafe, {} arcs", path.arcs.len()),
        Checked::Unknown(why) => format!("unknown: {why}"),
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn main() {
    let budget = Budget::unlimited();
    println!("program                      nodes vars  acyclic");
    for (others, times) in [(1, 4), (2, 4), (3, 6), (5, 8), (5, 16), (10, 16), (24, 16), (5, 30)] {
        for exact in [true, false] {
            let program = adding(others, times, exact);
            let (time, checked) = timed(|| Acyclic.check(&program, &budget.within(LIMIT)));
            println!(
                "adding {others:2} others, {times:2} times  {:5} {:4}  {:>9}  {}",
                program.nodes.len(),
                program.vars.len(),
                milliseconds(time),
                shown(&checked)
            );
        }
        let program = adding(others, times, true);
        let environment = |arc: usize| {
            let statements = program.edges[arc].statements.iter().enumerate();
            statements.filter(|(_, one)| matches!(one, Statement::Assume(_))).map(move |(at, _)| vec![(arc, at)])
        };
        let optional: Vec<Vec<(usize, usize)>> = (0..program.edges.len()).flat_map(environment).collect();
        let (time, needed) = timed(|| Acyclic.check_with(&program, &optional, &budget.within(LIMIT)));
        let count = if let Needed::Safe(needed) = &needed { needed.len() } else { 0 };
        println!("    {count} of {} assumptions needed: {}", optional.len(), milliseconds(time));
        let (time, most) = timed(|| Acyclic.maximise(&program, &Linear::var(Var(0)), &budget.within(LIMIT)));
        println!("    maximum {most:?}: {}", milliseconds(time));
    }
    println!("program                      nodes vars  spacer     without large blocks");
    for (others, times) in [(1, 2), (1, 4), (2, 4), (3, 6)] {
        for exact in [true, false] {
            let program = looping(others, times, exact);
            let (time, checked) = timed(|| Spacer::default().check(&program, &budget.within(LIMIT)));
            let mut small = Spacer { large_blocks: false, ..Spacer::default() };
            let (without, _) = timed(|| small.check(&program, &budget.within(LIMIT)));
            println!(
                "looping {others:2} others, {times:2} times {:5} {:4}  {:>9}  {:>9}  {}",
                program.nodes.len(),
                program.vars.len(),
                milliseconds(time),
                milliseconds(without),
                shown(&checked)
            );
        }
    }
}
