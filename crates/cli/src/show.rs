//! `unbraid ir`: prints the program as the engines see it.

use crate::answer::{Answer, Exit};
use crate::input;
use crate::options::IrArgs;
use crate::session::Session;
use base::Pos;
use ir::{AllocKind, Goal, Inst, InstKind, Program};
use passes::Cut;
use system::Refused;

/// Loops that a constant ends sooner are unwound in the program of threads.
const COUNTED: u32 = 1 << 10;

/// How to unfold it first, if at all.
fn bounds(args: &IrArgs) -> Option<passes::Bounds> {
    match args.threads {
        true => Some(passes::Bounds::keeping_loops(COUNTED)),
        false => args.unwind.map(passes::Bounds::new),
    }
}

pub fn run(args: &IrArgs, session: &Session) -> Answer {
    match input::load(&args.input, session) {
        Ok(program) if args.system => system(bounds(args), &program, session),
        Ok(mut program) => {
            let mut remarks = String::new();
            if let Some(bounds) = bounds(args) {
                let facts = facts::Facts::compute(&program);
                match passes::unfold(&program, &facts, Goal::Assertion, &bounds, &session.budget) {
                    Ok(unfolded) => {
                        remarks = describe(&unfolded);
                        program = with_cuts(unfolded);
                    }
                    Err(spent) => return Answer::spent(spent),
                }
            }
            let print = if args.no_positions { ir::text::print_without_positions } else { ir::text::print };
            Answer { report: print(&program) + &remarks, ..Answer::new(Exit::Safe) }
        }
        Err(errors) => Answer::input(errors),
    }
}

/// What the text of an unfolded program does not tell, as comments.
fn describe(unfolded: &passes::Unfolded) -> String {
    let program = &unfolded.program;
    let at = |pos| place(program, pos);
    let name = |func: ir::FuncId, block: ir::BlockId| {
        let function = &program.functions[func];
        format!("{} {}", function.name, function.blocks[block].name)
    };
    let cuts = unfolded.cuts.iter().map(|cut| {
        let Cut { func, block, kind, pos } = cut;
        format!(";; cut: {}{kind} ({})\n", at(*pos), name(*func, *block))
    });
    let repeated = unfolded.repeated.iter().map(|site| {
        let kind = match site.kind {
            AllocKind::Stack => "stack",
            AllocKind::Heap => "heap",
        };
        format!(
            ";; in a loop: {}an allocation on the {kind} ({})\n",
            at(site.pos),
            name(site.point.func, site.point.block)
        )
    });
    cuts.chain(repeated).collect()
}

/// The program, with something in the place of each cut that makes reaching it UNKNOWN: it may be checked as it is printed.
fn with_cuts(unfolded: passes::Unfolded) -> Program {
    let mut program = unfolded.program;
    for Cut { func, block, kind, pos } in unfolded.cuts {
        let what = kind.to_string();
        program.functions[func].blocks[block].insts.push(Inst { kind: InstKind::Unsupported { what }, pos });
    }
    program
}

fn system(bounds: Option<passes::Bounds>, program: &Program, session: &Session) -> Answer {
    let mut options = system::Options::default();
    options.bounds = bounds.unwrap_or(options.bounds);
    match system::translate(program, &options, &session.budget) {
        Ok(translated) => {
            let mut report = system::prepare(&translated.system, &session.budget).system.to_string();
            for note in &translated.notes {
                report += &format!("note: {}{}\n", place(program, note.pos), note.what);
            }
            Answer { report, ..Answer::new(Exit::Safe) }
        }
        Err(Refused::Spent(spent)) => Answer::spent(spent),
        Err(Refused::Unsupported(note)) => {
            let report = format!("no system: {}{}\n", place(program, note.pos), note.what);
            Answer { report, ..Answer::new(Exit::Unknown) }
        }
    }
}

fn place(program: &Program, pos: Pos) -> String {
    program.place(pos).map_or_else(String::new, |place| format!("{place}: "))
}
