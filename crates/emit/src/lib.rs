//! Prints a bounded program as sequential C: the lazy sequentialization of Inverso, Tomasco, Fischer, La Torre and Parlato
//! ("Bounded Model Checking of Multi-Threaded C Programs via Lazy Sequentialization", CAV 2014).
//!
//! Each thread becomes a function that goes on where it was stopped, and `main` calls the threads in turn, for a number of
//! rounds, guessing each time where the thread will be stopped next.  What blocks is pruned instead: `docs/lazy.md` argues
//! that no execution of that many rounds is lost or invented.

mod compare;
mod expr;
mod flavour;
mod helpers;
mod inst;
mod lvalue;
mod names;
mod objects;
mod scope;
mod sections;
mod thread;
mod types;
mod unit;
mod value;

pub use flavour::Flavour;

use base::{Diagnostic, FileId, IdVec, Pos};
use inst::{Others, comment};
use ir::BlockId;
use passes::{ThreadId, Unfolded};
use rustc_hash::FxHashSet;
use scope::Scope;
use std::fmt::Write;
use thread::{Body, Printer};
use unit::Unit;

/// How the program is printed.
pub struct Options<'a> {
    pub rounds: u32,
    pub flavour: Flavour,
    /// A line of the user's text, for the comments.
    pub source: &'a dyn Fn(FileId, u32) -> Option<String>,
    /// Said in the first comment: what this is and how it was made.
    pub heading: &'a str,
    /// Append assertions that the compiler's layouts are the program's; for tests.
    pub check_layouts: bool,
}

/// The sequential program of a bounded one, stopped at the given labels.  The errors are about what cannot be said in C.
pub fn emit(
    unfolded: &Unfolded,
    labels: &IdVec<ThreadId, Vec<(BlockId, u32)>>,
    options: &Options,
) -> Result<String, Vec<Diagnostic>> {
    let program = &unfolded.program;
    let unit = Unit::new(program);
    let names = unfolded.threads.iter().map(|(id, thread)| {
        let name = format!("thread_{}_{}", id.0, user_name(&program.functions[thread.func].name));
        unit.names.borrow_mut().fresh(&name)
    });
    let names: IdVec<ThreadId, String> = names.collect();
    let scopes: IdVec<ThreadId, Scope> =
        unfolded.threads.iter().map(|(id, thread)| Scope::new(&unit, thread.func, id)).collect();
    let params: IdVec<_, _> = scopes.values().map(thread::params).collect();
    let others = Others {
        thread_of: &|func| unfolded.thread_of(func),
        params: &params,
        handles: scopes.values().any(|scope| thread::uses_handles(scope.function)),
        results: scopes.values().any(thread::asks_for_results),
    };
    let mut bodies = IdVec::new();
    for (id, scope) in scopes.iter() {
        let labels = &labels[id];
        if let Some((block, at)) = sections::label_inside(scope.function, labels) {
            let block = &scope.function.blocks[block];
            let pos = block.insts.get(at as usize).map_or(block.term_pos, |inst| inst.pos);
            unit.fail(pos, "an atomic section that may or may not be open here");
        }
        let (others, cuts, text) = (&others, &unfolded.cuts, String::new());
        let printer = Printer { scope, others, options, cuts, labels, text, shown: Pos::NONE, next_label: 0 };
        bodies.push(printer.print(&names[id]));
    }
    let text = put_together(&unit, unfolded, options, &names, &others, &bodies);
    let errors = unit.errors.take();
    if errors.is_empty() { Ok(text) } else { Err(errors) }
}

/// The name of a function without what makes copies of it differ.
fn user_name(name: &str) -> &str {
    name.split(['.', '#', '@']).find(|part| !part.is_empty()).unwrap_or("start")
}

