//! Shapes of concurrent programs that people write: the random statements around and inside them break some.
//!
//! Random statements alone seldom make a program that is safe for a reason.  Each idiom gives the bodies of two threads
//! and what is looked at in the end; the assertions are given their values later, see `tune`.

use super::generate::{Generator, INT_POINTER, INTS, RECORD_POINTER};
use super::source::*;
use super::{calls, locks, rounds, waiting};

pub struct Idiom {
    pub threads: Vec<Vec<Stmt>>,
    /// What the first thread does when the others have ended.
    pub end: Vec<Stmt>,
}

type Make = fn(&mut Generator<'_>) -> Idiom;

/// A random idiom, with globals of its own.
pub fn pick(generator: &mut Generator<'_>) -> Idiom {
    const ALL: &[(&str, Make)] = &[
        ("increments", increments),
        ("locked increments", locked_increments),
        ("mutual exclusion", mutual_exclusion),
        ("message", message),
        ("store buffering", store_buffering),
        ("peterson", peterson),
        ("compare swap loop", compare_swap_loop),
        ("tickets", tickets),
        ("publication", publication),
        ("free race", free_race),
        ("freed again", freed_again),
        ("producer consumer", producer_consumer),
        ("stack object", stack_object),
        ("two locks", two_locks),
        ("halves", halves),
        ("indices", indices),
        ("atomic pair", atomic_pair),
        ("symbolic index", symbolic_index),
        ("input arithmetic", input_arithmetic),
        ("spin lock", waiting::spin_lock),
        ("condition variable", waiting::condition_variable),
        ("semaphore", waiting::semaphore),
        ("readers and writer", waiting::readers_and_writer),
        ("barrier", waiting::barrier),
        ("table", calls::table),
        ("table", calls::table),
        ("variable", calls::variable),
        ("recursion", calls::recursion),
        ("joined elsewhere", calls::joined_elsewhere),
        ("several waits", locks::several_waits),
        ("several waits", locks::several_waits),
        ("handover", locks::handover),
        ("stolen", locks::stolen),
        ("kept inputs", rounds::kept_inputs),
        ("kept inputs", rounds::kept_inputs),
        ("last input", rounds::last_input),
        ("records", rounds::records),
        ("list", rounds::list),
        ("compared blocks", rounds::compared_blocks),
        ("half sections", rounds::half_sections),
    ];
    let (name, make) = ALL[generator.rng.below(ALL.len())];
    generator.source.idiom = name;
    make(generator)
}

pub const A: Local = INTS[0];
pub const B: Local = INTS[1];
pub const C: Local = INTS[2];

pub fn var(global: usize) -> Lvalue {
    Lvalue { base: Base::Global(global), path: Vec::new() }
}

pub fn local(local: Local) -> Expr {
    Expr::Local(local)
}

pub fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

pub fn equals(left: Local, value: i32) -> Expr {
    binary(Op::Eq, local(left), Expr::Const(value))
}

pub fn plus_one(place: &Lvalue) -> Vec<Stmt> {
    vec![Stmt::Read(A, place.clone()), Stmt::Write(place.clone(), binary(Op::Add, local(A), Expr::Const(1)))]
}

pub fn look(generator: &mut Generator<'_>, place: &Lvalue) -> Vec<Stmt> {
    vec![Stmt::Read(A, place.clone()), generator.assertion(A)]
}

/// Lost updates.
fn increments(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let times = generator.rng.within(1, 2);
    let body: Vec<Stmt> = (0..times).flat_map(|_| plus_one(&x)).collect();
    Idiom { threads: vec![body.clone(), body], end: look(generator, &x) }
}

/// No lost updates, unless one side forgets the lock or takes another one.
fn locked_increments(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let locks = [var(generator.global(Shape::Lock)), var(generator.global(Shape::Lock))];
    let mut threads = Vec::new();
    for _ in 0..2 {
        let lock = &locks[generator.rng.weighted(&[80, 20])];
        let mut body = plus_one(&x);
        if generator.rng.chance(85) {
            body.insert(0, Stmt::Lock(lock.clone()));
            body.push(Stmt::Unlock(lock.clone()));
        }
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &x) }
}

