//! The checker for every program: each kind goes to the one that is made for it.

use crate::{Acyclic, Checked, Checker, Sequential, Spacer};
use base::Budget;

/// Programs without cycles go to [`Acyclic`], the others to [`Spacer`].
#[derive(Default)]
pub struct Auto {
    pub acyclic: Acyclic,
    pub spacer: Spacer,
}

impl Checker for Auto {
    fn name(&self) -> &str {
        "auto"
    }

    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        match program.is_acyclic() {
            true => self.acyclic.check(program, budget),
            false => self.spacer.check(program, budget),
        }
    }
}
