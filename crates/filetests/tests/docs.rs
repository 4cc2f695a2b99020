//! The examples of `docs/ir.md` are programs.

use ir::text::{parse_with_map, print};
use ir::validate::validate;
use std::path::Path;

#[test]
fn examples_of_the_reference() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ir.md");
    let text = std::fs::read_to_string(path).expect("the reference can be read");
    let mut examples = 0;
    let mut program: Option<String> = None;
    for (i, line) in text.lines().enumerate() {
        match (line, &mut program) {
            // Empty lines before an example give its errors the line they have on the page.
            ("```ir", None) => program = Some("\n".repeat(i + 1)),
            ("```", Some(_)) => {
                check(&program.take().unwrap_or_default());
                examples += 1;
            }
            (line, Some(program)) => {
                program.push_str(line);
                program.push('\n');
            }
            (_, None) => (),
        }
    }
    assert!(program.is_none(), "an example does not end");
    assert!(3 <= examples, "only {examples} examples");
}

fn check(text: &str) {
    let (program, map) = parse_with_map(text, "docs/ir.md").unwrap_or_else(|error| panic!("{error}"));
    let wrong: Vec<String> = validate(&program).iter().map(|invalid| invalid.diagnostic(&map).to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let again = ir::text::parse(&print(&program), "printed").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again, program);
}
