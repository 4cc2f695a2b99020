//! Hash-consed terms over bit-vectors: one pool, a term is an index into it.
//!
//! A term is made once: two terms with the same meaning by the rules of `build` have the same id, so that comparing
//! them costs one instruction and whatever walks them can remember what it has seen in a table.  Few operations are
//! kept: the rest is expressed by them when a term is made (`a | b` is `!(!a & !b)`, `a <= b` is `!(b < a)`, zero
//! extension is concatenation, shifts by constants are extraction and concatenation, signed division is unsigned division
//! of absolute values).  The fewer forms there are, the more often two terms that mean the same are the same.

use crate::meaning::mask;
use crate::mixed::mixed;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A term of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Dense: terms of a pool are numbered from 0 in the order of their making.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// An operation with its operands, which were always made before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant of at most 64 bits, the low half first; [`Terms::as_constant`] reads it.
    Constant(u32, u32),
    /// One that needs more, by its number.
    WideConstant(u32),
    /// By number: no two are equal.
    Variable(u32),
    Not(Term),
    Neg(Term),
    And(Term, Term),
    Xor(Term, Term),
    Add(Term, Term),
    Mul(Term, Term),
    /// All ones if the divisor is zero.
    Udiv(Term, Term),
    /// The dividend if the divisor is zero.
    Urem(Term, Term),
    /// The amount of a shift is as wide as amounts below the shifted width need, and counts modulo that width.
    Shl(Term, Term),
    Lshr(Term, Term),
    Ashr(Term, Term),
    Eq(Term, Term),
    Ult(Term, Term),
    Slt(Term, Term),
    Ite(Term, Term, Term),
    /// High part, low part.
    Concat(Term, Term),
    Extract {
        of: Term,
        low: u32,
    },
    Sext(Term),
}

/// What is known of a node beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct About {
    width: u8,
    /// It is a constant, or a choice between such.
    constant_leaves: bool,
}

/// The pool of terms.
pub struct Terms {
    nodes: Vec<Node>,
    about: Vec<About>,
    /// All but the variables: nothing else may turn out to be one of them.
    table: HashTable<u32>,
    /// Constants that need more than 64 bits, with their numbers.
    wide: Vec<u128>,
    wide_numbers: FxHashMap<u128, u32>,
    names: Vec<String>,
    /// Equalities with constants that were pushed into an `Ite`, so that a shared one is pushed once.
    pub(crate) pushed: FxHashMap<(Term, Term), Term>,
    /// How many rewrites are under way inside each other; see `build`.
    pub(crate) depth: u32,
    /// The widths of all terms together.
    bits: u64,
}

