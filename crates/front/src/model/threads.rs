//! Makes the functions that threads start with fit.
//!
//! * Every thread function takes pointers and returns one.  Where a thread is started with a function of another type, as
//!   C compiles with a warning, a function of the right type goes between.
//! * Where a thread starts with a function of the model's that is handed the user's function (`run_thread(&worker, ...)`),
//!   it gets a copy for that function, in which the call is a direct one: analyses see what the thread runs.

use super::link::{forward, name_callees, unique};
use super::signature::{fresh_reg, signature};
use crate::lower::Names;
use base::IdVec;
use ir::{BlockId, Callee, Expr, FuncId, Function, InstKind, Program, Ty};
use rustc_hash::FxHashMap;

pub fn fit_starts(program: &mut Program) {
    let mut starters = Starters { made: FxHashMap::default(), names: None };
    // New functions start no threads, so the ids of now are all there is to visit.
    for id in program.functions.ids() {
        for block in program.functions[id].blocks.ids() {
            for index in 0..program.functions[id].blocks[block].insts.len() {
                starters.fit(program, id, block, index);
            }
        }
    }
}

/// What a thread is started with: a function, and which functions its arguments are.
type Start = (FuncId, Vec<Option<FuncId>>);

struct Starters {
    made: FxHashMap<Start, FuncId>,
    names: Option<Names>,
}

impl Starters {
    fn fit(&mut self, program: &mut Program, id: FuncId, block: BlockId, index: usize) {
        let inst = &program.functions[id].blocks[block].insts[index];
        let InstKind::Spawn { callee: Callee::Direct(target), args, .. } = &inst.kind else {
            return;
        };
        let target = *target;
        let function = |arg: &Expr| if let Expr::Func(id) = arg { Some(*id) } else { None };
        let known: Vec<Option<FuncId>> = args.iter().map(function).collect();
        let fits = signature(&program.functions[target]) == (vec![Ty::Ptr; known.len()], Some(Ty::Ptr));
        let special = program.functions[target].model && known.iter().any(Option::is_some);
        if fits && !special {
            return;
        }
        let starter = match self.made.get(&(target, known.clone())) {
            Some(starter) => *starter,
            None => {
                let made = match special {
                    true => self.specialised(program, target, &known),
                    false => self.between(program, target, known.len()),
                };
                self.made.insert((target, known), made);
                made
            }
        };
        if let InstKind::Spawn { callee, .. } = &mut program.functions[id].blocks[block].insts[index].kind {
            *callee = Callee::Direct(starter);
        }
    }

    fn name(&mut self, program: &Program, name: String) -> String {
        let names = self.names.get_or_insert_with(|| Names::of(program.functions.values().map(|f| &f.name)));
        unique(names, name)
    }

    /// A function from pointers to a pointer that calls `target`.
    fn between(&mut self, program: &mut Program, target: FuncId, params: usize) -> FuncId {
        let mut function = Function {
            name: self.name(program, format!("start.{}", program.functions[target].name)),
            params: Vec::new(),
            result: Some(Ty::Ptr),
            regs: IdVec::new(),
            blocks: IdVec::new(),
            model: true,
            pos: program.functions[target].pos,
        };
        for _ in 0..params {
            let reg = fresh_reg(&mut function, "arg", Ty::Ptr);
            function.params.push(reg);
        }
        let starter = program.functions.push(function);
        forward(program, starter, target);
        starter
    }

    /// A copy of `target` that knows which functions some of its parameters are.  No function of the model's that starts
    /// a thread writes its parameters.
    fn specialised(&mut self, program: &mut Program, target: FuncId, known: &[Option<FuncId>]) -> FuncId {
        let mut function = program.functions[target].clone();
        let first = known.iter().flatten().next().map_or("", |id| &program.functions[*id].name);
        let name = format!("{}.{first}", function.name);
        function.name = self.name(program, name);
        let constants: Vec<_> =
            function.params.iter().zip(known).filter_map(|(reg, id)| Some((*reg, (*id)?))).collect();
        let put = |expr: &mut Expr| {
            if let Expr::Reg(reg) = expr
                && let Some((_, id)) = constants.iter().find(|(param, _)| param == reg)
            {
                *expr = Expr::Func(*id);
            }
        };
        function.for_each_expr_mut(&mut |expr| put(expr));
        let starter = program.functions.push(function);
        name_callees(program, starter);
        starter
    }
}
