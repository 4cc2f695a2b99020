//! The circuit: an and-inverter graph with structural hashing, and three more kinds of gate that clauses express well.
//!
//! Exclusive or, choice and majority would each be three conjunctions.  Kept as gates of their own they become one
//! variable and at most six clauses, and they are recognised where conjunctions amount to them.

use crate::mixed::mixed;
use hashbrown::HashTable;
use std::fmt;
use std::ops::Not;

/// A gate or its complement: what a solver's clauses and assumptions are made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }
    pub(crate) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
    fn of(gate: usize) -> Lit {
        Lit(u32::try_from(gate << 1).expect("fewer than 2^31 gates fit into memory"))
    }
    fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }
    fn complement_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }
    pub(crate) fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}g{}", if self.is_complement() { "!" } else { "" }, self.gate())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Always false.
    Constant,
    Input,
    And,
    Xor,
    /// Condition, then, else.
    Ite,
    Majority,
}

#[derive(Clone, Copy, Debug)]
pub struct Gate {
    pub kind: Kind,
    /// How many gates read this one; does not count beyond 255.
    pub readers: u8,
    /// How many gates are in the list that `first` begins.
    listed: u8,
    pub inputs: [Lit; 3],
    /// A list, linked by `next`, of gates whose newest input is this one; 0 ends it.
    first: u32,
    next: u32,
}

impl Gate {
    fn new(kind: Kind, inputs: [Lit; 3]) -> Self {
        Gate { kind, readers: 0, listed: 0, inputs, first: 0, next: 0 }
    }
}

/// A gate is found again through its newest input, which most often was made a moment ago and is at hand: one table for
/// all of a large circuit would be a miss of every cache for each gate.  What does not fit into the lists is in a table.
pub struct Gates {
    gates: Vec<Gate>,
    table: HashTable<u32>,
}

/// How long a list may get: the condition of a choice can be the newest input of thousands.
const LONGEST: u8 = 12;

impl Default for Gates {
    fn default() -> Self {
        Gates { gates: vec![Gate::new(Kind::Constant, [Lit::FALSE; 3])], table: HashTable::new() }
    }
}

impl Gates {
    pub fn len(&self) -> usize {
        self.gates.len()
    }
    pub fn get(&self, gate: usize) -> Gate {
        self.gates[gate]
    }

