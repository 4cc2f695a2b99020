//! Programs written as C are compiled, without a warning, and run: what they reach is what the interpreter reaches.

#[path = "../random/mod.rs"]
mod random;

use base::Rng;
use checkers::{Sequential, to_c};
use random::explore::{Explored, explore};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(arguments: &[&str], text: &str) {
    let output = Command::new("gcc").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the program many times with random choices.
const HARNESS: &str = "
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
int program(void);
static jmp_buf start;
static unsigned long long state = 1;
static int ticks;
static unsigned choice(unsigned end)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % end;
}
_Noreturn void stop(void) { longjmp(start, 1); }
_Noreturn void fail(const char *a, const char *b, unsigned int c, const char *d)
{
    (void)a; (void)b; (void)c; (void)d;
    longjmp(start, 2);
}
long __VERIFIER_nondet_long(void) { return (long)choice(5) - 2; }
int __VERIFIER_nondet_int(void) { return (int)choice(2); }
void tick(void)
{
    if (++ticks > 60)
        stop();
}
int main(int count, char **arguments)
{
    volatile int run = 0, failed = 0;
    int runs = count > 1 ? atoi(arguments[1]) : 1;
    switch (setjmp(start)) {
    case 2: failed++; break;
    }
    while (run < runs) {
        run++;
        ticks = 0;
        program();
    }
    printf(\"%d\\n\", failed);
    return 0;
}
";

/// How many of `runs` random executions fail.
fn failing_runs(program: &Sequential, folder: &Path, runs: u32) -> u32 {
    let text = to_c(program, &["A random program.".into()]).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    std::fs::write(file("program.c"), &text).unwrap();
    std::fs::write(file("harness.c"), HARNESS).unwrap();
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-c", &file("program.c"), "-o", &file("strict.o")];
    compile(&strict, &text);
    // A loop may have no end.
    let ticking = text.replace("while (1) {", "while (1) { tick();").replace("goto ", "tick(); goto ");
    std::fs::write(file("program.c"), format!("void tick(void);\n{ticking}")).unwrap();
    let renamed = ["-Dmain=program", "-Dabort=stop", "-D__assert_fail=fail", "-O1", "-c"];
    compile(&[renamed.as_slice(), &[&file("program.c"), "-o", &file("program.o")]].concat(), &text);
    compile(&["-O1", &file("harness.c"), &file("program.o"), "-o", &file("run")], &text);
    let output = Command::new(file("run")).arg(runs.to_string()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
}

#[test]
fn what_is_written_as_c_reaches_what_the_interpreter_reaches() {
    let folder = folder("native");
    let mut random = Rng::new(7);
    let (mut safe, mut missed, mut found) = (0, 0, 0);
    for number in 0..50 {
        let program = match number % 3 {
            0 => random::layered(&mut random),
            kind => random::program(&mut random, kind == 1),
        };
        match (explore(&program, random::RANGE, 50_000), failing_runs(&program, &folder, 20_000)) {
            (Explored::Safe, 0) => safe += 1,
            (Explored::Safe, _) => panic!("{}", to_c(&program, &[]).unwrap()),
            (Explored::Unsafe(_), 0) => missed += 1,
            (Explored::Unsafe(_), _) => found += 1,
            (Explored::TooMany, _) => {}
        }
    }
    // Random runs miss little in programs this small.
    assert!(safe > 8 && found > 8 && missed * 8 < found, "{safe} safe, {found} found, {missed} missed");
}
