//! Random statements about pointers: to variables, to heap blocks, to functions.

use super::generate::*;
use super::source::*;

impl Generator<'_> {
    pub(super) fn pointer_stmt(&mut self, out: &mut Vec<Stmt>) {
        let (local, to) = if self.rng.chance(60) { (INT_POINTER, To::Int) } else { (RECORD_POINTER, To::Record) };
        match self.rng.below(4) {
            0 => {
                if let Some(place) = self.addressable(to) {
                    out.push(Stmt::AddressOf(local, place));
                    self.ready.push(local);
                }
            }
            1 => {
                if let Some(place) = self.pointer_place(to) {
                    out.push(Stmt::Read(local, place));
                    if self.rng.chance(60) {
                        let mut then = Vec::new();
                        self.ready.push(local);
                        self.with_int_place(&mut then, |make, place| Stmt::Read(make.int(), place));
                        self.with_int_place(&mut then, |make, place| Stmt::Write(place, make.number()));
                        self.ready.pop();
                        out.push(Stmt::If(Expr::Local(local), then, vec![]));
                    } else {
                        self.ready.push(local);
                    }
                }
            }
            2 => {
                if let (Some(target), Some(place)) = (self.addressable(to), self.pointer_place(to)) {
                    out.push(Stmt::AddressOf(local, target));
                    out.push(Stmt::Write(place, Expr::Local(local)));
                    self.ready.push(local);
                }
            }
            _ => {
                if let Some(place) = self.pointer_place(to) {
                    let value = if self.rng.chance(50) { Expr::Local(local) } else { Expr::Null };
                    out.push(Stmt::Write(place, value));
                }
            }
        }
    }

    pub(super) fn heap_stmt(&mut self, out: &mut Vec<Stmt>) {
        let (local, to) = if self.rng.chance(50) { (INT_POINTER, To::Int) } else { (RECORD_POINTER, To::Record) };
        if self.rng.chance(30) {
            out.push(Stmt::Free(local));
            self.ready.retain(|ready| *ready != local);
            if self.rng.chance(60) {
                out.push(Stmt::Set(local, Expr::Null));
            }
            return;
        }
        out.push(Stmt::Alloc(local, to));
        self.ready.push(local);
        if self.rng.chance(60)
            && let Some(place) = self.pointer_place(to)
        {
            out.push(Stmt::Write(place, Expr::Local(local)));
        }
    }

    pub(super) fn any_helper(&mut self) -> usize {
        let helpers = self.helpers();
        helpers[self.rng.below(helpers.len())]
    }

    pub(super) fn call_pointer(&mut self, out: &mut Vec<Stmt>) {
        match self.pointer_place(To::Function) {
            Some(place) if self.rng.chance(60) => out.push(Stmt::Read(FUNCTION_POINTER, place)),
            Some(place) if self.rng.chance(30) => {
                return out.push(Stmt::Write(place, Expr::Function(self.any_helper())));
            }
            _ => {
                let mut function = Expr::Function(self.any_helper());
                if self.rng.chance(50) {
                    let (condition, other) = (self.condition(), Expr::Function(self.any_helper()));
                    function = Expr::Choose(Box::new([condition, function, other]));
                }
                out.push(Stmt::Set(FUNCTION_POINTER, function));
            }
        }
        let arg = self.number();
        out.push(Stmt::Call(Some(self.int()), Callee::Pointer(FUNCTION_POINTER), arg));
    }
}
