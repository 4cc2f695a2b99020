//! Printing expressions, addresses and layouts.
//!
//! A literal has no type of its own in the text.  It takes the type the parser finds around it, so the printer follows
//! the parser's rules: `expected` below is what the parser will expect at that place, and [`ExprPrinter::known`] is what
//! it can tell from the expression's own words.  A literal whose type neither gives is written with a suffix, `3:i32`.

use super::lexer::{NameKind, is_bare};
use super::names::{self, BinText};
use super::path::{self, Goal, PathElement};
use super::{default_align, float};
use crate::layout::{Layout, LayoutId};
use crate::program::*;
use std::fmt::Write;

pub(super) struct ExprPrinter<'a> {
    pub program: &'a Program,
    /// Whose registers are meant; constants need none.
    pub function: Option<&'a Function>,
    /// The type of `old` within an update.
    pub old: Option<Ty>,
}

impl<'a> ExprPrinter<'a> {
    pub fn new(program: &'a Program, function: Option<&'a Function>) -> Self {
        ExprPrinter { program, function, old: None }
    }

    /// The expression where the parser expects a value of type `expected`.
    pub fn value(&self, out: &mut String, expr: &Expr, expected: Option<Ty>) {
        self.expr(out, expr, Context { expected, ..Context::default() });
    }

    /// The expression as the address of an access of type `ty`, by the names of its layout where that is exact.
    pub fn address(&self, out: &mut String, expr: &Expr, ty: Ty) {
        self.expr(out, expr, Context { expected: Some(Ty::Ptr), access: Some(ty), ..Context::default() });
    }

    /// The expression in a place where operators need parentheses.
    pub fn operand(&self, out: &mut String, expr: &Expr, expected: Option<Ty>) {
        self.expr(out, expr, Context { expected, nested: true, ..Context::default() });
    }

    fn expr(&self, out: &mut String, expr: &Expr, place: Context) {
        match expr {
            Expr::Const(ty, bits) => constant(out, *ty, *bits, place.expected, place.unsigned),
            Expr::Reg(_) | Expr::Object(..) => {
                // The path of a lone base never fails: at worst it has no steps.
                self.path(out, expr, place);
            }
            Expr::Func(id) => {
                out.push('&');
                self.function_name(out, *id);
            }
            Expr::CurrentThread => out.push_str("self"),
            Expr::Old => out.push_str("old"),
            Expr::Un(op, inner) => self.unary(out, *op, inner, place),
            Expr::Bin(BinOp::PtrAdd, ..) if self.path(out, expr, place) => (),
            Expr::Bin(op, left, right) => self.binary(out, *op, left, right, place),
            Expr::Cast(op, ty, inner) => {
                write!(out, "{}(", names::cast_op(*op)).ok();
                self.value(out, inner, None);
                write!(out, ", {ty})").ok();
            }
            Expr::Select(parts) => {
                let [cond, then, other] = &**parts;
                out.push_str("select(");
                self.value(out, cond, Some(Ty::BOOL));
                out.push_str(", ");
                let (first, second) = self.pair(then, other, place.expected);
                self.value(out, then, first);
                out.push_str(", ");
                self.value(out, other, second);
                out.push(')');
            }
        }
    }

    fn unary(&self, out: &mut String, op: UnOp, inner: &Expr, place: Context) {
        let expected = if op == UnOp::FIsNan { None } else { place.expected };
        let sign = match op {
            UnOp::Not => Some('~'),
            // `-3` is a literal.
            UnOp::Neg if !matches!(inner, Expr::Const(..)) => Some('-'),
            _ => None,
        };
        if let Some(sign) = sign {
            out.push(sign);
            self.operand(out, inner, expected);
        } else {
            write!(out, "{}(", names::un_op(op)).ok();
            self.value(out, inner, expected);
            out.push(')');
        }
    }

