//! Variable arguments.
//!
//! Arguments beyond the fixed ones are put into an object of the caller, laid out as the target lays out its stack, and
//! its address is a hidden last argument.  `va_start` makes a `va_list` that says all registers are used up, so the code
//! that clang generates for `va_arg` finds everything there.

use super::consts::Unsupported;
use super::func::{FnLower, To};
use super::types::round_up;
use crate::model::LIST;
use ir::{DataModel, Expr, InstKind, Order, Ty};
use llvm::{Arg, BinOp, BlockId, Const, FloatKind, Inst, LocalId, Op, Operand, Type, TypeId};

impl<'m> FnLower<'_, 'm> {
    fn word(&self) -> u64 {
        self.shared.program.data_model.pointer_bytes()
    }

    /// Puts the arguments into an object; returns its address.
    pub fn variable_arguments(&mut self, args: &'m [Arg]) -> Result<Expr, Unsupported> {
        if args.is_empty() {
            return Ok(Expr::null());
        }
        let word = self.word();
        // First where everything goes, then the object, then the stores.
        let (mut end, mut widest) = (0, 16);
        let mut fields = Vec::new();
        for (arg, i) in args.iter().zip(1..) {
            let ty = arg.attrs.byval.unwrap_or(arg.value.ty);
            let align = arg.attrs.align.filter(|_| arg.attrs.byval.is_some());
            let align = align.unwrap_or_else(|| self.unit.types.align(ty));
            // On 32-bit targets everything but vectors is aligned to a word only.
            let is_vector = matches!(self.unit.types.types.get(arg.value.ty), Type::Vector { .. });
            let to_word = self.shared.program.data_model == DataModel::Ilp32 && !(is_vector && align >= 16);
            let align = if to_word { word } else { align.max(word) };
            widest = widest.max(align);
            let offset = round_up(end, align);
            end = round_up(offset.saturating_add(self.unit.types.size(ty)), word);
            let layout = self.unit.layout_of_type(self.shared, ty);
            fields.push(ir::Field { name: format!("arg{i}"), offset, layout });
        }
        let places: Vec<u64> = fields.iter().map(|field| field.offset).collect();
        let layout = ir::Layout::Struct { size: end, fields };
        let object = Expr::Reg(self.stack_object(LIST, end, widest, Some(layout), self.pos));
        for (arg, at) in args.iter().zip(places) {
            let place = self.fold().offset(object.clone(), at as i64);
            if let Some(ty) = arg.attrs.byval {
                let source = self.scalar(&arg.value)?;
                let size = Expr::Const(self.pointer_int(), u128::from(self.unit.types.size(ty)));
                self.copy(place, source, size, self.unit.types.align(ty), &[], false)?;
                continue;
            }
            let leaves = self.unit.types.leaves(arg.value.ty).ok_or_else(|| self.unit.no_type(arg.value.ty))?;
            for (value, leaf) in self.part_values(&arg.value)?.into_iter().zip(leaves) {
                self.store_at(&place, leaf.offset, leaf.ty, value);
            }
        }
        Ok(object)
    }

    pub fn va_start(&mut self, list: &Operand) -> Result<(), Unsupported> {
        let list = self.steady(list)?;
        let args = self.varargs.map(Expr::Reg).ok_or("`va_start` without variable arguments")?;
        if self.shared.program.data_model == DataModel::Ilp32 {
            self.store_at(&list, 0, Ty::Ptr, args);
        } else {
            // gp_offset and fp_offset at their ends: no registers left.
            self.store_at(&list, 0, Ty::Int(32), Expr::int(32, 48));
            self.store_at(&list, 4, Ty::Int(32), Expr::int(32, 176));
            self.store_at(&list, 8, Ty::Ptr, args);
            self.store_at(&list, 16, Ty::Ptr, Expr::null());
        }
        Ok(())
    }

    pub fn va_copy(&mut self, to: &Operand, from: &Operand) -> Result<(), Unsupported> {
        let (to, from) = (self.scalar(to)?, self.scalar(from)?);
        let (to, from) = (self.in_register(to), self.in_register(from));
        let cells: &[(u64, Ty)] = match self.shared.program.data_model {
            DataModel::Ilp32 => &[(0, Ty::Ptr)],
            DataModel::Lp64 => &[(0, Ty::Int(32)), (4, Ty::Int(32)), (8, Ty::Ptr), (16, Ty::Ptr)],
        };
        for (at, ty) in cells {
            let value = self.load_at(&from, *at, *ty);
            self.store_at(&to, *at, *ty, value);
        }
        Ok(())
    }

    /// The instruction, which clang does not use on these targets.
    pub fn va_arg(&mut self, to: To, ty: TypeId, list: &Operand) -> Result<(), Unsupported> {
        let scalar = self.ty(ty)?;
        let list = self.scalar(list)?;
        let at = if self.shared.program.data_model == DataModel::Ilp32 { 0 } else { 8 };
        let place = self.fold().offset(list, at);
        let place = self.in_register(place);
        let area = self.load_at(&place, 0, Ty::Ptr);
        let size = round_up(self.unit.types.size(ty), self.word());
        let next = self.fold().offset(area.clone(), size as i64);
        self.store_at(&place, 0, Ty::Ptr, next);
        let dst = self.result_reg(to, scalar);
        self.emit(InstKind::Load { dst, ty: scalar, addr: area, order: Order::Plain });
        Ok(())
    }

    /// Does the block, which goes on to `next`, take a variable argument that its caller may have passed in pieces?
    ///
    /// An `__int128`, or a struct of two words that is aligned to more than one, travels as what it is made of, and nothing
    /// tells its pieces from arguments of their own: so they are not put where code that aligns the address looks for them.
    /// Vectors and `__float128` travel in one piece.
    pub fn takes_pieces(&self, block: BlockId, next: BlockId) -> bool {
        let insts = &self.source.blocks[block].insts;
        let is_list = |ty: TypeId| {
            matches!(self.unit.types.types.get(ty),
                Type::Named(id) if self.unit.types.types.named(*id).name.starts_with("struct.__va_list_tag"))
        };
        let is_mask = |operand: &Operand| matches!(operand.constant(), Some(Const::Int(mask)) if (i64::MIN..=-16).contains(&(*mask as u64 as i64)));
        let aligns = |op: &Op| match op {
            Op::Call(call) => call.args.get(1).is_some_and(|mask| is_mask(&mask.value)),
            Op::Binary { op: BinOp::And, rhs, .. } => is_mask(rhs),
            _ => false,
        };
        let of_list = insts.iter().any(|inst| matches!(inst.op, Op::Gep { source, .. } if is_list(source)));
        if !of_list || !insts.iter().any(|inst| aligns(&inst.op)) {
            return false;
        }
        let is_piece = |inst: &&Inst| match &inst.op {
            Op::Phi { incoming } => incoming.iter().any(|(_, from)| *from == block),
            _ => false,
        };
        let place = self.source.blocks[next].insts.iter().find(is_piece).and_then(|inst| inst.result);
        place.is_some_and(|place| !self.holds_one_piece(place))
    }

    /// Is what is loaded from the place, and nothing else, of a type that travels in one piece?
    fn holds_one_piece(&self, place: LocalId) -> bool {
        let is_whole = |inst: &Inst| match &inst.op {
            Op::Load { ty, .. } => {
                matches!(self.unit.types.types.get(*ty), Type::Vector { .. } | Type::Float(FloatKind::Fp128))
            }
            _ => false,
        };
        self.source.insts().filter(|inst| inst.op.uses(place)).all(is_whole)
    }
}
