//! Heap blocks that take the place of freed ones, said in the unfolded program itself, so that in it every `alloc` can make an
//! object of its own.
//!
//! The facts tell after which `free` an `alloc` may come, so that it may get the block freed there (`facts::reuse`).  Each such
//! `free` puts the pointer, unless that is null, to a *place*, a static object of its own:
//!
//! ```text
//! free %p                      assume %p != @g               for variables that it may point to: to free them is an error
//!                              update ptr @freed.0 set select(%p != null, %p, old)
//!
//! %q = alloc heap 16           %c = havoc choice "place"
//!                              switch %c, 1: taken, default fresh
//!                            taken:
//!                              atomic begin
//!                              %q = update ptr @freed.0 when old != null set null
//!                              %s = alloc stack 16
//!                              %v = load i32 %s              for all that is looked at of such blocks, as far as it goes
//!                              store i32 %q, %v
//!                              atomic end
//!                              jump then
//!                            fresh:
//!                              %q = alloc heap 16
//!                              jump then
//! ```
//!
//! Where no pointer to the block can be left, its place is as good as a new one, and nothing is done.
//!
//! A block that was freed is in exactly one place until it is taken, and can be taken from there once.  Its content is whatever
//! an object holds that was never written.  Without loops a `free` is executed once, so its place is empty before.  In a loop
//! that is kept it may free several blocks, of which the place would hold the last: then taking one is not supported.
//!
//! Some behaviour is added: what was freed can still be accessed (the object does not die), and where a `free` may get blocks
//! of several sizes, or of one that is not known, a block may be taken that does not fit.  None is lost: a block that fits has
//! the size of the new one, and nothing beyond that is written when it is taken.  Where the size is not known, taking a block whose
//! content is looked at is not supported.

use super::{Origin, Unfolded};
use base::{BitSet, Id, IdVec, Pos};
use facts::cells::{CellId, Extent};
use facts::points_to::Targets;
use facts::regions::RegionKind;
use facts::{Facts, Point, RegionId};
use ir::{
    AllocKind, BinOp, Block, BlockId, BlockNames, Expr, FuncId, Input, Inst, InstKind, Layout, Object, ObjectId, Order,
    Program, Reg, RegData, Role, Term, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What an instruction has to do with a freed block, by the number of the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    /// The block freed there goes to this place.
    Freed(usize),
    /// The block is taken from this place.
    Taken(usize),
}

/// Blocks whose content is looked at in unknown ways are not taken if they are larger.
const LARGEST: u64 = 512;

/// About so many instructions take a block from a place.
const TAKING: usize = 8;

/// A `free` whose block somebody may take.
struct Freed {
    /// The static object that is its place.
    object: ObjectId,
    /// The pieces of such a block that anybody looks at; an error says why they cannot be told.
    pieces: Result<Vec<(u64, Ty)>, String>,
    /// Variables that the pointer may point to as well.
    variables: Vec<ObjectId>,
}

/// No block takes the place of another, by the facts of the original: says which blocks they know to be freed.
pub fn tell_frees(unfolded: &mut Unfolded, facts: &Facts) {
    let (mut frees, mut allocs) = (Vec::new(), Vec::new());
    unfolded.for_each_instruction(&mut |point, kind| {
        let Some(origin) = unfolded.origin(point) else { return };
        if matches!(kind, InstKind::Free { .. }) {
            frees.push((point, origin));
        } else if matches!(kind, InstKind::Alloc { kind: AllocKind::Heap, .. }) {
            allocs.push((point, origin));
        }
    });
    for (free, origin) in frees {
        let freed = freed(facts, origin);
        let of = allocs.iter().filter(|(_, origin)| freed.contains(origin)).map(|(alloc, _)| *alloc);
        unfolded.frees.insert(free, of.collect());
    }
}

/// The allocations whose blocks the `free` may get.
fn freed(facts: &Facts, free: Point) -> FxHashSet<Point> {
    let regions = facts::reuse::freed(&facts.regions, &facts.points_to, free);
    let alloc = |region: RegionId| match facts.regions.all[region].kind {
        RegionKind::Heap(alloc) => Some(alloc),
        _ => None,
    };
    regions.into_iter().filter_map(alloc).collect()
}

