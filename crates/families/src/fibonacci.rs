//! Chain and ring, made from SV-COMP's fib_bench as in the thesis (Fig. 7.1, ch. 9): thread `i` adds `v_{i+1}` to `v_i`
//! again and again; the last adds 1 (chain) or `v_0` (ring).
//!
//! With a number of iterations the claim is that `v_0` is at most what it can be.  Without, nothing bounds it but a guard
//! against overflow, and the claim is that it never falls below 1: true since it is true of each of the others.

use crate::frame::{ATOMIC, Check, Frame};
use crate::shuffle::Names;
use crate::text::Text;
use crate::{Family, Parameters};

/// The iterations in the thesis.
const USUAL: u32 = 2;
/// No variable becomes larger where there is no number of iterations.
const LIMIT: u32 = 100;

pub fn frame(parameters: &Parameters, names: &Names) -> Result<Frame, String> {
    let threads = parameters.threads;
    let ring = parameters.family == Family::Ring;
    let kind = if ring { "A ring" } else { "A chain" };
    let variables: Vec<String> = (0..threads).map(|number| format!("v{number} = 1")).collect();
    let mut frame = Frame { externs: ATOMIC.to_vec(), ..Frame::default() };
    frame.globals = vec![format!("int {};", variables.join(", "))];
    let first = format!("v{}", names.number(0));
    match parameters.endless {
        true => {
            frame.about = vec![format!(
                "{kind} of {threads} threads, each adding to its variable without end; no sum is beyond {LIMIT}."
            )];
            frame.mistake = format!("{} subtracts where it should add", names.function(threads - 1));
            frame.bodies = (0..threads).map(|thread| endless(parameters, names, thread)).collect();
            frame.check = Check::Within;
        }
        false => {
            let iterations = parameters.iterations.unwrap_or(USUAL);
            let most = if ring { most_in_ring(threads, iterations) } else { most_in_chain(threads, iterations) }?;
            frame.about = vec![format!("{kind} of {threads} threads; each adds to its variable {iterations} times.")];
            frame.mistake = format!("{first} can be {most}");
            let bodies = (0..threads).map(|thread| {
                let mut out = Text::default();
                out.block(format!("for (int i = 0; i < {iterations}; i++)"), |out| {
                    let (own, other) = (names.number(thread), summand(parameters, names, thread));
                    atomically(out, |out| out.line(format!("v{own} += {other};")));
                });
                out
            });
            frame.bodies = bodies.collect();
            let mut check = Text::default();
            check.line(format!("assert({first} <= {});", if parameters.safe { most } else { most - 1 }));
            frame.check = Check::AtEnd(check);
        }
    }
    Ok(frame)
}

/// What a thread adds.
fn summand(parameters: &Parameters, names: &Names, thread: usize) -> String {
    let next = thread + 1;
    if next < parameters.threads {
        format!("v{}", names.number(next))
    } else if parameters.family == Family::Ring {
        format!("v{}", names.number(0))
    } else {
        "1".into()
    }
}

fn atomically(out: &mut Text, inside: impl FnOnce(&mut Text)) {
    out.line("__VERIFIER_atomic_begin();");
    inside(out);
    out.line("__VERIFIER_atomic_end();");
}

fn endless(parameters: &Parameters, names: &Names, thread: usize) -> Text {
    let (own, other) = (format!("v{}", names.number(thread)), summand(parameters, names, thread));
    let wrong = !parameters.safe && thread + 1 == parameters.threads;
    let sign = if wrong { '-' } else { '+' };
    let mut out = Text::default();
    out.block("while (1)", |out| {
        atomically(out, |out| {
            out.block(format!("if ({own} <= {LIMIT} - {other})"), |out| out.line(format!("{own} {sign}= {other};")));
        });
        if thread == 0 {
            out.line(format!("assert({own} >= 1);"));
        }
    });
    out
}

/// All of the last thread's steps first, then all of the one before, and so on: sums of larger numbers are larger.
fn most_in_chain(threads: usize, iterations: u32) -> Result<u32, String> {
    let largest = |value: u32| iterations.checked_mul(value)?.checked_add(1).filter(|value| *value <= i32::MAX as u32);
    (0..threads)
        .try_fold(1, |value, _| largest(value))
        .ok_or_else(|| format!("{iterations} iterations of {threads} threads overflow 32 bits"))
}

/// So many sets of variables are looked at, at most.
const EFFORT: usize = 4_000_000;

/// In a ring the best order is a matter of search: the last thread gains if the first has begun, which loses by beginning.
/// A state is how often each thread has run, with the values of the variables; of two with the same counts the one that
/// is nowhere larger is dropped, since whatever follows it also follows the other, with sums at least as large.
fn most_in_ring(threads: usize, iterations: u32) -> Result<u32, String> {
    let beyond =
        || format!("the exact bound of a ring of {threads} threads and {iterations} iterations is out of reach");
    type Layer = std::collections::BTreeMap<Vec<u32>, Vec<Vec<u32>>>;
    let mut layer: Layer = [(vec![0; threads], vec![vec![1; threads]])].into();
    let mut effort = 0;
    // All states of a layer have made the same number of steps.
    for _ in 0..iterations as usize * threads {
        let mut next = Layer::new();
        for (counts, states) in &layer {
            for thread in (0..threads).filter(|thread| counts[*thread] < iterations) {
                let mut counts = counts.clone();
                counts[thread] += 1;
                let kept = next.entry(counts).or_default();
                for state in states {
                    effort += 1;
                    let mut state = state.clone();
                    let other = state[(thread + 1) % threads];
                    state[thread] =
                        state[thread].checked_add(other).filter(|sum| *sum <= i32::MAX as u32).ok_or_else(beyond)?;
                    insert_maximal(kept, state);
                }
            }
        }
        if effort > EFFORT {
            return Err(beyond());
        }
        layer = next;
    }
    layer.values().flatten().map(|state| state[0]).max().ok_or_else(beyond)
}

fn insert_maximal(kept: &mut Vec<Vec<u32>>, state: Vec<u32>) {
    let at_most = |small: &[u32], large: &[u32]| small.iter().zip(large).all(|(small, large)| small <= large);
    if kept.iter().any(|other| at_most(&state, other)) {
        return;
    }
    kept.retain(|other| !at_most(other, &state));
    kept.push(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact() {
        let chain: Vec<u32> = (2..=8).map(|threads| most_in_chain(threads, 2).unwrap()).collect();
        assert_eq!(chain, [7, 15, 31, 63, 127, 255, 511]);
        let ring: Vec<u32> = (2..=7).map(|threads| most_in_ring(threads, 2).unwrap()).collect();
        assert_eq!(ring, [8, 15, 31, 63, 127, 255]);
        // Two threads that take turns make the numbers of Fibonacci.
        let fibonacci: Vec<u32> = (1..=6).map(|iterations| most_in_ring(2, iterations).unwrap()).collect();
        assert_eq!(fibonacci, [3, 8, 21, 55, 144, 377]);
    }

    #[test]
    fn a_bound_beyond_32_bits_is_refused() {
        assert_eq!(most_in_chain(30, 2), Ok(i32::MAX as u32));
        assert!(most_in_chain(31, 2).is_err());
        assert!(most_in_ring(2, 40).is_err());
    }
}
