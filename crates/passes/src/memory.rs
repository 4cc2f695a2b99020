//! The memory of an unfolded program: a fixed set of objects, each cut into the pieces that are accessed.
//!
//! Every allocation of the unfolded program is one object (those in loops are said to be so where they are executed), and so
//! is each thread's copy of a thread-local one.  An object's bytes are cut wherever an access may begin or end, so that each
//! access is some whole pieces, mostly one.  What number a pointer is, is for those to say who compute with it.

use crate::{ThreadId, Unfolded};
use base::{Id, IdVec};
use facts::points_to::{Target, Targets};
use facts::regions::RegionKind;
use facts::{Facts, Point, RegionId};
use ir::{Expr, FuncId, InitValue, InstKind, Layout, ObjectId};
use rustc_hash::FxHashMap;

base::id!(
    /// An object of memory.
    pub struct Obj, "object"
);
base::id!(
    /// A piece of an object.
    pub struct PieceId, "piece"
);

/// Pieces one after the other.
pub type Pieces = std::iter::Map<std::ops::Range<usize>, fn(usize) -> PieceId>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Static(ObjectId),
    /// The copy of a thread.
    ThreadLocal(ObjectId, ThreadId),
    Allocated(Point),
    Function(FuncId),
}

pub struct Stored {
    pub kind: Kind,
    /// `None` if it is not a constant.
    pub size: Option<u64>,
    pub constant: bool,
    pub layout: Option<Layout>,
    /// Contents at first, zero beyond; `None` if they may be anything.
    initial: Option<Vec<u8>>,
    /// Where pieces begin, ascending; the last number is where the last one ends.
    cuts: Vec<u64>,
    first: PieceId,
}

impl Stored {
    /// Those of its pieces that have these numbers among them.
    fn pieces(&self, numbers: std::ops::Range<usize>) -> Pieces {
        let first = self.first.index();
        (first + numbers.start..first + numbers.end).map(PieceId::new as fn(usize) -> PieceId)
    }
}

/// A piece of an object: the unit of memory.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub object: Obj,
    pub offset: u64,
    pub size: u64,
}

pub struct Memory {
    pub objects: IdVec<Obj, Stored>,
    by_kind: FxHashMap<Kind, Obj>,
    pub pieces: IdVec<PieceId, Piece>,
}

impl Memory {
    /// An allocation whose size is not a constant gets `unknown_size`.  Memory is cut for accesses with at most `most_places`
    /// places: one with more must turn out to go to pieces that others make, or be refused.
    pub fn new(unfolded: &Unfolded, facts: &Facts, unknown_size: Option<u64>, most_places: usize) -> Memory {
        let program = &unfolded.program;
        let mut memory = Memory { objects: IdVec::new(), by_kind: FxHashMap::default(), pieces: IdVec::new() };
        for (id, object) in program.objects.iter() {
            let layout = || Some(object.layout.clone());
            if object.thread_local {
                for thread in unfolded.threads.ids() {
                    // A thread may write to its copy of a constant, as it may in the interpreter.
                    memory.add(Kind::ThreadLocal(id, thread), Some(object.size), false, layout());
                }
            } else {
                memory.add(Kind::Static(id), Some(object.size), object.constant, layout());
            }
        }
        for func in program.functions.ids() {
            memory.add(Kind::Function(func), Some(0), true, None);
        }
        unfolded.for_each_instruction(&mut |point, kind| {
            if let InstKind::Alloc { size, zeroed, layout, .. } = kind {
                let size = match size {
                    Expr::Const(_, bytes) => Some(u64::try_from(*bytes).unwrap_or(u64::MAX)),
                    _ => unknown_size,
                };
                let object = memory.add(Kind::Allocated(point), size, false, layout.clone());
                memory.objects[object].initial = zeroed.then(Vec::new);
            }
        });
        memory.cut_into_pieces(unfolded, facts, most_places);
        memory
    }

    /// Fills in what static objects hold at first, with the numbers that pointers are.
    pub fn fill(&mut self, unfolded: &Unfolded, pointer: &dyn Fn(Obj, i64) -> u128) {
        for (id, object) in unfolded.program.objects.iter() {
            let bytes = object.initial_bytes(&unfolded.program, &|address| match address {
                InitValue::Object(id, offset) => pointer(self.object(Kind::Static(*id)), *offset),
                InitValue::Function(func) => pointer(self.object(Kind::Function(*func)), 0),
                InitValue::Scalar(..) | InitValue::Bytes(_) => unreachable!("only addresses are asked for"),
            });
            for (_, stored) in self.objects.iter_mut() {
                if matches!(stored.kind, Kind::Static(of) | Kind::ThreadLocal(of, _) if of == id) {
                    stored.initial = Some(bytes.clone());
                }
            }
        }
    }

    fn add(&mut self, kind: Kind, size: Option<u64>, constant: bool, layout: Option<Layout>) -> Obj {
        let stored = Stored { kind, size, constant, layout, initial: None, cuts: Vec::new(), first: PieceId(0) };
        let object = self.objects.push(stored);
        self.by_kind.insert(kind, object);
        object
    }