fn mutual_exclusion(generator: &mut Generator<'_>) -> Idiom {
    let inside = var(generator.global(Shape::INT));
    let lock = var(generator.global(Shape::Lock));
    let mut threads = Vec::new();
    for _ in 0..2 {
        let mut body = vec![
            Stmt::FetchAdd(Some(A), inside.clone(), Expr::Const(1)),
            generator.assertion(A),
            Stmt::FetchAdd(None, inside.clone(), Expr::Const(-1)),
        ];
        if generator.rng.chance(85) {
            body.insert(0, Stmt::Lock(lock.clone()));
            body.push(Stmt::Unlock(lock.clone()));
        }
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &inside) }
}

/// Data, then a flag.
fn message(generator: &mut Generator<'_>) -> Idiom {
    let data = var(generator.global(Shape::INT));
    let flag = var(generator.global(Shape::Int { bits: 8, signed: false }));
    let mut write = vec![Stmt::Write(data.clone(), Expr::Const(2)), Stmt::Write(flag.clone(), Expr::Const(1))];
    if generator.rng.chance(25) {
        write.swap(0, 1);
    }
    let got = vec![Stmt::Read(B, data.clone()), generator.assertion(B)];
    let read = match generator.rng.below(3) {
        0 => vec![Stmt::Read(A, flag), Stmt::If(local(A), got, vec![])],
        1 => {
            let mut stmts = vec![Stmt::While(vec![Stmt::Read(A, flag)], equals(A, 0), vec![])];
            stmts.extend(got);
            stmts
        }
        _ => {
            let mut stmts = vec![Stmt::Wait(flag, Expr::Const(1), None)];
            stmts.extend(got);
            stmts
        }
    };
    Idiom { threads: vec![write, read], end: look(generator, &data) }
}

fn store_buffering(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let y = var(generator.global(Shape::INT));
    let seen = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let seen = |i| Lvalue { base: Base::Global(seen), path: vec![Select::Index(Index::Const(i))] };
    let side = |mine: &Lvalue, other: &Lvalue, i: u32| {
        let one = binary(Op::Add, local(A), Expr::Const(1));
        vec![Stmt::Write(mine.clone(), Expr::Const(1)), Stmt::Read(A, other.clone()), Stmt::Write(seen(i), one)]
    };
    let sum = binary(Op::Add, binary(Op::Mul, local(A), Expr::Const(3)), local(B));
    let end = vec![Stmt::Read(A, seen(0)), Stmt::Read(B, seen(1)), Stmt::Set(C, sum), generator.assertion(C)];
    Idiom { threads: vec![side(&x, &y, 0), side(&y, &x, 1)], end }
}

fn peterson(generator: &mut Generator<'_>) -> Idiom {
    let flags = [var(generator.global(Shape::INT)), var(generator.global(Shape::INT))];
    let turn = var(generator.global(Shape::INT));
    let inside = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for me in 0..2 {
        let other = 1 - me;
        let waiting = binary(Op::And, equals(A, 1), equals(B, other as i32));
        let spin = vec![Stmt::Read(A, flags[other].clone()), Stmt::Read(B, turn.clone())];
        let mut body = vec![
            Stmt::Write(flags[me].clone(), Expr::Const(1)),
            Stmt::Write(turn.clone(), Expr::Const(other as i32)),
            Stmt::While(spin, waiting, vec![]),
            Stmt::Write(inside.clone(), Expr::Const(me as i32)),
            Stmt::Read(C, inside.clone()),
            generator.assertion(C),
            Stmt::Write(flags[me].clone(), Expr::Const(0)),
        ];
        if generator.rng.chance(15) {
            body.swap(0, 1);
        }
        threads.push(body);
    }
    Idiom { threads, end: Vec::new() }
}

fn compare_swap_loop(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for _ in 0..2 {
        let next = binary(Op::Add, local(A), Expr::Const(1));
        let attempt = vec![Stmt::Read(A, x.clone()), Stmt::CompareSwap(B, x.clone(), local(A), next)];
        let failed = binary(Op::Ne, local(A), local(B));
        threads.push(vec![Stmt::While(attempt, failed, vec![])]);
    }
    Idiom { threads, end: look(generator, &x) }
}

