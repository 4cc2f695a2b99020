//! Lazy sequentialization, solved in process: K rounds of a round-robin schedule as one formula.
//!
//! The first thread has a turn, then in each round every thread has one, the first thread last.  In its turn a thread goes on
//! from where it stood and runs until it stops at one of its labels, the places where a switch must be considered.  Where it
//! stops is a free choice for each thread, round and label; a thread that is to move no further stops where it stands.  The
//! threads' texts are walked once per round, every assignment guarded by "the thread is here now", with registers and memory
//! kept from round to round: this is the translation of Inverso et al. (CAV 2014) with the jump (the guess of where to go on)
//! and the guard (the guess of where to stop) written as conditions.  The formula grows with the product of program size and
//! rounds.
//!
//! **Blocking prunes.**  A thread that would have to wait where it is chosen to go on is lost: the same execution, with the thread
//! stopping at its label before, is another solution, so nothing is missed; and no thread ever waits inside the text, so nothing is
//! invented.  The same goes for a failed assumption, an error of memory, and a division by zero.  Inside an atomic section it
//! is the whole solution that is lost: a section that cannot be completed does not begin.
//!
//! A violated assertion ends its thread.

use super::encoding::{Encoding, Entry, Thread};
use super::walk::{Memory, walk};
use base::{BitSet, Budget, Id, IdVec};
use claim::Outcome;
use facts::{Liveness, Point};
use ir::BlockId;
use logic::{Solver, Term};
use passes::ThreadId;
use passes::memory::PieceId;

pub struct Rounds {
    /// What the pieces hold now.
    pieces: IdVec<PieceId, Term>,
    /// For each thread and label: the thread stands there.
    at: IdVec<ThreadId, Vec<Term>>,
    /// What happens, in order.
    log: Vec<Entry>,
    /// How many rounds have been encoded.
    pub rounds: u32,
    /// In which order the threads take their turns.
    order: Vec<ThreadId>,
    /// The turns so far: whose, and whether it does anything.
    turns: Vec<(ThreadId, Term)>,
    /// In the turn under way: where the thread stood, by label; whether it comes to a block; whether it moves.
    stood: Vec<Term>,
    reached: Vec<Term>,
    moves: Term,
}

impl Rounds {
    pub fn new(encoding: &mut Encoding<'_>, order: Vec<ThreadId>) -> Self {
        let (yes, no) = (encoding.symbols.terms.bool(true), encoding.symbols.terms.bool(false));
        let facts = encoding.symbols.facts;
        for (_, thread) in encoding.threads.iter_mut() {
            thread.kept = kept_registers(thread, &facts.liveness);
        }
        let mut at: IdVec<_, _> = encoding.threads.values().map(|thread| vec![no; thread.labels.len()]).collect();
        at[ThreadId::FIRST][0] = yes;
        Rounds {
            pieces: encoding.initial.clone(),
            at,
            log: Vec::new(),
            rounds: 0,
            order,
            turns: Vec::new(),
            stood: Vec::new(),
            reached: Vec::new(),
            moves: no,
        }
    }

    /// Encodes one more round; before the first one the first thread has a turn of its own.
    pub fn round(&mut self, encoding: &mut Encoding<'_>, budget: &Budget) -> Result<(), Outcome> {
        if self.rounds == 0 {
            self.turn(encoding, ThreadId::FIRST, budget)?;
        }
        self.rounds += 1;
        for thread in self.order.clone() {
            self.turn(encoding, thread, budget)?;
        }
        Ok(())
    }

    fn turn(&mut self, encoding: &mut Encoding<'_>, thread: ThreadId, budget: &Budget) -> Result<(), Outcome> {
        let no = encoding.symbols.terms.bool(false);
        if self.at[thread].iter().all(|at| *at == no) {
            return Ok(());
        }
        let nowhere = vec![no; self.at[thread].len()];
        self.stood = std::mem::replace(&mut self.at[thread], nowhere);
        self.reached = vec![no; encoding.threads[thread].function.blocks.len()];
        self.moves = no;
        walk(encoding, self, thread, budget)?;
        self.take_turn(encoding, thread);
        Ok(())
    }