    fn binary(&self, out: &mut String, op: BinOp, left: &Expr, right: &Expr, place: Context) {
        if op == BinOp::Xor && *right == Expr::bool(true) && self.known(left) == Some(Ty::BOOL) {
            out.push('!');
            return self.operand(out, left, Some(Ty::BOOL));
        }
        let outer = if op.is_comparison() { None } else { place.expected };
        let (mut first, mut second) = self.pair(left, right, outer);
        if op == BinOp::PtrAdd {
            // A bare number after a static address would become part of that address.
            let static_address = matches!(right, Expr::Const(..)) && has_static_base(left);
            (first, second) = (None, (!static_address).then(|| self.program.pointer_int()));
        }
        let infix = match names::bin_op(op) {
            BinText::Infix(infix) => infix,
            BinText::Function(name) => {
                write!(out, "{name}(").ok();
                self.value(out, left, first);
                out.push_str(", ");
                self.value(out, right, second);
                out.push(')');
                return;
            }
        };
        let unsigned = matches!(op, BinOp::ULt | BinOp::ULe | BinOp::UDiv | BinOp::URem | BinOp::LShr);
        let side = |expected| Context { expected, nested: true, unsigned, access: None };
        if place.nested {
            out.push('(');
        }
        self.expr(out, left, side(first));
        write!(out, " {infix} ").ok();
        self.expr(out, right, side(second));
        if place.nested {
            out.push(')');
        }
    }

    /// What the parser will expect of two operands of the same type.
    fn pair(&self, left: &Expr, right: &Expr, outer: Option<Ty>) -> (Option<Ty>, Option<Ty>) {
        match self.known(left).or_else(|| self.known(right)).or(outer) {
            Some(ty) => (Some(ty), Some(ty)),
            // The left operand gets a suffix and tells the right one.
            None => (None, self.type_of(left)),
        }
    }

    /// The type the parser can tell without suffixes.
    fn known(&self, expr: &Expr) -> Option<Ty> {
        self.infer(expr, false)
    }

    /// The type of the expression, where its registers exist.
    pub fn type_of(&self, expr: &Expr) -> Option<Ty> {
        self.infer(expr, true)
    }

    fn infer(&self, expr: &Expr, literals: bool) -> Option<Ty> {
        match expr {
            Expr::Const(Ty::BOOL, _) => Some(Ty::BOOL),
            Expr::Const(Ty::Ptr, 0) => Some(Ty::Ptr),
            Expr::Const(ty, _) => literals.then_some(*ty),
            Expr::Reg(reg) => self.function.and_then(|f| f.regs.get(*reg)).map(|data| data.ty),
            Expr::Object(..) | Expr::Func(_) => Some(Ty::Ptr),
            Expr::CurrentThread => Some(Ty::Int(32)),
            Expr::Old => self.old,
            Expr::Un(UnOp::FIsNan, _) => Some(Ty::BOOL),
            Expr::Un(_, inner) => self.infer(inner, literals),
            Expr::Bin(BinOp::PtrAdd, ..) => Some(Ty::Ptr),
            Expr::Bin(op, ..) if op.is_comparison() => Some(Ty::BOOL),
            Expr::Bin(_, left, right) => self.infer(left, literals).or_else(|| self.infer(right, literals)),
            Expr::Cast(_, ty, _) => Some(*ty),
            Expr::Select(parts) => self.infer(&parts[1], literals).or_else(|| self.infer(&parts[2], literals)),
        }
    }

    /// Prints an address by its layout; false, with nothing printed, where no path leads there.
    fn path(&self, out: &mut String, expr: &Expr, place: Context) -> bool {
        let mut terms = Vec::new();
        let mut base = expr;
        let constant = loop {
            match base {
                Expr::Object(_, offset) => break *offset,
                Expr::Reg(_) => break 0,
                Expr::Bin(BinOp::PtrAdd, left, right) => match (&**left, &**right) {
                    // `+ 0` is not what a path reads back as.
                    (Expr::Reg(_), Expr::Const(ty, bits)) if *ty == self.program.pointer_int() && *bits != 0 => {
                        base = left;
                        break signed(*bits, self.program.bits_of(*ty)) as i64;
                    }
                    (_, Expr::Const(..)) => return false,
                    (_, term) => {
                        terms.push(term);
                        base = left;
                    }
                },
                _ => return false,
            }
        };
        terms.reverse();
        match base {
            Expr::Object(id, _) => self.object_path(out, *id, constant, &terms, place),
            Expr::Reg(reg) => self.register_path(out, *reg, constant, &terms, place),
            _ => false,
        }
    }