/// With at most so many instructions more.
pub fn tell(unfolded: &mut Unfolded, mut room: usize) {
    let facts = Facts::without_numbers(&unfolded.program);
    let mut all = Vec::new();
    unfolded.for_each_instruction(&mut |point, kind| {
        if matches!(kind, InstKind::Free { .. }) {
            all.push((point, freed(&facts, point)));
        }
    });
    let mut frees: BTreeSet<Point> = facts.reuse.pairs.iter().map(|(_, free)| *free).collect();
    frees.retain(|free| leaves_pointer(unfolded, &facts, *free));
    let types_of = types_of(&unfolded.program, &facts);
    let mut places = Vec::new();
    for (number, free) in frees.iter().enumerate() {
        let pieces = pieces(&unfolded.program, &facts, &types_of, *free);
        let object = unfolded.program.objects.push(place(number, unfolded.program.data_model.pointer_bytes()));
        let targets = facts.points_to.address(*free).into_iter().flat_map(|targets| targets.iter());
        let kinds = targets.map(|target| facts.regions.all[target.region].kind);
        let variables = kinds.filter_map(|kind| if let RegionKind::Static(id) = kind { Some(id) } else { None });
        places.push(Freed { object, pieces, variables: variables.collect() });
    }
    let number: FxHashMap<Point, usize> = frees.into_iter().zip(0..).collect();
    let mut takes: FxHashMap<Point, Vec<usize>> = FxHashMap::default();
    for (alloc, free) in &facts.reuse.pairs {
        if let Some(number) = number.get(free) {
            takes.entry(*alloc).or_default().push(*number);
        }
    }
    let functions: Vec<FuncId> = unfolded.threads.values().map(|thread| thread.func).collect();
    let mut moved: FxHashMap<Point, Point> = FxHashMap::default();
    for func in functions {
        let touched = |point: &Point| point.func == func;
        if takes.keys().any(touched) || number.keys().any(touched) {
            let room = &mut room;
            let moved = &mut moved;
            Rewrite { unfolded, func, places: &places, new: Rewritten::default(), room, moved }.run(&number, &takes);
        }
    }
    let now = |point: &Point| moved.get(point).copied().unwrap_or(*point);
    unfolded.frees = all.iter().map(|(free, allocs)| (now(free), allocs.iter().map(now).collect())).collect();
}

/// May a pointer to the block be left once it is freed: in memory, in a register that is still read, with another thread?
/// If not, its place is as good as a new one.
fn leaves_pointer(unfolded: &Unfolded, facts: &Facts, free: Point) -> bool {
    let points_to = &facts.points_to;
    let freed = facts::reuse::freed(&facts.regions, points_to, free);
    let freed: BitSet = freed.iter().map(|region| region.index()).collect();
    let is_freed =
        |targets: &Targets| targets.all || targets.iter().any(|target| freed.contains(target.region.index()));
    if unfolded.program.block_names == BlockNames::Kept
        || points_to.wild_access
        || is_freed(&points_to.thread_result)
        || points_to.handed_to_threads.intersects(&freed)
        || facts.regions.all.ids().any(|region| points_to.contents(region).intersects(&freed))
    {
        return true;
    }
    let live = facts.liveness.before(free.func, free.block, free.inst as usize + 1);
    unfolded.threads.values().map(|thread| thread.func).any(|func| {
        let mut values = facts.values[func].values.iter();
        values.any(|(id, value)| {
            (func != free.func || live.contains(value.reg.index())) && is_freed(points_to.value(func, id))
        })
    })
}

/// The object that holds the pointer to a freed block.
fn place(number: usize, pointer_bytes: u64) -> Object {
    Object {
        name: format!("freed.{number}"),
        layout: Layout::Pointer(None),
        size: pointer_bytes,
        align: pointer_bytes,
        thread_local: false,
        constant: false,
        internal: true,
        init: Vec::new(),
        pos: Pos::NONE,
    }
}

