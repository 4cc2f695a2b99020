//! Programs unfolded into threads with the loops that no constant ends.

use base::Budget;
use facts::Facts;
use ir::{AllocKind, Goal};
use passes::{Bounds, CutKind, Unfolded};

/// The functions of the text, unfolded with loops kept; constants may end loops in so many rounds.
fn unfold(counted: u32, functions: &str) -> Unfolded {
    let text = format!("file 0 \"test.c\"\nglobal @x: i32\nglobal @y: i32\nentry main\n{functions}");
    let program = ir::text::parse(&text, "test.ir").expect("a program");
    assert_eq!(ir::validate(&program), []);
    let bounds = Bounds::keeping_loops(counted);
    let unfolded = passes::unfold(&program, &Facts::compute(&program), Goal::Assertion, &bounds, &Budget::unlimited());
    let unfolded = unfolded.unwrap_or_else(|_| panic!("there is no limit"));
    assert_eq!(ir::validate(&unfolded.program), []);
    unfolded
}

/// The blocks of a thread, as text.
fn body(unfolded: &Unfolded, thread: usize) -> String {
    let name = &unfolded.program.functions[unfolded.threads[thread].func].name;
    let text = ir::text::print_without_positions(&unfolded.program);
    let function = text.split("\nfunc ").find(|part| part.starts_with(&format!("{name}("))).expect("it is printed");
    let blocks = function.find("b0:").expect("there is a first block");
    let end = function.find("\n}").expect("it ends");
    function[blocks..end].to_string()
}

fn kinds(unfolded: &Unfolded) -> Vec<CutKind> {
    unfolded.cuts.iter().map(|cut| cut.kind).collect()
}

const COUNT_TO_THREE: &str = "
func main() -> i32 {
  temp %i: i32
b0:
  %i = 0
  jump head
head:
  branch %i < 3, body, done
body:
  store i32 @x, %i
  %i = %i + 1
  jump head
done:
  return 0
}";

#[test]
fn a_loop_that_a_constant_ends_is_unwound() {
    let unfolded = unfold(3, COUNT_TO_THREE);
    assert_eq!(kinds(&unfolded), []);
    let expected = "\
b0:
  store i32 @x, 0
  store i32 @x, 1
  store i32 @x, 2
  return 0";
    assert_eq!(body(&unfolded, 0), expected);
}

#[test]
fn a_loop_that_would_be_unwound_too_often_is_kept_from_its_first_round_on() {
    let expected = "\
b0:
  %i = 0
  jump b1
b1:
  branch %i < 3, b2, b3
b2:
  store i32 @x, %i
  %i = %i + 1
  jump b1
b3:
  return 0";
    for counted in [0, 2] {
        let unfolded = unfold(counted, COUNT_TO_THREE);
        assert_eq!(kinds(&unfolded), []);
        assert_eq!(body(&unfolded, 0), expected);
    }
}

#[test]
fn a_loop_that_waits_is_kept_and_what_it_only_counts_is_dropped() {
    let unfolded = unfold(
        100,
        "
func main() -> i32 {
  temp %v: i32, %k: i32, %n: i32
b0:
  %k = 7
  %n = 0
  jump head
head:
  %v = havoc nondet \"v\"
  %n = %n + 1
  branch %v == 0, head, done
done:
  store i32 @y, %k
  return 0
}",
    );
    assert_eq!(kinds(&unfolded), []);
    let expected = "\
b0:
  jump b1
b1:
  %v = havoc nondet \"v\"
  branch %v == 0, b1, b2
b2:
  store i32 @y, 7
  return 0";
    assert_eq!(body(&unfolded, 0), expected);
}

#[test]
fn what_the_loop_writes_is_forgotten_also_where_it_was_known() {
    let unfolded = unfold(
        100,
        "
func main() -> i32 {
  temp %v: i32, %k: i32
b0:
  %k = 7
  jump head
head:
  store i32 @x, %k
  %k = 8
  %v = havoc nondet \"v\"
  branch %v == 0, head, done
done:
  store i32 @y, %k
  return 0
}",
    );
    let expected = "\
b0:
  %k = 7
  jump b1
b1:
  store i32 @x, %k
  %k = 8
  %v = havoc nondet \"v\"
  branch %v == 0, b1, b2
b2:
  store i32 @y, 8
  return 0";
    assert_eq!(body(&unfolded, 0), expected);
}

#[test]
fn loops_in_loops_are_unwound_or_kept_each_for_itself() {
    let unfolded = unfold(
        100,
        "
func main() -> i32 {
  temp %v: i32, %i: i32, %j: i32
b0:
  %j = 5
  jump outer
outer:
  %v = havoc nondet \"v\"
  branch %v == 0, first, done
first:
  %i = 0
  jump inner
inner:
  branch %i < 2, body, next
body:
  store i32 @y, %i
  %i = %i + 1
  jump inner
next:
  %v = havoc nondet \"v\"
  branch %v == %j, next, outer
done:
  return 0
}",
    );
    let expected = "\
b0:
  jump b1
b1:
  %v = havoc nondet \"v\"
  branch %v == 0, b2, b4
b2:
  store i32 @y, 0
  store i32 @y, 1
  jump b3
b3:
  %v = havoc nondet \"v\"
  branch %v == 5, b3, b1
b4:
  return 0";
    assert_eq!(body(&unfolded, 0), expected);
}