fn tickets(generator: &mut Generator<'_>) -> Idiom {
    let next = var(generator.global(Shape::INT));
    let serving = var(generator.global(Shape::INT));
    let x = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for _ in 0..2 {
        let mut body =
            vec![Stmt::FetchAdd(Some(B), next.clone(), Expr::Const(1)), Stmt::Wait(serving.clone(), local(B), None)];
        if generator.rng.chance(15) {
            body.remove(1);
        }
        body.extend(plus_one(&x));
        body.push(Stmt::FetchAdd(None, serving.clone(), Expr::Const(1)));
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &x) }
}

/// The last field of the record is always an `int`.
fn value_behind(generator: &Generator<'_>, pointer: Local) -> Lvalue {
    let last = generator.source.record.len() - 1;
    Lvalue { base: Base::Deref(pointer), path: vec![Select::Field(last)] }
}

pub fn publication(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Record)));
    let value = value_behind(generator, RECORD_POINTER);
    let mut write = vec![
        Stmt::Alloc(RECORD_POINTER, To::Record),
        Stmt::Write(value.clone(), Expr::Const(3)),
        Stmt::Write(shared.clone(), local(RECORD_POINTER)),
    ];
    if generator.rng.chance(30) {
        write.swap(1, 2);
    }
    let got = vec![Stmt::Read(A, value), generator.assertion(A)];
    let read = vec![Stmt::Read(RECORD_POINTER, shared), Stmt::If(local(RECORD_POINTER), got, vec![])];
    Idiom { threads: vec![write, read], end: Vec::new() }
}

/// A pointer that one thread takes away and frees, and another one looks through.
fn free_race(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Int)));
    let lock = var(generator.global(Shape::Lock));
    let behind = Lvalue { base: Base::Deref(INT_POINTER), path: Vec::new() };
    let again = generator.rng.chance(40);
    let mut end_it = vec![
        Stmt::Read(INT_POINTER, shared.clone()),
        Stmt::Write(shared.clone(), Expr::Null(To::Int)),
        Stmt::Free(INT_POINTER),
    ];
    if again {
        // The name of the dead object may be given to the new one, or not.
        end_it.push(Stmt::Alloc(INT_POINTER, To::Int));
        end_it.push(Stmt::Write(behind.clone(), Expr::Const(1)));
        end_it.push(Stmt::Write(shared.clone(), local(INT_POINTER)));
    }
    let got = vec![Stmt::FetchAdd(Some(A), behind.clone(), Expr::Const(1)), generator.assertion(A)];
    let mut use_it = vec![
        Stmt::Alloc(INT_POINTER, To::Int),
        Stmt::Write(shared.clone(), local(INT_POINTER)),
        Stmt::Read(INT_POINTER, shared),
        Stmt::If(local(INT_POINTER), got, vec![]),
    ];
    if generator.rng.chance(50) {
        for body in [&mut end_it, &mut use_it] {
            body.insert(0, Stmt::Lock(lock.clone()));
            body.push(Stmt::Unlock(lock.clone()));
        }
    }
    Idiom { threads: vec![use_it, end_it], end: Vec::new() }
}

/// A block that one thread puts up and takes back by comparing pointers; meanwhile another one may have freed it and put up
/// another one, which may be where the first was.
fn freed_again(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Int)));
    let behind = Lvalue { base: Base::Deref(INT_POINTER), path: Vec::new() };
    let put_up = |value| {
        vec![
            Stmt::Alloc(INT_POINTER, To::Int),
            Stmt::Write(behind.clone(), Expr::Const(value)),
            Stmt::Write(shared.clone(), local(INT_POINTER)),
        ]
    };
    let mut compare = put_up(1);
    let old = local(INT_POINTER);
    compare.push(Stmt::CompareSwap(INT_POINTER, shared.clone(), old, Expr::Null(To::Int)));
    if generator.rng.chance(50) {
        compare.push(Stmt::Read(INT_POINTER, shared.clone()));
    }
    let got = vec![Stmt::Read(A, behind.clone()), generator.assertion(A)];
    compare.push(Stmt::If(local(INT_POINTER), got, vec![Stmt::Set(A, Expr::Const(4)), generator.assertion(A)]));
    let mut replace = vec![Stmt::Free(INT_POINTER)];
    if generator.rng.chance(50) {
        replace.insert(0, Stmt::Write(shared.clone(), Expr::Null(To::Int)));
    }
    let mut again = put_up(2);
    if generator.rng.chance(30) {
        again.swap(1, 2);
    }
    replace.extend(again);
    let replace = vec![Stmt::Read(INT_POINTER, shared), Stmt::If(local(INT_POINTER), replace, vec![])];
    Idiom { threads: vec![compare, replace], end: Vec::new() }
}

