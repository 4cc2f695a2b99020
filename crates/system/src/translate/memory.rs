//! The memory of the unfolded program: a fixed set of objects, each cut into the pieces that become variables.
//!
//! Every allocation of the unfolded program is one object (those in loops are said to be so where they are executed), and so
//! is each thread's copy of a thread-local one.  A pointer is a number: the object's name times the room that every object
//! has, plus the offset.  An object's bytes are cut wherever an access may begin or end, so that each access is some whole
//! pieces, mostly one.

use facts::points_to::{Offsets, Targets};
use facts::regions::RegionKind;
use facts::{Facts, Point, RegionId};
use ir::{Expr, FuncId, InitValue, InstKind, Layout, Object, ObjectId, Program};
use passes::Unfolded;
use rustc_hash::FxHashMap;

/// An address that may be more places than this is refused.
pub const MOST_PLACES: usize = 128;
/// Memory is cut into pieces for accesses with at most so many places.
pub const MOST_PIECES: usize = 8192;
/// So many bits of a pointer are the offset, where pointers are wide enough.
const ROOM_BITS: u32 = 32;

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
    pub kind: Kind,
    /// Nothing if it is not a constant.
    pub size: Option<u64>,
    pub constant: bool,
    pub layout: Option<Layout>,
    /// Contents at first, zero beyond; nothing if they may be anything.
    initial: Option<Vec<u8>>,
    /// Where pieces begin, ascending; the last number is where the last one ends.
    cuts: Vec<u64>,
    /// The number of the first piece.
    first: usize,
}

/// A piece of an object: what becomes a variable.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub object: Obj,
    pub offset: u64,
    pub size: u64,
}

pub struct Memory {
    /// How far names are apart.
    pub room: i128,
    pub objects: Vec<Place>,
    by_kind: FxHashMap<Kind, Obj>,
    pub pieces: Vec<Piece>,
}

