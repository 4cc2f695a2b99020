//! Commands about facts: each computes [`facts::Facts`] and compares one analysis with the annotations.
//!
//! | command     | annotations                                                                                            |
//! |-------------|--------------------------------------------------------------------------------------------------------|
//! | `loops`     | on the labels of blocks in loops: `loop: head` or `loop: inside`                                          |
//! | `points-to` | `address:` of every access, `handle:` of every join, `value:` of every instruction that yields a pointer, `calls:` of every indirect call |
//! | `cells`     | `cells:` on the line of every object that is accessed                                                  |
//! | `shared`    | `shared:` on the line of every object with shared cells, `escapes: yes` on those of local objects that escape |
//! | `sites`     | `site:` on every instruction that may touch a shared cell                                              |
//! | `future`    | `id:` on every site, `future:` at the start of each block and wherever the set differs from that before |
//! | `locks`     | `lock: yes` on the line of each object with a lock, `held:` on every site where a lock must be held    |
//! | `together`  | `id:` on every site, `together:` and `races:` with the ids of other sites where there are any           |
//! | `movers`    | `mover:` on every instruction, `switch: yes` on those before which a switch must be considered         |
//! | `intervals` | `range:` on every instruction that writes an integer, `content:` on every object accessed as numbers     |
//! | `inputs`    | `values:` on every `havoc`, and on every load whose value is only carried                              |
//! | `live`      | `live:` on every instruction and terminator before which a register is live                            |
//!
//! A terminator counts as an instruction where it makes sense.

use crate::{Case, Outcome};
use base::{BitSet, Id};
use facts::intervals::Range;
use facts::points_to::Targets;
use facts::regions::{RegionId, RegionKind};
use facts::{AccessKind, CellId, Facts, LockObject, Point, SiteId};
use ir::validate::Part;
use ir::{Callee, InstKind, Reg, Ty};

/// What a finder looks at and where it puts what it found.
pub struct View<'a> {
    case: &'a Case<'a>,
    facts: Facts,
    found: Vec<(&'static str, u32, String)>,
}

/// Compares what is found with the annotations of the keys.
pub fn compare(case: &Case, keys: &[&str], find: fn(&mut View)) -> Outcome {
    let mut view = View { case, facts: Facts::compute(case.program()), found: Vec::new() };
    find(&mut view);
    let mut failures = Vec::new();
    for key in keys {
        let of_key = view.found.iter().filter(|(found, _, _)| found == key);
        let found: Vec<(u32, String)> = of_key.map(|(_, line, text)| (*line, text.clone())).collect();
        failures.extend(case.check_annotations(key, &found).err().into_iter().flatten());
    }
    if failures.is_empty() { Ok(None) } else { Err(failures) }
}

impl View<'_> {
    fn say(&mut self, key: &'static str, place: Part, text: impl Into<String>) {
        self.found.push((key, self.case.line_of(place), text.into()));
    }

    fn say_at(&mut self, key: &'static str, point: Point, text: impl Into<String>) {
        self.say(key, self.place(point), text);
    }

    /// All points of functions that can run, in blocks that can be reached.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        self.facts.basis(self.case.program()).for_each_point(&mut |point, _| points.push(point));
        points
    }

    fn kind(&self, point: Point) -> Option<&InstKind> {
        self.case.program().kind(point)
    }

    fn place(&self, point: Point) -> Part {
        match self.kind(point) {
            Some(_) => Part::Inst(point.func, point.block, point.inst as usize),
            None => Part::Term(point.func, point.block),
        }
    }

    /// Where the objects of a region come from, if they have bytes.
    fn origin(&self, region: RegionId) -> Option<Part> {
        match self.facts.regions.all[region].kind {
            RegionKind::Static(object) | RegionKind::ThreadLocal(object) => Some(Part::Object(object)),
            RegionKind::Stack(point) | RegionKind::Heap(point) => Some(self.place(point)),
            RegionKind::Function(_) | RegionKind::Thread(_) => None,
        }
    }

    fn cell(&self, cell: usize) -> String {
        self.facts.cells.name(self.case.program(), &self.facts.regions, CellId::new(cell))
    }

    fn targets(&self, targets: &Targets) -> String {
        let mut parts: Vec<String> = Vec::new();
        for target in targets.iter() {
            let mut text = self.facts.regions.name(self.case.program(), target.region);
            match (target.offsets.base, target.offsets.stride) {
                (0, 0) => (),
                (base, 0) => text.push_str(&format!("{base:+}")),
                (_, 1) => text.push_str("+?"),
                (base, stride) => text.push_str(&format!("{base:+}+{stride}k")),
            }
            parts.push(text);
        }
        parts.extend(targets.all.then(|| "all".to_string()));
        parts.extend(targets.wild.then(|| "wild".to_string()));
        if parts.is_empty() { "nothing".to_string() } else { parts.join(", ") }
    }

    /// The cells of each region that are in `of`, by region.
    fn by_region(&self, of: &BitSet) -> Vec<(RegionId, String)> {
        let facts = &self.facts;
        let names = |region| {
            let cells = facts.cells.of_region(region).filter(|cell| of.contains(cell.index()));
            cells.map(|cell| self.cell(cell.index())).collect::<Vec<_>>().join(", ")
        };
        let all = facts.regions.all.ids().map(|region| (region, names(region)));
        all.filter(|(_, names)| !names.is_empty()).collect()
    }
}

