//! Looks at a program for the features that ask for other flavours of the model; `mutex_kinds` looks for one more.

use super::library::Flavour;
use super::{how_often, mentions};
use ir::{BinOp, Callee, Expr, FuncId, Function, Inst, InstKind, Program, Reg};

pub fn flavours(program: &Program) -> Vec<Flavour> {
    let uses = |names: &[&str]| names.iter().any(|name| placeholder(program, name).is_some());
    let count = |names: &[&str]| how_often::calls(program, names);
    let deletes_keys = uses(&["pthread_key_delete", "tss_delete"]);
    let exits_threads = uses(&["pthread_exit", "thrd_exit"]);
    let detaches = uses(&["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"]);
    let looks_at_detaching = || ["pthread_detach", "thrd_detach"].iter().any(|name| looks_at_result(program, name));
    let has = [
        (Flavour::KeyDestructors, KEY_MAKERS.iter().any(|name| calls(program, name, |args| !is_null(args.get(1))))),
        (Flavour::CleanupHandlers, uses(&["__pthread_register_cancel"])),
        (Flavour::Realloc, uses(&["realloc", "reallocarray", "malloc_usable_size"])),
        // Without detaching, a join can only fail for a handle that is no thread's, which is an error of the program.
        (Flavour::CheckedHandles, detaches && (uses(&["pthread_join", "thrd_join"]) || looks_at_detaching())),
        (Flavour::Detached, calls(program, "pthread_attr_setdetachstate", |args| !is_null(args.get(1)))),
        (Flavour::ManyKeys, count(&KEY_MAKERS) > SMALL_KEY_TABLE),
        (Flavour::DeletedKeys, deletes_keys),
        (Flavour::ExitHandlers, uses(&["atexit", "on_exit", "model.register_exit"])),
        (Flavour::ExitStatus, uses(&["on_exit"])),
        (Flavour::ExitMany, count(&EXIT_REGISTERS) > EXIT_TABLE),
        (Flavour::QuickExit, uses(&["at_quick_exit"])),
        (Flavour::LastThread, exits_threads),
        (Flavour::SignalSets, uses(&["sigismember"])),
        (Flavour::ProcessAndThreadIds, uses(&["getpid"]) && uses(&["gettid"])),
        (Flavour::OwnHandle, uses(&["pthread_self", "thrd_current"])),
        (Flavour::ManyFiles, count(&["fopen"]) > 1),
        (Flavour::ErrorNumbers, uses(&["__errno_location", "___errno_location"])),
        (Flavour::SomeDescriptors, some_descriptors(program)),
        // A key that is the only one cannot be made after another was deleted.
        (Flavour::KeysAgain, deletes_keys && count(&KEY_MAKERS) > 1),
        (Flavour::EnvironmentTexts, looks_at_pointer(program, "getenv") || looks_at_pointer(program, "secure_getenv")),
        (Flavour::ErrorTexts, uses(&["strerror"]) && does_not_just_print(program, "strerror")),
        (Flavour::OnceLeft, uses(&["pthread_once", "call_once"]) && exits_threads),
    ];
    has.into_iter().filter(|(_, has)| *has).map(|(flavour, _)| flavour).collect()
}

/// The small table of keys, in keys.ir, has room for so many.
const SMALL_KEY_TABLE: u64 = 64;

const KEY_MAKERS: [&str; 2] = ["pthread_key_create", "tss_create"];

/// The tables of functions for the end of the program have room for so many.
const EXIT_TABLE: u64 = 64;

/// Functions that keep their first argument for the end of the program.
pub const EXIT_REGISTERS: [&str; 4] = ["atexit", "on_exit", "at_quick_exit", "model.register_exit"];

/// Does the program make more than one descriptor, and so few that the table in files_some.ir has room for all?
fn some_descriptors(program: &Program) -> bool {
    let pairs = how_often::calls(program, &DESCRIPTOR_PAIRS);
    let made = pairs.saturating_add(how_often::calls(program, &DESCRIPTOR_MAKERS));
    made > 1 && made.saturating_add(pairs) <= DESCRIPTOR_TABLE
}

