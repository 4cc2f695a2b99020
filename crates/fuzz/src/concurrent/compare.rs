//! Decides random programs in every way there is, and says where two ways differ.

use super::source::Source;
use super::{bend, blocks, bounded, claims, generate, kept, lockstep, plain, systems, to_ir, tune};
use crate::naive::{self, Verdict};
use base::process::panic_text;
use base::{Budget, Rng};
use claim::{Outcome, Reason, Replay, Unwatched, replay};
use engines::explicit::Explicit;
use engines::{Engine, Observer, Problem};
use ir::interp::Code;
use ir::{Program, Spec};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Programs with more states are left out.
pub const STATES: usize = 20_000;

/// One random program.
#[derive(Clone)]
pub struct Case {
    pub index: u64,
    pub source: Source,
    pub program: Program,
    /// The program is no longer what the source says.
    pub bent: bool,
}

/// The `index`-th program of a run; `None` if it has too many states.
pub fn case(seed: u64, index: u64) -> Option<Case> {
    case_around(seed, index, "")
}

/// The same; also `None` if it is not built around the idiom, if one is named.
pub fn case_around(seed: u64, index: u64, idiom: &str) -> Option<Case> {
    let mut rng = Rng::of_case(seed, index);
    let mut source = generate::generate(&mut rng);
    if !idiom.is_empty() && source.idiom != idiom {
        return None;
    }
    let mut program = to_ir::to_ir(&source);
    let bent = rng.chance(40);
    if bent {
        let count = rng.within(1, 8);
        bend::bend(&mut program, count, &mut rng);
    }
    let chosen = tune::tune(&program, STATES, &mut rng)?;
    tune::apply(&mut program, &chosen);
    for (message, value) in &chosen {
        if let Some(forbidden) = message.parse().ok().and_then(|n: usize| source.forbidden.get_mut(n)) {
            *forbidden = *value;
        }
    }
    Some(Case { index, source, program, bent })
}

/// What is known of a program when all agree.
#[derive(Clone, Debug, Default)]
pub struct Agreed {
    pub is_unsafe: bool,
    pub unsupported: bool,
    pub naive_states: usize,
    pub plain_states: usize,
    /// States the engine keeps, without and with reduction.
    pub engine_states: [usize; 2],
    /// What the bounded engine says, in the order of [`bounded::WAYS`].
    pub bounded: Vec<bounded::Said>,
}

/// Two ways to decide a program that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The same for the same mistake, whatever the program.
    pub kind: String,
    pub detail: String,
}

/// What is known of a program; `None` if it has too many states to find out.
pub fn known(program: &Program) -> Option<plain::Verdict> {
    plain::Verdict::known(&naive::check(program, STATES).verdict)
}

/// Compares all ways; `None` if the naive enumerator gives up.  The bounded engine, which may go on for ever, has so much time.
pub fn judge(program: &Program, time: Duration) -> Result<Option<Agreed>, Disagreement> {
    caught(|| decide(program, time))
}

/// What `judge` says; a panic is a disagreement, too.
pub fn caught<T>(judge: impl FnOnce() -> Result<T, Disagreement>) -> Result<T, Disagreement> {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|panic| Err(disagree("panic", panic_text(&*panic))))
}

fn disagree(kind: &str, detail: impl Into<String>) -> Disagreement {
    Disagreement { kind: kind.into(), detail: detail.into() }
}

