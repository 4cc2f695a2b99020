//! States kept for comparison: exact, small, quick to find and to bring back.
//!
//! A state is stored as a row of numbers, one for each part of it: each thread, each piece of the statics, each run-time
//! object.  Equal parts are stored once.  Most steps change one thread and one piece of memory, so most of a new state is
//! numbers that are there already.  Nothing is hashed away: two states are the same only if every part is.

use super::machine::{CHUNK, DIRTY, Machine, Thread, ThreadStatus};
use super::memory::{Dynamic, DynamicKind};
use hashbrown::HashTable;

/// A set of word strings, each with a number.
struct Pool<W> {
    words: Vec<W>,
    ends: Vec<usize>,
    /// Many small tables instead of a large one: a table that grows is for a moment there twice, and a limit on memory
    /// should not be broken by that.
    tables: Vec<HashTable<Entry>>,
}

/// How many tables a pool has, as a power of two.
const TABLE_BITS: u32 = 6;

/// All that a lookup needs besides the words themselves: a search spends its time waiting for memory, so a miss should
/// cost one access and a hit two.
#[derive(Clone, Copy)]
struct Entry {
    start: u64,
    length: u32,
    id: u32,
    hash: u32,
}

impl<W: Copy + Eq + Into<u64>> Pool<W> {
    fn get(&self, id: u32) -> &[W] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.words[start..self.ends[id]]
    }
    /// The number of the string, and whether it is new.
    fn intern(&mut self, string: &[W]) -> (u32, bool) {
        let hash = hash_words(string);
        if let Some(id) = self.find_hashed(hash, string) {
            return (id, false);
        }
        let id = self.ends.len() as u32;
        let entry = Entry { start: self.words.len() as u64, length: string.len() as u32, id, hash };
        self.words.extend_from_slice(string);
        self.ends.push(self.words.len());
        self.tables[table_of(hash)].insert_unique(spread(hash), entry, |entry| spread(entry.hash));
        (id, true)
    }
    fn find(&self, string: &[W]) -> Option<u32> {
        self.find_hashed(hash_words(string), string)
    }
    fn find_hashed(&self, hash: u32, string: &[W]) -> Option<u32> {
        let same = |entry: &Entry| {
            let start = entry.start as usize;
            entry.hash == hash
                && entry.length as usize == string.len()
                && self.words[start..start + string.len()] == *string
        };
        self.tables[table_of(hash)].find(spread(hash), same).map(|entry| entry.id)
    }
}

impl<W> Default for Pool<W> {
    fn default() -> Self {
        Pool { words: Vec::new(), ends: Vec::new(), tables: (0..1 << TABLE_BITS).map(|_| HashTable::new()).collect() }
    }
}

fn table_of(hash: u32) -> usize {
    (hash >> (32 - TABLE_BITS)) as usize
}

/// The table looks at the top bits and the low bits of a hash; 32 of them spread by a multiplication will do.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn hash_words<W: Copy + Into<u64>>(words: &[W]) -> u32 {
    let mut hash = words.len() as u64 ^ 0x243f_6a88_85a3_08d3;
    for word in words {
        let product = u128::from(hash ^ (*word).into()).wrapping_mul(0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f);
        hash = (product as u64) ^ ((product >> 64) as u64);
    }
    (hash >> 32) as u32
}

/// The states seen so far.
#[derive(Default)]
pub struct StateStore {
    parts: Pool<u64>,
    states: Pool<u32>,
    part: Vec<u64>,
    row: Vec<u32>,
}

impl StateStore {
    pub fn new() -> Self {
        StateStore::default()
    }
    pub fn len(&self) -> usize {
        self.states.ends.len()
    }
    pub fn is_empty(&self) -> bool {
        self.states.ends.is_empty()
    }

    /// Stores the machine's state; returns its number and whether it is new.  Registers that will not be read again are
    /// cleared first, in the machine too.
    pub fn save(&mut self, machine: &mut Machine<'_>) -> (u32, bool) {
        let parts = &mut self.parts;
        let complete = fill_row(machine, &mut self.row, &mut self.part, |part| Some(parts.intern(part).0));
        debug_assert!(complete.is_some());
        self.states.intern(&self.row)
    }

    /// The number of the machine's state, if it is stored.  Clears registers as `save` does.
    pub fn find(&self, machine: &mut Machine<'_>) -> Option<u32> {
        let mut row = Vec::new();
        fill_row(machine, &mut row, &mut Vec::new(), |part| self.parts.find(part))?;
        self.states.find(&row)
    }

    /// How many parts a stored state has: what it costs to bring it back is in proportion.
    pub fn parts_of(&self, state: u32) -> usize {
        self.states.get(state).len()
    }

