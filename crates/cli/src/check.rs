//! `unbraid check`: decides a program.

use crate::answer::Answer;
use crate::choice;
use crate::decide;
use crate::foreign;
use crate::guard::Limits;
use crate::input;
use crate::options::CheckArgs;
use crate::progress::{Display, Nobody};
use crate::property::Asked;
use crate::sequentialize::{self, SequentializeArgs};
use crate::session::{Session, Task};
use crate::system;
use backend::Backend;
use base::{Budget, Diagnostic};
use claim::modular::Ints;
use engines::Command;
use ir::{MemoryModel, Program, Spec};
use portfolio::{Row, Schedule};
use std::path::PathBuf;

/// What is to be decided, and how.
pub struct Plan {
    pub args: CheckArgs,
    pub property: Asked,
    /// Who runs when.
    pub schedule: Schedule,
    /// The integers that the verdict speaks of.
    pub integers: Ints,
    /// The foreign verifier that decides instead, within the bounds as far as they are given.
    pub backend: Option<Backend>,
    pub limits: Limits,
    /// Where the evidence is saved when engines contradict each other.
    pub evidence: PathBuf,
    /// What this program is called, for the command that replays.
    pub program: String,
}

/// Why a command cannot be carried out as it is written.
pub enum Refusal {
    Usage(String),
    Input(Diagnostic),
}

impl Plan {
    pub fn new(args: CheckArgs) -> Result<Self, Refusal> {
        let schedule = choice::schedule(&args)?;
        Ok(Plan {
            property: Asked::read(&args.property)?,
            integers: schedule.ints().map_err(Refusal::Usage)?,
            schedule,
            backend: choice::backend(&args)?,
            limits: Limits { time: args.timeout, memory: args.memory.or_else(default_memory) },
            evidence: PathBuf::from("."),
            program: program_name(),
            args,
        })
    }

    pub fn task(&self) -> Task {
        let (property, engine) = (self.property.name.clone(), self.args.engine.clone());
        Task { property, engine, integers: self.integers, ..self.args.input.task() }
    }

    /// What is wrong with the options of an engine for this program.
    fn misfit(&self, program: &Program, budget: &Budget) -> Option<String> {
        let misfit = |row: &Row| row.command.make().ok()?.misfit(program, budget);
        self.schedule.rows.iter().find_map(misfit)
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
    let spec = plan.property.property.map(|property| Spec { property, memory: MemoryModel::SequentiallyConsistent });
    let Some(spec) = spec.filter(|spec| plan.schedule.decides(*spec)) else {
        let text = format!("property not supported: {}", plan.property.name);
        return Answer::unknown("property", text);
    };
    let program = match session.phase("front", || input::load(&plan.args.input, session)) {
        Ok(program) => program,
        Err(errors) => {
            // A compiler that was stopped by the clock is not an error of the input.
            return session.budget.spent().map_or_else(|| Answer::input(errors), Answer::spent);
        }
    };
    if let Some(message) = plan.misfit(&program, &session.budget) {
        return Answer::usage(message);
    }
    let Some(backend) = &plan.backend else {
        return decide::decide(plan, spec, &plan.schedule, &program, session, display, finish);
    };
    let emit = |bounds: backend::Bounds| {
        let bounds = (bounds.rounds, bounds.unwind);
        let args = SequentializeArgs::for_backend(&plan.args.input, bounds, backend.flavour());
        let written = sequentialize::text(&args, &program, &session.budget);
        written.map(|(text, _)| text).map_err(|failure| match failure {
            sequentialize::Failure::Spent(spent) => spent.to_string(),
            sequentialize::Failure::Unsupported(errors) => {
                let first = errors.first().map(|error| error.message.as_str()).unwrap_or_default();
                format!("the program cannot be said in C: {first}")
            }
        })
    };
    let own = |bounds: backend::Bounds| {
        let mut command = Command::new("lazy");
        command.set("rounds", &bounds.rounds.to_string());
        command.set("unwind", &bounds.unwind.to_string());
        let schedule = Schedule::alone(command);
        decide::decide(plan, spec, &schedule, &program, session, &mut Nobody, &std::convert::identity)
    };
    foreign::decide(backend, (plan.args.rounds, plan.args.unwind), session, &emit, &own)
}