    pub fn input(&mut self) -> Lit {
        self.gates.push(Gate::new(Kind::Input, [Lit::FALSE; 3]));
        Lit::of(self.gates.len() - 1)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        let simpler = match (self.conjuncts(a), self.conjuncts(b)) {
            (Some(left), Some(right)) => self.two_conjunctions(a, left, b, right),
            (Some(left), None) => self.conjunction_and(a, left, b),
            (None, Some(right)) => self.conjunction_and(b, right, a),
            (None, None) => None,
        };
        simpler.unwrap_or_else(|| self.intern(Kind::And, [a, b, Lit::FALSE]))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let complement = a.is_complement() != b.is_complement();
        let (a, b) = (a.positive(), b.positive());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Lit::constant(complement);
        }
        if a == Lit::FALSE {
            return b.complement_if(complement);
        }
        for (whole, part) in [(a, b), (b, a)] {
            let gate = self.gates[whole.gate()];
            if gate.kind == Kind::Xor {
                let [x, y, _] = gate.inputs;
                if x == part {
                    return y.complement_if(complement);
                }
                if y == part {
                    return x.complement_if(complement);
                }
            }
        }
        self.intern(Kind::Xor, [a, b, Lit::FALSE]).complement_if(complement)
    }

    pub fn ite(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        if condition.is_complement() {
            return self.ite(!condition, no, yes);
        }
        if yes == no || condition == Lit::TRUE {
            return yes;
        }
        if condition == Lit::FALSE {
            return no;
        }
        if yes == !no {
            return self.xor(condition, no);
        }
        if yes == Lit::TRUE || yes == condition {
            return self.or(condition, no);
        }
        if yes == Lit::FALSE || yes == !condition {
            return self.and(!condition, no);
        }
        if no == Lit::FALSE || no == condition {
            return self.and(condition, yes);
        }
        if no == Lit::TRUE || no == !condition {
            return self.or(!condition, yes);
        }
        if yes.is_complement() {
            return !self.ite(condition, !yes, !no);
        }
        // What is known in an arm.
        if let Some([_, inner, _]) = self.choice_on(yes, condition) {
            return self.ite(condition, inner.complement_if(yes.is_complement()), no);
        }
        if let Some([_, _, inner]) = self.choice_on(no, condition) {
            return self.ite(condition, yes, inner.complement_if(no.is_complement()));
        }
        self.intern(Kind::Ite, [condition, yes, no])
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return if a == !b { c } else { b };
        }
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        // The majority of complements is the complement of the majority.
        if inputs.iter().filter(|input| input.is_complement()).count() >= 2 {
            let mut flipped = inputs.map(|input| !input);
            flipped.sort_unstable();
            return !self.intern(Kind::Majority, flipped);
        }
        self.intern(Kind::Majority, inputs)
    }

    /// The inputs, if it is a conjunction or the complement of one.
    fn conjuncts(&self, lit: Lit) -> Option<[Lit; 2]> {
        let gate = &self.gates[lit.gate()];
        (gate.kind == Kind::And).then_some([gate.inputs[0], gate.inputs[1]])
    }
    fn choice_on(&self, lit: Lit, condition: Lit) -> Option<[Lit; 3]> {
        let gate = &self.gates[lit.gate()];
        (gate.kind == Kind::Ite && gate.inputs[0] == condition).then_some(gate.inputs)
    }

    /// `whole & b` where `whole` is a conjunction of `parts`, or the complement of one.
    fn conjunction_and(&mut self, whole: Lit, parts: [Lit; 2], b: Lit) -> Option<Lit> {
        let [x, y] = parts;
        if !whole.is_complement() {
            if b == x || b == y {
                return Some(whole);
            }
            return (b == !x || b == !y).then_some(Lit::FALSE);
        }
        if b == !x || b == !y {
            return Some(b);
        }
        if b == x {
            return Some(self.and(b, !y));
        }
        if b == y {
            return Some(self.and(b, !x));
        }
        None
    }

    fn two_conjunctions(&mut self, a: Lit, left: [Lit; 2], b: Lit, right: [Lit; 2]) -> Option<Lit> {
        if let Some(result) = self.conjunction_and(a, left, b).or_else(|| self.conjunction_and(b, right, a)) {
            return Some(result);
        }
        let opposite = left.iter().any(|x| right.contains(&!*x));
        match (a.is_complement(), b.is_complement()) {
            (false, false) => opposite.then_some(Lit::FALSE),
            // One of the conjuncts refutes the other conjunction.
            (false, true) => opposite.then_some(a),
            (true, false) => opposite.then_some(b),
            (true, true) => {
                // !(c & x) & !(!c & y) is a choice: if c then !x else !y.
                for (c, x) in [(left[0], left[1]), (left[1], left[0])] {
                    for (d, y) in [(right[0], right[1]), (right[1], right[0])] {
                        if d == !c {
                            return Some(self.ite(c, !x, !y));
                        }
                    }
                }
                None
            }
        }
    }

    fn intern(&mut self, kind: Kind, inputs: [Lit; 3]) -> Lit {
        let newest = inputs.map(Lit::gate).into_iter().fold(0, usize::max);
        let gates = &self.gates;
        let same = |other: u32| gates[other as usize].kind == kind && gates[other as usize].inputs == inputs;
        let mut listed = gates[newest].first;
        while listed != 0 {
            if same(listed) {
                return Lit::of(listed as usize);
            }
            listed = gates[listed as usize].next;
        }
        let lit = Lit::of(self.gates.len());
        let number = lit.gate() as u32;
        let mut gate = Gate::new(kind, inputs);
        if gates[newest].listed < LONGEST {
            gate.next = gates[newest].first;
            self.gates[newest].first = number;
            self.gates[newest].listed += 1;
        } else {
            let found = self.table.entry(
                hash(kind, inputs),
                |&other| same(other),
                |&other| hash(gates[other as usize].kind, gates[other as usize].inputs),
            );
            match found {
                hashbrown::hash_table::Entry::Occupied(entry) => return Lit::of(*entry.get() as usize),
                hashbrown::hash_table::Entry::Vacant(entry) => entry.insert(number),
            };
        }
        self.gates.push(gate);
        for input in inputs {
            let readers = &mut self.gates[input.gate()].readers;
            *readers = readers.saturating_add(1);
        }
        lit
    }
}

fn hash(kind: Kind, inputs: [Lit; 3]) -> u64 {
    let [a, b, c] = inputs.map(|input| u64::from(input.0));
    mixed(a | b << 32, c | (kind as u64) << 32)
}

#[cfg(test)]
#[path = "gates_test.rs"]
mod tests;