    fn object_path(&self, out: &mut String, id: ObjectId, offset: i64, terms: &[&Expr], place: Context) -> bool {
        let object = self.program.objects.get(id);
        let found = object.zip(u64::try_from(offset).ok()).and_then(|(object, offset)| {
            let goals = place.access.map(Goal::Leaf).into_iter().chain([Goal::Exact, Goal::Rest]);
            goals.filter_map(|goal| path::find(self.program, &object.layout, offset, terms, goal)).next()
        });
        let (steps, rest) = match found {
            Some((steps, rest)) => (steps, i128::from(rest)),
            None if terms.is_empty() => (Vec::new(), i128::from(offset)),
            None => return false,
        };
        let parentheses = place.nested && rest != 0;
        if parentheses {
            out.push('(');
        }
        out.push('@');
        match object {
            Some(object) => name(out, &object.name, NameKind::Object),
            None => write!(out, "\"?{}\"", id.0).unwrap_or(()),
        }
        self.steps(out, &steps);
        if rest != 0 {
            write!(out, " {} {}", if rest < 0 { '-' } else { '+' }, rest.unsigned_abs()).ok();
        }
        if parentheses {
            out.push(')');
        }
        true
    }

    /// `%p->field`, `%p[i]`: the register's declared layout says what it points to.
    fn register_path(&self, out: &mut String, reg: Reg, offset: i64, terms: &[&Expr], place: Context) -> bool {
        let lone = offset == 0 && terms.is_empty();
        let data = self.function.and_then(|f| f.regs.get(reg));
        let pointee = match data.and_then(|data| data.layout.as_ref()).map(|layout| layout.resolve(self.program)) {
            Some(Layout::Pointer(Some(pointee))) => Some(&**pointee),
            _ => None,
        };
        let goals = place.access.map(Goal::Leaf).into_iter().chain([Goal::Exact]);
        let found = pointee.zip(u64::try_from(offset).ok()).and_then(|(pointee, offset)| {
            goals.filter_map(|goal| self.pointee_path(pointee, offset, terms, goal)).next()
        });
        let steps = match found {
            Some(steps) => steps,
            None if lone => Vec::new(),
            None => return false,
        };
        self.reg(out, reg);
        match steps.split_first() {
            Some((PathElement::Field(field), others)) => {
                out.push_str("->");
                name(out, field, NameKind::Field);
                self.steps(out, others);
            }
            _ => self.steps(out, &steps),
        }
        true
    }

