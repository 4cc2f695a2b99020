//! Functions without a body that could write through what they get: reaching them means UNKNOWN, with every engine.  And
//! what a SAFE says of itself: where executions may end early, and that there was nothing to violate.

mod support;

use serde_json::Value;
use support::Folder;

const ENGINES: [&str; 5] = ["explicit", "lazy", "comus", "product", "auto"];

const HEAD: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { int *inside; int n; };
union word { int *pointer; long number; };
extern int fill(int *p);
extern void take(struct box b);
extern void hide(union word w);
extern void say(const char *what, ...);
extern void number(long n);
extern void later(void (*f)(void));
extern int *give(int n);
extern void *start(void *arg);
int x, *px = &x;
int *const constant = &x;
void set(void) { x = 1; }
";

/// Checks `body` with an engine.
fn check(folder: &Folder, engine: &str, options: &str, body: &str) -> support::Ran {
    folder.write("a.c", format!("{HEAD}int main(void) {{\n{body}\nassert(x == 0); }}\n"));
    folder.run(&format!("check --engine {engine} --timeout 20s {options} a.c"))
}

#[track_caller]
fn is_unknown(options: &str, body: &str, words: &str) {
    let folder = Folder::new();
    for engine in ENGINES {
        let ran = check(&folder, engine, options, body);
        let last = ran.last_line();
        let expected = ran.status == Some(5) && last.starts_with("UNKNOWN(not supported: ") && last.contains(words);
        assert!(expected && last.contains("a.c:"), "{engine}: {body}: {ran:#?}");
    }
}

#[test]
fn pointers_that_are_given_away() {
    let hint = "which has no body and gets a pointer (give it a body, or see --extern) at a.c:18";
    for body in [
        "fill(&x);",
        "fill(px);",
        "int y = 0; fill(&y);",
        "say(\"a number\", &x);",
        "number((long)&x);",
        "long n = (long)px + 4; number(n);",
        "struct box b = {&x, 1}; take(b);",
        "union word w; w.pointer = &x; hide(w);",
        "later(set);",
        "fill(constant);",
        "int *p = malloc(4); fill(p);",
    ] {
        is_unknown("", body, hint);
    }
}

#[test]
fn pointers_that_are_given_away_through_pointers() {
    is_unknown("", "int (*volatile f)(int *) = fill; f(&x);", "`fill`, which has no body and gets pointers");
    is_unknown("", "pthread_t t; pthread_create(&t, 0, start, 0);", "`start`, which has no body and gets pointers");
}

#[test]
fn pointers_that_come_back() {
    let words = "the use of a pointer that `give` returns";
    is_unknown("", "int *p = give(1); if (p) x = *p;", words);
    is_unknown("--extern pure", "px = give(1);", words);
}

#[test]
fn what_cannot_be_written_with_anything() {
    let folder = Folder::new();
    is_unknown("--extern havoc", "fill(px);", "what the pointer it gets points to is not known here");
    is_unknown("--extern havoc", "struct box b = {&x, 1}; fill((int *)&b);", "memory that holds pointers");
    check(&folder, "auto", "--extern havoc", "int y; fill(&y);").expect(0, "SAFE");
    check(&folder, "auto", "--extern havoc", "fill(&x);").expect(10, "UNSAFE(unreach-call)");
    check(&folder, "auto", "--extern pure", "fill(&x);").expect(0, "SAFE");
    check(&folder, "auto", "--extern error", "number(1);")
        .expect(5, "UNKNOWN(not supported: a call of `number`, which has no body at a.c:18)");
}

#[test]
fn functions_of_the_library_that_are_not_modelled() {
    let folder = Folder::new();
    for (header, body) in [
        ("sys/stat.h", "struct stat s; s.st_size = 0; stat(\".\", &s); assert(s.st_size == 0);"),
        ("stdio.h", "int n = 0; scanf(\"%d\", &n); assert(n == 0);"),
        ("stdio.h", "int n = 0; printf(\"%d%%%hn\", 1, (short *)&n); assert(n == 0);"),
        ("poll.h", "struct pollfd p = {0, 0, 0}; poll(&p, 1, 0); assert(p.revents == 0);"),
    ] {
        let text = format!("#include <assert.h>\n#include <{header}>\nint main(void) {{ {body} }}\n");
        folder.write("a.c", text);
        let ran = folder.run("check --timeout 20s a.c");
        assert!(ran.status == Some(5) && ran.last_line().starts_with("UNKNOWN(not supported: "), "{ran:#?}");
    }
}

