//! The command line: options in, one verdict and an exit status out.
//!
//! Everything that prints or ends the process is here.  [`main`] reads the options and starts the command in a thread of
//! its own, with a large stack; `guard` keeps the limits of time and memory whatever that thread does, and sees to it that
//! exactly one answer is written.

mod answer;
mod caveats;
mod check;
mod choice;
mod decide;
mod evidence;
mod foreign;
mod guard;
mod input;
mod options;
mod output;
mod present;
mod progress;
mod property;
mod replay;
mod sequentialize;
mod session;
mod show;
mod system;
mod trail;

pub use answer::{Answer, Exit, Why};

use check::Refusal;
use guard::{Guard, Limits};
use options::Command;
use output::Mode;
use progress::{Display, Nobody, Terminal};
use session::{Session, Task};
use std::sync::Arc;

/// The whole program.  Does not return: the exit status is the answer.
pub fn main() -> ! {
    let cli = match options::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors; whether they can be written is nobody's concern.
            let status = if error.use_stderr() { Exit::Usage.code() } else { 0 };
            let _ = error.print();
            std::process::exit(status)
        }
    };
    let Job { task, mode, limits, work } = Job::new(cli.command);
    let session = Arc::new(Session::new(task, limits.budget()));
    Guard::new(session.clone(), mode, limits).run(move |guard| {
        let mut progress = Terminal::new(guard.clone(), session.clone(), mode == Mode::Text);
        work(&session, &mut progress, &|answer| guard.answer(&answer))
    })
}

/// Carries out a command line without writing anything or ending the process: for tests, which have many.  The limits are
/// kept by the engines alone.  The error is one of usage.
pub fn in_process(args: &[String]) -> Result<Answer, String> {
    let args = std::iter::once("unbraid").chain(args.iter().map(String::as_str)).map(Into::into);
    let cli = options::parse(args).map_err(|error| error.to_string())?;
    let Job { task, limits, work, .. } = Job::new(cli.command);
    Ok(work(&Session::new(task, limits.budget()), &mut Nobody, &std::convert::identity))
}

/// A command, ready to be carried out.
struct Job {
    task: Task,
    mode: Mode,
    limits: Limits,
    work: Work,
}

/// The work may end with what the last argument gives, before all is put away.
type Work = Box<dyn FnOnce(&Session, &mut dyn Display, &dyn Fn(Answer) -> Answer) -> Answer + Send>;

impl Job {
    fn new(command: Command) -> Self {
        match command {
            Command::Check(args) => {
                let (table, mode) = (options::table(&args), args.output.mode());
                match (table, check::Plan::new(*args)) {
                    (Some(report), _) => Job::answered(Answer { report, ..Answer::new(Exit::Safe) }, Mode::Plain),
                    (None, Ok(plan)) => Job {
                        task: plan.task(),
                        mode,
                        limits: plan.limits,
                        work: Box::new(move |session, display, finish| check::run(&plan, session, display, finish)),
                    },
                    (None, Err(refusal)) => Job::answered(refusal.into(), mode),
                }
            }
            Command::Ir(args) => {
                Job::unlimited(args.input.task(), Mode::Plain, move |session| show::run(&args, session))
            }
            Command::Replay(args) => {
                let mode = args.output.mode();
                match replay::Plan::new(args) {
                    Ok(plan) => Job::unlimited(plan.task(), mode, move |session| replay::run(&plan, session)),
                    Err(refusal) => Job::answered(refusal.into(), mode),
                }
            }
            Command::Sequentialize(args) => {
                Job::unlimited(args.input.task(), Mode::Plain, move |session| sequentialize::run(&args, session))
            }
        }
    }

    fn unlimited(task: Task, mode: Mode, work: impl FnOnce(&Session) -> Answer + Send + 'static) -> Self {
        Job { task, mode, limits: Limits::default(), work: Box::new(move |session, _, _| work(session)) }
    }

    /// What can be told before the work begins.
    fn answered(answer: Answer, mode: Mode) -> Self {
        Job::unlimited(Task::default(), mode, move |_| answer)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Usage(message) => Answer::usage(message),
            Refusal::Input(error) => Answer::input(vec![error]),
        }
    }
}