fn put_together(
    unit: &Unit,
    unfolded: &Unfolded,
    options: &Options,
    names: &IdVec<ThreadId, String>,
    others: &Others,
    bodies: &IdVec<ThreadId, Body>,
) -> String {
    let all: String = bodies.values().map(|body| format!("\n{}", body.text)).collect();
    let (objects, late) = unit.define_objects();
    let declared = unit.declare_objects();
    let mut text = heading(unfolded, options);
    text += options.flavour.preamble();
    let mut externs = unit.externs.borrow().clone();
    externs.insert("extern unsigned int __VERIFIER_nondet_uint(void);".into());
    externs.iter().for_each(|line| _ = writeln!(text, "{line}"));
    text += include_str!("next_switch.h");
    let types = unit.types.borrow();
    for id in &types.needed {
        let _ = write!(text, "\n{}", types.define(*id));
    }
    let section = |text: &mut String, part: &str| {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    };
    let used = unit.used_functions.borrow();
    let functions: String = used.iter().map(|func| format!("static char {};\n", unit.function_name(*func))).collect();
    section(&mut text, &functions);
    section(&mut text, &declared);
    section(&mut text, &objects);
    text.push('\n');
    text += &tables(bodies, others);
    for param in others.params.values().flatten().filter(|param| param.needed) {
        let _ = writeln!(text, "static {};", types.declare(&param.ctype, &param.name));
    }
    for helper in unit.helpers.borrow().values() {
        let _ = write!(text, "\n{helper}");
    }
    text += &all;
    text += &driver(options.rounds, names, bodies, &late);
    if options.check_layouts {
        let _ = write!(text, "\n{}", types.checks());
    }
    text
}

fn heading(unfolded: &Unfolded, options: &Options) -> String {
    let program = &unfolded.program;
    let mut text = String::from("/*\n");
    options.heading.lines().for_each(|line| _ = writeln!(text, "{}", format!(" * {}", comment(line)).trim_end()));
    if !unfolded.cuts.is_empty() {
        let _ = writeln!(text, " *\n * Executions beyond these bounds are left out:");
        let mut seen = FxHashSet::default();
        for cut in &unfolded.cuts {
            let short = |file: &str| format!("{}:{}: ", comment(file.rsplit('/').next().unwrap_or(file)), cut.pos.line);
            let place = program.file_of(cut.pos).map_or_else(String::new, short);
            let line = format!(" *   {place}{}\n", cut.kind);
            if seen.insert(line.clone()) {
                text += &line;
            }
        }
    }
    text += " */\n\n";
    text
}

/// The state of the threads.
fn tables(bodies: &IdVec<ThreadId, Body>, others: &Others) -> String {
    let count = bodies.len();
    let mut text = format!(
        "#define THREADS {count}\n\n/* By thread: the label it is stopped at, and whether it has been started. */\n\
         static unsigned int pc[THREADS];\nstatic unsigned char created[THREADS] = {{ 1 }};\n"
    );
    if others.handles {
        let last: Vec<String> = bodies.values().map(|body| body.last.to_string()).collect();
        text += "/* The label at which it has ended. */\n";
        let _ = writeln!(text, "static const unsigned int last[THREADS] = {{ {} }};", last.join(", "));
        text += "/* 1 as long as it can be joined, 2 when it has been detached. */\n";
        text += "static unsigned char handle[THREADS] = { 1 };\n";
    }
    if others.results {
        text += "static void *result[THREADS];\n";
    }
    text + include_str!("labels.h")
}

fn driver(rounds: u32, names: &IdVec<ThreadId, String>, bodies: &IdVec<ThreadId, Body>, late: &[String]) -> String {
    let turn = |thread: ThreadId| {
        let (i, name, last) = (thread.0, &names[thread], bodies[thread].last);
        format!(
            "    if (created[{i}] && pc[{i}] < {last}) {{\n        cs = NEXT_SWITCH(pc[{i}], {last});\n        \
             assume(pc[{i}] <= cs && cs <= {last});\n        {name}();\n        pc[{i}] = cs;\n    }}\n"
        )
    };
    let mut text =
        String::from("\n/* The first thread goes on to a label that is guessed. */\nstatic void first_turn(void)\n{\n");
    text += &turn(ThreadId::FIRST);
    text += "}\n\n/* So does each thread that runs. */\nstatic void one_round(void)\n{\n    first_turn();\n";
    names.ids().skip(1).for_each(|thread| text += &turn(thread));
    text += "}\n\nint main(void)\n{\n";
    late.iter().for_each(|line| _ = writeln!(text, "    {line}"));
    (0..rounds).for_each(|_| text += "    one_round();\n");
    text += "    /* What the others have left. */\n    first_turn();\n    return 0;\n}\n";
    text
}
