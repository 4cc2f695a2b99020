//! `unbraid check`: decides a program.

use crate::answer::{Answer, Exit, Why};
use crate::guard::Limits;
use crate::input::{self, InputOptions};
use crate::options::{CheckArgs, TraceFormat};
use crate::output::Mode;
use crate::present;
use crate::progress::{Display, Listener, grouped};
use crate::property::{Fault, Property};
use crate::session::{Session, Task};
use crate::system;
use base::{Budget, Diagnostic};
use engines::explicit::{Config, Explicit};
use engines::{Engine, Problem};
use ir::Program;
use ir::interp::Code;
use std::path::PathBuf;
use verdict::story::{End, Sources, Story};
use verdict::trace_file::{Position, TraceFile};
use verdict::{Verdict, Violation};

/// The engines there are, the default first.
pub const ENGINES: [&str; 1] = ["explicit"];
/// Engines that the design names and nobody has written yet.
const PLANNED: [&str; 4] = ["lazy", "comus", "impact", "redcomp"];

/// What is to be decided, and how.
pub struct Plan {
    pub input: InputOptions,
    pub property: Property,
    pub engine: &'static str,
    pub limits: Limits,
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
            engine: engine_named(&args.engine).map_err(Refusal::Usage)?,
            limits: Limits { time: args.timeout, memory: args.memory.or_else(default_memory) },
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
            engine: self.engine.to_string(),
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

fn engine_named(name: &str) -> Result<&'static str, String> {
    if name == "auto" {
        return Ok(ENGINES[0]);
    }
    if let Some(engine) = ENGINES.iter().find(|engine| **engine == name) {
        return Ok(engine);
    }
    let what = if PLANNED.contains(&name) { "is planned but does not exist yet" } else { "does not exist" };
    Err(format!("engine `{name}` {what}; the engines are auto, {}", ENGINES.join(", ")))
}

fn make_engine(_name: &str) -> Option<Box<dyn Engine>> {
    Some(Box::new(Explicit::new(Config::default())))
}

/// Decides; the answer is confirmed.
pub fn run(plan: &Plan, session: &Session, display: &mut dyn Display) -> Answer {
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
    decide(plan, &program, session, display)
}

fn decide(plan: &Plan, program: &Program, session: &Session, display: &mut dyn Display) -> Answer {
    let code = Code::new(program);
    let Some(mut engine) = make_engine(plan.engine) else {
        return Answer::unknown("engine", format!("engine {} is not built in", plan.engine));
    };
    let mut listener = Listener { program, session, display };
    let problem = Problem { program, code: &code };
    let outcome = session.phase("engine", || engine.run(problem, &session.budget, &mut listener));
    let confirm = || verdict::confirm(engine.name(), outcome, &code, &session.budget);
    match session.phase("confirm", confirm) {
        Verdict::Safe(proof) => {
            // The process is about to end, and a large proof takes seconds to take apart.
            std::mem::forget(proof);
            Answer { report: summary(session), ..Answer::new(Exit::Safe) }
        }
        Verdict::Unsafe(violation) => {
            let violation = verdict::simplify(&code, violation);
            explain(plan, &code, &violation, session)
        }
        Verdict::Unknown(reason) => {
            let why = Why { kind: verdict::reason_kind(&reason), text: verdict::explain(&reason, program) };
            Answer { reason: Some(why), report: summary(session), ..Answer::new(Exit::Unknown) }
        }
    }
}

/// The counterexample, told and saved.
fn explain(plan: &Plan, code: &Code<'_>, violation: &Violation, session: &Session) -> Answer {
    let story = Story::of(code, violation, &mut Sources::new());
    let mut answer = Answer::new(Exit::Unsafe);
    let mut saved = None;
    if let (Some(path), End::Violated(failure)) = (&plan.trace, &story.end) {
        let tool = concat!("unbraid ", env!("CARGO_PKG_VERSION"));
        let position = Position::of(failure);
        let id = present::program_id(&plan.input);
        let file = TraceFile::new(tool, id, plan.property.name(), position, violation.trace.clone());
        match std::fs::write(path, file.print(&story)) {
            Ok(()) => saved = Some(path.as_path()),
            // The verdict stands all the same.
            Err(error) => {
                let message = format!("the trace cannot be saved: {error}");
                answer.errors.push(Diagnostic::error(message).at(path.to_string_lossy(), 0, 0));
            }
        }
    }
    let replay = present::replay_line(&plan.program, &plan.input, saved, &violation.trace);
    answer.report = format!("{}{}{replay}", present::layout(&story, plan.format), summary(session));
    present::add_fields(&mut answer, &story, &violation.trace);
    answer
}

/// Who decided, and what it took.
fn summary(session: &Session) -> String {
    let mut parts = vec![format!("engine {}", session.task.engine)];
    let counted = session.statistics().into_iter().filter(|(_, value)| *value != 0);
    parts.extend(counted.map(|(name, value)| format!("{} {name}", grouped(value))));
    parts.push(format!("{:.2} s", session.budget.elapsed().as_secs_f64()));
    format!("{}\n", parts.join(", "))
}
