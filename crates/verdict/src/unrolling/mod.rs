//! Confirms that a program is safe because it was unrolled completely.

use base::Budget;
use ir::Unrolling;
use ir::interp::Code;

/// Shows that the program, unfolded within these bounds, has no violation under any schedule and comes to none of its cuts.
pub fn check(_bounds: &Unrolling, _code: &Code<'_>, _budget: &Budget) -> Result<(), String> {
    Err("complete unrollings are not yet checked".into())
}
