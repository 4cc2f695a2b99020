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
            Item::StoryStep(step) => {
                let mut object = json!(step);
                object["thread"] = story.name(thread).into();
                object["switch"] = switch.into();
                object
            }
            Item::Elided { text, .. } => json!({ "thread": story.name(thread), "switch": switch, "elided": text }),
        }
    });
    objects.collect()
}

/// The violated assertion, or null.
pub fn violation(story: &Story) -> Value {
    match &story.end {
        End::Violated(failure) => {
            let mut object = json!(failure.at);
            object["check"] = failure.check.name().into();
            object["thread"] = story.name(failure.thread).into();
            object["calls"] = json!(failure.calls);
            object
        }
        End::Diverged(_) => Value::Null,
    }
}
