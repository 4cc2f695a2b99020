//! Runs the sessions of `tests/cli`: commands in a shell, each with what must come of it.
//!
//! A session begins with `=== ` and what it shows.  Then come lines
//!
//! * `for NAME`, with one indented line for each value, or `for NAME | NAME` with rows of them: the session is run for each;
//! * `$ COMMAND`, in a folder of the session's own in which `unbraid` can be called; under it what is expected:
//! * `= STATUS LAST LINE`, where `*` stands for anything and the last line may be missing; without such a line the status is 0;
//! * `> TEXT` and `2> TEXT`, what standard output and standard error contain; without a text, they are empty;
//! * `| LINE`, once or more: these lines are in standard output, in this order, maybe with others between them;
//! * `>! TEXT` and `2>! TEXT`, what they do not contain;
//! * `json /PATH VALUE`, what is in the JSON object on standard output; `null` if nothing is.
//!
//! Whoever exits with 1 has only complained.  A line `--- NAME` begins a file of the session, up to the next `---` or `===`.
//! What stands above the first session belongs to each, text up to the first of these lines is prose, and `#` begins comments.
//!
//! `ONLY=externs cargo test -p cli --test sessions` runs those whose file or title contains that.

mod support;

use serde_json::Value;
use std::process::Command;
use support::{Folder, Ran, UNBRAID};

#[derive(Clone, Default)]
struct Session {
    title: String,
    files: Vec<(String, String)>,
    loops: Vec<(String, Vec<String>)>,
    steps: Vec<Step>,
}

#[derive(Clone)]
struct Step {
    line: usize,
    command: String,
    /// The lines under it with their numbers.
    expected: Vec<(usize, String)>,
}

#[test]
fn sessions() {
    let root = support::root().join("tests/cli");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut all = Vec::new();
    for file in support::files(&root, "session") {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let sessions = parse(&text).unwrap_or_else(|(line, error)| panic!("{name}:{line}: {error}"));
        for session in sessions.into_iter().filter(|session| format!("{name}: {}", session.title).contains(&only)) {
            all.extend(session.values().into_iter().map(|values| (name.clone(), session.clone(), values)));
        }
    }
    assert!(!all.is_empty(), "no sessions");
    support::in_parallel(&all, |(name, session, values)| {
        session.run(values).map_err(|(line, error)| format!("{name}:{line}: {values:?}: {error}"))
    });
}

/// The sessions of a file, or the number of a line and what is wrong with it.
fn parse(text: &str) -> Result<Vec<Session>, (usize, String)> {
    let mut common = Session::default();
    let mut sessions: Vec<Session> = Vec::new();
    let (mut in_file, mut prose) = (false, true);
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |what: &str| (number, format!("`{line}` {what}"));
        if let Some(title) = line.strip_prefix("=== ") {
            sessions.push(Session { title: title.into(), ..common.clone() });
            (in_file, prose) = (false, false);
            continue;
        }
        if line.starts_with("===") {
            return Err(wrong("is no title"));
        }
        let session = sessions.last_mut().unwrap_or(&mut common);
        if let Some(name) = line.strip_prefix("--- ") {
            session.files.push((name.into(), String::new()));
            (in_file, prose) = (true, false);
        } else if in_file {
            session.files.last_mut().ok_or_else(|| wrong("is in no file"))?.1 += &format!("{line}\n");
        } else if let Some(variable) = line.strip_prefix("for ") {
            session.loops.push((variable.into(), Vec::new()));
            prose = false;
        } else if let Some(value) = line.strip_prefix("  ") {
            session.loops.last_mut().ok_or_else(|| wrong("is a value of nothing"))?.1.push(value.into());
        } else if let Some(command) = line.strip_prefix("$ ") {
            session.steps.push(Step { line: number, command: command.into(), expected: Vec::new() });
        } else if !prose && !line.is_empty() && !line.starts_with('#') {
            let step = session.steps.last_mut().ok_or_else(|| wrong("is under no command"))?;
            match step.expected.last_mut() {
                // Lines that follow each other do so in the output, too.
                Some((_, last)) if last.starts_with("| ") && line.starts_with("| ") => *last += &format!("\n{line}"),
                _ => step.expected.push((number, line.into())),
            }
        }
    }
    for session in &sessions {
        if session.steps.is_empty() || session.loops.iter().any(|(_, values)| values.is_empty()) {
            return Err((0, format!("`{}` has nothing to do", session.title)));
        }
    }
    Ok(sessions)
}