/// The types of the accesses to each cell.
fn types_of(program: &Program, facts: &Facts) -> FxHashMap<CellId, Vec<Ty>> {
    let mut wanted: FxHashMap<CellId, Vec<Ty>> = FxHashMap::default();
    for access in &facts.accesses {
        let Some(ty) = program.kind(access.point).and_then(InstKind::access).map(|access| access.ty) else { continue };
        for cell in access.reads.iter().chain(access.writes.iter()).map(CellId::new) {
            let types = wanted.entry(cell).or_default();
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
    }
    wanted
}

/// What is looked at of the blocks that a `free` may get.
fn pieces(
    program: &Program,
    facts: &Facts,
    types_of: &FxHashMap<CellId, Vec<Ty>>,
    free: Point,
) -> Result<Vec<(u64, Ty)>, String> {
    let regions = facts::reuse::freed(&facts.regions, &facts.points_to, free);
    let in_loop = |point: Point| facts.cfgs[point.func].in_loop(point.block);
    let made_in_loop = |region: RegionId| match facts.regions.all[region].kind {
        RegionKind::Heap(alloc) => in_loop(alloc),
        _ => true,
    };
    if in_loop(free) && (regions.len() != 1 || regions.iter().any(|region| made_in_loop(*region))) {
        return Err("a block that takes the place of one freed in a loop".into());
    }
    let mut found: Vec<(u64, Ty)> = Vec::new();
    for (cell, types) in types_of.iter().filter(|(cell, _)| regions.contains(&facts.cells.all[**cell].region)) {
        let cell = &facts.cells.all[*cell];
        let (start, end) = match cell.extent {
            Extent::Exact { start, end } => (start, end),
            Extent::Strided(_) | Extent::Rest => match facts.regions.all[cell.region].size {
                Some(size) if size <= LARGEST => (0, size),
                _ => return Err("a block whose content is not known takes the place of a freed one".into()),
            },
        };
        let whole = types.iter().copied().filter(|ty| program.size_of(*ty) == end - start);
        match whole.max_by_key(|ty| *ty == Ty::Ptr) {
            Some(ty) => found.push((start, ty)),
            None => found.extend(as_integers(start, end)),
        }
    }
    Ok(sorted(found, program))
}

fn sorted(mut pieces: Vec<(u64, Ty)>, program: &Program) -> Vec<(u64, Ty)> {
    pieces.sort_by_key(|(at, ty)| (*at, program.size_of(*ty)));
    pieces.dedup();
    pieces
}

/// The bytes from `start` to `end`, taken apart.
fn as_integers(start: u64, end: u64) -> Vec<(u64, Ty)> {
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        let size = [8, 4, 2, 1].into_iter().find(|size| at + size <= end && at.is_multiple_of(*size)).unwrap_or(1);
        found.push((at, Ty::Int(8 * size as u8)));
        at += size;
    }
    found
}

/// The pieces as far as a block of the size has them; `None` if that is not known.
fn within(pieces: &[(u64, Ty)], size: &Expr, program: &Program) -> Option<Vec<(u64, Ty)>> {
    let Expr::Const(_, size) = size else { return pieces.is_empty().then(Vec::new) };
    let size = u64::try_from(*size).ok()?;
    let cut = |(at, ty): &(u64, Ty)| match at + program.size_of(*ty) <= size {
        true => vec![(*at, *ty)],
        false => as_integers(*at, size),
    };
    Some(sorted(pieces.iter().flat_map(cut).collect(), program))
}

/// Writes one function anew.
struct Rewrite<'a> {
    unfolded: &'a mut Unfolded,
    func: FuncId,
    places: &'a [Freed],
    new: Rewritten,
    /// So many instructions more there may be.
    room: &'a mut usize,
    /// Where what frees or allocates is now.
    moved: &'a mut FxHashMap<Point, Point>,
}

