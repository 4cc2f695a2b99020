//! The memory of an unfolded program: a fixed set of objects, cut into pieces.
//!
//! Each allocation and each thread happens at most once, so every object there can ever be is known beforehand: the static ones,
//! a copy of each thread-local one for each thread, one for each `alloc`.  An object is cut at the borders of all accesses that
//! may go to it; then every access covers whole pieces, and pieces are what reads and writes are about.
//!
//! What an access may touch comes from the points-to facts.  They are not trusted: where an address is no choice among constants,
//! that it leads elsewhere is one more thing that must be shown impossible (`Access::astray`).
//!
//! A piece is *shared* when two threads may touch it, one of them writing.  What the first thread does before it starts another
//! does not count: it is alone then.

use crate::{Refusal, ensure};
use base::{Id, IdVec};
use facts::points_to::{Offsets, Targets};
use facts::regions::RegionKind;
use facts::{Facts, Point, RegionId};
use ir::interp::{LARGEST_ALLOCATION, Space, read_bytes, write_init};
use ir::{AllocKind, BlockId, Expr, InstKind, ObjectId, Program};
use passes::{ThreadId, Unfolded};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More pieces than this are too many.
const MOST_PIECES: usize = 100_000;
/// More places for one access are too many.
pub const MOST_PLACES: usize = 2048;

/// An allocation of a size that is not known beforehand may be as large as this.
const UNKNOWN_SIZE: u64 = 512;

pub struct Object {
    /// Its address as a number.
    pub base: u64,
    pub size: u64,
    pub constant: bool,
    /// It can be freed.
    pub heap: bool,
    /// Where its pieces begin, ascending, with their numbers.
    pieces: Vec<(u64, usize)>,
    /// Bytes it holds at first; `None` for those that may hold anything.
    initial: Option<Vec<u64>>,
}

/// Some bytes of an object, accessed together.
pub struct Piece {
    pub object: usize,
    pub offset: u64,
    /// In bytes, at most 16.
    pub size: u64,
    pub sharing: Sharing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Nobody writes it once there are several threads.
    Settled,
    /// Only this thread touches it once there are several threads.
    Private(ThreadId),
    Shared,
}

/// The bytes an access may touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    pub object: usize,
    pub offset: u64,
}

#[derive(Default)]
pub struct Objects {
    pub all: Vec<Object>,
    pub pieces: Vec<Piece>,
    of_static: Vec<Option<usize>>,
    /// By thread and object of the program.
    of_thread: FxHashMap<(ThreadId, ObjectId), usize>,
    of_alloc: FxHashMap<Point, usize>,
    by_name: FxHashMap<u64, usize>,
    offset_bits: u32,
}

/// One access of the unfolded program, as far as it is known beforehand.
struct Foreseen {
    thread: ThreadId,
    alone: bool,
    write: bool,
    size: u64,
    spots: Vec<Spot>,
}

impl Objects {
    pub fn new(unfolded: &Unfolded, facts: &Facts, space: &Space) -> Result<Self, Refusal> {
        let of_static = vec![None; unfolded.program.objects.len()];
        let mut res = Objects { of_static, offset_bits: space.offset_bits(), ..Objects::default() };
        res.add_objects(unfolded, space)?;
        let foreseen = res.foresee(unfolded, facts)?;
        res.cut(&foreseen).map_err(|what| Refusal::Unsupported { what, pos: base::Pos::NONE })?;
        Ok(res)
    }

