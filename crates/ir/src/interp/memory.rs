//! Memory: objects, and pointers into them.
//!
//! A pointer is a number: the object's name in the high bits, the byte offset in the low ones.  So pointers can be kept
//! in memory as plain bytes, and yet an offset never leads from one object into another.  On 64-bit targets the halves
//! are 32 bits each; on 32-bit targets the offset gets as many bits as the largest object of a known size needs.
//!
//! Names: 0 is null; from a first name on come the static objects, the functions, and the names given out at run time.  A thread
//! takes run-time names from a row of its own, so that what other threads allocate meanwhile does not change them and
//! allocations of different threads commute.

use crate::program::*;
use base::Id;

/// How addresses are made.
#[derive(Clone, Debug)]
pub struct Space {
    offset_bits: u32,
    pointer_bits: u32,
    first_static: u32,
    first_function: u32,
    first_dynamic: u32,
    functions: u32,
    /// Where each static object's bytes begin in the state (or in the constants), as an offset in bytes.
    statics: Vec<StaticObject>,
    /// Bytes of all writable static objects together.
    pub writable: u64,
}

#[derive(Clone, Debug)]
struct StaticObject {
    start: u64,
    size: u64,
    constant: bool,
    thread_local: bool,
}

/// No object made at run time is larger.
pub const LARGEST_ALLOCATION: u64 = 1 << 26;

/// Threads whose number differs by this much share a row of names.
pub const ROWS: u32 = 16;

/// An address that is neither null nor in any object.
const NOWHERE: u64 = 4096;

/// The name of the first static object where there are bits enough: numbers that programs make up, small ones and pairs of small
/// ones, are then addresses of nothing, as on a machine, and pointers have their highest sixteen bits free for those who put
/// something there.
const FIRST_NAME: u32 = 0x2a5b;

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// Byte offset into the writable statics, or into the constant ones.
    Static { at: u64, constant: bool, object: ObjectId, offset: u64 },
    /// A run-time object by the index of its name.
    Dynamic { index: u32, offset: u64 },
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryError {
    Null,
    /// Not a pointer to anything that ever existed.
    Wild,
    /// The object has been freed, or its function has returned.
    Dead,
    OutOfBounds,
    ReadOnly,
    /// Free of something that is not the start of a live heap object.
    InvalidFree,
    /// Call of something that is not a function.
    NotAFunction,
    /// Join or detach of something that is not a thread that can be joined.
    NotAThread,
}

impl MemoryError {
    pub fn describe(self) -> &'static str {
        match self {
            MemoryError::Null => "null pointer dereference",
            MemoryError::Wild => "invalid pointer dereference",
            MemoryError::Dead => "access to an object whose life has ended",
            MemoryError::OutOfBounds => "access out of bounds",
            MemoryError::ReadOnly => "write to read-only memory",
            MemoryError::InvalidFree => "invalid free",
            MemoryError::NotAFunction => "call through an invalid function pointer",
            MemoryError::NotAThread => "invalid thread handle",
        }
    }
}

impl Space {
    pub fn new(program: &Program) -> Self {
        let largest = program.objects.values().map(|object| object.size).max().unwrap_or(0).max(largest_alloc(program));
        let pointer_bits = u32::from(program.data_model.pointer_bits());
        // Twice the largest object, so that pointers a little outside stay recognisable.
        let needed = 64 - largest.saturating_mul(2).max(0xffff).leading_zeros();
        let offset_bits = if pointer_bits == 64 { 32 } else { needed.clamp(16, 28) };
        let first_static = if pointer_bits - offset_bits >= 16 { FIRST_NAME } else { 1 };
        let first_function = first_static + program.objects.len() as u32;
        let mut space = Space {
            offset_bits,
            pointer_bits,
            first_static,
            first_function,
            first_dynamic: first_function + program.functions.len() as u32,
            functions: program.functions.len() as u32,
            statics: Vec::with_capacity(program.objects.len()),
            writable: 0,
        };
        let mut constants = 0;
        for object in program.objects.values() {
            let next = if object.constant { &mut constants } else { &mut space.writable };
            // Every object starts on a word: accesses within the first eight bytes never straddle.
            *next = next.next_multiple_of(8);
            let Object { size, constant, thread_local, .. } = *object;
            space.statics.push(StaticObject { start: *next, size, constant, thread_local });
            *next += if thread_local { 0 } else { size };
        }
        space
    }