impl Memory {
    pub fn new(unfolded: &Unfolded, facts: &Facts) -> Memory {
        let program = &unfolded.program;
        let mut memory = Memory { room: 0, objects: Vec::new(), by_kind: FxHashMap::default(), pieces: Vec::new() };
        for (id, object) in program.objects.iter() {
            let layout = || Some(object.layout.clone());
            if object.thread_local {
                for thread in 0..unfolded.threads.len() {
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
        for_each_instruction(unfolded, &mut |point, kind| {
            if let InstKind::Alloc { size, zeroed, layout, .. } = kind {
                let size = match size {
                    Expr::Const(_, bytes) => u64::try_from(*bytes).ok(),
                    _ => None,
                };
                let object = memory.add(Kind::Allocated(point), size, false, layout.clone());
                if *zeroed {
                    memory.objects[object].initial = Some(Vec::new());
                }
            }
        });
        let names = usize::BITS - (memory.objects.len() + 2).leading_zeros();
        let room_bits = ROOM_BITS.min(u32::from(program.data_model.pointer_bits()).saturating_sub(1 + names));
        memory.room = 1 << room_bits;
        memory.cut_into_pieces(unfolded, facts);
        for (id, object) in program.objects.iter() {
            let bytes = memory.initial_bytes(program, object);
            for place in &mut memory.objects {
                if matches!(place.kind, Kind::Static(of) | Kind::ThreadLocal(of, _) if of == id) {
                    place.initial = Some(bytes.clone());
                }
            }
        }
        memory
    }

    fn add(&mut self, kind: Kind, size: Option<u64>, constant: bool, layout: Option<Layout>) -> Obj {
        self.objects.push(Place { kind, size, constant, layout, initial: None, cuts: Vec::new(), first: 0 });
        self.by_kind.insert(kind, self.objects.len() - 1);
        self.objects.len() - 1
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

    /// An object that does not fit into the room that pointers leave for it.
    pub fn too_large(&self) -> Option<&Place> {
        self.objects.iter().find(|place| place.size.is_some_and(|size| i128::from(size) > self.room / 4))
    }

    pub fn object(&self, kind: Kind) -> Obj {
        self.by_kind[&kind]
    }

    /// The pointer to a place in an object; positive.
    pub fn pointer(&self, object: Obj, offset: i64) -> i128 {
        (object as i128 + 1) * self.room + i128::from(offset)
    }

    /// The name and offset of a pointer.  A quarter of the room lies before the object.
    fn split(&self, pointer: i128) -> (i128, i128) {
        let name = (pointer + self.room / 4).div_euclid(self.room);
        (name, pointer - name * self.room)
    }

    /// The object and offset of a pointer, if it points to or into one.
    pub fn locate(&self, pointer: i128) -> Option<(Obj, u64)> {
        let (name, offset) = self.split(pointer);
        let object = usize::try_from(name.checked_sub(1)?).ok()?;
        (object < self.objects.len()).then_some((object, u64::try_from(offset).ok()?))
    }

    /// The pointers with the same name, if all between the two have one.
    pub fn room_of(&self, low: i128, high: i128) -> Option<(i128, i128)> {
        let (name, _) = self.split(low);
        let first = name * self.room - self.room / 4;
        (name == self.split(high).0).then_some((first, first + self.room - 1))
    }

    /// May `size` bytes at the offset be accessed, and written if `write`?
    pub fn valid(&self, object: Obj, offset: u64, size: u64, write: bool) -> bool {
        let place = &self.objects[object];
        let within = |all: u64| offset.checked_add(size).is_some_and(|end| end <= all);
        place.size.is_some_and(within) && !(write && place.constant)
    }

    /// The pieces that `size` bytes at the offset consist of; nothing if nobody foresaw the access.
    pub fn pieces_at(&self, object: Obj, offset: u64, size: u64) -> Option<std::ops::Range<usize>> {
        let place = &self.objects[object];
        let from = place.cuts.binary_search(&offset).ok()?;
        let to = place.cuts.binary_search(&(offset + size)).ok()?;
        Some(place.first + from..place.first + to)
    }

    /// All pieces of an object.
    pub fn pieces_of(&self, object: Obj) -> std::ops::Range<usize> {
        let place = &self.objects[object];
        place.first..place.first + place.cuts.len().saturating_sub(1)
    }

    /// What the piece holds at first, by its bits; nothing if it may be anything.
    pub fn initial(&self, piece: usize) -> Option<u128> {
        let piece = self.pieces[piece];
        let bytes = self.objects[piece.object].initial.as_ref()?;
        let byte = |i: u64| bytes.get((piece.offset + i) as usize).copied().unwrap_or(0);
        Some((0..piece.size).rev().fold(0, |value, i| (value << 8) | u128::from(byte(i))))
    }

    /// The places an access of `size` bytes may go to, by what its address may point to; nothing if they are too many.
    pub fn places(&self, unfolded: &Unfolded, facts: &Facts, targets: &Targets, size: u64) -> Option<Vec<(Obj, u64)>> {
        self.places_up_to(MOST_PLACES, unfolded, facts, targets, size)
    }

    /// The same with so many places at most.
    pub fn places_up_to(
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
        for target in targets.iter() {
            for object in self.objects_of(unfolded, facts, target.region) {
                self.offsets_within(most, object, target.offsets, size, &mut res)?;
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
                (0..unfolded.threads.len()).map(|thread| self.object(Kind::ThreadLocal(id, thread))).collect()
            }
            RegionKind::Stack(point) | RegionKind::Heap(point) => {
                self.by_kind.get(&Kind::Allocated(point)).copied().into_iter().collect()
            }
            RegionKind::Function(_) | RegionKind::Thread(_) => Vec::new(),
        }
    }

    fn offsets_within(
        &self,
        most: usize,
        object: Obj,
        offsets: Offsets,
        size: u64,
        into: &mut Vec<(Obj, u64)>,
    ) -> Option<()> {
        // An object of unknown size is refused where it is allocated.
        let room = self.objects[object].size.unwrap_or(0);
        if size > room || offsets.base < 0 {
            return Some(());
        }
        let (base, last) = (offsets.base as u64, room - size);
        if offsets.is_exact() {
            into.extend((base <= last).then_some((object, base)));
            return Some(());
        }
        let count = last.checked_sub(base).map_or(0, |far| far / offsets.stride + 1);
        if count > most as u64 {
            return None;
        }
        into.extend((0..count).map(|k| (object, base + k * offsets.stride)));
        Some(())
    }

    fn cut_into_pieces(&mut self, unfolded: &Unfolded, facts: &Facts) {
        let mut cuts: Vec<Vec<u64>> = vec![Vec::new(); self.objects.len()];
        for_each_instruction(unfolded, &mut |point, kind| {
            let Some((_, ty)) = facts::accesses::access_of(kind) else { return };
            if matches!(kind, InstKind::Free { .. }) {
                return;
            }
            let size = unfolded.program.size_of(ty);
            let Some(targets) = facts.points_to.address(point) else { return };
            // An address that may be very many may turn out to be a constant on the way.
            let places = self.places_up_to(MOST_PIECES, unfolded, facts, targets, size);
            for (object, offset) in places.unwrap_or_default() {
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
            InitValue::Object(id, offset) => self.pointer(self.object(Kind::Static(*id)), *offset) as u128,
            InitValue::Function(func) => self.pointer(self.object(Kind::Function(*func)), 0) as u128,
            InitValue::Scalar(..) | InitValue::Bytes(_) => unreachable!("only addresses are asked for"),
        })
    }
}

/// Visits every instruction of the threads.
pub fn for_each_instruction<'u>(unfolded: &'u Unfolded, f: &mut dyn FnMut(Point, &'u InstKind)) {
    for thread in &unfolded.threads {
        for (block, data) in unfolded.program.functions[thread.func].blocks.iter() {
            for (i, inst) in data.insts.iter().enumerate() {
                f(Point::new(thread.func, block, i), &inst.kind);
            }
        }
    }
}
