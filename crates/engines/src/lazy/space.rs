//! The memory of an unfolded program: a fixed set of objects, each divided into the pieces that are accessed.
//!
//! After unfolding every allocation happens at most once, so each is an object known from the start, and so is each thread's
//! copy of a thread-local one.  A pointer is the object's name in the high bits and the offset in the low ones, as in the
//! interpreter, though the names are other numbers.  An object's bytes are cut wherever an access may begin or end, so that
//! every access is some whole pieces, mostly one.

use facts::points_to::{Offsets, Targets};
use facts::regions::RegionKind;
use facts::{Facts, Point};
use ir::{Expr, FuncId, InitValue, InstKind, Object, ObjectId, Program};
use passes::Unfolded;
use rustc_hash::FxHashMap;

/// An allocation whose size is not a constant gets this many bytes; executions that need more are beyond the bounds.
pub const UNKNOWN_SIZE: u64 = 256;
/// Arrays with more pieces than this are not taken apart.
const MOST_PIECES: usize = 1 << 14;
/// An address that may be anything is compared with so many places.
const MOST_ANYWHERE: usize = 256;

/// Index of an object.
pub type Obj = usize;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Static(ObjectId),
    /// The copy of a thread.
    ThreadLocal(ObjectId, usize),
    Allocated(Point),
    Function(FuncId),
}

pub struct Place {
    pub size: u64,
    pub constant: bool,
    /// Contents at first: nothing if they may be anything.
    initial: Option<Vec<u8>>,
    /// Where pieces begin, ascending; the last number is where the last one ends.
    cuts: Vec<u64>,
    /// The number of the first piece.
    first: usize,
}

/// A piece of an object: the unit of memory.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub object: Obj,
    pub offset: u64,
    pub size: u64,
}

pub struct Space {
    pub pointer_bits: u32,
    pub offset_bits: u32,
    /// Offsets have as many bits as in the interpreter.
    pub exact: bool,
    pub objects: Vec<Place>,
    by_kind: FxHashMap<Kind, Obj>,
    pub pieces: Vec<Piece>,
}

/// Why a program cannot be encoded.
#[derive(Clone, Debug)]
pub struct TooHard {
    pub what: String,
    pub point: Point,
}

impl Space {
    pub fn new(unfolded: &Unfolded, facts: &Facts) -> Result<Space, TooHard> {
        let program = &unfolded.program;
        let mut space = Space {
            pointer_bits: u32::from(program.data_model.pointer_bits()),
            offset_bits: 32,
            exact: true,
            objects: Vec::new(),
            by_kind: FxHashMap::default(),
            pieces: Vec::new(),
        };
        for (id, object) in program.objects.iter() {
            if object.thread_local {
                for thread in 0..unfolded.threads.len() {
                    // A thread may write to its copy of a constant, as it may in the interpreter.
                    space.add(Kind::ThreadLocal(id, thread), object.size, false);
                }
            } else {
                space.add(Kind::Static(id), object.size, object.constant);
            }
        }
        for func in program.functions.ids() {
            space.add(Kind::Function(func), 0, true);
        }
        let mut zeroed = Vec::new();
        for_each_instruction(unfolded, &mut |point, kind| {
            if let InstKind::Alloc { size, zeroed: zero, .. } = kind {
                let size = match size {
                    Expr::Const(_, bytes) => u64::try_from(*bytes).unwrap_or(u64::MAX),
                    _ => UNKNOWN_SIZE,
                };
                let object = space.add(Kind::Allocated(point), size, false);
                if *zero {
                    zeroed.push(object);
                }
            }
        });
        // As many bits as in the interpreter, if that leaves enough for the names: pointers then leave their objects at the same
        // places.
        let names = usize::BITS - (space.objects.len() + 1).leading_zeros();
        let interpreted = ir::interp::Space::new(program).static_address(ObjectId(0)).trailing_zeros();
        space.exact = interpreted + names <= space.pointer_bits;
        space.offset_bits = if space.exact { interpreted } else { space.pointer_bits - names };
        if space.objects.iter().any(|object| object.size > 1 << (space.offset_bits - 1)) {
            let point = Point::new(program.entry, ir::Function::ENTRY, 0);
            return Err(TooHard {
                what: "an object too large to be told from so many others by a pointer".into(),
                point,
            });
        }
        space.cut_into_pieces(unfolded, facts);
        for object in zeroed {
            space.objects[object].initial = Some(Vec::new());
        }
        for (id, object) in program.objects.iter() {
            let bytes = space.initial_bytes(program, object);
            if object.thread_local {
                for thread in 0..unfolded.threads.len() {
                    let at = space.by_kind[&Kind::ThreadLocal(id, thread)];
                    space.objects[at].initial = Some(bytes.clone());
                }
            } else {
                let at = space.by_kind[&Kind::Static(id)];
                space.objects[at].initial = Some(bytes);
            }
        }
        Ok(space)
    }

