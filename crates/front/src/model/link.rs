//! Gives a body to every function of a program.
//!
//! A function that the program calls but does not define has no blocks.  If the model knows its name it gets the model's
//! body, else a stub that returns any value, or means UNKNOWN if it gets pointers.  Then model functions are spliced into their callers, because an analysis
//! should see `lock i32 @m set self` in the user's function and not a call with a pointer.  After linking no function has
//! zero blocks.

use super::computing::computes;
use super::flavour::flavours;
use super::library::{Flavour, Library};
use super::prototype::{Kind, Use};
use super::signature::{fit_call, fit_calls, fresh_reg, signature};
use super::{mentions, misfits, mutex_kinds, threads};
use crate::lower::Names;
use base::graph::Components;
use base::{Diagnostic, IdVec, Pos};
use ir::splice::{Show, can_splice, splice_calls};
use ir::tidy::tidy;
use ir::unused::{Remap, drop_unreached};
use ir::*;
use rustc_hash::FxHashMap;

/// What a function without a body and without a model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externs {
    /// It returns any value; where it gets a pointer to the program's memory, reaching it makes the answer UNKNOWN.
    #[default]
    Careful,
    /// It returns any value and writes anything to what it gets pointers to.
    Havoc,
    /// It returns any value and leaves memory alone.
    Pure,
    /// Reaching it makes the answer UNKNOWN.
    Error,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkOptions {
    pub externs: Externs,
    /// Further functions whose being called is a violation, whether or not they have a body.
    pub error_functions: Vec<String>,
}

impl LinkOptions {
    /// Those of a command line, whose other words do not matter.
    pub fn from_words(line: &str) -> Self {
        let mut options = LinkOptions::default();
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            match pair {
                ["--extern", "havoc"] => options.externs = Externs::Havoc,
                ["--extern", "pure"] => options.externs = Externs::Pure,
                ["--extern", "error"] => options.externs = Externs::Error,
                ["--error-function", name] => options.error_functions.push(name.to_string()),
                _ => (),
            }
        }
        options
    }
}

/// Is a call of this function a violation?
pub fn is_error_function(name: &str, options: &LinkOptions) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error") || options.error_functions.iter().any(|error| error == name)
}

/// The body of a function whose being called is a violation, for calls through its address.
pub fn violation_body(mut function: Function) -> Function {
    let pos = function.pos;
    let message = format!("{}() is called", function.name);
    let insts =
        vec![Inst { kind: InstKind::Assert { cond: Expr::bool(false), message, check: ir::Check::Error }, pos }];
    function.blocks.push(Block { name: "b0".into(), insts, term: Term::Unreachable, term_pos: pos });
    function
}

/// Model functions with more instructions than this stay functions.
const SPLICE_LIMIT: usize = 200;

/// Gives a body to every function and splices the model into its callers.
pub fn link(program: &mut Program, options: &LinkOptions) -> Vec<Diagnostic> {
    let mut flavours = flavours(program);
    if mutex_kinds::matter(program, options, &flavours) {
        flavours.push(Flavour::MutexKinds);
    }
    link_flavoured(program, options, &flavours)
}

/// As [`link`], with the flavours of the model given.
pub fn link_flavoured(program: &mut Program, options: &LinkOptions, flavours: &[Flavour]) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let library = Library::new(flavours);
    let placeholders: Vec<FuncId> =
        program.functions.iter().filter(|(_, f)| f.blocks.is_empty()).map(|(id, _)| id).collect();
    // What the program calls is an error then; the model may still need its own.
    let modelled: Vec<FuncId> =
        placeholders.iter().copied().filter(|id| !is_error_function(&program.functions[*id].name, options)).collect();
    let names = modelled.iter().map(|id| &program.functions[*id].name);
    match library.program(names.filter(|name| library.has_function(name)), program.data_model) {
        Ok(model) => import(program, model, &modelled, &library),
        // The model's own text is tested; if it is broken, every function of it is without a body.
        Err(error) => notes.push(Diagnostic::note(format!("the model cannot be read: {error}"))),
    }
    let used = mentions::mentioned(program);
    for id in placeholders {
        if program.functions[id].name == "assert" {
            let message = "`assert` has no body, as it is used without its header: it is taken as the assertion";
            notes.push(program.located(Diagnostic::note(message), program.functions[id].pos));
        }
        if program.functions[id].blocks.is_empty() {
            // What is never called by name has no declaration to point at.
            if program.functions[id].pos.is_none() {
                program.functions[id].pos = mentions::first_mention(program, id);
            }
            let note = stub(&mut program.functions[id], options).filter(|_| used[id.0 as usize]);
            notes.extend(note.map(|note| program.located(Diagnostic::note(note), program.functions[id].pos)));
        }
    }
    for id in program.functions.ids() {
        fit_calls(program, id);
    }
    splice_model(program);
    for id in program.functions.ids() {
        name_callees(program, id);
    }
    threads::fit_starts(program);
    drop_unreached(program);
    program.functions.ids().for_each(|id| tidy(program, id));
    misfits::refuse_misfits(program);
    notes
}

