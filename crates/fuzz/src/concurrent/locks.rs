//! Shapes of programs with several locks: threads that wait at several places and on different locks, and locks that are given
//! back by somebody else than who took them.

use super::generate::Generator;
use super::idioms::{A, B, C, Idiom, binary, equals, look, var};
use super::source::*;

/// What waiting for a condition variable is: the lock is given back and taken again.
fn wait(lock: &Lvalue) -> Vec<Stmt> {
    vec![lock.unlock(), lock.lock()]
}

/// A lock, which may be one that nobody calls so.
struct AnyLock {
    place: Lvalue,
    spins: bool,
}

impl AnyLock {
    fn new(generator: &mut Generator<'_>) -> Self {
        let spins = generator.rng.chance(15);
        let shape = if spins { Shape::INT } else { Shape::Lock };
        AnyLock { place: var(generator.global(shape)), spins }
    }
    fn take(&self) -> Stmt {
        match self.spins {
            true => Stmt::Wait(self.place.clone(), Expr::Const(0), Some(Expr::Const(1))),
            false => self.place.lock(),
        }
    }
    fn give(&self) -> Stmt {
        match self.spins {
            true => self.place.write(0),
            false => self.place.unlock(),
        }
    }
    fn wait(&self) -> Vec<Stmt> {
        vec![self.give(), self.take()]
    }
}

/// A loop that waits at one place until one thing has happened, and at another until the next has; everything is held meanwhile.
pub fn several_waits(generator: &mut Generator<'_>) -> Idiom {
    let count = generator.rng.within(1, 2);
    let locks: Vec<AnyLock> = (0..count).map(|_| AnyLock::new(generator)).collect();
    let flags: [Lvalue; 2] = generator.ints();
    let lock_of = |flag: usize| &locks[flag % count];
    let mut inner = vec![flags[1].read(B)];
    let mut second = lock_of(1).wait();
    if generator.rng.chance(30) {
        second.push(Stmt::Continue);
    }
    inner.push(Stmt::If(equals(B, 0), second, vec![Stmt::Break]));
    let round = vec![flags[0].read(A), Stmt::If(equals(A, 0), lock_of(0).wait(), inner)];
    let mut waiter: Vec<Stmt> = locks.iter().map(AnyLock::take).collect();
    // Where the others start late, nothing happens unless the locks are given back.
    let ready = generator.rng.chance(70).then(|| var(generator.global(Shape::INT)));
    waiter.extend(ready.iter().map(|ready| ready.write(1)));
    waiter.push(Stmt::While(vec![], Expr::Const(1), round));
    waiter.extend([flags[generator.rng.below(2)].read(C), generator.assertion(C)]);
    if generator.rng.chance(50) {
        waiter.extend(locks.iter().map(AnyLock::give));
    }
    let set = |flag: usize| {
        let mut body: Vec<Stmt> = ready.iter().map(|ready| ready.wait(1)).collect();
        body.extend([lock_of(flag).take(), flags[flag].write(1), lock_of(flag).give()]);
        body
    };
    let end = if generator.rng.chance(30) { look(generator, &flags[0]) } else { Vec::new() };
    let mut threads = vec![waiter];
    if generator.workers == 2 && generator.rng.chance(40) {
        // Main is the one that waits.
        threads = vec![set(0), set(1), threads.swap_remove(0)];
    } else {
        threads.push([set(0), set(1)].concat());
    }
    Idiom { threads, end }
}

/// Two queues, each with its lock: what is taken from the one is put into the other.
pub fn handover(generator: &mut Generator<'_>) -> Idiom {
    let locks: [Lvalue; 2] = generator.locks();
    let items: [Lvalue; 2] = generator.ints();
    let get = |queue: usize| {
        vec![
            locks[queue].lock(),
            Stmt::While(vec![items[queue].read(A)], equals(A, 0), wait(&locks[queue])),
            items[queue].write(0),
            locks[queue].unlock(),
        ]
    };
    let put = |queue: usize, value: Expr| vec![locks[queue].lock(), items[queue].write(value), locks[queue].unlock()];
    let mut first = put(0, Expr::Const(generator.rng.within(1, 2) as i32));
    first.extend(get(1));
    first.push(generator.assertion(A));
    let mut second = get(0);
    second.extend(put(1, binary(BinOp::Add, A, 1)));
    if generator.rng.chance(25) {
        // Forgets to take the lock again.
        if let Stmt::While(_, _, after) = &mut second[1] {
            after.pop();
        }
    }
    Idiom { threads: vec![first, second], end: look(generator, &items[0]) }
}

/// A thread looks again and again under a lock that others give back although they do not hold it.
pub fn stolen(generator: &mut Generator<'_>) -> Idiom {
    let lock = AnyLock { place: var(generator.global(Shape::Lock)), spins: false };
    let [flag, x] = generator.ints();
    let looks = vec![lock.take(), flag.read(A), lock.give()];
    let again = if generator.rng.chance(40) { Expr::Const(1) } else { equals(A, 0) };
    let mut looker = vec![Stmt::While(looks, again, vec![])];
    if generator.rng.chance(40) {
        looker.extend(look(generator, &x));
    }
    // Gives back what the looker holds, and gets it twice only if the looker gives it back as well.
    let mut other = Vec::new();
    for round in 0..generator.rng.within(1, 2) {
        other.extend((0..=round.min(1)).map(|_| lock.give()));
        other.extend([lock.take(), lock.take()]);
    }
    if generator.rng.chance(30) {
        let at = generator.rng.below(other.len());
        other[at] = if generator.rng.chance(50) { lock.take() } else { lock.give() };
    }
    if generator.rng.chance(50) {
        other.push(flag.write(1));
    }
    other.extend([x.fetch_add(Some(B), 1), generator.assertion(B)]);
    let end = if generator.rng.chance(30) { look(generator, &x) } else { Vec::new() };
    Idiom { threads: vec![looker, other], end }
}
