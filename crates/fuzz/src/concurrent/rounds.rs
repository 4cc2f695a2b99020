//! Shapes of programs whose loops keep something from one round to the next: inputs, elements of arrays of records, blocks of
//! lists; and sections that begin in one branch only.

use super::generate::{COMPARE_FREED, COUNTERS, Generator, OTHER_RECORDS, RECORD_POINTER};
use super::idioms::{A, B, C, Idiom, binary, element, equals, local, look, publication, var};
use super::source::*;

/// A loop that keeps the first inputs in one variable after the other, and compares them in the end.
pub fn kept_inputs(generator: &mut Generator<'_>) -> Idiom {
    let [state] = generator.ints();
    let kept: [Lvalue; 2] = generator.ints();
    let bits = if generator.rng.chance(70) { 1 } else { 2 };
    let store = |n: usize| vec![kept[n].write(A), state.write(n as i32 + 1)];
    let mut last = vec![kept[0].read(A), kept[1].read(B)];
    last.extend([Stmt::Set(C, binary(BinOp::Sub, A, B)), generator.assertion(C)]);
    if generator.rng.chance(50) {
        last.push(Stmt::Break);
    }
    let choose = Stmt::If(equals(B, 0), store(0), vec![Stmt::If(equals(B, 1), store(1), last)]);
    let mut round = vec![Stmt::Havoc(A, bits), state.read(B), choose];
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
            reader.push(place.read(C));
        }
    }
    if generator.rng.chance(40) {
        reader.push(generator.assertion(C));
    }
    Idiom { threads: vec![keeper, reader], end: Vec::new() }
}

/// The same in registers: an input of the last round against that of this one.
pub fn last_input(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let mut round = vec![
        Stmt::Set(B, local(A)),
        Stmt::Havoc(A, 1),
        Stmt::Set(C, binary(BinOp::Add, binary(BinOp::Mul, B, 2), A)),
        x.write(C),
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
    let record = |index: Index| element(array, index);
    let last = generator.source.record.len() - 1;
    let value = |index: Index| {
        let mut place = record(index);
        place.path.push(Select::Field(last));
        place
    };
    let counter = COUNTERS[0];
    let next = binary(BinOp::Add, A, 1);
    let mut round = vec![value(Index::Raw(counter)).read(A)];
    match generator.rng.below(3) {
        0 => round.push(Stmt::If(equals(A, 1), vec![Stmt::Break], vec![])),
        1 => round.push(Stmt::If(equals(A, 1), vec![Stmt::Continue], vec![])),
        _ => round.push(Stmt::Set(B, binary(BinOp::Add, B, A))),
    }
    round.push(value(Index::Raw(counter)).write(next));
    let search = vec![Stmt::Repeat(counter, 2, round), Stmt::Set(C, local(counter)), generator.assertion(C)];
    let mut copy = vec![value(Index::Const(0)).write(generator.rng.within(1, 2) as i32)];
    if !generator.source.record.contains(&Shape::Lock) {
        copy.push(Stmt::CopyRecord(record(Index::Const(1)), record(Index::Const(0))));
    }
    copy.extend([Stmt::Havoc(A, 1), value(Index::Masked(A, 1)).read(B), generator.assertion(B)]);
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
    let swapped = |expected: Local| binary(BinOp::Eq, seen, expected);
    let push = |value: i32| {
        let attempt = vec![
            top.read(next),
            field(RECORD_POINTER, link).write(next),
            top.compare_swap(seen, next, RECORD_POINTER),
            Stmt::If(swapped(next), vec![Stmt::Break], vec![]),
        ];
        vec![
            Stmt::Alloc(RECORD_POINTER, To::Record),
            field(RECORD_POINTER, last).write(value),
            Stmt::While(vec![], Expr::Const(1), attempt),
        ]
    };
    let mut taken = vec![field(RECORD_POINTER, last).read(A), generator.assertion(A)];
    if COMPARE_FREED && generator.rng.chance(50) {
        taken.push(Stmt::Free(RECORD_POINTER));
    }
    taken.push(Stmt::Break);
    let pop = vec![
        top.read(RECORD_POINTER),
        Stmt::If(
            local(RECORD_POINTER),
            vec![
                field(RECORD_POINTER, link).read(next),
                top.compare_swap(seen, RECORD_POINTER, next),
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
            shared.read(other),
            Stmt::Set(A, binary(BinOp::Eq, other, RECORD_POINTER)),
            Stmt::Set(B, binary(BinOp::Ne, other, Expr::Null)),
            Stmt::Set(C, binary(BinOp::Add, binary(BinOp::Mul, A, 2), B)),
            shared.write(RECORD_POINTER),
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
    let [flag] = generator.ints();
    let pair: [Lvalue; 2] = generator.ints();
    let set = binary(BinOp::Ne, A, 0);
    let mut write = vec![flag.read(A), Stmt::If(set.clone(), vec![Stmt::AtomicBegin], vec![])];
    write.extend(pair.iter().map(|place| place.write(1)));
    match generator.rng.below(3) {
        0 => write.push(Stmt::AtomicEnd),
        1 => write.push(Stmt::If(set, vec![Stmt::AtomicEnd], vec![])),
        // It lasts to the end of the thread.
        _ => (),
    }
    let mut read = vec![pair[0].read(B), pair[1].read(C)];
    if generator.rng.chance(60) {
        read = vec![Stmt::Atomic(read)];
    }
    read.push(Stmt::Set(C, binary(BinOp::Sub, B, C)));
    read.push(generator.assertion(C));
    if generator.rng.chance(60) {
        read.insert(0, flag.write(1));
    } else if let Base::Global(flag) = flag.base {
        generator.source.globals[flag].init = Init::Number(1);
    }
    Idiom { threads: vec![write, read], end: look(generator, &pair[0]) }
}
