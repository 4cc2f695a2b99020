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
        ("handle as number", calls::handle_as_number),
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

pub fn element(array: usize, index: Index) -> Lvalue {
    Lvalue { base: Base::Global(array), path: vec![Select::Index(index)] }
}

pub fn behind(pointer: Local) -> Lvalue {
    Lvalue { base: Base::Deref(pointer), path: Vec::new() }
}

impl From<i32> for Expr {
    fn from(value: i32) -> Self {
        Expr::Const(value)
    }
}

impl From<Local> for Expr {
    fn from(local: Local) -> Self {
        Expr::Local(local)
    }
}

/// What is done to a place.
impl Lvalue {
    pub fn read(&self, to: Local) -> Stmt {
        Stmt::Read(to, self.clone())
    }
    pub fn write(&self, value: impl Into<Expr>) -> Stmt {
        Stmt::Write(self.clone(), value.into())
    }
    pub fn fetch_add(&self, old: Option<Local>, by: impl Into<Expr>) -> Stmt {
        Stmt::FetchAdd(old, self.clone(), by.into())
    }
    pub fn compare_swap(&self, old: Local, expected: impl Into<Expr>, new: impl Into<Expr>) -> Stmt {
        Stmt::CompareSwap(old, self.clone(), expected.into(), new.into())
    }
    pub fn wait(&self, value: impl Into<Expr>) -> Stmt {
        Stmt::Wait(self.clone(), value.into(), None)
    }
    pub fn lock(&self) -> Stmt {
        Stmt::Lock(self.clone())
    }
    pub fn unlock(&self) -> Stmt {
        Stmt::Unlock(self.clone())
    }
}

impl Generator<'_> {
    /// New globals.
    pub fn ints<const N: usize>(&mut self) -> [Lvalue; N] {
        std::array::from_fn(|_| var(self.global(Shape::INT)))
    }
    pub fn locks<const N: usize>(&mut self) -> [Lvalue; N] {
        std::array::from_fn(|_| var(self.global(Shape::Lock)))
    }
}

/// The bodies of two threads, each by its number.
pub fn both(mut thread: impl FnMut(usize) -> Vec<Stmt>) -> Vec<Vec<Stmt>> {
    vec![thread(0), thread(1)]
}

/// Takes the lock before the body and gives it back after it.
fn put_between(body: &mut Vec<Stmt>, lock: &Lvalue) {
    body.insert(0, lock.lock());
    body.push(lock.unlock());
}

pub fn local(local: Local) -> Expr {
    Expr::Local(local)
}

pub fn binary(op: BinOp, left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::Binary(op, Box::new(left.into()), Box::new(right.into()))
}

pub fn equals(left: Local, value: i32) -> Expr {
    binary(BinOp::Eq, left, value)
}

pub fn plus_one(place: &Lvalue) -> Vec<Stmt> {
    vec![place.read(A), place.write(binary(BinOp::Add, A, 1))]
}

pub fn look(generator: &mut Generator<'_>, place: &Lvalue) -> Vec<Stmt> {
    vec![place.read(A), generator.assertion(A)]
}

/// Lost updates.
fn increments(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let times = generator.rng.within(1, 2);
    let body: Vec<Stmt> = (0..times).flat_map(|_| plus_one(&x)).collect();
    Idiom { threads: vec![body.clone(), body], end: look(generator, &x) }
}

/// No lost updates, unless one side forgets the lock or takes another one.
fn locked_increments(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let locks: [Lvalue; 2] = generator.locks();
    let threads = both(|_| {
        let lock = &locks[generator.rng.weighted(&[80, 20])];
        let mut body = plus_one(&x);
        if generator.rng.chance(85) {
            put_between(&mut body, lock);
        }
        body
    });
    Idiom { threads, end: look(generator, &x) }
}

fn mutual_exclusion(generator: &mut Generator<'_>) -> Idiom {
    let [inside] = generator.ints();
    let [lock] = generator.locks();
    let threads = both(|_| {
        let mut body = vec![inside.fetch_add(Some(A), 1), generator.assertion(A), inside.fetch_add(None, -1)];
        if generator.rng.chance(85) {
            put_between(&mut body, &lock);
        }
        body
    });
    Idiom { threads, end: look(generator, &inside) }
}

