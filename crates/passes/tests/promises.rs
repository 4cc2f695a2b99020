//! What [`Unfolded`] says of itself, on the programs that are written in text form.

use base::{Budget, Id};
use facts::Facts;
use ir::{Callee, Goal, InstKind};
use passes::{Bounds, Unfolded, unfold};
use std::mem::discriminant;
use std::path::Path;

#[test]
fn unfolded_programs_are_what_they_say() {
    let (mut checked, mut copied) = (0, 0);
    for path in base::files(Path::new("../../tests/ir"), "ir").expect("they are there") {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("test ")).collect();
        let Ok(program) = ir::text::parse(&lines.join("\n"), "test.ir") else { continue };
        if !ir::validate(&program).is_empty() || program.functions[program.entry].blocks.is_empty() {
            continue;
        }
        let facts = Facts::compute(&program);
        for bounds in [Bounds::new(0), Bounds::new(2), Bounds::keeping_loops(2)] {
            let unfolded = unfold(&program, &facts, Goal::Assertion, &bounds, &Budget::unlimited()).expect("no limit");
            assert_eq!(ir::validate(&unfolded.program), [], "{}", path.display());
            let order = unfolded.threads.iter().map(|(id, thread)| thread.parent.is_none_or(|parent| parent < id));
            assert!(order.fold(true, |all, fine| all & fine), "a thread before its parent in {}", path.display());
            copied += copies(&program, &unfolded);
            checked += 1;
        }
    }
    assert!(checked > 100 && copied > 1000, "only {checked} programs with {copied} instructions");
}

/// How many instructions are said to be copies, each of one like it; calls are inlined, and others started once.
fn copies(program: &ir::Program, unfolded: &Unfolded) -> usize {
    let (mut copies, mut started) = (0, Vec::new());
    unfolded.for_each_instruction(&mut |point, kind| {
        assert!(!matches!(kind, InstKind::Call { .. }), "a call is left");
        if let InstKind::Spawn { callee: Callee::Direct(func), .. } = kind {
            assert!(!started.contains(func) && unfolded.thread_of(*func).is_some_and(|it| it.index() > 0));
            started.push(*func);
        }
        if let Some(original) = unfolded.origin(point).and_then(|origin| program.kind(origin))
            && kind.access().is_some()
            && !unfolded.reuses.contains_key(&point)
        {
            assert_eq!(discriminant(kind), discriminant(original), "{kind:?} for {original:?}");
            copies += 1;
        }
    });
    copies
}
