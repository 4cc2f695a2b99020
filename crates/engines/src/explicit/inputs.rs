//! The values tried where the program leaves one open.

use facts::Facts;
use ir::interp::{Choice, Code, Open, Pc};
use ir::{Expr, Input, InstKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Widths up to this many bits are tried in full.
const SMALL_BITS: u32 = 8;

/// Which values are tried at each place that asks for one.
pub struct Inputs<'c> {
    code: &'c Code<'c>,
    facts: &'c Facts,
    domains: FxHashMap<(Pc, u32, Open), Rc<[u128]>>,
    /// Constants of the program, the stuff samples are made of.
    constants: Option<Vec<u128>>,
    /// A place where only a sample was tried, in words for the user.
    pub sampled: Option<String>,
}

impl<'c> Inputs<'c> {
    pub fn new(code: &'c Code<'c>, facts: &'c Facts) -> Self {
        Inputs { code, facts, domains: FxHashMap::default(), constants: None, sampled: None }
    }

    pub fn domain(&mut self, choice: Choice) -> Rc<[u128]> {
        let key = (choice.pc, choice.bits, choice.what);
        if let Some(domain) = self.domains.get(&key) {
            return domain.clone();
        }
        let domain: Rc<[u128]> = match complete_domain(self.code, self.facts, choice) {
            Some(values) => values.into(),
            None => {
                self.sampled.get_or_insert_with(|| describe(self.code, choice));
                self.sample(choice.bits).into()
            }
        };
        self.domains.insert(key, domain.clone());
        domain
    }

    /// Values at which programs tend to change their mind: the extremes, and the program's constants with their neighbours.
    fn sample(&mut self, bits: u32) -> Vec<u128> {
        let constants = self.constants.get_or_insert_with(|| constants_of(self.code));
        let mut values = vec![0, 1, 2, u128::MAX, 1 << (bits - 1), (1 << (bits - 1)) - 1];
        for constant in constants.iter().take(8) {
            values.extend([*constant, constant.wrapping_add(1), constant.wrapping_sub(1)]);
        }
        let mut seen = FxHashSet::default();
        values.into_iter().map(|value| ir::mask(value, bits)).filter(|value| seen.insert(*value)).collect()
    }
}

/// Values that stand for all: every one of a small width, or one of each class the program can tell apart.
fn complete_domain(code: &Code<'_>, facts: &Facts, choice: Choice) -> Option<Vec<u128>> {
    let point = code.points[choice.pc as usize];
    if let Open::Place(count) | Open::Handle(count) = choice.what {
        return Some((0..=u128::from(count)).collect());
    }
    if let Some(values) = facts.inputs.representatives(point.func, point.block, point.inst as usize) {
        return Some(values.to_vec());
    }
    (choice.bits <= SMALL_BITS).then(|| (0..1 << choice.bits).collect())
}

fn describe(code: &Code<'_>, choice: Choice) -> String {
    let pos = code.pos(choice.pc);
    let kind = code.inst(choice.pc).map(|inst| &inst.kind);
    let name = if let Some(InstKind::Havoc { input, .. }) = kind {
        match input {
            Input::Nondet(name) => format!("{name}()"),
            Input::Uninit(name) => format!("uninitialised {name}"),
            Input::Extern(name) => format!("the result of {name}()"),
            Input::Choice(name) => name.clone(),
        }
    } else {
        "uninitialised memory".into()
    };
    let file = code.program.files.get(pos.file).map_or("", String::as_str);
    if pos.is_none() { name } else { format!("{name} at {file}:{}", pos.line) }
}

/// Integer constants the program compares with, most frequent first.
fn constants_of(code: &Code<'_>) -> Vec<u128> {
    let mut counts: FxHashMap<u128, u32> = FxHashMap::default();
    let mut see = |expr: &Expr| {
        expr.for_each(&mut |expr| {
            if let Expr::Const(_, value) = expr {
                *counts.entry(*value).or_default() += 1;
            }
        });
    };
    for function in code.program.functions.values().filter(|function| !function.model) {
        function.for_each_expr(&mut see);
    }
    let mut constants: Vec<_> = counts.into_iter().collect();
    constants.sort_by_key(|(value, count)| (std::cmp::Reverse(*count), *value));
    constants.into_iter().map(|(value, _)| value).collect()
}

/// The choices of one run: which value of each domain, in order.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Each with how many values there are.
    digits: Vec<(u32, u32)>,
    at: usize,
}

impl Script {
    /// Starts reading from the first choice again.
    pub fn rewind(&mut self) {
        self.at = 0;
    }
    /// The next choice; beyond the end of the script the first value of the domain, which is noted.
    pub fn choose(&mut self, domain: Rc<[u128]>) -> u128 {
        if self.at == self.digits.len() {
            self.digits.push((0, domain.len() as u32));
        }
        self.at += 1;
        domain.get(self.digits[self.at - 1].0 as usize).copied().unwrap_or(0)
    }
    /// How many combinations of values the choices read so far have.
    pub fn combinations(&self) -> u64 {
        self.digits[..self.at].iter().fold(1, |product: u64, (_, count)| product.saturating_mul((*count).into()))
    }
    /// How many choices have been read.
    pub fn position(&self) -> usize {
        self.at
    }
    /// Gives up the choices from this one on: their other values will not be tried.
    pub fn forget_from(&mut self, position: usize) {
        self.digits.truncate(position);
    }
    /// The script to try after this one, if there is one.
    pub fn next(mut self) -> Option<Script> {
        while let Some((index, count)) = self.digits.last_mut() {
            *index += 1;
            if index < count {
                return Some(self);
            }
            self.digits.pop();
        }
        None
    }
}