/// Data, then a flag.
fn message(generator: &mut Generator<'_>) -> Idiom {
    let [data] = generator.ints();
    let flag = var(generator.global(Shape::Int { bits: 8, signed: false }));
    let mut write = vec![data.write(2), flag.write(1)];
    if generator.rng.chance(25) {
        write.swap(0, 1);
    }
    let got = vec![data.read(B), generator.assertion(B)];
    let read = match generator.rng.below(3) {
        0 => vec![flag.read(A), Stmt::If(local(A), got, vec![])],
        1 => [vec![Stmt::While(vec![flag.read(A)], equals(A, 0), vec![])], got].concat(),
        _ => [vec![flag.wait(1)], got].concat(),
    };
    Idiom { threads: vec![write, read], end: look(generator, &data) }
}

fn store_buffering(generator: &mut Generator<'_>) -> Idiom {
    let [x, y] = generator.ints();
    let seen = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let seen = |i| element(seen, Index::Const(i));
    let side = |mine: &Lvalue, other: &Lvalue, i: u32| {
        let one = binary(BinOp::Add, A, 1);
        vec![mine.write(1), other.read(A), seen(i).write(one)]
    };
    let sum = binary(BinOp::Add, binary(BinOp::Mul, A, 3), B);
    let end = vec![seen(0).read(A), seen(1).read(B), Stmt::Set(C, sum), generator.assertion(C)];
    Idiom { threads: vec![side(&x, &y, 0), side(&y, &x, 1)], end }
}

fn peterson(generator: &mut Generator<'_>) -> Idiom {
    let flags: [Lvalue; 2] = generator.ints();
    let [turn, inside] = generator.ints();
    let threads = both(|me| {
        let other = 1 - me;
        let waiting = binary(BinOp::And, equals(A, 1), equals(B, other as i32));
        let spin = vec![flags[other].read(A), turn.read(B)];
        let mut body = vec![
            flags[me].write(1),
            turn.write(other as i32),
            Stmt::While(spin, waiting, vec![]),
            inside.write(me as i32),
            inside.read(C),
            generator.assertion(C),
            flags[me].write(0),
        ];
        if generator.rng.chance(15) {
            body.swap(0, 1);
        }
        body
    });
    Idiom { threads, end: Vec::new() }
}

fn compare_swap_loop(generator: &mut Generator<'_>) -> Idiom {
    let [x] = generator.ints();
    let threads = both(|_| {
        let next = binary(BinOp::Add, A, 1);
        let attempt = vec![x.read(A), x.compare_swap(B, A, next)];
        let failed = binary(BinOp::Ne, A, B);
        vec![Stmt::While(attempt, failed, vec![])]
    });
    Idiom { threads, end: look(generator, &x) }
}

fn tickets(generator: &mut Generator<'_>) -> Idiom {
    let [next, serving, x] = generator.ints();
    let threads = both(|_| {
        let mut body = vec![next.fetch_add(Some(B), 1), serving.wait(B)];
        if generator.rng.chance(15) {
            body.remove(1);
        }
        body.extend(plus_one(&x));
        body.push(serving.fetch_add(None, 1));
        body
    });
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
    let mut write = vec![Stmt::Alloc(RECORD_POINTER, To::Record), value.write(3), shared.write(RECORD_POINTER)];
    if generator.rng.chance(30) {
        write.swap(1, 2);
    }
    let got = vec![value.read(A), generator.assertion(A)];
    let read = vec![shared.read(RECORD_POINTER), Stmt::If(local(RECORD_POINTER), got, vec![])];
    Idiom { threads: vec![write, read], end: Vec::new() }
}

/// A pointer that one thread takes away and frees, and another one looks through.
fn free_race(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Int)));
    let [lock] = generator.locks();
    let behind = behind(INT_POINTER);
    let again = generator.rng.chance(40);
    let mut end_it = vec![shared.read(INT_POINTER), shared.write(Expr::Null), Stmt::Free(INT_POINTER)];
    if again {
        // The name of the dead object may be given to the new one, or not.
        end_it.extend([Stmt::Alloc(INT_POINTER, To::Int), behind.write(1), shared.write(INT_POINTER)]);
    }
    let got = vec![behind.fetch_add(Some(A), 1), generator.assertion(A)];
    let mut use_it = vec![
        Stmt::Alloc(INT_POINTER, To::Int),
        shared.write(INT_POINTER),
        shared.read(INT_POINTER),
        Stmt::If(local(INT_POINTER), got, vec![]),
    ];
    if generator.rng.chance(50) {
        for body in [&mut end_it, &mut use_it] {
            put_between(body, &lock);
        }
    }
    Idiom { threads: vec![use_it, end_it], end: Vec::new() }
}