#[test]
fn error_functions_replay() {
    let folder = Folder::new();
    folder.write("a.c", "void panic(void) {}\nint main(void) { panic(); }\n");
    folder.run("check a.c").expect(0, "SAFE");
    let ran = folder.run("check --error-function panic --trace t.json a.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    assert!(ran.stdout.contains("panic() is called"), "{ran:#?}");
    folder.run("replay --trace t.json a.c").expect(10, "UNSAFE(unreach-call)");
    let ran = folder.run("check --error-function pnaic a.c");
    assert!(
        ran.expect(0, "SAFE").stderr.contains("`pnaic`, whose being called is to be an error, does not"),
        "{ran:#?}"
    );
}

// ---- what a SAFE says of itself ----

fn json(ran: &support::Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

#[test]
fn executions_that_end_early_are_named() {
    let folder = Folder::new();
    folder.write("null.c", "#include <assert.h>\nint *volatile p;\nint main(void) {\n*p = 1;\nassert(0);\n}\n");
    folder.write("fine.c", "#include <assert.h>\nint x;\nint main(void) {\nx = 1;\nassert(x == 1);\n}\n");
    folder.write("zero.c", "#include <assert.h>\nint zero, y;\nint main(void) {\ny = 1 / zero;\nassert(0);\n}\n");
    for engine in ENGINES {
        for file in ["null.c", "zero.c", "fine.c"] {
            let ran = folder.run(&format!("check --engine {engine} --timeout 20s {file}"));
            let said = ran.stdout.contains("end early") && ran.stdout.contains(&format!("{file}:4"));
            // Whoever does not know may say so.
            if ran.last_line() == "SAFE" {
                assert_eq!(said, file != "fine.c", "{engine}: {ran:#?}");
            } else {
                assert!(ran.status == Some(5) && file != "fine.c", "{engine}: {ran:#?}");
            }
        }
    }
    let answer = json(&folder.run("check --engine explicit --json null.c"));
    assert_eq!(answer["ends"][0]["line"], 4);
    assert_eq!(answer["ends"][0]["certain"], true);
    assert_eq!(answer["caveats"].as_array().map(Vec::len), Some(2));
    assert_eq!(json(&folder.run("check --json fine.c"))["ends"], Value::Array(Vec::new()));
}

#[test]
fn numbers_of_pointers_are_named() {
    let folder = Folder::new();
    let program = |test: &str| {
        format!(
            "#include <assert.h>\n#include <stdlib.h>\nint main(void) {{\nchar *p = malloc(4), *q = malloc(4);\n\
             if ({test})\nassert(p == q);\n}}\n"
        )
    };
    folder.write("bits.c", program("((unsigned long)p >> 4 & 15) != ((unsigned long)q >> 4 & 15)"));
    folder.write("equal.c", program("p == q"));
    for engine in ENGINES {
        for (file, expected) in [("bits.c", true), ("equal.c", false)] {
            let ran = folder.run(&format!("check --engine {engine} --timeout 20s {file}"));
            let said = ran.stdout.contains(&format!("computes with the numbers of pointers at {file}:5"));
            assert!(ran.last_line() != "SAFE" || said == expected, "{engine}: {ran:#?}");
        }
    }
}

#[test]
fn functions_that_do_not_return_end_nothing_wrongly() {
    let folder = Folder::new();
    let text = "#include <assert.h>\n_Noreturn void die(int n);\nextern int ask(int n);\n\
        int main(void) {\nint n = ask(1);\nif (n < 0) die(1);\nassert(n >= 0);\n}\n";
    folder.write("a.c", text);
    for engine in ENGINES {
        let ran = folder.run(&format!("check --engine {engine} --timeout 20s a.c"));
        assert!(!ran.expect(0, "SAFE").stdout.contains("end early"), "{engine}: {ran:#?}");
    }
}

#[test]
fn programs_without_assertions_are_told_so() {
    let folder = Folder::new();
    let words = "no assertion can be reached";
    folder.write("none.c", "int x;\nint main(void) { x = 1; }\n");
    folder.write("dead.c", "#include <assert.h>\nint x;\nint main(void) { if (x) assert(x == 7); }\n");
    folder.write("some.c", "#include <assert.h>\nint x;\nint main(void) { assert(x == 0); }\n");
    for engine in ENGINES {
        let run = |file: &str| folder.run(&format!("check --engine {engine} --timeout 20s {file}"));
        let none = run("none.c");
        assert!(none.expect(0, "SAFE").stdout.contains(words), "{engine}: {none:#?}");
        let some = run("some.c");
        assert!(!some.expect(0, "SAFE").stdout.contains(words), "{engine}: {some:#?}");
    }
    let dead = folder.run("check --engine explicit dead.c");
    assert!(dead.expect(0, "SAFE").stdout.contains(words), "{dead:#?}");
    let answer = json(&folder.run("check --json --engine explicit dead.c"));
    assert_eq!(answer["assertions_reachable"], false);
}
