//! Memory as bit-vectors: the objects and pieces of the unfolded program, and pointers as words.
//!
//! A pointer is the object's name in the high bits and the offset in the low ones, as in the interpreter.  The names begin
//! with the same number, where there are bits enough; those of objects made at run time are others.

use base::Id;
use claim::{Outcome, Reason};
use facts::{Facts, Point};
use ir::ObjectId;
use passes::Unfolded;
use passes::memory::Memory;
pub use passes::memory::{Kind, Obj};
use std::ops::Deref;

/// An allocation whose size is not a constant gets this many bytes; executions that need more are beyond the bounds.
pub const UNKNOWN_SIZE: u64 = 256;
/// Arrays with more pieces than this are not taken apart.
pub const MOST_PIECES: usize = 1 << 14;
/// An address that may be anything is compared with so many places.
const MOST_ANYWHERE: usize = 256;

pub struct Space {
    memory: Memory,
    pub pointer_bits: u32,
    pub offset_bits: u32,
    first_name: u128,
    /// Offsets have as many bits as in the interpreter.
    pub exact: bool,
}

impl Deref for Space {
    type Target = Memory;
    fn deref(&self) -> &Memory {
        &self.memory
    }
}

impl Space {
    pub fn new(unfolded: &Unfolded, facts: &Facts) -> Result<Space, Outcome> {
        let program = &unfolded.program;
        let memory = Memory::new(unfolded, facts, Some(UNKNOWN_SIZE), MOST_PIECES);
        let pointer_bits = u32::from(program.data_model.pointer_bits());
        // As many bits as in the interpreter, if that leaves enough for the names: pointers then leave their objects at the same
        // places.
        let interpreted = ir::interp::Space::new(program);
        let bits_from = |first: u128| u128::BITS - (first + memory.objects.len() as u128).leading_zeros();
        let first = u128::from(interpreted.static_address(ObjectId(0)) >> interpreted.offset_bits());
        let exact = interpreted.offset_bits() + bits_from(first) <= pointer_bits;
        let first_name = if exact { first } else { 1 };
        let offset_bits = if exact { interpreted.offset_bits() } else { pointer_bits - bits_from(1) };
        if memory.objects.values().any(|object| object.size.is_some_and(|size| size > 1 << (offset_bits - 1))) {
            let what = "an object too large to be told from so many others by a pointer".into();
            let pos = program.pos(Point::new(program.entry, ir::Function::ENTRY, 0));
            return Err(Outcome::Unknown(Reason::Unsupported { what, pos }));
        }
        let mut space = Space { memory, pointer_bits, offset_bits, first_name, exact };
        space.memory.fill(unfolded, &|object, offset| pointer(pointer_bits, offset_bits, first_name, object, offset));
        Ok(space)
    }

    /// The pointer to a place in an object.
    pub fn pointer(&self, object: Obj, offset: i64) -> u128 {
        pointer(self.pointer_bits, self.offset_bits, self.first_name, object, offset)
    }

    /// The names of objects.
    pub fn names(&self) -> std::ops::Range<u128> {
        self.first_name..self.first_name + self.objects.len() as u128
    }

    /// The object and offset of a pointer, if it is one.
    pub fn locate(&self, pointer: u128) -> Option<(Obj, u64)> {
        let object = usize::try_from((pointer >> self.offset_bits).checked_sub(self.first_name)?).ok()?;
        let offset = (pointer & ((1 << self.offset_bits) - 1)) as u64;
        (object < self.objects.len()).then_some((Obj::new(object), offset))
    }

    /// All places that are a piece of this size, if they are not too many.
    pub fn pieces_of_size(&self, size: u64) -> Option<Vec<(Obj, u64)>> {
        let places: Vec<_> = self.pieces.values().filter(|piece| piece.size == size).collect();
        (places.len() <= MOST_ANYWHERE).then(|| places.iter().map(|piece| (piece.object, piece.offset)).collect())
    }
}

fn pointer(pointer_bits: u32, offset_bits: u32, first_name: u128, object: Obj, offset: i64) -> u128 {
    let offset = offset as u128 & ((1 << offset_bits) - 1);
    ir::mask(((first_name + u128::from(object.0)) << offset_bits) | offset, pointer_bits)
}
