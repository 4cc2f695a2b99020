//! Memory as integers: the objects and pieces of the unfolded program, and pointers as numbers.
//!
//! A pointer is the object's name times the room that every object has, plus the offset.  Names begin where those of the
//! interpreter do, if there are bits enough: numbers that programs make up are addresses of nothing.

use base::{Id, Interval};
use facts::Facts;
use ir::ObjectId;
use passes::Unfolded;
pub use passes::memory::{Kind, Memory, Obj, Piece, PieceId, Pieces, Stored};
use std::ops::Deref;

/// An address that may be more places than this is refused.
pub const MOST_PLACES: usize = 128;
/// Memory is cut into pieces for accesses with at most so many places.
pub const MOST_PIECES: usize = 8192;
/// So many bits of a pointer are the offset, where pointers are wide enough.
const ROOM_BITS: u32 = 32;

pub struct Addressed {
    memory: Memory,
    /// How far names are apart.
    pub room: i128,
    first_name: i128,
}

impl Deref for Addressed {
    type Target = Memory;
    fn deref(&self) -> &Memory {
        &self.memory
    }
}

impl Addressed {
    pub fn new(unfolded: &Unfolded, facts: &Facts) -> Self {
        let memory = Memory::new(unfolded, facts, None, MOST_PIECES);
        let pointer_bits = u32::from(unfolded.program.data_model.pointer_bits());
        let interpreted = ir::interp::Space::new(&unfolded.program);
        let first = i128::from(interpreted.static_address(ObjectId(0)) >> interpreted.offset_bits());
        let bits_from = |first: i128| i128::BITS - (first + memory.objects.len() as i128 + 1).leading_zeros();
        let fits = ROOM_BITS + bits_from(first) < pointer_bits;
        let (first_name, room) = match fits {
            true => (first, 1 << ROOM_BITS),
            false => (1, 1 << ROOM_BITS.min(pointer_bits.saturating_sub(1 + bits_from(1)))),
        };
        let mut addressed = Addressed { memory, room, first_name };
        addressed.memory.fill(unfolded, &|object, offset| pointer(room, first_name, object, offset) as u128);
        addressed
    }

    /// An object that does not fit into the room that pointers leave for it.
    pub fn too_large(&self) -> Option<&Stored> {
        self.objects.values().find(|stored| stored.size.is_some_and(|size| i128::from(size) > self.room / 4))
    }

    /// The pointer to a place in an object; positive.
    pub fn pointer(&self, object: Obj, offset: i64) -> i128 {
        pointer(self.room, self.first_name, object, offset)
    }

    /// Numbers from here on may be those of places around objects.
    pub fn first_address(&self) -> i128 {
        self.first_name * self.room - self.room / 4
    }

    /// The name and offset of a pointer.  A quarter of the room lies before the object.
    fn split(&self, pointer: i128) -> (i128, i128) {
        let name = (pointer + self.room / 4).div_euclid(self.room);
        (name, pointer - name * self.room)
    }

    /// The object and offset of a pointer, if it points to or into one.
    pub fn locate(&self, pointer: i128) -> Option<(Obj, u64)> {
        let (name, offset) = self.split(pointer);
        let object = usize::try_from(name - self.first_name).ok()?;
        (object < self.objects.len()).then_some((Obj::new(object), u64::try_from(offset).ok()?))
    }

    /// The pointers with the same name, if all of these have one.
    pub fn room_of(&self, pointers: Interval) -> Option<(i128, i128)> {
        let (low, high) = pointers.ends()?;
        let (name, _) = self.split(low);
        let first = name * self.room - self.room / 4;
        (name == self.split(high).0).then_some((first, first + self.room - 1))
    }
}

fn pointer(room: i128, first_name: i128, object: Obj, offset: i64) -> i128 {
    (first_name + i128::from(object.0)) * room + i128::from(offset)
}
