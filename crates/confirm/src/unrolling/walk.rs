//! The walk along one thread, block by block, with registers and memory as terms.
//!
//! A guard says that control is here.  A thread goes on until it must stop: before a lock that is not free, an assumption that
//! fails, an error.  Where it may have to wait, whether it goes on is a free choice that implies that it can.

use super::encoding::{Contents, DangerKind, Encoding, Group, Node};
use super::objects::{alone_at_start, place};
use super::values::{Scope, Value};
use crate::SPENT;
use base::graph::dominates;
use base::{Id, IdVec, Pos};
use facts::Point;
use ir::{BlockId, Expr, Function, Reg, Term as End, Ty};
use logic::{Node as Shape, Term};
use passes::ThreadId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where control is, and what it brings along.
#[derive(Clone)]
pub struct State {
    pub guard: Term,
    pub registers: FxHashMap<Reg, Term>,
    /// Pieces that no other thread can touch.
    pub memory: Contents,
    pub alone: bool,
    pub section: Option<Section>,
}

/// The instant that is under way.
#[derive(Clone)]
pub struct Section {
    pub group: usize,
    /// Of atomic sections; 0 for a single instruction.
    pub depth: u32,
    /// What the instant has written so far.
    pub contents: Contents,
}

pub struct Walk<'e, 'a> {
    pub encoding: &'e mut Encoding<'a>,
    pub thread: ThreadId,
    pub function: &'a Function,
    pub state: State,
    pub groups: Vec<Group>,
    nodes: usize,
    /// By block, the states that come in.
    incoming: Vec<Vec<State>>,
    block: BlockId,
    /// Where the thread ends, the condition that it does, and its result.
    ends: Vec<(BlockId, Term, Term)>,
}

/// Walks along a thread; the one that starts it must have been walked along before.
pub fn walk(encoding: &mut Encoding<'_>, thread: ThreadId) -> Result<(), String> {
    let function = &encoding.program().functions[encoding.unfolded.threads[thread].func];
    let Some(start) = encoding.starts[thread].clone() else {
        let never = encoding.values.terms.bool(false);
        encoding.require(encoding.ends[thread].ended, never);
        return Ok(());
    };
    let mut registers = FxHashMap::default();
    for (reg, arg) in function.params.iter().zip(start.args) {
        let bits = encoding.values.bits(function.ty(*reg));
        registers.insert(*reg, encoding.values.terms.resize(arg, bits));
    }
    let state = State {
        guard: start.guard,
        registers,
        memory: Contents::default(),
        alone: thread == ThreadId::FIRST,
        section: None,
    };
    let mut incoming = vec![Vec::new(); function.blocks.len()];
    incoming[Function::ENTRY.index()].push(state.clone());
    let mut walk = Walk {
        encoding,
        thread,
        function,
        state,
        groups: Vec::new(),
        nodes: 0,
        incoming,
        block: Function::ENTRY,
        ends: Vec::new(),
    };
    walk.run()
}

