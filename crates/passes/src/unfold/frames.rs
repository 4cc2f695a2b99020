//! What inlining needs to know of each function, computed once: its loops, what they write, where a round may change nothing.

use super::progress;
use crate::Preserves;
use crate::nesting::Nesting;
use base::{BitSet, Id, IdVec};
use facts::{Access, AccessKind, Cfg, Facts};
use ir::{BlockId, Callee, FuncId, Function, Goal, InstKind, Program, Reg, Term};
use rustc_hash::FxHashMap;

pub struct Shapes {
    pub of: IdVec<FuncId, Shape>,
    /// Cells that are looked at other than by taking and giving back a lock: whether such a lock is free can be seen.
    observed: BitSet,
    /// Cells of locks that only their holder gives back.
    held_alone: BitSet,
    /// Functions whose address the program mentions.
    pub addressed: Vec<FuncId>,
}

pub struct Shape {
    pub nesting: Nesting,
    pub loops: FxHashMap<BlockId, LoopShape>,
}

pub struct LoopShape {
    /// Registers that the loop writes and that are live at its head.
    pub carried: Vec<Reg>,
    /// Registers that the loop writes.
    pub written: BitSet,
    /// Every way into the loop goes through its head.
    pub entered_at_head: bool,
    /// There may be a way round that changes nothing, and such rounds can be left out.
    pub may_idle: bool,
    /// The head itself can leave the loop.
    pub head_exits: bool,
}

impl Shapes {
    pub fn new(program: &Program, facts: &Facts, goal: Goal) -> Self {
        // Otherwise every round counts.
        let quiet = (progress::preserves(goal) == Some(Preserves::Exact)).then(|| quiet_functions(program));
        let shape = |(func, function)| Shape::new(func, function, facts, quiet.as_ref());
        let of = program.functions.iter().map(shape).collect();
        let mut observed = BitSet::new();
        let looks = |access: &&Access| matches!(access.kind, AccessKind::Read | AccessKind::Update);
        facts.accesses.iter().filter(looks).for_each(|access| _ = observed.union_with(&access.reads));
        let held_alone = facts.locks.all.values().map(|lock| lock.cell.index()).collect();
        Shapes { of, observed, held_alone, addressed: program.addressed_functions() }
    }

    /// Can nobody tell whether the lock taken or given back at the point is free, but by waiting for it, and does only its
    /// holder give it back?  If another thread may, then to take it and give it back can free what somebody else has taken.
    pub fn unobserved_lock(&self, facts: &Facts, point: facts::Point) -> bool {
        facts.access(point).is_some_and(|access| {
            access.writes.is_subset(&self.held_alone) && !access.writes.intersects(&self.observed)
        })
    }
}

impl Shape {
    fn new(func: FuncId, function: &Function, facts: &Facts, quiet: Option<&BitSet>) -> Self {
        let cfg = &facts.cfgs[func];
        let nesting = Nesting::new(cfg);
        let mut loops = FxHashMap::default();
        for (block, around) in nesting.loops.iter() {
            if around.last() != Some(&block) {
                continue;
            }
            let mut written = BitSet::new();
            for inside in function.blocks.ids().filter(|inside| nesting.inside(*inside, block)) {
                for inst in &function.blocks[inside].insts {
                    inst.kind.dst().into_iter().for_each(|dst| _ = written.insert(dst.index()));
                }
            }
            let mut carried = facts.liveness.at_block(func, block).clone();
            carried.intersect_with(&written);
            let head_exits = cfg.successors[block].iter().any(|to| !nesting.inside(*to, block));
            // Only at the head it is noted how a round began.
            let entered_at_head = entered_at_head(cfg, &nesting, block);
            let may_idle = entered_at_head && quiet.is_some_and(|quiet| idle_way(function, &nesting, block, quiet));
            let carried = carried.iter().map(Reg::new).collect();
            loops.insert(block, LoopShape { carried, written, entered_at_head, may_idle, head_exits });
        }
        Shape { nesting, loops }
    }
}

/// Does every way into the loop go through its head?
fn entered_at_head(cfg: &Cfg, nesting: &Nesting, head: BlockId) -> bool {
    let mut inside = cfg.predecessors.iter().filter(|(block, _)| *block != head && nesting.inside(*block, head));
    inside.all(|(_, before)| before.iter().all(|from| nesting.inside(*from, head)))
}

/// Is there a way from the head back to it on which nothing surely changes?
fn idle_way(function: &Function, nesting: &Nesting, head: BlockId, quiet: &BitSet) -> bool {
    let mut back = false;
    for term in quiet_ends(function, head, quiet, &|to| nesting.inside(to, head)) {
        term.for_each_target(&mut |to| back |= to == head);
    }
    back
}

/// The ends of blocks within to which control comes from the start without that something surely changes.
fn quiet_ends<'f>(of: &'f Function, start: BlockId, quiet: &BitSet, within: &dyn Fn(BlockId) -> bool) -> Vec<&'f Term> {
    let mut seen = BitSet::new();
    let mut ends = Vec::new();
    let mut work = vec![start];
    while let Some(block) = work.pop() {
        let Some(data) = of.blocks.get(block) else { continue };
        if seen.insert(block.index()) && !data.insts.iter().any(|inst| changes(&inst.kind, quiet)) {
            ends.push(&data.term);
            data.term.for_each_target(&mut |to| work.extend(within(to).then_some(to)));
        }
    }
    ends
}

/// Does the instruction surely change the state?
fn changes(kind: &InstKind, quiet: &BitSet) -> bool {
    match kind {
        InstKind::Store { .. } | InstKind::Alloc { .. } | InstKind::Free { .. } | InstKind::Spawn { .. } => true,
        InstKind::Join { .. } | InstKind::Detach { .. } | InstKind::Unsupported { .. } => true,
        InstKind::Call { callee: Callee::Direct(func), .. } => !quiet.contains(func.index()),
        InstKind::Call { callee: Callee::Indirect(_), .. } => true,
        InstKind::Assign { .. } | InstKind::Load { .. } | InstKind::Update { .. } | InstKind::Havoc { .. } => false,
        InstKind::Assume { .. } | InstKind::Assert { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => false,
        InstKind::Fence { .. } => false,
    }
}

/// Functions with a way from entry to return on which nothing surely changes.
fn quiet_functions(program: &Program) -> BitSet {
    let mut quiet = BitSet::new();
    let mut grown = true;
    while std::mem::take(&mut grown) {
        for (id, function) in program.functions.iter() {
            let ends = quiet_ends(function, Function::ENTRY, &quiet, &|_| true);
            let returns = ends.into_iter().any(|term| matches!(term, Term::Return(_)));
            grown |= returns && quiet.insert(id.index());
        }
    }
    quiet
}
