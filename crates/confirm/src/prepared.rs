//! The system that proofs of the symbolic engines are about.
//!
//! It is made by `system::translate` and `system::prepare`, as the engines make it.  How the program is unfolded and what its
//! instructions become is validated.  Preparing leaves out what ranges of the variables decide; that these ranges hold is shown here, as it
//! is for the ranges of a proof.

use crate::modular::boxes;
use crate::{Refusal, translation, unfolding};
use base::Budget;
use claim::modular::Ints;
use facts::Facts;
use ir::Program;
use system::{Options, Refused, System};

/// With all that it relies on checked.
pub fn system(program: &Program, ints: Ints, budget: &Budget) -> Result<System, Refusal> {
    let facts = Facts::compute(program);
    let translate = |raw: bool| {
        let translated = system::translate_with(program, &facts, &Options { raw, ..ints.into() }, budget);
        translated.map_err(|refused| match refused {
            Refused::Spent(spent) => spent.to_string(),
            Refused::Unsupported(note) => format!("not supported: {}", note.what),
        })
    };
    let translated = translate(false)?;
    unfolding::check(program, translated.unfolded())?;
    // Numbers without limits are nobody's meaning but the user's.
    if ints != Ints::Mathematical {
        translation::check(&translate(true)?, budget).map_err(|refusal| refusal.within("the translation"))?;
    }
    let prepared = system::prepare(&translated.system, budget);
    for (system, known) in &prepared.assumed {
        boxes::check_known(known, system, budget).map_err(|why| format!("before the proof: {why}"))?;
    }
    Ok(prepared.system)
}
