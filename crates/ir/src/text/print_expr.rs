//! Printing expressions, addresses and layouts.
//!
//! A literal has no type of its own in the text.  It takes the type the parser finds around it, so the printer follows
//! the parser's rules: `expected` below is what the parser will expect at that place, and [`Printer::known`] is what
//! it can tell from the expression's own words.  A literal whose type neither gives is written with a suffix, `3:i32`.

use super::float;
use super::lexer::{NameKind, is_bare};
use super::names;
use super::path::{self, Goal, PathElement};
use crate::layout::{Layout, LayoutId};
use crate::program::*;

#[derive(Clone, Copy)]
pub(super) struct Printer<'a> {
    pub program: &'a Program,
    /// Whose registers are meant; constants need none.
    pub function: Option<&'a Function>,
    /// The type of `old` within an update.
    pub old: Option<Ty>,
    /// Say where things stand in the user's text.
    pub positions: bool,
}

impl<'a> Printer<'a> {
    pub fn new(program: &'a Program, function: Option<&'a Function>) -> Self {
        Printer { program, function, old: None, positions: false }
    }

    /// The expression where the parser expects a value of type `expected`.
    pub fn value(&self, expr: &Expr, expected: Option<Ty>) -> String {
        self.expr(expr, Context { expected, ..Context::default() })
    }

    /// The expression as the address of an access of type `ty`, by the names of its layout where that is exact.
    pub fn address(&self, expr: &Expr, ty: Ty) -> String {
        self.expr(expr, Context { expected: Some(Ty::Ptr), access: Some(ty), ..Context::default() })
    }

    /// The expression in a place where operators need parentheses.
    fn operand(&self, expr: &Expr, expected: Option<Ty>) -> String {
        self.expr(expr, Context { expected, nested: true, ..Context::default() })
    }

    fn expr(&self, expr: &Expr, place: Context) -> String {
        match expr {
            Expr::Const(ty, bits) => constant(*ty, *bits, place.expected, place.unsigned),
            // The path of a lone base never fails: at worst it has no steps.
            Expr::Reg(_) | Expr::Object(..) => self.path(expr, place).unwrap_or_default(),
            Expr::Func(id) => format!("&{}", self.function_name(*id)),
            Expr::CurrentThread => "self".to_string(),
            Expr::Old => "old".to_string(),
            Expr::Un(op, inner) => self.unary(*op, inner, place),
            Expr::Bin(op, left, right) => {
                let path = if *op == BinOp::PtrAdd { self.path(expr, place) } else { None };
                path.unwrap_or_else(|| self.binary(*op, left, right, place))
            }
            Expr::Cast(op, ty, inner) => format!("{}({}, {ty})", names::cast_op(*op), self.value(inner, None)),
            Expr::Select(parts) => {
                let [cond, then, other] = &**parts;
                let (first, second) = self.pair(then, other, place.expected);
                let cond = self.value(cond, Some(Ty::BOOL));
                format!("select({cond}, {}, {})", self.value(then, first), self.value(other, second))
            }
        }
    }

    fn unary(&self, op: UnOp, inner: &Expr, place: Context) -> String {
        let expected = if op == UnOp::FIsNan { None } else { place.expected };
        match op {
            UnOp::Not => format!("~{}", self.operand(inner, expected)),
            // `-3` is a literal.
            UnOp::Neg if !matches!(inner, Expr::Const(..)) => format!("-{}", self.operand(inner, expected)),
            _ => format!("{}({})", names::un_op(op), self.value(inner, expected)),
        }
    }