/// A block that one thread puts up and takes back by comparing pointers; meanwhile another one may have freed it and put up
/// another one, which may be where the first was.
fn freed_again(generator: &mut Generator<'_>) -> Idiom {
    let shared = var(generator.global(Shape::Pointer(To::Int)));
    let behind = behind(INT_POINTER);
    let put_up = |value| vec![Stmt::Alloc(INT_POINTER, To::Int), behind.write(value), shared.write(INT_POINTER)];
    let mut compare = Vec::new();
    if generator.rng.chance(30) {
        // A larger block was there before: what is freed may be of two sizes.
        let value = value_behind(generator, RECORD_POINTER);
        compare.extend([Stmt::Alloc(RECORD_POINTER, To::Record), value.write(3), shared.write(RECORD_POINTER)]);
    }
    compare.extend(put_up(1));
    let old = local(INT_POINTER);
    compare.push(shared.compare_swap(INT_POINTER, old, Expr::Null));
    if generator.rng.chance(50) {
        compare.push(shared.read(INT_POINTER));
    }
    let got = vec![behind.read(A), generator.assertion(A)];
    compare.push(Stmt::If(local(INT_POINTER), got, vec![Stmt::Set(A, Expr::Const(4)), generator.assertion(A)]));
    let free = match generator.rng.chance(30) {
        true => {
            Stmt::While(vec![Stmt::Free(INT_POINTER)], local(INT_POINTER), vec![Stmt::Set(INT_POINTER, Expr::Null)])
        }
        false => Stmt::Free(INT_POINTER),
    };
    let mut replace = vec![free];
    if generator.rng.chance(50) {
        replace.insert(0, shared.write(Expr::Null));
    }
    let mut again = put_up(2);
    if generator.rng.chance(30) {
        again.swap(1, 2);
    }
    replace.extend(again);
    let replace = vec![shared.read(INT_POINTER), Stmt::If(local(INT_POINTER), replace, vec![])];
    Idiom { threads: vec![compare, replace], end: Vec::new() }
}

