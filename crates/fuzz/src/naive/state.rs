//! States, kept as plainly as possible: everything in maps, nothing shared, every byte on its own.

use super::value::{Target, Value};
use ir::program::*;
use std::collections::BTreeMap;

/// One byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Byte {
    /// Not written yet: any value.
    Unset,
    Number(u8),
    /// The n-th byte of an address.
    Part(Target, i32, u8),
}

/// What can be read where.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Storage {
    pub bytes: Vec<Byte>,
    pub writable: bool,
    pub origin: Origin,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    Static(ObjectId),
    ThreadLocal(ObjectId),
    /// Made by this instruction.
    Stack(FuncId, BlockId, usize),
    Heap(FuncId, BlockId, usize),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub func: FuncId,
    pub block: BlockId,
    /// Index of the next instruction; one past the last is the terminator.  A frame that waits stands at its call.
    pub inst: usize,
    pub regs: BTreeMap<Reg, Value>,
    /// Objects that die with the frame.
    pub locals: Vec<Target>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    Running,
    Ended(Value),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread {
    pub status: Status,
    pub detached: bool,
    pub atomic: u32,
    pub frames: Vec<Frame>,
    pub thread_locals: BTreeMap<ObjectId, Target>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// Objects that are alive.
    pub memory: BTreeMap<Target, Storage>,
    /// Heap blocks that were freed, with their size and where they come from: a new one of that size may take their place.
    /// Those to which no pointer is left are forgotten.
    pub freed: BTreeMap<Target, (usize, Origin)>,
    /// By handle, from 1.
    pub threads: BTreeMap<u32, Thread>,
    /// How many objects have been made by threads with this handle.
    pub made: BTreeMap<u32, u16>,
}

impl State {
    /// One thread at the entry.
    pub fn initial(program: &Program) -> State {
        let mut state = State::default();
        for (id, object) in program.objects.iter().filter(|(_, object)| !object.thread_local) {
            let bytes = initial_bytes(program, object);
            let storage = Storage { bytes, writable: !object.constant, origin: Origin::Static(id) };
            state.memory.insert(Target::Static(id), storage);
        }
        state.start_thread(program, program.entry, Vec::new());
        state
    }

    /// Starts a thread under the smallest handle that is free.
    pub fn start_thread(&mut self, program: &Program, func: FuncId, args: Vec<Value>) -> u32 {
        let handle = (1..).find(|handle| !self.threads.contains_key(handle)).unwrap_or(1);
        let mut thread_locals = BTreeMap::new();
        for (id, object) in program.objects.iter().filter(|(_, object)| object.thread_local) {
            let target = self.make(handle, initial_bytes(program, object), Origin::ThreadLocal(id));
            thread_locals.insert(id, target);
        }
        let frames = vec![Frame::enter(program, func, args)];
        let thread = Thread { status: Status::Running, detached: false, atomic: 0, frames, thread_locals };
        self.threads.insert(handle, thread);
        handle
    }

    /// A new object.
    pub fn make(&mut self, handle: u32, bytes: Vec<Byte>, origin: Origin) -> Target {
        let count = self.made.entry(handle).or_default();
        let target = Target::Made { handle: handle as u16, n: *count };
        *count += 1;
        self.memory.insert(target, Storage { bytes, writable: true, origin });
        target
    }

    /// The bytes an access touches, or `None` if it is a memory error.
    pub fn bytes_at(&self, address: Value, size: u64) -> Option<&[Byte]> {
        let Value::Address(target, offset) = address else { return None };
        let storage = self.memory.get(&target)?;
        let start = usize::try_from(offset).ok()?;
        storage.bytes.get(start..start.checked_add(size as usize)?)
    }

    /// Writes; false if it is a memory error.
    pub fn write(&mut self, address: Value, bytes: &[Byte]) -> bool {
        if self.bytes_at(address, bytes.len() as u64).is_none() {
            return false;
        }
        let Value::Address(target, offset) = address else { return false };
        match self.memory.get_mut(&target) {
            Some(storage) if storage.writable => {
                storage.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
                true
            }
            _ => false,
        }
    }

