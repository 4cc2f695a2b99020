//! The rules of an analysis of values: what has to be run again when something that it reads has grown.

use crate::{Functions, Origin, Point, ValueId};
use base::IdVec;
use ir::FuncId;
use std::collections::VecDeque;
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// An instruction, or with `inst == insts.len()` a terminator.
    At(Point),
    Meet(FuncId, ValueId),
}

#[derive(Default)]
pub struct Rules {
    /// By their numbers.
    pub all: Vec<Rule>,
    /// The rules of each function: they count once it is started.
    of: IdVec<FuncId, Range<u32>>,
    /// The rules that read each value, ascending.
    readers: IdVec<FuncId, IdVec<ValueId, Vec<u32>>>,
    waiting: VecDeque<u32>,
    /// By rule: it waits already, or does not count yet.
    held: Vec<bool>,
}

impl Rules {
    /// Rules for all meets of some functions, and for those of their points that matter.
    pub fn new(of: Functions<'_>, some: impl Iterator<Item = FuncId>, matters: impl Fn(Point) -> bool) -> Self {
        let Functions { program, cfgs, values, .. } = of;
        let readers = values.values().map(|v| IdVec::filled(Vec::new(), v.values.len())).collect();
        let mut rules = Rules { of: IdVec::filled(0..0, program.functions.len()), readers, ..Rules::default() };
        for func in some {
            let first = rules.all.len() as u32;
            for (id, value) in values[func].values.iter() {
                if let Origin::Meet(_, operands) = &value.origin {
                    operands.iter().for_each(|(_, operand)| rules.reads(func, *operand, rules.all.len() as u32));
                    rules.all.push(Rule::Meet(func, id));
                }
            }
            for block in &cfgs[func].order {
                let points =
                    (0..=program.functions[func].blocks[*block].insts.len()).map(|i| Point::new(func, *block, i));
                for point in points.filter(|point| matters(*point)) {
                    let uses = values[func].uses_at(point);
                    uses.iter().for_each(|(_, value)| rules.reads(func, *value, rules.all.len() as u32));
                    rules.all.push(Rule::At(point));
                }
            }
            rules.of[func] = first..rules.all.len() as u32;
        }
        rules.held = vec![true; rules.all.len()];
        rules
    }

    /// From now on the rule is run again when the value has grown.
    pub fn reads(&mut self, func: FuncId, value: ValueId, rule: u32) {
        let readers = &mut self.readers[func][value];
        if let Err(at) = readers.binary_search(&rule) {
            readers.insert(at, rule);
        }
    }

    /// The rules that read the value.
    pub fn readers(&self, func: FuncId, value: ValueId) -> impl Iterator<Item = Rule> {
        self.readers[func][value].iter().map(|rule| self.all[*rule as usize])
    }

    /// From now on the rules of the function count; they are run for the first time.
    pub fn start(&mut self, func: FuncId) {
        self.waiting.extend(self.of[func].clone());
    }

    /// The value has grown.
    pub fn grown(&mut self, func: FuncId, value: ValueId) {
        wake(&self.readers[func][value], &mut self.held, &mut self.waiting);
    }

    /// Something else that these rules read has changed.
    pub fn wake(&mut self, rules: &[u32]) {
        wake(rules, &mut self.held, &mut self.waiting);
    }

    /// The next rule to run.
    pub fn pop(&mut self) -> Option<(u32, Rule)> {
        let rule = self.waiting.pop_front()?;
        self.held[rule as usize] = false;
        Some((rule, self.all[rule as usize]))
    }
}

fn wake(rules: &[u32], held: &mut [bool], waiting: &mut VecDeque<u32>) {
    waiting.extend(rules.iter().filter(|rule| !std::mem::replace(&mut held[**rule as usize], true)));
}
