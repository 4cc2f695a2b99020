//! What is to be decided, with the forms of it that engines work on: each is made once, by the engine that first needs it, and
//! shared with those that run beside it.

use base::Budget;
use claim::modular::Ints;
use facts::Facts;
use ir::interp::Code;
use ir::{Program, Spec};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use system::{Options, Prepared, Refused, Translated};

pub struct Problem<'p> {
    pub program: &'p Program,
    pub code: &'p Code<'p>,
    pub spec: Spec,
    facts: OnceLock<Facts>,
    /// By what integers are.
    systems: [Slot; 3],
}

/// A system that was asked for, if it was.
type Slot = Mutex<Option<Arc<Symbolic>>>;

/// The program as a system, as it is translated and as it is proved about.
pub struct Symbolic {
    pub translated: Translated,
    pub prepared: Prepared,
}

impl<'p> Problem<'p> {
    pub fn new(code: &'p Code<'p>, spec: Spec) -> Self {
        Problem { program: code.program, code, spec, facts: OnceLock::new(), systems: Default::default() }
    }

    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::compute(self.program))
    }

    /// The system for one reading of integers.  Who comes second waits for the first; what the first could not finish within its
    /// budget is begun again.
    pub fn system(&self, ints: Ints, budget: &Budget) -> Result<Arc<Symbolic>, Refused> {
        // Whoever panicked while it made one has left nothing.
        let mut made = self.systems[ints as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(symbolic) = &*made {
            return Ok(Arc::clone(symbolic));
        }
        let translated = system::translate_with(self.program, self.facts(), &Options::from(ints), budget)?;
        let prepared = system::prepare(&translated.system, budget);
        let symbolic = Arc::new(Symbolic { translated, prepared });
        // With a budget that is spent less is prepared than others would have.
        if budget.spent().is_none() {
            *made = Some(Arc::clone(&symbolic));
        }
        Ok(symbolic)
    }
}
