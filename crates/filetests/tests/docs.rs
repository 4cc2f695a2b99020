//! The examples of `docs/ir.md` are programs.

use ir::text::{parse_with_map, print};
use ir::validate::validate;
use std::path::Path;

#[test]
fn examples_of_the_reference() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ir.md");
    let text = std::fs::read_to_string(path).expect("the reference can be read");
    let fence = "```ir\n";
    let examples: Vec<usize> = text.match_indices(fence).map(|(at, _)| at + fence.len()).collect();
    for start in &examples {
        let end = text[*start..].find("```").expect("an example ends");
        // Empty lines before an example give its errors the line they have on the page.
        let before = "\n".repeat(text[..*start].lines().count());
        check(&format!("{before}{}", &text[*start..start + end]));
    }
    assert!(3 <= examples.len(), "only {} examples", examples.len());
}

fn check(text: &str) {
    let (program, map) = parse_with_map(text, "docs/ir.md").unwrap_or_else(|error| panic!("{error}"));
    let wrong: Vec<String> = validate(&program).iter().map(|invalid| invalid.diagnostic(&map).to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let again = ir::text::parse(&print(&program), "printed").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again, program);
}
