//! Counterexamples of small programs, as a reader sees them.

use claim::{Outcome, Trace};
use confirm::Verdict;
use ir::interp::{Code, Machine, Stepped};
use report::story::{Sources, Story};
use report::text;

/// Walks at random until an assertion fails.
fn find_violation(code: &Code<'_>) -> Trace {
    let mut seed = 1u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for _ in 0..10_000 {
        let mut machine = Machine::new(code);
        let mut trace = Trace::default();
        for _ in 0..1_000 {
            let can_move =
                |tid: &usize| machine.enabled(*tid) && machine.atomic_owner().is_none_or(|owner| owner == *tid);
            let enabled: Vec<usize> = (0..machine.thread_count()).filter(can_move).collect();
            if enabled.is_empty() {
                break;
            }
            let thread = enabled[random(enabled.len() as u64) as usize];
            trace.push(thread);
            let mut inputs = Vec::new();
            let step = machine.step(thread, &mut |_| {
                inputs.push(u128::from(random(4)));
                inputs[inputs.len() - 1]
            });
            trace.inputs.extend(inputs);
            match step {
                Stepped::Done => (),
                Stepped::Violated => return trace,
                Stepped::Blocked | Stepped::Ended(_) | Stepped::Unsupported(_) => break,
            }
        }
    }
    panic!("no violation found")
}

fn story(program: &str, source: &str) -> Story {
    let program = ir::text::parse(program, "test.ir").unwrap();
    assert_eq!(ir::validate::validate(&program), []);
    let code = Code::new(&program);
    let trace = find_violation(&code);
    let budget = base::Budget::unlimited();
    let Verdict::Unsafe(violation) =
        confirm::confirm("walk", Outcome::Unsafe(trace), &code, ir::Spec::default(), &budget)
    else {
        panic!("not confirmed")
    };
    let violation = report::simplify(&code, violation);
    let mut sources = Sources::new();
    sources.insert("queue.c", source);
    Story::new(&code, &violation.trace, &mut sources)
}

const LOST_UPDATE: &str = r#"
file 0 "queue.c"
layout $queue = struct 8 { head: i32 @0, tail: u32 @4 }
global @q: $queue
global @m: struct 8 { __lock: i32 @0, __kind: i32 @4 }
global @t: i64

func main() -> i32 {
  local %i: i32
  temp %h: i32, %r: i32
b0:
  %i = 0 !10:8
  jump loop !10:3
loop:
  branch %i < 2, body, done !10:14
body:
  atomic begin !11:5
  %h = spawn worker(null) !11:5
  store i64 @t, zext(%h, i64) !11:5
  atomic end !11:5
  %i = %i + 1 !10:20
  jump loop !10:3
done:
  join 2 !12:3
  join 3 !12:3
  %r = load i32 @q.tail !13:3
  assert %r == 2 "q.tail == 2" !13:3
  return 0
}

func worker(%arg: ptr) -> ptr {
  temp %r: i32
b0:
  %r = load i32 @q.tail !4:12
  store i32 @q.tail, %r + 1 !4:10
  lock i32 @m set self !5:3
  store i32 @q.head, 7 !6:3
  unlock i32 @m !7:3
  return null !8:3
}
"#;

const LOST_UPDATE_SOURCE: &str = "\
#include <pthread.h>

void *worker(void *arg) {
  q.tail = q.tail + 1;
  lock(&m);
  q.head = 7; // locked
  unlock(&m);
  return 0;

  for (int i = 0; i < 2; i++)
    pthread_create(&t, 0, worker, 0);
  join();
  assert(q.tail == 2);
";

const LOST_UPDATE_STORY: &str = "
   main      queue.c:10  for (int i = 0; i < 2; i++)        i = 0
   main      queue.c:11  pthread_create(&t, 0, worker, 0);  starts worker#1
   main      queue.c:10  for (int i = 0; i < 2; i++)        i = 1
   main      queue.c:11  pthread_create(&t, 0, worker, 0);  starts worker#2
   main      queue.c:10  for (int i = 0; i < 2; i++)        i = 2
>> worker#1  queue.c:4   q.tail = q.tail + 1;               q.tail reads 0
>> worker#2  queue.c:4   q.tail = q.tail + 1;               q.tail = 1 (was 0)
   worker#2  queue.c:5   lock(&m);                          lock m
   worker#2  queue.c:6   q.head = 7;                        q.head = 7 (was 0)
   worker#2  queue.c:7   unlock(&m);                        unlock m
   worker#2  queue.c:8   return 0;                          thread ends
>> worker#1  queue.c:4   q.tail = q.tail + 1;               q.tail = 1 (was 1)
   worker#1  queue.c:5   lock(&m);                          lock m
   worker#1  queue.c:6   q.head = 7;                        q.head = 7 (was 7)
   worker#1  queue.c:7   unlock(&m);                        unlock m
   worker#1  queue.c:8   return 0;                          thread ends
>> main      queue.c:12  join();                            joins worker#1, joins worker#2
   main      queue.c:13  assert(q.tail == 2);               q.tail reads 1

queue.c:13:3: violated: q.tail == 2 in main
";

#[test]
fn a_lost_update_reads_well() {
    let story = story(LOST_UPDATE, LOST_UPDATE_SOURCE);
    assert_eq!(format!("\n{}", text::list(&story)), LOST_UPDATE_STORY);
}

#[test]
fn threads_stand_side_by_side() {
    let story = story(LOST_UPDATE, LOST_UPDATE_SOURCE);
    let shown = text::columns(&story, 120);
    assert!(shown.starts_with("main     "), "{shown}");
    assert!(shown.lines().any(|line| line.trim_start().starts_with("|  ") && line.contains("| 4: q.tail")), "{shown}");
    assert!(text::columns(&story, 40).starts_with("(too many threads"));
}