    fn pointee_path<'e>(
        &'e self,
        pointee: &'e Layout,
        offset: u64,
        terms: &[&'e Expr],
        goal: Goal,
    ) -> Option<Vec<PathElement<'e>>> {
        let stride = pointee.size(self.program);
        let mut steps = Vec::new();
        let (mut offset, mut terms) = (offset, terms);
        if let Some((first, others)) = terms.split_first()
            && let Some(index) = path::index_in(first, stride, self.program.pointer_int())
        {
            steps.push(PathElement::Variable(index));
            terms = others;
        } else {
            let element = offset.checked_div(stride)?;
            if element != 0 {
                steps.push(PathElement::Element(element));
            }
            offset -= element * stride;
        }
        let (inner, _) = path::find(self.program, pointee, offset, terms, goal)?;
        // `%p[1]` steps over whole pointees, so the first index within one needs `[0]` before it.
        if steps.is_empty() && !matches!(inner.first(), None | Some(PathElement::Field(_))) {
            steps.push(PathElement::Element(0));
        }
        steps.extend(inner);
        Some(steps)
    }

    fn steps(&self, out: &mut String, steps: &[PathElement]) {
        for step in steps {
            match step {
                PathElement::Field(field) => {
                    out.push('.');
                    name(out, field, NameKind::Field);
                }
                PathElement::Element(index) => write!(out, "[{index}]").unwrap_or(()),
                PathElement::Variable(index) => {
                    out.push('[');
                    self.value(out, index, Some(self.program.pointer_int()));
                    out.push(']');
                }
            }
        }
    }

    pub fn reg(&self, out: &mut String, reg: Reg) {
        out.push('%');
        match self.function.and_then(|f| f.regs.get(reg)) {
            Some(data) => name(out, &data.name, NameKind::Reg),
            None => write!(out, "\"?{}\"", reg.0).unwrap_or(()),
        }
    }

    pub fn block(&self, out: &mut String, block: BlockId) {
        match self.function.and_then(|f| f.blocks.get(block)) {
            Some(data) => name(out, &data.name, NameKind::Word),
            None => write!(out, "\"?{}\"", block.0).unwrap_or(()),
        }
    }

    pub fn function_name(&self, out: &mut String, id: FuncId) {
        match self.program.functions.get(id) {
            Some(function) => name(out, &function.name, NameKind::Word),
            None => write!(out, "\"?{}\"", id.0).unwrap_or(()),
        }
    }

    pub fn layout_name(&self, out: &mut String, id: LayoutId) {
        out.push('$');
        match self.program.layouts.get(id) {
            Some(named) => name(out, &named.name, NameKind::Layout),
            None => write!(out, "\"?{}\"", id.0).unwrap_or(()),
        }
    }

    pub fn layout(&self, out: &mut String, layout: &Layout) {
        match layout {
            Layout::Scalar { ty: Ty::Int(bits), unsigned: true } => write!(out, "u{bits}").unwrap_or(()),
            Layout::Scalar { ty, .. } => write!(out, "{ty}").unwrap_or(()),
            Layout::Pointer(None) => out.push_str("ptr"),
            Layout::Pointer(Some(to)) => {
                out.push_str("ptr ");
                self.layout(out, to);
            }
            Layout::Array { element, count } => {
                write!(out, "[{count} x ").ok();
                self.layout(out, element);
                out.push(']');
            }
            Layout::Struct { size, fields } => self.fields(out, "struct", *size, fields),
            Layout::Union { size, fields } => self.fields(out, "union", *size, fields),
            Layout::Named(id) => self.layout_name(out, *id),
            Layout::Bytes(size) => write!(out, "bytes {size}").unwrap_or(()),
        }
    }

    fn fields(&self, out: &mut String, word: &str, size: u64, fields: &[crate::Field]) {
        write!(out, "{word} {size} {{").ok();
        for (i, field) in fields.iter().enumerate() {
            out.push_str(if i == 0 { " " } else { ", " });
            name(out, &field.name, NameKind::Field);
            out.push_str(": ");
            self.layout(out, &field.layout);
            write!(out, " @{}", field.offset).ok();
        }
        out.push_str(" }");
    }

    /// `align N` where it is not what the size suggests.
    pub fn align(&self, out: &mut String, align: u64, size: u64) {
        if align != default_align(size, self.program.data_model) {
            write!(out, " align {align}").ok();
        }
    }
}

/// What surrounds an expression.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The type the parser will expect here.
    expected: Option<Ty>,
    /// The type of the access whose address this is.
    access: Option<Ty>,
    /// An operator here needs parentheses.
    nested: bool,
    /// The operation around it reads numbers as unsigned.
    unsigned: bool,
}

/// Would the parser read the expression's text as a static address?
fn has_static_base(expr: &Expr) -> bool {
    match expr {
        Expr::Object(..) => true,
        Expr::Bin(BinOp::PtrAdd, left, _) => has_static_base(left),
        _ => false,
    }
}

pub(super) fn constant(out: &mut String, ty: Ty, bits: u128, expected: Option<Ty>, unsigned: bool) {
    match ty {
        Ty::BOOL if bits <= 1 => return out.push_str(if bits == 1 { "true" } else { "false" }),
        Ty::Ptr if bits == 0 => return out.push_str("null"),
        Ty::Int(_) if unsigned => write!(out, "{bits}").unwrap_or(()),
        Ty::Int(width) => write!(out, "{}", signed(bits, u32::from(width))).unwrap_or(()),
        Ty::Ptr => write!(out, "{bits:#x}").unwrap_or(()),
        Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => match float::decimal(ty, bits) {
            Some(text) => out.push_str(&text),
            None => write!(out, "{bits:#x}").unwrap_or(()),
        },
    }
    if expected != Some(ty) {
        write!(out, ":{ty}").ok();
    }
}

/// A name, quoted where its characters or its place ask for it.
pub(super) fn name(out: &mut String, text: &str, kind: NameKind) {
    if is_bare(text, kind) {
        out.push_str(text);
    } else {
        string(out, text);
    }
}

pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => write!(out, "\\{:02x}", c as u32).unwrap_or(()),
            c => out.push(c),
        }
    }
    out.push('"');
}

pub(super) fn bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b' '..=b'~' => out.push(byte as char),
            _ => write!(out, "\\{byte:02x}").unwrap_or(()),
        }
    }
    out.push('"');
}