const DESCRIPTOR_TABLE: u64 = 8;

const DESCRIPTOR_MAKERS: [&str; 5] = ["open", "openat", "creat", "socket", "dup"];

const DESCRIPTOR_PAIRS: [&str; 3] = ["pipe", "pipe2", "socketpair"];

/// The function of that name, if the program does not define it.
fn placeholder(program: &Program, name: &str) -> Option<FuncId> {
    program.function_named(name).filter(|id| program.functions[*id].blocks.is_empty())
}

/// Is the library function `name` called with arguments for which `test` holds, or perhaps so through a pointer?
fn calls(program: &Program, name: &str, test: impl Fn(&[Expr]) -> bool) -> bool {
    let Some(id) = placeholder(program, name) else { return false };
    if mentions::address_taken(program)[id.0 as usize] {
        return true;
    }
    program.insts().any(|inst| {
        matches!(&inst.kind, InstKind::Call { callee: Callee::Direct(callee), args, .. } if *callee == id && test(args))
    })
}

/// Does the program read a result of the library function `name`, or may it, through a pointer?
fn looks_at_result(program: &Program, name: &str) -> bool {
    looks_at(program, name, |expr, reg| expr.any(&mut |part| *part == Expr::Reg(reg)))
}

/// Does the program do more with a pointer that the library function `name` returns than compare it with null?
fn looks_at_pointer(program: &Program, name: &str) -> bool {
    looks_at(program, name, mentions_beyond_null)
}

/// Does the register occur in the expression other than compared with null?
pub fn mentions_beyond_null(expr: &Expr, reg: Reg) -> bool {
    let with_null = match expr {
        Expr::Bin(BinOp::Eq | BinOp::Ne, left, right) => {
            matches!((&**left, &**right), (Expr::Reg(_), Expr::Const(_, 0)) | (Expr::Const(_, 0), Expr::Reg(_)))
        }
        _ => false,
    };
    *expr == Expr::Reg(reg) || !with_null && expr.children().any(|child| mentions_beyond_null(child, reg))
}

/// Does the program do more with a pointer that the library function `name` returns than give it to functions that print?
fn does_not_just_print(program: &Program, name: &str) -> bool {
    let prints = |inst: &Inst| {
        let callee = inst.kind.direct_callee().map(|id| &program.functions[id]);
        callee.is_some_and(|callee| callee.blocks.is_empty() && PRINTERS.contains(&callee.name.as_str()))
    };
    let mut others = program.clone();
    for (_, function) in others.functions.iter_mut() {
        function.blocks.iter_mut().for_each(|(_, block)| block.insts.retain(|inst| !prints(inst)));
    }
    looks_at_pointer(&others, name)
}

/// Functions of which the model does not look at what they print.
const PRINTERS: [&str; 8] = ["printf", "fprintf", "dprintf", "puts", "fputs", "syslog", "error", "error_at_line"];

/// Is there an expression, in a function that calls the library function `name`, in which `reads` finds a result of it?
fn looks_at(program: &Program, name: &str, reads: impl Fn(&Expr, Reg) -> bool) -> bool {
    let Some(id) = placeholder(program, name) else { return false };
    let found_in = |function: &Function| {
        let calls = function.insts().filter(|inst| matches!(inst.kind, InstKind::Call { .. }));
        let calls = calls.filter(|inst| inst.kind.direct_callee() == Some(id));
        let results: Vec<Reg> = calls.filter_map(|inst| inst.kind.dst()).collect();
        let mut found = false;
        let mut look = |expr: &Expr| found |= results.iter().any(|reg| reads(expr, *reg));
        if !results.is_empty() {
            function.for_each_expr(&mut look);
        }
        found
    };
    mentions::address_taken(program)[id.0 as usize] || program.functions.values().any(found_in)
}

fn is_null(arg: Option<&Expr>) -> bool {
    matches!(arg, Some(Expr::Const(_, 0)))
}
