//! Shapes of programs in which threads wait for each other: in loops, with condition variables, semaphores and barriers.

use super::generate::Generator;
use super::idioms::{A, B, C, Idiom, binary, both, element, equals, local, look, plus_one, var};
use super::source::*;

/// A lock that is tried again and again.
pub fn spin_lock(generator: &mut Generator<'_>) -> Idiom {
    let [word, x] = generator.ints();
    let threads = both(|_| {
        let attempt = match generator.rng.below(3) {
            0 => vec![Stmt::Exchange(B, word.clone(), Expr::Const(1))],
            1 => vec![word.compare_swap(B, 0, 1)],
            // Looks first, so that a round may only read.
            _ => {
                let attempt = word.compare_swap(B, 0, 1);
                vec![word.read(B), Stmt::If(equals(B, 0), vec![attempt], vec![])]
            }
        };
        let mut body = vec![Stmt::While(attempt, local(B), vec![])];
        body.extend(plus_one(&x));
        body.push(generator.assertion(A));
        if generator.rng.chance(85) {
            body.push(word.write(0));
        }
        body
    });
    Idiom { threads, end: look(generator, &x) }
}

/// A loop that gives the lock back and takes it again as long as nothing is there: what waiting for a condition is.
pub fn condition_variable(generator: &mut Generator<'_>) -> Idiom {
    let [lock] = generator.locks();
    let [items, data] = generator.ints();
    let most = generator.rng.within(1, 2) as i32;
    let wait = vec![lock.unlock(), lock.lock()];
    let full = binary(BinOp::SLe, most, A);
    let add = binary(BinOp::Add, A, 1);
    let mut put = vec![
        lock.lock(),
        Stmt::While(vec![items.read(A)], full, wait.clone()),
        items.write(add),
        data.write(2),
        lock.unlock(),
    ];
    if generator.rng.chance(25) {
        put.swap(2, 3);
        put.swap(3, 4);
    }
    let less = binary(BinOp::Sub, A, 1);
    let mut get = vec![
        lock.lock(),
        Stmt::While(vec![items.read(A)], equals(A, 0), wait),
        data.read(B),
        items.write(less),
        generator.assertion(B),
        lock.unlock(),
    ];
    // A condition instead of a loop is the classical mistake.
    if generator.rng.chance(25) {
        let wait = vec![lock.unlock(), lock.lock()];
        get.splice(1..2, [items.read(A), Stmt::If(equals(A, 0), wait, vec![])]);
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
    let [inside] = generator.ints();
    let threads = both(|_| {
        let mut body = vec![
            Stmt::Take(places.clone(), 1, -1),
            inside.fetch_add(Some(A), 1),
            generator.assertion(A),
            inside.fetch_add(None, -1),
        ];
        if generator.rng.chance(85) {
            body.push(places.fetch_add(None, 1));
        }
        body
    });
    Idiom { threads, end: look(generator, &places) }
}

/// A word that counts readers, or is -1 while somebody writes.
pub fn readers_and_writer(generator: &mut Generator<'_>) -> Idiom {
    let [word, x, y] = generator.ints();
    let write =
        vec![Stmt::Wait(word.clone(), Expr::Const(0), Some(Expr::Const(-1))), x.write(1), y.write(1), word.write(0)];
    let mut read = vec![
        Stmt::Take(word.clone(), 0, 1),
        x.read(A),
        y.read(B),
        word.fetch_add(None, -1),
        Stmt::Set(C, binary(BinOp::Sub, A, B)),
        generator.assertion(C),
    ];
    if generator.rng.chance(20) {
        read.swap(2, 3);
    }
    Idiom { threads: vec![write, read], end: look(generator, &x) }
}

/// Nobody goes on before both have come.
pub fn barrier(generator: &mut Generator<'_>) -> Idiom {
    let [come] = generator.ints();
    let parts = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let part = |i: usize| element(parts, Index::Const(i as u32));
    let threads = both(|me| {
        let mut body = vec![part(me).write(1), come.fetch_add(None, 1)];
        let need = if generator.rng.chance(85) { 2 } else { 1 };
        match generator.rng.below(2) {
            0 => body.push(Stmt::Take(come.clone(), need, 0)),
            _ => {
                let waiting = binary(BinOp::SLt, A, need);
                body.push(Stmt::While(vec![come.read(A)], waiting, vec![]));
            }
        }
        body.extend([part(1 - me).read(B), generator.assertion(B)]);
        body
    });
    Idiom { threads, end: look(generator, &come) }
}