fn producer_consumer(generator: &mut Generator<'_>) -> Idiom {
    let full = var(generator.global(Shape::INT));
    let slot = var(generator.global(Shape::Int { bits: 16, signed: true }));
    let rounds = generator.rng.within(1, 2) as i32;
    let counter = INTS[3];
    let produce = vec![
        Stmt::Wait(full.clone(), Expr::Const(0), None),
        Stmt::Write(slot.clone(), binary(Op::Add, local(counter), Expr::Const(1))),
        Stmt::Write(full.clone(), Expr::Const(1)),
    ];
    let consume = vec![
        Stmt::Wait(full.clone(), Expr::Const(1), None),
        Stmt::Read(A, slot),
        Stmt::Write(full, Expr::Const(0)),
        Stmt::Set(B, binary(Op::Sub, local(A), local(counter))),
        generator.assertion(B),
    ];
    Idiom {
        threads: vec![vec![Stmt::Repeat(counter, rounds, produce)], vec![Stmt::Repeat(counter, rounds, consume)]],
        end: Vec::new(),
    }
}

/// A variable on the stack of one thread that another one writes; the first may leave before.
fn stack_object(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Int)));
    let done = var(generator.global(Shape::INT));
    // Helpers have their bodies already.
    for function in generator.source.functions.iter_mut().filter(|function| function.kind != FunctionKind::Helper) {
        if function.cells.first() != Some(&Shape::INT) {
            function.cells.insert(0, Shape::INT);
        }
    }
    let cell = Lvalue { base: Base::Cell(0), path: Vec::new() };
    let mut own = vec![
        Stmt::AddressOf(INT_POINTER, cell.clone()),
        Stmt::Write(shared.clone(), local(INT_POINTER)),
        Stmt::Wait(done.clone(), Expr::Const(1), None),
        Stmt::Read(A, cell),
        generator.assertion(A),
    ];
    if generator.rng.chance(30) {
        own.remove(2);
    }
    let behind = Lvalue { base: Base::Deref(INT_POINTER), path: Vec::new() };
    let write = vec![
        Stmt::Read(INT_POINTER, shared),
        Stmt::If(local(INT_POINTER), vec![Stmt::Write(behind, Expr::Const(2))], vec![]),
        Stmt::Write(done, Expr::Const(1)),
    ];
    Idiom { threads: vec![own, write], end: Vec::new() }
}

/// Locks taken in two orders: some executions end in a deadlock, the others must still be found.
fn two_locks(generator: &mut Generator<'_>) -> Idiom {
    let locks = [var(generator.global(Shape::Lock)), var(generator.global(Shape::Lock))];
    let x = var(generator.global(Shape::INT));
    let mut threads = Vec::new();
    for thread in 0..2 {
        let first = if generator.rng.chance(50) { thread } else { 0 };
        let mut body = vec![Stmt::Lock(locks[first].clone()), Stmt::Lock(locks[1 - first].clone())];
        body.extend(plus_one(&x));
        body.push(generator.assertion(A));
        let given_back = generator.rng.below(2);
        body.push(Stmt::Unlock(locks[given_back].clone()));
        body.push(Stmt::Unlock(locks[1 - given_back].clone()));
        threads.push(body);
    }
    Idiom { threads, end: look(generator, &x) }
}

/// Accesses of different sizes to the same bytes.
fn halves(generator: &mut Generator<'_>) -> Idiom {
    let union = generator.global(Shape::Mix);
    let part = |part| Lvalue { base: Base::Global(union), path: vec![Select::Part(part)] };
    let side = |half: u32| {
        vec![
            Stmt::Write(part(Part::Half(half)), Expr::Const(1)),
            Stmt::Read(A, part(Part::Byte(2 - 2 * half))),
            Stmt::Write(part(Part::Byte(2 * half + 1)), local(A)),
        ]
    };
    let high = generator.rng.below(2) as u32;
    Idiom { threads: vec![side(0), side(high)], end: look(generator, &part(Part::Word)) }
}

