//! Shapes of programs that call what they find at run time: through tables, variables and arguments, also in recursion.

use super::generate::{COUNTERS, FUNCTION_POINTER, Generator, HANDLES, INTS, PARAM};
use super::idioms::{A, B, Idiom, binary, element, local, look, plus_one, var};
use super::source::*;

/// Two functions that do different things to a variable.
fn two_functions(generator: &mut Generator<'_>, x: &Lvalue) -> [usize; 2] {
    let kinds = [generator.rng.below(4), generator.rng.below(4)];
    kinds.map(|kind| {
        let constant = Expr::Const(generator.rng.within(1, 3) as i32);
        let mut body = match kind {
            0 => vec![x.write(constant)],
            1 => vec![x.write(binary(BinOp::Add, PARAM, constant))],
            2 => plus_one(x),
            _ => vec![x.fetch_add(None, constant)],
        };
        body.push(Stmt::Return(binary(BinOp::Add, PARAM, kind as i32)));
        generator.add_function(FunctionKind::Helper, Shape::INT, body)
    })
}

/// One call after the other through a table; sometimes a function in between makes the calls.
pub fn table(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let functions = two_functions(generator, &x);
    let table = generator.function_table(functions.to_vec());
    let counter = COUNTERS[0];
    let mut threads = Vec::new();
    let between = if generator.rng.chance(40) { Some(generator.make_caller()) } else { None };
    for _ in 0..2 {
        let index = Index::Masked(if generator.rng.chance(70) { counter } else { A }, 1);
        let call = match between {
            Some(caller) => Stmt::Call(Some(A), Callee::Named(caller), local(FUNCTION_POINTER)),
            None => Stmt::Call(Some(A), Callee::Pointer(FUNCTION_POINTER), local(counter)),
        };
        let mut round = vec![element(table, index).read(FUNCTION_POINTER), call];
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
    let [x] = generator.ints();
    let [first, second] = two_functions(generator, &x);
    let pointer = generator.global(Shape::Pointer(To::Function));
    generator.source.globals[pointer].init = Init::Function(first);
    let pointer = var(pointer);
    let call = |arg: i32| {
        vec![pointer.read(FUNCTION_POINTER), Stmt::Call(Some(B), Callee::Pointer(FUNCTION_POINTER), Expr::Const(arg))]
    };
    let mut caller: Vec<Stmt> = [0, 1].into_iter().flat_map(call).collect();
    if generator.rng.chance(50) {
        let rounds = generator.rng.within(1, 2) as i32;
        caller = vec![Stmt::Repeat(COUNTERS[0], rounds, call(1))];
    }
    caller.push(generator.assertion(B));
    let mut other = vec![pointer.write(Expr::Function(second))];
    if generator.rng.chance(40) {
        other.extend(call(2));
    }
    Idiom { threads: vec![caller, other], end: look(generator, &x) }
}

/// A function that calls itself, by its name or through a table, a few times.
pub fn recursion(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let [other, _] = two_functions(generator, &x);
    let itself = generator.source.functions.len();
    let less = binary(BinOp::Sub, PARAM, 1);
    let mut again = plus_one(&x);
    let function = generator.add_function(FunctionKind::Helper, Shape::INT, Vec::new());
    if generator.rng.chance(50) {
        let table = generator.function_table(vec![other, itself]);
        again.push(element(table, Index::Masked(PARAM, 1)).read(FUNCTION_POINTER));
        again.push(Stmt::Call(Some(B), Callee::Pointer(FUNCTION_POINTER), less));
    } else {
        again.push(Stmt::Call(Some(B), Callee::Named(itself), less));
    }
    let mut body = vec![Stmt::If(binary(BinOp::SLt, 0, PARAM), again, vec![])];
    body.push(Stmt::Return(binary(BinOp::Add, B, 1)));
    generator.source.functions[function].body = body;
    let depth = Expr::Const(generator.rng.within(1, 2) as i32);
    let call = vec![Stmt::Call(Some(A), Callee::Named(function), depth), generator.assertion(A)];
    let write = if generator.rng.chance(50) { plus_one(&x) } else { call.clone() };
    Idiom { threads: vec![call, write], end: look(generator, &x) }
}

/// A thread that another one waits for, by a handle that it finds.
pub fn joined_elsewhere(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let kept = generator.global(Shape::Handle);
    generator.kept_handle = Some(kept);
    let mut joined = vec![Stmt::Join(HANDLES[0], None)];
    joined.extend(look(generator, &x));
    let mut first = vec![var(kept).read(HANDLES[0]), Stmt::If(local(HANDLES[0]), joined, vec![])];
    first.extend(plus_one(&x));
    let mut second = plus_one(&x);
    if generator.rng.chance(50) {
        second.extend([x.read(INTS[2]), generator.assertion(INTS[2])]);
    }
    Idiom { threads: vec![first, second], end: look(generator, &x) }
}

/// The number of a handle, asked for by an update of the word that has it; which it is depends on who is started first.
pub fn handle_as_number(generator: &mut Generator<'_>) -> Idiom {
    let [copy] = generator.ints();
    let kept = generator.global(Shape::Handle);
    generator.kept_handle = Some(kept);
    generator.enter(1);
    let mut started = Vec::new();
    if generator.workers > 1 {
        generator.spawn(&mut started, HANDLES[0], 2);
    }
    let first = vec![Stmt::Havoc(A, 1), Stmt::If(local(A), started, vec![])];
    let number = generator.rng.within(2, 4) as i32;
    let (word, mut end) = match generator.rng.chance(50) {
        true => (var(kept), Vec::new()),
        false => (copy.clone(), vec![var(kept).read(HANDLES[2]), copy.write(local(HANDLES[2]))]),
    };
    end.push(match generator.rng.below(3) {
        0 => word.compare_swap(B, number, 0),
        1 => word.fetch_add(None, -number),
        _ => word.fetch_add(Some(B), 0),
    });
    end.extend([word.read(A), generator.assertion(A)]);
    Idiom { threads: vec![first, Vec::new()], end }
}