fn decide(program: &Program, time: Duration) -> Result<Option<Agreed>, Disagreement> {
    let naive = naive::check(program, STATES);
    let Some(expected) = plain::Verdict::known(&naive.verdict) else { return Ok(None) };
    let code = Code::new(program);
    if let Verdict::Unsafe(steps) = &naive.verdict {
        let followed = lockstep::trace(program, steps).and_then(|trace| match replay(&code, &trace, &mut Unwatched) {
            Replay::Violated { .. } => Ok(()),
            Replay::Diverged(why) => Err(why),
        });
        followed.map_err(|why| disagree("the interpreter does not follow a violation", why))?;
    }
    let mut rng = Rng::new(1);
    for _ in 0..2 {
        lockstep::walk(program, 150, &mut rng).map_err(|why| disagree("the interpreters part", why))?;
    }
    // It may tell states apart that the other does not.
    let (plain, plain_states) = plain::check(program, 4 * STATES);
    if plain != expected {
        let kind = format!("naive says {expected:?}, the interpreter's states say {plain:?}");
        return Err(disagree(&kind, format!("{plain_states} states")));
    }
    claims::check(program, STATES).map_err(|why| disagree("a static fact is wrong", why))?;
    let blocks = blocks::check(program, 8 * STATES);
    if blocks != expected && blocks != plain::Verdict::Unknown {
        return Err(disagree(&format!("naive says {expected:?}, blocks of movers say {blocks:?}"), ""));
    }
    let mut engine_states = [0, 0];
    for (reduce, states) in [false, true].into_iter().zip(&mut engine_states) {
        // A little patience makes runs that are cut short common.
        for patience in [4096, 3] {
            let name = format!("the engine {}", if reduce { "with reduction" } else { "without reduction" });
            let (answer, count) = match run_engine(&code, Explicit { reduce, patience }) {
                // That is as good an answer as can be had, and takes long.
                Said::EndlessSection => return Ok(None),
                Said::Verdict(answer, count) => (answer, count),
            };
            if patience == 4096 {
                *states = count;
            }
            let answer = answer.map_err(|why| disagree(&format!("{name} makes a claim that is not confirmed"), why))?;
            if answer != expected {
                let kind = format!("naive says {expected:?}, {name} says {answer:?}");
                return Err(disagree(&kind, format!("patience {patience}, {count} states")));
            }
        }
    }
    bounded::check_unfolding(program, expected, time)?;
    kept::check(program, expected, time)?;
    systems::check_ways(program, &systems::FEW, expected, time)?;
    let bounded = bounded::check(program, &code, expected, time)?;
    Ok(Some(Agreed {
        engine_states,
        bounded,
        is_unsafe: expected == plain::Verdict::Unsafe,
        unsupported: expected == plain::Verdict::Unknown,
        naive_states: naive.states,
        plain_states,
    }))
}

/// What an engine says.
pub enum Said {
    /// There is an atomic section that does not end, which is given up.
    EndlessSection,
    /// A confirmed verdict, or what is wrong with the claim; and how many states were kept.
    Verdict(Result<plain::Verdict, String>, usize),
}

/// Runs the explicit engine and has its claim confirmed.
pub fn run_engine(code: &Code<'_>, mut engine: Explicit) -> Said {
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let mut count = States(0);
    let reduce = engine.reduce;
    let outcome = engine.run(&Problem::new(code, Spec::default()), &budget, &mut count);
    let answer = match outcome {
        // The check of proofs follows reduced runs; the other search exists to be compared with.
        Outcome::Safe(_) if !reduce => Ok(plain::Verdict::Safe),
        outcome => match confirm::confirm("explicit", outcome, code, Spec::default(), &budget) {
            confirm::Verdict::Safe(_) => Ok(plain::Verdict::Safe),
            confirm::Verdict::Unsafe(_) => Ok(plain::Verdict::Unsafe),
            confirm::Verdict::Unknown(Reason::Unconfirmed { why, .. }) => Err(why),
            confirm::Verdict::Unknown(Reason::Unsupported { what, .. }) if what.contains("does not end") => {
                return Said::EndlessSection;
            }
            confirm::Verdict::Unknown(_) => Ok(plain::Verdict::Unknown),
        },
    };
    Said::Verdict(answer, count.0 as usize)
}

/// Remembers how many states there were.
struct States(u64);

impl Observer for States {
    fn statistic(&mut self, name: &'static str, value: u64) {
        if name == "states" {
            self.0 = value;
        }
    }
}
