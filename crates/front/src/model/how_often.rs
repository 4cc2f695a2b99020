//! How often a program can call a library function, at most: the number of calls in its text where none of them is in a
//! loop, in a recursive function or in one that runs more than once.

use super::flavour::EXIT_REGISTERS;
use facts::Cfg;
use ir::{BlockId, Callee, Expr, FuncId, Function, Inst, InstKind, ObjectId, Program};
use rustc_hash::FxHashSet;

/// More calls than anyone counts.
const MANY: u64 = u64::MAX;

/// How often functions of these names are called, at most.
pub fn calls(program: &Program, names: &[&str]) -> u64 {
    let is_wanted = |function: &Function| function.blocks.is_empty() && names.contains(&function.name.as_str());
    let wanted: Vec<FuncId> = program.functions.iter().filter(|(_, f)| is_wanted(f)).map(|(id, _)| id).collect();
    if wanted.is_empty() {
        return 0;
    }
    let mut counts = Counts { program, known: vec![None; program.functions.len()], mentions: mentions(program) };
    wanted.into_iter().fold(0, |sum, id| sum.saturating_add(counts.runs(id)))
}

/// Where a function is called from, or kept for the end, and whether its address goes elsewhere than there and to `pthread_once`.
#[derive(Clone, Default)]
struct Mentions {
    callers: Vec<(FuncId, BlockId)>,
    /// What it is handed to `pthread_once` with: for each of these it runs once.
    once: FxHashSet<(ObjectId, i64)>,
    escapes: bool,
}

struct Counts<'a> {
    program: &'a Program,
    known: Vec<Option<u64>>,
    mentions: Vec<Mentions>,
}

impl Counts<'_> {
    /// How often a function runs.
    fn runs(&mut self, id: FuncId) -> u64 {
        let index = id.0 as usize;
        if let Some(known) = self.known[index] {
            return known;
        }
        // A function that is asked for while it is being counted calls itself.
        self.known[index] = Some(MANY);
        let mut sum: u64 = u64::from(id == self.program.entry);
        if self.mentions[index].escapes {
            sum = MANY;
        }
        sum = sum.saturating_add(self.mentions[index].once.len() as u64);
        for (caller, block) in self.mentions[index].callers.clone() {
            let once = !Cfg::new(&self.program.functions[caller]).in_loop(block);
            let runs = self.runs(caller);
            sum = sum.saturating_add(if once || runs == 0 { runs } else { MANY });
        }
        self.known[index] = Some(sum);
        sum
    }
}

fn mentions(program: &Program) -> Vec<Mentions> {
    let mut found = vec![Mentions::default(); program.functions.len()];
    let used = used_otherwise(program);
    for (caller, function) in program.functions.iter() {
        for (block, data) in function.blocks.iter() {
            for inst in &data.insts {
                if let Some(callee) = inst.kind.direct_callee() {
                    found[callee.0 as usize].callers.push((caller, block));
                }
                match once_of(program, inst) {
                    // Each thread has a flag of its own.
                    Some((object, _, id)) if program.objects[object].thread_local => {
                        found[id.0 as usize].escapes = true;
                    }
                    Some((object, offset, id)) if !used.contains(&object) => {
                        found[id.0 as usize].once.insert((object, offset));
                    }
                    // Something else may set the flag back, but it runs as often as it is handed over, at most.
                    Some((_, _, id)) => found[id.0 as usize].callers.push((caller, block)),
                    None => match at_end(program, inst) {
                        Some((id, others)) => {
                            found[id.0 as usize].callers.push((caller, block));
                            others.iter().for_each(|expr| escape(expr, &mut found));
                        }
                        None => inst.kind.for_each_expr(&mut |expr| escape(expr, &mut found)),
                    },
                }
            }
            data.term.for_each_expr(&mut |expr| escape(expr, &mut found));
        }
    }
    for init in program.objects.values().flat_map(|object| &object.init) {
        if let ir::InitValue::Function(id) = init.value {
            found[id.0 as usize].escapes = true;
        }
    }
    found
}

/// The name and the arguments of a call of a library function.
fn library_call<'a>(program: &'a Program, inst: &'a Inst) -> Option<(&'a str, &'a [Expr])> {
    let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { return None };
    let callee = &program.functions[*callee];
    callee.blocks.is_empty().then_some((&callee.name, args))
}

/// The flag and the function of a call of `pthread_once`, where both are constant.
fn once_of(program: &Program, inst: &Inst) -> Option<(ObjectId, i64, FuncId)> {
    match library_call(program, inst)? {
        ("pthread_once" | "call_once", [Expr::Object(object, offset), Expr::Func(id)]) => Some((*object, *offset, *id)),
        _ => None,
    }
}

/// The function that a call keeps for the end of the program, where it runs once for each such call, and the other arguments.
fn at_end<'a>(program: &'a Program, inst: &'a Inst) -> Option<(FuncId, &'a [Expr])> {
    match library_call(program, inst)? {
        (name, [Expr::Func(id), others @ ..]) if EXIT_REGISTERS.contains(&name) => Some((*id, others)),
        _ => None,
    }
}

/// The objects that are used otherwise than as flags of `pthread_once`.
fn used_otherwise(program: &Program) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    let mut note = |expr: &Expr| {
        expr.for_each(&mut |expr| {
            if let Expr::Object(id, _) = expr {
                found.insert(*id);
            }
        });
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        let others = block.insts.iter().filter(|inst| once_of(program, inst).is_none());
        others.for_each(|inst| inst.kind.for_each_expr(&mut note));
        block.term.for_each_expr(&mut note);
    }
    for init in program.objects.values().flat_map(|object| &object.init) {
        if let ir::InitValue::Object(id, _) = init.value {
            found.insert(id);
        }
    }
    found
}

fn escape(expr: &Expr, found: &mut [Mentions]) {
    expr.for_each(&mut |expr| {
        if let Expr::Func(id) = expr {
            found[id.0 as usize].escapes = true;
        }
    });
}
