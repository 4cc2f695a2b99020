//! May some mutex of a program be of another kind than normal?
//!
//! A kind is a number in memory, and gets there in as many ways as numbers do: an initialiser such as
//! PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, attributes, copies, bytes.  So this links the model that minds kinds, and goes
//! back from where it loads one, over all that may have been stored there, without regard to the order of steps.  Kinds
//! matter only if some number on the way is not *plain*.  In each byte of a plain number the lowest two bits are equal; so
//! are 0 and 3, the kinds that are normal, and copying and masking keep it so.
//!
//! Errs towards yes, but for memory that was never written, which counts as plain (`docs/limits.md`).

use super::library::Flavour;
use super::link::{LinkOptions, link_flavoured};
use base::{BitSet, Id};
use facts::cfg::Point;
use facts::values::{Origin, ValueId};
use facts::{AccessKind, Facts};
use ir::{BinOp, CastOp, Expr, FuncId, InitValue, InstKind, Program, Term, Ty};
use rustc_hash::FxHashSet;

/// The registers into which the model loads kinds are called so.
const KIND: &str = "mutex_kind";

/// Families of functions that get a mutex.
const USERS: [&str; 4] = ["pthread_mutex_", "pthread_cond_", "mtx_", "cnd_"];

/// Do they matter in the program, which is not yet linked and otherwise has these flavours?
pub fn matter(program: &Program, options: &LinkOptions, flavours: &[Flavour]) -> bool {
    let uses = |name: &str| USERS.iter().any(|family| name.starts_with(family));
    if !program.functions.values().any(|function| function.blocks.is_empty() && uses(&function.name)) {
        return false;
    }
    let mut linked = program.clone();
    link_flavoured(&mut linked, options, &[flavours, &[Flavour::MutexKinds]].concat());
    let facts = Facts::without_numbers(&linked);
    let mut back = Back { program: &linked, facts: &facts, cells: BitSet::new(), seen: FxHashSet::default() };
    let is_kind = |point: Point, kind: &InstKind| {
        let name = |dst| &linked.functions[point.func].regs[dst].name;
        matches!(kind, InstKind::Load { dst, .. } if name(*dst).starts_with(KIND))
    };
    facts.basis(&linked).for_each_inst(&mut |point, kind| {
        if is_kind(point, kind) {
            back.loads(point);
        }
    });
    !back.cells.is_empty() && (facts.points_to.wild_access || !back.all_plain())
}

struct Back<'p> {
    program: &'p Program,
    facts: &'p Facts,
    /// Whose content may become a kind.
    cells: BitSet,
    /// Values that may.
    seen: FxHashSet<(FuncId, ValueId)>,
}

