//! Calls: the activations of functions, and the registers that each of them gets.
//!
//! The same call in the same activation gets the same registers each time, as often as the walk comes there.

use super::CutKind;
use super::walk::{Key, Place, Walk};
use base::{Id, IdVec, Pos};
use facts::Point;
use ir::{Callee, Expr, FuncId, Function, Reg, Term};
use rustc_hash::FxHashMap;

base::id!(
    /// An activation of a function in a thread of the unfolded program.
    pub struct ActivationId, "a"
);

/// The functions that were inlined into a thread, the one that it runs first.
#[derive(Default)]
pub struct Activations {
    all: IdVec<ActivationId, Activation>,
    called: FxHashMap<(ActivationId, Point, FuncId), ActivationId>,
}

#[derive(Clone, Copy)]
struct Activation {
    /// Where its registers begin.
    base: u32,
    original: FuncId,
    registers: u32,
}

impl Activations {
    /// The activation of the function that is called there.
    pub fn called(&self, caller: ActivationId, call: Point, func: FuncId) -> Option<ActivationId> {
        self.called.get(&(caller, call, func)).copied()
    }

    /// Which register of which activation the register is for.
    pub fn original(&self, reg: Reg) -> Option<(ActivationId, Reg)> {
        let at = self.all.as_slice().partition_point(|it| it.base <= reg.0).checked_sub(1)?;
        let Activation { base, registers, .. } = self.all[ActivationId::new(at)];
        (reg.0 - base < registers).then_some((ActivationId::new(at), Reg(reg.0 - base)))
    }

    /// The register that is for one of an activation.
    pub fn home(&self, activation: ActivationId, reg: Reg) -> Reg {
        Reg(self.all[activation].base + reg.0)
    }
}

/// An activation of a function, entered in some way.
pub(super) struct Frame {
    pub func: FuncId,
    pub activation: ActivationId,
    /// Its registers: those of the original, from here on.
    pub base: u32,
    pub registers: usize,
    pub caller: Option<Caller>,
    pub prefix: Key,
    /// How many activations of the same function are below it.
    pub depth: u32,
    /// How many loops are around it in the frames below.
    pub outer: usize,
    /// One of them is kept.
    pub repeated: bool,
    /// The registers that say whether the loops around it have made progress.
    pub outer_progress: Vec<Reg>,
}

impl Frame {
    /// The number that one of its registers has in the original.
    pub fn original(&self, reg: Reg) -> Option<usize> {
        (reg.0 as usize).checked_sub(self.base as usize).filter(|number| *number < self.registers)
    }
}

#[derive(Clone)]
pub(super) struct Caller {
    pub place: Place,
    pub dst: Option<Reg>,
}

impl Walk<'_> {
    pub(super) fn new_registers(&mut self, func: FuncId) -> ActivationId {
        let base = self.regs.len() as u32;
        let registers = self.program.functions[func].regs.len() as u32;
        for data in self.program.functions[func].regs.values() {
            self.add_register(&data.name, data.clone());
        }
        self.activations.all.push(Activation { base, registers, original: func })
    }

    pub(super) fn push_frame(&mut self, activation: ActivationId, caller: Option<Caller>, prefix: Key) -> usize {
        let Activation { base, original: func, .. } = self.activations.all[activation];
        let registers = self.program.functions[func].regs.len();
        let (depth, outer, repeated, outer_progress) = (0, 0, false, Vec::new());
        let mut frame =
            Frame { func, activation, base, registers, caller, prefix, depth, outer, repeated, outer_progress };
        if let Some(Caller { place, .. }) = &frame.caller {
            frame.outer = self.frames[place.frame].outer + place.rounds.len();
            frame.repeated = self.is_repeated(place);
            frame.outer_progress = self.watched(place);
            let mut below = Some(&self.frames[place.frame]);
            while let Some(frame_below) = below {
                frame.depth += u32::from(frame_below.func == func);
                below = frame_below.caller.as_ref().map(|caller| &self.frames[caller.place.frame]);
            }
        }
        self.frames.push(frame);
        self.frames.len() - 1
    }

    pub(super) fn call(&mut self, place: &Place, callee: &Callee, args: &[Expr], dst: Option<Reg>, pos: Pos) {
        let point = self.point(place);
        let candidates = self.candidates(point, callee);
        self.for_each_candidate(candidates, pos, &mut |walk, func| {
            let program = walk.program;
            let callee = &program.functions[func];
            let fits = dst.is_none_or(|dst| {
                let some = callee.result.map(|ty| Expr::Const(ty, 0));
                walk.result(dst, func, some).is_some()
            });
            let all = args;
            let Some(args) = walk.fitting(point, func, args).filter(|_| fits) else {
                return walk.does_not_fit(func, point, pos);
            };
            let caller = walk.frames[place.frame].activation;
            let known = walk.activations.called(caller, point, func);
            let activation = known.unwrap_or_else(|| walk.new_registers(func));
            walk.activations.called.insert((caller, point, func), activation);
            let base = walk.activations.home(activation, Reg(0)).0;
            let caller = Caller { place: place.clone(), dst };
            let mut prefix = walk.key(place);
            // Two walks of the block may have come to the same sections by now.
            prefix.extend([place.walk, func.0]);
            let frame = walk.push_frame(activation, Some(caller), prefix);
            if walk.frames[frame].depth > walk.bounds.unwind.max(1) {
                let cut = walk.cut(CutKind::Recursion(func), pos);
                return walk.finish_block(Term::Jump(cut), pos, None);
            }
            walk.compute_others(point, func, all, pos);
            for (param, arg) in callee.params.iter().zip(args) {
                walk.assign(Reg(base + param.0), arg, pos, None);
            }
            walk.clear_unwritten(func, base);
            let from = Place { frame, block: Function::ENTRY, inst: 0, rounds: Vec::new(), ..place.clone() };
            let entry = walk.enter(&from, Function::ENTRY, pos);
            walk.finish_block(Term::Jump(entry), pos, None);
        });
    }

    /// Registers that may be read before they are written hold 0 when a function starts, as in the interpreter.
    pub(super) fn clear_unwritten(&mut self, func: FuncId, base: u32) {
        let function = &self.program.functions[func];
        let live = self.facts.liveness.at_block(func, Function::ENTRY);
        for reg in live.iter().map(Reg::new).filter(|reg| !function.params.contains(reg)) {
            self.assign(Reg(base + reg.0), Expr::Const(function.ty(reg), 0), function.pos, None);
        }
    }
}