    /// How many bits of a pointer are its offset.
    pub fn offset_bits(&self) -> u32 {
        self.offset_bits
    }
    pub fn pointer_mask(&self) -> u64 {
        if self.pointer_bits == 64 { u64::MAX } else { (1 << self.pointer_bits) - 1 }
    }
    /// A pointer plus a number of bytes.  A pointer can be somewhat outside its object and come back; one that would leave
    /// what its name has room for is no pointer any more, so that it never gets into another object.
    #[inline]
    pub fn advance(&self, pointer: u64, by: u64) -> u64 {
        let quarter = 1i64 << (self.offset_bits - 2);
        let low = (pointer & ((1 << self.offset_bits) - 1)) as i64;
        // The last quarter below a name belongs to the object of that name: places before its start.
        let offset = if low < 3 * quarter { low } else { low - 4 * quarter };
        let unused = 64 - self.pointer_bits;
        let by = ((by << unused) as i64) >> unused;
        match offset.checked_add(by) {
            Some(there) if -quarter <= there && there < 3 * quarter => {
                pointer.wrapping_add(by as u64) & self.pointer_mask()
            }
            _ => NOWHERE,
        }
    }
    pub fn static_address(&self, object: ObjectId) -> u64 {
        u64::from(self.first_static + object.0) << self.offset_bits
    }
    /// The address of a static object plus an offset.
    pub fn object_address(&self, object: ObjectId, offset: i64) -> u64 {
        self.static_address(object).wrapping_add(offset as u64) & self.pointer_mask()
    }
    pub fn function_address(&self, func: FuncId) -> u64 {
        u64::from(self.first_function + func.0) << self.offset_bits
    }
    pub fn dynamic_address(&self, index: u32) -> u64 {
        u64::from(self.first_dynamic + index) << self.offset_bits
    }
    /// The largest object that can be allocated.
    pub fn largest(&self) -> u64 {
        1 << (self.offset_bits - 1)
    }
    /// How many run-time names there are.
    pub fn names(&self) -> u64 {
        (1 << (self.pointer_bits - self.offset_bits)) - u64::from(self.first_dynamic)
    }
    /// Which run-time name a word would be a pointer to.
    pub fn dynamic_index(&self, word: u64) -> Option<u32> {
        u32::try_from(word >> self.offset_bits).ok()?.checked_sub(self.first_dynamic)
    }
    /// The run-time name that a word would be a pointer to, or to somewhat before it (see [`Space::advance`]).
    pub fn around(&self, word: u64) -> Option<u32> {
        self.dynamic_index(word.wrapping_add(1 << (self.offset_bits - 2)) & self.pointer_mask())
    }
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        let name = u32::try_from(address >> self.offset_bits).ok()?;
        let index = name.checked_sub(self.first_function)?;
        let exact = address & ((1 << self.offset_bits) - 1) == 0;
        (exact && index < self.functions).then_some(FuncId(index))
    }

    /// Where an access of `size` bytes at `address` goes; run-time objects are checked by the caller.
    pub fn locate(&self, address: u64, size: u64) -> Result<Location, MemoryError> {
        let name = address >> self.offset_bits;
        let offset = address & ((1 << self.offset_bits) - 1);
        if address < 4096 {
            return Err(MemoryError::Null);
        }
        let index = name.checked_sub(u64::from(self.first_static)).ok_or(MemoryError::Wild)?;
        match self.statics.get(index as usize) {
            Some(object) if object.thread_local => Err(MemoryError::Wild),
            Some(object) if offset + size > object.size => Err(MemoryError::OutOfBounds),
            Some(StaticObject { start, constant, .. }) => {
                Ok(Location::Static { at: start + offset, constant: *constant, object: ObjectId(index as u32), offset })
            }
            None => {
                let index = self.dynamic_index(address).ok_or(MemoryError::Wild)?;
                Ok(Location::Dynamic { index, offset })
            }
        }
    }

    /// Where a static object's bytes begin among the writable (or the constant) ones.
    pub fn start_of(&self, object: ObjectId) -> u64 {
        self.statics[object.index()].start
    }
}

/// The largest allocation of a known size.
fn largest_alloc(program: &Program) -> u64 {
    let sizes = program.insts().filter_map(|inst| {
        let InstKind::Alloc { size: Expr::Const(_, size), .. } = &inst.kind else { return None };
        // One that is refused when it is reached must not leave the others without names.
        u64::try_from(*size).ok().filter(|size| *size <= LARGEST_ALLOCATION)
    });
    sizes.max().unwrap_or(0)
}

/// Reads `size` bytes at byte offset `at` of little-endian words.
pub fn read_bytes(words: &[u64], at: u64, size: u32) -> u128 {
    let word = (at / 8) as usize;
    let shift = (at % 8) * 8;
    let bits = u64::from(size) * 8;
    if shift + bits <= 64 {
        return mask(u128::from(words[word] >> shift), bits as u32);
    }
    (0..u64::from(size)).rev().fold(0, |value, i| value << 8 | read_bytes(words, at + i, 1))
}

