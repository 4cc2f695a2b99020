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
use session::Session;
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
    match cli.command {
        Command::Check(args) => {
            if let Some(table) = options::table(&args) {
                output::print(&table);
                std::process::exit(0)
            }
            let plan = check::Plan::new(&args).unwrap_or_else(|refusal| refuse(refusal, &args.output));
            let session = Arc::new(Session::new(plan.task(), plan.budget()));
            let guard = Guard::new(session.clone(), plan.mode, plan.limits);
            guard.run(move |guard| {
                let wanted = plan.mode == Mode::Text;
                let mut progress = progress::Terminal::new(guard.clone(), session.clone(), wanted);
                check::run(&plan, &session, &mut progress, &|answer| guard.answer(&answer))
            })
        }
        Command::Ir(args) => {
            let plan = show::Plan::new(&args);
            let session = Arc::new(Session::new(plan.task(), base::Budget::unlimited()));
            let guard = Guard::new(session.clone(), Mode::Plain, Limits::default());
            guard.run(move |_| show::run(&plan, &session))
        }
        Command::Replay(args) => {
            let plan = replay::Plan::new(&args).unwrap_or_else(|refusal| refuse(refusal, &args.output));
            let session = Arc::new(Session::new(plan.task(), base::Budget::unlimited()));
            let guard = Guard::new(session.clone(), plan.mode, Limits::default());
            guard.run(move |_| replay::run(&plan, &session))
        }
        Command::Sequentialize(args) => {
            let plan = sequentialize::Plan::new(args);
            let session = Arc::new(Session::new(plan.task(), base::Budget::unlimited()));
            let guard = Guard::new(session.clone(), Mode::Plain, Limits::default());
            guard.run(move |_| sequentialize::run(&plan, &session))
        }
    }
}

/// Carries out a command line without writing anything or ending the process: for tests, which have many.  The limits are
/// kept by the engines alone.  The error is one of usage.
pub fn in_process(args: &[String]) -> Result<Answer, String> {
    let args = std::iter::once("unbraid").chain(args.iter().map(String::as_str)).map(Into::into);
    let cli = options::parse(args).map_err(|error| error.to_string())?;
    let refused = |refusal| match refusal {
        Refusal::Usage(message) => Err(message),
        Refusal::Input(error) => Ok(Answer::input(vec![error])),
    };
    Ok(match cli.command {
        Command::Check(args) => match (options::table(&args), check::Plan::new(&args)) {
            (Some(report), _) => Answer { report, ..Answer::new(Exit::Safe) },
            (None, Ok(plan)) => {
                let plan = check::Plan { program: "unbraid".into(), ..plan };
                let session = Session::new(plan.task(), plan.budget());
                check::run(&plan, &session, &mut progress::Nobody, &std::convert::identity)
            }
            (None, Err(refusal)) => refused(refusal)?,
        },
        Command::Ir(args) => {
            let plan = show::Plan::new(&args);
            show::run(&plan, &Session::new(plan.task(), base::Budget::unlimited()))
        }
        Command::Replay(args) => match replay::Plan::new(&args) {
            Ok(plan) => replay::run(&plan, &Session::new(plan.task(), base::Budget::unlimited())),
            Err(refusal) => refused(refusal)?,
        },
        Command::Sequentialize(args) => {
            let plan = sequentialize::Plan::new(args);
            sequentialize::run(&plan, &Session::new(plan.task(), base::Budget::unlimited()))
        }
    })
}

/// Ends the process over something that can be told before the work begins.
fn refuse(refusal: Refusal, output: &options::OutputArgs) -> ! {
    match refusal {
        Refusal::Usage(message) => usage(&message),
        Refusal::Input(error) => {
            let answer = Answer::input(vec![error]);
            let session = Session::new(Default::default(), base::Budget::unlimited());
            output::write(&answer, &session, output.mode());
            std::process::exit(answer.exit.code())
        }
    }
}

fn usage(message: &str) -> ! {
    output::complain(&format!("error: {message}\n"));
    std::process::exit(Exit::Usage.code())
}