    fn add(&mut self, kind: Kind, size: u64, constant: bool) -> Obj {
        let place = Place { size, constant, initial: None, cuts: Vec::new(), first: 0 };
        self.objects.push(place);
        self.by_kind.insert(kind, self.objects.len() - 1);
        self.objects.len() - 1
    }

    pub fn object(&self, kind: Kind) -> Obj {
        self.by_kind[&kind]
    }

    /// The pointer to a place in an object.
    pub fn pointer(&self, object: Obj, offset: i64) -> u128 {
        let offset = offset as u128 & ((1 << self.offset_bits) - 1);
        ir::mask(((object as u128 + 1) << self.offset_bits) | offset, self.pointer_bits)
    }

    /// The object and offset of a pointer, if it is one.
    pub fn locate(&self, pointer: u128) -> Option<(Obj, u64)> {
        let object = usize::try_from((pointer >> self.offset_bits).checked_sub(1)?).ok()?;
        let offset = (pointer & ((1 << self.offset_bits) - 1)) as u64;
        (object < self.objects.len()).then_some((object, offset))
    }

    /// May `size` bytes at the offset be accessed, and written if `write`?
    pub fn valid(&self, object: Obj, offset: u64, size: u64, write: bool) -> bool {
        let place = &self.objects[object];
        offset.checked_add(size).is_some_and(|end| end <= place.size) && !(write && place.constant)
    }

    /// The pieces that `size` bytes at the offset consist of; nothing if nobody foresaw the access.
    pub fn pieces_at(&self, object: Obj, offset: u64, size: u64) -> Option<std::ops::Range<usize>> {
        let place = &self.objects[object];
        let from = place.cuts.binary_search(&offset).ok()?;
        let to = place.cuts.binary_search(&(offset + size)).ok()?;
        Some(place.first + from..place.first + to)
    }

    /// All places that are a piece of this size, if they are not too many.
    pub fn pieces_of_size(&self, size: u64) -> Option<Vec<(Obj, u64)>> {
        let places: Vec<_> = self.pieces.iter().filter(|piece| piece.size == size).collect();
        (places.len() <= MOST_ANYWHERE).then(|| places.iter().map(|piece| (piece.object, piece.offset)).collect())
    }

    /// What the piece holds at first; nothing if it may be anything.
    pub fn initial(&self, piece: usize) -> Option<u128> {
        let piece = self.pieces[piece];
        let bytes = self.objects[piece.object].initial.as_ref()?;
        let byte = |i: u64| bytes.get((piece.offset + i) as usize).copied().unwrap_or(0);
        Some((0..piece.size).rev().fold(0, |value, i| (value << 8) | u128::from(byte(i))))
    }

