//! The nesting of loops: an order of the blocks in which every loop is a contiguous stretch that starts with its head.
//!
//! Bourdoncle's weak topological order (1993): an edge either goes forward in the order, or back to the head of a loop that
//! contains its source.  So "in the next iteration" has a meaning for irreducible graphs too.

use base::{Id, IdVec};
use facts::Cfg;
use ir::{BlockId, Function};

pub struct Nesting {
    /// The place of each block in the order; unreachable blocks have none.
    pub place: IdVec<BlockId, Option<u32>>,
    /// The heads of the loops around each block, outermost first; a head is in its own loop.
    pub loops: IdVec<BlockId, Vec<BlockId>>,
}

impl Nesting {
    pub fn new(cfg: &Cfg) -> Self {
        let count = cfg.successors.len();
        let mut search = NestingWalk { cfg, number: vec![0; count], next: 0, stack: Vec::new() };
        let mut order = Vec::new();
        if count > 0 {
            search.visit(Function::ENTRY, &mut order);
        }
        let mut res = Nesting { place: IdVec::filled(None, count), loops: IdVec::filled(Vec::new(), count) };
        let mut next = 0;
        res.number(&order, &mut Vec::new(), &mut next);
        res
    }

    /// `order` is in reverse: elements were found last first.
    fn number(&mut self, order: &[Element], around: &mut Vec<BlockId>, next: &mut u32) {
        for Element { block, inside } in order.iter().rev() {
            around.extend(inside.iter().map(|_| *block));
            self.place[*block] = Some(*next);
            self.loops[*block] = around.clone();
            *next += 1;
            if let Some(inside) = inside {
                self.number(inside, around, next);
                around.pop();
            }
        }
    }

    /// Is the block in the loop with this head?
    pub fn inside(&self, block: BlockId, head: BlockId) -> bool {
        self.loops[block].contains(&head)
    }
}

/// A block; with others inside if it is the head of a loop.
struct Element {
    block: BlockId,
    inside: Option<Vec<Element>>,
}

struct NestingWalk<'a> {
    cfg: &'a Cfg,
    number: Vec<u32>,
    next: u32,
    stack: Vec<BlockId>,
}

const DONE: u32 = u32::MAX;

impl NestingWalk<'_> {
    fn visit(&mut self, block: BlockId, order: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.next += 1;
        let own = self.next;
        self.number[block.index()] = own;
        let mut lowest = own;
        let mut is_loop = false;
        for to in &self.cfg.successors[block] {
            let found = match self.number[to.index()] {
                0 => self.visit(*to, order),
                number => number,
            };
            if found <= lowest {
                lowest = found;
                is_loop = true;
            }
        }
        if lowest == own {
            self.number[block.index()] = DONE;
            while let Some(top) = self.stack.pop() {
                if top == block {
                    break;
                }
                // To be visited again, as part of the loop.
                self.number[top.index()] = 0;
            }
            let mut inside = Vec::new();
            for to in self.cfg.successors[block].iter().filter(|_| is_loop) {
                if self.number[to.index()] == 0 {
                    self.visit(*to, &mut inside);
                }
            }
            order.push(Element { block, inside: is_loop.then_some(inside) });
        }
        lowest
    }
}
