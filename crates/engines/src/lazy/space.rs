//! Memory as bit-vectors: the objects and pieces of the unfolded program, and pointers as words.
//!
//! A pointer is the object's name in the high bits and the offset in the low ones, as in the interpreter.  The names begin
//! with the same number, where there are bits enough; those of objects made at run time are others.
//!
//! A pointer keeps the name of its object when it is moved before it: its offset is one of the largest then.  Its *number*, which
//! order, casts and integers in memory are about, has the name below.

use base::{BitSet, Id};
use claim::{Outcome, Reason};
use facts::{Facts, Point};
use ir::{Access, ObjectId, Ty};
use passes::Unfolded;
pub use passes::memory::{Kind, Obj};
use passes::memory::{Memory, PieceId, Pieces};
use std::ops::Deref;

/// An allocation whose size is not a constant gets this many bytes; executions that need more are beyond the bounds.
pub const UNKNOWN_SIZE: u64 = 256;
/// Arrays with more pieces than this are not taken apart.
pub const MOST_PIECES: usize = 1 << 14;
/// An address that may be anything is compared with so many places.
const MOST_ANYWHERE: usize = 256;

pub struct Space {
    memory: Memory,
    pub form: Form,
    /// Offsets have as many bits as in the interpreter.
    pub exact: bool,
    /// Pieces that somebody accesses otherwise than as pointers: they hold numbers.
    numbers: BitSet,
}

impl Deref for Space {
    type Target = Memory;
    fn deref(&self) -> &Memory {
        &self.memory
    }
}

/// How pointers are written.
#[derive(Clone, Copy)]
pub struct Form {
    pub pointer_bits: u32,
    pub offset_bits: u32,
    first_name: u128,
}

impl Form {
    /// The pointer to a place in an object.
    pub fn pointer(self, object: Obj, offset: i64) -> u128 {
        let offset = offset as u128 & ((1 << self.offset_bits) - 1);
        let name = self.first_name + u128::from(object.0);
        ir::mask((name << self.offset_bits) | offset, self.pointer_bits)
    }

    /// The number of a pointer.
    pub fn number(self, pointer: u128) -> u128 {
        self.renamed(pointer, false)
    }
    /// The pointer of which this is the number.
    pub fn pointer_of(self, number: u128) -> u128 {
        self.renamed(number, true)
    }
    /// The pointer with the name below, or the number with the next, if it is in the last quarter of what a name has room for: before
    /// its object.
    fn renamed(self, pointer: u128, next: bool) -> u128 {
        let (is_before, one) = ((pointer >> (self.offset_bits - 2)) & 3 == 3, 1 << self.offset_bits);
        match (is_before, next) {
            (false, _) => pointer,
            (true, true) => ir::mask(pointer + one, self.pointer_bits),
            (true, false) => ir::mask(pointer.wrapping_sub(one), self.pointer_bits),
        }
    }
}

impl Space {
    pub fn new(unfolded: &Unfolded, facts: &Facts) -> Result<Space, Outcome> {
        let program = &unfolded.program;
        let mut memory = Memory::new(unfolded, facts, Some(UNKNOWN_SIZE), MOST_PIECES);
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
        let form = Form { pointer_bits, offset_bits, first_name };
        memory.fill(unfolded, &|object, offset| form.number(form.pointer(object, offset)));
        let mut space = Space { memory, form, exact, numbers: BitSet::new() };
        let mut numbers = BitSet::new();
        space.for_each_access(unfolded, facts, &mut |_, access, pieces| {
            if access.ty != Ty::Ptr {
                pieces.iter().for_each(|piece| _ = numbers.insert(piece.index()));
            }
        });
        space.numbers = numbers;
        Ok(space)
    }

    /// Calls `f` for each access of the program with the pieces that it may touch.
    pub fn for_each_access(
        &self,
        unfolded: &Unfolded,
        facts: &Facts,
        f: &mut dyn FnMut(Point, &Access<'_>, &[PieceId]),
    ) {
        unfolded.for_each_instruction(&mut |point, kind| {
            let (Some(access), Some(targets)) = (kind.access(), facts.points_to.address(point)) else { return };
            let size = unfolded.program.size_of(access.ty);
            let pieces: Vec<PieceId> = match self.places(MOST_PIECES, unfolded, facts, targets, size) {
                Some(places) => {
                    let pieces = places.iter().map(|(object, offset)| self.pieces_at(*object, *offset, size));
                    pieces.flatten().flatten().collect()
                }
                // Anything at all.
                None => self.pieces.ids().collect(),
            };
            f(point, &access, &pieces);
        });
    }

    /// Do these pieces, which are accessed together as a pointer, hold a number?
    pub fn hold_number(&self, pieces: &Pieces) -> bool {
        pieces.len() > 1 || pieces.clone().any(|piece| self.numbers.contains(piece.index()))
    }

    /// What the piece holds at first; `None` if it may be anything.
    pub fn first_content(&self, piece: PieceId) -> Option<u128> {
        let is_pointer = self.pieces[piece].size * 8 == u64::from(self.form.pointer_bits);
        let value = self.initial(piece)?;
        Some(if is_pointer && !self.numbers.contains(piece.index()) { self.form.pointer_of(value) } else { value })
    }

    /// The object and offset of a pointer, if it is one.
    pub fn locate(&self, pointer: u128) -> Option<(Obj, u64)> {
        let Form { offset_bits, first_name, .. } = self.form;
        let object = usize::try_from((pointer >> offset_bits).checked_sub(first_name)?).ok()?;
        let offset = (pointer & ((1 << offset_bits) - 1)) as u64;
        (object < self.objects.len()).then_some((Obj::new(object), offset))
    }

    /// All places that are a piece of this size, if they are not too many.
    pub fn pieces_of_size(&self, size: u64) -> Option<Vec<(Obj, u64)>> {
        let places: Vec<_> = self.pieces.values().filter(|piece| piece.size == size).collect();
        (places.len() <= MOST_ANYWHERE).then(|| places.iter().map(|piece| (piece.object, piece.offset)).collect())
    }
}