/// Is that so which a line under a command says?
fn holds(line: &str, ran: &Ran) -> bool {
    let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
    let contains = |stream: &str| if rest.is_empty() { stream.is_empty() } else { stream.contains(rest) };
    match key {
        "=" => {
            let (status, last_line) = rest.split_once(' ').unwrap_or((rest, "*"));
            status.parse().is_ok_and(|status| ran.status == Some(status)) && matches(ran.last_line(), last_line)
        }
        "|" => {
            let mut lines = ran.stdout.lines().map(str::trim);
            rest.split("\n| ").all(|line| lines.any(|found| found == line))
        }
        ">" => contains(&ran.stdout),
        ">!" => !contains(&ran.stdout),
        "2>" => contains(&ran.stderr),
        "2>!" => !contains(&ran.stderr),
        "json" => {
            let (path, value) = rest.split_once(' ').unwrap_or((rest, ""));
            let (json, value) = (serde_json::from_str::<Value>(&ran.stdout), serde_json::from_str(value));
            json.is_ok_and(|json| value.is_ok_and(|value: Value| *json.pointer(path).unwrap_or(&Value::Null) == value))
        }
        // A mistake must not switch a test off.
        _ => false,
    }
}

/// Is the text what the pattern says, in which `*` stands for anything?
fn matches(text: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => text == pattern,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| matches(&rest[at..], after))
        }),
    }
}

impl Session {
    /// All ways to give values to its variables.
    fn values(&self) -> Vec<Vec<(String, String)>> {
        self.loops.iter().fold(vec![Vec::new()], |before, (names, rows)| {
            let names: Vec<&str> = names.split(" | ").collect();
            let with = |row: &String| {
                let row = names.iter().zip(row.splitn(names.len(), " | "));
                let row: Vec<_> = row.map(|(name, value)| (name.to_string(), value.trim().to_string())).collect();
                before.iter().map(move |before| [&before[..], &row[..]].concat()).collect::<Vec<_>>()
            };
            rows.iter().flat_map(with).collect()
        })
    }

    fn run(&self, values: &[(String, String)]) -> Result<(), (usize, String)> {
        let folder = Folder::new();
        self.files.iter().for_each(|(name, text)| _ = folder.write(name, text));
        let binaries = std::path::Path::new(UNBRAID).parent().unwrap().display();
        let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
        // In what is expected variables stand as in the shell.
        let fill_in = |text: &str| {
            values.iter().fold(text.to_string(), |text, (name, value)| text.replace(&format!("${name}"), value))
        };
        for step in &self.steps {
            let mut shell = Command::new("sh");
            shell.args(["-c", &step.command]).current_dir(&folder.path).env("PATH", &path);
            let ran = Ran::from(shell.envs(values.iter().cloned()).output().unwrap());
            let mut expected = step.expected.clone();
            if !expected.iter().any(|(_, line)| line.starts_with("= ")) {
                expected.push((step.line, "= 0".into()));
            }
            if let Some((number, line)) = expected.iter().find(|(_, line)| !holds(&fill_in(line), &ran)) {
                return Err((*number, format!("{}: not `{line}`: {ran:#?}", self.title)));
            }
            if ran.status == Some(1) && (!ran.stdout.is_empty() || ran.stderr.is_empty()) {
                return Err((step.line, format!("{}: more or less than a complaint: {ran:#?}", self.title)));
            }
        }
        Ok(())
    }
}

#[test]
fn a_mistake_in_a_session_does_not_switch_it_off() {
    let passes = |text: &str| parse(text).and_then(|sessions| sessions[0].run(&[])).is_ok();
    assert!(passes("Prose.\n\n=== title\n$ echo one two; exit 3\n= 3 one*o\n> one t\n>! three\n2>\n"));
    for text in [
        "",
        "===other\n$ true",
        "= 0",
        "  value",
        "for NAME\n$ true",
        "$ false",
        "$ true\n=0",
        "$ true\n= 1",
        "$ exit 1\n= 1",
    ] {
        assert!(!passes(&format!("=== title\n{text}\n")), "{text}");
    }
    for line in ["> b", "| b", "| a\n| a", ">! a", "= 0 b*", "= 0 *b", ">", "2> a", "json /a 1", "stdout a"] {
        assert!(!passes(&format!("=== title\n$ echo a\n{line}\n")), "{line}");
    }
}
