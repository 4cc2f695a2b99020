//! Transition graphs: locations with steps between them.  A thread of a system is one, and so is a sequential program.
//!
//! A [`Step`] is a guarded assignment to several variables at once, which may fail instead.  Its inputs are its own: they have numbers that
//! mean something only within the step, so that two steps, or two times the same, cannot be taken to choose the same.  What
//! is done with steps is written here and nowhere else: [`Step::then`] puts two together, [`Step::post`] goes forwards from a state made of
//! terms, [`Step::pre`] backwards from a formula, [`Graph::take_out`] eliminates a location, and [`that_matter`] finds what
//! decides anything.

mod graph;
mod slice;
mod step;

pub use graph::{Edge, Graph, Joined, Location, LocationData};
pub use slice::{Live, that_matter};
pub use step::{After, Input, State, Step, value_in};

#[cfg(test)]
mod tests;
