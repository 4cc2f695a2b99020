//! A pool of bit sets in which equal sets are kept once: facts about points name a set by its number.

use base::BitSet;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

#[derive(Clone, Debug, Default)]
pub struct SetPool {
    sets: Vec<BitSet>,
    by_hash: FxHashMap<u64, Vec<u32>>,
}

impl SetPool {
    pub fn intern(&mut self, set: &BitSet) -> u32 {
        let mut hasher = FxHasher::default();
        set.iter().for_each(|bit| hasher.write_usize(bit));
        let same_hash = self.by_hash.entry(hasher.finish()).or_default();
        if let Some(found) = same_hash.iter().find(|id| self.sets[**id as usize] == *set) {
            return *found;
        }
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        same_hash.push(id);
        id
    }

    #[inline]
    pub fn get(&self, id: u32) -> &BitSet {
        &self.sets[id as usize]
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }
}
