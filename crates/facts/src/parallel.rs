//! Which places of the program may be reached by two threads at the same time, from the structure of threads alone.
//!
//! Two places are together when they belong to roots whose threads may be different ones.

use crate::cfg::Point;
use crate::threads::Threads;
use base::{BitSet, Id, IdVec};
use ir::FuncId;
use rustc_hash::FxHashMap;

/// Places fall into classes; the relation is kept between classes.
#[derive(Clone, Debug)]
pub struct Parallel {
    of_function: IdVec<FuncId, u32>,
    together: Vec<BitSet>,
    /// There is only the first thread.
    sequential: bool,
}

impl Parallel {
    pub fn compute(threads: &Threads) -> Self {
        let mut classes: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
        let mut roots_of_class: Vec<Vec<usize>> = Vec::new();
        let mut of_function = IdVec::new();
        for roots in threads.roots_of.values() {
            let roots: Vec<usize> = roots.iter().collect();
            let next = classes.len() as u32;
            let class = *classes.entry(roots.clone()).or_insert(next);
            if class == next {
                roots_of_class.push(roots);
            }
            of_function.push(class);
        }
        let distinct =
            |a: &usize, b: &usize| threads.distinct(crate::threads::RootId::new(*a), crate::threads::RootId::new(*b));
        let together = roots_of_class
            .iter()
            .map(|mine| {
                let others = roots_of_class.iter().enumerate();
                others
                    .filter(|(_, theirs)| mine.iter().any(|a| theirs.iter().any(|b| distinct(a, b))))
                    .map(|(i, _)| i)
                    .collect()
            })
            .collect();
        Parallel { of_function, together, sequential: threads.roots.len() == 1 }
    }

    pub fn class_of(&self, point: Point) -> u32 {
        self.of_function[point.func]
    }

    pub fn classes_together(&self, a: u32, b: u32) -> bool {
        self.together[a as usize].contains(b as usize)
    }

    /// May two different threads be at these two places at the same time?
    pub fn together(&self, a: Point, b: Point) -> bool {
        self.classes_together(self.class_of(a), self.class_of(b))
    }

    /// Is a thread at this place surely the only one?
    pub fn alone(&self, _point: Point) -> bool {
        self.sequential
    }
}
