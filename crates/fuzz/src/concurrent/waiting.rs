//! Shapes of programs in which threads wait for each other: in loops, with condition variables, semaphores and barriers.

use super::generate::Generator;
use super::idioms::{A, B, C, Idiom, binary, equals, local, look, plus_one, var};
use super::source::*;

/// A lock that is tried again and again.
pub fn spin_lock(generator: &mut Generator<'_>) -> Idiom {
    let word = var(generator.global(Shape::INT));
    let x = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for _ in 0..2 {
        let attempt = match generator.rng.below(3) {
            0 => vec![Stmt::Exchange(B, word.clone(), Expr::Const(1))],
            1 => vec![Stmt::CompareSwap(B, word.clone(), Expr::Const(0), Expr::Const(1))],
            // Looks first, so that a round may only read.
            _ => {
                let attempt = Stmt::CompareSwap(B, word.clone(), Expr::Const(0), Expr::Const(1));
                vec![Stmt::Read(B, word.clone()), Stmt::If(equals(B, 0), vec![attempt], vec![])]
            }
        };
        let mut body = vec![Stmt::While(attempt, local(B), vec![])];
        body.extend(plus_one(&x));
        body.push(generator.assertion(A));
        if generator.rng.chance(85) {
            body.push(Stmt::Write(word.clone(), Expr::Const(0)));
        }
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &x) }
}

/// A loop that gives the lock back and takes it again as long as nothing is there: what waiting for a condition is.
pub fn condition_variable(generator: &mut Generator<'_>) -> Idiom {
    let lock = var(generator.global(Shape::Lock));
    let items = var(generator.global(Shape::INT));
    let data = var(generator.global(Shape::INT));
    let most = generator.rng.within(1, 2) as i32;
    let wait = vec![Stmt::Unlock(lock.clone()), Stmt::Lock(lock.clone())];
    let full = binary(Op::Le, Expr::Const(most), local(A));
    let add = binary(Op::Add, local(A), Expr::Const(1));
    let mut put = vec![
        Stmt::Lock(lock.clone()),
        Stmt::While(vec![Stmt::Read(A, items.clone())], full, wait.clone()),
        Stmt::Write(items.clone(), add),
        Stmt::Write(data.clone(), Expr::Const(2)),
        Stmt::Unlock(lock.clone()),
    ];
    if generator.rng.chance(25) {
        put.swap(2, 3);
        put.swap(3, 4);
    }
    let less = binary(Op::Sub, local(A), Expr::Const(1));
    let mut get = vec![
        Stmt::Lock(lock.clone()),
        Stmt::While(vec![Stmt::Read(A, items.clone())], equals(A, 0), wait),
        Stmt::Read(B, data),
        Stmt::Write(items.clone(), less),
        generator.assertion(B),
        Stmt::Unlock(lock.clone()),
    ];
    // A condition instead of a loop is the classical mistake.
    if generator.rng.chance(25) {
        let wait = vec![Stmt::Unlock(lock.clone()), Stmt::Lock(lock)];
        get.splice(1..2, [Stmt::Read(A, items.clone()), Stmt::If(equals(A, 0), wait, vec![])]);
    }
    let twice = if generator.rng.chance(30) { 2 } else { 1 };
    put = std::iter::repeat_n(put, twice).flatten().collect();
    Idiom { threads: vec![put, get], end: look(generator, &items) }
}

pub fn semaphore(generator: &mut Generator<'_>) -> Idiom {
    let bits = [8, 32][generator.rng.below(2)];
    let shape = Shape::Int { bits, signed: generator.rng.chance(50) };
    let places = generator.global(shape);
    generator.source.globals[places].init = Init::Number(generator.rng.within(1, 2) as i32);
    let places = var(places);
    let inside = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for _ in 0..2 {
        let mut body = vec![
            Stmt::Take(places.clone(), 1, -1),
            Stmt::FetchAdd(Some(A), inside.clone(), Expr::Const(1)),
            generator.assertion(A),
            Stmt::FetchAdd(None, inside.clone(), Expr::Const(-1)),
        ];
        if generator.rng.chance(85) {
            body.push(Stmt::FetchAdd(None, places.clone(), Expr::Const(1)));
        }
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &places) }
}

/// A word that counts readers, or is -1 while somebody writes.
pub fn readers_and_writer(generator: &mut Generator<'_>) -> Idiom {
    let word = var(generator.global(Shape::INT));
    let x = var(generator.global(Shape::INT));
    let y = var(generator.global(Shape::INT));
    let write = vec![
        Stmt::Wait(word.clone(), Expr::Const(0), Some(Expr::Const(-1))),
        Stmt::Write(x.clone(), Expr::Const(1)),
        Stmt::Write(y.clone(), Expr::Const(1)),
        Stmt::Write(word.clone(), Expr::Const(0)),
    ];
    let mut read = vec![
        Stmt::Take(word.clone(), 0, 1),
        Stmt::Read(A, x.clone()),
        Stmt::Read(B, y),
        Stmt::FetchAdd(None, word.clone(), Expr::Const(-1)),
        Stmt::Set(C, binary(Op::Sub, local(A), local(B))),
        generator.assertion(C),
    ];
    if generator.rng.chance(20) {
        read.swap(2, 3);
    }
    Idiom { threads: vec![write, read], end: look(generator, &x) }
}

/// Nobody goes on before both have come.
pub fn barrier(generator: &mut Generator<'_>) -> Idiom {
    let come = var(generator.global(Shape::INT));
    let parts = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let part = |i| Lvalue { base: Base::Global(parts), path: vec![Select::Index(Index::Const(i))] };
    let mut threads = Vec::new();
    for me in 0..2 {
        let mut body = vec![Stmt::Write(part(me), Expr::Const(1)), Stmt::FetchAdd(None, come.clone(), Expr::Const(1))];
        let need = if generator.rng.chance(85) { 2 } else { 1 };
        match generator.rng.below(2) {
            0 => body.push(Stmt::Take(come.clone(), need, 0)),
            _ => {
                let waiting = binary(Op::Lt, local(A), Expr::Const(need));
                body.push(Stmt::While(vec![Stmt::Read(A, come.clone())], waiting, vec![]));
            }
        }
        body.extend([Stmt::Read(B, part(1 - me)), generator.assertion(B)]);
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &come) }
}
