//! clang's messages as diagnostics, in clang's words.

use base::{Diagnostic, Severity};
use std::path::Path;

/// The errors in clang's standard error, each with the notes that explain it.  Never empty.
pub fn errors(text: &str, file: &Path) -> Vec<Diagnostic> {
    // What is wrong with an option or the file as a whole stands there without a place.
    let of_file = |line: &str| Some(Diagnostic::error(line.strip_prefix("error: ")?).at(file.to_string_lossy(), 0, 0));
    let mut found: Vec<Diagnostic> = text.lines().filter_map(|line| parse(line).or_else(|| of_file(line))).collect();
    if !found.iter().any(|d| d.severity == Severity::Error) {
        // clang died, or speaks in a way we do not know: show the last thing it said.
        let words = text.lines().rev().find(|line| !line.trim().is_empty());
        let message =
            words.map_or_else(|| "clang failed without a message".to_string(), |line| format!("clang: {line}"));
        found.push(Diagnostic::error(message).at(file.to_string_lossy(), 0, 0));
    }
    found
}

/// What changes the meaning of a program for gcc and is nothing to clang: the order of bytes, the values that stand for
/// true and false, and attributes of another type, which may be one of these or `packed`.
const MEANINGFUL: [&str; 3] = ["scalar_storage_order", "hardbool", "copy"];

/// Errors for what clang warns that it ignores, where the program means something else with it.
pub fn passed_over(text: &str) -> Vec<Diagnostic> {
    text.lines().filter_map(meaningful).collect()
}

fn meaningful(line: &str) -> Option<Diagnostic> {
    let (place, words) = line.split_once(": warning: unknown ")?;
    let error = located(Diagnostic::error(""), place);
    let (what, name) = match words.strip_prefix("attribute '").and_then(|rest| rest.split_once('\'')) {
        Some((name, _)) => ("attribute", name.trim_matches('_').to_string()),
        None => ("pragma", pragma(&error)?),
    };
    let message = format!("the {what} `{name}` is not supported, and changes what the program means");
    MEANINGFUL.contains(&name.as_str()).then_some(Diagnostic { message, ..error })
}

/// The first word of the pragma at the place, which clang does not say.
fn pragma(place: &Diagnostic) -> Option<String> {
    let text = std::fs::read(place.file.as_deref()?).ok()?;
    let line = text.split(|&byte| byte == b'\n').nth(usize::try_from(place.line).ok()?.checked_sub(1)?)?;
    let line = String::from_utf8_lossy(line);
    let (_, rest) = line.split_once("ragma")?;
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.next().map(str::to_string)
}

/// `file:line:column: error: words`, or without position `clang: error: words`.
fn parse(line: &str) -> Option<Diagnostic> {
    let (severity, place, message) =
        [(Severity::Error, ": fatal error: "), (Severity::Error, ": error: "), (Severity::Note, ": note: ")]
            .into_iter()
            .find_map(|(severity, mark)| line.split_once(mark).map(|(place, message)| (severity, place, message)))?;
    Some(located(Diagnostic { severity, ..Diagnostic::error(message) }, place))
}

/// The diagnostic at `file:line:column`, if that is what the words are.
fn located(diagnostic: Diagnostic, place: &str) -> Diagnostic {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next().and_then(|part| part.parse().ok());
    let row = parts.next().and_then(|part| part.parse().ok());
    if let (Some(column), Some(row), Some(file)) = (column, row, parts.next()) {
        return diagnostic.at(file, row, column);
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_words_are_clangs() {
        let cases = [
            (
                "a.c:3:7: error: expected ';' after expression\n1 error generated.\n",
                "a.c:3:7: error: expected ';' after expression",
            ),
            // What is wrong with the options is an error of the file.
            (
                "error: invalid value 'bogus' in '-std=bogus'\nnote: use 'c89' for 'ISO C 1990' standard\n",
                "a.c: error: invalid value 'bogus' in '-std=bogus'",
            ),
            // There is always an error.
            ("", "a.c: error: clang failed without a message"),
            ("Stack dump:\nfailed due to signal\n", "a.c: error: clang: failed due to signal"),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = errors(text, Path::new("a.c")).iter().map(Diagnostic::to_string).collect();
            assert_eq!(found, [expected]);
        }
    }

    #[test]
    fn attributes_with_a_meaning_are_not_passed_over() {
        let text = "\
a.c:1:9: warning: unknown attribute 'optimize' ignored
a.c:2:9: warning: unknown attribute '__scalar_storage_order__' ignored
";
        let found: Vec<String> = passed_over(text).iter().map(Diagnostic::to_string).collect();
        let expected = "the attribute `scalar_storage_order` is not supported, and changes what the program means";
        assert_eq!(found, [format!("a.c:2:9: error: {expected}")]);
    }
}
