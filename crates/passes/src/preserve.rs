//! What a pass or a reduction does to the behaviour of a program, as far as a goal can tell.

/// How what can be found in the result relates to what can be found in the program.
///
/// It is said for one goal at a time: what keeps every failing assertion may lose races.  Where nobody has argued what
/// becomes of a goal, nothing is said, and the pass must not be used for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// There is something to find in the one exactly if there is in the other.
    Exact,
    /// Nothing is lost, but something may be found that the program does not have.
    More,
    /// What is found is the program's, but something may be lost.
    Fewer,
}