/// Puts the model's functions into the placeholders of their names and adds what else they need.
fn import(program: &mut Program, model: Program, placeholders: &[FuncId], library: &Library) {
    let slots: FxHashMap<String, FuncId> =
        placeholders.iter().map(|id| (program.functions[*id].name.clone(), *id)).collect();
    let taken = mentions::address_taken(program);
    let mut func_names = Names::of(program.functions.values().map(|f| &f.name));
    let mut object_names = Names::of(program.objects.values().map(|o| &o.name));

    // Where the user has the address of the function, it must keep the user's signature; the model stands beside it.
    let mut next = program.functions.len() as u32;
    let mut home = IdVec::<FuncId, FuncId>::new();
    let mut beside = Vec::new();
    for function in model.functions.values() {
        if let Some(own) = replaced(program, &function.name) {
            home.push(own);
            continue;
        }
        let slot = slots.get(&function.name).copied();
        let fits =
            |slot: &FuncId| !taken[slot.0 as usize] || signature(&program.functions[*slot]) == signature(function);
        match slot.filter(fits) {
            Some(slot) => home.push(slot),
            None => {
                beside.extend(slot.map(|slot| (slot, FuncId(next))));
                next += 1;
                home.push(FuncId(next - 1))
            }
        };
    }
    let first_object = program.objects.len() as u32;
    let map = Remap { func: &|id| home[id], object: &|id| ObjectId(first_object + id.0) };

    for object in model.objects.values() {
        let mut object = object.clone();
        object.name = unique(&mut object_names, object.name);
        object.internal = true;
        object.init.iter_mut().for_each(|init| map.init(&mut init.value));
        program.objects.push(object);
    }
    for (id, function) in model.functions.iter() {
        if replaced(program, &function.name) == Some(home[id]) {
            continue;
        }
        let mut new = function.clone();
        map.function(&mut new);
        drop_same_width_casts(&model, &mut new);
        new.model = true;
        if (home[id].0 as usize) < taken.len() {
            new.pos = program.functions[home[id]].pos;
            program.functions[home[id]] = new;
        } else {
            new.name = unique(&mut func_names, new.name);
            program.functions.push(new);
        }
    }
    for (slot, id) in beside {
        let (params, result) = signature(&program.functions[slot]);
        let given = params.into_iter().map(|ty| Some(Kind::of(ty))).collect();
        let used = Use { given, result: result.map(Kind::of), old: false };
        let prototype = library.prototype(&program.functions[slot].name);
        match prototype.is_none_or(|prototype| prototype.fits(&used)) {
            true => forward(program, slot, id),
            false => refuse_other(program, slot),
        }
    }
}

/// The body of a function that has the name of the library's and is another.
pub fn refuse_other(program: &mut Program, id: FuncId) {
    let pos = mentions::first_mention(program, id);
    let function = &mut program.functions[id];
    let inst = Inst { kind: InstKind::Unsupported { what: other_function(&function.name) }, pos };
    function.blocks.push(Block { name: "b0".into(), insts: vec![inst], term: Term::Unreachable, term_pos: pos });
    function.model = true;
}

/// Why such a function cannot be called.
pub fn other_function(name: &str) -> String {
    format!("a call of `{name}`, which has no body and is declared with other types than the library's `{name}`")
}

/// Functions that the library calls by these names, as glibc does, so that it gets the program's own if there are; others it has for itself.
pub const REPLACEABLE: [&str; 2] = ["malloc", "realloc"];

/// The program's own function that the library calls by this name.
fn replaced(program: &Program, name: &str) -> Option<FuncId> {
    let own = program.function_named(name).filter(|_| REPLACEABLE.contains(&name));
    own.filter(|id| !program.functions[*id].blocks.is_empty() && !program.functions[*id].model)
}

/// A name for what the model brings along: its own, if the program does not have that.
pub fn unique(names: &mut Names, name: String) -> String {
    if names.is_free(&name) { names.unique(&name) } else { names.unique_with(&format!("{name}.model"), '.') }
}

