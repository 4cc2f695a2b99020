//! `unbraid ir`: prints the program as the engines see it.

use crate::answer::{Answer, Exit};
use crate::input::{self, InputOptions};
use crate::options::IrArgs;
use crate::session::{Session, Task};

/// What is to be printed.
pub struct Plan {
    input: InputOptions,
    positions: bool,
    unwind: Option<u32>,
}

impl Plan {
    pub fn new(args: &IrArgs) -> Self {
        Plan { input: InputOptions::new(&args.input), positions: !args.no_positions, unwind: args.unwind }
    }

    pub fn task(&self) -> Task {
        Task { files: self.input.file_names(), data_model: self.input.data_model_name(), ..Task::default() }
    }
}

pub fn run(plan: &Plan, session: &Session) -> Answer {
    match input::load(&plan.input, session) {
        Ok(mut program) => {
            if let Some(unwind) = plan.unwind {
                let facts = facts::Facts::compute(&program);
                match passes::unfold(&program, &facts, &passes::Bounds::new(unwind), &session.budget) {
                    Ok(unfolded) => program = unfolded.program,
                    Err(spent) => return Answer::spent(spent),
                }
            }
            let print = if plan.positions { ir::text::print } else { ir::text::print_without_positions };
            Answer { report: print(&program), ..Answer::new(Exit::Safe) }
        }
        Err(errors) => Answer::input(errors),
    }
}
