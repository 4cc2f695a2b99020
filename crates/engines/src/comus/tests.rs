//! Families of the thesis as systems, built by hand.

use super::search::{Search, Stop};
use super::{Comus, Settings};
use crate::options::{Configured, usual};
use crate::symbolic::Steps;
use crate::{SWITCH, Unobserved};
use base::{Budget, Id, IdVec};
use formula::{Formula, Linear, Var};
use system::{Edge, Graph, Location, LocationData, Step, System, Thread, ThreadId, VarData, VarKind, location_value};

/// From where, to where, when, and what.
type PlainEdge = (usize, usize, Formula, Vec<(Var, Linear)>);

/// Makes systems.
#[derive(Default)]
struct Make {
    vars: IdVec<Var, VarData>,
    initial: Vec<Formula>,
    threads: IdVec<ThreadId, Thread>,
}
impl Make {
    fn var(&mut self, name: String, init: Option<i128>) -> Var {
        let v = self.vars.push(VarData { name, range: base::Interval::ALL, kind: VarKind::Shared });
        if let Some(i) = init {
            self.initial.push(Formula::eq(&v.into(), &Linear::constant(i)));
        }
        v
    }
    fn thread(&mut self, name: String, edges: Vec<PlainEdge>) {
        let kind = VarKind::Pc(self.threads.next_id());
        let pc = self.vars.push(VarData { name: format!("pc_{name}"), range: base::Interval::ALL, kind });
        self.initial.push(Formula::eq(&pc.into(), &Linear::constant(0)));
        let n = edges.iter().map(|e| e.0.max(e.1)).max().unwrap() + 1;
        let locations = (0..n).map(|i| LocationData::named(format!("L{i}"))).collect();
        let edges = edges.into_iter().map(|(a, b, guard, updates)| {
            let step = Step { guard, updates, ..Step::default() };
            Edge { from: Location::new(a), to: Location::new(b), step }
        });
        let graph = Graph { locations, entry: Location::new(0), edges: edges.collect() };
        self.threads.push(Thread { name, pc, graph });
    }
    fn done(self, failed: Var) -> System {
        System { vars: self.vars, initial: Formula::and(self.initial), threads: self.threads, failed }
    }
}
fn lin(v: Var) -> Linear {
    Linear::var(v)
}
fn c(v: i128) -> Linear {
    Linear::constant(v)
}

fn chain(n: usize, bound: i128, ring: bool) -> System {
    let mut m = Make::default();
    let v: Vec<Var> = (0..n).map(|i| m.var(format!("v{i}"), Some(1))).collect();
    let failed = m.var("failed".into(), Some(0));
    for i in 0..n {
        let next = if ring || i < n - 1 { lin(v[(i + 1) % n]) } else { c(1) };
        let mut edges: Vec<_> =
            (0..2).map(|k| (k, k + 1, Formula::True, vec![(v[i], lin(v[i]).plus(&next))])).collect();
        if i == 0 {
            edges.push((2, 3, Formula::lt(&c(bound), &lin(v[0])), vec![(failed, c(1))]));
        }
        m.thread(format!("t{i}"), edges);
    }
    m.done(failed)
}
fn mat(n: usize, bad: bool) -> System {
    let mut m = Make::default();
    let a: Vec<Vec<Var>> = (0..n).map(|i| (0..n).map(|j| m.var(format!("A{i}_{j}"), None)).collect()).collect();
    let s: Vec<Vec<Var>> = (0..n).map(|i| (0..n).map(|j| m.var(format!("S{i}_{j}"), Some(0))).collect()).collect();
    let cnt: Vec<Var> = (0..n).map(|i| m.var(format!("c{i}"), Some(0))).collect();
    let row: Vec<Var> = (0..n).map(|i| m.var(format!("r{i}"), Some(0))).collect();
    let failed = m.var("failed".into(), Some(0));
    for i in 0..n {
        let mut edges = vec![];
        for k in 0..n {
            let j = n - 1 - k;
            let guard = if i < n - 1 { Formula::lt(&c(k as i128), &lin(cnt[i + 1])) } else { Formula::True };
            let r = lin(row[i]).plus(&lin(a[i][j]));
            let sum = if i < n - 1 { r.plus(&lin(s[i + 1][j])) } else { r.clone() };
            edges.push((k, k + 1, guard, vec![(row[i], r), (s[i][j], sum), (cnt[i], lin(cnt[i]).plus_constant(1))]));
        }
        if i == 0 {
            let total = a.iter().flatten().fold(c(bad as i128), |t, x| t.plus(&lin(*x)));
            edges.push((n, n + 1, Formula::ne(&lin(s[0][0]), &total), vec![(failed, c(1))]));
        }
        m.thread(format!("t{i}"), edges);
    }
    m.done(failed)
}
fn pas(n: usize) -> System {
    let mut m = Make::default();
    let p: Vec<Vec<Var>> = (0..n).map(|r| (0..=r).map(|j| m.var(format!("p{r}_{j}"), Some(0))).collect()).collect();
    let cnt: Vec<Var> = (0..n).map(|i| m.var(format!("c{i}"), Some(0))).collect();
    let failed = m.var("failed".into(), Some(0));
    let binom = |r: usize, j: usize| (0..j).fold(1i128, |x, i| x * (r - i) as i128 / (i + 1) as i128);
    for i in 0..n {
        let r = n - 1 - i;
        let mut edges = vec![];
        for j in 0..=r {
            let guard = if r > 0 { Formula::le(&c((j + 1).min(r) as i128), &lin(cnt[r - 1])) } else { Formula::True };
            let v = if j == 0 || j == r { c(1) } else { lin(p[r - 1][j - 1]).plus(&lin(p[r - 1][j])) };
            edges.push((j, j + 1, guard, vec![(p[r][j], v), (cnt[r], lin(cnt[r]).plus_constant(1))]));
        }
        if i == 0 {
            let bad = Formula::or((0..=r).map(|j| Formula::ne(&lin(p[r][j]), &c(binom(r, j)))));
            edges.push((r + 1, r + 2, bad, vec![(failed, c(1))]));
        }
        m.thread(format!("t{i}"), edges);
    }
    m.done(failed)
}

