//! A formula in its solver: how large it may be, what is asked of it, and what a solution says.

use super::encoding::Encoding;
use super::symbols::Symbols;
use super::walk::Memory;
use base::Budget;
use facts::Point;
use ir::{Program, Ty};
use logic::{Answer, Lit, Solver, Term};
use passes::follow::Action;

/// Formulas with more bits than this, or more clauses, take too much memory: the solver needs about 100 bytes for a clause.
const MOST_BITS: u64 = 10_000_000;
const MOST_CLAUSES: u64 = 5_000_000;

/// Is the formula too large?  Clauses are made when they are to be solved; a gate has about five.
pub fn too_many_clauses(solver: &Solver) -> bool {
    let statistics = solver.statistics();
    statistics.clauses.max(5 * statistics.gates) > MOST_CLAUSES
}

/// A formula in its solver.
pub struct Posed<'u, M> {
    pub encoding: Encoding<'u>,
    pub memory: M,
    pub solver: Solver,
    /// So many constraints have been asserted.
    asserted: usize,
}

impl<'u, M: Memory> Posed<'u, M> {
    pub fn new(encoding: Encoding<'u>, memory: M) -> Self {
        Posed { encoding, memory, solver: Solver::new(), asserted: 0 }
    }

    pub fn too_many_bits(&self) -> bool {
        self.encoding.symbols.terms.bits() > MOST_BITS
    }

    pub fn too_large(&self) -> bool {
        self.too_many_bits() || too_many_clauses(&self.solver)
    }

    pub fn assert_constraints(&mut self) {
        for constraint in &self.encoding.constraints[self.asserted..] {
            self.solver.assert(&self.encoding.symbols.terms, *constraint);
        }
        self.asserted = self.encoding.constraints.len();
    }

    pub fn any(&mut self, conditions: &[Term]) -> Lit {
        let any = self.encoding.symbols.terms.any(conditions);
        self.solver.literal(&self.encoding.symbols.terms, any)
    }

    /// Is there a solution in which these hold?
    pub fn solve(&mut self, wanted: &[Lit], budget: &Budget) -> Answer {
        let Symbols { floats, terms, .. } = &mut self.encoding.symbols;
        floats.solve(terms, &mut self.solver, wanted, budget)
    }

    /// An assertion fails within the bounds.
    pub fn violation(&mut self) -> [Lit; 2] {
        let goal = self.any(&self.encoding.violations.clone());
        [goal, !self.solver.literal(&self.encoding.symbols.terms, self.encoding.may_exceed)]
    }

    /// What happens in the solution, up to the violation.
    pub fn actions(&mut self) -> Vec<Action> {
        let Symbols { terms, unfolded, space, .. } = &self.encoding.symbols;
        let mut actions = Vec::new();
        for entry in self.memory.history(&mut self.solver) {
            if self.solver.value_of(terms, entry.when) == 0 {
                continue;
            }
            let mut value = entry.value.map_or(0, |value| self.solver.value_of(terms, value));
            if is_pointer(&unfolded.program, entry.point) {
                value = space.form.number(value);
            }
            actions.extend(Action::new(unfolded, entry.thread, entry.point, entry.violation, value));
            if entry.violation {
                break;
            }
        }
        actions
    }
}

/// Does the instruction read a pointer, or take one as its input?
fn is_pointer(program: &Program, point: Point) -> bool {
    let ty = program.kind(point).and_then(|kind| match (kind.access(), kind.dst()) {
        (Some(access), _) => Some(access.ty),
        (None, dst) => dst.map(|dst| program.functions[point.func].ty(dst)),
    });
    ty == Some(Ty::Ptr)
}