/// The model writes `zext(self, iptr)` for both data models; where the widths agree nothing is to be done.
fn drop_same_width_casts(program: &Program, function: &mut Function) {
    let types = function.clone();
    let clean = |expr: &mut Expr, old: Option<Ty>| {
        expr.for_each_mut(&mut |expr| {
            if let Expr::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, ty, inner) = expr
                && types.type_of(program, inner, old) == *ty
            {
                *expr = inner.take();
            }
        });
    };
    for (_, block) in function.blocks.iter_mut() {
        for inst in &mut block.insts {
            let old = if let InstKind::Update { ty, .. } = inst.kind { Some(ty) } else { None };
            inst.kind.for_each_expr_mut(&mut |expr| clean(expr, old));
        }
        block.term.for_each_expr_mut(&mut |expr| clean(expr, None));
    }
}

/// Makes the placeholder `from` call `to`, each with its own signature.
pub fn forward(program: &mut Program, from: FuncId, to: FuncId) {
    let mut function = program.functions[from].clone();
    let args: Vec<Expr> = function.params.iter().map(|reg| Expr::Reg(*reg)).collect();
    let dst = function.result.map(|ty| fresh_reg(&mut function, "result", ty));
    let mut insts = Vec::new();
    fit_call(program, &mut function, dst, to, &args, Pos::NONE, &mut insts);
    let term = Term::Return(dst.map(Expr::Reg));
    function.blocks.push(Block { name: "b0".into(), insts, term, term_pos: Pos::NONE });
    function.model = true;
    program.functions[from] = function;
}

/// Does a function of this name give inputs?
pub fn is_input(name: &str) -> bool {
    nondet_kind(name).is_some()
}

/// What a `__VERIFIER_nondet_*` function is named after, if `name` is one.
fn nondet_kind(name: &str) -> Option<&str> {
    name.strip_prefix("__VERIFIER_nondet")
        .or(name.strip_prefix("nondet"))
        .filter(|kind| kind.is_empty() || kind.starts_with('_'))
}

/// A body for a function that has no model, where its address is called; calls by name are decided one by one when C is
/// lowered.  Tells what is to be said about it.
fn stub(function: &mut Function, options: &LinkOptions) -> Option<String> {
    if is_error_function(&function.name, options) {
        *function = violation_body(function.clone());
        return None;
    }
    let name = function.name.clone();
    let nondet = nondet_kind(&name);
    function.model = true;
    let mut insts = Vec::new();
    let pos = function.pos;
    let inst = |kind| Inst { kind, pos: Pos::NONE };
    let unsupported = |what| Inst { kind: InstKind::Unsupported { what }, pos };
    let mut note = None;
    let gets_pointers = function.params.iter().any(|param| function.ty(*param) == Ty::Ptr);
    // Whatever its name says, it could write through them.
    if nondet.is_none() || gets_pointers {
        let (does, refused) = what_it_does(&name, options.externs, gets_pointers);
        note = Some(format!("`{name}` has no body{does}"));
        if let Some(why) = refused {
            insts.push(unsupported(format!("a call of `{name}`, which has no body{why}")));
        }
    }
    let Some(ty) = function.result else {
        function.blocks.push(Block { name: "b0".into(), insts, term: Term::Return(None), term_pos: Pos::NONE });
        return note;
    };
    let input = if nondet.is_some() { Input::Nondet(name.clone()) } else { Input::Extern(name.clone()) };
    if nondet.is_none() && ty == Ty::Ptr {
        // Null, or a pointer to who knows what: to end the execution at its first use would hide what comes then.
        let is_null = fresh_reg(function, "null", Ty::BOOL);
        insts.push(inst(InstKind::Havoc { dst: is_null, input }));
        let term = Term::Branch { cond: Expr::Reg(is_null), then: BlockId(1), other: BlockId(2) };
        function.blocks.push(Block { name: "b0".into(), insts, term, term_pos: Pos::NONE });
        let term = Term::Return(Some(Expr::null()));
        function.blocks.push(Block { name: "null".into(), insts: Vec::new(), term, term_pos: Pos::NONE });
        let what = format!("the use of a pointer that `{name}` returns, which has no body");
        let insts = vec![unsupported(what)];
        function.blocks.push(Block { name: "other".into(), insts, term: Term::Unreachable, term_pos: Pos::NONE });
        return note;
    }
    // A `bool` that was declared wider is still 0 or 1.
    let narrow = matches!((nondet, ty), (Some("_bool" | "__Bool"), Ty::Int(_)));
    let any = fresh_reg(function, "any", if narrow { Ty::BOOL } else { ty });
    insts.push(inst(InstKind::Havoc { dst: any, input }));
    let value = if narrow && ty != Ty::BOOL { Expr::cast(CastOp::ZExt, ty, Expr::Reg(any)) } else { Expr::Reg(any) };
    function.blocks.push(Block { name: "b0".into(), insts, term: Term::Return(Some(value)), term_pos: Pos::NONE });
    note
}

