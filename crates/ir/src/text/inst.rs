//! Parsing the bodies of functions: blocks, instructions and terminators.

use super::lexer::{At, Tok};
use super::names;
use super::parse::Parser;
use super::print::{alloc_align, lock_guard};
use super::{BlockMap, Parsed};
use crate::Check;
use crate::program::*;
use base::Id;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One line of a block.
enum Line {
    Inst(InstKind),
    Term(Term),
}

/// The register a line assigns to, by name: it may be declared by this very line.
type Dst = Option<(String, At)>;

impl Parser<'_> {
    pub fn function_body(&mut self, id: FuncId, rest: &Range<usize>) -> Parsed<()> {
        self.func = id;
        self.labels = self.labels(rest)?;
        self.reg_ids = self.program.functions[id].regs.iter().map(|(reg, data)| (data.name.clone(), reg)).collect();
        self.next = rest.start;
        self.newlines();
        while !self.eat("}") {
            let (block, place) = self.block()?;
            self.program.functions[id].blocks.push(block);
            self.map.functions[id].blocks.push(place);
            self.newlines();
        }
        if self.line_ends() { Ok(()) } else { self.unexpected(self.at(), "the end of the line") }
    }

    /// The blocks of a body by name.
    fn labels(&self, rest: &Range<usize>) -> Parsed<FxHashMap<String, BlockId>> {
        let mut labels = FxHashMap::default();
        let tokens = &self.tokens[rest.clone()];
        for (i, token) in tokens.iter().enumerate() {
            let first = i == 0 || tokens[i - 1].tok == Tok::Newline;
            if !first || tokens.get(i + 1).is_none_or(|next| next.tok != Tok::Punct(":")) {
                continue;
            }
            let name = match &token.tok {
                Tok::Word(word) => word.clone(),
                // A name that is not UTF-8 fails when the block is read.
                Tok::Str(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                _ => continue,
            };
            let id = BlockId::new(labels.len());
            if labels.insert(name.clone(), id).is_some() {
                return self.error_at(token.at, format!("block {name} is declared twice"));
            }
        }
        Ok(labels)
    }

    fn block(&mut self) -> Parsed<(Block, BlockMap)> {
        let at = self.at();
        if *self.peek_at(1) != Tok::Punct(":") {
            return self.unexpected(at, "a block's label, `b0:`");
        }
        let name = self.plain_name("a block's label")?;
        self.punct(":")?;
        let mut insts = Vec::new();
        let mut place = BlockMap { at, ..BlockMap::default() };
        loop {
            self.newlines();
            let at = self.at();
            let label = matches!(self.peek(), Tok::Word(_) | Tok::Str(_)) && *self.peek_at(1) == Tok::Punct(":");
            if label || *self.peek() == Tok::Punct("}") {
                return self.error_at(at, format!("block {name} ends without saying where to go on"));
            }
            let line = self.line()?;
            let pos = self.position();
            if !self.line_ends() {
                return self.unexpected(self.at(), "the end of the line");
            }
            match line {
                Line::Inst(kind) => {
                    insts.push(Inst { kind, pos });
                    place.insts.push(at);
                }
                Line::Term(term) => {
                    place.term = at;
                    return Ok((Block { name, insts, term, term_pos: pos }, place));
                }
            }
        }
    }

    fn line(&mut self) -> Parsed<Line> {
        let mut dst = None;
        if let Tok::Reg(name) = self.peek()
            && *self.peek_at(1) == Tok::Punct("=")
        {
            dst = Some((name.clone(), self.at()));
            self.skip();
            self.skip();
        }
        let at = self.at();
        let word = match self.peek() {
            Tok::Word(word) => word.clone(),
            _ => String::new(),
        };
        if dst.is_none()
            && let Some(term) = self.term(&word)?
        {
            return Ok(Line::Term(term));
        }
        let (head, suffixes) = word.split_once('.').unwrap_or((&word, ""));
        let gives_value =
            matches!(head, "load" | "update" | "lock" | "unlock" | "havoc" | "alloc" | "call" | "spawn" | "join");
        if dst.is_some() && !gives_value {
            return Ok(Line::Inst(self.assign(dst)?));
        }
        self.skip();
        let inst = match head {
            "load" => {
                let (order, ty) = (self.order(suffixes, at)?, self.ty()?);
                let addr = self.expr(Some(Ty::Ptr))?;
                InstKind::Load { dst: self.required_dst(dst, Some(ty))?, ty, addr, order }
            }
            "store" => {
                let (order, ty) = (self.order(suffixes, at)?, self.ty()?);
                let addr = self.expr(Some(Ty::Ptr))?;
                self.punct(",")?;
                InstKind::Store { ty, addr, value: self.expr(Some(ty))?, order }
            }
            "fence" => InstKind::Fence { order: self.order(suffixes, at)? },
            "update" | "lock" | "unlock" => self.update(dst, head, suffixes, at)?,
            _ if !gives_value => self.plain_line(&word, at)?,
            _ if !suffixes.is_empty() => return self.error_at(at, format!("`{head}` takes no suffix")),
            "havoc" => self.havoc(dst, at)?,
            "alloc" => self.alloc(dst, at)?,
            "join" => {
                let handle = self.expr(Some(Ty::Int(32)))?;
                InstKind::Join { dst: self.optional_dst(dst, None)?, handle }
            }
            _ => self.call(dst, head)?,
        };
        Ok(Line::Inst(inst))
    }

    /// Lines that assign nothing and have no suffixes.
    fn plain_line(&mut self, word: &str, at: At) -> Parsed<InstKind> {
        Ok(match word {
            "assume" => InstKind::Assume { cond: self.expr(Some(Ty::BOOL))? },
            "assert" => {
                let cond = self.expr(Some(Ty::BOOL))?;
                let check = Check::ALL.into_iter().find(|check| self.eat_word(check.name())).unwrap_or_default();
                InstKind::Assert { cond, check, message: self.optional_string()? }
            }
            "free" => InstKind::Free { addr: self.expr(Some(Ty::Ptr))? },
            "detach" => InstKind::Detach { handle: self.expr(Some(Ty::Int(32)))? },
            "atomic" if self.eat_word("begin") => InstKind::AtomicBegin,
            "atomic" => {
                self.word("end")?;
                InstKind::AtomicEnd
            }
            "unsupported" => InstKind::Unsupported { what: self.string("what is not supported, in quotes")? },
            _ => return self.unexpected(at, "an instruction"),
        })
    }

    fn assign(&mut self, dst: Dst) -> Parsed<InstKind> {
        let declared = dst
            .as_ref()
            .and_then(|(name, _)| self.reg_ids.get(name))
            .map(|reg| self.program.functions[self.func].regs[*reg].ty);
        let (value, ty) = match declared {
            Some(ty) => (self.expr(Some(ty))?, ty),
            None => self.typed_expr()?,
        };
        let dst = self.required_dst(dst, Some(ty))?;
        Ok(InstKind::Assign { dst, value })
    }

    /// `lock i32 @m set self` and `unlock i32 @m` leave out what their roles fix; `update.lock` spells everything out.
    fn update(&mut self, dst: Dst, head: &str, suffixes: &str, at: At) -> Parsed<InstKind> {
        let (first, others) = suffixes.split_once('.').unwrap_or((suffixes, ""));
        let (role, suffixes) = match (head, first) {
            ("lock", _) => (Role::Lock, suffixes),
            ("unlock", _) => (Role::Unlock, suffixes),
            (_, "lock") => (Role::Lock, others),
            (_, "unlock") => (Role::Unlock, others),
            _ => (Role::Plain, suffixes),
        };
        let order = self.order(suffixes, at)?;
        let ty = self.ty()?;
        let addr = self.expr(Some(Ty::Ptr))?;
        self.old = Some(ty);
        let when = match head {
            "lock" => Some(lock_guard(ty)),
            "update" if self.eat_word("when") => Some(self.expr(Some(Ty::BOOL))?),
            _ => None,
        };
        let set = match head {
            "unlock" => Some(Expr::Const(ty, 0)),
            _ if self.eat_word("set") => Some(self.expr(Some(ty))?),
            "lock" => return self.unexpected(self.at(), "`set` and what a taken lock holds"),
            _ => None,
        };
        self.old = None;
        let dst = self.optional_dst(dst, Some(ty))?;
        Ok(InstKind::Update { dst, ty, addr, when, set, order, role })
    }

    fn havoc(&mut self, dst: Dst, at: At) -> Parsed<InstKind> {
        let kind = |kind: &str| match kind {
            "nondet" => Some(Input::Nondet as fn(String) -> Input),
            "uninit" => Some(Input::Uninit as _),
            "extern" => Some(Input::Extern as _),
            "choice" => Some(Input::Choice as _),
            _ => None,
        };
        let input = self.named(kind, "`nondet`, `uninit`, `extern` or `choice`")?;
        let input = input(self.optional_string()?);
        if dst.is_none() {
            return self.error_at(at, "`havoc` needs a register: `%x = havoc ...`");
        }
        let dst = self.required_dst(dst, None)?;
        Ok(InstKind::Havoc { dst, input })
    }

    fn alloc(&mut self, dst: Dst, at: At) -> Parsed<InstKind> {
        let kind = self.named(names::alloc_kind_named, "`stack` or `heap`")?;
        let size = self.expr(Some(self.program.pointer_int()))?;
        let align = if self.eat_word("align") {
            self.int_u64("the alignment")?
        } else {
            alloc_align(kind, &size, self.program.data_model)
        };
        let zeroed = self.eat_word("zeroed");
        let name = self.optional_string()?;
        let layout = if self.eat_word("as") { Some(self.layout()?) } else { None };
        if dst.is_none() {
            return self.error_at(at, "`alloc` needs a register: `%p = alloc ...`");
        }
        let dst = self.required_dst(dst, Some(Ty::Ptr))?;
        Ok(InstKind::Alloc { dst, kind, size, align, zeroed, name, layout })
    }

    fn call(&mut self, dst: Dst, head: &str) -> Parsed<InstKind> {
        let callee = if !self.eat("*") {
            Callee::Direct(self.function_ref()?)
        } else if let Tok::Reg(name) = self.peek()
            && let Some(reg) = self.reg_ids.get(name).copied()
        {
            // Not an operand: `%f[...` would be a path, and a called address is never one.
            self.skip();
            Callee::Indirect(Expr::Reg(reg))
        } else {
            self.punct("(")?;
            let target = self.expr(Some(Ty::Ptr))?;
            self.punct(")")?;
            Callee::Indirect(target)
        };
        let target = if let Callee::Direct(id) = callee { Some(id) } else { None };
        self.punct("(")?;
        let args = self.list(")", |parser, index| {
            let target = target.map(|id| &parser.program.functions[id]);
            let param = target.and_then(|target| target.regs.get(*target.params.get(index)?));
            parser.expr(param.map(|data| data.ty))
        })?;
        if head == "spawn" {
            let dst = self.optional_dst(dst, Some(Ty::Int(32)))?;
            return Ok(InstKind::Spawn { dst, callee, args });
        }
        let result = target.and_then(|id| self.program.functions[id].result);
        let dst = self.optional_dst(dst, result)?;
        Ok(InstKind::Call { dst, callee, args })
    }

    fn term(&mut self, word: &str) -> Parsed<Option<Term>> {
        let start = self.next;
        self.skip();
        Ok(Some(match word {
            "jump" => Term::Jump(self.block_ref()?),
            "branch" => {
                let cond = self.expr(Some(Ty::BOOL))?;
                self.punct(",")?;
                let then = self.block_ref()?;
                self.punct(",")?;
                Term::Branch { cond, then, other: self.block_ref()? }
            }
            "switch" => self.switch()?,
            "return" => Term::Return(self.optional_expr(self.program.functions[self.func].result)?),
            "exit_thread" => Term::ExitThread(self.optional_expr(None)?),
            "halt" => Term::Halt,
            "unreachable" => Term::Unreachable,
            _ => {
                self.next = start;
                return Ok(None);
            }
        }))
    }

    fn optional_expr(&mut self, ty: Option<Ty>) -> Parsed<Option<Expr>> {
        let follows = !self.line_ends() && !matches!(self.peek(), Tok::Pos(_));
        if follows { self.expr(ty).map(Some) } else { Ok(None) }
    }

    fn switch(&mut self) -> Parsed<Term> {
        let (value, ty) = self.typed_expr()?;
        let mut cases = Vec::new();
        loop {
            self.punct(",")?;
            if self.eat_word("default") {
                return Ok(Term::Switch { value, cases, default: self.block_ref()? });
            }
            let at = self.at();
            let negative = self.eat("-");
            let case = self.int("a case, `1: b1`, or `default b1`")?;
            let Expr::Const(_, bits) = self.int_literal(ty, case, negative, true, at)? else {
                return self.error_at(at, "a case is a number");
            };
            self.punct(":")?;
            cases.push((bits, self.block_ref()?));
        }
    }

    fn block_ref(&mut self) -> Parsed<BlockId> {
        let at = self.at();
        let name = self.plain_name("a block")?;
        self.known(self.labels.get(&name), at, || format!("there is no block {name} here"))
    }

    fn order(&self, suffix: &str, at: At) -> Parsed<Order> {
        let dotted = if suffix.is_empty() { String::new() } else { format!(".{suffix}") };
        self.known(names::order_named(&dotted).as_ref(), at, || format!("there is no memory order {dotted}"))
    }

    fn optional_string(&mut self) -> Parsed<String> {
        if matches!(self.peek(), Tok::Str(_)) { self.string("a string") } else { Ok(String::new()) }
    }

    fn required_dst(&mut self, dst: Dst, ty: Option<Ty>) -> Parsed<Reg> {
        match self.optional_dst(dst, ty)? {
            Some(reg) => Ok(reg),
            None => self.error_at(self.at(), "this needs a register to put the value into: `%x = ...`"),
        }
    }

    /// The register to assign to.  One that is not declared becomes a temporary, where the instruction fixes its type.
    fn optional_dst(&mut self, dst: Dst, ty: Option<Ty>) -> Parsed<Option<Reg>> {
        let Some((name, at)) = dst else { return Ok(None) };
        if let Some(reg) = self.reg_ids.get(&name) {
            return Ok(Some(*reg));
        }
        let Some(ty) = ty else {
            return self.error_at(at, format!("register %{name} is not declared, and nothing here says its type"));
        };
        Ok(Some(self.declare_register(RegData { name, ty, layout: None, user: false }, at)))
    }
}
