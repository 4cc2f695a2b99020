//! What an unfolding keeps depends on what is looked for in it.

use base::Budget;
use facts::Facts;
use ir::{Goal, InstKind};
use passes::{Bounds, Preserves, Unfolded};

fn unfold(functions: &str, goal: Goal) -> Unfolded {
    let text = format!("global @x: i32\nentry main\n{functions}");
    let program = ir::text::parse(&text, "test.ir").expect("a program");
    let unfolded = passes::unfold(&program, &Facts::compute(&program), goal, &Bounds::new(2), &Budget::unlimited());
    unfolded.unwrap_or_else(|_| panic!("there is no limit"))
}

/// How often it is assumed that a round has changed something.
fn assumptions(unfolded: &Unfolded) -> usize {
    let blocks = unfolded.threads.values().flat_map(|thread| unfolded.program.functions[thread.func].blocks.values());
    blocks.flat_map(|block| &block.insts).filter(|inst| matches!(inst.kind, InstKind::Assume { .. })).count()
}

#[test]
fn rounds_that_change_nothing_are_left_out_for_assertions_only() {
    let waits = "
func main() -> i32 {
  temp %n: i32
b0:
  jump head
head:
  %n = load i32 @x
  branch %n == 0, again, done
again:
  jump head
done:
  return 0
}";
    let ends = |goal| unfold(waits, goal).cuts.len() + assumptions(&unfold(waits, goal));
    // Of a round that surely changes nothing not even the assumption is left.
    assert_eq!(ends(Goal::Assertion), 0);
    for goal in [Goal::Race, Goal::Deadlock, Goal::Lasso] {
        let unfolded = unfold(waits, goal);
        assert_eq!((unfolded.cuts.len(), assumptions(&unfolded)), (1, 0), "{goal:?}");
        assert_eq!(unfolded.preserves(), Some(Preserves::Fewer), "{goal:?}");
    }
}

#[test]
fn objects_of_inlined_functions_live_on() {
    let program = |kind: &str| {
        format!(
            "
func main() -> i32 {{
  temp %p: ptr
b0:
  %p = alloc stack 4
  call f()
  return 0
}}
func f() {{
  temp %p: ptr
b0:
  %p = alloc {kind} 4
  store i32 %p, 1
  return
}}"
        )
    };
    assert_eq!(unfold(&program("heap"), Goal::Assertion).preserves(), Some(Preserves::Exact));
    assert_eq!(unfold(&program("stack"), Goal::Assertion).preserves(), Some(Preserves::More));
}

#[test]
fn blocks_that_are_put_aside_live_on() {
    let freed_and_used = "global @g: ptr
func main() -> i32 {
  temp %p: ptr, %v: i32
b0:
  spawn other()
  %p = load ptr @g
  free %p
  %v = load i32 %p
  return 0
}
func other() {
  temp %p: ptr
b0:
  %p = alloc heap 4 \"block\"
  store ptr @g, %p
  return
}";
    assert_eq!(unfold(freed_and_used, Goal::Assertion).preserves(), Some(Preserves::More));
}
