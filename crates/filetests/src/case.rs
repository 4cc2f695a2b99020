//! One test file: its commands, its program, its annotations, its expected blocks.

use ir::Program;
use ir::text::SourceMap;
use ir::validate::{Part, validate};

/// A comment `; key: value` on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub line: u32,
    pub key: String,
    pub value: String,
}

/// Something a test did not like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Without a line it is about the command.
    pub line: Option<u32>,
    pub message: String,
}

impl Failure {
    pub fn new(line: Option<u32>, message: impl Into<String>) -> Self {
        Failure { line, message: message.into() }
    }

    pub fn display(&self, name: &str) -> String {
        match self.line {
            Some(line) => format!("{name}:{line}: {}", self.message),
            None => format!("{name}: {}", self.message),
        }
    }
}

/// Something about the command that no line is to blame for.
pub fn fail<T>(message: impl Into<String>) -> Result<T, Vec<Failure>> {
    Err(vec![Failure::new(None, message)])
}

/// What is wrong with a program that a command has made.
pub fn invalid(program: &Program) -> String {
    validate(program).iter().map(|invalid| format!("invalid: {}\n", invalid.describe(program))).collect()
}

/// What a command works on.
pub struct Case<'f> {
    pub file: &'f File<'f>,
    /// The words after the command's name.
    pub args: &'f [String],
    program: Option<(Program, SourceMap)>,
}

impl Case<'_> {
    /// The program, valid.  Only for commands that validate first.
    pub fn program(&self) -> &Program {
        &self.program.as_ref().expect("the command validates first").0
    }

    /// The line on which an instruction, a block or an object stands.
    pub fn line_of(&self, place: Part) -> u32 {
        let map = self.program.as_ref().map(|(_, map)| map);
        map.and_then(|map| place.find(map)).map_or(0, |at| at.line)
    }

    /// Compares what a command found, by line, with the annotations of a key: each must have its match.
    pub fn check_annotations(&self, key: &str, found: &[(u32, String)]) -> Result<(), Vec<Failure>> {
        let mut open: Vec<&Annotation> = self.file.annotations.iter().filter(|a| a.key == key).collect();
        let mut failures = Vec::new();
        for (line, text) in found {
            match open.iter().position(|a| a.line == *line && a.value == *text) {
                Some(i) => _ = open.remove(i),
                None => {
                    failures.push(Failure::new(Some(*line), format!("found `{key}: {text}`, which is not expected")))
                }
            }
        }
        let missing = |a: &&Annotation| format!("expected `{key}: {}`, which is not found", a.value);
        failures.extend(open.iter().map(|a| Failure::new(Some(a.line), missing(a))));
        if failures.is_empty() { Ok(()) } else { Err(failures) }
    }
}

/// A test file, cut into its parts.
pub struct File<'f> {
    /// Its path within the directory of tests.
    pub name: &'f str,
    /// The text of the program.  Header lines are empty in it, so that lines have the numbers they have in the file.
    pub text: String,
    /// The words of each `test` line, at least the command, and the line's number.
    pub tests: Vec<(u32, Vec<String>)>,
    pub annotations: Vec<Annotation>,
    /// The expected outputs, each with all its lines.
    pub blocks: Vec<String>,
}

impl<'f> File<'f> {
    pub fn read(name: &'f str, text: &str) -> Result<Self, Failure> {
        let mut file =
            File { name, text: String::new(), tests: Vec::new(), annotations: Vec::new(), blocks: Vec::new() };
        let mut header = true;
        for (line, number) in text.lines().zip(1..) {
            let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
            let is_test = words.first().is_some_and(|word| word == "test");
            if header && is_test {
                if words.len() < 2 {
                    return Err(Failure::new(Some(number), "`test` needs a command"));
                }
                file.tests.push((number, words[1..].to_vec()));
                file.text.push('\n');
                continue;
            }
            header = false;
            if line.starts_with(";>") {
                if line.starts_with(";> test ") || file.blocks.is_empty() {
                    file.blocks.push(String::new());
                }
                if let Some(block) = file.blocks.last_mut() {
                    block.push_str(line);
                    block.push('\n');
                }
            } else {
                file.annotations.extend(annotations(line, number));
            }
            file.text.push_str(line);
            file.text.push('\n');
        }
        if file.tests.is_empty() {
            return Err(Failure::new(Some(1), "the first line must be `test <command>`"));
        }
        Ok(file)
    }

    /// The case for one command, whose words are given.
    pub fn case<'c>(&'c self, words: &'c [String], validate_first: bool) -> Result<Case<'c>, Vec<Failure>> {
        let program = if validate_first { Some(self.valid_program()?) } else { None };
        Ok(Case { file: self, args: &words[1..], program })
    }

    fn valid_program(&self) -> Result<(Program, SourceMap), Vec<Failure>> {
        let (program, map) = ir::text::parse_with_map(&self.text, self.name)
            .map_err(|error| vec![Failure::new(Some(error.line), error.message)])?;
        let wrong: Vec<Failure> = validate(&program)
            .iter()
            .map(|invalid| Failure::new(invalid.place.find(&map).map(|at| at.line), &invalid.message))
            .collect();
        if wrong.is_empty() { Ok((program, map)) } else { Err(wrong) }
    }

    /// The expected output of a command.
    pub fn block(&self, words: &[String]) -> Option<&String> {
        let head = block_text(words, "");
        self.blocks.iter().find(|block| block.starts_with(&head))
    }
}

/// An expected output as it stands in the file.
pub fn block_text(words: &[String], printed: &str) -> String {
    let mut block = format!(";> test {}\n", words.join(" "));
    for line in printed.lines() {
        block.push_str(format!(";> {line}").trim_end());
        block.push('\n');
    }
    block
}

/// The annotations in the comment of a line.
fn annotations(line: &str, number: u32) -> Vec<Annotation> {
    let comment = comment(line);
    if comment.starts_with(";;") {
        return Vec::new();
    }
    let parts = comment.split(';').filter_map(|part| part.split_once(':'));
    let parts = parts.map(|(key, value)| (key.trim().to_string(), value.trim().to_string()));
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'_');
    parts.filter(|(key, _)| is_key(key)).map(|(key, value)| Annotation { line: number, key, value }).collect()
}

/// The comment of a line, from its `;` on.
pub fn comment(line: &str) -> &str {
    let mut in_string = false;
    let mut escaped = false;
    for (i, c) in line.char_indices() {
        match c {
            ';' if !in_string => return &line[i..],
            '"' if !escaped => in_string = !in_string,
            _ => (),
        }
        escaped = c == '\\' && !escaped;
    }
    ""
}
