//! Damaged text: the parser must return, whatever it reads.  And what it accepts must survive a print.

use base::{Rng, damage};
use ir::text::{parse, print};
use ir::validate::validate;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Pieces that are likely to mean something where they do not belong.
const ODD: &str = r#"
; { } ( ) [ ] @ % $ ! : , = -> . - + " \ ; old self 0x 1e999999999 0.1 ü @q %i $node &main select( .acq !1:2:3:4 b0:
; 3:f80 1:i1 i129 ptr struct 0 { [9999999999 x local temp as none size 0 align 0 layout $z = $z func f() {"#;

#[test]
fn mutants_of_the_test_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir");
    let paths = base::files(&root, "ir").expect("the tests can be listed");
    // The lines that choose the test are no part of the program.  The odd pieces stand in a comment, from where they go anywhere.
    let program = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a test can be read");
        text.lines().filter(|line| !line.starts_with("test ")).chain([ODD]).collect::<Vec<_>>().join("\n")
    };
    let programs: Vec<String> = paths.iter().map(program).collect();
    let start = Instant::now();
    let (mut accepted, mut mutants) = (0, 0);
    for seed in 0..4000u64 {
        // A slow machine tests less rather than failing.
        if start.elapsed() > Duration::from_secs(2) {
            break;
        }
        let text = damage(&programs, &mut Rng::new(seed));
        mutants += 1;
        let Ok(program) = parse(&text, "mutant") else { continue };
        // Invalid programs must be reported and printed without a panic; only valid ones need to come back.
        let valid = validate(&program).is_empty();
        let printed = print(&program);
        if valid {
            accepted += 1;
            let again = parse(&printed, "printed");
            assert_eq!(again.as_ref(), Ok(&program), "seed {seed}:\n{text}\n--- printed:\n{printed}");
        }
    }
    println!("{mutants} mutants, {accepted} of them valid programs");
    assert!(100 < mutants, "only {mutants} mutants in two seconds");
}

/// Text that nests or repeats: errors, not overflows, and no more than linear time.
#[test]
fn large_and_deep() {
    let start = Instant::now();
    let body = |line: &str| format!("func main() {{\n  temp %x: i64, %c: i1\nb0:\n  {line}\n  halt\n}}\n");
    for unit in ["(", "~", "-", "!", "popcount(", "select(%c, ", "@a[", "%x["] {
        let text = body(&format!("%x = {}1", unit.repeat(200_000)));
        assert!(parse(&text, "deep").is_err());
    }
    for unit in ["ptr ", "[1 x ", "struct 1 { f: "] {
        assert!(parse(&format!("layout $a = {}", unit.repeat(200_000)), "deep").is_err());
    }
    assert!(parse(&"{".repeat(500_000), "deep").is_err());
    assert!(parse(&body(&format!("%x = 0.{}", "3".repeat(500_000))), "long").is_err());
    let chain: String = (0..20_000).map(|i| format!("layout $a{i} = [2 x $a{}]\n", i + 1)).collect();
    let program = parse(&format!("{chain}layout $a20000 = i8\n{}", body("%x = 1")), "chain").expect("a program");
    assert!(!validate(&program).is_empty());
    let lines = "  %x = %x + 1\n".repeat(100_000);
    assert!(parse(&body(&lines), "long").is_ok());
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}
