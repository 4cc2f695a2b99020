//! Dense typed ids: an id displays as the text form of a program writes it, and indexes exactly one kind of table.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index with its own type.  Made by [`crate::id!`].
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares an id type: `id!(/// doc; pub struct Block, "b");` displays as `b7`.
#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(pub u32);
        impl $crate::Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A table indexed by an id type; pushing hands out the next id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    pub const fn new() -> Self {
        IdVec { items: Vec::new(), key: PhantomData }
    }
    pub fn from_vec(items: Vec<V>) -> Self {
        IdVec { items, key: PhantomData }
    }
    /// A table with the same value for each of `len` ids.
    pub fn filled(value: V, len: usize) -> Self
    where
        V: Clone,
    {
        IdVec::from_vec(vec![value; len])
    }
    pub fn push(&mut self, value: V) -> K {
        let id = K::new(self.items.len());
        self.items.push(value);
        id
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The id the next `push` will return.
    pub fn next_id(&self) -> K {
        K::new(self.items.len())
    }
    pub fn get(&self, id: K) -> Option<&V> {
        self.items.get(id.index())
    }
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::new)
    }
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> {
        self.items.iter_mut().enumerate().map(|(i, v)| (K::new(i), v))
    }
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }
    pub fn into_values(self) -> std::vec::IntoIter<V> {
        self.items.into_iter()
    }
    /// Takes away all values but the first so many.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }
    /// Keeps some of the values and tells the new ids, which mean nothing for the others.
    pub fn keep(&mut self, keep: &[bool]) -> IdVec<K, K> {
        let mut next = 0;
        let id = |keep: &bool| {
            next += usize::from(*keep);
            K::new(next.saturating_sub(1))
        };
        let ids = keep.iter().map(id).collect();
        let all = std::mem::take(self).into_values();
        *self = all.zip(keep).filter_map(|(value, keep)| keep.then_some(value)).collect();
        ids
    }
    pub fn as_slice(&self) -> &[V] {
        &self.items
    }
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> Self {
        IdVec::new()
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;
    fn index(&self, id: K) -> &V {
        &self.items[id.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.items[id.index()]
    }
}

impl<K: Id, V: fmt::Debug> fmt::Debug for IdVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Id, V> FromIterator<V> for IdVec<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(iter: I) -> Self {
        IdVec::from_vec(iter.into_iter().collect())
    }
}
