//! A trace as one word for the command line: `0:12,1:3,0:4/5,7`.
//!
//! Before the slash the runs, each the index of a thread and how many instructions it takes; after it the inputs, if
//! there are any.  No character of it means anything to a shell.

use claim::{Run, Trace};

pub fn print(trace: &Trace) -> String {
    let runs: Vec<String> = trace.runs.iter().map(|run| format!("{}:{}", run.thread, run.steps)).collect();
    let inputs: Vec<String> = trace.inputs.iter().map(u128::to_string).collect();
    let slash = if inputs.is_empty() { "" } else { "/" };
    format!("{}{slash}{}", runs.join(","), inputs.join(","))
}

pub fn parse(text: &str) -> Result<Trace, String> {
    let (runs, inputs) = text.trim().split_once('/').unwrap_or((text.trim(), ""));
    let mut trace = Trace::default();
    for run in runs.split(',') {
        let parsed = run.split_once(':').and_then(|(thread, steps)| {
            Some(Run { thread: thread.trim().parse().ok()?, steps: steps.trim().parse().ok()? })
        });
        trace.runs.push(parsed.ok_or_else(|| format!("`{run}` is not a run (THREAD:STEPS)"))?);
    }
    for input in inputs.split(',').filter(|input| !input.is_empty()) {
        trace.inputs.push(input.trim().parse().map_err(|_| format!("`{input}` is not an input (a number)"))?);
    }
    Ok(trace)
}
