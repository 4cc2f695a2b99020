//! What the walk along the threads leaves behind: nodes, reads and writes of shared memory, what must hold, what must not.

use super::objects::Objects;
use super::values::Values;
use crate::Refusal;
use base::{Budget, IdVec, Pos};
use facts::Facts;
use ir::interp::Space;
use ir::{BlockId, Program};
use logic::Term;
use passes::{CutKind, ThreadId, Unfolded};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The contents of pieces.
pub type Contents = Rc<FxHashMap<usize, Term>>;

/// An instant of one thread: one instruction, or a whole atomic section.
#[derive(Clone, Copy)]
pub struct Node {
    pub thread: ThreadId,
    /// Nodes of a thread are numbered in the order of its blocks.
    pub index: usize,
    pub block: BlockId,
}

/// A read or a write of a shared piece.
#[derive(Clone, Copy)]
pub struct Event {
    pub node: usize,
    pub piece: usize,
    /// It happens.
    pub guard: Term,
    pub value: Term,
    /// It happens whenever control comes to its node.
    pub sure: bool,
}

/// What happens in a node.
pub struct Group {
    pub node: usize,
    /// One instruction with an address that can be only one.
    pub sure: bool,
    pub cells: BTreeMap<usize, Cell>,
}

/// What a group does to a piece.
pub struct Cell {
    /// What the piece holds when the group begins.
    pub before: Term,
    pub read: Term,
    pub write: Term,
    /// What it holds when the group ends, by the condition that it ends there.
    pub after: Vec<(Term, Term)>,
}

/// The start of a thread.
#[derive(Clone)]
pub struct Start {
    pub node: Option<usize>,
    pub guard: Term,
    pub args: Vec<Term>,
}

/// The end of a thread.
#[derive(Clone, Copy)]
pub struct End {
    /// Implies that the thread has come to its end.
    pub ended: Term,
    pub result: Term,
    pub node: Option<usize>,
}

/// A thread waits for another.
#[derive(Clone, Copy)]
pub struct Join {
    pub node: usize,
    pub target: ThreadId,
    /// It happens, and the target is this one.
    pub guard: Term,
    /// The target cannot be another.
    pub only: bool,
}

/// Something that must be impossible.
pub struct Danger {
    pub when: Term,
    pub kind: DangerKind,
    pub pos: Pos,
}

#[derive(Clone)]
pub enum DangerKind {
    Assertion,
    Cut(CutKind),
    Unsupported(String),
    /// An allocation of more bytes.
    TooLarge(u64),
    /// The facts did not foresee where an access goes.
    Astray,
}

pub struct Encoding<'a> {
    pub unfolded: &'a Unfolded,
    pub facts: &'a Facts,
    pub space: &'a Space,
    pub budget: &'a Budget,
    pub objects: Objects,
    pub values: Values<'a>,
    pub nodes: Vec<Node>,
    pub reads: Vec<Event>,
    pub writes: Vec<Event>,
    pub constraints: Vec<Term>,
    pub dangers: Vec<Danger>,
    pub starts: IdVec<ThreadId, Option<Start>>,
    pub ends: IdVec<ThreadId, End>,
    pub joins: Vec<Join>,
    /// Threads that are detached, and when.
    pub detached: Vec<(ThreadId, Term)>,
    /// What memory holds when the first thread starts another, by the condition that it does so there.
    handed_over: Vec<(Term, Contents)>,
    at_birth: FxHashMap<usize, Term>,
    at_first: FxHashMap<usize, Term>,
}

impl<'a> Encoding<'a> {
    pub fn new(
        unfolded: &'a Unfolded,
        facts: &'a Facts,
        space: &'a Space,
        budget: &'a Budget,
    ) -> Result<Self, Refusal> {
        let objects = Objects::new(unfolded, facts, space)?;
        let mut values = Values::new(&unfolded.program, space);
        let always = values.terms.bool(true);
        let mut starts = IdVec::filled(None, unfolded.threads.len());
        starts[ThreadId::FIRST] = Some(Start { node: None, guard: always, args: Vec::new() });
        let ends = unfolded.threads.ids().map(|thread| End {
            ended: values.terms.variable(1, format!("thread {} has ended", thread.0)),
            result: values.terms.variable(128, format!("result of thread {}", thread.0)),
            node: None,
        });
        let ends = ends.collect();
        Ok(Encoding {
            unfolded,
            facts,
            space,
            budget,
            objects,
            values,
            nodes: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            constraints: Vec::new(),
            dangers: Vec::new(),
            starts,
            ends,
            joins: Vec::new(),
            detached: Vec::new(),
            handed_over: Vec::new(),
            at_birth: FxHashMap::default(),
            at_first: FxHashMap::default(),
        })
    }

