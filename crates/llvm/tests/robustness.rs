//! Whatever the text, the reader returns, and soon.

mod common;

use base::{Rng, damage};
use common::{ALL, NEW, OLD};
use llvm::parse;

/// Reads a text and, if that works, walks over the debug information.
fn exercise(text: &str) -> bool {
    let Ok(module) = parse(text) else {
        return false;
    };
    for id in module.metadata.ids() {
        module.location(id).and_then(|location| module.file_of_scope(location.scope?));
        module.local_variable(id);
        module.global_variable(id);
        module.strip(Some(id));
        module.debug_type(id);
    }
    for function in &module.functions {
        for block in function.blocks.values() {
            let last = block.insts.last().expect("a block has instructions");
            assert!(last.op.is_terminator());
            for inst in &block.insts {
                assert!(inst.op.successors().iter().all(|to| function.blocks.get(*to).is_some()));
            }
        }
    }
    true
}

#[test]
fn damaged_texts() {
    let mut random = Rng::new(42);
    let texts = [NEW, OLD, ALL].map(str::to_string);
    let accepted = (0..4200).filter(|_| exercise(&damage(&texts, &mut random))).count();
    // Much damage only touches blanks or numbers.
    assert!(accepted > 0);
}

#[test]
fn deep_nesting() {
    let deep = 200_000;
    let nest = |open: &str, close: &str| open.repeat(deep) + &close.repeat(deep);
    let texts = [
        format!("@a = global {} zeroinitializer", nest("[1 x ", "]")),
        format!("@a = global {} zeroinitializer", nest("{", "}")),
        format!("@a = global {} zeroinitializer", nest("<{", "}>")),
        format!("@a = global {} zeroinitializer", nest("<1 x ", ">")),
        format!("@a = global void {} zeroinitializer", nest("(", ")")),
        format!("@a = global void ({} zeroinitializer", "void (".repeat(deep)),
        format!("@a = global ptr {}", "getelementptr (i8, ptr ".repeat(deep)),
        format!("@a = global i64 {}", "add (i64 ".repeat(deep)),
        format!("!0 = {}", nest("!{", "}")),
        format!("!0 = {}", "!DIFoo(x: ".repeat(deep)),
        format!("!0 = !DIFoo(x: {})", nest("[", "]")),
        format!("define void @f() {}", nest("x(", ")")),
        format!("@a = global i32{} null", "*".repeat(deep)),
        "(".repeat(deep),
        "\"".repeat(deep + 1),
    ];
    for text in texts {
        // A thread with a small stack: 1 MB must be plenty even unoptimised.
        let run = move || {
            let _ = parse(&text);
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
        thread.expect("a thread").join().expect("no panic");
    }
}

#[test]
fn nesting_through_names_is_bounded() {
    let chain = |len: usize| {
        let mut text = String::from("%t0 = type { i8 }\n");
        for i in 1..len {
            text.push_str(&format!("%t{i} = type {{ %t{} }}\n", i - 1));
        }
        text
    };
    assert!(parse(&chain(100)).is_ok());
    assert!(parse(&chain(100_000)).is_err());
}

#[test]
fn large_numbers_take_no_memory() {
    let text = "!4294967295 = !{!4294967294}\n@4294967295 = global [18446744073709551615 x [4 x i8]] zeroinitializer\n\
                attributes #4294967295 = { nounwind }\n%4294967295 = type opaque";
    assert!(parse(text).is_ok());
    assert!(parse("!99999999999 = !{}").is_err());
    assert!(parse(&format!("@a = global i32 {}", "9".repeat(100_000))).is_ok());
    assert!(parse(&format!("@a = global double {}.5", "9".repeat(100_000))).is_ok());
}

#[test]
fn a_large_text_is_read_quickly() {
    let mut text = String::from("define i32 @f(ptr %p) {\nentry:\n  %v0 = load i32, ptr %p, align 4\n");
    for i in 1..40_000 {
        text.push_str(&format!("  %v{i} = add nsw i32 %v{}, {i}, !dbg !{i}\n", i - 1));
    }
    text.push_str("  ret i32 0\n}\n");
    for i in 1..40_000 {
        text.push_str(&format!("!{i} = !DILocation(line: {i}, column: 3, scope: !0)\n"));
    }
    let start = std::time::Instant::now();
    let module = parse(&text).expect("valid");
    assert_eq!(module.functions[0].insts().count(), 40_001);
    // About 4 MB; generous for unoptimised builds on busy machines.
    assert!(start.elapsed().as_secs() < 10);
}