#[derive(Default)]
struct Rewritten {
    blocks: IdVec<BlockId, Block>,
    origins: Vec<Vec<Origin>>,
    /// The block under construction.
    insts: Vec<Inst>,
    from: Vec<Origin>,
    /// How many registers were added.
    added: usize,
}

impl Rewrite<'_> {
    fn run(mut self, frees: &FxHashMap<Point, usize>, allocs: &FxHashMap<Point, Vec<usize>>) {
        let old_blocks = std::mem::take(&mut self.unfolded.program.functions[self.func].blocks);
        let old_origins = self.unfolded.origins.remove(&self.func).unwrap_or_default();
        // Targets in the terminators that are copied are numbers of old blocks, those that are made here of new ones.
        let mut first = Vec::new();
        let mut copied = Vec::new();
        for ((id, block), origins) in old_blocks.iter().zip(&old_origins) {
            first.push(self.new.blocks.next_id());
            for (i, inst) in block.insts.iter().enumerate() {
                let point = Point::new(self.func, id, i);
                let origin = origins.get(i).copied().flatten();
                let now = match &inst.kind {
                    InstKind::Free { addr } if frees.contains_key(&point) => {
                        self.free(frees[&point], addr, inst.pos, origin)
                    }
                    InstKind::Alloc { .. } if allocs.contains_key(&point) => self.alloc(&allocs[&point], inst, origin),
                    other => self.emit(other.clone(), inst.pos, origin),
                };
                self.moved.insert(point, now);
            }
            let origin = origins.last().copied().flatten();
            copied.push(self.finish_block(block.term.clone(), block.term_pos, origin));
        }
        for block in copied {
            self.new.blocks[block].term.for_each_target_mut(&mut |to| *to = first[to.index()]);
        }
        for cut in self.unfolded.cuts.iter_mut().filter(|cut| cut.func == self.func) {
            cut.block = first[cut.block.index()];
        }
        let starts = std::mem::take(&mut self.unfolded.starts).into_iter().map(|((func, block), start)| {
            let block = if func == self.func { first[block.index()] } else { block };
            ((func, block), start)
        });
        self.unfolded.starts = starts.collect();
        self.unfolded.program.functions[self.func].blocks = self.new.blocks;
        self.unfolded.origins.insert(self.func, self.new.origins);
    }

    /// Adds an instruction; where it is.
    fn emit(&mut self, kind: InstKind, pos: Pos, origin: Origin) -> Point {
        let at = self.here();
        self.new.insts.push(Inst { kind, pos });
        self.new.from.push(origin);
        at
    }

    fn finish_block(&mut self, term: Term, term_pos: Pos, origin: Origin) -> BlockId {
        let name = format!("b{}", self.new.blocks.len());
        self.new.from.push(origin);
        self.new.origins.push(std::mem::take(&mut self.new.from));
        self.new.blocks.push(Block { name, insts: std::mem::take(&mut self.new.insts), term, term_pos })
    }

    fn register(&mut self, ty: Ty) -> Reg {
        self.new.added += 1;
        let name = format!("place.{}", self.new.added);
        self.unfolded.program.functions[self.func].regs.push(RegData { name, ty, layout: None, user: false })
    }

    /// The point at which the next instruction will be.
    fn here(&self) -> Point {
        Point::new(self.func, self.new.blocks.next_id(), self.new.insts.len())
    }

    fn free(&mut self, number: usize, addr: &Expr, pos: Pos, origin: Origin) -> Point {
        for variable in &self.places[number].variables {
            let cond = Expr::bin(BinOp::Ne, addr.clone(), Expr::Object(*variable, 0));
            self.emit(InstKind::Assume { cond }, pos, None);
        }
        self.unfolded.reuses.insert(self.here(), Reuse::Freed(number));
        let is_block = Expr::bin(BinOp::Ne, addr.clone(), Expr::null());
        let set = Expr::select(is_block, addr.clone(), Expr::Old);
        self.emit(self.update(number, None, None, set), pos, origin)
    }

    /// An update of the place with this number.
    fn update(&self, number: usize, dst: Option<Reg>, when: Option<Expr>, set: Expr) -> InstKind {
        let addr = Expr::Object(self.places[number].object, 0);
        InstKind::Update { dst, ty: Ty::Ptr, addr, when, set: Some(set), order: Order::SeqCst, role: Role::Plain }
    }

    /// A block of its own, or one of these; where the first is made.
    fn alloc(&mut self, takes: &[usize], inst: &Inst, origin: Origin) -> Point {
        let InstKind::Alloc { dst, size, zeroed, .. } = &inst.kind else { return self.here() };
        // Where there is no room for all places, one stands for them.
        let left = self.room.checked_sub(TAKING * takes.len());
        *self.room = left.unwrap_or(0);
        let takes = if left.is_some() { takes } else { &takes[..1] };
        let choice = self.register(Ty::Int(16));
        let input = Input::Choice("place".into());
        self.emit(InstKind::Havoc { dst: choice, input }, inst.pos, None);
        let one = self.new.blocks.next_id().index() + 1;
        let fresh = BlockId::new(one + takes.len());
        let then = BlockId::new(one + takes.len() + 1);
        let cases = (0..takes.len()).map(|i| (i as u128 + 1, BlockId::new(one + i))).collect();
        self.finish_block(Term::Switch { value: Expr::Reg(choice), cases, default: fresh }, inst.pos, None);
        for number in takes {
            let unknown = || "a block of a size that is not known takes the place of a freed one".to_string();
            let pieces = self.places[*number].pieces.clone();
            let pieces = match left {
                Some(_) => pieces.and_then(|all| within(&all, size, &self.unfolded.program).ok_or_else(unknown)),
                None => Err("a block that may take the place of any of very many".to_string()),
            };
            let pieces = match pieces {
                Ok(pieces) => pieces,
                Err(what) => {
                    self.emit(InstKind::Unsupported { what }, inst.pos, origin);
                    self.finish_block(Term::Unreachable, inst.pos, None);
                    continue;
                }
            };
            self.emit(InstKind::AtomicBegin, inst.pos, None);
            self.unfolded.reuses.insert(self.here(), Reuse::Taken(*number));
            let is_there = Expr::bin(BinOp::Ne, Expr::Old, Expr::null());
            self.emit(self.update(*number, Some(*dst), Some(is_there), Expr::null()), inst.pos, origin);
            self.forget(*dst, size, *zeroed, &pieces, inst.pos);
            self.emit(InstKind::AtomicEnd, inst.pos, None);
            self.finish_block(Term::Jump(then), inst.pos, None);
        }
        let made = self.emit(inst.kind.clone(), inst.pos, origin);
        self.finish_block(Term::Jump(then), inst.pos, None);
        made
    }

    /// The content of the block becomes that of one that was never written.
    fn forget(&mut self, block: Reg, size: &Expr, zeroed: bool, pieces: &[(u64, Ty)], pos: Pos) {
        if pieces.is_empty() {
            return;
        }
        let bits = self.unfolded.program.data_model.pointer_bits();
        let at =
            |base: Reg, offset: u64| Expr::bin(BinOp::PtrAdd, Expr::Reg(base), Expr::int(bits, i128::from(offset)));
        let unwritten = self.register(Ty::Ptr);
        if !zeroed {
            let kind = InstKind::Alloc {
                dst: unwritten,
                kind: AllocKind::Stack,
                size: size.clone(),
                align: 16,
                zeroed: false,
                name: "content".into(),
                layout: None,
            };
            self.emit(kind, pos, None);
        }
        for (offset, ty) in pieces {
            let mut value = Expr::Const(*ty, 0);
            if !zeroed {
                let dst = self.register(*ty);
                let addr = at(unwritten, *offset);
                self.emit(InstKind::Load { dst, ty: *ty, addr, order: Order::Plain }, pos, None);
                value = Expr::Reg(dst);
            }
            let addr = at(block, *offset);
            self.emit(InstKind::Store { ty: *ty, addr, value, order: Order::Plain }, pos, None);
        }
    }
}