/// An index that another thread moves.
fn indices(generator: &mut Generator<'_>) -> Idiom {
    let array = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let at = var(generator.global(Shape::INT));
    let element = |index| Lvalue { base: Base::Global(array), path: vec![Select::Index(index)] };
    let push = vec![
        Stmt::FetchAdd(Some(A), at.clone(), Expr::Const(1)),
        Stmt::Write(element(Index::Masked(A, 1)), Expr::Const(1)),
    ];
    let mut plain = vec![
        Stmt::Read(A, at.clone()),
        Stmt::Write(element(Index::Raw(A)), Expr::Const(2)),
        Stmt::Write(at, binary(Op::Add, local(A), Expr::Const(1))),
    ];
    if generator.rng.chance(50) {
        plain = push.clone();
    }
    let mut end = look(generator, &element(Index::Const(0)));
    end.extend(look(generator, &element(Index::Const(1))));
    Idiom { threads: vec![push, plain], end }
}

/// Two variables that change together.
fn atomic_pair(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let y = var(generator.global(Shape::INT));
    let both = vec![Stmt::Write(x.clone(), Expr::Const(1)), Stmt::Write(y.clone(), Expr::Const(1))];
    let read = vec![Stmt::Read(A, x.clone()), Stmt::Read(B, y)];
    let atomic = |generator: &mut Generator<'_>, body: Vec<Stmt>| {
        if generator.rng.chance(80) { vec![Stmt::Atomic(body)] } else { body }
    };
    let both = atomic(generator, both);
    let mut read = atomic(generator, read);
    read.push(Stmt::Set(C, binary(Op::Sub, local(A), local(B))));
    read.push(generator.assertion(C));
    Idiom { threads: vec![both, read], end: look(generator, &x) }
}

/// Elements that inputs choose, and one that another thread chooses.
fn symbolic_index(generator: &mut Generator<'_>) -> Idiom {
    let bits = [8, 16, 32, 64][generator.rng.below(4)];
    let signed = generator.rng.chance(50);
    let array = generator.global(Shape::Array(Box::new(Shape::Int { bits, signed }), 4));
    let at = var(generator.global(Shape::INT));
    let element = |index| Lvalue { base: Base::Global(array), path: vec![Select::Index(Index::Masked(index, 3))] };
    let chosen = vec![
        Stmt::Havoc(A, 2),
        Stmt::Write(element(A), Expr::Const(3)),
        Stmt::Write(at.clone(), local(A)),
        Stmt::Read(B, element(A)),
        generator.assertion(B),
    ];
    let next = binary(Op::Add, local(A), Expr::Const(generator.rng.within(0, 2) as i32));
    let followed = vec![
        Stmt::Read(A, at),
        Stmt::Set(C, next),
        Stmt::Read(B, element(C)),
        Stmt::Write(element(A), binary(Op::Sub, local(B), Expr::Const(1))),
        generator.assertion(B),
    ];
    let second = Lvalue { base: Base::Global(array), path: vec![Select::Index(Index::Const(1))] };
    Idiom { threads: vec![chosen, followed], end: look(generator, &second) }
}

/// Numbers that come from inputs, multiplied, divided, shifted, and told apart by a switch.
fn input_arithmetic(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::INT));
    let first = generator.arithmetic();
    let write = vec![
        Stmt::Havoc(A, 3),
        Stmt::Havoc(B, 2),
        Stmt::Set(B, binary(Op::Sub, local(B), Expr::Const(1))),
        Stmt::Set(C, first),
        Stmt::Write(shared.clone(), local(C)),
    ];
    let second = generator.arithmetic();
    let assertions = [A, B, C].map(|local| generator.assertion(local));
    let [zero, one, other] = assertions;
    let cases = vec![(0, vec![Stmt::Set(A, Expr::Const(2)), zero]), (1, vec![Stmt::Set(B, second), one])];
    let read = vec![
        Stmt::Havoc(B, 2),
        Stmt::Read(A, shared.clone()),
        Stmt::Set(C, binary(Op::Rem, local(A), local(B))),
        Stmt::Switch(local(C), cases, vec![other]),
    ];
    Idiom { threads: vec![write, read], end: look(generator, &shared) }
}
