//! Random numbers that are the same everywhere and for ever: splitmix64.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// The stream of the `index`-th case of a run: any case can be made again without those before it.
    pub fn of_case(seed: u64, index: u64) -> Self {
        let mut rng = Rng::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
        rng.next();
        rng
    }

    #[expect(clippy::should_implement_trait, reason = "a stream without an end is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, or 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    /// A number of the range, both ends included.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// A number of the range, both ends included.
    pub fn number(&mut self, low: i128, high: i128) -> i128 {
        low + self.below((high - low + 1) as usize) as i128
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// True in one of `count` cases.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of the items, of which there must be some.
    pub fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// One of the indices, by weight.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        let mut end = 0;
        let chosen = self.below(total as usize) as u32;
        let reaches = |weight: &u32| {
            end += weight;
            chosen < end
        };
        weights.iter().position(reaches).unwrap_or(0)
    }
}
