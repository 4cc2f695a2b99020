//! Constants, as operands and as initialisers.

use super::fold::Fold;
use super::shared::Shared;
use super::unit::{Target, Unit};
use base::IdVec;
use ir::{BinOp, CastOp, Expr, Init, InitValue, Reg, RegData, Ty, mask};
use llvm::{Const, GlobalId, Op, Operand, Type, TypeId};

/// One scalar part of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    Expr(Expr),
    /// `undef` or `poison`: any value, chosen where it is used.
    Undef(Ty),
}

impl From<Reg> for Part {
    fn from(reg: Reg) -> Self {
        Part::Expr(Expr::Reg(reg))
    }
}

/// Why something cannot be lowered.
pub type Unsupported = String;

/// A constant may be written down much shorter than it is.
const MAX_PARTS: usize = 100_000;

impl<'m> Unit<'m> {
    /// The scalar parts of a constant.
    pub fn const_parts(&mut self, shared: &mut Shared, ty: TypeId, value: &Const) -> Result<Vec<Part>, Unsupported> {
        if self.types.scalar(ty).is_some() {
            return Ok(vec![self.const_scalar(shared, ty, value)?]);
        }
        match value {
            Const::Undef => Ok(self.leaf_types(ty)?.into_iter().map(Part::Undef).collect()),
            Const::Zero => Ok(self.leaf_types(ty)?.into_iter().map(|ty| Part::Expr(Expr::Const(ty, 0))).collect()),
            Const::Bytes(bytes) => {
                if bytes.len() > MAX_PARTS {
                    return Err(self.no_type(ty));
                }
                Ok(bytes.iter().map(|byte| Part::Expr(Expr::int(8, i128::from(*byte)))).collect())
            }
            Const::Items(items) => {
                let mut out = Vec::new();
                for item in items {
                    out.extend(self.const_parts(shared, item.ty, &item.value)?);
                    if out.len() > MAX_PARTS {
                        return Err(self.no_type(ty));
                    }
                }
                Ok(out)
            }
            Const::Splat(item) => {
                let Type::Vector { len, .. } = *self.types.types.get(ty) else { return Err(self.no_type(ty)) };
                let part = self.const_parts(shared, item.ty, &item.value)?;
                if len.saturating_mul(part.len() as u64) > MAX_PARTS as u64 {
                    return Err(self.no_type(ty));
                }
                Ok((0..len).flat_map(|_| part.iter().cloned()).collect())
            }
            Const::Expr(expr) => {
                let Op::InsertValue { aggregate, element, path } = &**expr else {
                    return Err("a constant expression with vectors".to_string());
                };
                let mut parts = self.const_operand_parts(shared, aggregate)?;
                let (at, _) = self.types.part(aggregate.ty, path).ok_or("a constant expression")?;
                for (i, part) in self.const_operand_parts(shared, element)?.into_iter().enumerate() {
                    *parts.get_mut(at + i).ok_or("a constant expression")? = part;
                }
                Ok(parts)
            }
            _ => Err(format!("a constant of type {}", self.types.types.display(ty))),
        }
    }

    /// A scalar constant.
    pub fn const_scalar(&mut self, shared: &mut Shared, ty: TypeId, value: &Const) -> Result<Part, Unsupported> {
        let scalar = self.scalar_type(ty)?;
        Ok(Part::Expr(match value {
            Const::Int(bits) | Const::Float(bits) => Expr::Const(scalar, *bits),
            Const::Null | Const::Zero => Expr::Const(scalar, 0),
            Const::Undef => return Ok(Part::Undef(scalar)),
            Const::Global(id) => self.address(shared, *id)?,
            Const::BlockAddress(function, name) => {
                // Addresses of blocks are the blocks' numbers, from 1: null is none.
                let blocks = self.module.function(*function).into_iter().flat_map(|function| function.blocks.values());
                let number = blocks.zip(1..).find(|(block, _)| block.name == *name).map(|(_, number)| number);
                Expr::Const(Ty::Ptr, number.ok_or("the address of a block that does not exist")?)
            }
            Const::Expr(expr) => self.const_expr(shared, scalar, expr)?,
            _ => return Err(format!("a constant of type {}", self.types.types.display(ty))),
        }))
    }