    fn binary(&self, op: BinOp, left: &Expr, right: &Expr, place: Context) -> String {
        if op == BinOp::Xor && *right == Expr::bool(true) && self.known(left) == Some(Ty::BOOL) {
            return format!("!{}", self.operand(left, Some(Ty::BOOL)));
        }
        let outer = if op.is_comparison() { None } else { place.expected };
        let (mut first, mut second) = self.pair(left, right, outer);
        if op == BinOp::PtrAdd {
            // A bare number after a static address would become part of that address.
            let static_address = matches!(right, Expr::Const(..)) && has_static_base(left);
            (first, second) = (None, (!static_address).then(|| self.program.pointer_int()));
        }
        let name = names::bin_op_name(op);
        if names::is_function(op) {
            return format!("{name}({}, {})", self.value(left, first), self.value(right, second));
        }
        let unsigned = matches!(op, BinOp::ULt | BinOp::ULe | BinOp::UDiv | BinOp::URem | BinOp::LShr);
        let side = |expr, expected| self.expr(expr, Context { expected, nested: true, unsigned, access: None });
        let text = format!("{} {name} {}", side(left, first), side(right, second));
        if place.nested { format!("({text})") } else { text }
    }

    /// What the parser will expect of two operands of the same type.
    fn pair(&self, left: &Expr, right: &Expr, outer: Option<Ty>) -> (Option<Ty>, Option<Ty>) {
        match self.known(left).or_else(|| self.known(right)).or(outer) {
            Some(ty) => (Some(ty), Some(ty)),
            // The left operand gets a suffix and tells the right one.
            None => (None, self.infer(left, true)),
        }
    }

    /// The type the parser can tell without suffixes.
    fn known(&self, expr: &Expr) -> Option<Ty> {
        self.infer(expr, false)
    }