/// Writes the low `size` bytes of `value`.
pub fn write_bytes(words: &mut [u64], at: u64, size: u32, value: u128) {
    let word = (at / 8) as usize;
    let shift = (at % 8) * 8;
    let bits = u64::from(size) * 8;
    if shift + bits <= 64 {
        let ones = if bits == 64 { u64::MAX } else { ((1 << bits) - 1) << shift };
        words[word] = (words[word] & !ones) | (((value as u64) << shift) & ones);
        return;
    }
    (0..u64::from(size)).for_each(|i| write_bytes(words, at + i, 1, value >> (i * 8)));
}

/// Writes an initialiser at `start`, where a word begins; the object shares none of its words with another.
pub fn write_init(space: &Space, program: &Program, words: &mut [u64], start: u64, object: &Object) {
    let bytes = object.initial_bytes(program, &|address| match address {
        InitValue::Object(target, offset) => u128::from(space.object_address(*target, *offset)),
        InitValue::Function(func) => u128::from(space.function_address(*func)),
        InitValue::Scalar(..) | InitValue::Bytes(_) => unreachable!("only addresses are asked for"),
    });
    for (word, bytes) in words[start as usize / 8..].iter_mut().zip(bytes.chunks(8)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
}

/// A run-time object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dynamic {
    pub kind: DynamicKind,
    /// The operation that allocated the first object of this name, or the thread-local object it is a copy of.
    pub site: u32,
    pub size: u64,
    /// Empty once it has ended.
    pub words: Vec<u64>,
    /// One bit per byte that has a value; `None` when all have.
    pub unset: Option<Vec<u64>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DynamicKind {
    Stack = 0,
    Heap = 1,
    ThreadLocal = 2,
    /// Ended, but a pointer to it was still around: its name must not be used again.
    Dead = 3,
    /// The same of a heap block: one of its size may take its place.
    Freed = 4,
}

impl DynamicKind {
    pub fn has_ended(self) -> bool {
        match self {
            DynamicKind::Dead | DynamicKind::Freed => true,
            DynamicKind::Stack | DynamicKind::Heap | DynamicKind::ThreadLocal => false,
        }
    }
}

/// What a run-time object is, for display and for the facts' cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectInfo {
    Static(ObjectId),
    ThreadLocal(ObjectId),
    /// Allocated by the operation at this pc.
    Allocated(u32),
}

impl Dynamic {
    pub fn new(kind: DynamicKind, site: u32, size: u64, zeroed: bool) -> Self {
        let words = vec![0; size.div_ceil(8) as usize];
        // Bits beyond the size count as set, so that "all set" needs no special last word.
        let unset = (!zeroed && size > 0).then(|| {
            let mut bits = vec![u64::MAX; size.div_ceil(64) as usize];
            if !size.is_multiple_of(64)
                && let Some(last) = bits.last_mut()
            {
                *last = (1 << (size % 64)) - 1;
            }
            bits
        });
        Dynamic { kind, site, size, words, unset }
    }
    /// What is left of it once it has ended.
    pub fn ended(self, names: BlockNames) -> Self {
        match (self.kind, names) {
            (DynamicKind::Heap | DynamicKind::Freed, BlockNames::Reused | BlockNames::Kept) => {
                Dynamic { kind: DynamicKind::Freed, words: Vec::new(), unset: None, ..self }
            }
            _ => Dynamic { kind: DynamicKind::Dead, site: 0, size: 0, words: Vec::new(), unset: None },
        }
    }
    pub fn check(&self, offset: u64, size: u64) -> Result<(), MemoryError> {
        match self.kind {
            kind if kind.has_ended() => Err(MemoryError::Dead),
            _ if offset + size > self.size => Err(MemoryError::OutOfBounds),
            _ => Ok(()),
        }
    }
    /// Has any of these bytes no value yet?
    pub fn has_unset(&self, offset: u64, size: u64) -> bool {
        let Some(unset) = &self.unset else { return false };
        (offset..offset + size).any(|byte| unset[(byte / 64) as usize] & (1 << (byte % 64)) != 0)
    }
    pub fn mark_set(&mut self, offset: u64, size: u64) {
        let Some(unset) = &mut self.unset else { return };
        for byte in offset..offset + size {
            unset[(byte / 64) as usize] &= !(1 << (byte % 64));
        }
        if unset.iter().all(|word| *word == 0) {
            self.unset = None;
        }
    }
}
