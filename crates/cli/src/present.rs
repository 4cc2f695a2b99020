//! Presents a counterexample: as text, as JSON, and as the command that replays it.

use crate::answer::Answer;
use crate::options::{InputArgs, TraceFormat, name_of};
use claim::Trace;
use ir::DataModel;
use report::story::Story;
use report::trace_file::ProgramId;
use report::{json as story_json, schedule, text};
use serde_json::json;
use std::path::Path;

/// Schedules up to this length are printed; beyond, nobody would want them on a command line.
const LONGEST_SCHEDULE: usize = 2000;
/// Columns to use for threads side by side where there is no terminal to ask.
const COLUMNS: usize = 120;

/// The story laid out.
pub fn layout(story: &Story, format: TraceFormat) -> String {
    match format {
        TraceFormat::List => text::list(story),
        TraceFormat::Columns => {
            let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
            text::columns(story, width.unwrap_or(COLUMNS))
        }
    }
}

/// Adds the story to the answer's JSON.
pub fn add_fields(answer: &mut Answer, story: &Story, trace: &Trace) {
    let mut put = |name: &str, value| answer.fields.insert(name.into(), value);
    put("violation", story_json::violation(story));
    put("threads", json!(story.threads));
    put("steps", story_json::steps(story));
    put("schedule", json!(schedule::print(trace)));
}

/// What identifies the program in a trace file.
pub fn program_id(input: &InputArgs) -> ProgramId {
    ProgramId {
        files: input.file_names(),
        data_model: input.data_model_name().into(),
        cc_args: input.cc_args.clone(),
        externs: input.externs_name(),
        error_functions: input.error_functions.clone(),
    }
}

/// The line with the command that replays a counterexample.
pub fn replay_line(program: &str, input: &InputArgs, saved: Option<&Path>, trace: &Trace) -> String {
    let mut words = vec![program.to_string(), "replay".into()];
    if saved.is_none() {
        // A trace file knows these.
        if input.data_model() == Some(DataModel::Ilp32) {
            words.push("--32".into());
        }
        words.extend(input.externs.map(|externs| format!("--extern={}", name_of(&externs))));
        words.extend(input.error_functions.iter().map(|name| format!("--error-function={name}")));
        words.extend(input.cc_args.iter().cloned());
    }
    words.extend(input.file_names());
    match saved {
        Some(path) => words.extend(["--trace".into(), path.to_string_lossy().into_owned()]),
        None => {
            let schedule = schedule::print(trace);
            if schedule.len() > LONGEST_SCHEDULE {
                return format!(
                    "replay: the schedule is long ({} switches); check with --trace FILE.json to save it\n",
                    trace.runs.len().saturating_sub(1)
                );
            }
            words.extend(["--schedule".into(), schedule]);
        }
    }
    let words: Vec<String> = words.iter().map(|word| backend::quoted(word)).collect();
    format!("replay: {}\n", words.join(" "))
}
