//! Runs the C programs of `tests/c`: each says what is true of it, and every engine is asked.
//!
//! A file begins with lines `//@ key: value`:
//!
//! * `assert: safe` or `assert: unsafe`, a fact about the program;
//! * `because: ...`, why; a file that is unsafe must say so;
//! * `twin: FILE`, a safe program one edit away; a file that is unsafe must have one;
//! * `open: ENGINE ...`, the engines that cannot decide it yet;
//! * `by: ENGINE ...`, the engines for special kinds of programs that must decide it; others of that sort may;
//! * `within: TIME`, how long an engine may take, where an open one would use all that it gets;
//! * `args: ...`, further options for `unbraid check`.
//!
//! The line of the violated assertion may carry `// error:`.  A wrong verdict fails, always; unknown fails unless the
//! engine is listed as open; an engine that is listed and decides fails too, so that the list stays true.
//!
//! `ONLY=mutex/ cargo test -p cli --test c` runs the files whose path contains that.

mod support;

use cli::{Answer, Exit};
use engines::ENGINES;
use std::path::Path;

/// How long an engine may take for one file.  None needs this long; it is there so that the tests end.
const TIMEOUT: &str = "30s";
/// Engines for programs of some kinds, which must decide a file only if it says so, and how long they may take otherwise.
const SPECIAL: [&str; 2] = ["comus", "product"];
const SPECIAL_TIMEOUT: &str = "1s";

#[test]
fn programs() {
    let root = support::root().join("tests/c");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files = support::files(&root, "c");
    let name = |file: &Path| file.strip_prefix(&root).unwrap_or(file).display().to_string();
    files.retain(|file| name(file).contains(&only));
    assert!(!files.is_empty(), "no files with `{only}` in their names");
    support::in_parallel(&files, |file| check_file(file, &name(file)));
}

