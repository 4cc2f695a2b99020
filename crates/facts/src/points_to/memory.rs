//! The contents of memory, as the solver keeps them: per region a list of slots, one for each way it was stored to.

use super::target::{ANY, Offsets, Target, Targets};
use crate::RegionId;
use base::IdVec;

/// What was stored with `size` bytes at `offsets`.
#[derive(Clone, Debug)]
struct Slot {
    offsets: Offsets,
    size: u64,
    content: Targets,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    slots: Vec<Slot>,
    /// There were too many: now there is one, of any offset.
    collapsed: bool,
}

/// Regions with more slots than this get one slot for everything.
const MOST_SLOTS: usize = 200;
/// More targets than this, stored to an unknown place, count as all.
const MOST_ANYWHERE: usize = 32;

#[derive(Clone, Default, Debug)]
pub struct Memory {
    regions: IdVec<RegionId, Contents>,
    /// What was stored to an unknown place: every load may find it.
    pub anywhere: Targets,
    /// Everything that was ever stored anywhere, for loads from an unknown place.
    pub everything: Targets,
}

impl Memory {
    pub fn new(regions: usize) -> Self {
        Memory { regions: IdVec::filled(Contents::default(), regions), ..Memory::default() }
    }

    /// Tells whether the content changed.
    pub fn store(&mut self, to: &Target, size: u64, value: &Targets) -> bool {
        let (contents, offsets) = (&mut self.regions[to.region], to.offsets);
        if contents.slots.len() == MOST_SLOTS {
            let mut all = value.blurred();
            contents.slots.iter().for_each(|slot| _ = all.join(&slot.content.blurred()));
            contents.slots = vec![Slot { offsets: ANY, size: 1, content: all }];
            contents.collapsed = true;
            return true;
        }
        if contents.collapsed {
            return contents.slots[0].content.join(&value.blurred());
        }
        match contents.slots.iter_mut().find(|slot| slot.offsets == offsets && slot.size == size) {
            Some(slot) => slot.content.join(value),
            None => {
                contents.slots.push(Slot { offsets, size, content: value.clone() });
                true
            }
        }
    }

    /// Adds to `into` what a load may find; `written` if it surely finds something that was given a value.
    pub fn load(&self, from: &Target, size: u64, written: bool, into: &mut Targets) {
        for slot in &self.regions[from.region].slots {
            if !slot.offsets.overlaps(slot.size, from.offsets, size) {
                continue;
            }
            if slot.size == size && slot.offsets.aligned_with(from.offsets, size) {
                into.join(&slot.content);
            } else {
                // Pieces of several stores, or a piece of one.  A piece of a number that may be any is such a number.
                let mut pieces = slot.content.blurred();
                pieces.number = true;
                into.join(&pieces);
            }
        }
        into.zero = true;
        into.number |= !written;
    }

    /// Notes a store to an unknown place; tells whether that is news.
    pub fn store_anywhere(&mut self, value: &Targets) -> bool {
        let changed = self.anywhere.join(&value.blurred());
        if self.anywhere.len() > MOST_ANYWHERE {
            // Every load has to take them all: listing many costs more than it tells.
            self.anywhere.give_up();
        }
        changed
    }

    /// What the bytes of the region may hold.
    pub fn held(&self, region: RegionId) -> impl Iterator<Item = &Targets> + '_ {
        self.regions[region].slots.iter().map(|slot| &slot.content).chain([&self.anywhere])
    }
}