    fn const_operand(&mut self, shared: &mut Shared, operand: &Operand) -> Result<Expr, Unsupported> {
        let value = operand.constant().ok_or("a constant expression")?;
        Ok(some_value(self.const_scalar(shared, operand.ty, value)?))
    }

    fn const_operand_parts(&mut self, shared: &mut Shared, operand: &Operand) -> Result<Vec<Part>, Unsupported> {
        self.const_parts(shared, operand.ty, operand.constant().ok_or("a constant expression")?)
    }

    fn const_expr(&mut self, shared: &mut Shared, to: Ty, expr: &Op) -> Result<Expr, Unsupported> {
        let none: IdVec<Reg, RegData> = IdVec::new();
        let fold = Fold { regs: &none, pointer_bits: self.types.layout.data_model.pointer_bits() };
        Ok(match expr {
            Op::Gep { source, base, indices, .. } => {
                let base = self.const_operand(shared, base)?;
                let mut steps = Vec::new();
                for index in indices {
                    let ty = self.scalar_type(index.ty)?;
                    steps.push((self.const_operand(shared, index)?, ty));
                }
                self.gep(fold, *source, base, steps)?
            }
            Op::Cast { op, value } => {
                let from = self.scalar_type(value.ty)?;
                let value = self.const_operand(shared, value)?;
                cast(fold, *op, from, to, value)
            }
            Op::Binary { op, lhs, rhs, .. } => {
                let (left, right) = (self.const_operand(shared, lhs)?, self.const_operand(shared, rhs)?);
                fold.bin(bin_op(*op), to, left, right)
            }
            Op::Icmp { pred, lhs, rhs } => {
                let ty = self.scalar_type(lhs.ty)?;
                let (left, right) = (self.const_operand(shared, lhs)?, self.const_operand(shared, rhs)?);
                int_compare(fold, *pred, ty, left, right)
            }
            Op::Select { cond, then, otherwise } => {
                let cond = self.const_operand(shared, cond)?;
                let (then, other) = (self.const_operand(shared, then)?, self.const_operand(shared, otherwise)?);
                fold.select(cond, then, other)
            }
            Op::ExtractValue { aggregate, path } => {
                let parts = self.const_operand_parts(shared, aggregate)?;
                let found = self.types.part(aggregate.ty, path).and_then(|(at, _)| parts.get(at).cloned());
                some_value(found.ok_or("a constant expression")?)
            }
            _ => return Err("a constant expression with floats or vectors".to_string()),
        })
    }

    /// The address of a global.
    pub fn address(&mut self, shared: &mut Shared, id: GlobalId) -> Result<Expr, Unsupported> {
        match self.target(shared, id)? {
            Target::Object(object, offset) => Ok(Expr::Object(object, offset)),
            Target::Function(function) => {
                if !shared.signatures[function].defined && !self.can_declare_the_librarys(shared, id) {
                    shared.others.insert(function);
                }
                Ok(Expr::Func(function))
            }
            Target::Value(bits) => Ok(Expr::Const(Ty::Ptr, bits)),
        }
    }

