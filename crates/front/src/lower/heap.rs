//! Names and layouts for heap objects, from the pointers that their addresses are put into.

use super::memory::known_size;
use super::regions::Regions;
use base::IdVec;
use ir::{AllocKind, Expr, Function, InstKind, Layout, Program, Reg, RegData};

/// How far to look for the place that receives the address.
const LOOK_AHEAD: usize = 8;

/// Gives every heap allocation of the user's functions a layout, where the program says what the block will hold, and a
/// name that says so or at least where it was allocated.
pub fn name_allocations(program: &mut Program) {
    for id in program.functions.ids() {
        if program.functions[id].model {
            continue;
        }
        let mut found = Vec::new();
        for (block_id, block) in program.functions[id].blocks.iter() {
            for (i, inst) in block.insts.iter().enumerate() {
                let InstKind::Alloc { dst, kind: AllocKind::Heap, size, layout: None, .. } = &inst.kind else {
                    continue;
                };
                let function = &program.functions[id];
                let target = target(program, function, *dst, block.insts[i + 1..].iter().map(|inst| &inst.kind));
                let name = match &target {
                    Some(Layout::Named(id)) => program.layouts[*id].name.clone(),
                    None if inst.pos.is_none() => continue,
                    _ => format!("heap@{}", inst.pos.line),
                };
                found.push((block_id, i, target.map(|target| sized(program, target, size)), name));
            }
        }
        for (block, i, new_layout, new_name) in found {
            if let InstKind::Alloc { layout, name, .. } = &mut program.functions[id].blocks[block].insts[i].kind {
                *layout = new_layout;
                *name = new_name;
            }
        }
    }
}

/// What the program uses the new block for.
fn target<'a>(
    program: &'a Program,
    function: &'a Function,
    dst: Reg,
    next: impl Iterator<Item = &'a InstKind>,
) -> Option<Layout> {
    let regs: &IdVec<Reg, RegData> = &function.regs;
    let pointee = |pointer: Option<&Layout>| match pointer? {
        Layout::Pointer(Some(target)) => Some((**target).clone()),
        _ => None,
    };
    if let Some(found) = pointee(regs[dst].layout.as_ref()) {
        return Some(found);
    }
    let regions = Regions { program, regs };
    for kind in next.take(LOOK_AHEAD) {
        if let InstKind::Assign { dst: variable, value: Expr::Reg(reg) } = kind
            && *reg == dst
        {
            return pointee(regs[*variable].layout.as_ref());
        }
        if let InstKind::Store { addr, value: Expr::Reg(reg), .. } = kind
            && *reg == dst
        {
            return pointee(regions.stored_pointer(addr));
        }
    }
    None
}

/// The layout of a block of this size that holds one or more of the elements.
fn sized(program: &Program, element: Layout, size: &Expr) -> Layout {
    let one = element.size(program);
    match known_size(size) {
        Some(bytes) if one > 0 && bytes > one && bytes.is_multiple_of(one) => {
            Layout::Array { count: bytes / one, element: Box::new(element) }
        }
        _ => element,
    }
}
