//! Claims of safety by complete unrolling: true ones are confirmed, false ones and those with bounds that are too small are not.

mod common;

use base::Budget;
use claim::{Proof, Unrolling};
use common::Loaded;
use ir::Program;
use ir::interp::Code;
use std::time::Duration;

/// What is wrong with the claim that a program is safe within bounds.
fn refused(program: &Program, unwind: u32) -> Option<String> {
    refused_within(program, Unrolling { unwind, loops: Vec::new(), counted: 1 << 10, threads: 50, size: 100_000 })
}

fn refused_within(program: &Program, bounds: Unrolling) -> Option<String> {
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    let why = confirm::check(&Proof::Unrolling(bounds), &Code::new(program), &budget).err()?.to_string();
    // Out of time, on a machine that is busy.
    Some(budget.spent().map_or(why, |spent| format!("more than can be looked at: {spent}")))
}

fn parse(text: &str) -> Program {
    let program = ir::text::parse(text, "test.ir").expect("a program");
    assert_eq!(ir::validate(&program), []);
    program
}

/// Why a safe program may go unconfirmed with four times round each loop: it does more than that, or something that is refused.
const HONEST: [&str; 4] = ["more than", "looks at handles", "not supported", "may go anywhere"];

#[test]
fn programs_in_c() {
    let (mut safe, mut confirmed, mut open, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for Loaded { name, text, program } in common::programs_in_c() {
        if text.starts_with("//@ assert: unsafe") {
            let fine = (1..=3).all(|unwind| refused(&program, unwind).is_some());
            wrong.extend((!fine).then(|| format!("{name}: confirmed, though it is not safe")));
            continue;
        }
        safe += 1;
        match refused(&program, 4) {
            None => confirmed += 1,
            Some(why) if HONEST.iter().any(|honest| why.contains(honest)) => open.push(format!("{name}: {why}")),
            Some(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(5 * confirmed > 4 * safe, "only {confirmed} of {safe} programs are confirmed:\n{}", open.join("\n"));
}

const COUNTING: &str = "
global @n: i32
func main() {
b0:
  %h = spawn worker(LIMIT)
  join %h
  %n = load i32 @n
  assert %n <=u 5
  return
}
func worker(%limit: i32) {
  temp %any: i32
b0:
  %i = 0:i32
  %any = havoc nondet \"times\"
  assume %any <=u %limit
  jump head
head:
  branch %i < %any, body, end
body:
  %i = %i + 1
  update i32 @n set old + 1
  jump head
end:
  return
}
";

#[test]
fn bounds_that_are_too_small() {
    let program = parse(&COUNTING.replace("LIMIT", "5"));
    assert_eq!(refused(&program, 2).as_deref(), Some("the loop at an unknown place can go round more than 2 times"));
    assert_eq!(refused(&program, 9), None);
    let program = parse(&COUNTING.replace("LIMIT", "6"));
    assert_eq!(refused(&program, 9).as_deref(), Some("the assertion at an unknown place can fail"));
}

#[test]
fn too_few_threads_or_instructions() {
    let program = parse(&COUNTING.replace("LIMIT", "5"));
    for (threads, size, why) in [(1, 1000, "more than 1 threads"), (10, 12, "more than 12 instructions")] {
        let claim = Unrolling { unwind: 9, loops: Vec::new(), counted: 1 << 10, threads, size };
        let said = refused_within(&program, claim).expect("too little");
        assert!(said.contains(why), "{said}");
    }
}

/// Two threads; what they do comes from the outside.
fn two(first: &str, second: &str, globals: &str, after: &str) -> Program {
    parse(&format!(
        "{globals}
func main() {{
b0:
  %a = spawn first()
  %b = spawn second()
  join %a
  join %b
{after}
  return
}}
func first() {{
b0:
{first}
  return
}}
func second() {{
b0:
{second}
  return
}}
"
    ))
}

#[test]
fn store_buffers_are_not_there() {
    let globals = "global @x: i32\nglobal @y: i32\nglobal @r: i32\nglobal @s: i32";
    let after = "  %r = load i32 @r\n  %s = load i32 @s\n  assert (%r | %s) != 0";
    let write_then_read = two(
        "  store i32 @x, 1\n  %v = load i32 @y\n  store i32 @r, %v",
        "  store i32 @y, 1\n  %v = load i32 @x\n  store i32 @s, %v",
        globals,
        after,
    );
    assert_eq!(refused(&write_then_read, 1), None);
    let reads_first = two(
        "  %v = load i32 @y\n  store i32 @x, 1\n  store i32 @r, %v",
        "  %v = load i32 @x\n  store i32 @y, 1\n  store i32 @s, %v",
        globals,
        after,
    );
    assert!(refused(&reads_first, 1).is_some());
}

#[test]
fn parts_of_a_word_are_written_apart() {
    let halves = |after: &str| {
        two(
            "  store i16 @w, 1",
            "  store i16 @w + 2, 2\n  store i8 @w + 1, 3",
            "global @w: i32",
            &format!("  %w = load i32 @w\n  assert {after}"),
        )
    };
    assert!(refused(&halves("%w == 131841"), 1).is_some(), "the byte may be overwritten");
    assert_eq!(refused(&halves("(%w == 131841) | (%w == 131073)"), 1), None);
}

#[test]
fn a_section_that_would_block_is_not_begun() {
    let globals = "global @x: i32\nglobal @m: i32";
    let text = |inside: &str| {
        two(
            &format!("  atomic begin\n  store i32 @x, 1\n  {inside}\n  store i32 @x, 2\n  atomic end"),
            "  %x = load i32 @x\n  assert %x != 1\n  assert %x != 2",
            globals,
            "",
        )
    };
    assert!(refused(&text("fence.sc"), 1).is_some());
    assert_eq!(refused(&text("assume false"), 1), None);
    assert_eq!(refused(&text("update i32 @m when old == 1"), 1), None);
}

#[test]
fn nothing_happens_after_the_end_of_the_program() {
    let text = |then: &str| {
        parse(&format!(
            "global @x: i32
func main() {{
b0:
  %a = spawn first()
  store i32 @x, 1
  {then}
}}
func first() {{
b0:
  %x = load i32 @x
  assert %x == 0
  return
}}
"
        ))
    };
    // Between the store and the end the other thread may look.
    for then in ["return", "halt", "exit_thread"] {
        assert!(refused(&text(then), 1).is_some(), "{then}");
    }
}

#[test]
fn a_call_that_does_not_fit_its_function_is_made() {
    let text = |given: &str, params: &str, cond: &str| {
        parse(&format!(
            "global @f: ptr = &g
func main() {{
  temp %p: ptr, %r: i32
b0:
  %p = load ptr @f
  %r = call *%p({given})
  assert %r == 0
  return
}}
func g({params}) {{
b0:
  assert {cond}
  return
}}
"
        ))
    };
    assert!(refused(&text("1:i32", "", "false"), 1).is_some(), "an argument too many");
    assert_eq!(refused(&text("", "%a: i32", "%a == 0"), 1), None, "missing ones are zero");
    assert_eq!(refused(&text("7:i32", "%a: i64", "%a == 7"), 1), None, "values are bits");
    let narrow = refused(&text("7:i64", "%a: i32", "true"), 1);
    assert!(narrow.is_some_and(|why| why.contains("not supported")), "what is lost has no meaning");
}
