//! Cells: each region divided by how the program accesses it, the units of sharing and conflict.
//!
//! The cells of a region are a partition of its bytes.  A byte belongs to
//!
//! 1. the exact cell that covers it: a range of bytes accessed at fixed offsets, where accesses that overlap share one;
//! 2. else the strided cell that covers it: all `base + k * stride .. + size` with `size < stride`, a field of the elements
//!    of an array, where field classes that overlap share one;
//! 3. else the rest of the region: what only accesses without a known place reach.
//!
//! So two accesses that can touch a common byte have a common cell, and neighbouring fields never share a cell just for being
//! neighbours.  An access by a dynamic index touches its strided cell and each exact cell it may hit.  Sound for any program
//! whose accesses are those of `points_to`: [`Cells::touched`] is a superset of [`Cells::at`] for every concrete access.
//!
//! All objects of a region, and all threads' copies of a thread-local one, share their cells.

use crate::{Offsets, RegionId, Regions, Targets};
use base::{BitSet, Id, IdVec};
use ir::Program;
use std::ops::Range;

base::id!(
    /// A cell.
    pub struct CellId, "cell"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Bytes `start..end`.
    Exact {
        start: u64,
        end: u64,
    },
    /// The bytes `base + k * stride .. + size` of each of these.
    Strided(Vec<(Offsets, u64)>),
    Rest,
}

#[derive(Clone, Debug)]
pub struct Cell {
    pub region: RegionId,
    pub extent: Extent,
}

/// Regions with more exact cells than this, and accesses by index, get none.
const MOST_EXACT: usize = 512;
/// Regions with more classes of fields than this get none.
const MOST_STRIDED: usize = 64;
/// Up to this size the cell of each byte is in a table.
const TABLE: u64 = 512;

#[derive(Clone, Debug, Default)]
struct Division {
    /// `(start, end, cell)`, ascending and disjoint.
    exact: Vec<(u64, u64, CellId)>,
    strided: Vec<(Vec<(Offsets, u64)>, CellId)>,
    rest: Option<CellId>,
    /// The cell of each byte of a small region of known size.
    table: Vec<CellId>,
    cells: Range<u32>,
}

#[derive(Clone, Debug)]
pub struct Cells {
    pub all: IdVec<CellId, Cell>,
    divisions: IdVec<RegionId, Division>,
}

impl Division {
    fn search(&self, byte: u64) -> Option<CellId> {
        let after = self.exact.partition_point(|(start, _, _)| *start <= byte);
        if let Some((_, end, cell)) = after.checked_sub(1).map(|i| self.exact[i])
            && byte < end
        {
            return Some(cell);
        }
        let covers = |(offsets, size): &(Offsets, u64)| {
            // The offset of the byte within its period; `base < stride`.
            let base = offsets.base as u64;
            (byte % offsets.stride + offsets.stride - base) % offsets.stride < *size
        };
        self.strided.iter().find(|(classes, _)| classes.iter().any(covers)).map(|(_, cell)| *cell).or(self.rest)
    }
}

impl Cells {
    /// From the addresses that are accessed, with how many bytes.
    pub fn new(regions: &Regions, accesses: &[(&Targets, u64)]) -> Cells {
        let mut ways: IdVec<RegionId, Vec<(Offsets, u64)>> = IdVec::filled(Vec::new(), regions.all.len());
        for (address, size) in accesses.iter().filter(|(_, size)| *size > 0) {
            for target in address.iter().filter(|target| regions.have(target, *size)) {
                ways[target.region].push((target.offsets, *size));
            }
        }
        let mut cells = Cells { all: IdVec::new(), divisions: IdVec::new() };
        for (region, classes) in ways.iter_mut() {
            classes.sort_unstable();
            classes.dedup();
            let first = cells.all.len() as u32;
            let mut division = cells.divide(region, classes);
            if regions.all[region].is_memory() {
                division.rest = Some(cells.all.push(Cell { region, extent: Extent::Rest }));
            }
            division.cells = first..cells.all.len() as u32;
            if let Some(size) = regions.all[region].size.filter(|size| *size <= TABLE) {
                division.table = (0..size).filter_map(|byte| division.search(byte)).collect();
            }
            cells.divisions.push(division);
        }
        cells
    }