    /// The address that a `getelementptr` computes.
    pub fn gep(&self, fold: Fold, source: TypeId, base: Expr, indices: Vec<(Expr, Ty)>) -> Result<Expr, Unsupported> {
        let types = &self.types;
        let pointer_int = fold.pointer_int();
        let mut constant = 0i64;
        let mut terms = Vec::new();
        let mut ty = source;
        for (i, (index, index_ty)) in indices.into_iter().enumerate() {
            let stride = match types.types.get(ty) {
                _ if i == 0 => types.size(ty),
                Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                    let stride = types.offset(ty, 1);
                    ty = *elem;
                    stride
                }
                _ => {
                    let Expr::Const(_, field) = index else { return Err("an index into a struct".to_string()) };
                    let field = u64::try_from(field).map_err(|_| "an index into a struct")?;
                    constant = constant.wrapping_add(types.offset(ty, field) as i64);
                    ty = types.types.element(ty, field).ok_or("an index into a struct")?;
                    continue;
                }
            };
            match fold.resize(true, index_ty, pointer_int, index) {
                Expr::Const(_, value) => {
                    let value = ir::signed(value, u32::from(fold.pointer_bits)) as i64;
                    constant = constant.wrapping_add(value.wrapping_mul(stride as i64));
                }
                index => terms.push((index, stride)),
            }
        }
        let base = fold.offset(base, constant);
        Ok(terms.into_iter().fold(base, |base, (index, stride)| fold.element(base, index, stride)))
    }

    /// The register type of a scalar.
    pub fn scalar_type(&self, ty: TypeId) -> Result<Ty, Unsupported> {
        self.types.scalar(ty).ok_or_else(|| self.no_type(ty))
    }

    pub fn no_type(&self, ty: TypeId) -> Unsupported {
        format!("a value of type {}", self.types.types.display(ty))
    }

    /// What a variable holds at first.
    pub fn init(&mut self, shared: &mut Shared, ty: TypeId, value: &Const) -> Result<Vec<Init>, Unsupported> {
        let mut out = Vec::new();
        self.collect_init(shared, ty, value, 0, &mut out)?;
        Ok(out)
    }

    fn collect_init(
        &mut self,
        shared: &mut Shared,
        ty: TypeId,
        value: &Const,
        offset: u64,
        out: &mut Vec<Init>,
    ) -> Result<(), Unsupported> {
        let mut push = |value| out.push(Init { offset, value });
        match value {
            Const::Undef | Const::Zero | Const::Null | Const::Int(0) | Const::Float(0) => (),
            Const::Bytes(bytes) => {
                if bytes.iter().any(|byte| *byte != 0) {
                    push(InitValue::Bytes(bytes.to_vec()));
                }
            }
            Const::Items(items) => {
                if !self.types.in_whole_bytes(ty) {
                    return Err(self.no_type(ty));
                }
                // Asking for the offsets of all fields at once keeps long structs linear.
                let fields = self.types.fields(ty);
                for (i, item) in items.iter().enumerate() {
                    let at = match &fields {
                        Some(fields) => fields.get(i).ok_or_else(|| self.no_type(ty))?.0,
                        None => self.types.offset(ty, i as u64),
                    };
                    self.collect_init(shared, item.ty, &item.value, offset.saturating_add(at), out)?;
                }
            }
            // Formats without arithmetic of their own are just bits here.
            Const::Float(bits) if self.types.scalar(ty).is_none() => {
                let size = self.types.size(ty).min(16);
                push(InitValue::Bytes(bits.to_le_bytes().iter().take(size as usize).copied().collect()));
            }
            Const::Splat(_) => {
                let stride = self.types.offset(ty, 1);
                for (i, part) in self.const_parts(shared, ty, value)?.into_iter().enumerate() {
                    if let Part::Expr(expr) = part {
                        let offset = offset.saturating_add(stride.saturating_mul(i as u64));
                        out.push(Init { offset, value: init_value(expr)? });
                    }
                }
            }
            _ => match self.const_scalar(shared, ty, value)? {
                Part::Expr(Expr::Const(_, 0)) | Part::Undef(_) => (),
                Part::Expr(expr) => push(init_value(expr)?),
            },
        }
        Ok(())
    }
}

/// Within a constant any value is as good as another.
fn some_value(part: Part) -> Expr {
    match part {
        Part::Expr(expr) => expr,
        Part::Undef(ty) => Expr::Const(ty, 0),
    }
}

fn init_value(expr: Expr) -> Result<InitValue, Unsupported> {
    match expr {
        Expr::Const(ty, bits) => Ok(InitValue::Scalar(ty, bits)),
        Expr::Object(object, offset) => Ok(InitValue::Object(object, offset)),
        Expr::Func(function) => Ok(InitValue::Function(function)),
        Expr::Cast(CastOp::PtrToInt, _, inner) => init_value(*inner),
        _ => Err("an initialiser that only the linker could compute".to_string()),
    }
}