    /// The freed blocks whose place one of this size may take.
    pub fn places(&self, size: usize) -> Vec<Target> {
        self.freed.iter().filter(|(_, (freed, _))| *freed == size).map(|(target, _)| *target).collect()
    }

    /// Forgets the freed blocks to which no pointer is left.
    pub fn forget_places(&mut self) {
        let places: Vec<Target> = self.freed.keys().copied().collect();
        for place in places {
            if !self.mentions(place) {
                self.freed.remove(&place);
            }
        }
    }

    fn mentions(&self, wanted: Target) -> bool {
        let is_it = |value: &Value| matches!(value, Value::Address(target, _) if *target == wanted);
        let in_memory = |byte: &Byte| matches!(byte, Byte::Part(target, ..) if *target == wanted);
        let in_thread = |thread: &Thread| {
            let result = match &thread.status {
                Status::Running => false,
                Status::Ended(value) => is_it(value),
            };
            result || thread.frames.iter().any(|frame| frame.regs.values().any(is_it))
        };
        self.memory.values().any(|storage| storage.bytes.iter().any(in_memory)) || self.threads.values().any(in_thread)
    }

    /// The thread in an atomic section.
    pub fn atomic_owner(&self) -> Option<u32> {
        self.threads.iter().find(|(_, thread)| thread.atomic > 0).map(|(handle, _)| *handle)
    }
}

impl Storage {
    pub fn is_heap(&self) -> bool {
        matches!(self.origin, Origin::Heap(..))
    }
}

impl Frame {
    /// The next instruction, unless that is the terminator.
    pub fn inst<'p>(&self, program: &'p Program) -> Option<&'p InstKind> {
        program.functions[self.func].blocks[self.block].insts.get(self.inst).map(|inst| &inst.kind)
    }

    pub fn enter(program: &Program, func: FuncId, args: Vec<Value>) -> Frame {
        let function = &program.functions[func];
        let mut regs: BTreeMap<Reg, Value> = function.regs.ids().map(|reg| (reg, Value::Number(0))).collect();
        for (param, arg) in function.params.iter().zip(args) {
            regs.insert(*param, arg);
        }
        Frame { func, block: Function::ENTRY, inst: 0, regs, locals: Vec::new() }
    }
}

fn initial_bytes(program: &Program, object: &Object) -> Vec<Byte> {
    let mut bytes = vec![Byte::Number(0); object.size as usize];
    for init in &object.init {
        let content = match &init.value {
            InitValue::Scalar(ty, bits) => to_bytes(Value::Number(*bits), program.size_of(*ty)),
            InitValue::Bytes(content) => content.iter().map(|byte| Byte::Number(*byte)).collect(),
            InitValue::Object(target, offset) => {
                to_bytes(Value::Address(Target::Static(*target), *offset as i32), program.data_model.pointer_bytes())
            }
            InitValue::Function(func) => {
                to_bytes(Value::Address(Target::Function(*func), 0), program.data_model.pointer_bytes())
            }
        };
        bytes[init.offset as usize..init.offset as usize + content.len()].copy_from_slice(&content);
    }
    bytes
}

/// A value as bytes, the lowest first.
pub fn to_bytes(value: Value, size: u64) -> Vec<Byte> {
    (0..size)
        .map(|i| match value {
            Value::Number(n) => Byte::Number((n >> (8 * i)) as u8),
            Value::Address(target, offset) => Byte::Part(target, offset, i as u8),
        })
        .collect()
}

/// Bytes as a value; `None` for bytes without a value and for pieces of addresses.
pub fn from_bytes(bytes: &[Byte], pointer_bytes: u64) -> Option<Value> {
    if let [Byte::Part(target, offset, 0), ..] = bytes {
        let address = Value::Address(*target, *offset);
        return (to_bytes(address, pointer_bytes) == bytes).then_some(address);
    }
    let mut n = 0;
    for (i, byte) in bytes.iter().enumerate() {
        let Byte::Number(byte) = byte else { return None };
        n |= u128::from(*byte) << (8 * i);
    }
    Some(Value::Number(n))
}
