//! Programs unfolded with their loops kept, compared with what is known of them.
//!
//! With nothing cut, the explicit engine must say of the unfolded program what is known of the program; with something cut, a
//! violation must still be one.  And what [`passes::Unfolded`] promises about loops must hold.

use super::campaign::{Campaign, Summary};
use super::compare::{self, Disagreement};
use super::gone;
use super::plain::Verdict;
use base::{Budget, Id, graph};
use claim::Outcome;
use engines::explicit::Explicit;
use engines::{Engine, Problem, Unobserved};
use facts::{Cfg, Facts, Point};
use ir::interp::Code;
use ir::{Callee, Function, Goal, InstKind, Program, Spec};
use passes::{Bounds, Preserves, Unfolded};
use std::time::Duration;

/// How far loops are unwound that a constant ends: to their end, a little, not at all.
const COUNTED: [u32; 3] = [100, 2, 0];

/// What came of unfolding a program in one way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Loops were kept.
    pub loops: bool,
    /// Allocations are in loops.
    pub repeated: bool,
    /// Something was cut.
    pub cut: bool,
    /// The engine has a verdict.
    pub decided: bool,
}

/// Compares in every way; the engine has so much time in each.
pub fn check(program: &Program, expected: Verdict, time: Duration) -> Result<Vec<Compared>, Disagreement> {
    let facts = Facts::compute(program);
    let mut all = Vec::new();
    for counted in COUNTED {
        let bounds = Bounds { threads: 20, size: 20_000, ..Bounds::keeping_loops(counted) };
        all.extend(unfold(program, &facts, &bounds, expected, time, time)?);
    }
    Ok(all)
}

/// The program unfolded in one way, which is to be done in so much time, and decided in so much; `None` if that is refused.
/// It has a violation only if the program has one, and exactly then if nothing was cut.
pub fn unfold(
    program: &Program,
    facts: &Facts,
    bounds: &Bounds,
    expected: Verdict,
    time: Duration,
    decide: Duration,
) -> Result<Option<Compared>, Disagreement> {
    let budget = Budget::new(Some(time), None);
    let Ok(unfolded) = passes::unfold(program, facts, Goal::Assertion, bounds, &budget) else { return Ok(None) };
    let wrong = |kind: &str, detail: String| Err(Disagreement { kind: format!("unfolded: {kind}"), detail });
    if let Some(error) = ir::validate(&unfolded.program).first() {
        return wrong("the program is not valid", format!("{error:?}"));
    }
    if let Err(why) = promises(&unfolded) {
        return wrong("a promise is not kept", why);
    }
    if let Err(why) = confirm::unfolding::check(program, &unfolded) {
        return wrong("the unfolding is not validated", why);
    }
    let code = Code::new(&unfolded.program);
    let problem = Problem::new(&code, Spec::default());
    let budget = Budget::new(Some(decide), None);
    let answer = match Explicit::default().run(&problem, &budget, &mut Unobserved) {
        Outcome::Safe(_) => Some(Verdict::Safe),
        Outcome::Unsafe(_) => Some(Verdict::Unsafe),
        Outcome::Unknown(_) => None,
    };
    let cut = !unfolded.cuts.is_empty();
    let must_agree = !cut || answer == Some(Verdict::Unsafe);
    // Objects of an inlined function live on, so that executions may go on where the program's end.
    let goes_on =
        || !matches!(unfolded.preserves(), Some(Preserves::Exact | Preserves::Fewer)) && gone::is_touched(program);
    if let Some(answer) = answer
        && must_agree
        && answer != expected
        && !goes_on()
    {
        let kind = format!("naive says {expected:?} of the program, the engine {answer:?} of the unfolded one");
        return wrong(&kind, format!("{bounds:?}, {} cuts", unfolded.cuts.len()));
    }
    let mut functions = unfolded.threads.values().map(|thread| &unfolded.program.functions[thread.func]);
    let loops = functions.any(has_loop);
    Ok(Some(Compared { loops, repeated: !unfolded.repeated.is_empty(), cut, decided: answer.is_some() }))
}