fn producer_consumer(generator: &mut Generator<'_>) -> Idiom {
    let [full] = generator.ints();
    let slot = var(generator.global(Shape::Int { bits: 16, signed: true }));
    let rounds = generator.rng.within(1, 2) as i32;
    let counter = INTS[3];
    let produce = vec![full.wait(0), slot.write(binary(BinOp::Add, counter, 1)), full.write(1)];
    let consume = vec![
        full.wait(1),
        slot.read(A),
        full.write(0),
        Stmt::Set(B, binary(BinOp::Sub, A, counter)),
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
    let [done] = generator.ints();
    // Helpers have their bodies already.
    for function in generator.source.functions.iter_mut().filter(|function| function.kind != FunctionKind::Helper) {
        if function.cells.first() != Some(&Shape::INT) {
            function.cells.insert(0, Shape::INT);
        }
    }
    let cell = Lvalue { base: Base::Cell(0), path: Vec::new() };
    let mut own = vec![
        Stmt::AddressOf(INT_POINTER, cell.clone()),
        shared.write(INT_POINTER),
        done.wait(1),
        cell.read(A),
        generator.assertion(A),
    ];
    if generator.rng.chance(30) {
        own.remove(2);
    }
    let behind = behind(INT_POINTER);
    let write =
        vec![shared.read(INT_POINTER), Stmt::If(local(INT_POINTER), vec![behind.write(2)], vec![]), done.write(1)];
    Idiom { threads: vec![own, write], end: Vec::new() }
}

/// Locks taken in two orders: some executions end in a deadlock, the others must still be found.
fn two_locks(generator: &mut Generator<'_>) -> Idiom {
    let locks: [Lvalue; 2] = generator.locks();
    let [x] = generator.ints();
    let threads = both(|thread| {
        let first = if generator.rng.chance(50) { thread } else { 0 };
        let mut body = vec![locks[first].lock(), locks[1 - first].lock()];
        body.extend(plus_one(&x));
        body.push(generator.assertion(A));
        let given_back = generator.rng.below(2);
        body.extend([locks[given_back].unlock(), locks[1 - given_back].unlock()]);
        body
    });
    Idiom { threads, end: look(generator, &x) }
}

/// Accesses of different sizes to the same bytes.
fn halves(generator: &mut Generator<'_>) -> Idiom {
    let union = generator.global(Shape::Mix);
    let part = |part| Lvalue { base: Base::Global(union), path: vec![Select::Part(part)] };
    let side = |half: u32| {
        vec![
            part(Part::Half(half)).write(1),
            part(Part::Byte(2 - 2 * half)).read(A),
            part(Part::Byte(2 * half + 1)).write(A),
        ]
    };
    let high = generator.rng.below(2) as u32;
    Idiom { threads: vec![side(0), side(high)], end: look(generator, &part(Part::Word)) }
}

/// An index that another thread moves.
fn indices(generator: &mut Generator<'_>) -> Idiom {
    let array = generator.global(Shape::Array(Box::new(Shape::INT), 2));
    let [at] = generator.ints();
    let element = |index| element(array, index);
    let push = vec![at.fetch_add(Some(A), 1), element(Index::Masked(A, 1)).write(1)];
    let mut plain = vec![at.read(A), element(Index::Raw(A)).write(2), at.write(binary(BinOp::Add, A, 1))];
    if generator.rng.chance(50) {
        plain = push.clone();
    }
    let mut end = look(generator, &element(Index::Const(0)));
    end.extend(look(generator, &element(Index::Const(1))));
    Idiom { threads: vec![push, plain], end }
}

/// Two variables that change together.
fn atomic_pair(generator: &mut Generator<'_>) -> Idiom {
    let [x, y] = generator.ints();
    let both = vec![x.write(1), y.write(1)];
    let read = vec![x.read(A), y.read(B)];
    let atomic = |generator: &mut Generator<'_>, body: Vec<Stmt>| {
        if generator.rng.chance(80) { vec![Stmt::Atomic(body)] } else { body }
    };
    let both = atomic(generator, both);
    let mut read = atomic(generator, read);
    read.push(Stmt::Set(C, binary(BinOp::Sub, A, B)));
    read.push(generator.assertion(C));
    Idiom { threads: vec![both, read], end: look(generator, &x) }
}

/// Elements that inputs choose, and one that another thread chooses.
fn symbolic_index(generator: &mut Generator<'_>) -> Idiom {
    let bits = [8, 16, 32, 64][generator.rng.below(4)];
    let signed = generator.rng.chance(50);
    let array = generator.global(Shape::Array(Box::new(Shape::Int { bits, signed }), 4));
    let [at] = generator.ints();
    let second = element(array, Index::Const(1));
    let element = |index| element(array, Index::Masked(index, 3));
    let chosen = vec![Stmt::Havoc(A, 2), element(A).write(3), at.write(A), element(A).read(B), generator.assertion(B)];
    let next = binary(BinOp::Add, A, generator.rng.within(0, 2) as i32);
    let followed = vec![
        at.read(A),
        Stmt::Set(C, next),
        element(C).read(B),
        element(A).write(binary(BinOp::Sub, B, 1)),
        generator.assertion(B),
    ];
    Idiom { threads: vec![chosen, followed], end: look(generator, &second) }
}

/// Numbers that come from inputs, multiplied, divided, shifted, and told apart by a switch.
fn input_arithmetic(generator: &mut Generator<'_>) -> Idiom {
    let [shared] = generator.ints();
    let first = generator.arithmetic();
    let write = vec![
        Stmt::Havoc(A, 3),
        Stmt::Havoc(B, 2),
        Stmt::Set(B, binary(BinOp::Sub, B, 1)),
        Stmt::Set(C, first),
        shared.write(C),
    ];
    let second = generator.arithmetic();
    let assertions = [A, B, C].map(|local| generator.assertion(local));
    let [zero, one, other] = assertions;
    let cases = vec![(0, vec![Stmt::Set(A, Expr::Const(2)), zero]), (1, vec![Stmt::Set(B, second), one])];
    let read = vec![
        Stmt::Havoc(B, 2),
        shared.read(A),
        Stmt::Set(C, binary(BinOp::SRem, A, B)),
        Stmt::Switch(local(C), cases, vec![other]),
    ];
    Idiom { threads: vec![write, read], end: look(generator, &shared) }
}