impl<'a> Walk<'_, 'a> {
    fn run(&mut self) -> Result<(), String> {
        let func = self.encoding.unfolded.threads[self.thread].func;
        let alone = alone_at_start(self.encoding.unfolded, self.thread);
        let cuts = self.encoding.unfolded.cuts.iter().filter(|cut| cut.func == func);
        let cuts: FxHashMap<BlockId, _> = cuts.map(|cut| (cut.block, (cut.kind, cut.pos))).collect();
        let function = self.function;
        for (block, data) in function.blocks.iter() {
            self.encoding.budget.check().map_err(|_| SPENT)?;
            let states = std::mem::take(&mut self.incoming[block.index()]);
            if states.is_empty() {
                continue;
            }
            self.block = block;
            self.join(states, alone[block], data.term_pos)?;
            if let Some((kind, pos)) = cuts.get(&block) {
                self.encoding.danger(self.state.guard, DangerKind::Cut(*kind), *pos);
                continue;
            }
            for (i, inst) in data.insts.iter().enumerate() {
                self.instruction(Point::new(func, block, i), inst)?;
            }
            self.terminator(&data.term, data.term_pos)?;
        }
        self.finish();
        Ok(())
    }

    /// Control comes from several places.
    fn join(&mut self, states: Vec<State>, alone: bool, pos: Pos) -> Result<(), String> {
        let func = self.encoding.unfolded.threads[self.thread].func;
        for state in states.iter().filter(|state| state.alone && !alone) {
            self.encoding.hand_over(state.guard, state.memory.clone());
        }
        let mut states = states.into_iter();
        let Some(mut all) = states.next() else { return Ok(()) };
        all.alone = alone;
        for state in states {
            all.section = match (all.section.take(), &state.section) {
                (None, None) => None,
                (Some(mine), Some(other)) if mine.group == other.group && mine.depth == other.depth => {
                    let contents = self.merge(&mine.contents, &other.contents, state.guard, |walk, piece| {
                        walk.cell(mine.group, piece).before
                    });
                    Some(Section { contents, ..mine })
                }
                _ => {
                    let at = place(self.encoding.program(), pos);
                    return Err(format!("before {at} an atomic section begins or ends in several places"));
                }
            };
            all.memory = self.merge(&all.memory, &state.memory, state.guard, Self::before_the_thread);
            let live = self.encoding.facts.liveness.at_block(func, self.block);
            for reg in live.iter().map(Reg::new) {
                let zero = self.encoding.values.number(self.function.ty(reg), 0);
                let mine = all.registers.get(&reg).copied().unwrap_or(zero);
                let other = state.registers.get(&reg).copied().unwrap_or(zero);
                let both = self.encoding.values.terms.ite(state.guard, other, mine);
                all.registers.insert(reg, both);
            }
            all.guard = self.either(all.guard, state.guard);
        }
        self.state = all;
        Ok(())
    }

    fn merge(
        &mut self,
        mine: &Contents,
        other: &Contents,
        guard: Term,
        mut absent: impl FnMut(&mut Self, usize) -> Term,
    ) -> Contents {
        if Rc::ptr_eq(mine, other) {
            return mine.clone();
        }
        let pieces: BTreeSet<usize> = mine.keys().chain(other.keys()).copied().collect();
        let mut res = FxHashMap::default();
        for piece in pieces {
            let [mine, other] =
                [mine, other].map(|contents| contents.get(&piece).copied().unwrap_or_else(|| absent(self, piece)));
            res.insert(piece, self.encoding.values.terms.ite(guard, other, mine));
        }
        Rc::new(res)
    }

    /// One of two guards, where the two sides of a branch come together again.
    fn either(&mut self, a: Term, b: Term) -> Term {
        let terms = &mut self.encoding.values.terms;
        if let (Shape::And(a1, a2), Shape::And(b1, b2)) = (terms.view(a), terms.view(b)) {
            for (common, x) in [(a1, a2), (a2, a1)] {
                for (also, y) in [(b1, b2), (b2, b1)] {
                    if common == also && terms.not(x) == y {
                        return common;
                    }
                }
            }
        }
        terms.or(a, b)
    }

    /// In the thread's next steps the condition holds: else it takes none, or has not begun the section it is in, unless the
    /// step does what must be shown impossible.
    pub fn stop_unless(&mut self, cond: Term, danger: Term) {
        if self.in_section() {
            let either = self.encoding.values.terms.or(cond, danger);
            self.encoding.require(self.state.guard, either);
        }
        self.state.guard = self.encoding.values.terms.and(self.state.guard, cond);
    }

    pub(super) fn stop_if(&mut self, cond: Term) {
        let terms = &mut self.encoding.values.terms;
        let (not, never) = (terms.not(cond), terms.bool(false));
        self.stop_unless(not, never);
    }

    pub(super) fn in_section(&self) -> bool {
        self.state.section.as_ref().is_some_and(|section| section.depth > 0)
    }

    /// The thread may take the next step or not.
    pub(super) fn choose(&mut self) {
        let goes_on = self.encoding.values.terms.variable(1, "goes on");
        self.state.guard = self.encoding.values.terms.and(self.state.guard, goes_on);
    }

    pub(super) fn read(&mut self, expr: &Expr, old: Option<(Ty, Term)>) -> Value {
        let scope = Scope {
            function: self.function,
            registers: &self.state.registers,
            thread: self.thread,
            objects: &self.encoding.objects,
            old,
        };
        self.encoding.values.read(&scope, expr)
    }

    /// The value of an expression; the thread stops where it has none.
    pub(super) fn eval(&mut self, expr: &Expr) -> Term {
        let value = self.read(expr, None);
        self.stop_if(value.fault);
        value.term
    }

    pub(super) fn set_register(&mut self, reg: Reg, value: Term) {
        let bits = self.encoding.values.bits(self.function.ty(reg));
        let value = self.encoding.values.terms.resize(value, bits);
        self.state.registers.insert(reg, value);
    }

    fn new_node(&mut self) -> usize {
        self.encoding.nodes.push(Node { thread: self.thread, index: self.nodes, block: self.block });
        self.nodes += 1;
        self.encoding.nodes.len() - 1
    }

    /// Begins an instant, unless one is under way.
    pub(super) fn begin(&mut self, depth: u32, sure: bool) {
        if let Some(section) = &mut self.state.section {
            section.depth += depth;
            return;
        }
        let node = self.new_node();
        self.groups.push(Group { node, sure, cells: Default::default() });
        self.state.section = Some(Section { group: self.groups.len() - 1, depth, contents: Contents::default() });
    }

    /// Ends the instant, unless it is a section that goes on.
    pub(super) fn end(&mut self, depth: u32) {
        let Some(section) = &mut self.state.section else { return };
        section.depth = section.depth.saturating_sub(depth);
        if section.depth > 0 {
            return;
        }
        let (group, contents) = (section.group, section.contents.clone());
        self.state.section = None;
        for (piece, content) in contents.iter() {
            let guard = self.state.guard;
            self.cell(group, *piece).after.push((guard, *content));
        }
    }

    pub(super) fn current_node(&self) -> usize {
        self.state.section.as_ref().map_or(0, |section| self.groups[section.group].node)
    }

    fn terminator(&mut self, term: &End, pos: Pos) -> Result<(), String> {
        match term {
            End::Jump(to) => {
                let yes = self.encoding.values.terms.bool(true);
                self.go(*to, yes, pos)
            }
            End::Branch { cond, then, other } => {
                let cond = self.eval(cond);
                self.go(*then, cond, pos)?;
                let not = self.encoding.values.terms.not(cond);
                self.go(*other, not, pos)
            }
            End::Switch { value, cases, default } => {
                let value = self.eval(value);
                let mut none = self.encoding.values.terms.bool(true);
                for (case, to) in cases {
                    let is = self.encoding.values.terms.is(value, *case);
                    let first = self.encoding.values.terms.and(none, is);
                    self.go(*to, first, pos)?;
                    none = self.encoding.values.terms.and_not(none, is);
                }
                self.go(*default, none, pos)
            }
            // The end of the program: nothing that matters comes after.
            End::Return(_) if self.thread == ThreadId::FIRST => {
                self.never_within();
                Ok(())
            }
            End::Return(value) | End::ExitThread(value) => {
                let value = match value {
                    Some(value) => self.eval(value),
                    None => self.encoding.values.terms.bool(false),
                };
                let result = self.encoding.values.terms.resize(value, 128);
                let depth = self.state.section.as_ref().map_or(0, |section| section.depth);
                self.end(depth);
                self.ends.push((self.block, self.state.guard, result));
                Ok(())
            }
            End::Halt | End::Unreachable => {
                self.never_within();
                Ok(())
            }
        }
    }

    /// A section that comes here is not begun.
    fn never_within(&mut self) {
        let always = self.encoding.values.terms.bool(true);
        self.stop_if(always);
    }

    fn go(&mut self, to: BlockId, cond: Term, pos: Pos) -> Result<(), String> {
        if to <= self.block {
            return Err(format!("a loop that is not unfolded at {}", place(self.encoding.program(), pos)));
        }
        let mut state = self.state.clone();
        state.guard = self.encoding.values.terms.and(state.guard, cond);
        if self.encoding.values.terms.is_false(state.guard) {
            return Ok(());
        }
        let func = self.encoding.unfolded.threads[self.thread].func;
        let live = self.encoding.facts.liveness.at_block(func, to);
        state.registers.retain(|reg, _| live.contains(reg.index()));
        self.incoming[to.index()].push(state);
        Ok(())
    }

    fn finish(&mut self) {
        // The end comes after what is on every way to it.
        let dominators = self.encoding.facts.cfgs[self.encoding.unfolded.threads[self.thread].func].dominators();
        let blocks = self.ends.iter().map(|(block, ..)| *block);
        self.block = blocks.reduce(|a, b| common(&dominators, a, b)).unwrap_or(Function::ENTRY);
        let node = self.new_node();
        let end = &mut self.encoding.ends[self.thread];
        end.node = Some(node);
        let end = *end;
        let mut ended = self.encoding.values.terms.bool(false);
        for (_, guard, result) in std::mem::take(&mut self.ends) {
            ended = self.encoding.values.terms.or(ended, guard);
            let same = self.encoding.values.terms.eq(result, end.result);
            let both = self.encoding.values.terms.and(guard, end.ended);
            self.encoding.require(both, same);
        }
        self.encoding.require(end.ended, ended);
        let groups = std::mem::take(&mut self.groups);
        self.encoding.add_groups(groups);
    }
}

/// The nearest block that dominates both.
fn common(dominators: &IdVec<BlockId, Option<BlockId>>, mut a: BlockId, b: BlockId) -> BlockId {
    while a != Function::ENTRY && !dominates(dominators, a, b) {
        a = dominators[a].unwrap_or(Function::ENTRY);
    }
    a
}