    /// A thread moves only if another has moved since its last turn: else it could have done so then.  This takes no execution
    /// away, but most of the ways to spread one over the rounds.
    fn take_turn(&mut self, encoding: &mut Encoding<'_>, thread: ThreadId) {
        let since = self.turns.iter().rposition(|(other, _)| *other == thread);
        if let Some(since) = since {
            let others: Vec<Term> = self.turns[since + 1..].iter().map(|(_, moves)| *moves).collect();
            let terms = &mut encoding.symbols.terms;
            let any = terms.any(&others);
            let in_turn = terms.implies(self.moves, any);
            encoding.constraints.push(in_turn);
        }
        self.turns.push((thread, self.moves));
    }
}

impl Memory for Rounds {
    fn enter(&mut self, encoding: &mut Encoding<'_>, block: BlockId) {
        encoding.here = self.reached[block.index()];
    }

    fn leave(&mut self, encoding: &mut Encoding<'_>, to: BlockId, when: Term) {
        let reached = &mut self.reached[to.index()];
        *reached = encoding.symbols.terms.or(*reached, when);
    }

    fn pause(&mut self, encoding: &mut Encoding<'_>, label: Option<usize>) {
        let Some(label) = label else { return };
        let terms = &mut encoding.symbols.terms;
        let arrived = terms.or(encoding.here, self.stood[label]);
        if terms.is_false(arrived) {
            return;
        }
        let goes = terms.variable(1, "goes");
        self.at[encoding.thread][label] = terms.and_not(arrived, goes);
        encoding.here = terms.and(arrived, goes);
        let resumed = terms.and(self.stood[label], goes);
        self.moves = terms.or(self.moves, resumed);
    }

    fn is_whole(&self, encoding: &Encoding<'_>, point: Point) -> bool {
        encoding.symbols.facts.atomic.surely_inside(point)
    }

    fn read(&mut self, _: &mut Encoding<'_>, piece: PieceId, _: Term) -> Term {
        self.pieces[piece]
    }

    fn write(&mut self, encoding: &mut Encoding<'_>, piece: PieceId, value: Term, when: Term) {
        let terms = &mut encoding.symbols.terms;
        let when = terms.and(encoding.here, when);
        self.pieces[piece] = terms.ite(when, value, self.pieces[piece]);
    }

    fn start(&mut self, encoding: &mut Encoding<'_>, child: ThreadId, arguments: &[Term]) {
        let (terms, here) = (&mut encoding.symbols.terms, encoding.here);
        let Thread { function, registers, .. } = &mut encoding.threads[child];
        for (param, value) in function.params.iter().zip(arguments) {
            let slot = &mut registers[param.index()];
            *slot = terms.ite(here, *value, *slot);
        }
        let at = &mut self.at[child][0];
        *at = terms.or(*at, here);
    }

    fn join(&mut self, encoding: &mut Encoding<'_>, handle: Term, width: Option<u32>) -> (Term, Option<Term>) {
        let joined = encoding.joined(encoding.thread, handle, width);
        (joined.ended, joined.result)
    }

    fn end(&mut self, _: &mut Encoding<'_>) {}

    fn log(&mut self, entry: Entry) {
        self.log.push(entry);
    }

    fn history(&self, _: &mut Solver) -> Vec<Entry> {
        self.log.clone()
    }
}

/// Registers that are live where a block begins or the thread may stop.
fn kept_registers(thread: &Thread<'_>, liveness: &Liveness) -> BitSet {
    let mut kept = BitSet::new();
    let starts = thread.function.blocks.ids().map(|block| liveness.at_block(thread.func, block));
    let stops = thread.labels.keys().map(|(block, inst)| liveness.before(thread.func, *block, *inst));
    starts.chain(stops).for_each(|live| _ = kept.union_with(live));
    kept
}
