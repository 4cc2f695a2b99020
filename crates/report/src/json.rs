//! The story as JSON.

use crate::story::{End, Item, Story};
use serde_json::{Value, json};

/// One object per step; what was left out says so.
pub fn steps(story: &Story) -> Value {
    let mut previous = None;
    let objects = story.items.iter().map(|item| {
        let thread = item.thread();
        let switch = previous.is_some_and(|previous| previous != thread);
        previous = Some(thread);
        match item {
            Item::StoryStep(step) => json!({
                "thread": story.name(thread),
                "switch": switch,
                "file": step.file,
                "line": step.line,
                "function": step.function,
                "statement": step.statement,
                "effects": step.effects,
            }),
            Item::Elided { text, .. } => json!({ "thread": story.name(thread), "switch": switch, "elided": text }),
        }
    });
    objects.collect()
}

/// The violated assertion, or null.
pub fn violation(story: &Story) -> Value {
    match &story.end {
        End::Violated(failure) => json!({
            "check": failure.check.name(),
            "thread": story.name(failure.thread),
            "file": failure.file,
            "line": failure.line,
            "column": failure.column,
            "function": failure.function,
            "message": failure.message,
            "calls": failure.calls,
        }),
        End::Diverged(_) => Value::Null,
    }
}