#[test]
fn rounds_that_a_constant_decides_stay_unwound_before_one_that_is_kept() {
    let unfolded = unfold(
        100,
        "
func main() -> i32 {
  temp %i: i32
b0:
  %i = 0
  jump head
head:
  branch %i < 5, body, done
body:
  store i32 @y, %i
  branch %i == 1, look, step
look:
  %i = havoc nondet \"i\"
  jump head
step:
  %i = %i + 1
  jump head
done:
  return 0
}",
    );
    let expected = "\
b0:
  store i32 @y, 0
  store i32 @y, 1
  %i = havoc nondet \"i\"
  jump b1
b1:
  branch %i < 5, b2, b5
b2:
  store i32 @y, %i
  branch %i == 1, b4, b3
b3:
  %i = %i + 1
  jump b1
b4:
  %i = havoc nondet \"i\"
  jump b1
b5:
  return 0";
    assert_eq!(body(&unfolded, 0), expected);
}

#[test]
fn calls_in_a_loop_are_inlined_there_and_their_allocations_listed() {
    let unfolded = unfold(
        100,
        "
func work(%k: i32) -> i32 {
  temp %p: ptr, %q: ptr, %v: i32
b0:
  %p = alloc stack 4 \"p\" !7:1
  store i32 %p, %k
  %v = load i32 %p
  %q = alloc heap 4 \"q\" !10:1
  return %v
}
func main() -> i32 {
  temp %v: i32, %p: ptr
b0:
  %p = alloc heap 4 \"once\"
  jump head
head:
  %v = call work(3)
  branch %v == 0, head, done
done:
  %v = call work(4)
  return %v
}",
    );
    assert_eq!(kinds(&unfolded), []);
    let sites: Vec<_> = unfolded.repeated.iter().map(|site| (site.kind, site.point.block.0, site.pos.line)).collect();
    assert_eq!(sites, [(AllocKind::Stack, 1, 7), (AllocKind::Heap, 1, 10)]);
}

#[test]
fn a_thread_started_in_a_kept_loop_is_a_cut_and_in_an_unwound_one_not() {
    let text = "
func worker(%k: i32) {
b0:
  store i32 @x, %k
  return
}
func main() -> i32 {
  temp %v: i32, %i: i32
b0:
  %i = 0
  jump count
count:
  spawn worker(%i) !16:1
  %i = %i + 1
  branch %i < 2, count, more
more:
  %v = havoc nondet \"v\"
  branch %v == 0, body, done
body:
  spawn worker(9) !22:1
  jump more
done:
  return 0
}";
    let unfolded = unfold(100, text);
    assert_eq!(kinds(&unfolded), [CutKind::ThreadsInLoop]);
    assert_eq!(unfolded.cuts[0].pos.line, 22);
    let bodies: Vec<_> = (1..unfolded.threads.len()).map(|thread| body(&unfolded, thread)).collect();
    assert_eq!(bodies, ["b0:\n  store i32 @x, 0\n  return", "b0:\n  store i32 @x, 1\n  return"]);
    // The other loop is kept too.
    let unfolded = unfold(0, text);
    assert_eq!(kinds(&unfolded), [CutKind::ThreadsInLoop]);
    assert_eq!(unfolded.cuts[0].pos.line, 16);
    assert_eq!(unfolded.threads.len(), 1);
}

#[test]
fn loops_with_several_ways_in_are_cut() {
    let unfolded = unfold(
        100,
        "
func main() -> i32 {
  temp %c: i1
b0:
  %c = havoc nondet \"c\"
  branch %c, left, right
left:
  %c = havoc nondet \"c\"
  branch %c, right, done !10:1
right:
  store i32 @x, 1
  jump left !13:1
done:
  return 0
}",
    );
    let [cut] = unfolded.cuts.as_slice() else { panic!("{:?}", unfolded.cuts) };
    assert!(matches!(cut.kind, CutKind::Irreducible(..)), "{cut:?}");
    assert!([10, 13].contains(&cut.pos.line), "{cut:?}");
}

#[test]
fn recursion_is_cut() {
    let unfolded = unfold(
        100,
        "
func again(%k: i32) {
  temp %c: i1
b0:
  %c = havoc nondet \"c\"
  branch %c, more, done
more:
  call again(%k + 1) !9:1
  jump done
done:
  return
}
func main() -> i32 {
b0:
  call again(0)
  return 0
}",
    );
    let [cut] = unfolded.cuts.as_slice() else { panic!("{:?}", unfolded.cuts) };
    assert!(matches!(cut.kind, CutKind::Recursion(_)), "{cut:?}");
    assert_eq!(cut.pos.line, 9);
}

#[test]
fn loops_are_kept_where_unwinding_them_takes_too_much_room() {
    let text = format!("global @x: i32\nentry main\n{}", COUNT_TO_THREE.replace("%i < 3", "%i < 900"));
    let program = ir::text::parse(&text, "test.ir").expect("a program");
    let bounds = Bounds { size: 500, ..Bounds::keeping_loops(1000) };
    let unfolded = passes::unfold(&program, &Facts::compute(&program), Goal::Assertion, &bounds, &Budget::unlimited());
    let unfolded = unfolded.unwrap_or_else(|_| panic!("there is no limit"));
    assert_eq!(kinds(&unfolded), []);
    assert_eq!(unfolded.size(), 7);
}
