//! Takes out what nothing refers to any more: functions and objects that the entry does not reach.

use base::Pos;
use ir::{Callee, Expr, FuncId, Function, InitValue, Inst, ObjectId, Program};

/// Calls `f` for each function and object an expression mentions.
fn for_each_mention(expr: &Expr, func: &mut impl FnMut(FuncId), object: &mut impl FnMut(ObjectId)) {
    expr.for_each(&mut |expr| match expr {
        Expr::Func(id) => func(*id),
        Expr::Object(id, _) => object(*id),
        _ => (),
    });
}

/// Which functions have their address taken somewhere.
pub fn address_taken(program: &Program) -> Vec<bool> {
    let mut taken = vec![false; program.functions.len()];
    let mut mark = |id: FuncId| {
        if let Some(slot) = taken.get_mut(id.0 as usize) {
            *slot = true;
        }
    };
    for function in program.functions.values() {
        for block in function.blocks.values() {
            let mut look = |expr: &Expr| for_each_mention(expr, &mut mark, &mut |_| ());
            block.insts.iter().for_each(|inst| inst.kind.for_each_expr(&mut look));
            block.term.for_each_expr(&mut look);
        }
    }
    for init in program.objects.values().flat_map(|object| &object.init) {
        if let InitValue::Function(id) = init.value {
            mark(id);
        }
    }
    taken
}

/// Where the address of the function is first taken, in the order of the program.
pub fn first_mention(program: &Program, wanted: FuncId) -> Pos {
    let insts = program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    let mentions = |inst: &&Inst| {
        let mut found = false;
        inst.kind.for_each_expr(&mut |expr| for_each_mention(expr, &mut |id| found |= id == wanted, &mut |_| ()));
        found && !inst.pos.is_none()
    };
    let objects = program
        .objects
        .values()
        .filter(|object| object.init.iter().any(|init| matches!(init.value, InitValue::Function(id) if id == wanted)));
    let pos = insts.into_iter().find(mentions).map(|inst| inst.pos);
    pos.or_else(|| objects.map(|object| object.pos).find(|pos| !pos.is_none())).unwrap_or(Pos::NONE)
}

/// Which functions are called, started or have their address taken somewhere.
pub fn mentioned(program: &Program) -> Vec<bool> {
    let mut mentioned = address_taken(program);
    let insts = program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    for id in insts.filter_map(|inst| inst.kind.direct_callee()) {
        if let Some(slot) = mentioned.get_mut(id.0 as usize) {
            *slot = true;
        }
    }
    mentioned
}

enum Thing {
    Func(FuncId),
    Object(ObjectId),
}

/// Removes functions and objects that cannot be reached from the entry.
pub fn drop_unreached(program: &mut Program) {
    let mut funcs = vec![false; program.functions.len()];
    let mut objects = vec![false; program.objects.len()];
    let mut todo = vec![Thing::Func(program.entry)];
    while let Some(thing) = todo.pop() {
        // A stack for each, as the two closures below need one at the same time.
        let (mut more_funcs, mut more_objects) = (Vec::new(), Vec::new());
        match thing {
            Thing::Func(id) => {
                let Some(slot) = funcs.get_mut(id.0 as usize).filter(|seen| !**seen) else { continue };
                *slot = true;
                for block in program.functions[id].blocks.values() {
                    more_funcs.extend(block.insts.iter().filter_map(|inst| inst.kind.direct_callee()));
                    let mut look = |expr: &Expr| {
                        for_each_mention(expr, &mut |id| more_funcs.push(id), &mut |id| more_objects.push(id));
                    };
                    block.insts.iter().for_each(|inst| inst.kind.for_each_expr(&mut look));
                    block.term.for_each_expr(&mut look);
                }
            }
            Thing::Object(id) => {
                let Some(slot) = objects.get_mut(id.0 as usize).filter(|seen| !**seen) else { continue };
                *slot = true;
                for init in &program.objects[id].init {
                    match init.value {
                        InitValue::Object(id, _) => more_objects.push(id),
                        InitValue::Function(id) => more_funcs.push(id),
                        InitValue::Scalar(..) | InitValue::Bytes(_) => (),
                    }
                }
            }
        }
        todo.extend(more_funcs.into_iter().map(Thing::Func));
        todo.extend(more_objects.into_iter().map(Thing::Object));
    }
    keep(program, &funcs, &objects);
}

/// New numbers for those to keep.
fn renumber(keep: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let number = |keep: &bool| {
        next += u32::from(*keep);
        next.saturating_sub(1)
    };
    keep.iter().map(number).collect()
}

fn keep(program: &mut Program, funcs: &[bool], objects: &[bool]) {
    let (func_map, object_map) = (renumber(funcs), renumber(objects));
    let map = Remap { func: &|id| FuncId(func_map[id.0 as usize]), object: &|id| ObjectId(object_map[id.0 as usize]) };
    let old = std::mem::take(&mut program.functions);
    program.functions = old.into_values().zip(funcs).filter_map(|(f, keep)| keep.then_some(f)).collect();
    let old = std::mem::take(&mut program.objects);
    program.objects = old.into_values().zip(objects).filter_map(|(o, keep)| keep.then_some(o)).collect();
    program.entry = (map.func)(program.entry);
    program.functions.iter_mut().for_each(|(_, function)| map.function(function));
    for (_, object) in program.objects.iter_mut() {
        object.init.iter_mut().for_each(|init| map.init(&mut init.value));
    }
}

/// New ids for functions and objects.
pub struct Remap<'a> {
    pub func: &'a dyn Fn(FuncId) -> FuncId,
    pub object: &'a dyn Fn(ObjectId) -> ObjectId,
}

impl Remap<'_> {
    pub fn function(&self, function: &mut Function) {
        for (_, block) in function.blocks.iter_mut() {
            for inst in &mut block.insts {
                inst.kind.for_each_expr_mut(&mut |expr| self.expr(expr));
                if let Some(Callee::Direct(id)) = inst.kind.callee_mut() {
                    *id = (self.func)(*id);
                }
            }
            block.term.for_each_expr_mut(&mut |expr| self.expr(expr));
        }
    }

    pub fn init(&self, value: &mut InitValue) {
        match value {
            InitValue::Object(id, _) => *id = (self.object)(*id),
            InitValue::Function(id) => *id = (self.func)(*id),
            InitValue::Scalar(..) | InitValue::Bytes(_) => (),
        }
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Func(id) => *id = (self.func)(*id),
            Expr::Object(id, _) => *id = (self.object)(*id),
            other => other.children_mut().for_each(|child| self.expr(child)),
        }
    }
}
