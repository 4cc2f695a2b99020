//! Regions: the abstract objects.  Everything an address (or a thread handle) can stand for, each kind of thing by the place
//! in the program that makes it.
//!
//! A static object is one region; so is a thread-local one, whose per-thread copies are not told apart; all objects allocated
//! by one instruction are one region; each function is one; and each `spawn` instruction is one, standing for the handles of
//! the threads it starts.

use crate::{Functions, Point, Points, Target};
use base::{Id, IdVec};
use ir::interp::{Code, ObjectInfo};
use ir::{AllocKind, Expr, FuncId, InstKind, ObjectId, Program};

base::id!(
    /// An abstract object.
    pub struct RegionId, "region"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    Static(ObjectId),
    /// Each thread's own copy of the object.
    ThreadLocal(ObjectId),
    Stack(Point),
    Heap(Point),
    Function(FuncId),
    /// Handles of the threads the instruction starts; without one: of the first thread.
    Thread(Option<Point>),
}

#[derive(Clone, Debug)]
pub struct Region {
    pub kind: RegionKind,
    /// Size in bytes where all objects of the region have the same, known one.
    pub size: Option<u64>,
    /// Was every byte given a value when the object came into being?
    pub initialised: bool,
}

impl Region {
    /// Does it have bytes that can be loaded and stored?
    pub fn is_memory(&self) -> bool {
        !matches!(self.kind, RegionKind::Function(_) | RegionKind::Thread(_))
    }
}

/// All regions of a program: static objects first, in the order of their ids, then functions, then what instructions make.
#[derive(Clone, Debug)]
pub struct Regions {
    pub all: IdVec<RegionId, Region>,
    functions_from: usize,
    /// The region each point makes (`alloc`, `spawn`).
    at_point: Vec<Option<RegionId>>,
    points: Points,
}

impl Regions {
    pub fn new(functions: Functions<'_>) -> Self {
        let Functions { program, points, .. } = functions;
        let region = |kind, size| Region { kind, size: Some(size), initialised: true };
        let statics = program.objects.iter().map(|(id, object)| match object.thread_local {
            true => region(RegionKind::ThreadLocal(id), object.size),
            false => region(RegionKind::Static(id), object.size),
        });
        let functions_from = program.objects.len();
        let named = program.functions.ids().map(|func| region(RegionKind::Function(func), 0));
        let mut all: IdVec<RegionId, Region> = statics.chain(named).collect();
        let mut at_point = vec![None; points.total];
        for func in program.functions.ids() {
            for (point, kind) in functions.insts(func) {
                let made = if let InstKind::Alloc { kind, size, zeroed, .. } = kind {
                    let kind = match kind {
                        AllocKind::Stack => RegionKind::Stack(point),
                        AllocKind::Heap => RegionKind::Heap(point),
                    };
                    let size = if let Expr::Const(_, bytes) = size { u64::try_from(*bytes).ok() } else { None };
                    Region { kind, size, initialised: *zeroed }
                } else if matches!(kind, InstKind::Spawn { .. }) {
                    region(RegionKind::Thread(Some(point)), 0)
                } else {
                    continue;
                };
                at_point[points.of(point)] = Some(all.push(made));
            }
        }
        all.push(region(RegionKind::Thread(None), 0));
        Regions { all, functions_from, at_point, points: points.clone() }
    }

    /// The region of a static or thread-local object.
    #[inline]
    pub fn of_object(&self, object: ObjectId) -> RegionId {
        RegionId(object.0)
    }

    pub fn of_function(&self, func: FuncId) -> RegionId {
        RegionId::new(self.functions_from + func.index())
    }

    /// The region of what the `alloc` or `spawn` at the point makes; `None` for other and unreachable instructions.
    #[inline]
    pub fn of_point(&self, point: Point) -> Option<RegionId> {
        self.at_point[self.points.of(point)]
    }

    /// The region of an object of a state.
    pub fn of(&self, object: ObjectInfo, code: &Code<'_>) -> Option<RegionId> {
        match object {
            ObjectInfo::Static(id) | ObjectInfo::ThreadLocal(id) => Some(self.of_object(id)),
            ObjectInfo::Allocated(pc) => self.of_point(code.points[pc as usize]),
        }
    }

    /// May an access of that many bytes go there?  Outside of an object, or to what has no bytes, it is an error.
    pub fn have(&self, target: &Target, size: u64) -> bool {
        let region = &self.all[target.region];
        region.is_memory() && region.size.is_none_or(|all| target.offsets.may_be_within(size, all))
    }

    /// How a person calls the region: `@name` for static objects and functions, `function.name` for local ones.
    pub fn name(&self, program: &Program, region: RegionId) -> String {
        let function = |point: Point| &program.functions[point.func].name;
        let place = |point: Point| format!("{}.{}", program.block(point).name, point.inst);
        match self.all[region].kind {
            RegionKind::Static(object) | RegionKind::ThreadLocal(object) => program.objects[object].name.clone(),
            RegionKind::Function(func) => format!("{}()", program.functions[func].name),
            RegionKind::Stack(point) | RegionKind::Heap(point) => {
                let given =
                    if let Some(InstKind::Alloc { name, .. }) = program.kind(point) { name.as_str() } else { "" };
                let name = if given.is_empty() { place(point) } else { given.to_string() };
                format!("{}.{name}", function(point))
            }
            RegionKind::Thread(None) => "first thread".into(),
            RegionKind::Thread(Some(point)) => format!("{}.spawn.{}", function(point), place(point)),
        }
    }
}