fn has_loop(function: &Function) -> bool {
    let cfg = Cfg::new(function);
    function.blocks.ids().any(|block| cfg.in_loop(block))
}

/// What the unfolded program must be like.
fn promises(unfolded: &Unfolded) -> Result<(), String> {
    let mut repeated = Vec::new();
    let mut started = Vec::new();
    for thread in unfolded.threads.values() {
        let function = &unfolded.program.functions[thread.func];
        let cfg = Cfg::new(function);
        let dominators = cfg.dominators();
        for (id, block) in function.blocks.iter() {
            let at = format!("{} {}", function.name, block.name);
            if !cfg.reachable(id) {
                return Err(format!("{at} cannot be reached"));
            }
            for to in &cfg.successors[id] {
                if *to == Function::ENTRY || (*to <= id && !graph::dominates(&dominators, *to, id)) {
                    return Err(format!("the edge from {at} to {} goes back", function.blocks[*to].name));
                }
            }
            for (i, inst) in block.insts.iter().enumerate() {
                let in_loop = cfg.in_loop(id);
                if let InstKind::Call { .. } = inst.kind {
                    return Err(format!("a call in {at}"));
                }
                if let InstKind::Spawn { callee: Callee::Direct(child), .. } = inst.kind {
                    started.push((child, thread.func));
                    if in_loop {
                        return Err(format!("a thread is started in {at}"));
                    }
                }
                if let InstKind::Alloc { kind, .. } = inst.kind
                    && in_loop
                {
                    repeated.push((Point::new(thread.func, id, i), kind));
                }
            }
            let origins = unfolded.origins.get(&thread.func).and_then(|blocks| blocks.get(id.index()));
            if origins.is_none_or(|origins| origins.len() != block.insts.len() + 1) {
                return Err(format!("the origins of {at} are not those of its instructions"));
            }
        }
    }
    // Threads come after the one that starts them; those of one parent in any order, since blocks are merged.
    started.sort_unstable();
    let children = unfolded.threads.iter().skip(1).map(|(id, thread)| {
        let parent = thread.parent.filter(|parent| *parent < id);
        parent.map(|parent| (thread.func, unfolded.threads[parent].func))
    });
    let children: Option<Vec<_>> = children.collect();
    if children.as_ref() != Some(&started) {
        return Err(format!("{started:?} are started (by whom), {children:?} are the threads (and parents)"));
    }
    let listed: Vec<_> = unfolded.repeated.iter().map(|site| (site.point, site.kind)).collect();
    if listed != repeated {
        return Err(format!("{repeated:?} are in loops, {listed:?} are listed"));
    }
    Ok(())
}

pub fn run(campaign: &Campaign, time: Duration) -> Summary {
    campaign.run(
        "threads",
        |case| compare::known(&case.program).map(|known| check(&case.program, known, time)).transpose(),
        |all, _, summary| {
            for (counted, compared) in COUNTED.iter().zip(all) {
                let Compared { loops, repeated, cut, decided } = compared;
                let mut count = |name: &str, holds: bool| summary.count(&rounds(*counted), name, u64::from(holds));
                count("loops kept", loops);
                count(DECIDED, loops && !cut && decided);
                count("something cut", cut);
                count("allocations in loops", repeated);
            }
        },
    )
}

const DECIDED: &str = "loops kept, nothing cut, decided";

fn rounds(counted: u32) -> String {
    format!("constants end loops in up to {counted} rounds")
}

/// By the ways to unfold, how many programs with loops were decided with nothing cut.
pub fn decided(summary: &Summary) -> [u64; COUNTED.len()] {
    COUNTED.map(|counted| summary.get(&rounds(counted), DECIDED))
}
