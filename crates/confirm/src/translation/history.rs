//! What is shown with the path by which a thread came to where it is.
//!
//! Of a location the ranges of each variable are known, but not what one has to do with another, nor which numbers in between
//! cannot be.  The thread's registers are as the path left them that led there, whatever other threads have done since; so what
//! must be impossible there is, if it is after each path that leads there.  Memory may have changed: of that no more
//! is known than before.

use super::paths::{End, Path};
use super::values::Number;
use super::{Doubt, NO_ANSWER, Setting};
use crate::{Refusal, SPENT};
use base::{Id, IdVec};
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashSet;
use system::Location;
use system::meaning::{Home, Mode};

/// So many paths are looked at, one before the other.
const MOST_PATHS: usize = 3;

/// By location, the paths that begin there.
type From = IdVec<Location, Vec<(End, Path)>>;

/// What cannot be at the end of a path, and has to be shown.
pub struct Open {
    pub location: Location,
    pub path: Path,
    pub formula: Formula,
    pub doubt: Doubt,
}

/// A path among those before and after it, with variables that are its own.
pub struct Frame<'a> {
    location: Location,
    path: &'a Path,
    /// The names of its variables begin after those of all frames that come later.
    first: Option<usize>,
    /// Those of its variables that are spoken of.
    vars: FxHashSet<Var>,
}

impl Open {
    /// Shows it after each path that leads to where its path begins.
    pub fn shown(self, cx: &mut Setting<'_>, from: &From) -> Result<(), Refusal> {
        cx.location = self.location;
        let frame = Frame::last(self.location, &self.path, &self.formula);
        cx.solver.push();
        frame.assert(cx);
        cx.solver.assert(&self.formula);
        let answer = frame.impossible_after(cx, from, MOST_PATHS);
        cx.solver.pop();
        if answer? { Ok(()) } else { Err(self.doubt.refusal(&cx.shown())) }
    }
}

impl<'a> Frame<'a> {
    /// The path at whose end the formula is asked for, with its variables as they are.
    pub fn last(location: Location, path: &'a Path, formula: &Formula) -> Self {
        let mut frame = Frame { location, path, first: None, vars: formula.vars() };
        frame.mention_guard();
        frame
    }

    fn mention_guard(&mut self) {
        let note = &mut |var| _ = self.vars.insert(var);
        self.path.guard.iter().for_each(|part| part.visit_vars(note));
        self.path.computed.iter().flat_map(|(.., a, b)| [a, b]).for_each(|number| number.term.visit_vars(note));
    }

    fn renamed(&self, var: Var) -> Var {
        match (self.first, var.as_input()) {
            (None, _) => var,
            (Some(first), Some(input)) => Var::input(first + input),
            (Some(first), None) => Var::input(first + self.path.inputs.len() + var.index()),
        }
    }
    fn formula(&self, formula: &Formula) -> Formula {
        formula.rename(&mut |var| self.renamed(var))
    }
    fn term(&self, term: &Linear) -> Linear {
        term.substitute(&mut |var| Some(self.renamed(var).into()))
    }
    /// The first name that is free for a path before it.
    fn next(&self, cx: &Setting<'_>) -> usize {
        let state = if self.first.is_some() { cx.meaning.vars.len() } else { 0 };
        self.first.unwrap_or(0) + self.path.inputs.len() + state
    }

    /// What is known of its variables, and its guard.
    pub fn assert(&self, cx: &mut Setting<'_>) {
        for var in &self.vars {
            let range = match var.as_input() {
                Some(input) => self.path.inputs[input],
                None => self.path.before[*var],
            };
            cx.solver.assert(&self.formula(&Formula::within(range, &(*var).into())));
            cx.solver.assert(&self.formula(&cx.pointers.always(*var, (cx.thread, self.location))));
        }
        self.path.guard.iter().for_each(|part| cx.solver.assert(&self.formula(part)));
    }

    /// Whether what has been asserted cannot be, after whichever paths that lead to where this one begins.
    fn impossible_after(&self, cx: &mut Setting<'_>, from: &From, paths: usize) -> Result<bool, String> {
        let mut others = Vec::new();
        for (start, before) in from.iter() {
            others
                .extend(before.iter().filter(|(end, _)| *end == End::Arrives(self.location)).map(|it| (start, &it.1)));
        }
        let entry = cx.system.threads[cx.thread].graph.entry;
        if paths == 0 || self.location == entry {
            return Ok(false);
        }
        for (start, path) in others {
            cx.budget.check().map_err(|_| SPENT)?;
            let mut before = Frame { location: start, path, first: Some(self.next(cx)), vars: FxHashSet::default() };
            before.mention_guard();
            let links = before.links(cx, self);
            cx.solver.push();
            before.assert(cx);
            links.iter().for_each(|link| cx.solver.assert(link));
            let answer = match cx.solver.refutes(&Formula::True, cx.budget) {
                Some(true) => Ok(true),
                Some(false) => before.impossible_after(cx, from, paths - 1),
                None => Err(NO_ANSWER.into()),
            };
            cx.solver.pop();
            if !answer? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The registers that the path after it speaks of are as this one leaves them.
    fn links(&mut self, cx: &Setting<'_>, after: &Frame<'_>) -> Vec<Formula> {
        let mut links = Vec::new();
        for var in after.vars.iter().filter(|var| var.as_input().is_none()) {
            let stands = cx.meaning.vars[*var];
            let Home::Register(thread, reg) = stands.home else { continue };
            // What nobody reads need not be what its variable says.
            let is_read =
                after.path.reads.contains(&reg) || cx.live.get(after.location).is_some_and(|it| it.contains(&reg));
            if thread != cx.thread || !is_read {
                continue;
            }
            let same = Number::new((*var).into(), stands.bits);
            let left = self.path.registers.get(&reg).unwrap_or(&same);
            if left.bits != stands.bits {
                continue;
            }
            left.term.visit_vars(&mut |var| _ = self.vars.insert(var));
            let theirs: Linear = after.renamed(*var).into();
            links.push(match (stands.mode, stands.bits) {
                (Mode::Ring, bits) if bits > 1 => Formula::divides(1 << bits, theirs.minus(&self.term(&left.term))),
                (Mode::Signed, bits) if bits > 1 => Formula::eq(&theirs, &self.term(&self.path.signed(left))),
                _ => Formula::eq(&theirs, &self.term(&self.path.unsigned(left))),
            });
        }
        links
    }
}
