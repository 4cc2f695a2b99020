//! `unbraid check`: decides a program.

use crate::answer::Answer;
use crate::choice;
use crate::decide;
use crate::guard::Limits;
use crate::input::{self, InputOptions};
use crate::options::{CheckArgs, TraceFormat};
use crate::output::Mode;
use crate::progress::Display;
use crate::property::{Fault, Property};
use crate::session::{Session, Task};
use crate::system;
use base::{Budget, Diagnostic};
use portfolio::Schedule;
use std::path::PathBuf;

/// What is to be decided, and how.
pub struct Plan {
    pub input: InputOptions,
    pub property: Property,
    /// The engine that was asked for, or `auto`.
    pub engine: String,
    /// Who runs when.
    pub schedule: Schedule,
    pub limits: Limits,
    /// Where the evidence is saved when engines contradict each other.
    pub evidence: PathBuf,
    /// Where a counterexample is saved.
    pub trace: Option<PathBuf>,
    pub format: TraceFormat,
    pub mode: Mode,
    /// What this program is called, for the command that replays.
    pub program: String,
}

/// Why a command cannot be carried out as it is written.
pub enum Refusal {
    Usage(String),
    Input(Diagnostic),
}

impl Plan {
    pub fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        let property = Property::read(&args.property).map_err(|fault| match fault {
            Fault::Usage(message) => Refusal::Usage(message),
            Fault::Input(error) => Refusal::Input(error),
        })?;
        Ok(Plan {
            input: InputOptions::new(&args.input),
            property,
            engine: args.engine.clone(),
            schedule: choice::schedule(args)?,
            limits: Limits { time: args.timeout, memory: args.memory.or_else(default_memory) },
            evidence: PathBuf::from("."),
            trace: args.trace.clone(),
            format: args.output.trace_format,
            mode: args.output.mode(),
            program: program_name(),
        })
    }

    pub fn task(&self) -> Task {
        Task {
            files: self.input.file_names(),
            property: self.property.name().to_string(),
            engine: self.engine.clone(),
            data_model: self.input.data_model_name(),
        }
    }

    pub fn budget(&self) -> Budget {
        Budget::new(self.limits.time, self.limits.memory)
    }
}

fn program_name() -> String {
    std::env::args().next().unwrap_or_else(|| "unbraid".into())
}

fn default_memory() -> Option<u64> {
    system::total().map(|total| total / 5 * 4)
}

/// Decides; the answer is confirmed.  `finish` may end the process with it, while engines that were cancelled are still
/// putting their tables away.
pub fn run(plan: &Plan, session: &Session, display: &mut dyn Display, finish: &dyn Fn(Answer) -> Answer) -> Answer {
    if let Property::Unsupported(name) = &plan.property {
        let text = format!("property not supported: {name}");
        return Answer::unknown("property", text);
    }
    let program = match session.phase("front", || input::load(&plan.input, session)) {
        Ok(program) => program,
        Err(errors) => {
            // A compiler that was stopped by the clock is not an error of the input.
            return session.budget.spent().map_or_else(|| Answer::input(errors), Answer::spent);
        }
    };
    decide::decide(plan, &program, session, display, finish)
}