pub fn loops(view: &mut View) {
    for (func, function) in view.case.program().functions.iter() {
        let cfg = view.facts.cfgs[func].clone();
        for block in function.blocks.ids().filter(|block| cfg.reachable(*block) && cfg.in_loop(*block)) {
            view.say("loop", Part::Block(func, block), if cfg.heads[block] { "head" } else { "inside" });
        }
    }
}

pub fn points_to(view: &mut View) {
    let program = view.case.program();
    for point in view.points() {
        let Some(kind) = view.kind(point) else { continue };
        let key = if kind.handle().is_some() { "handle" } else { "address" };
        let value = kind.dst().filter(|dst| program.functions[point.func].ty(*dst) == Ty::Ptr).and_then(|_| {
            let value = view.facts.values[point.func].written(point)?;
            Some(view.targets(view.facts.points_to.value(point.func, value)))
        });
        let calls = matches!(kind.callee(), Some(Callee::Indirect(_))).then(|| {
            let to = view.facts.points_to.callees(point).iter();
            to.map(|func| program.functions[*func].name.as_str()).collect::<Vec<_>>().join(", ")
        });
        let address = view.facts.points_to.address(point).map(|targets| {
            // For handles it matters whether the value may be another number.
            let number = key == "handle" && targets.number;
            format!("{}{}", view.targets(targets), if number { ", number" } else { "" })
        });
        let place = view.place(point);
        address.into_iter().for_each(|text| view.say(key, place, text));
        value.into_iter().for_each(|text| view.say("value", place, text));
        calls.into_iter().for_each(|text| view.say("calls", place, text));
    }
}

pub fn cells(view: &mut View) {
    let mut accessed = BitSet::new();
    for access in view.facts.accesses.iter().filter(|access| access.kind != AccessKind::Leave) {
        accessed.union_with(&access.reads);
        accessed.union_with(&access.writes);
    }
    for (region, names) in view.by_region(&accessed) {
        if let Some(place) = view.origin(region) {
            view.say("cells", place, names);
        }
    }
}

pub fn shared(view: &mut View) {
    for (region, names) in view.by_region(&view.facts.shared.cells.clone()) {
        if let Some(place) = view.origin(region) {
            view.say("shared", place, names);
        }
    }
    for region in view.facts.shared.regions.clone().iter().map(RegionId::new) {
        if !matches!(view.facts.regions.all[region].kind, RegionKind::Static(_))
            && let Some(place) = view.origin(region)
        {
            view.say("escapes", place, "yes");
        }
    }
}

pub fn sites(view: &mut View) {
    for site in view.facts.sites.all.clone().values() {
        let mut cells = site.reads.clone();
        cells.union_with(&site.writes);
        let names: Vec<String> = cells.iter().map(|cell| view.cell(cell)).collect();
        view.say_at("site", site.point, format!("{} {}", word(site.kind), names.join(", ")));
    }
}

/// What is one of a few kinds, as it is called there.
pub fn word(kind: impl std::fmt::Debug) -> String {
    format!("{kind:?}").to_lowercase()
}

pub fn future(view: &mut View) {
    for (id, site) in view.facts.sites.all.clone().iter() {
        view.say_at("id", site.point, short(id));
    }
    let mut last = None;
    for point in view.points() {
        let (func, block, inst) = (point.func, point.block, point.inst as usize);
        let mut text: Vec<String> =
            view.facts.future.sites(func, block, inst).iter().map(|site| short(SiteId::new(site))).collect();
        if view.facts.future.thread_ops(func, block, inst) {
            text.push("threads".to_string());
        }
        let text = if text.is_empty() { "nothing".to_string() } else { text.join(" ") };
        if inst == 0 || last.as_ref() != Some(&text) {
            view.say_at("future", point, text.clone());
        }
        last = Some(text);
    }
}

