//! A recorded execution is followed to its violation, and to nothing else.

use claim::{Replay, Trace, Unwatched, replay};
use ir::interp::Code;

const PROGRAM: &str = include_str!("replay.ir");

/// What comes of threads that take so many steps each, with these inputs.
fn follow(runs: &[(usize, u32)], inputs: &[u128]) -> Replay {
    let program = ir::text::parse(PROGRAM, "test.ir").expect("a program");
    let mut trace = Trace { inputs: inputs.to_vec(), ..Trace::default() };
    for (thread, steps) in runs {
        (0..*steps).for_each(|_| trace.push(*thread));
    }
    replay(&Code::new(&program), &trace, &mut Unwatched)
}

#[track_caller]
fn diverges(runs: &[(usize, u32)], inputs: &[u128], expected: &str) {
    assert_eq!(follow(runs, inputs), Replay::Diverged(expected.into()));
}

#[test]
fn a_violation_is_the_last_step() {
    assert!(matches!(follow(&[(0, 5)], &[1]), Replay::Violated(site) if site.thread == 0));
    assert!(matches!(follow(&[(0, 1), (1, 3), (0, 4)], &[0]), Replay::Violated(_)));
    diverges(&[(0, 5)], &[0], "the trace ends without a violation");
    diverges(&[(0, 4)], &[1], "the trace ends without a violation");
    diverges(&[(0, 6)], &[1], "a violation comes early, at step 5 of 6");
    diverges(&[], &[], "the trace ends without a violation");
}

#[test]
fn nobody_moves_who_cannot() {
    diverges(&[(1, 1)], &[], "thread 1 is not running at step 1 of 1");
    diverges(&[(0, 2), (1, 1)], &[], "thread 1 is blocked at step 3 of 3");
    diverges(&[(0, 7), (1, 1)], &[0], "thread 1 moves during another's atomic section at step 8 of 8");
    diverges(&[(0, 1), (1, 5)], &[], "thread 1 is not running at step 6 of 6");
}

#[test]
fn inputs_are_those_of_the_trace() {
    diverges(&[(0, 5)], &[], "the trace has too few inputs at step 3 of 5");
}

#[test]
fn a_program_that_has_ended_does_not_go_on() {
    diverges(&[(0, 10), (1, 1)], &[0], "the execution ends at step 10 of 11");
}