    /// The type of the expression, where its registers exist; with that of its literals, or without.
    pub fn infer(&self, expr: &Expr, literals: bool) -> Option<Ty> {
        match expr {
            Expr::Const(Ty::BOOL, _) => Some(Ty::BOOL),
            Expr::Const(Ty::Ptr, 0) => Some(Ty::Ptr),
            Expr::Const(ty, _) => literals.then_some(*ty),
            Expr::Reg(reg) => self.reg_data(*reg).map(|data| data.ty),
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

    /// An address by its layout; nothing where no path leads there.
    fn path(&self, expr: &Expr, place: Context) -> Option<String> {
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
                    (_, Expr::Const(..)) => return None,
                    (_, term) => {
                        terms.push(term);
                        base = left;
                    }
                },
                _ => return None,
            }
        };
        terms.reverse();
        match base {
            Expr::Object(id, _) => self.object_path(*id, constant, &terms, place),
            Expr::Reg(reg) => self.register_path(*reg, constant, &terms, place),
            _ => None,
        }
    }

    fn object_path(&self, id: ObjectId, offset: i64, terms: &[&Expr], place: Context) -> Option<String> {
        let object = self.program.objects.get(id);
        let found = object.zip(u64::try_from(offset).ok()).and_then(|(object, offset)| {
            let goals = place.access.map(Goal::Leaf).into_iter().chain([Goal::Exact, Goal::Rest]);
            goals.filter_map(|goal| path::find(self.program, &object.layout, offset, terms, goal)).next()
        });
        let (steps, rest) = match found {
            Some((steps, rest)) => (steps, i128::from(rest)),
            None if terms.is_empty() => (Vec::new(), i128::from(offset)),
            None => return None,
        };
        let object = known_name(object.map(|object| &object.name), NameKind::Object, id.0);
        let address = format!("@{object}{}", self.steps(&steps));
        if rest == 0 {
            return Some(address);
        }
        let sum = format!("{address} {} {}", if rest < 0 { '-' } else { '+' }, rest.unsigned_abs());
        Some(if place.nested { format!("({sum})") } else { sum })
    }

    /// `%p->field`, `%p[i]`: the register's declared layout says what it points to.
    fn register_path(&self, reg: Reg, offset: i64, terms: &[&Expr], place: Context) -> Option<String> {
        let lone = offset == 0 && terms.is_empty();
        let data = self.reg_data(reg);
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
            None => return None,
        };
        let base = self.reg(reg);
        Some(match steps.split_first() {
            Some((PathElement::Field(field), others)) => {
                format!("{base}->{}{}", name(field, NameKind::Field), self.steps(others))
            }
            _ => base + &self.steps(&steps),
        })
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

    fn steps(&self, steps: &[PathElement]) -> String {
        let step = |step: &PathElement| match step {
            PathElement::Field(field) => format!(".{}", name(field, NameKind::Field)),
            PathElement::Element(index) => format!("[{index}]"),
            PathElement::Variable(index) => format!("[{}]", self.value(index, Some(self.program.pointer_int()))),
        };
        steps.iter().map(step).collect()
    }

    pub fn reg_data(&self, reg: Reg) -> Option<&'a RegData> {
        self.function?.regs.get(reg)
    }

    pub fn reg(&self, reg: Reg) -> String {
        let data = self.reg_data(reg);
        format!("%{}", known_name(data.map(|data| &data.name), NameKind::Reg, reg.0))
    }

    pub fn block(&self, block: BlockId) -> String {
        let data = self.function.and_then(|f| f.blocks.get(block));
        known_name(data.map(|data| &data.name), NameKind::Word, block.0)
    }

    pub fn function_name(&self, id: FuncId) -> String {
        known_name(self.program.functions.get(id).map(|function| &function.name), NameKind::Word, id.0)
    }

    pub fn layout_name(&self, id: LayoutId) -> String {
        format!("${}", known_name(self.program.layouts.get(id).map(|named| &named.name), NameKind::Layout, id.0))
    }

    pub fn layout(&self, layout: &Layout) -> String {
        match layout {
            Layout::Scalar { ty: Ty::Int(bits), unsigned: true } => format!("u{bits}"),
            Layout::Scalar { ty, .. } => ty.to_string(),
            Layout::Pointer(None) => "ptr".to_string(),
            Layout::Pointer(Some(to)) => format!("ptr {}", self.layout(to)),
            Layout::Array { element, count } => format!("[{count} x {}]", self.layout(element)),
            Layout::Struct { size, fields } => format!("struct {size} {}", self.fields(fields)),
            Layout::Union { size, fields } => format!("union {size} {}", self.fields(fields)),
            Layout::Named(id) => self.layout_name(*id),
            Layout::Bytes(size) => format!("bytes {size}"),
        }
    }

    fn fields(&self, fields: &[crate::Field]) -> String {
        let field = |field: &crate::Field| {
            format!(" {}: {} @{}", name(&field.name, NameKind::Field), self.layout(&field.layout), field.offset)
        };
        format!("{{{} }}", fields.iter().map(field).collect::<Vec<_>>().join(","))
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

pub(super) fn constant(ty: Ty, bits: u128, expected: Option<Ty>, unsigned: bool) -> String {
    let text = match ty {
        Ty::BOOL if bits <= 1 => return if bits == 1 { "true" } else { "false" }.to_string(),
        Ty::Ptr if bits == 0 => return "null".to_string(),
        Ty::Int(_) if unsigned => bits.to_string(),
        Ty::Int(width) => signed(bits, u32::from(width)).to_string(),
        Ty::Ptr => format!("{bits:#x}"),
        Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => float::decimal(ty, bits).unwrap_or_else(|| format!("{bits:#x}")),
    };
    if expected == Some(ty) { text } else { format!("{text}:{ty}") }
}

/// The name of something, or its number where an invalid program refers to nothing.
fn known_name(known: Option<&String>, kind: NameKind, number: u32) -> String {
    known.map_or_else(|| format!("\"?{number}\""), |text| name(text, kind))
}

/// A name, quoted where its characters or its place ask for it.
pub(super) fn name(text: &str, kind: NameKind) -> String {
    if is_bare(text, kind) { text.to_string() } else { string(text) }
}

pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

pub(super) fn bytes(bytes: &[u8]) -> String {
    let shown = bytes.iter().map(|byte| match byte {
        b' '..=b'~' | b'\n' | b'\t' => escaped(char::from(*byte)),
        _ => format!("\\{byte:02x}"),
    });
    format!("\"{}\"", shown.collect::<String>())
}

fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_string(),
        '\t' => "\\t".to_string(),
        c if c.is_ascii_control() => format!("\\{:02x}", c as u32),
        c => c.to_string(),
    }
}
