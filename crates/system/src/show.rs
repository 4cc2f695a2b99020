//! A system as text, for people.

use crate::{Edge, System, ThreadId, VarKind};
use std::fmt;

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &|var| self.name(var);
        for (_, data) in self.vars.iter().filter(|(_, data)| data.kind != VarKind::Input) {
            match data.range {
                Some((low, high)) => writeln!(f, "var {} in {low}..{high}", data.name)?,
                None => writeln!(f, "var {}", data.name)?,
            }
        }
        writeln!(f, "initially {}", self.initial.display(names))?;
        for (id, thread) in self.threads.iter() {
            writeln!(f, "thread {} from {}", thread.name, thread.locations[thread.entry].name)?;
            for edge in &thread.edges {
                writeln!(f, "  {}", self.show_edge(id, edge))?;
            }
        }
        Ok(())
    }
}

impl System {
    pub fn show_edge(&self, thread: ThreadId, edge: &Edge) -> String {
        let names = &|var| self.name(var);
        let locations = &self.threads[thread].locations;
        let updates: Vec<String> =
            edge.updates.iter().map(|(var, value)| format!("{} = {}", self.name(*var), value.display(names))).collect();
        format!(
            "{} -> {} when {} do {}",
            locations[edge.from].name,
            locations[edge.to].name,
            edge.guard.display(names),
            if updates.is_empty() { "nothing".to_string() } else { updates.join(", ") }
        )
    }
}
