//! Parsing expressions and addresses.
//!
//! Two steps: read a tree whose literals have no type yet, each node knowing the type its own words give it; then hand
//! types down from the place the expression stands in to the literals that have none.

use super::lexer::{At, Tok};
use super::parse::Parser;
use super::{MAX_EXPR_DEPTH, Parsed, float, names, path};
use crate::layout::Layout;
use crate::program::*;

/// An expression before its literals have types.
pub(super) struct Node {
    kind: Kind,
    /// The type its own words give it.
    pub ty: Option<Ty>,
    at: At,
}

enum Kind {
    Int {
        value: u128,
        negative: bool,
        hex: bool,
    },
    /// With its sign.
    Float(String),
    Done(Expr),
    Un(UnOp, Box<Node>),
    Bin(BinOp, Box<[Node; 2]>),
    Cast(CastOp, Ty, Box<Node>),
    Select(Box<[Node; 3]>),
    /// A base address and what is added to it: indices, each times a stride.
    Path(Expr, Vec<(Node, u64)>),
}

/// One step of a path as written.
enum Selector {
    Field(String),
    Arrow(String),
    Element(u128),
    Variable(Node),
}

/// A path once it is resolved: the constant bytes, and the indices that are not constant with their strides.
#[derive(Default)]
struct Walk {
    offset: i128,
    terms: Vec<(Node, u64)>,
}

