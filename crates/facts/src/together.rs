//! Which sites may happen in parallel, and which may race.
//!
//! Two sites are *together* when two different threads may be at them at the same time, by the structure of spawns and joins
//! (`parallel`).  They *overlap* when moreover no common lock is held at both (`locks`): then the two steps may come next to
//! each other in either order.  They *race* when they overlap and conflict: touch a common cell, one of them writing.  Each
//! relation is too large rather than too small.
//!
//! Racing here is about the order of steps, not about data races in C's sense: whether an access is atomic is not looked at.

use crate::{LockId, Locks, Parallel, SiteId, Sites};
use base::{BitSet, Id};

/// The relations, as functions of the facts they are made of.
#[derive(Clone, Copy)]
pub struct Together<'a> {
    pub parallel: &'a Parallel,
    pub sites: &'a Sites,
    pub locks: &'a Locks,
}

impl Together<'_> {
    /// May two different threads be at these sites at the same time?
    pub fn together(self, a: SiteId, b: SiteId) -> bool {
        self.parallel.together(self.sites.all[a].point, self.sites.all[b].point)
    }

    /// The sites that conflict with this one and overlap with it: then no common lock is held at both.
    pub fn races(self, site: SiteId) -> BitSet {
        let mut found = self.sites.conflicts(site);
        found.intersect_with(self.sites.beside(self.parallel, site));
        for lock in self.locks.held(site).iter() {
            found.subtract(&self.locks.holding[LockId::new(lock)]);
        }
        found
    }
}
