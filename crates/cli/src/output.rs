//! Writes the answer: the verdict to standard output, everything else to standard error.
//!
//! Nothing here panics when a pipe is closed: whoever closed it does not want to know.

use crate::answer::{Answer, Exit};
use crate::session::Session;
use crate::system;
use base::Diagnostic;
use claim::modular::Ints;
use serde_json::{Map, Value, json};
use std::io::Write;

/// How the answer is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A report, then the verdict.
    Text,
    /// The verdict alone.
    Quiet,
    Json,
    /// The report as it is, no verdict: the command does not decide anything.
    Plain,
}

/// Stands above a verdict that does not speak of the program as C has it.
const MATHEMATICAL: &str = "integers: mathematical (not C's)\n";

pub fn write(answer: &Answer, session: &Session, mode: Mode) {
    let integers = match session.task.integers {
        Ints::Machine | Ints::Unwrapped => "",
        Ints::Mathematical => MATHEMATICAL,
    };
    let last = answer.last_line(&session.task.property);
    let mut err = String::new();
    answer.errors.iter().for_each(|error| err += &format!("{error}\n"));
    if mode != Mode::Quiet {
        session.told().notes.iter().for_each(|note| err += &format!("{note}\n"));
    }
    complain(&err);
    if answer.exit == Exit::Usage {
        return;
    }
    let out = match mode {
        Mode::Text => {
            let gap = if answer.report.is_empty() { "" } else { "\n" };
            let caveats: String = answer.caveats.iter().map(|caveat| format!("{caveat}\n")).collect();
            format!("{}{gap}{caveats}{integers}{last}\n", answer.report)
        }
        Mode::Quiet => format!("{integers}{last}\n"),
        Mode::Json => format!("{}\n", object(answer, session)),
        Mode::Plain => answer.report.clone(),
    };
    print(&out);
}

/// To standard output, if anybody listens.
pub fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}

/// To standard error, if anybody listens.
pub fn complain(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// The answer as one JSON object; `docs/output.md` says what the fields mean.
fn object(answer: &Answer, session: &Session) -> Value {
    let task = &session.task;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.into(), value);
    put("tool", json!("unbraid"));
    put("version", json!(env!("CARGO_PKG_VERSION")));
    put("verdict", json!(answer.word()));
    put("exit_status", json!(answer.exit.code()));
    put("property", json!(task.property));
    put("reason", json!(answer.reason.as_ref().map(|why| &why.text)));
    put("reason_kind", json!(answer.reason.as_ref().map(|why| why.kind)));
    put("engine", json!(task.engine));
    put("answered_by", Value::Null);
    put("files", json!(task.files));
    put("data_model", json!(task.data_model));
    let integers = match task.integers {
        Ints::Machine | Ints::Unwrapped => "machine",
        Ints::Mathematical => "mathematical",
    };
    put("integers", json!(integers));
    put("seconds", json!((session.budget.elapsed().as_secs_f64() * 1e3).round() / 1e3));
    let told = session.told();
    let rounded = |(name, seconds): (&str, f64)| (name.to_string(), json!((seconds * 1e4).round() / 1e4));
    put("phases", Value::Object(told.phases.into_iter().map(rounded).collect()));
    put("memory_bytes", json!(system::peak()));
    put("errors", answer.errors.iter().map(diagnostic).collect());
    put("notes", told.notes.iter().map(diagnostic).collect());
    let statistics = told.statistics.into_iter().map(|(name, value)| (name, json!(value)));
    put("statistics", Value::Object(statistics.collect()));
    put("caveats", json!(answer.caveats));
    answer.fields.iter().for_each(|(name, value)| {
        put(name, value.clone());
    });
    Value::Object(object)
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let number = |n: u32| (n != 0).then_some(n);
    json!({
        "file": diagnostic.file,
        "line": number(diagnostic.line),
        "column": number(diagnostic.column),
        "message": diagnostic.message,
    })
}
