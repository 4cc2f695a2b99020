//! The variables of formulas that speak of two moments, and of the programs made from them.
//!
//! A formula about moves of the environment relates the values *before* the move to the values *now*.  A program that answers
//! a question about moves also remembers the values at which the question's move *started*.

use base::Id;
use formula::{Formula, Var};
use system::System;

/// Gives each variable of a system its copies.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    count: usize,
}

impl Space {
    pub fn new(system: &System) -> Self {
        Space { count: system.vars.len() }
    }
    /// The value before the move.
    pub fn old(self, var: Var) -> Var {
        Var::new(self.count + var.index())
    }
    /// The value when the move that is asked about started.
    pub fn start(self, var: Var) -> Var {
        Var::new(2 * self.count + var.index())
    }
    /// The first of those that stand for nothing yet.
    pub fn fresh(self) -> usize {
        3 * self.count
    }
    pub fn is_now(self, var: Var) -> bool {
        var.index() < self.count
    }
    pub fn is_old(self, var: Var) -> bool {
        (self.count..2 * self.count).contains(&var.index())
    }
    pub fn is_start(self, var: Var) -> bool {
        (2 * self.count..3 * self.count).contains(&var.index())
    }
    /// Whether it is a variable of the system or a copy of one.
    pub fn has(self, var: Var) -> bool {
        var.index() < self.fresh()
    }
    /// The variable of the system that this is a copy of.
    pub fn base(self, var: Var) -> Var {
        Var::new(var.index() % self.count)
    }

    /// A formula about a move, with the values before it as those of the start.
    pub fn since_start(self, formula: &Formula) -> Formula {
        formula.rename(&mut |var| if self.is_old(var) { self.start(self.base(var)) } else { var })
    }
    /// A formula about a move of length zero.
    pub fn at_rest(self, formula: &Formula) -> Formula {
        formula.rename(&mut |var| if self.is_old(var) { self.base(var) } else { var })
    }
    /// Values before the move that cannot differ from those now are written as those now.
    pub fn frame(self, formula: &Formula, changes: &dyn Fn(Var) -> bool) -> Formula {
        let frozen = |var: Var| self.is_old(var) && !changes(self.base(var));
        formula.rename(&mut |var| if frozen(var) { self.base(var) } else { var })
    }
    pub fn mentions_old(self, formula: &Formula) -> bool {
        formula.vars().into_iter().any(|var| self.is_old(var))
    }
    pub fn name(self, system: &System, var: Var) -> String {
        let name = system.vars.get(self.base(var)).map_or_else(|| var.to_string(), |data| data.name.clone());
        match var.index() / self.count {
            0 => name,
            1 => format!("{name}_copy"),
            2 => format!("{name}_start"),
            _ => var.to_string(),
        }
    }
}

/// Makes variables that stand for nothing yet.
pub struct Fresh {
    next: usize,
}

impl Fresh {
    /// Variables that the formula does not mention.
    pub fn after(formula: &Formula, space: Space) -> Self {
        let mut next = space.fresh();
        formula.visit_vars(&mut |var| next = next.max(var.index() + 1));
        Fresh { next }
    }
    pub fn var(&mut self) -> Var {
        self.next += 1;
        Var::new(self.next - 1)
    }
}
