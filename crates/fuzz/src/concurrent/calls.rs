//! Shapes of programs that call what they find at run time: through tables, variables and arguments, also in recursion.

use super::generate::{COUNTERS, FUNCTION_POINTER, Generator, HANDLES, INTS, PARAM};
use super::idioms::{A, B, Idiom, binary, local, look, plus_one, var};
use super::source::*;

/// Two functions that do different things to a variable.
fn two_functions(generator: &mut Generator<'_>, x: &Lvalue) -> [usize; 2] {
    let kinds = [generator.rng.below(4), generator.rng.below(4)];
    kinds.map(|kind| {
        let constant = Expr::Const(generator.rng.within(1, 3) as i32);
        let mut body = match kind {
            0 => vec![Stmt::Write(x.clone(), constant)],
            1 => vec![Stmt::Write(x.clone(), binary(Op::Add, local(PARAM), constant))],
            2 => plus_one(x),
            _ => vec![Stmt::FetchAdd(None, x.clone(), constant)],
        };
        body.push(Stmt::Return(binary(Op::Add, local(PARAM), Expr::Const(kind as i32))));
        generator.add_function(FunctionKind::Helper, LocalType::Int, body)
    })
}

fn entry(table: usize, index: Index) -> Lvalue {
    Lvalue { base: Base::Global(table), path: vec![Select::Index(index)] }
}

/// One call after the other through a table; sometimes a function in between makes the calls.
pub fn table(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let functions = two_functions(generator, &x);
    let table = generator.function_table(functions.to_vec());
    let counter = COUNTERS[0];
    let mut threads = Vec::new();
    let between = if generator.rng.chance(40) { Some(generator.make_caller()) } else { None };
    for _ in 0..2 {
        let index = Index::Masked(if generator.rng.chance(70) { counter } else { A }, 1);
        let call = match between {
            Some(caller) => Stmt::Call(Some(A), caller, local(FUNCTION_POINTER)),
            None => Stmt::CallPointer(Some(A), FUNCTION_POINTER, local(counter)),
        };
        let mut round = vec![Stmt::Read(FUNCTION_POINTER, entry(table, index)), call];
        if generator.rng.chance(30) {
            round.insert(0, Stmt::Havoc(A, 1));
        }
        if generator.rng.chance(40) {
            round.extend(look(generator, &x));
        }
        threads.push(vec![Stmt::Repeat(counter, 2, round)]);
    }
    if generator.rng.chance(50) {
        threads[1] = look(generator, &x);
    }
    Idiom { threads, end: look(generator, &x) }
}

/// A variable that holds one function and then the other.
pub fn variable(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let [first, second] = two_functions(generator, &x);
    let pointer = generator.global(Shape::Pointer(To::Function));
    generator.source.globals[pointer].init = Init::Function(first);
    let pointer = var(pointer);
    let call = |arg: i32| {
        vec![
            Stmt::Read(FUNCTION_POINTER, pointer.clone()),
            Stmt::CallPointer(Some(B), FUNCTION_POINTER, Expr::Const(arg)),
        ]
    };
    let mut caller: Vec<Stmt> = [0, 1].into_iter().flat_map(call).collect();
    if generator.rng.chance(50) {
        let rounds = generator.rng.within(1, 2) as i32;
        caller = vec![Stmt::Repeat(COUNTERS[0], rounds, call(1))];
    }
    caller.push(generator.assertion(B));
    let mut other = vec![Stmt::Write(pointer.clone(), Expr::Function(second))];
    if generator.rng.chance(40) {
        other.extend(call(2));
    }
    Idiom { threads: vec![caller, other], end: look(generator, &x) }
}

/// A function that calls itself, by its name or through a table, a few times.
pub fn recursion(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let [other, _] = two_functions(generator, &x);
    let itself = generator.source.functions.len();
    let less = binary(Op::Sub, local(PARAM), Expr::Const(1));
    let mut again = plus_one(&x);
    let function = generator.add_function(FunctionKind::Helper, LocalType::Int, Vec::new());
    if generator.rng.chance(50) {
        let table = generator.function_table(vec![other, itself]);
        again.push(Stmt::Read(FUNCTION_POINTER, entry(table, Index::Masked(PARAM, 1))));
        again.push(Stmt::CallPointer(Some(B), FUNCTION_POINTER, less));
    } else {
        again.push(Stmt::Call(Some(B), itself, less));
    }
    let mut body = vec![Stmt::If(binary(Op::Lt, Expr::Const(0), local(PARAM)), again, vec![])];
    body.push(Stmt::Return(binary(Op::Add, local(B), Expr::Const(1))));
    generator.source.functions[function].body = body;
    let depth = Expr::Const(generator.rng.within(1, 2) as i32);
    let call = vec![Stmt::Call(Some(A), function, depth), generator.assertion(A)];
    let write = if generator.rng.chance(50) { plus_one(&x) } else { call.clone() };
    Idiom { threads: vec![call, write], end: look(generator, &x) }
}

/// A thread that another one waits for, by a handle that it finds.
pub fn joined_elsewhere(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let kept = generator.global(Shape::Handle);
    generator.kept_handle = Some(kept);
    let mut joined = vec![Stmt::Join(HANDLES[0], None)];
    joined.extend(look(generator, &x));
    let mut first = vec![Stmt::Read(HANDLES[0], var(kept)), Stmt::If(local(HANDLES[0]), joined, vec![])];
    first.extend(plus_one(&x));
    let mut second = plus_one(&x);
    if generator.rng.chance(50) {
        second.extend([Stmt::Read(INTS[2], x.clone()), generator.assertion(INTS[2])]);
    }
    Idiom { threads: vec![first, second], end: look(generator, &x) }
}
