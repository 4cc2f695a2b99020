//! Random valid programs survive being printed and parsed.

mod generate;

use base::Rng;
use generate::program;
use ir::text::{parse, print};
use ir::validate::validate;

#[test]
fn random_programs() {
    for seed in 0..600 {
        let original = program(&mut Rng::new(seed));
        let wrong: Vec<String> = validate(&original).iter().map(|invalid| invalid.describe(&original)).collect();
        let printed = print(&original);
        assert!(wrong.is_empty(), "seed {seed} is not valid: {wrong:#?}\n{printed}");
        let again = match parse(&printed, "printed") {
            Ok(again) => again,
            Err(error) => {
                let line = printed.lines().nth(error.line.saturating_sub(1) as usize).unwrap_or_default();
                panic!("seed {seed}: {error}\n{line}");
            }
        };
        if again == original {
            continue;
        }
        // Say which line it was: the difference is rarely far from where the second print differs.
        let reprinted = print(&again);
        for (first, second) in printed.lines().zip(reprinted.lines()) {
            assert_eq!(first, second, "seed {seed}");
        }
        for (function, other) in original.functions.values().zip(again.functions.values()) {
            for (inst, other) in function.insts().zip(other.insts()) {
                assert_eq!(inst, other, "seed {seed}: {}", ir::text::print_inst(&original, function, &inst.kind));
            }
        }
        assert_eq!(original, again, "seed {seed}");
    }
}

/// Deeper than random programs get: as deep as `validate` allows, in the forms that print differently.
#[test]
fn deepest_expressions() {
    let limit = ir::text::MAX_EXPR_DEPTH;
    for form in 0..6 {
        for (depth, fits) in [(limit, true), (limit + 1, false)] {
            let program = generate::deep(form, depth);
            assert_eq!(validate(&program).is_empty(), fits, "form {form}, depth {depth}");
            if fits {
                assert_eq!(parse(&print(&program), "printed").as_ref(), Ok(&program), "form {form}");
            }
        }
    }
}