    /// Brings a stored state back.  Parts that the machine has already are left alone.
    pub fn load(&self, state: u32, machine: &mut Machine<'_>) {
        let row = self.states.get(state);
        let threads = row[0] as usize;
        machine.alive_below = Default::default();
        machine.threads.resize_with(threads, Thread::new);
        for (thread, saved) in machine.threads.iter_mut().zip(&row[1..]) {
            if thread.dirty || thread.saved != *saved {
                decode_thread(machine.code, self.parts.get(*saved), thread);
                (thread.saved, thread.dirty) = (*saved, false);
            }
        }
        let chunks = machine.statics_saved.len();
        for (chunk, saved) in row[1 + threads..1 + threads + chunks].iter().enumerate() {
            if machine.statics_saved[chunk] != *saved {
                let end = machine.statics.len().min((chunk + 1) * CHUNK);
                machine.statics[chunk * CHUNK..end].copy_from_slice(self.parts.get(*saved));
                machine.statics_saved[chunk] = *saved;
            }
        }
        let objects = &row[1 + threads + chunks..];
        let names = objects.iter().nth_back(1).map_or(0, |last| last + 1);
        let mut objects = objects.chunks_exact(2).peekable();
        machine.dynamics.truncate(names as usize);
        machine.dynamics_saved.truncate(names as usize);
        for index in 0..names {
            let Some(&[_, saved]) = objects.next_if(|pair| pair[0] == index) else {
                machine.put(index, None);
                continue;
            };
            let known = machine.dynamics_saved.get(index as usize) == Some(&saved);
            if !known || machine.dynamics[index as usize].is_none() {
                machine.put(index, Some(decode_dynamic(self.parts.get(saved))));
                machine.dynamics_saved[index as usize] = saved;
            }
        }
    }
}

/// Makes the row of numbers for the machine's state; `number` gives the number of a part, or `None` if it has none.
fn fill_row(
    machine: &mut Machine<'_>,
    row: &mut Vec<u32>,
    part: &mut Vec<u64>,
    mut number: impl FnMut(&[u64]) -> Option<u32>,
) -> Option<()> {
    row.clear();
    row.push(machine.threads.len() as u32);
    for index in 0..machine.threads.len() {
        if machine.threads[index].dirty {
            clear_dead(machine, index);
            part.clear();
            encode_thread(&machine.threads[index], part);
            machine.threads[index].saved = number(part)?;
            machine.threads[index].dirty = false;
        }
        row.push(machine.threads[index].saved);
    }
    for (chunk, saved) in machine.statics_saved.iter_mut().enumerate() {
        if *saved == DIRTY {
            let end = machine.statics.len().min((chunk + 1) * CHUNK);
            *saved = number(&machine.statics[chunk * CHUNK..end])?;
        }
        row.push(*saved);
    }
    for (index, object) in machine.dynamics.iter().enumerate() {
        let Some(object) = object else { continue };
        let saved = &mut machine.dynamics_saved[index];
        if *saved == DIRTY {
            part.clear();
            encode_dynamic(object, part);
            *saved = number(part)?;
        }
        row.extend([index as u32, *saved]);
    }
    Some(())
}

/// Zeroes the registers that will not be read again.
fn clear_dead(machine: &mut Machine<'_>, tid: usize) {
    let code = machine.code;
    let thread = &mut machine.threads[tid];
    let top = thread.frames.len().wrapping_sub(1);
    for (depth, base) in thread.frames.iter().enumerate() {
        let base = *base as usize;
        let pc = thread.words[base] as u32;
        for word in code.dead_words(pc, depth != top) {
            thread.words[base + *word as usize] = 0;
        }
    }
}

fn encode_thread(thread: &Thread, out: &mut Vec<u64>) {
    let flags = thread.status as u64 | u64::from(thread.detached) << 8 | u64::from(thread.atomic) << 16;
    out.push(flags);
    if thread.status != ThreadStatus::Running {
        out.push(thread.result as u64);
        out.push((thread.result >> 64) as u64);
        out.extend_from_slice(&thread.words);
        return;
    }
    out.push(thread.locals.len() as u64 | (thread.tls.len() as u64) << 32);
    out.extend(thread.locals.iter().map(|(depth, index)| u64::from(*depth) | u64::from(*index) << 32));
    out.extend_from_slice(&thread.tls);
    out.extend_from_slice(&thread.words);
}

fn decode_thread(code: &super::Code<'_>, part: &[u64], thread: &mut Thread) {
    use ThreadStatus::*;
    let flags = part[0];
    thread.clear();
    thread.status = [Running, Ended, Free, Stuck][flags as usize & 0xff];
    thread.detached = flags >> 8 & 1 != 0;
    thread.atomic = (flags >> 16) as u32;
    if thread.status != ThreadStatus::Running {
        thread.result = u128::from(part[1]) | u128::from(part[2]) << 64;
        thread.words.extend_from_slice(&part[3..]);
        return;
    }
    let locals = (part[1] & 0xffff_ffff) as usize;
    let tls = (part[1] >> 32) as usize;
    let (pairs, rest) = part[2..].split_at(locals);
    thread.locals.extend(pairs.iter().map(|pair| (*pair as u32, (*pair >> 32) as u32)));
    let (copies, words) = rest.split_at(tls);
    thread.tls.extend_from_slice(copies);
    thread.words.extend_from_slice(words);
    let mut base = 0;
    while base < words.len() {
        thread.frames.push(base as u32);
        base += code.shapes[code.points[words[base] as usize].func].words as usize;
    }
}

fn encode_dynamic(object: &Dynamic, out: &mut Vec<u64>) {
    out.push(object.kind as u64 | u64::from(object.unset.is_some()) << 8 | u64::from(object.site) << 32);
    out.push(object.size);
    out.extend_from_slice(&object.words);
    if let Some(unset) = &object.unset {
        out.extend_from_slice(unset);
    }
}

fn decode_dynamic(part: &[u64]) -> Dynamic {
    use DynamicKind::*;
    let kind = [Stack, Heap, ThreadLocal, Dead, Freed][part[0] as usize & 0xff];
    let size = part[1];
    let words = if kind.has_ended() { 0 } else { size.div_ceil(8) as usize };
    let unset = (part[0] >> 8 & 1 != 0).then(|| part[2 + words..].to_vec());
    Dynamic { kind, site: (part[0] >> 32) as u32, size, words: part[2..2 + words].to_vec(), unset }
}