    pub fn program(&self) -> &'a Program {
        &self.unfolded.program
    }

    /// `guard` implies `then`.
    pub fn require(&mut self, guard: Term, then: Term) {
        let both = self.values.terms.implies(guard, then);
        self.constraints.push(both);
    }

    pub fn danger(&mut self, when: Term, kind: DangerKind, pos: Pos) {
        if !self.values.terms.is_false(when) {
            self.dangers.push(Danger { when, kind, pos });
        }
    }

    /// The first thread is no longer alone.
    pub fn hand_over(&mut self, guard: Term, memory: Contents) {
        self.handed_over.push((guard, memory));
    }

    /// What a piece holds when its object comes into being.
    pub fn at_birth(&mut self, piece: usize) -> Term {
        if let Some(known) = self.at_birth.get(&piece) {
            return *known;
        }
        let bits = 8 * self.objects.pieces[piece].size as u32;
        let content = match self.objects.initial(piece) {
            Some(bytes) => self.values.terms.constant(bits, bytes),
            None => self.values.terms.variable(bits, "not initialised"),
        };
        self.at_birth.insert(piece, content);
        content
    }

    /// Does the address have the name of an object?
    pub fn is_named(&mut self, address: Term) -> Term {
        let ranges = self.objects.name_ranges(self.space, self.program());
        let (offset_bits, terms) = (self.objects.offset_bits(), &mut self.values.terms);
        let name = terms.extract(address, offset_bits, terms.width(address) - offset_bits);
        let mut named = terms.bool(false);
        for range in ranges {
            let [low, high] = range.map(|end| terms.constant(terms.width(name), u128::from(end)));
            let (above, below) = (terms.ule(low, name), terms.ule(name, high));
            let within = terms.and(above, below);
            named = terms.or(named, within);
        }
        named
    }

    /// What was never written is the address of nothing, so that it is no reason for an access to go astray.
    pub fn garbage_leads_nowhere(&mut self) {
        let pointer_bits = u32::from(self.program().data_model.pointer_bits());
        let terms = &self.values.terms;
        let is_garbage = |term: &Term| !terms.is_constant(*term) && terms.width(*term) == pointer_bits;
        let mut garbage: Vec<Term> = self.at_birth.values().copied().filter(is_garbage).collect();
        garbage.sort_unstable();
        let named: Vec<Term> = garbage.into_iter().map(|content| self.is_named(content)).collect();
        let terms = &mut self.values.terms;
        let any = terms.any(&named);
        for danger in self.dangers.iter_mut().filter(|danger| matches!(danger.kind, DangerKind::Astray)) {
            danger.when = terms.and_not(danger.when, any);
        }
    }

    /// What a piece holds when the first thread starts others.  Only after the walk along the first thread.
    pub fn at_first(&mut self, piece: usize) -> Term {
        if let Some(known) = self.at_first.get(&piece) {
            return *known;
        }
        let born = self.at_birth(piece);
        let held = |memory: &Contents| memory.get(&piece).copied().unwrap_or(born);
        let contents = self.handed_over.iter().rev().map(|(guard, memory)| (*guard, held(memory)));
        let content = self.values.terms.last_of(contents).unwrap_or(born);
        self.at_first.insert(piece, content);
        content
    }

    /// The reads and writes of finished groups.
    pub fn add_groups(&mut self, groups: Vec<Group>) {
        for group in groups {
            for (piece, cell) in group.cells {
                let event = |guard, value| Event { node: group.node, piece, guard, value, sure: group.sure };
                if !self.values.terms.is_false(cell.read) {
                    self.reads.push(event(cell.read, cell.before));
                }
                if !self.values.terms.is_false(cell.write) {
                    let value = self.values.terms.last_of(cell.after.iter().rev().copied());
                    self.writes.push(event(cell.write, value.unwrap_or(cell.before)));
                }
            }
        }
    }
}