    /// The concrete places an access of `size` bytes may go to, by what its address may point to.
    pub fn places(&self, unfolded: &Unfolded, facts: &Facts, targets: &Targets, size: u64) -> Option<Vec<(Obj, u64)>> {
        if targets.all || targets.wild {
            return None;
        }
        let mut res = Vec::new();
        for target in targets.iter() {
            for object in self.objects_of(unfolded, facts, target.region) {
                for offset in self.offsets_within(object, target.offsets, size)? {
                    res.push((object, offset));
                }
            }
        }
        res.sort_unstable();
        res.dedup();
        Some(res)
    }

    fn objects_of(&self, unfolded: &Unfolded, facts: &Facts, region: facts::RegionId) -> Vec<Obj> {
        match facts.regions.all[region].kind {
            RegionKind::Static(id) => vec![self.object(Kind::Static(id))],
            RegionKind::ThreadLocal(id) => {
                (0..unfolded.threads.len()).map(|thread| self.object(Kind::ThreadLocal(id, thread))).collect()
            }
            RegionKind::Stack(point) | RegionKind::Heap(point) => {
                self.by_kind.get(&Kind::Allocated(point)).copied().into_iter().collect()
            }
            RegionKind::Function(_) | RegionKind::Thread(_) => Vec::new(),
        }
    }

    fn offsets_within(&self, object: Obj, offsets: Offsets, size: u64) -> Option<Vec<u64>> {
        let room = self.objects[object].size;
        if size > room || offsets.base < 0 {
            return Some(Vec::new());
        }
        let last = room - size;
        let base = offsets.base as u64;
        if offsets.is_exact() {
            return Some(if base <= last { vec![base] } else { Vec::new() });
        }
        let count = (last.checked_sub(base)).map_or(0, |far| far / offsets.stride + 1);
        if count as usize > MOST_PIECES {
            return None;
        }
        Some((0..count).map(|k| base + k * offsets.stride).collect())
    }

    /// An access whose address may be anything cuts nothing: it must turn out to go to pieces that others make, or fail.
    fn cut_into_pieces(&mut self, unfolded: &Unfolded, facts: &Facts) {
        let mut cuts: Vec<Vec<u64>> = vec![Vec::new(); self.objects.len()];
        for_each_instruction(unfolded, &mut |point, kind| {
            let Some((_, ty)) = facts::accesses::access_of(kind) else { return };
            if matches!(kind, InstKind::Free { .. }) {
                return;
            }
            let size = unfolded.program.size_of(ty);
            let Some(targets) = facts.points_to.address(point) else { return };
            for (object, offset) in self.places(unfolded, facts, targets, size).unwrap_or_default() {
                cuts[object].extend([offset, offset + size]);
            }
        });
        for (object, mut cuts) in cuts.into_iter().enumerate() {
            cuts.sort_unstable();
            cuts.dedup();
            self.objects[object].first = self.pieces.len();
            for ends in cuts.windows(2) {
                // Long pieces lie between accesses, where nobody looks.
                let size = (ends[1] - ends[0]).min(16);
                self.pieces.push(Piece { object, offset: ends[0], size });
            }
            self.objects[object].cuts = cuts;
        }
    }

    fn initial_bytes(&self, program: &Program, object: &Object) -> Vec<u8> {
        object.initial_bytes(program, &|address| match address {
            InitValue::Object(id, offset) => self.pointer(self.object(Kind::Static(*id)), *offset),
            InitValue::Function(func) => self.pointer(self.object(Kind::Function(*func)), 0),
            InitValue::Scalar(..) | InitValue::Bytes(_) => unreachable!("only addresses are asked for"),
        })
    }
}

/// Visits every instruction of the threads.
pub fn for_each_instruction(unfolded: &Unfolded, f: &mut dyn FnMut(Point, &InstKind)) {
    for thread in &unfolded.threads {
        for (block, data) in unfolded.program.functions[thread.func].blocks.iter() {
            for (i, inst) in data.insts.iter().enumerate() {
                f(Point::new(thread.func, block, i), &inst.kind);
            }
        }
    }
}
