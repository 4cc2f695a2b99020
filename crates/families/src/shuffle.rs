//! Other names for the threads and another order of creation, so that neither tells who waits for whom.

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
        let mut state = seed;
        let numbers = permuted(natural.clone(), &mut state);
        let creation = permuted(natural, &mut state);
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
fn permuted(mut items: Vec<usize>, state: &mut u64) -> Vec<usize> {
    for last in (1..items.len()).rev() {
        // The remainder is less than the number of threads.
        let other = (next(state) % (last as u64 + 1)) as usize;
        items.swap(last, other);
    }
    items
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same on every machine, which a test file must be.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
