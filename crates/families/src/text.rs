//! Lines of C with their indentation.

#[derive(Default)]
pub struct Text {
    lines: Vec<String>,
    depth: usize,
}

impl Text {
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.lines.push(if line.is_empty() { String::new() } else { format!("{}{line}", "    ".repeat(self.depth)) });
    }

    /// A line with `{` at its end, what `inside` writes, and the `}`.
    pub fn block(&mut self, head: impl AsRef<str>, inside: impl FnOnce(&mut Text)) {
        self.line(format!("{} {{", head.as_ref()));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line("}");
    }

    /// Does nothing while the condition holds.
    pub fn wait_while(&mut self, condition: impl AsRef<str>) {
        self.block(format!("while ({})", condition.as_ref()), |_| ());
    }

    /// The lines of another text, as deep as this one is.
    pub fn lines(&mut self, other: &Text) {
        other.lines.iter().for_each(|line| self.line(line));
    }

    pub fn finish(self) -> String {
        self.lines.join("\n") + "\n"
    }
}
