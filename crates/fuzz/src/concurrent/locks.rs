//! Shapes of programs with several locks: threads that wait at several places and on different locks, and locks that are given
//! back by somebody else than who took them.

use super::generate::Generator;
use super::idioms::{A, B, C, Idiom, binary, equals, local, look, var};
use super::source::*;

/// What waiting for a condition variable is: the lock is given back and taken again.
fn wait(lock: &Lvalue) -> Vec<Stmt> {
    vec![Stmt::Unlock(lock.clone()), Stmt::Lock(lock.clone())]
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
            false => Stmt::Lock(self.place.clone()),
        }
    }
    fn give(&self) -> Stmt {
        match self.spins {
            true => Stmt::Write(self.place.clone(), Expr::Const(0)),
            false => Stmt::Unlock(self.place.clone()),
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
    let flags = [var(generator.global(Shape::INT)), var(generator.global(Shape::INT))];
    let lock_of = |flag: usize| &locks[flag % count];
    let mut inner = vec![Stmt::Read(B, flags[1].clone())];
    let mut second = lock_of(1).wait();
    if generator.rng.chance(30) {
        second.push(Stmt::Continue);
    }
    inner.push(Stmt::If(equals(B, 0), second, vec![Stmt::Break]));
    let round = vec![Stmt::Read(A, flags[0].clone()), Stmt::If(equals(A, 0), lock_of(0).wait(), inner)];
    let mut waiter: Vec<Stmt> = locks.iter().map(AnyLock::take).collect();
    // Where the others start late, nothing happens unless the locks are given back.
    let ready = generator.rng.chance(70).then(|| var(generator.global(Shape::INT)));
    waiter.extend(ready.iter().map(|ready| Stmt::Write(ready.clone(), Expr::Const(1))));
    waiter.push(Stmt::While(vec![], Expr::Const(1), round));
    waiter.extend([Stmt::Read(C, flags[generator.rng.below(2)].clone()), generator.assertion(C)]);
    if generator.rng.chance(50) {
        waiter.extend(locks.iter().map(AnyLock::give));
    }
    let set = |flag: usize| {
        let mut body: Vec<Stmt> = ready.iter().map(|ready| Stmt::Wait(ready.clone(), Expr::Const(1), None)).collect();
        body.extend([lock_of(flag).take(), Stmt::Write(flags[flag].clone(), Expr::Const(1)), lock_of(flag).give()]);
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
    let locks = [var(generator.global(Shape::Lock)), var(generator.global(Shape::Lock))];
    let items = [var(generator.global(Shape::INT)), var(generator.global(Shape::INT))];
    let get = |queue: usize| {
        vec![
            Stmt::Lock(locks[queue].clone()),
            Stmt::While(vec![Stmt::Read(A, items[queue].clone())], equals(A, 0), wait(&locks[queue])),
            Stmt::Write(items[queue].clone(), Expr::Const(0)),
            Stmt::Unlock(locks[queue].clone()),
        ]
    };
    let put = |queue: usize, value: Expr| {
        vec![
            Stmt::Lock(locks[queue].clone()),
            Stmt::Write(items[queue].clone(), value),
            Stmt::Unlock(locks[queue].clone()),
        ]
    };
    let mut first = put(0, Expr::Const(generator.rng.within(1, 2) as i32));
    first.extend(get(1));
    first.push(generator.assertion(A));
    let mut second = get(0);
    second.extend(put(1, binary(Op::Add, local(A), Expr::Const(1))));
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
    let flag = var(generator.global(Shape::INT));
    let x = var(generator.global(Shape::INT));
    let looks = vec![lock.take(), Stmt::Read(A, flag.clone()), lock.give()];
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
        other.push(Stmt::Write(flag, Expr::Const(1)));
    }
    other.extend([Stmt::FetchAdd(Some(B), x.clone(), Expr::Const(1)), generator.assertion(B)]);
    let end = if generator.rng.chance(30) { look(generator, &x) } else { Vec::new() };
    Idiom { threads: vec![looker, other], end }
}