const FALSE: Term = Term(0);
const TRUE: Term = Term(1);

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            about: Vec::new(),
            table: HashTable::new(),
            wide: Vec::new(),
            wide_numbers: FxHashMap::default(),
            names: Vec::new(),
            pushed: FxHashMap::default(),
            depth: 0,
            bits: 0,
        };
        let constants = (terms.constant(1, 0), terms.constant(1, 1));
        assert_eq!(constants, (FALSE, TRUE));
        terms
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// How many bits they have together: about as many gates and, were all asked for, as much memory it takes to solve them.
    pub fn bits(&self) -> u64 {
        self.bits
    }
    /// Never: the two truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value is cut to the width.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=128).contains(&width), "a bit-vector of {width} bits");
        let value = mask(value, width);
        if value >> 64 == 0 {
            return self.node(width, Node::Constant(value as u32, (value >> 32) as u32));
        }
        let next = self.wide.len() as u32;
        let number = *self.wide_numbers.entry(value).or_insert(next);
        if number == next {
            self.wide.push(value);
        }
        self.node(width, Node::WideConstant(number))
    }
    pub fn bool(&self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }
    /// A new variable, equal to no other even if the name is.
    pub fn variable(&mut self, width: u32, name: impl Into<String>) -> Term {
        assert!((1..=128).contains(&width), "a bit-vector of {width} bits");
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.push(width, Node::Variable(number))
    }
    /// What a variable was called.
    pub fn name(&self, variable: Term) -> Option<&str> {
        match self.view(variable) {
            Node::Variable(number) => Some(&self.names[number as usize]),
            _ => None,
        }
    }

    pub fn width(&self, t: Term) -> u32 {
        u32::from(self.about[t.index()].width)
    }
    pub fn as_constant(&self, t: Term) -> Option<u128> {
        match self.view(t) {
            Node::Constant(low, high) => Some(u128::from(low) | u128::from(high) << 32),
            Node::WideConstant(number) => Some(self.wide[number as usize]),
            _ => None,
        }
    }
    pub fn is_constant(&self, t: Term) -> bool {
        matches!(self.view(t), Node::Constant(..) | Node::WideConstant(_))
    }
    /// Is it a constant, or a choice between such?
    pub(crate) fn constant_leaves(&self, t: Term) -> bool {
        self.about[t.index()].constant_leaves
    }
    pub fn is_true(&self, t: Term) -> bool {
        t == TRUE
    }
    pub fn is_false(&self, t: Term) -> bool {
        t == FALSE
    }

    pub fn view(&self, t: Term) -> Node {
        self.nodes[t.index()]
    }

    /// The constants that a term is a choice of, ascending; `None` if it is something else, or has more than `most` parts.
    pub fn leaves(&self, t: Term, most: usize) -> Option<Vec<u128>> {
        let (mut found, mut work, mut seen) = (Vec::new(), vec![t], FxHashSet::from_iter([t]));
        while let Some(t) = work.pop() {
            match (self.as_constant(t), self.view(t)) {
                (Some(value), _) => found.push(value),
                (None, Node::Ite(_, yes, no)) => work.extend([yes, no].into_iter().filter(|side| seen.insert(*side))),
                _ => return None,
            }
            if seen.len() > most {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The operands, for walks that do not care for the operation.
    pub fn operands(&self, t: Term) -> impl Iterator<Item = Term> + use<> {
        use Node::*;
        let operands = match self.view(t) {
            Constant(..) | WideConstant(_) | Variable(_) => [None; 3],
            Not(a) | Neg(a) | Extract { of: a, .. } | Sext(a) => [Some(a), None, None],
            And(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Mul(a, b)
            | Udiv(a, b)
            | Urem(a, b)
            | Shl(a, b)
            | Lshr(a, b)
            | Ashr(a, b)
            | Eq(a, b)
            | Ult(a, b)
            | Slt(a, b)
            | Concat(a, b) => [Some(a), Some(b), None],
            Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The term that a node is, made if there is none yet.
    pub(crate) fn node(&mut self, width: u32, node: Node) -> Term {
        let (nodes, about) = (&self.nodes, &self.about);
        let hash = |node: &Node, width: u8| {
            let mut key = Key(u128::from(width));
            node.hash(&mut key);
            key.finish()
        };
        let found = self.table.entry(
            hash(&node, width as u8),
            |&other| nodes[other as usize] == node && about[other as usize].width == width as u8,
            |&other| hash(&nodes[other as usize], about[other as usize].width),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(entry) => Term(*entry.get()),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                entry.insert(new_number(nodes.len()));
                self.bits += u64::from(width);
                self.push(width, node)
            }
        }
    }

    fn push(&mut self, width: u32, node: Node) -> Term {
        let term = Term(new_number(self.nodes.len()));
        let constant_leaves = match node {
            Node::Constant(..) | Node::WideConstant(_) => true,
            Node::Ite(_, yes, no) => self.constant_leaves(yes) && self.constant_leaves(no),
            _ => false,
        };
        self.nodes.push(node);
        self.about.push(About { width: width as u8, constant_leaves });
        term
    }
}

fn new_number(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 terms fit into memory")
}

/// All of a node and its width fits into two words, which are mixed once.
struct Key(u128);

impl Hasher for Key {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u128::from(*byte));
    }
    fn write_u32(&mut self, number: u32) {
        self.0 = self.0 << 32 | u128::from(number);
    }
    /// Which kind of node it is.
    fn write_isize(&mut self, kind: isize) {
        self.0 = self.0 << 8 | kind as u128;
    }
    fn finish(&self) -> u64 {
        mixed(self.0 as u64, (self.0 >> 64) as u64)
    }
}