/// Why a function that gets no pointers, by its name, must not be taken to return any value and do nothing else, if so.
pub fn more_than_a_value(name: &str) -> Option<&'static str> {
    const THREADS: [&str; 6] = ["pthread_", "thrd_", "mtx_", "cnd_", "tss_", "sem_"];
    if THREADS.iter().any(|library| name.starts_with(library)) {
        return Some(" and is about threads");
    }
    match name {
        // clang calls these for * and / of complex numbers.
        "__mulsc3" | "__muldc3" | "__mulxc3" | "__multc3" | "__divsc3" | "__divdc3" | "__divxc3" | "__divtc3" => {
            Some(": arithmetic of complex numbers")
        }
        "fesetround" | "fesetenv" | "feupdateenv" | "fesetmode" | "feenableexcept" | "setlocale" | "uselocale" => {
            Some(" and changes what others compute")
        }
        "sigignore" | "sigpause" | "ssignal" | "pidfd_send_signal" => Some(" and is about signals"),
        "_Fork" | "daemon" | "flock" | "lockf" => Some(" and is about processes"),
        _ if computes(name) => Some(" and computes what is not known here"),
        _ => None,
    }
}

/// What is said of a function without a body, and why reaching it means UNKNOWN, if so.
fn what_it_does(name: &str, externs: Externs, gets_pointers: bool) -> (&'static str, Option<&'static str>) {
    match (externs, gets_pointers) {
        (Externs::Careful, _) if more_than_a_value(name).is_some() => {
            (": what it does is not known", more_than_a_value(name))
        }
        (Externs::Error, _) => ("", Some("")),
        (Externs::Careful, true) => (
            ": it could write through the pointers it gets",
            Some(" and gets pointers (give it a body, or see --extern)"),
        ),
        (Externs::Havoc, true) => (
            ": it could write through the pointers it gets",
            Some(": what the pointers it gets point to is not known here"),
        ),
        (Externs::Pure, _) => (": it returns any value and leaves memory alone", None),
        (Externs::Careful | Externs::Havoc, false) => (": it returns any value", None),
    }
}

/// Splices each model function that is small and not recursive, innermost first.
fn splice_model(program: &mut Program) {
    // The user's functions are never spliced, so calls of the model's are all that counts.
    let callees = |function: &Function| -> Vec<u32> {
        let direct = function.insts().filter_map(|inst| inst.kind.direct_callee());
        direct.filter(|callee| program.functions[*callee].model).map(|callee| callee.0).collect()
    };
    let calls: Vec<Vec<u32>> = program.functions.values().map(callees).collect();
    let components = Components::of_graph(&calls);
    let small = |function: &Function| {
        can_splice(function) && function.blocks.values().map(|b| b.insts.len() + 1).sum::<usize>() <= SPLICE_LIMIT
    };
    for id in components.members().into_iter().flatten().map(|index| FuncId(index as u32)) {
        splice_calls(program, id, |program, callee| {
            let function = &program.functions[callee];
            let chosen = function.model && !components.on_cycle(callee.0 as usize) && small(function);
            chosen.then_some(Show::AsCall)
        });
        // The model's own functions are spliced into others as they are then.
        if program.functions[id].model {
            tidy(program, id);
        }
        // A spliced `call *%f` may know its function now; the callers of this one will see it.
        name_callees(program, id);
    }
}

/// Turns calls and starts through a constant pointer into direct ones.
pub fn name_callees(program: &mut Program, id: FuncId) {
    let known = program.functions.len();
    let mut changed = false;
    for (_, block) in program.functions[id].blocks.iter_mut() {
        for inst in &mut block.insts {
            if let Some(callee) = inst.kind.callee_mut()
                && let Callee::Indirect(Expr::Func(target)) = callee
                && (target.0 as usize) < known
            {
                *callee = Callee::Direct(*target);
                changed = true;
            }
        }
    }
    if changed {
        fit_calls(program, id);
    }
}