impl Back<'_> {
    fn loads(&mut self, point: Point) -> bool {
        let Some(access) = self.facts.access(point) else { return false };
        self.cells.union_with(&access.reads);
        true
    }

    fn all_plain(&mut self) -> bool {
        let facts = self.facts;
        loop {
            let known = self.cells.len();
            for access in facts.accesses.iter().filter(|access| !access.writes.is_empty()) {
                let lost = matches!(access.kind, AccessKind::Free | AccessKind::Allocate | AccessKind::Leave);
                if !lost && access.writes.intersects(&self.cells) && !self.stores_plain(access.point) {
                    return false;
                }
            }
            if self.cells.len() == known {
                return self.begins_plain();
            }
        }
    }

    /// What is cut within a byte is not plain any more.
    fn is_bytes(&self, ty: Ty) -> bool {
        self.program.bits_of(ty).is_multiple_of(8)
    }

    fn stores_plain(&mut self, point: Point) -> bool {
        // What is `old` in an update was there before.
        let kind = self.program.kind(point);
        let Some(InstKind::Store { value, .. } | InstKind::Update { set: Some(value), .. }) = kind else {
            return false;
        };
        self.expr(point, value)
    }

    fn begins_plain(&self) -> bool {
        let is_plain_at = |object, at: u64, byte: Option<u8>| {
            let mut counts = false;
            let region = self.facts.regions.of_object(object);
            self.facts.cells.at(region, at, 1, &mut |cell| counts |= self.cells.contains(cell.index()));
            !counts || byte.is_some_and(|byte| is_plain(byte.into()))
        };
        self.program.objects.iter().all(|(id, object)| {
            object.init.iter().all(|init| {
                let byte_at = |i: u64, byte| is_plain_at(id, init.offset + i, byte);
                match &init.value {
                    InitValue::Scalar(ty, bits) => {
                        (0..self.program.size_of(*ty)).all(|i| byte_at(i, Some((bits >> (8 * i)) as u8)))
                    }
                    InitValue::Bytes(bytes) => bytes.iter().enumerate().all(|(i, byte)| byte_at(i as u64, Some(*byte))),
                    InitValue::Object(..) | InitValue::Function(_) => {
                        (0..self.program.data_model.pointer_bytes()).all(|i| byte_at(i, None))
                    }
                }
            })
        })
    }

    /// Is the value plain, if what memory holds is?
    fn expr(&mut self, point: Point, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_, bits) => is_plain(*bits),
            Expr::Old => true,
            Expr::Reg(reg) => {
                let value = self.facts.values[point.func].used(point, *reg);
                value.is_some_and(|value| self.value(point.func, value))
            }
            Expr::Bin(BinOp::And | BinOp::Or | BinOp::Xor, left, right) => {
                self.expr(point, left) && self.expr(point, right)
            }
            Expr::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, ty, inner) => {
                self.is_bytes(*ty) && self.expr(point, inner)
            }
            Expr::Select(parts) => parts[1..].iter().all(|part| self.expr(point, part)),
            Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Un(..) | Expr::Bin(..) | Expr::Cast(..) => {
                false
            }
        }
    }

    fn value(&mut self, func: FuncId, value: ValueId) -> bool {
        if !self.seen.insert((func, value)) {
            return true;
        }
        let facts = self.facts;
        match &facts.values[func].values[value].origin {
            Origin::Param(number) => self.param(func, *number),
            Origin::Unwritten => false,
            Origin::Meet(_, operands) => operands.iter().all(|(_, operand)| self.value(func, *operand)),
            Origin::Inst(block, inst) => self.result(Point::new(func, *block, *inst as usize)),
        }
    }

    fn param(&mut self, func: FuncId, number: usize) -> bool {
        let (program, facts) = (self.program, self.facts);
        let mut starts = facts.calls.calls.iter().chain(&facts.calls.spawns).filter(|(_, to)| to.contains(&func));
        func != program.entry
            && starts.all(|(point, _)| {
                let kind = program.kind(*point);
                let Some(InstKind::Call { args, .. } | InstKind::Spawn { args, .. }) = kind else { return false };
                args.get(number).is_some_and(|arg| self.expr(*point, arg))
            })
    }

    /// What the instruction writes to its register.
    fn result(&mut self, point: Point) -> bool {
        let (program, facts) = (self.program, self.facts);
        let Some(kind) = program.kind(point) else { return false };
        match kind {
            InstKind::Assign { value, .. } => self.expr(point, value),
            InstKind::Load { ty, .. } | InstKind::Update { ty, .. } => self.is_bytes(*ty) && self.loads(point),
            InstKind::Call { .. } => facts.points_to.callees(point).iter().all(|callee| {
                program.functions[*callee].blocks.iter().all(|(id, block)| {
                    let Term::Return(Some(value)) = &block.term else { return true };
                    self.expr(Point::new(*callee, id, block.insts.len()), value)
                })
            }),
            InstKind::Havoc { .. } | InstKind::Alloc { .. } | InstKind::Spawn { .. } => false,
            InstKind::Join { .. } | InstKind::Store { .. } | InstKind::Assume { .. } => false,
            InstKind::Assert { .. } | InstKind::Free { .. } | InstKind::Detach { .. } => false,
            InstKind::AtomicBegin | InstKind::AtomicEnd | InstKind::Fence { .. } => false,
            InstKind::Unsupported { .. } => false,
        }
    }
}

/// Are the lowest two bits of each byte equal?
fn is_plain(bits: u128) -> bool {
    let lowest = u128::MAX / 0xff;
    (bits ^ bits >> 1) & lowest == 0
}
