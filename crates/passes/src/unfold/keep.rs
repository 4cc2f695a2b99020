//! Loops that are kept.
//!
//! Whether a constant ends a loop shows only when the walk has been round it.  So, with [`Bounds::keep`](super::Bounds::keep),
//! each round is first walked as if the loop were unwound.  Where the walk comes to the head once more, all of the round has
//! been walked, and it is known whether the loop is to be *kept*:
//!
//! * no constant decided in this round that the loop goes on; or
//! * the same is known at the head now as one round before: the next round would be like this one, and so would all others; or
//! * it has been unwound as often as is allowed.
//!
//! Then the walk goes back to the head where that round began (in the last case: where the first did), drops all that it made
//! since, forgets what it knows of registers that the loop writes, and walks the round again, with its edges back to the head
//! going to that very block.  What is still known at the head is so in every round: no way round the loop writes it.
//! Registers of functions called in the loop are never known at its head, since a return forgets them.
//!
//! Rounds before the one that is kept stay unwound.

use super::walk::{Key, NewBlock, Pending, Walk};
use super::{CutKind, Repeated, Unfolded};
use facts::Cfg;
use ir::{FuncId, InstKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A loop that is being unwound, and may have to be kept.
pub struct Attempt {
    /// Keys of places in the loop begin with this.
    prefix: Key,
    /// Where its first round began.
    first: Snapshot,
    /// Where its last round began, if that is another.
    last: Option<Snapshot>,
}

/// What the walk needs to go back to a head.  It only adds to what it has made, so most of it is told by a length.
struct Snapshot {
    head: Pending,
    pending: BTreeMap<Key, Pending>,
    /// What was decided of the rounds around the head.
    decided: Vec<bool>,
    blocks: usize,
    sequence: usize,
    cuts: usize,
    frames: usize,
    threads: usize,
    rounds: usize,
    size: usize,
}

impl Walk<'_> {
    /// Forgets the attempts at loops that do not contain the place with this key: the walk is through with them.
    pub(super) fn leave_attempts(&mut self, key: &Key) {
        while self.attempts.pop_if(|attempt| !key.starts_with(&attempt.prefix)).is_some() {}
    }

    /// The place to be walked next: the given one; or, if it begins one more round of a loop that is to be kept, the head of
    /// that loop.  If it is to be a cut, of which kind.
    pub(super) fn keep_or_unwind(&mut self, key: &Key, next: Pending) -> (Pending, Option<CutKind>) {
        let Some(round) = next.place.rounds.last() else { return (next, None) };
        let is_head = next.place.inst == 0 && round.head == next.place.block;
        if !self.bounds.keep || !is_head || round.kept.is_some() {
            return (next, None);
        }
        let frame = &self.frames[next.place.frame];
        let (func, activation, head) = (frame.func, frame.activation, round.head);
        let limit = self.bounds.loops.get(&(func, head)).copied().unwrap_or(self.bounds.counted);
        let decided = round.before.is_none_or(|before| self.decided[before]);
        let too_often = round.iteration > limit;
        if !self.shape(&next.place).loops[&head].entered_at_head {
            let goes_on = decided && !too_often;
            return (next, (!goes_on).then_some(CutKind::Irreducible(func, head)));
        }
        // The key ends with the number of the round, the head again, the first instruction, and the sections that are open,
        // in two numbers.
        let prefix = &key[..key.len() - 5];
        let Some(Attempt { prefix, first, last }) = self.attempts.pop_if(|attempt| attempt.prefix == prefix) else {
            // Where less is known than when it was kept before, less is decided.
            if self.kept_before.get(&(activation, head)).is_some_and(|before| next.state.knows_no_more(before)) {
                return (self.keep(next), None);
            }
            let first = self.snapshot(next.clone());
            self.attempts.push(Attempt { prefix: prefix.to_vec(), first, last: None });
            return (next, None);
        };
        if too_often {
            return (self.back_to(first), None);
        }
        if !decided || next.state.known == last.as_ref().unwrap_or(&first).head.state.known {
            return (self.back_to(last.unwrap_or(first)), None);
        }
        let last = Some(self.snapshot(next.clone()));
        self.attempts.push(Attempt { prefix, first, last });
        (next, None)
    }

    /// There is no room for more: the outermost loop that is being unwound is kept instead.  If there is none, there is
    /// nothing to be done about the given place.
    pub(super) fn keep_outermost(&mut self, next: Pending) -> (Pending, Option<CutKind>) {
        let Some(outermost) = self.attempts.drain(..).next() else { return (next, Some(CutKind::Size)) };
        (self.back_to(outermost.first), None)
    }

    fn snapshot(&self, head: Pending) -> Snapshot {
        Snapshot {
            pending: self.pending.clone(),
            decided: head.place.rounds.iter().map(|round| self.decided[round.id]).collect(),
            blocks: self.blocks.len(),
            sequence: self.sequence.len(),
            cuts: self.cuts.len(),
            frames: self.frames.len(),
            threads: self.queue.list.len(),
            rounds: self.decided.len(),
            size: self.size,
            head,
        }
    }

    /// Drops everything made since the snapshot; the head, to be walked as that of a loop that is kept.  Registers stay: the
    /// same calls get the same ones again.
    fn back_to(&mut self, snapshot: Snapshot) -> Pending {
        let Snapshot { head, pending, decided, .. } = snapshot;
        self.blocks.truncate(snapshot.blocks);
        self.sequence.truncate(snapshot.sequence);
        self.cuts.truncate(snapshot.cuts);
        self.frames.truncate(snapshot.frames);
        self.queue.list.truncate(snapshot.threads);
        self.decided.truncate(snapshot.rounds);
        self.size = snapshot.size;
        for (round, decided) in head.place.rounds.iter().zip(decided) {
            self.decided[round.id] = decided;
        }
        for place in pending.values().chain([&head]) {
            self.blocks[place.block] = NewBlock::default();
        }
        self.pending = pending;
        self.keep(head)
    }

    /// The head of a loop, to be walked as that of one that is kept.
    fn keep(&mut self, mut head: Pending) -> Pending {
        let frame = &self.frames[head.place.frame];
        let written = &self.shape(&head.place).loops[&head.place.block].written;
        if let Some(round) = head.place.rounds.last_mut() {
            round.kept = Some(head.block);
            if round.iteration == 0 {
                self.kept_before.insert((frame.activation, head.place.block), head.state.clone());
            }
        }
        head.state.known.retain(|reg, _| frame.original(*reg).is_none_or(|number| !written.contains(number)));
        head
    }
}

/// The allocations in loops.
pub fn repeated(unfolded: &Unfolded) -> Vec<Repeated> {
    let program = &unfolded.program;
    let cfgs: FxHashMap<FuncId, Cfg> =
        unfolded.threads.values().map(|thread| (thread.func, Cfg::new(&program.functions[thread.func]))).collect();
    let mut list = Vec::new();
    unfolded.for_each_instruction(&mut |point, kind| {
        if let InstKind::Alloc { kind, .. } = kind
            && cfgs[&point.func].in_loop(point.block)
        {
            list.push(Repeated { point, kind: *kind, pos: program.pos(point) });
        }
    });
    list
}
