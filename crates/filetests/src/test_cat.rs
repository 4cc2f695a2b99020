//! `test cat`: the program survives being printed and parsed, and the printed text is stable.
//!
//! `test cat canonical`: moreover, but for comments and blank lines the file is written as the printer writes.

use crate::{Case, Failure, Outcome, fail};
use ir::text;

pub fn cat(case: &Case) -> Outcome {
    let printed = text::print(case.program());
    let again = match text::parse(&printed, "printed") {
        Ok(again) => again,
        Err(error) => {
            let line = printed.lines().nth(error.line.saturating_sub(1) as usize).unwrap_or_default();
            return fail(format!("the printed text does not parse: {error}\n{line}"));
        }
    };
    if again != *case.program() {
        return fail(format!("the program changed when it was printed and parsed:\n{printed}"));
    }
    if text::print(&again) != printed {
        return fail("printed twice, it comes out differently");
    }
    match case.args {
        [] => Ok(None),
        [arg] if arg == "canonical" => canonical(case, &printed),
        _ => fail("the only argument is `canonical`"),
    }
}

/// Line by line, is the file what the printer writes?
fn canonical(case: &Case, printed: &str) -> Outcome {
    // Comments go by the same rule as in the program: a `;` in a string is none.
    let mut written = case
        .file
        .text
        .lines()
        .zip(1..)
        .map(|(line, number)| (line[..line.len() - crate::case::comment(line).len()].trim_end(), number))
        .filter(|(line, _)| !line.is_empty());
    for wanted in printed.lines().filter(|line| !line.is_empty()) {
        match written.next() {
            Some((line, _)) if line == wanted => (),
            Some((_, number)) => {
                return Err(vec![Failure::new(Some(number), format!("the printer writes `{}`", wanted.trim()))]);
            }
            None => return fail(format!("the printer goes on with `{wanted}`")),
        }
    }
    match written.next() {
        Some((_, number)) => Err(vec![Failure::new(Some(number), "the printer has stopped before this line")]),
        None => Ok(None),
    }
}