    fn add_objects(&mut self, unfolded: &Unfolded, space: &Space) -> Result<(), String> {
        let program = &unfolded.program;
        let initial = |object: &ir::Object| {
            let mut words = vec![0; object.size.div_ceil(8) as usize];
            write_init(space, program, &mut words, 0, object);
            Some(words)
        };
        for (id, object) in program.objects.iter().filter(|(_, object)| !object.thread_local) {
            let index = self.add(space.static_address(id), object.size, initial(object));
            self.all[index].constant = object.constant;
            self.of_static[id.index()] = Some(index);
        }
        let mut names = 0..u32::try_from(space.names()).unwrap_or(u32::MAX);
        let mut next_name =
            || names.next().map(|name| space.dynamic_address(name)).ok_or("too many objects".to_string());
        for (thread, instance) in unfolded.threads.iter() {
            for (id, object) in program.objects.iter().filter(|(_, object)| object.thread_local) {
                let index = self.add(next_name()?, object.size, initial(object));
                self.of_thread.insert((thread, id), index);
            }
            for (block, data) in program.functions[instance.func].blocks.iter() {
                for (i, inst) in data.insts.iter().enumerate() {
                    let InstKind::Alloc { size, zeroed, kind, .. } = &inst.kind else { continue };
                    let size = room(size).min(space.largest());
                    let words = zeroed.then(|| vec![0; size.div_ceil(8) as usize]);
                    let index = self.add(next_name()?, size, words);
                    self.all[index].heap = *kind == AllocKind::Heap;
                    self.of_alloc.insert(Point::new(instance.func, block, i), index);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, base: u64, size: u64, initial: Option<Vec<u64>>) -> usize {
        let index = self.all.len();
        self.by_name.insert(base >> self.offset_bits, index);
        self.all.push(Object { base, size, constant: false, heap: false, pieces: Vec::new(), initial });
        index
    }

    fn foresee(&self, unfolded: &Unfolded, facts: &Facts) -> Result<Vec<Foreseen>, Refusal> {
        let program = &unfolded.program;
        let mut found = Vec::new();
        for (thread, instance) in unfolded.threads.iter() {
            let alone = alone_at_start(unfolded, thread);
            let blocks = program.functions[instance.func].blocks.iter();
            for (block, data) in blocks.filter(|(block, _)| facts.cfgs[instance.func].reachable(*block)) {
                let mut is_alone = alone[block];
                for (i, inst) in data.insts.iter().enumerate() {
                    is_alone &= !matches!(inst.kind, InstKind::Spawn { .. });
                    let Some(access) = inst.kind.access() else { continue };
                    let point = Point::new(instance.func, block, i);
                    let size = program.size_of(access.ty);
                    let spots = self.spots(facts, thread, point, size);
                    let spots = spots.map_err(|what| Refusal::Unsupported { what, pos: inst.pos })?;
                    found.push(Foreseen { thread, alone: is_alone, write: access.writes, size, spots });
                }
            }
        }
        Ok(found)
    }

    /// Where the access at the point may go.
    pub fn spots(&self, facts: &Facts, thread: ThreadId, point: Point, size: u64) -> Result<Vec<Spot>, String> {
        let Some(targets) = facts.points_to.address(point) else { return Ok(Vec::new()) };
        ensure(!targets.anywhere(), "an access that may go anywhere")?;
        let mut spots = BTreeSet::new();
        for target in Targets::iter(targets) {
            for object in self.of_region(facts, thread, target.region) {
                let offsets = offsets_within(target.offsets, size, self.all[object].size);
                spots.extend(offsets.into_iter().map(|offset| Spot { object, offset }));
                if spots.len() > MOST_PLACES {
                    return Err(format!("an access with more than {MOST_PLACES} places"));
                }
            }
        }
        Ok(spots.into_iter().collect())
    }

    /// The objects that the access at the point may go to, or miss.
    pub fn aimed_at(&self, facts: &Facts, thread: ThreadId, point: Point) -> BTreeSet<usize> {
        let targets = facts.points_to.address(point).into_iter().flat_map(Targets::iter);
        targets.flat_map(|target| self.of_region(facts, thread, target.region)).collect()
    }

    /// The objects of a region that a thread may touch, in any order.
    fn of_region(&self, facts: &Facts, thread: ThreadId, region: RegionId) -> Vec<usize> {
        match facts.regions.all[region].kind {
            RegionKind::Static(id) => self.of_static[id.index()].into_iter().collect(),
            RegionKind::ThreadLocal(id) if facts.shared.regions.contains(region.index()) => {
                self.of_thread.iter().filter(|((_, object), _)| *object == id).map(|(_, index)| *index).collect()
            }
            RegionKind::ThreadLocal(id) => self.of_thread.get(&(thread, id)).copied().into_iter().collect(),
            RegionKind::Stack(point) | RegionKind::Heap(point) => {
                self.of_alloc.get(&point).copied().into_iter().collect()
            }
            RegionKind::Function(_) | RegionKind::Thread(_) => Vec::new(),
        }
    }

    fn cut(&mut self, foreseen: &[Foreseen]) -> Result<(), String> {
        let mut borders: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); self.all.len()];
        let mut covered: Vec<Vec<(u64, u64)>> = vec![Vec::new(); self.all.len()];
        for access in foreseen {
            for spot in &access.spots {
                borders[spot.object].extend([spot.offset, spot.offset + access.size]);
                covered[spot.object].push((spot.offset, spot.offset + access.size));
            }
        }
        for (object, (borders, mut covered)) in borders.into_iter().zip(covered).enumerate() {
            covered.sort_unstable();
            let borders: Vec<u64> = borders.into_iter().collect();
            let mut reach = 0;
            let mut next = 0;
            for pair in borders.windows(2) {
                // Bytes between two borders that no access covers are no piece.
                while next < covered.len() && covered[next].0 <= pair[0] {
                    reach = reach.max(covered[next].1);
                    next += 1;
                }
                if reach >= pair[1] {
                    self.all[object].pieces.push((pair[0], self.pieces.len()));
                    let (offset, size) = (pair[0], pair[1] - pair[0]);
                    self.pieces.push(Piece { object, offset, size, sharing: Sharing::Settled });
                }
            }
            if self.pieces.len() > MOST_PIECES {
                return Err(format!("memory in more than {MOST_PIECES} pieces"));
            }
        }
        let mut touched: Vec<(BTreeSet<ThreadId>, bool)> = vec![(BTreeSet::new(), false); self.pieces.len()];
        for access in foreseen.iter().filter(|access| !access.alone) {
            for spot in &access.spots {
                for piece in self.pieces_of(*spot, access.size).unwrap_or_default() {
                    let (threads, written) = &mut touched[piece];
                    threads.insert(access.thread);
                    *written |= access.write && !self.all[spot.object].constant;
                }
            }
        }
        for (piece, (threads, written)) in self.pieces.iter_mut().zip(touched) {
            piece.sharing = match threads.first() {
                Some(thread) if written && threads.len() == 1 => Sharing::Private(*thread),
                Some(_) if written => Sharing::Shared,
                _ => Sharing::Settled,
            };
        }
        Ok(())
    }

    /// The pieces that these bytes consist of; `None` if the borders do not fit.
    pub fn pieces_of(&self, spot: Spot, size: u64) -> Option<Vec<usize>> {
        let pieces = &self.all[spot.object].pieces;
        let first = pieces.binary_search_by_key(&spot.offset, |(start, _)| *start).ok()?;
        let mut found = Vec::new();
        let mut at = spot.offset;
        for (start, piece) in &pieces[first..] {
            if at == spot.offset + size {
                break;
            }
            if *start != at {
                return None;
            }
            at += self.pieces[*piece].size;
            found.push(*piece);
        }
        (at == spot.offset + size).then_some(found)
    }

    /// What the piece holds when its object comes into being; `None` if that may be anything.
    pub fn initial(&self, piece: usize) -> Option<u128> {
        let piece = &self.pieces[piece];
        let words = self.all[piece.object].initial.as_ref()?;
        Some(read_bytes(words, piece.offset, piece.size as u32))
    }

    /// The bytes an address means, if it is one of bytes that exist.
    pub fn at(&self, address: u64, size: u64) -> Option<Spot> {
        let object = *self.by_name.get(&(address >> self.offset_bits))?;
        let offset = address & ((1 << self.offset_bits) - 1);
        (offset + size <= self.all[object].size).then_some(Spot { object, offset })
    }

    /// The blocks on the heap, by where they are allocated.
    pub fn heap_blocks(&self) -> impl Iterator<Item = (Point, usize)> + use<> {
        let heap = self.of_alloc.iter().filter(|(_, object)| self.all[**object].heap);
        heap.map(|(alloc, object)| (*alloc, *object)).collect::<Vec<_>>().into_iter()
    }
    pub fn of_alloc(&self, point: Point) -> Option<usize> {
        self.of_alloc.get(&point).copied()
    }
    /// The object that the name of a program's object means in a thread.
    pub fn named(&self, thread: ThreadId, id: ObjectId) -> Option<usize> {
        self.of_static[id.index()].or_else(|| self.of_thread.get(&(thread, id)).copied())
    }
    pub fn offset_bits(&self) -> u32 {
        self.offset_bits
    }
    /// The names that objects have, as ranges: the lowest and the highest of the static ones, and of the others.
    pub fn name_ranges(&self, space: &Space, program: &Program) -> [[u64; 2]; 2] {
        let name = |address: u64| address >> self.offset_bits;
        let (first, others) = (name(space.static_address(ObjectId(0))), name(space.dynamic_address(0)));
        [[first, first + program.objects.len() as u64 - 1], [others, others + self.all.len() as u64]]
    }
}

/// How large the object is taken to be that an allocation makes.  Where the size is not known, as large as it may be; that it is
/// no larger must be shown, and that accesses beyond its true size go on is more behaviour, not less.
fn room(size: &Expr) -> u64 {
    let Some(size) = size.as_constant() else { return UNKNOWN_SIZE };
    u64::try_from(size).ok().filter(|size| *size <= LARGEST_ALLOCATION).unwrap_or(0)
}

fn offsets_within(offsets: Offsets, size: u64, object_size: u64) -> Vec<u64> {
    let (Some(last), Ok(first)) = (object_size.checked_sub(size), u64::try_from(offsets.base)) else {
        return Vec::new();
    };
    let most = if offsets.stride == 0 { 1 } else { MOST_PLACES + 1 };
    (first..=last).step_by(offsets.stride.max(1) as usize).take(most).collect()
}

/// A position in the user's words.
pub fn place(program: &Program, pos: base::Pos) -> String {
    program.place(pos).unwrap_or_else(|| "an unknown place".into())
}

/// The blocks at whose start the first thread has surely started no other yet.
pub fn alone_at_start(unfolded: &Unfolded, thread: ThreadId) -> IdVec<BlockId, bool> {
    let function = &unfolded.program.functions[unfolded.threads[thread].func];
    let mut at_start = IdVec::filled(thread == ThreadId::FIRST, function.blocks.len());
    // Blocks are in topological order.
    for (block, data) in function.blocks.iter() {
        let starts = data.insts.iter().any(|inst| matches!(inst.kind, InstKind::Spawn { .. }));
        let alone = at_start[block] && !starts;
        data.term.for_each_target(&mut |to| at_start[to] &= alone);
    }
    at_start
}