fn short(site: SiteId) -> String {
    format!("s{}", site.0)
}

pub fn locks(view: &mut View) {
    let names: Vec<String> = view.facts.locks.all.values().map(|lock| view.cell(lock.cell.index())).collect();
    for (lock, name) in view.facts.locks.all.clone().values().zip(&names) {
        let place = match lock.object {
            LockObject::Static(object) => Part::Object(object),
            LockObject::Allocated(point) => view.place(point),
        };
        view.say("lock", place, name);
    }
    for (id, site) in view.facts.sites.all.clone().iter() {
        let held: Vec<&str> = view.facts.locks.held(id).iter().map(|lock| names[lock].as_str()).collect();
        if !held.is_empty() {
            view.say_at("held", site.point, held.join(", "));
        }
    }
}

pub fn together(view: &mut View) {
    for (id, site) in view.facts.sites.all.clone().iter() {
        let relations = view.facts.together();
        let ids = |found: Vec<SiteId>| found.into_iter().map(short).collect::<Vec<_>>().join(" ");
        let others = view.facts.sites.all.ids().filter(|other| relations.together(id, *other));
        let together = ids(others.collect());
        let races = ids(relations.races(id).iter().map(SiteId::new).collect());
        view.say_at("id", site.point, short(id));
        for (key, text) in [("together", together), ("races", races)] {
            if !text.is_empty() {
                view.say_at(key, site.point, text);
            }
        }
    }
}

pub fn movers(view: &mut View) {
    for point in view.points() {
        let place = view.place(point);
        if view.kind(point).is_some() {
            view.say("mover", place, word(view.facts.movers.mover(point)));
        }
        if view.facts.movers.is_switch(point.func, point.block, point.inst as usize) {
            view.say("switch", place, "yes");
        }
    }
}

pub fn intervals(view: &mut View) {
    let program = view.case.program();
    for point in view.points() {
        let dst = view.kind(point).and_then(InstKind::dst);
        let is_int = dst.is_some_and(|dst| matches!(program.functions[point.func].ty(dst), Ty::Int(_)));
        let Some(value) = view.facts.values[point.func].written(point) else { continue };
        if is_int {
            let text = view.facts.intervals.value(point.func, value).map_or("nothing".to_string(), show_range);
            view.say_at("range", point, text);
        }
    }
    let regions = view.facts.regions.all.ids();
    for region in regions {
        let ranges = view.facts.cells.of_region(region);
        let known = ranges.filter_map(|cell| Some((cell, view.facts.intervals.cell(cell)?)));
        let text: Vec<String> =
            known.map(|(cell, range)| format!("{} {}", view.cell(cell.index()), show_range(range))).collect();
        if let (false, Some(place)) = (text.is_empty(), view.origin(region)) {
            view.say("content", place, text.join(", "));
        }
    }
}

/// In the order in which it says more; as signed numbers if both say the same.
fn show_range(range: Range) -> String {
    if range == Range::any(range.bits) {
        return "any".to_string();
    }
    let Range { bits, unsigned, signed } = range;
    if bits == 1 {
        format!("[{}, {}]", unsigned.low, unsigned.high)
    } else if signed.count() <= unsigned.count() {
        format!("[{}, {}]", signed.low, signed.high)
    } else {
        format!("[{}, {}] unsigned", unsigned.low, unsigned.high)
    }
}

pub fn inputs(view: &mut View) {
    for point in view.points() {
        let found = view.facts.inputs.representatives(point.func, point.block, point.inst as usize);
        if let Some(values) = found {
            view.say_at("values", point, values.iter().map(u128::to_string).collect::<Vec<_>>().join(" "));
        } else if matches!(view.kind(point), Some(InstKind::Havoc { .. })) {
            view.say_at("values", point, "open");
        }
    }
}

pub fn live(view: &mut View) {
    for point in view.points() {
        let set = view.facts.liveness.before(point.func, point.block, point.inst as usize);
        let regs = &view.case.program().functions[point.func].regs;
        let text = set.iter().map(|reg| format!("%{}", regs[Reg::new(reg)].name)).collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            view.say_at("live", point, text);
        }
    }
}
