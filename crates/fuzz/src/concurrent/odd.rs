//! Statements out of the ordinary: other ways out of loops, sections that begin in one branch only, locks that are taken or
//! given back alone, records copied, functions passed to functions, threads that threads start.

use super::generate::{COUNTERS, FUNCTION_POINTER, Generator, HANDLES, INTS, WORKER_POINTER};
use super::idioms::var;
use super::source::*;

impl Generator<'_> {
    pub(super) fn leave_loop(&mut self, out: &mut Vec<Stmt>) {
        let condition = self.condition();
        let mut then = Vec::new();
        if self.rng.chance(30) {
            then = self.block(0, 1);
        }
        then.push(if self.rng.chance(60) { Stmt::Break } else { Stmt::Continue });
        out.push(Stmt::If(condition, then, vec![]));
    }

    /// An atomic section that begins in one branch only, ends in one only, or both.
    pub(super) fn half_section(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let condition = self.condition();
        let begin_always = self.rng.chance(20);
        let end_always = self.rng.chance(50);
        let mut first = vec![Stmt::AtomicBegin];
        let middle = self.inside_section(|make| {
            if make.rng.chance(60) {
                first.extend(make.block(depth, 1));
            }
            make.block(depth, 2)
        });
        if begin_always {
            out.extend(first);
        } else {
            out.push(Stmt::If(condition.clone(), first, vec![]));
        }
        out.extend(middle);
        if end_always {
            out.push(Stmt::AtomicEnd);
        } else {
            let condition = if self.rng.chance(70) { condition } else { self.condition() };
            out.push(Stmt::If(condition, vec![Stmt::AtomicEnd], vec![]));
        }
    }

    /// Records with locks in them are not copied: what a copy of a lock means is nobody's business.
    pub(super) fn copy_record(&mut self, out: &mut Vec<Stmt>) {
        if self.source.record.contains(&Shape::Lock) {
            return;
        }
        let to = self.place(|shape| *shape == Shape::Record, true);
        let from = self.place(|shape| *shape == Shape::Record, true);
        if let (Some(to), Some(from)) = (to, from) {
            out.push(Stmt::CopyRecord(to, from));
        }
    }

    pub(super) fn stray_lock(&mut self, out: &mut Vec<Stmt>) {
        let Some(lock) = self.lock_place() else { return };
        if !matches!(lock.base, Base::Global(_)) {
            return;
        }
        out.push(if self.rng.chance(60) { Stmt::Unlock(lock) } else { Stmt::Lock(lock) });
    }

    /// A table of functions.
    pub(super) fn function_table(&mut self, functions: Vec<usize>) -> usize {
        let to = match self.source.functions[functions[0]].kind {
            FunctionKind::Main | FunctionKind::Helper => To::Function,
            FunctionKind::Worker => To::Worker,
        };
        let shape = Shape::Array(Box::new(Shape::Pointer(to)), functions.len() as u32);
        let table = self.global(shape);
        self.source.globals[table].init = Init::Functions(functions);
        table
    }

    pub(super) fn pass_function(&mut self, out: &mut Vec<Stmt>) {
        let Some(caller) = self.caller else { return };
        let place = self.place(|shape| *shape == Shape::Pointer(To::Function), false);
        let argument = match place {
            Some(place) if self.rng.chance(60) => {
                out.push(Stmt::Read(FUNCTION_POINTER, place));
                Expr::Local(FUNCTION_POINTER)
            }
            _ => Expr::Function(self.any_helper()),
        };
        out.push(Stmt::Call(Some(self.int()), Callee::Named(caller), argument));
    }

    /// Starts a thread whose body is found at run time.
    pub(super) fn spawn_through_table(&mut self, out: &mut Vec<Stmt>, handle: Local, worker: usize, arg: Expr) {
        let last = self.workers;
        let index = match self.rng.below(3) {
            0 => Index::Const(u32::from(worker != 1)),
            1 => Index::Masked(COUNTERS[0], 1),
            _ => {
                out.push(Stmt::Havoc(INTS[0], 1));
                Index::Masked(INTS[0], 1)
            }
        };
        let table = match self.worker_table {
            Some(table) => table,
            None => self.function_table(vec![1, last]),
        };
        self.worker_table = Some(table);
        let entry = Lvalue { base: Base::Global(table), path: vec![Select::Index(index)] };
        out.push(Stmt::Read(WORKER_POINTER, entry));
        out.push(Stmt::Spawn(handle, Callee::Pointer(WORKER_POINTER), arg));
    }

    /// The first worker starts the second, and keeps its handle where others find it.
    pub(super) fn start_from_first(&mut self, body: &mut Vec<Stmt>) {
        let kept = self.global(Shape::Handle);
        self.kept_handle = Some(kept);
        self.grandchild = true;
        self.enter(1);
        let mut start = Vec::new();
        self.spawn(&mut start, HANDLES[0], 2);
        start.push(Stmt::Write(var(kept), Expr::Local(HANDLES[0])));
        let at = self.rng.below(body.len().min(2) + 1);
        body.splice(at..at, start);
        if self.rng.chance(25) {
            body.push(Stmt::Join(HANDLES[0], None));
        }
    }
}