    /// Is the object of such a region?
    pub fn is_region(&self, object: Obj, region: RegionKind) -> bool {
        match (self.objects[object].kind, region) {
            (Kind::Static(id), RegionKind::Static(of)) => id == of,
            (Kind::ThreadLocal(id, _), RegionKind::ThreadLocal(of)) => id == of,
            (Kind::Allocated(point), RegionKind::Stack(of) | RegionKind::Heap(of)) => point == of,
            (Kind::Static(_) | Kind::ThreadLocal(..) | Kind::Allocated(_) | Kind::Function(_), _) => false,
        }
    }

    pub fn object(&self, kind: Kind) -> Obj {
        self.by_kind[&kind]
    }

    /// What a static object is to a thread: its copy, if each has one.
    pub fn object_of(&self, thread: ThreadId, id: ObjectId) -> Obj {
        let copy = self.by_kind.get(&Kind::ThreadLocal(id, thread));
        copy.copied().unwrap_or_else(|| self.object(Kind::Static(id)))
    }

    /// May `size` bytes at the offset be accessed, and written if `write`?
    pub fn valid(&self, object: Obj, offset: u64, size: u64, write: bool) -> bool {
        let stored = &self.objects[object];
        let within = |all: u64| offset.checked_add(size).is_some_and(|end| end <= all);
        stored.size.is_some_and(within) && !(write && stored.constant)
    }

    /// The pieces that `size` bytes at the offset consist of; `None` if nobody foresaw the access.
    pub fn pieces_at(&self, object: Obj, offset: u64, size: u64) -> Option<Pieces> {
        let stored = &self.objects[object];
        let from = stored.cuts.binary_search(&offset).ok()?;
        let to = stored.cuts.binary_search(&(offset + size)).ok()?;
        Some(stored.pieces(from..to))
    }

    /// All pieces of an object.
    pub fn pieces_of(&self, object: Obj) -> Pieces {
        let stored = &self.objects[object];
        stored.pieces(0..stored.cuts.len().saturating_sub(1))
    }

    /// What the piece holds at first, by its bits; `None` if it may be anything.
    pub fn initial(&self, piece: PieceId) -> Option<u128> {
        let piece = self.pieces[piece];
        let bytes = self.objects[piece.object].initial.as_ref()?;
        let byte = |i: u64| bytes.get((piece.offset + i) as usize).copied().unwrap_or(0);
        Some((0..piece.size).rev().fold(0, |value, i| (value << 8) | u128::from(byte(i))))
    }

    /// The places an access of `size` bytes may go to, by what its address may point to; `None` if they are more than `most`.
    pub fn places(
        &self,
        most: usize,
        unfolded: &Unfolded,
        facts: &Facts,
        targets: &Targets,
        size: u64,
    ) -> Option<Vec<(Obj, u64)>> {
        if targets.anywhere() {
            return None;
        }
        let mut res = Vec::new();
        for Target { region, offsets } in targets.iter() {
            for object in self.objects_of(unfolded, facts, *region) {
                // An object of unknown size is refused where it is allocated.
                let last = self.objects[object].size.unwrap_or(0).checked_sub(size);
                let Some((last, base)) = last.zip(u64::try_from(offsets.base).ok()) else { continue };
                let Some(room) = last.checked_sub(base) else { continue };
                let count = room.checked_div(offsets.stride).unwrap_or(0) + 1;
                if count > most as u64 && !offsets.is_exact() {
                    return None;
                }
                res.extend((0..count).map(|k| (object, base + k * offsets.stride)));
            }
        }
        res.sort_unstable();
        res.dedup();
        (res.len() <= most).then_some(res)
    }

    fn objects_of(&self, unfolded: &Unfolded, facts: &Facts, region: RegionId) -> Vec<Obj> {
        match facts.regions.all[region].kind {
            RegionKind::Static(id) => vec![self.object(Kind::Static(id))],
            RegionKind::ThreadLocal(id) => {
                unfolded.threads.ids().map(|thread| self.object(Kind::ThreadLocal(id, thread))).collect()
            }
            RegionKind::Stack(point) | RegionKind::Heap(point) => {
                self.by_kind.get(&Kind::Allocated(point)).copied().into_iter().collect()
            }
            RegionKind::Function(_) | RegionKind::Thread(_) => Vec::new(),
        }
    }

    fn cut_into_pieces(&mut self, unfolded: &Unfolded, facts: &Facts, most_places: usize) {
        let mut cuts: IdVec<Obj, Vec<u64>> = IdVec::filled(Vec::new(), self.objects.len());
        unfolded.for_each_instruction(&mut |point, kind| {
            let Some(access) = kind.access() else { return };
            let size = unfolded.program.size_of(access.ty);
            let Some(targets) = facts.points_to.address(point) else { return };
            // An address that may be very many may turn out to be a constant on the way.
            let places = self.places(most_places, unfolded, facts, targets, size);
            for (object, offset) in places.unwrap_or_default() {
                cuts[object].extend([offset, offset + size]);
            }
        });
        for (object, cuts) in cuts.iter_mut() {
            cuts.sort_unstable();
            cuts.dedup();
            self.objects[object].first = self.pieces.next_id();
            for ends in cuts.windows(2) {
                // Long pieces lie between accesses, where nobody looks.
                let size = (ends[1] - ends[0]).min(16);
                self.pieces.push(Piece { object, offset: ends[0], size });
            }
            self.objects[object].cuts = std::mem::take(cuts);
        }
    }
}