/// What a run says, and how often it asked.
fn decide(system: &System, settings: Settings) -> (Result<Option<Steps>, Stop>, u64) {
    let budget = Budget::new(Some(std::time::Duration::from_secs(60)), None);
    let order = system.threads.ids().collect();
    let mut nobody = Unobserved;
    let ranges = settings.ranges.then(|| system::ranges::ranges(system, &budget)).flatten();
    let mut search = Search::new(system, order, ranges, settings, &budget, &mut nobody);
    (search.attempts(), search.calls)
}

fn assert_safe(system: &System, settings: Settings, most_calls: u64) {
    let (answer, calls) = decide(system, settings);
    assert_eq!(answer, Ok(None));
    assert!(calls <= most_calls, "{calls} calls");
}

/// The steps must lead to the violation.
fn assert_unsafe(system: &System, settings: Settings) {
    let (answer, _) = decide(system, settings);
    let steps = answer.expect("an answer").expect("a violation");
    // A matrix has inputs that are open at first: 0 will do, since any do.
    let mut state: Vec<i128> = vec![0; system.vars.len()];
    for part in system.initial.conjuncts() {
        for var in part.vars() {
            state[var.index()] = if part.eval(&|_| 1) { 1 } else { 0 };
        }
    }
    for (thread, edge) in steps {
        let thread = &system.threads[thread];
        let edge = &thread.graph.edges[edge];
        let value = |var: Var| state[var.index()];
        assert_eq!(value(thread.pc), location_value(edge.from));
        assert!(edge.step.guard.eval(&value));
        let new: Vec<i128> = edge.step.updates.iter().map(|(_, term)| term.eval(&value)).collect();
        edge.step.updates.iter().zip(new).for_each(|((var, _), new)| state[var.index()] = new);
        state[thread.pc.index()] = location_value(edge.to);
    }
    assert_eq!(state[system.failed.index()], 1);
}

fn without_ranges() -> Settings {
    Settings { ranges: false, ..usual::<Comus>() }
}

#[test]
fn chains_need_one_call_with_ranges_and_few_without() {
    assert_safe(&chain(8, 511, false), usual::<Comus>(), 1);
    assert_safe(&chain(8, 511, false), without_ranges(), 120);
    assert_unsafe(&chain(4, 30, false), usual::<Comus>());
}

#[test]
fn rings() {
    assert_safe(&chain(2, 8, true), usual::<Comus>(), 60);
    assert_safe(&chain(3, 15, true), usual::<Comus>(), 600);
    assert_unsafe(&chain(3, 14, true), usual::<Comus>());
}

#[test]
fn sums_of_matrices() {
    assert_safe(&mat(2, false), usual::<Comus>(), 15);
    assert_safe(&mat(4, false), usual::<Comus>(), 89);
    assert_unsafe(&mat(3, true), usual::<Comus>());
}

#[test]
fn triangles_of_pascal() {
    assert_safe(&pas(4), usual::<Comus>(), 145);
}

#[test]
fn each_switch_can_be_turned() {
    let ring = chain(2, 8, true);
    for setting in Comus::OPTIONS.iter().filter(|setting| setting.about.values == SWITCH) {
        let mut settings = usual::<Comus>();
        let other = if setting.about.default == "on" { "off" } else { "on" };
        setting.read(&mut settings, other).expect("a value of a switch");
        assert_safe(&ring, settings, 400);
    }
}
