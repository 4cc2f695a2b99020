//! A plain growable bit set over dense indices; the currency of the static facts.

/// A set of small integers.  Two sets are equal when they hold the same elements, whatever their capacity.
#[derive(Clone, Default, Debug)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub fn new() -> Self {
        BitSet::default()
    }
    /// Adds `bit`; tells whether it was new.
    pub fn insert(&mut self, bit: usize) -> bool {
        let word = bit / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let mask = 1 << (bit % 64);
        let new = self.words[word] & mask == 0;
        self.words[word] |= mask;
        new
    }
    pub fn remove(&mut self, bit: usize) {
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word &= !(1 << (bit % 64));
        }
    }
    pub fn contains(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }
    /// Adds all of `other`; tells whether anything was new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }
    /// Keeps only what `other` has too; tells whether anything went.
    pub fn intersect_with(&mut self, other: &BitSet) -> bool {
        let mut gone = false;
        for (i, mine) in self.words.iter_mut().enumerate() {
            let theirs = other.words.get(i).copied().unwrap_or(0);
            gone |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        gone
    }
    pub fn subtract(&mut self, other: &BitSet) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
    }
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(mine, theirs)| mine & theirs != 0)
    }
    /// Do the two share an element that is in none of `excluded`?
    pub fn intersects_outside(&self, other: &BitSet, excluded: &[&BitSet]) -> bool {
        self.words.iter().zip(&other.words).enumerate().any(|(i, (mine, theirs))| {
            let both = mine & theirs;
            both != 0 && excluded.iter().fold(both, |rest, set| rest & !set.words.get(i).copied().unwrap_or(0)) != 0
        })
    }
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().enumerate().all(|(i, mine)| mine & !other.words.get(i).copied().unwrap_or(0) == 0)
    }
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
    pub fn clear(&mut self) {
        self.words.clear();
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(i * 64 + bit)
            })
        })
    }
}

impl PartialEq for BitSet {
    fn eq(&self, other: &Self) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }
}

impl Eq for BitSet {}

impl FromIterator<usize> for BitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        let mut set = BitSet::new();
        for bit in iter {
            set.insert(bit);
        }
        set
    }
}
