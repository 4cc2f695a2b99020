//! Other names for the threads and another order of creation, so that neither tells who waits for whom.

use base::Rng;

pub struct Names {
    /// The number that thread `i` of the natural order goes by.
    numbers: Vec<usize>,
    /// The threads of the natural order, as they are defined and created.
    creation: Vec<usize>,
}

impl Names {
    pub fn new(threads: usize, seed: Option<u64>) -> Self {
        let natural: Vec<usize> = (0..threads).collect();
        let Some(seed) = seed else { return Names { numbers: natural.clone(), creation: natural } };
        let mut rng = Rng::new(seed);
        let numbers = permuted(natural.clone(), &mut rng);
        let creation = permuted(natural, &mut rng);
        Names { numbers, creation }
    }

    /// The number of a thread: thread `t3` owns variable `v3`.
    pub fn number(&self, thread: usize) -> usize {
        self.numbers[thread]
    }
    pub fn function(&self, thread: usize) -> String {
        format!("t{}", self.numbers[thread])
    }
    pub fn creation(&self) -> &[usize] {
        &self.creation
    }
}

/// Fisher and Yates.
fn permuted(mut items: Vec<usize>, rng: &mut Rng) -> Vec<usize> {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
    items
}
