//! Takes out what nothing refers to any more: functions and objects that the entry does not reach.

use crate::program::*;

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
        match thing {
            Thing::Func(id) => {
                let Some(slot) = funcs.get_mut(id.0 as usize).filter(|seen| !**seen) else { continue };
                *slot = true;
                let function = &program.functions[id];
                todo.extend(function.insts().filter_map(|inst| inst.kind.direct_callee()).map(Thing::Func));
                function.for_each_expr(&mut |expr| {
                    expr.for_each(&mut |expr| match expr {
                        Expr::Func(id) => todo.push(Thing::Func(*id)),
                        Expr::Object(id, _) => todo.push(Thing::Object(*id)),
                        _ => (),
                    })
                });
            }
            Thing::Object(id) => {
                let Some(slot) = objects.get_mut(id.0 as usize).filter(|seen| !**seen) else { continue };
                *slot = true;
                for init in &program.objects[id].init {
                    match init.value {
                        InitValue::Object(id, _) => todo.push(Thing::Object(id)),
                        InitValue::Function(id) => todo.push(Thing::Func(id)),
                        InitValue::Scalar(..) | InitValue::Bytes(_) => (),
                    }
                }
            }
        }
    }
    keep(program, &funcs, &objects);
}

fn keep(program: &mut Program, funcs: &[bool], objects: &[bool]) {
    let (funcs, objects) = (program.functions.keep(funcs), program.objects.keep(objects));
    let map = Remap { func: &|id| funcs[id], object: &|id| objects[id] };
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
        for inst in function.blocks.iter_mut().flat_map(|(_, block)| &mut block.insts) {
            if let Some(Callee::Direct(id)) = inst.kind.callee_mut() {
                *id = (self.func)(*id);
            }
        }
        function.for_each_expr_mut(&mut |expr| {
            expr.for_each_mut(&mut |expr| match expr {
                Expr::Func(id) => *id = (self.func)(*id),
                Expr::Object(id, _) => *id = (self.object)(*id),
                _ => (),
            })
        });
    }

    pub fn init(&self, value: &mut InitValue) {
        match value {
            InitValue::Object(id, _) => *id = (self.object)(*id),
            InitValue::Function(id) => *id = (self.func)(*id),
            InitValue::Scalar(..) | InitValue::Bytes(_) => (),
        }
    }
}