impl Parser<'_> {
    /// An expression of type `expected`, if that is known; nothing checks yet that it has that type.
    pub fn expr(&mut self, expected: Option<Ty>) -> Parsed<Expr> {
        let node = self.node()?;
        self.typed(node, expected)
    }

    /// An expression whose type must show in itself, and that type.
    pub fn typed_expr(&mut self) -> Parsed<(Expr, Ty)> {
        let at = self.at();
        let node = self.node()?;
        match node.ty {
            Some(ty) => Ok((self.typed(node, None)?, ty)),
            None => self.no_type(at),
        }
    }

    fn no_type<T>(&self, at: At) -> Parsed<T> {
        self.error_at(at, "nothing here says which type this has: write 3:i32, for example")
    }

    /// One operand, or two with an operator between.
    pub fn node(&mut self) -> Parsed<Node> {
        let left = self.operand()?;
        let Some((op, turned)) = self.operator() else { return Ok(left) };
        let at = self.at();
        self.skip();
        let right = self.operand()?;
        if self.operator().is_some() {
            return self.error_at(self.at(), "put parentheses around one of the two operations");
        }
        // `+` on a pointer counts bytes.
        let op = if op == BinOp::Add && left.ty == Some(Ty::Ptr) { BinOp::PtrAdd } else { op };
        let (left, right) = if turned { (right, left) } else { (left, right) };
        Ok(bin(op, left, right, at))
    }

    fn operator(&self) -> Option<(BinOp, bool)> {
        match self.peek() {
            Tok::Punct(punct) => names::infix_named(punct),
            Tok::Word(word) => names::infix_named(word),
            _ => None,
        }
    }

    pub fn operand(&mut self) -> Parsed<Node> {
        self.nested(MAX_EXPR_DEPTH + 2, "this expression nests too deep", Self::operand_inner)
    }

    fn operand_inner(&mut self, at: At) -> Parsed<Node> {
        let done = |expr, ty| Ok(Node { kind: Kind::Done(expr), ty: Some(ty), at });
        match self.take() {
            Tok::Int { value, hex } => self.suffix(Kind::Int { value, negative: false, hex }, at),
            Tok::Float(text) => self.suffix(Kind::Float(text), at),
            Tok::Punct("-") => {
                let kind = match self.peek() {
                    Tok::Int { value, hex } => Kind::Int { value: *value, negative: true, hex: *hex },
                    Tok::Float(text) => Kind::Float(format!("-{text}")),
                    _ => return Ok(un(UnOp::Neg, self.operand()?, at)),
                };
                self.skip();
                self.suffix(kind, at)
            }
            Tok::Punct("~") => Ok(un(UnOp::Not, self.operand()?, at)),
            Tok::Punct("!") => {
                let inner = self.operand()?;
                let one = Node { kind: Kind::Done(Expr::bool(true)), ty: Some(Ty::BOOL), at };
                Ok(bin(BinOp::Xor, inner, one, at))
            }
            Tok::Punct("(") => {
                let inner = self.node()?;
                self.punct(")")?;
                Ok(inner)
            }
            Tok::Punct("&") => done(Expr::Func(self.function_ref()?), Ty::Ptr),
            Tok::Object(name) => {
                let id = self.known(self.object_ids.get(&name), at, || format!("there is no object @{name}"))?;
                self.object_path(id, at)
            }
            Tok::Reg(name) => {
                let reg = self.known(self.reg_ids.get(&name), at, || format!("register %{name} is not declared"))?;
                self.register_path(reg, at)
            }
            Tok::Word(word) => match word.as_str() {
                "true" => done(Expr::bool(true), Ty::BOOL),
                "false" => done(Expr::bool(false), Ty::BOOL),
                "null" => done(Expr::null(), Ty::Ptr),
                "self" => done(Expr::CurrentThread, Ty::Int(32)),
                "old" => Ok(Node { kind: Kind::Done(Expr::Old), ty: self.old, at }),
                _ => self.function_form(&word, at),
            },
            _ => self.unexpected(at, "an expression"),
        }
    }

    /// `zext(%x, i64)`, `select(c, a, b)`, `fadd(a, b)`, `popcount(x)`
    fn function_form(&mut self, word: &str, at: At) -> Parsed<Node> {
        if let Some(op) = names::un_named(word) {
            let [inner] = self.arguments()?;
            return Ok(un(op, inner, at));
        }
        if let Some(op) = names::function_named(word) {
            let [left, right] = self.arguments()?;
            return Ok(bin(op, left, right, at));
        }
        if let Some(op) = names::cast_named(word) {
            self.punct("(")?;
            let inner = self.node()?;
            self.punct(",")?;
            let ty = self.ty()?;
            self.punct(")")?;
            return Ok(Node { kind: Kind::Cast(op, ty, Box::new(inner)), ty: Some(ty), at });
        }
        if word != "select" {
            return self.unexpected(at, "an expression");
        }
        let parts: [Node; 3] = self.arguments()?;
        let ty = parts[1].ty.or(parts[2].ty);
        Ok(Node { kind: Kind::Select(Box::new(parts)), ty, at })
    }

    /// `(a, b)`
    fn arguments<const N: usize>(&mut self) -> Parsed<[Node; N]> {
        let mut nodes = Vec::with_capacity(N);
        for i in 0..N {
            self.punct(if i == 0 { "(" } else { "," })?;
            nodes.push(self.node()?);
        }
        self.punct(")")?;
        let Ok(nodes) = nodes.try_into() else { unreachable!("as many nodes as were asked for") };
        Ok(nodes)
    }

    /// The type of a literal, where one is written: `3:i32`.
    fn suffix(&mut self, kind: Kind, at: At) -> Parsed<Node> {
        let ty = if self.eat(":") { Some(self.ty()?) } else { None };
        Ok(Node { kind, ty, at })
    }

    // Paths.

    /// `@q`, `@q.tail`, `@buf[%i].len`, `@q + 8`
    fn object_path(&mut self, id: ObjectId, at: At) -> Parsed<Node> {
        let steps = self.steps()?;
        let mut walk = Walk::default();
        self.resolve(&self.program.objects[id].layout, steps, &mut walk)?;
        // A bare number added to a static address is a part of it; with a type, as in `@q + 8:i64`, it is an operand.
        let sign = match self.peek() {
            Tok::Punct("+") => 1,
            Tok::Punct("-") => -1,
            _ => 0,
        };
        if sign != 0
            && let Tok::Int { value, .. } = *self.peek_at(1)
            && *self.peek_at(2) != Tok::Punct(":")
        {
            self.skip();
            self.skip();
            // Saturated, it fails the check below.
            walk.offset += sign * i128::from(u64::try_from(value).unwrap_or(u64::MAX));
        }
        Ok(path_node(Expr::Object(id, self.offset(&walk, at)?), walk.terms, at))
    }

    fn offset(&self, walk: &Walk, at: At) -> Parsed<i64> {
        i64::try_from(walk.offset).or_else(|_| self.error_at(at, "this offset does not fit 64 bits"))
    }

    /// `%p`, `%p->next`, `%p[%i].len`
    fn register_path(&mut self, reg: Reg, at: At) -> Parsed<Node> {
        let mut steps = self.steps()?;
        let data = &self.program.functions[self.func].regs[reg];
        if steps.is_empty() {
            return Ok(Node { kind: Kind::Done(Expr::Reg(reg)), ty: Some(data.ty), at });
        }
        let pointee = match data.layout.as_ref().map(|layout| layout.resolve(&self.program)) {
            Some(Layout::Pointer(Some(pointee))) if data.ty == Ty::Ptr => &**pointee,
            _ => {
                let name = &data.name;
                return self
                    .error_at(at, format!("%{name} is not declared as a pointer to anything, as in `ptr $node`"));
            }
        };
        let mut walk = Walk::default();
        match steps.remove(0) {
            // Through the pointer, it is an ordinary field.
            (Selector::Arrow(name), at) => steps.insert(0, (Selector::Field(name), at)),
            (Selector::Field(_), at) => return self.error_at(at, "a register's fields follow `->`"),
            (index, at) => self.index(pointee, index, at, &mut walk)?,
        }
        self.resolve(pointee, steps, &mut walk)?;
        let offset = self.offset(&walk, at)?;
        let mut base = Expr::Reg(reg);
        if offset != 0 {
            let bits = self.program.data_model.pointer_bits();
            base = Expr::bin(BinOp::PtrAdd, base, Expr::int(bits, i128::from(offset)));
        }
        Ok(path_node(base, walk.terms, at))
    }

    /// The steps as they are written.
    fn steps(&mut self) -> Parsed<Vec<(Selector, At)>> {
        let mut steps = Vec::new();
        loop {
            let at = self.at();
            let step = if self.eat(".") {
                Selector::Field(self.plain_name("a field's name")?)
            } else if self.eat("->") {
                Selector::Arrow(self.plain_name("a field's name")?)
            } else if self.eat("[") {
                let step = match (self.peek(), self.peek_at(1)) {
                    (&Tok::Int { value, .. }, Tok::Punct("]")) => {
                        self.skip();
                        Selector::Element(value)
                    }
                    _ => Selector::Variable(self.node()?),
                };
                self.punct("]")?;
                step
            } else {
                return Ok(steps);
            };
            steps.push((step, at));
        }
    }

    /// Follows the steps from something of the given layout.
    fn resolve(&self, from: &Layout, steps: Vec<(Selector, At)>, walk: &mut Walk) -> Parsed<()> {
        let mut from = from;
        for (step, at) in steps {
            let layout = from.resolve(&self.program);
            match step {
                Selector::Field(name) => match path::field(&self.program, layout, &name) {
                    Some(field) => {
                        walk.offset += i128::from(field.offset);
                        from = &field.layout;
                    }
                    None => return self.error_at(at, format!("there is no field {name} here")),
                },
                Selector::Arrow(_) => {
                    return self.error_at(at, "`->` follows a register: what is in memory must be loaded first");
                }
                Selector::Element(_) | Selector::Variable(_) => {
                    let Layout::Array { element, .. } = layout else {
                        return self.error_at(at, "this is not an array");
                    };
                    self.index(element, step, at, walk)?;
                    from = element;
                }
            }
        }
        Ok(())
    }

    /// One index over elements of the given layout.
    fn index(&self, element: &Layout, step: Selector, at: At, walk: &mut Walk) -> Parsed<()> {
        let stride = element.size(&self.program);
        if stride == 0 {
            return self.error_at(at, "these elements have no size");
        }
        match step {
            Selector::Element(index) => match u64::try_from(index).ok().and_then(|index| index.checked_mul(stride)) {
                Some(offset) => walk.offset += i128::from(offset),
                None => return self.error_at(at, "this offset does not fit 64 bits"),
            },
            Selector::Variable(index) => walk.terms.push((index, stride)),
            Selector::Field(_) | Selector::Arrow(_) => (),
        }
        Ok(())
    }

    // Types for literals.

    fn typed(&self, node: Node, expected: Option<Ty>) -> Parsed<Expr> {
        let ty = node.ty.or(expected);
        let literal = || ty.map_or_else(|| self.no_type(node.at), Ok);
        match node.kind {
            Kind::Int { value, negative, hex } => self.int_literal(literal()?, value, negative, hex, node.at),
            Kind::Float(text) => self.float_literal(literal()?, &text, node.at),
            Kind::Done(expr) => Ok(expr),
            Kind::Un(op, inner) => {
                let expected = if op == UnOp::FIsNan { None } else { ty };
                Ok(Expr::un(op, self.typed(*inner, expected)?))
            }
            Kind::Bin(op, operands) => {
                let [left, right] = *operands;
                let (first, second) = if op == BinOp::PtrAdd {
                    (None, Some(self.program.pointer_int()))
                } else {
                    let shared = if op.is_comparison() { left.ty.or(right.ty) } else { ty };
                    (shared, shared)
                };
                Ok(Expr::bin(op, self.typed(left, first)?, self.typed(right, second)?))
            }
            Kind::Cast(op, to, inner) => Ok(Expr::cast(op, to, self.typed(*inner, None)?)),
            Kind::Select(parts) => {
                let [cond, then, other] = *parts;
                let cond = self.typed(cond, Some(Ty::BOOL))?;
                Ok(Expr::select(cond, self.typed(then, ty)?, self.typed(other, ty)?))
            }
            Kind::Path(base, terms) => {
                let pointer_int = self.program.pointer_int();
                let mut address = base;
                for (index, stride) in terms {
                    let mut term = self.typed(index, Some(pointer_int))?;
                    if stride != 1 {
                        let stride = mask(u128::from(stride), self.program.bits_of(pointer_int));
                        term = Expr::bin(BinOp::Mul, term, Expr::Const(pointer_int, stride));
                    }
                    address = Expr::bin(BinOp::PtrAdd, address, term);
                }
                Ok(address)
            }
        }
    }

    pub fn int_literal(&self, ty: Ty, value: u128, negative: bool, hex: bool, at: At) -> Parsed<Expr> {
        let sign = if negative { "-" } else { "" };
        if ty.is_float() && !hex {
            return self.float_literal(ty, &format!("{sign}{value}"), at);
        }
        let bits = self.program.bits_of(ty);
        let fits = if negative { value <= 1 << (bits - 1) } else { value == mask(value, bits) };
        if !fits {
            return self.error_at(at, format!("{sign}{value} does not fit {ty}"));
        }
        let value = if negative { value.wrapping_neg() } else { value };
        Ok(Expr::Const(ty, mask(value, bits)))
    }

    fn float_literal(&self, ty: Ty, text: &str, at: At) -> Parsed<Expr> {
        if !ty.is_float() {
            return self.error_at(at, format!("a number with a fraction is not of type {ty}"));
        }
        match float::read_decimal(ty, text) {
            Some(bits) => Ok(Expr::Const(ty, bits)),
            None => self.error_at(at, format!("this number is too large for {ty}, or has too many digits")),
        }
    }
}

fn un(op: UnOp, inner: Node, at: At) -> Node {
    let ty = if op == UnOp::FIsNan { Some(Ty::BOOL) } else { inner.ty };
    Node { kind: Kind::Un(op, Box::new(inner)), ty, at }
}

fn bin(op: BinOp, left: Node, right: Node, at: At) -> Node {
    let ty = match op {
        BinOp::PtrAdd => Some(Ty::Ptr),
        op if op.is_comparison() => Some(Ty::BOOL),
        _ => left.ty.or(right.ty),
    };
    Node { kind: Kind::Bin(op, Box::new([left, right])), ty, at }
}

fn path_node(base: Expr, terms: Vec<(Node, u64)>, at: At) -> Node {
    let kind = if terms.is_empty() { Kind::Done(base) } else { Kind::Path(base, terms) };
    Node { kind, ty: Some(Ty::Ptr), at }
}
