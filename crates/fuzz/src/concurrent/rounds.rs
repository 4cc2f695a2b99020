//! Shapes of programs whose loops keep something from one round to the next: inputs, elements of arrays of records, blocks of
//! lists; and sections that begin in one branch only.

use super::generate::{COMPARE_FREED, COUNTERS, Generator, OTHER_RECORDS, RECORD_POINTER};
use super::idioms::{A, B, C, Idiom, binary, equals, local, look, publication, var};
use super::source::*;

/// A loop that keeps the first inputs in one variable after the other, and compares them in the end.
pub fn kept_inputs(generator: &mut Generator<'_>) -> Idiom {
    let state = var(generator.global(Shape::INT));
    let kept = [var(generator.global(Shape::INT)), var(generator.global(Shape::INT))];
    let bits = if generator.rng.chance(70) { 1 } else { 2 };
    let store =
        |n: usize| vec![Stmt::Write(kept[n].clone(), local(A)), Stmt::Write(state.clone(), Expr::Const(n as i32 + 1))];
    let mut last = vec![Stmt::Read(A, kept[0].clone()), Stmt::Read(B, kept[1].clone())];
    last.extend([Stmt::Set(C, binary(Op::Sub, local(A), local(B))), generator.assertion(C)]);
    if generator.rng.chance(50) {
        last.push(Stmt::Break);
    }
    let choose = Stmt::If(equals(B, 0), store(0), vec![Stmt::If(equals(B, 1), store(1), last)]);
    let mut round = vec![Stmt::Havoc(A, bits), Stmt::Read(B, state.clone()), choose];
    if generator.rng.chance(30) {
        round.swap(0, 1);
    }
    let keeper = match generator.rng.below(3) {
        0 => vec![Stmt::Repeat(COUNTERS[0], 3, round)],
        _ => vec![Stmt::While(vec![], Expr::Const(1), round)],
    };
    let mut reader = Vec::new();
    for place in [&state, &kept[0], &kept[1]] {
        if generator.rng.chance(60) {
            reader.push(Stmt::Read(C, place.clone()));
        }
    }
    if generator.rng.chance(40) {
        reader.push(generator.assertion(C));
    }
    Idiom { threads: vec![keeper, reader], end: Vec::new() }
}

/// The same in registers: an input of the last round against that of this one.
pub fn last_input(generator: &mut Generator<'_>) -> Idiom {
    let x = var(generator.global(Shape::INT));
    let mut round = vec![
        Stmt::Set(B, local(A)),
        Stmt::Havoc(A, 1),
        Stmt::Set(C, binary(Op::Add, binary(Op::Mul, local(B), Expr::Const(2)), local(A))),
        Stmt::Write(x.clone(), local(C)),
    ];
    if generator.rng.chance(40) {
        round.push(Stmt::If(equals(C, 3), vec![Stmt::Break], vec![]));
    }
    if generator.rng.chance(50) {
        round.push(generator.assertion(C));
    }
    let rounds = generator.rng.within(2, 3) as i32;
    let writer = match generator.rng.below(2) {
        0 => vec![Stmt::Repeat(COUNTERS[0], rounds, round)],
        _ => vec![Stmt::While(vec![], Expr::Const(1), round)],
    };
    Idiom { threads: vec![writer, look(generator, &x)], end: Vec::new() }
}

/// Records in an array: searched in a loop with several ways out, copied, changed at computed places.
pub fn records(generator: &mut Generator<'_>) -> Idiom {
    let array = generator.global(Shape::Array(Box::new(Shape::Record), 2));
    let record = |index: Index| Lvalue { base: Base::Global(array), path: vec![Select::Index(index)] };
    let last = generator.source.record.len() - 1;
    let value = |index: Index| {
        let mut place = record(index);
        place.path.push(Select::Field(last));
        place
    };
    let counter = COUNTERS[0];
    let next = binary(Op::Add, local(A), Expr::Const(1));
    let mut round = vec![Stmt::Read(A, value(Index::Raw(counter)))];
    match generator.rng.below(3) {
        0 => round.push(Stmt::If(equals(A, 1), vec![Stmt::Break], vec![])),
        1 => round.push(Stmt::If(equals(A, 1), vec![Stmt::Continue], vec![])),
        _ => round.push(Stmt::Set(B, binary(Op::Add, local(B), local(A)))),
    }
    round.push(Stmt::Write(value(Index::Raw(counter)), next));
    let search = vec![Stmt::Repeat(counter, 2, round), Stmt::Set(C, local(counter)), generator.assertion(C)];
    let mut copy = vec![Stmt::Write(value(Index::Const(0)), Expr::Const(generator.rng.within(1, 2) as i32))];
    if !generator.source.record.contains(&Shape::Lock) {
        copy.push(Stmt::CopyRecord(record(Index::Const(1)), record(Index::Const(0))));
    }
    copy.extend([Stmt::Havoc(A, 1), Stmt::Read(B, value(Index::Masked(A, 1))), generator.assertion(B)]);
    Idiom { threads: vec![search, copy], end: look(generator, &value(Index::Const(1))) }
}

