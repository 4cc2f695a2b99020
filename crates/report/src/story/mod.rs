//! An execution as a story: what each thread did, line by line of the user's program, in the user's names.
//!
//! `record` watches the interpreter and notes the effects of each instruction, `names` finds out what memory is called,
//! `condense` leaves out what nobody wants to read.  The result is plain text in a tree: writers only lay it out.

mod condense;
mod effect;
mod names;
mod record;
mod source;

pub use source::Sources;

use claim::{Replay, Trace};
use ir::Check;
use ir::interp::Code;
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// The threads in the order of their start, each with a name of its own.
    pub threads: Vec<String>,
    pub items: Vec<Item>,
    pub end: End,
}

/// One line of the story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    StoryStep(StoryStep),
    /// Something of this thread was left out; the text says what.
    Elided {
        thread: usize,
        text: String,
    },
}

/// What one thread did on one line of the program without another coming between.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StoryStep {
    /// Index into the threads of the story.
    pub thread: usize,
    pub file: String,
    pub line: u32,
    pub function: String,
    /// The statement, where the source is at hand.
    pub statement: String,
    /// What it did, each in a few words.
    pub effects: Vec<String>,
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Violated(Failure),
    /// The trace does not lead to a violation; the text says where it leaves the program.
    Diverged(String),
}

/// The violated assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub check: Check,
    pub thread: usize,
    pub at: Position,
    /// The calls that led there, innermost first.
    pub calls: Vec<Call>,
}

/// Where the violated assertion stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub message: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Call {
    pub file: String,
    pub line: u32,
    pub function: String,
}

impl Story {
    /// Follows `trace` through the program.
    pub fn new(code: &Code<'_>, trace: &Trace, sources: &mut Sources) -> Self {
        let mut recorder = record::Recorder::new(code);
        let replay = claim::replay(code, trace, &mut recorder);
        let (threads, items, failure) = recorder.finish(sources);
        let end = match (replay, failure) {
            (Replay::Violated(_), Some(failure)) => End::Violated(failure),
            (Replay::Violated(_), None) => End::Diverged("the violation was not seen".into()),
            (Replay::Diverged(why), _) => End::Diverged(why),
        };
        Story { threads, items: condense::condense(items), end }
    }

    pub fn name(&self, thread: usize) -> &str {
        self.threads.get(thread).map_or("?", String::as_str)
    }
}

impl Item {
    pub fn thread(&self) -> usize {
        match self {
            Item::StoryStep(step) => step.thread,
            Item::Elided { thread, .. } => *thread,
        }
    }
}
