//! Comparisons of integers, taken apart into the relation and the order it is about: then their opposites and mirror images
//! are comparisons again.

use crate::BinOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Comparison {
    pub relation: Relation,
    /// Of numbers read as signed ones; for equality it is all the same.
    pub signed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// Holds where this does not.
    pub fn negated(self) -> Self {
        let relation = match self.relation {
            Relation::Equal => Relation::Different,
            Relation::Different => Relation::Equal,
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
        };
        Comparison { relation, ..self }
    }
    /// Holds of the operands the other way round.
    pub fn mirrored(self) -> Self {
        let relation = match self.relation {
            Relation::Less => Relation::Greater,
            Relation::AtMost => Relation::AtLeast,
            Relation::Greater => Relation::Less,
            Relation::AtLeast => Relation::AtMost,
            same @ (Relation::Equal | Relation::Different) => same,
        };
        Comparison { relation, ..self }
    }
}

impl BinOp {
    /// As a comparison of integers or pointers, if it is one.
    pub fn comparison(self) -> Option<Comparison> {
        use BinOp::*;
        let (relation, signed) = match self {
            Eq => (Relation::Equal, false),
            Ne => (Relation::Different, false),
            ULt => (Relation::Less, false),
            ULe => (Relation::AtMost, false),
            SLt => (Relation::Less, true),
            SLe => (Relation::AtMost, true),
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | PtrAdd | FAdd | FSub
            | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd => return None,
        };
        Some(Comparison { relation, signed })
    }
}
