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

/// A term seen from outside: the operation and its operands.  Operands were always made before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Constant(u128),
    Variable,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Op {
    Constant,
    Variable,
    Not,
    Neg,
    And,
    Xor,
    Add,
    Mul,
    Udiv,
    Urem,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ult,
    Slt,
    Ite,
    Concat,
    Extract,
    Sext,
}

/// A node as it is kept, in 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub op: Op,
    pub width: u8,
    /// The low bit of an extraction; 1 for an `Ite` whose leaves are all constants; 1 for a constant that is kept in the
    /// table of wide ones.
    pub extra: u16,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// The pool of terms.
pub struct Terms {
    nodes: Vec<Stored>,
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
        let (extra, low, high) = if value >> 64 == 0 {
            (0, value as u32, (value >> 32) as u32)
        } else {
            let next = self.wide.len() as u32;
            let number = *self.wide_numbers.entry(value).or_insert(next);
            if number == next {
                self.wide.push(value);
            }
            (1, number, 0)
        };
        self.intern(Stored { op: Op::Constant, width: width as u8, extra, a: low, b: high, c: 0 })
    }
    pub fn bool(&self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }
    /// A new variable, equal to no other even if the name is.
    pub fn variable(&mut self, width: u32, name: impl Into<String>) -> Term {
        assert!((1..=128).contains(&width), "a bit-vector of {width} bits");
        let number = new_number(self.nodes.len());
        // Not in the table: nothing else may turn out to be this variable.
        let a = self.names.len() as u32;
        self.nodes.push(Stored { op: Op::Variable, width: width as u8, extra: 0, a, b: 0, c: 0 });
        self.names.push(name.into());
        Term(number)
    }
    /// What a variable was called.
    pub fn name(&self, variable: Term) -> Option<&str> {
        let node = self.stored(variable);
        (node.op == Op::Variable).then(|| self.names[node.a as usize].as_str())
    }

    pub fn width(&self, t: Term) -> u32 {
        u32::from(self.stored(t).width)
    }
    pub fn as_constant(&self, t: Term) -> Option<u128> {
        let node = self.stored(t);
        (node.op == Op::Constant).then(|| self.constant_value(&node))
    }
    pub fn is_constant(&self, t: Term) -> bool {
        self.stored(t).op == Op::Constant
    }
    pub fn is_true(&self, t: Term) -> bool {
        t == TRUE
    }
    pub fn is_false(&self, t: Term) -> bool {
        t == FALSE
    }

    /// The operation and the operands.
    pub fn view(&self, t: Term) -> Node {
        let node = self.stored(t);
        let (a, b, c) = (Term(node.a), Term(node.b), Term(node.c));
        match node.op {
            Op::Constant => Node::Constant(self.constant_value(&node)),
            Op::Variable => Node::Variable,
            Op::Not => Node::Not(a),
            Op::Neg => Node::Neg(a),
            Op::And => Node::And(a, b),
            Op::Xor => Node::Xor(a, b),
            Op::Add => Node::Add(a, b),
            Op::Mul => Node::Mul(a, b),
            Op::Udiv => Node::Udiv(a, b),
            Op::Urem => Node::Urem(a, b),
            Op::Shl => Node::Shl(a, b),
            Op::Lshr => Node::Lshr(a, b),
            Op::Ashr => Node::Ashr(a, b),
            Op::Eq => Node::Eq(a, b),
            Op::Ult => Node::Ult(a, b),
            Op::Slt => Node::Slt(a, b),
            Op::Ite => Node::Ite(a, b, c),
            Op::Concat => Node::Concat(a, b),
            Op::Extract => Node::Extract { of: a, low: u32::from(node.extra) },
            Op::Sext => Node::Sext(a),
        }
    }

    /// The constants that a term is a choice of, ascending; `None` if it is something else, or has more than `most` parts.
    pub fn leaves(&self, t: Term, most: usize) -> Option<Vec<u128>> {
        let (mut found, mut work, mut seen) = (Vec::new(), vec![t], FxHashSet::from_iter([t]));
        while let Some(t) = work.pop() {
            match self.view(t) {
                Node::Constant(value) => found.push(value),
                Node::Ite(_, yes, no) => work.extend([yes, no].into_iter().filter(|side| seen.insert(*side))),
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
        let node = self.stored(t);
        let count = match node.op {
            Op::Constant | Op::Variable => 0,
            Op::Not | Op::Neg | Op::Extract | Op::Sext => 1,
            Op::And | Op::Xor | Op::Add | Op::Mul | Op::Udiv | Op::Urem | Op::Shl | Op::Lshr | Op::Ashr => 2,
            Op::Eq | Op::Ult | Op::Slt | Op::Concat => 2,
            Op::Ite => 3,
        };
        [node.a, node.b, node.c].into_iter().take(count).map(Term)
    }

    pub(crate) fn stored(&self, t: Term) -> Stored {
        self.nodes[t.index()]
    }
    pub(crate) fn op(&self, t: Term) -> Op {
        self.stored(t).op
    }

    /// A node with up to two operands and nothing else to it.
    pub(crate) fn node(&mut self, op: Op, width: u32, a: Term, b: Term) -> Term {
        self.intern(Stored { op, width: width as u8, extra: 0, a: a.0, b: b.0, c: 0 })
    }

    pub(crate) fn intern(&mut self, node: Stored) -> Term {
        let nodes = &self.nodes;
        let found = self.table.entry(
            hash(&node),
            |&other| nodes[other as usize] == node,
            |&other| hash(&nodes[other as usize]),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(entry) => Term(*entry.get()),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let number = new_number(self.nodes.len());
                entry.insert(number);
                self.bits += u64::from(node.width);
                self.nodes.push(node);
                Term(number)
            }
        }
    }

    fn constant_value(&self, node: &Stored) -> u128 {
        if node.extra == 0 { u128::from(node.a) | u128::from(node.b) << 32 } else { self.wide[node.a as usize] }
    }
}

fn new_number(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 terms fit into memory")
}

fn hash(node: &Stored) -> u64 {
    let head = (node.op as u64) | u64::from(node.width) << 8 | u64::from(node.extra) << 16 | u64::from(node.a) << 32;
    mixed(head, u64::from(node.b) | u64::from(node.c) << 32)
}