/// A list to whose front blocks are put, and from which they are taken.
pub fn list(generator: &mut Generator<'_>) -> Idiom {
    let is_link = |shape: &Shape| *shape == Shape::Pointer(To::Record);
    let Some(link) = generator.source.record.iter().position(is_link) else { return publication(generator) };
    let last = generator.source.record.len() - 1;
    let top = var(generator.global(Shape::Pointer(To::Record)));
    let field = |pointer: Local, field: usize| Lvalue { base: Base::Deref(pointer), path: vec![Select::Field(field)] };
    let [next, seen] = OTHER_RECORDS;
    let swapped = |expected: Local| binary(Op::Eq, local(seen), local(expected));
    let push = |value: i32| {
        let attempt = vec![
            Stmt::Read(next, top.clone()),
            Stmt::Write(field(RECORD_POINTER, link), local(next)),
            Stmt::CompareSwap(seen, top.clone(), local(next), local(RECORD_POINTER)),
            Stmt::If(swapped(next), vec![Stmt::Break], vec![]),
        ];
        vec![
            Stmt::Alloc(RECORD_POINTER, To::Record),
            Stmt::Write(field(RECORD_POINTER, last), Expr::Const(value)),
            Stmt::While(vec![], Expr::Const(1), attempt),
        ]
    };
    let mut taken = vec![Stmt::Read(A, field(RECORD_POINTER, last)), generator.assertion(A)];
    if COMPARE_FREED && generator.rng.chance(50) {
        taken.push(Stmt::Free(RECORD_POINTER));
    }
    taken.push(Stmt::Break);
    let pop = vec![
        Stmt::Read(RECORD_POINTER, top.clone()),
        Stmt::If(
            local(RECORD_POINTER),
            vec![
                Stmt::Read(next, field(RECORD_POINTER, link)),
                Stmt::CompareSwap(seen, top.clone(), local(RECORD_POINTER), local(next)),
                Stmt::If(swapped(RECORD_POINTER), taken, vec![]),
            ],
            vec![Stmt::Break],
        ),
    ];
    let mut first = push(1);
    if generator.rng.chance(50) {
        first.extend(push(2));
    }
    let mut second = vec![Stmt::While(vec![], Expr::Const(1), pop.clone())];
    if generator.rng.chance(30) {
        second = push(3);
        second.push(Stmt::While(vec![], Expr::Const(1), pop));
    }
    Idiom { threads: vec![first, second], end: Vec::new() }
}

/// Blocks of two threads compared with each other.
pub fn compared_blocks(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Record)));
    let mut threads = Vec::new();
    let [other, _] = OTHER_RECORDS;
    for _ in 0..2 {
        let mut body = vec![
            Stmt::Alloc(RECORD_POINTER, To::Record),
            Stmt::Read(other, shared.clone()),
            Stmt::Set(A, binary(Op::Eq, local(other), local(RECORD_POINTER))),
            Stmt::Set(B, binary(Op::Ne, local(other), Expr::Null(To::Record))),
            Stmt::Set(C, binary(Op::Add, binary(Op::Mul, local(A), Expr::Const(2)), local(B))),
            Stmt::Write(shared.clone(), local(RECORD_POINTER)),
            generator.assertion(C),
        ];
        if generator.rng.chance(40) {
            body.swap(1, 5);
        }
        if COMPARE_FREED && generator.rng.chance(40) {
            body.push(Stmt::Free(RECORD_POINTER));
        }
        threads.push(body);
    }
    Idiom { threads, end: Vec::new() }
}

/// Two variables that change together if a flag says so.
pub fn half_sections(generator: &mut Generator<'_>) -> Idiom {
    let flag = var(generator.global(Shape::INT));
    let pair = [var(generator.global(Shape::INT)), var(generator.global(Shape::INT))];
    let set = binary(Op::Ne, local(A), Expr::Const(0));
    let mut write = vec![Stmt::Read(A, flag.clone()), Stmt::If(set.clone(), vec![Stmt::AtomicBegin], vec![])];
    write.extend(pair.iter().map(|place| Stmt::Write(place.clone(), Expr::Const(1))));
    match generator.rng.below(3) {
        0 => write.push(Stmt::AtomicEnd),
        1 => write.push(Stmt::If(set, vec![Stmt::AtomicEnd], vec![])),
        // It lasts to the end of the thread.
        _ => (),
    }
    let mut read = vec![Stmt::Read(B, pair[0].clone()), Stmt::Read(C, pair[1].clone())];
    if generator.rng.chance(60) {
        read = vec![Stmt::Atomic(read)];
    }
    read.push(Stmt::Set(C, binary(Op::Sub, local(B), local(C))));
    read.push(generator.assertion(C));
    if generator.rng.chance(60) {
        read.insert(0, Stmt::Write(flag, Expr::Const(1)));
    } else if let Base::Global(flag) = flag.base {
        generator.source.globals[flag].init = Init::Number(1);
    }
    Idiom { threads: vec![write, read], end: look(generator, &pair[0]) }
}