    /// The classes are sorted.
    fn divide(&mut self, region: RegionId, classes: &[(Offsets, u64)]) -> Division {
        let mut division = Division::default();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (offsets, size) in classes.iter().filter(|(offsets, _)| offsets.is_exact() && offsets.base >= 0) {
            let (start, end) = (offsets.base as u64, offsets.base as u64 + size);
            match merged.last_mut() {
                Some(last) if start < last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        let moving = classes.iter().any(|(offsets, _)| !offsets.is_exact());
        if !moving || merged.len() <= MOST_EXACT {
            for (start, end) in merged {
                let cell = self.all.push(Cell { region, extent: Extent::Exact { start, end } });
                division.exact.push((start, end, cell));
            }
        }
        let mut groups: Vec<Vec<(Offsets, u64)>> = Vec::new();
        let fields = classes.iter().filter(|(offsets, size)| *size < offsets.stride);
        for (offsets, size) in fields.clone().take(MOST_STRIDED + 1) {
            let touches = |(other, other_size): &(Offsets, u64)| offsets.overlaps(*size, *other, *other_size);
            let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.iter().any(touches));
            groups = apart;
            groups.push(joined.into_iter().flatten().chain([(*offsets, *size)]).collect());
        }
        if fields.count() <= MOST_STRIDED {
            for group in groups {
                let cell = self.all.push(Cell { region, extent: Extent::Strided(group.clone()) });
                division.strided.push((group, cell));
            }
        }
        division
    }

    /// Calls `f` for each cell that an access of `size` bytes at `offset` of an object of the region touches (some more than
    /// once, but not the same twice in a row).  Bytes outside the object belong to no cell: such an access is an error.
    #[inline]
    pub fn at(&self, region: RegionId, offset: u64, size: u64, f: &mut impl FnMut(CellId)) {
        let division = &self.divisions[region];
        let mut last = None;
        for byte in offset..offset.saturating_add(size) {
            let cell = division.table.get(byte as usize).copied().or_else(|| division.search(byte));
            if cell != last {
                last = cell;
                if let Some(cell) = cell {
                    f(cell);
                }
            }
        }
    }

    /// The cells of one region.
    pub fn of_region(&self, region: RegionId) -> impl Iterator<Item = CellId> + use<> {
        self.divisions[region].cells.clone().map(CellId)
    }

    /// The cells of some regions.
    pub fn of_regions(&self, regions: impl IntoIterator<Item = RegionId>) -> BitSet {
        regions.into_iter().flat_map(|region| self.of_region(region)).map(CellId::index).collect()
    }

    /// All cells an access of `size` bytes to an address may touch.
    pub fn touched(&self, regions: &Regions, address: &Targets, size: u64, into: &mut BitSet) {
        if address.anywhere() {
            self.all.ids().for_each(|cell| _ = into.insert(cell.index()));
            return;
        }
        for target in address.iter() {
            if regions.have(target, size) {
                self.touched_in(target.region, target.offsets, size, into);
            }
        }
    }

    fn touched_in(&self, region: RegionId, offsets: Offsets, size: u64, into: &mut BitSet) {
        let division = &self.divisions[region];
        if offsets.is_exact() {
            self.at(region, offsets.base.max(0) as u64, size, &mut |cell| _ = into.insert(cell.index()));
            return;
        }
        for (start, end, cell) in &division.exact {
            if offsets.overlaps(size, Offsets::exact(*start as i64), end - start) {
                into.insert(cell.index());
            }
        }
        // A class of fields is covered by the strided cell it belongs to; other accesses may reach the rest too.
        let mut covered = false;
        for (group, cell) in &division.strided {
            if group.iter().any(|(other, other_size)| offsets.overlaps(size, *other, *other_size)) {
                into.insert(cell.index());
                covered |= group.contains(&(offsets, size));
            }
        }
        if let (false, Some(rest)) = (covered, division.rest) {
            into.insert(rest.index());
        }
    }

    /// The only offset of the only region an address can mean, if the access touches one cell there.
    pub fn single_place(&self, address: &Targets, size: u64) -> Option<(RegionId, u64, CellId)> {
        let target = address.only_address()?;
        let offset = u64::try_from(target.offsets.base).ok()?;
        if !target.offsets.is_exact() {
            return None;
        }
        let mut found = Vec::new();
        self.at(target.region, offset, size, &mut |cell| found.push(cell));
        found.dedup();
        let [cell] = found[..] else { return None };
        Some((target.region, offset, cell))
    }

    /// How a person calls the cell: `q.tail`, `buf[*].len`.
    pub fn name(&self, program: &Program, regions: &Regions, cell: CellId) -> String {
        crate::names::cell(program, regions, &self.all[cell])
    }
}
