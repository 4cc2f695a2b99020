//! A system as text, for people.

use crate::{Edge, System, ThreadId};
use formula::{Linear, Var};
use std::fmt;

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &|var| self.name(var);
        for (_, data) in self.vars.iter() {
            match data.range.ends() {
                Some((low, high)) => writeln!(f, "var {} in {low}..{high}", data.name)?,
                None => writeln!(f, "var {}", data.name)?,
            }
        }
        writeln!(f, "initially {}", self.initial.display(names))?;
        for (id, thread) in self.threads.iter() {
            writeln!(f, "thread {} from {}", thread.name, thread.graph.locations[thread.graph.entry].name)?;
            for edge in &thread.graph.edges {
                writeln!(f, "  {}", self.show_edge(id, edge))?;
            }
        }
        Ok(())
    }
}

impl System {
    pub fn show_edge(&self, thread: ThreadId, edge: &Edge) -> String {
        let names = &|var| self.name_in_step(&edge.step, var);
        let locations = &self.threads[thread].graph.locations;
        let update = |(var, value): &(Var, Linear)| format!("{} = {}", self.name(*var), value.display(names));
        let updates: Vec<String> = edge.step.updates.iter().map(update).collect();
        format!(
            "{} -> {} when {} do {}",
            locations[edge.from].name,
            locations[edge.to].name,
            edge.step.guard.display(names),
            if updates.is_empty() { "nothing".to_string() } else { updates.join(", ") }
        )
    }
}
