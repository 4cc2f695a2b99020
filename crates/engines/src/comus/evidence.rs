//! What a finished run has to show: the proof.

use super::level::LevelProgram;
use super::search::{Search, Shown};
use base::Id;
use claim::Proof;
use claim::modular::{Ints, Invariants, Modular};
use formula::Formula;
use system::Location;

impl Search<'_> {
    pub fn proof(&mut self, ints: Ints) -> Proof {
        let knowledge = &self.knowledge;
        Proof::Modular(Box::new(Modular {
            ints,
            order: knowledge.order.iter().map(|thread| thread.index()).collect(),
            ranges: knowledge.ranges.as_ref().map(system::ranges::table).unwrap_or_default(),
            lemmas: knowledge.history.clone(),
            main: self.main.take(),
        }))
    }

    /// The checker's invariants as a proof has them.
    pub fn show(&self, built: &LevelProgram, invariants: &checkers::Invariants) -> Shown {
        let space = self.knowledge.space;
        let at = |node: Location| {
            invariants[node].rename(&mut |var| if space.is_start(var) { space.old(space.base(var)) } else { var })
        };
        let before = |node: &(Option<Location>, Location)| node.0.map_or(Formula::True, at);
        Shown {
            invariants: Invariants {
                before: built.places.iter().map(before).collect(),
                during: built.places.iter().map(|node| at(node.1)).collect(),
            },
            judged: at(built.judge),
        }
    }
}