pub fn bin_op(op: llvm::BinOp) -> BinOp {
    use llvm::BinOp as L;
    match op {
        L::Add => BinOp::Add,
        L::Sub => BinOp::Sub,
        L::Mul => BinOp::Mul,
        L::UDiv => BinOp::UDiv,
        L::SDiv => BinOp::SDiv,
        L::URem => BinOp::URem,
        L::SRem => BinOp::SRem,
        L::Shl => BinOp::Shl,
        L::LShr => BinOp::LShr,
        L::AShr => BinOp::AShr,
        L::And => BinOp::And,
        L::Or => BinOp::Or,
        L::Xor => BinOp::Xor,
        L::FAdd => BinOp::FAdd,
        L::FSub => BinOp::FSub,
        L::FMul => BinOp::FMul,
        L::FDiv => BinOp::FDiv,
        L::FRem => BinOp::FRem,
    }
}

pub fn int_compare(fold: Fold, pred: llvm::IntPred, ty: Ty, left: Expr, right: Expr) -> Expr {
    use llvm::IntPred::*;
    let (op, left, right) = match pred {
        Eq => (BinOp::Eq, left, right),
        Ne => (BinOp::Ne, left, right),
        Ult => (BinOp::ULt, left, right),
        Ule => (BinOp::ULe, left, right),
        Ugt => (BinOp::ULt, right, left),
        Uge => (BinOp::ULe, right, left),
        Slt => (BinOp::SLt, left, right),
        Sle => (BinOp::SLe, left, right),
        Sgt => (BinOp::SLt, right, left),
        Sge => (BinOp::SLe, right, left),
    };
    fold.bin(op, ty, left, right)
}

/// A cast between scalars.  Pointers become integers as wide as they are, and those narrower or wider integers.
pub fn cast(fold: Fold, op: llvm::CastOp, from: Ty, to: Ty, value: Expr) -> Expr {
    use llvm::CastOp as L;
    let pointer_int = fold.pointer_int();
    let op = match op {
        L::Trunc => CastOp::Trunc,
        L::ZExt => CastOp::ZExt,
        L::SExt => CastOp::SExt,
        L::FPTrunc | L::FPExt => CastOp::Float,
        // x86 has no conversion to less.
        L::FPToSI | L::FPToUI if matches!(to, Ty::Int(..32)) => {
            let wide = fold.cast(CastOp::FloatToSigned, from, Ty::Int(32), value);
            return fold.resize(true, Ty::Int(32), to, wide);
        }
        L::FPToUI => CastOp::FloatToUnsigned,
        L::FPToSI => CastOp::FloatToSigned,
        L::UIToFP => CastOp::UnsignedToFloat,
        L::SIToFP => CastOp::SignedToFloat,
        L::PtrToInt => {
            let value = fold.cast(CastOp::PtrToInt, from, pointer_int, value);
            return fold.resize(false, pointer_int, to, value);
        }
        L::IntToPtr => {
            let value = fold.resize(false, from, pointer_int, value);
            return fold.cast(CastOp::IntToPtr, pointer_int, to, value);
        }
        L::BitCast | L::AddrSpaceCast => return bits_cast(fold, from, to, value),
    };
    fold.cast(op, from, to, value)
}

/// The same bits as another type of the same width.
pub fn bits_cast(fold: Fold, from: Ty, to: Ty, value: Expr) -> Expr {
    let op = match (from, to) {
        _ if from == to => return value,
        (Ty::Ptr, _) => CastOp::PtrToInt,
        (_, Ty::Ptr) => CastOp::IntToPtr,
        _ => CastOp::Bits,
    };
    fold.cast(op, from, to, value)
}

/// An all-ones or repeated byte pattern: `bytes` times `byte`.
pub fn repeat_byte(byte: u8, bytes: u64) -> u128 {
    mask(u128::from_le_bytes([byte; 16]), (bytes.min(16) * 8) as u32)
}