fn check_file(file: &Path, name: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    let header = Header::parse(&text).map_err(|error| format!("{name}: {error}"))?;
    header.check_twin(file).map_err(|error| format!("{name}: {error}"))?;
    let mut failures = Vec::new();
    for entry in ENGINES {
        let engine = entry.name;
        let may_fail = SPECIAL.contains(&engine) && !header.by.iter().any(|by| by == engine);
        // The product is a sequential checker's work, which has tests of its own.
        if may_fail && engine == "product" {
            continue;
        }
        let timeout = match may_fail {
            true => SPECIAL_TIMEOUT,
            false => header.within.as_deref().unwrap_or(TIMEOUT),
        };
        let mut args = vec!["check".to_string(), format!("--engine={engine}"), format!("--timeout={timeout}")];
        args.extend(header.args.iter().cloned());
        args.push(file.display().to_string());
        let result = match cli::in_process(&args) {
            Ok(answer) if may_fail && answer.exit == Exit::Unknown => Ok(()),
            Ok(answer) => header.judge(&answer, header.open.iter().any(|open| open == engine), &text),
            Err(error) => Err(error),
        };
        if let Err(error) = result {
            failures.push(format!("{name}: {engine}: {error}"));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// What a file says about itself.
#[derive(Default, Debug)]
struct Header {
    safe: bool,
    because: Option<String>,
    twin: Option<String>,
    open: Vec<String>,
    by: Vec<String>,
    within: Option<String>,
    args: Vec<String>,
}

impl Header {
    fn parse(text: &str) -> Result<Self, String> {
        let mut header = Header::default();
        let mut verdict = None;
        let mut seen = Vec::new();
        let head = text.lines().take_while(|line| line.starts_with("//@"));
        let count = head.clone().count();
        for line in head {
            let (key, value) = line[3..].split_once(':').ok_or_else(|| format!("`{line}` is not `//@ key: value`"))?;
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) || value.is_empty() {
                return Err(format!("`{key}` comes twice or has no value"));
            }
            seen.push(key);
            let words = || value.split_whitespace().map(String::from).collect();
            match key {
                "assert" => verdict = Some(value),
                "because" => header.because = Some(value.into()),
                "twin" => header.twin = Some(value.into()),
                "open" => header.open = words(),
                "by" => header.by = words(),
                "within" => header.within = Some(value.into()),
                "args" => header.args = words(),
                _ => return Err(format!("unknown key `{key}`")),
            }
        }
        if text.lines().skip(count).any(|line| line.trim_start().starts_with("//@")) {
            return Err("a header line stands below the header".into());
        }
        header.safe = match verdict {
            Some("safe") => true,
            Some("unsafe") => false,
            Some(other) => return Err(format!("`assert: {other}` is neither safe nor unsafe")),
            None => return Err("`//@ assert:` is missing".into()),
        };
        if let Some(engine) = header.open.iter().find(|engine| engines::find(engine).is_none()) {
            return Err(format!("`open: {engine}` is not an engine"));
        }
        if let Some(engine) = header.by.iter().find(|by| !SPECIAL.contains(&by.as_str())) {
            return Err(format!("`by: {engine}` is not an engine for special programs"));
        }
        if !header.safe && header.because.is_none() {
            return Err("`//@ because:` is missing".into());
        }
        if !header.safe && header.twin.is_none() {
            return Err("`//@ twin:` is missing".into());
        }
        Ok(header)
    }

    /// The twin exists and is the safe one of the two.
    fn check_twin(&self, file: &Path) -> Result<(), String> {
        let Some(twin) = &self.twin else { return Ok(()) };
        let text =
            std::fs::read_to_string(file.with_file_name(twin)).map_err(|error| format!("twin {twin}: {error}"))?;
        let header = Header::parse(&text).map_err(|error| format!("twin {twin}: {error}"))?;
        if header.safe == self.safe {
            return Err(format!("the twin {twin} has the same verdict"));
        }
        Ok(())
    }

    fn judge(&self, answer: &Answer, open: bool, text: &str) -> Result<(), String> {
        let last = answer.last_line("unreach-call");
        match answer.exit {
            Exit::Safe | Exit::Unsafe if (answer.exit == Exit::Safe) != self.safe => {
                Err(format!("WRONG: says {last}\n{}", answer.report))
            }
            Exit::Safe | Exit::Unsafe if open => Err("decides this file now: remove it from `open`".into()),
            Exit::Safe => Ok(()),
            Exit::Unsafe => check_line(answer, text),
            Exit::Unknown if open => Ok(()),
            Exit::Unknown | Exit::Input | Exit::Internal | Exit::Usage => {
                let errors: Vec<String> = answer.errors.iter().map(|error| format!("\n  {error}")).collect();
                Err(format!("says {last}{}", errors.concat()))
            }
        }
    }
}

/// The violation is on a line marked `// error:`, if there are any.
fn check_line(answer: &Answer, text: &str) -> Result<(), String> {
    let marked: Vec<u64> =
        (1..).zip(text.lines()).filter(|(_, line)| line.contains("// error:")).map(|(number, _)| number).collect();
    let line =
        answer.fields.get("violation").and_then(|violation| violation.get("line")).and_then(|line| line.as_u64());
    match line {
        Some(line) if marked.is_empty() || marked.contains(&line) => Ok(()),
        _ => Err(format!("the violation is at line {line:?}, expected one of {marked:?}")),
    }
}

#[test]
fn a_mistake_in_a_header_does_not_switch_the_test_off() {
    let error = |text: &str| Header::parse(text).expect_err("a mistake");
    assert_eq!(error("int main() {}"), "`//@ assert:` is missing");
    assert_eq!(error("//@ assert: save\n"), "`assert: save` is neither safe nor unsafe");
    assert_eq!(error("//@ assert: safe\n//@ open: nobody\n"), "`open: nobody` is not an engine");
    assert_eq!(error("//@ asert: safe\n"), "unknown key `asert`");
    assert_eq!(error("//@ assert: safe\n//@ assert: safe\n"), "`assert` comes twice or has no value");
    assert_eq!(error("//@ assert: unsafe\n"), "`//@ because:` is missing");
    assert_eq!(error("//@ assert: unsafe\n//@ because: x\n"), "`//@ twin:` is missing");
    assert_eq!(error("//@ assert: safe\n\n//@ open: explicit\n"), "a header line stands below the header");
    assert_eq!(error("//@ assert safe\n"), "`//@ assert safe` is not `//@ key: value`");
}

#[test]
fn verdicts_are_judged() {
    let header = Header::parse("//@ assert: safe\n").unwrap();
    let safe = Answer::new(Exit::Safe);
    let wrong = Answer::new(Exit::Unsafe);
    let unknown = Answer::unknown("timeout", "timeout");
    assert!(header.judge(&safe, false, "").is_ok());
    assert!(header.judge(&safe, true, "").is_err());
    assert!(header.judge(&wrong, false, "").is_err());
    assert!(header.judge(&wrong, true, "").is_err());
    assert!(header.judge(&unknown, false, "").is_err());
    assert!(header.judge(&unknown, true, "").is_ok());
}
