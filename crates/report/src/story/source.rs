//! The user's source, for quoting.

use rustc_hash::FxHashMap;

/// Source files, read when first asked for.  A file that cannot be read is quoted as nothing.
#[derive(Default)]
pub struct Sources {
    files: FxHashMap<String, Vec<String>>,
}

/// Longest statement that is quoted whole.
const LONG: usize = 72;

impl Sources {
    pub fn new() -> Self {
        Sources::default()
    }

    /// A file that is not to be read from disk.
    pub fn insert(&mut self, name: &str, text: &str) {
        self.files.insert(name.into(), text.lines().map(String::from).collect());
    }

    fn lines(&mut self, file: &str) -> &[String] {
        self.files.entry(file.to_string()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        })
    }

    /// The statement at a position, on one line.  `column` matters where the line has several.
    pub fn statement(&mut self, file: &str, line: u32, column: u32) -> String {
        let lines = self.lines(file);
        let index = (line as usize).wrapping_sub(1);
        let Some(first) = lines.get(index) else { return String::new() };
        let mut text = without_comments(first);
        // A call whose arguments go on below.
        for next in lines.iter().skip(index + 1).take(3) {
            if balance(&text) <= 0 {
                break;
            }
            text = format!("{} {}", text.trim_end(), without_comments(next).trim());
        }
        let whole = text.trim();
        if whole.chars().count() <= LONG {
            return whole.to_string();
        }
        let part = statement_at(&text, column);
        if part.is_empty() { whole.to_string() } else { part.to_string() }
    }
}

/// Parentheses opened and not closed.
fn balance(text: &str) -> i32 {
    text.chars().fold(0, |depth, c| match c {
        '(' => depth + 1,
        ')' => depth - 1,
        _ => depth,
    })
}

fn without_comments(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        if quote.is_none() && rest.starts_with("//") {
            break;
        }
        if quote.is_none() && rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            continue;
        }
        let mut length = c.len_utf8();
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) if c == '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => (),
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// The statement of a line that the column is in: between semicolons and braces that stand outside parentheses.
fn statement_at(text: &str, column: u32) -> &str {
    let at = (column as usize).saturating_sub(1);
    let (mut start, mut depth) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ';' | '{' | '}' if depth <= 0 => {
                if i >= at {
                    let end = if c == ';' { i + 1 } else { i };
                    return text[start..end].trim();
                }
                start = i + 1;
            }
            _ => (),
        }
    }
    text[start..].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_quoted_without_what_surrounds_them() {
        let mut sources = Sources::new();
        let long = format!("    {{ first(); second(a, (b)); third(); {} }}", "x".repeat(60));
        let text = format!("  n = n + 1; // race\n f(\"//\", /* no */ 1);\ncreate(&t,\n   0, f);\n{long}\n");
        sources.insert("a.c", &text);
        assert_eq!(sources.statement("a.c", 1, 3), "n = n + 1;");
        assert_eq!(sources.statement("a.c", 2, 3), "f(\"//\",  1);");
        assert_eq!(sources.statement("a.c", 3, 1), "create(&t, 0, f);");
        assert_eq!(sources.statement("a.c", 5, 16), "second(a, (b));");
        assert_eq!(sources.statement("a.c", 9, 1), "");
        assert_eq!(sources.statement("missing.c", 1, 1), "");
    }
}
