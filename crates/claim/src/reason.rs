//! Why an engine has no answer.

use base::{Pos, Spent};
use ir::{Program, Property};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Budget(Spent),
    /// The engine does not decide this property.
    Property(Property),
    /// An execution reaches something that is not supported.
    Unsupported {
        what: String,
        pos: Pos,
    },
    /// No violation among the executions looked at, but not all inputs were tried: the text names them.
    Inputs(String),
    /// No violation within these bounds.
    Bound(String),
    /// What the engine reasons about does more than the program, or it learns too little: the text says where.
    Approximation(String),
    /// The engine made a claim that did not stand up to the check: a defect of ours.
    Unconfirmed {
        engine: String,
        why: String,
    },
}

impl Reason {
    /// In words, on one line.
    pub fn explain(&self, program: &Program) -> String {
        let text = match self {
            Reason::Budget(spent) => return spent.to_string(),
            Reason::Property(property) => format!("property not supported: {property}"),
            Reason::Unsupported { what, pos } => match program.place(*pos) {
                Some(place) => format!("not supported: {what} at {place}"),
                None => format!("not supported: {what}"),
            },
            Reason::Inputs(text) => format!("inputs not exhausted: {text}"),
            Reason::Bound(text) => format!("bound reached: {text}"),
            Reason::Approximation(text) => format!("not precise enough: {text}"),
            Reason::Unconfirmed { engine, why } => format!("unconfirmed claim of engine {engine}: {why}"),
        };
        text.replace(['\n', '\r'], " ")
    }

    /// Its kind, as one word for programs to read.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Budget(spent) => spent.word(),
            Reason::Property(_) => "property",
            Reason::Unsupported { .. } => "unsupported",
            Reason::Inputs(_) => "inputs",
            Reason::Bound(_) => "bound",
            Reason::Approximation(_) => "approximation",
            Reason::Unconfirmed { .. } => "unconfirmed",
        }
    }
}
