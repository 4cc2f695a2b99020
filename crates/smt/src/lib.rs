//! Questions about formulas of linear integer arithmetic, answered by Z3 (`docs/smt.md`).  Knows nothing of programs.
//!
//! Z3 stays behind this interface: formulas go in and come out as data, models are data, and every call has a budget.
//! What Z3 says is taken on trust only where a caller cannot check it more cheaply; projections and derivations are checked here.

mod cube;
mod decode;
mod eliminate;
mod encode;
mod horn;
mod maximise;
mod project;
mod simplify;
mod solver;
mod spacer;
mod watch;

pub use horn::{Application, Derivation, Derived, Horn, HornAnswer, Predicate, Relation, Rule};
pub use maximise::Bound;
pub use project::{project, project_under, substitute_equalities};
pub use simplify::simplify;
pub use solver::{Answer, Model, Solver};
