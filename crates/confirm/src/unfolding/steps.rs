//! The steps of the two programs: those that the original takes by itself, and those that they take together.

use super::rounds::Effect;
use super::state::{Frame, LARGEST, State, Taking, Value, is_constant, mentions};
use super::{FAR, Validator};
use crate::ensure;
use base::Id;
use ir::interp::Point;
use ir::{AllocKind, BinOp, BlockId, Callee, CastOp, Expr, FuncId, Input, InstKind, ObjectId, Reg, Term, Ty};
use passes::ActivationId;

/// Stands for a register of the original of which nothing is known.
const UNKNOWN: Reg = Reg(u32::MAX);

impl Validator<'_> {
    /// An expression of the unfolded program, with what is known put in.
    pub(super) fn image(&self, state: &State, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        expr.map_regs(&mut |reg| state.known.get(&reg).cloned().unwrap_or(Expr::Reg(reg)));
        ir::fold::fold(self.program, expr)
    }

    /// An expression of the original in terms of the registers of the unfolded program; `None` if a register is not known.
    fn value(&self, state: &State, expr: &Expr) -> Option<Expr> {
        let values = &state.frames.last()?.values;
        let held = |reg: Reg| values.get(&reg).and_then(|value| value.constant.as_ref().or(value.expr.as_ref()));
        // What a loop computes by itself may double with every round.
        let mut size = expr.nodes();
        expr.for_each_reg(&mut |reg| size += held(reg).map_or(0, Expr::nodes));
        if size > LARGEST {
            return None;
        }
        let mut expr = expr.clone();
        expr.map_regs(&mut |reg| held(reg).cloned().unwrap_or(Expr::Reg(UNKNOWN)));
        // It may not matter.
        Some(self.image(state, &expr)).filter(|expr| !mentions(expr, UNKNOWN))
    }

    /// What was computed before it was known that it is a constant.
    pub(super) fn note_constants(&self, state: &mut State) {
        let mut frames = std::mem::take(&mut state.frames);
        for value in frames.iter_mut().flat_map(|frame| frame.values.values_mut()) {
            if let (None, Some(expr)) = (&value.constant, &value.expr) {
                value.constant = Some(self.image(state, expr)).filter(is_constant);
            }
        }
        state.frames = frames;
        let mut rounds = std::mem::take(&mut state.rounds);
        rounds.iter_mut().for_each(|round| round.note_constants(&|expr| self.image(state, expr)));
        state.rounds = rounds;
    }

    fn set(&self, state: &mut State, reg: Reg, value: Option<Expr>) {
        let activation = state.top().activation;
        let value = self.at_home(state, activation, reg, Value::new(value));
        state.top().values.insert(reg, value);
        state.note_written(reg);
    }

    /// The value of a register; the one of the unfolded program that is for it may have the value already.
    fn at_home(&self, state: &State, activation: Option<ActivationId>, reg: Reg, mut value: Value) -> Value {
        let home = activation.zip(self.unfolded.activations.get(&state.thread));
        if let Some(home) = home.map(|(activation, all)| all.home(activation, reg)) {
            let is_it = |held: Option<&Expr>, wanted: &Option<Expr>| held.is_some() && held == wanted.as_ref();
            if is_it(state.known.get(&home), &value.constant) || is_it(state.copies.get(&home), &value.expr) {
                value.expr = Some(Expr::Reg(home));
            }
        }
        value
    }

    fn terminator_of(&self, point: Point) -> &Term {
        &self.program.block(point).term
    }

    /// Takes the original one step further, if that concerns registers only and it is known which way it goes.
    pub(super) fn step_alone(&self, state: &mut State) -> bool {
        let went = self.try_step(state).is_some();
        if went && state.point().inst == 0 {
            self.note_head(state);
        }
        went
    }

    fn try_step(&self, state: &mut State) -> Option<()> {
        let point = state.point();
        let Some(kind) = self.inst(point) else { return self.try_terminator(state, point) };
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.value(state, value);
                self.set(state, *dst, value);
                state.advance();
            }
            InstKind::Assume { cond } | InstKind::Assert { cond, .. } => {
                self.value(state, cond).filter(|holds| *holds == Expr::bool(true))?;
                state.advance();
            }
            InstKind::Call { callee, args, .. } => {
                let func = self.callee(state, callee)?;
                let args = self.arguments(state, func, args)?;
                let mut frame = Frame::new(self.program, func);
                let caller = state.top().activation;
                let all = self.unfolded.activations.get(&state.thread);
                frame.activation = caller.zip(all).and_then(|(caller, all)| all.called(caller, point, func));
                for (param, arg) in self.program.functions[func].params.iter().zip(args) {
                    frame.values.insert(*param, Value::new(arg));
                }
                for (reg, value) in &mut frame.values {
                    *value = self.at_home(state, frame.activation, *reg, std::mem::take(value));
                }
                state.callee = None;
                state.not.clear();
                state.frames.push(frame);
            }
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::Update { .. }
            | InstKind::Havoc { .. }
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::Spawn { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => return None,
        }
        Some(())
    }

    fn try_terminator(&self, state: &mut State, point: Point) -> Option<()> {
        let mut term = self.terminator_of(point).clone();
        if let (Term::Return(value), true) = (&term, state.frames.len() > 1) {
            let from = self.program.functions[point.func].result;
            let value = value.as_ref().map(|value| self.value(state, value));
            state.frames.pop();
            state.forget_rounds();
            let call = state.point();
            if let Some(InstKind::Call { dst: Some(dst), .. }) = self.inst(call) {
                let to = self.program.functions[call.func].ty(*dst);
                let value = match (value, from) {
                    (Some(value), Some(from)) => value.and_then(|value| self.as_type(value, from, to)),
                    _ => Some(Expr::Const(to, 0)),
                };
                self.set(state, *dst, value);
            }
            state.advance();
            return Some(());
        }
        term.for_each_expr_mut(&mut |expr| self.value(state, expr).into_iter().for_each(|value| *expr = value));
        state.jump(term.only_target()?);
        Some(())
    }

    /// The function that is called, if that is known.
    fn callee(&self, state: &State, callee: &Callee) -> Option<FuncId> {
        match callee {
            Callee::Direct(func) => Some(*func),
            Callee::Indirect(target) => match self.value(state, target) {
                Some(Expr::Func(func)) => Some(func),
                _ => state.callee,
            },
        }
    }

    /// What the parameters of the function get, as far as that is known; nothing at all if the interpreter would make of them
    /// what nobody means.
    fn arguments(&self, state: &State, func: FuncId, args: &[Expr]) -> Option<Vec<Option<Expr>>> {
        let caller = &self.program.functions[state.point().func];
        let callee = &self.program.functions[func];
        let params = callee.params.iter().enumerate().map(|(i, param)| match args.get(i) {
            None => Some(Some(Expr::Const(callee.ty(*param), 0))),
            Some(arg) => {
                let (from, to) = (caller.type_of(self.program, arg, None), callee.ty(*param));
                let fits = from == to || self.program.bits_of(from) <= self.program.bits_of(to);
                fits.then(|| self.value(state, arg).and_then(|value| self.as_type(value, from, to)))
            }
        });
        params.collect()
    }

    /// The same bits as a value of a type with room for them.
    fn as_type(&self, value: Expr, from: Ty, to: Ty) -> Option<Expr> {
        if from == to {
            return Some(value);
        }
        let (bits, room) = (self.program.bits_of(from), self.program.bits_of(to));
        if bits > room {
            return None;
        }
        let number = match from {
            Ty::Int(_) => value,
            Ty::Ptr => Expr::cast(CastOp::PtrToInt, Ty::Int(bits as u8), value),
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Expr::cast(CastOp::Bits, Ty::Int(bits as u8), value),
        };
        let wide = if bits == room { number } else { Expr::cast(CastOp::ZExt, Ty::Int(room as u8), number) };
        let value = match to {
            Ty::Int(_) => wide,
            Ty::Ptr => Expr::cast(CastOp::IntToPtr, to, wide),
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Expr::cast(CastOp::Bits, to, wide),
        };
        Some(ir::fold::fold(self.program, value))
    }

    /// The original goes on by itself as far as it can.
    fn settle(&self, state: &mut State) {
        const AT_MOST: usize = 100_000;
        _ = (0..AT_MOST).all(|_| self.step_alone(state));
    }

    /// One instruction of the unfolded program; false if nothing comes after it.
    pub(super) fn instruction(&mut self, state: &mut State, site: Point, kind: &InstKind) -> Result<bool, String> {
        // Whoever uses the program shows that it does not come here.
        if matches!(kind, InstKind::Unsupported { .. }) {
            return Ok(false);
        }
        if let Some(taking) = state.taking {
            return self.taking(state, taking, kind).map(|()| true);
        }
        match kind {
            InstKind::Assign { dst, value } => self.assign(state, site, *dst, value),
            // The original passes it by itself.
            InstKind::Assume { cond } | InstKind::Assert { cond, .. }
                if self.image(state, cond) == Expr::bool(true) => {}
            InstKind::Assume { cond } => {
                let waiting = state.clone();
                self.settle(state);
                let condition = self.image(state, cond);
                if self.frees_no_variable(state, cond) {
                    return Ok(condition != Expr::bool(false));
                }
                if let Some(InstKind::Assume { cond }) = self.inst(state.point())
                    && self.value(state, cond).is_some_and(|original| state.same(&original, &condition))
                {
                    self.joint_step(state);
                    return Ok(condition != Expr::bool(false));
                }
                if !self.may_leave_out(&waiting, cond) {
                    return Err(format!("an assumption that the original does not make at {}", self.shown(state)));
                }
                *state = waiting;
            }
            InstKind::Havoc { dst, input: Input::Choice(what) } if what == "place" && self.allocates(state) => {
                state.overwrite(*dst);
            }
            InstKind::Spawn { dst, callee, args } => {
                self.settle(state);
                let Some(InstKind::Spawn { dst: wanted, callee: original, args: given }) = self.inst(state.point())
                else {
                    return Err(format!("a thread is started, the original is at {}", self.shown(state)));
                };
                let func = self.callee(state, original).ok_or("nobody knows what the thread runs")?;
                let given = self.arguments(state, func, given).ok_or("arguments that do not fit")?;
                let args: Vec<Expr> = args.iter().map(|arg| self.image(state, arg)).collect();
                let same = |(arg, given): (&Expr, &Option<Expr>)| given.as_ref().is_some_and(|it| state.same(it, arg));
                let fits = args.len() == given.len() && args.iter().zip(&given).all(same);
                ensure(fits, "the thread gets other arguments")?;
                let wanted = *wanted;
                self.start(site, callee, func, &args)?;
                self.joint_step(state);
                state.note_effect(&Effect::Changes(Expr::bool(true)));
                self.write(state, *dst, wanted);
            }
            InstKind::Update {
                dst: None,
                ty: Ty::Ptr,
                addr: Expr::Object(object, 0),
                when: None,
                set: Some(set),
                ..
            } if self.is_added(*object) => {
                self.settle(state);
                let freed = self.freed(state);
                // What was put aside before stays there if nothing is freed now.
                let fits = matches!(set, Expr::Select(parts) if parts[2] == Expr::Old
                    && parts[0] == Expr::bin(BinOp::Ne, parts[1].clone(), Expr::null())
                    && freed.as_ref().is_some_and(|freed| state.same(freed, &self.image(state, &parts[1]))));
                if !fits {
                    return Err(format!("what is put aside is not what the original frees: {set:?}, {freed:?}"));
                }
                self.joint_step(state);
                state.note_effect(&Effect::Changes(Expr::bool(true)));
            }
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::Update { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assert { .. }
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::Call { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => return self.together(state, kind),
        }
        Ok(true)
    }

    /// The pointer that the original frees next.
    fn freed(&self, state: &State) -> Option<Expr> {
        let Some(InstKind::Free { addr }) = self.inst(state.point()) else { return None };
        self.value(state, addr)
    }

    /// The condition says that what the original frees next is not the start of some variable: to free that is an error, after
    /// which nothing comes.
    fn frees_no_variable(&self, state: &State, cond: &Expr) -> bool {
        let Expr::Bin(BinOp::Ne, pointer, variable) = cond else { return false };
        let is_variable = matches!(**variable, Expr::Object(object, 0) if self.is_static(object));
        is_variable && self.freed(state).is_some_and(|freed| state.same(&freed, &self.image(state, pointer)))
    }

    /// Is it a variable of the original, one for all threads?
    fn is_static(&self, object: ObjectId) -> bool {
        self.program.objects.get(object).is_some_and(|object| !object.thread_local)
    }

    /// The original goes on, since the unfolded program has done the same.
    fn joint_step(&self, state: &mut State) {
        self.together.set(self.together.get() + 1);
        state.advance();
    }

    /// Both programs take the same step.
    fn together(&self, state: &mut State, kind: &InstKind) -> Result<bool, String> {
        self.settle(state);
        let Some(original) = self.inst(state.point()) else {
            return Err(format!("the original is at {}, where a block ends", self.shown(state)));
        };
        let mut wanted = original.clone();
        let mut unknown = false;
        wanted.for_each_expr_mut(&mut |expr| {
            let value = self.value(state, expr);
            unknown |= value.is_none();
            value.into_iter().for_each(|value| *expr = value);
        });
        if unknown {
            return Err(format!("what {wanted:?} of the original computes with is not known at {}", self.shown(state)));
        }
        let mut found = kind.clone();
        found.for_each_expr_mut(&mut |expr| *expr = self.image(state, expr));
        let compared = |kind: &InstKind| {
            let mut kind = without_destination(kind.clone());
            kind.for_each_expr_mut(&mut |expr| *expr = state.resolved(expr));
            kind
        };
        if compared(&wanted) != compared(&found) {
            return Err(format!("{found:?} instead of {wanted:?} of the original at {}", self.shown(state)));
        }
        let (dst, effect) = (original.dst(), self.effect(state.point(), &found));
        self.joint_step(state);
        self.write(state, kind.dst(), dst);
        effect.iter().for_each(|effect| state.note_effect(effect));
        Ok(!matches!(found, InstKind::Assert { cond: Expr::Const(_, 0), .. }))
    }

    /// A register of the unfolded program gets what one of the original gets.
    fn write(&self, state: &mut State, own: Option<Reg>, original: Option<Reg>) {
        own.iter().for_each(|own| state.overwrite(*own));
        if let Some(original) = original {
            self.set(state, original, own.map(Expr::Reg));
        }
    }

    /// The unfolded program assigns: to what is a register of the original, or to one of its own.
    fn assign(&self, state: &mut State, site: Point, dst: Reg, value: &Expr) {
        let value = self.image(state, value);
        let origin = self.unfolded.origin(site);
        let of = self.unfolded.activations.get(&site.func).and_then(|all| all.original(dst));
        // The original goes on until it has computed the same.
        let mut ahead = state.clone();
        let mut found = None;
        for _ in 0..FAR {
            let due = origin.is_none_or(|origin| {
                let mut before = ahead.point();
                before.inst = before.inst.wrapping_sub(1);
                before == origin
            });
            found = if due { holder(&ahead, of, &value) } else { None };
            if found.is_some() || !self.step_alone(&mut ahead) {
                break;
            }
        }
        match found {
            Some(_) => *state = ahead,
            // It may have done so already.
            None => found = holder(state, of, &value),
        }
        // What is the same as the new value, and said by means of the old one, is not lost.
        let mut same: Vec<(usize, Reg)> = Vec::new();
        for (depth, frame) in state.frames.iter().enumerate().filter(|_| mentions(&value, dst)) {
            let held = frame.values.iter().filter(|(_, held)| held.expr.as_ref() == Some(&value));
            same.extend(held.map(|(reg, _)| (depth, *reg)));
        }
        state.assigned(dst, &value);
        for (depth, reg) in same.into_iter().chain(found) {
            state.frames[depth].values.entry(reg).or_default().expr = Some(Expr::Reg(dst));
        }
        if is_constant(&value) {
            state.known.insert(dst, value);
        }
    }

    /// Is the original about to allocate a block on the heap?
    fn allocates(&self, state: &mut State) -> bool {
        self.settle(state);
        matches!(self.inst(state.point()), Some(InstKind::Alloc { kind: AllocKind::Heap, .. }))
    }

    /// The unfolded program takes the place of a freed block: the pointer from where it was put aside, and any content.  Nothing
    /// of that can fail if the block has the size of what the original allocates.
    fn taking(&self, state: &mut State, taking: Taking, kind: &InstKind) -> Result<(), String> {
        let Some(InstKind::Alloc { dst, size, zeroed, .. }) = self.inst(state.point()) else {
            return Err("a place is taken where nothing is allocated".into());
        };
        let (wanted, zeroed) = (*dst, *zeroed);
        let size = self.value(state, size).and_then(|size| size.as_constant());
        let within = |addr: &Expr, ty: Ty, start: Reg, size: Option<u128>| {
            let offset = match addr {
                Expr::Reg(reg) if *reg == start => Some(0),
                Expr::Bin(BinOp::PtrAdd, base, by) if **base == Expr::Reg(start) => by.as_constant(),
                _ => None,
            };
            offset.zip(size).is_some_and(|(offset, size)| offset + u128::from(self.program.size_of(ty)) <= size)
        };
        match (kind, taking) {
            (InstKind::AtomicBegin, Taking { block: None, .. }) => (),
            (
                InstKind::Update {
                    dst: Some(dst), ty: Ty::Ptr, addr: Expr::Object(object, 0), when: Some(when), ..
                },
                Taking { block: None, .. },
            ) if self.is_added(*object) && *when == Expr::bin(BinOp::Ne, Expr::Old, Expr::null()) => {
                state.overwrite(*dst);
                state.taking = Some(Taking { block: Some(*dst), ..taking });
            }
            (
                InstKind::Alloc { dst, kind: AllocKind::Stack, size: Expr::Const(_, size), zeroed: false, .. },
                Taking { block: Some(_), unwritten: None, .. },
            ) => {
                state.overwrite(*dst);
                state.taking = Some(Taking { unwritten: Some((*dst, *size)), ..taking });
            }
            (InstKind::Load { dst, ty, addr, .. }, Taking { unwritten: Some((unwritten, size)), .. })
                if within(addr, *ty, unwritten, Some(size)) =>
            {
                state.overwrite(*dst);
                state.taking = Some(Taking { content: Some(*dst), ..taking });
            }
            (InstKind::Store { ty, addr, value, .. }, Taking { block: Some(block), .. })
                if within(addr, *ty, block, size)
                    && match value {
                        Expr::Const(_, 0) => zeroed,
                        Expr::Reg(reg) => !zeroed && taking.content == Some(*reg),
                        _ => false,
                    } => {}
            (InstKind::AtomicEnd, Taking { block: Some(block), .. }) => {
                state.taking = None;
                self.joint_step(state);
                state.note_effect(&Effect::Changes(Expr::bool(true)));
                self.set(state, wanted, Some(Expr::Reg(block)));
            }
            (_, Taking { .. }) => return Err("taking a place does more than that".into()),
        }
        Ok(())
    }

    /// Where control of the unfolded program goes from the end of a block.
    pub(super) fn terminator(&self, mut state: State, end: Point) -> Result<Vec<(BlockId, State)>, String> {
        match &self.unfolded.program.block(end).term {
            Term::Jump(to) => Ok(vec![(*to, state)]),
            Term::Branch { cond, then, other } => {
                let condition = self.image(&state, cond);
                if let Expr::Const(_, value) = condition {
                    let holds = value != 0;
                    if let Some((target, func)) = asked_for(cond) {
                        self.note_callee(&mut state, target, func, holds);
                    }
                    return Ok(vec![(if holds { *then } else { *other }, state)]);
                }
                // Unless they decide together, the original stays where it is.
                let waiting = state.clone();
                self.settle(&mut state);
                let point = state.point();
                let together = self.unfolded.origin(end) == Some(point)
                    && self.inst(point).is_none()
                    && matches!(self.terminator_of(point), Term::Branch { cond, .. }
                        if self.value(&state, cond).is_some_and(|original| state.same(&original, &condition)));
                let called = asked_for(cond).filter(|(target, _)| self.calls(&state, target)).map(|(_, func)| func);
                let before = if together || called.is_some() { state } else { waiting };
                let (mut yes, mut no) = (before.clone(), before);
                learn(&mut yes, &condition, true);
                learn(&mut no, &condition, false);
                if let (true, Term::Branch { then, other, .. }) = (together, self.terminator_of(point)) {
                    self.together.set(self.together.get() + 1);
                    for (state, to) in [(&mut yes, then), (&mut no, other)] {
                        state.jump(*to);
                        self.note_head(state);
                    }
                } else if let Some(func) = called {
                    yes.callee = Some(func);
                    no.not.push(func);
                }
                Ok(vec![(*then, yes), (*other, no)])
            }
            Term::Switch { value, cases, default } => {
                let value = self.image(&state, value);
                if let Expr::Const(_, value) = value {
                    let to = cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to);
                    return Ok(vec![(to, state)]);
                }
                self.settle(&mut state);
                let point = state.point();
                if self.allocates(&mut state) {
                    let taking = State { taking: Some(Taking::default()), ..state.clone() };
                    let ways = cases.iter().map(|(_, to)| (*to, taking.clone()));
                    return Ok(ways.chain([(*default, state)]).collect());
                }
                let Term::Switch { value: wanted, cases: originals, default: other } = self.terminator_of(point) else {
                    return Err(format!("a choice that the original does not make at {}", self.shown(&state)));
                };
                let same = self.inst(point).is_none()
                    && self.value(&state, wanted).is_some_and(|wanted| state.same(&wanted, &value))
                    && originals.len() == cases.len()
                    && originals.iter().zip(cases).all(|((one, _), (other, _))| one == other);
                if !same {
                    return Err(format!("another choice than that of the original at {}", self.shown(&state)));
                }
                self.together.set(self.together.get() + 1);
                let to = |block: BlockId| {
                    let mut state = state.clone();
                    state.jump(block);
                    self.note_head(&mut state);
                    state
                };
                let ways = cases.iter().zip(originals).map(|((_, own), (_, original))| (*own, to(*original)));
                Ok(ways.chain([(*default, to(*other))]).collect())
            }
            Term::Unreachable => self.unreachable(state, end),
            term @ (Term::Return(_) | Term::ExitThread(_) | Term::Halt) => {
                self.settle(&mut state);
                let point = state.point();
                let original = self.inst(point).is_none().then(|| self.terminator_of(point));
                let same = if let (Term::Return(own), Some(Term::Return(original)))
                | (Term::ExitThread(own), Some(Term::ExitThread(original))) = (term, original)
                {
                    let own = own.as_ref().map(|own| self.image(&state, own));
                    let original = original.as_ref().map(|original| self.value(&state, original));
                    let same = |(own, original): (Expr, Option<Expr>)| original.is_some_and(|it| state.same(&it, &own));
                    own.is_some() == original.is_some() && own.zip(original).is_none_or(same)
                } else {
                    matches!((term, original), (Term::Halt, Some(Term::Halt)))
                };
                if same { Ok(Vec::new()) } else { Err(format!("the original goes on at {}", self.shown(&state))) }
            }
        }
    }

    /// It is known whether the original is about to call the function; on another way to the same place it may not be.
    fn note_callee(&self, state: &mut State, target: &Expr, func: FuncId, holds: bool) {
        let is_call =
            |state: &State| matches!(self.inst(state.point()).and_then(InstKind::callee), Some(Callee::Indirect(_)));
        let mut ahead = state.clone();
        _ = (0..FAR).all(|_| !is_call(&ahead) && self.step_alone(&mut ahead));
        if self.calls(&ahead, target) {
            *state = ahead;
            match holds {
                true => state.callee = Some(func),
                false => state.not.push(func),
            }
        }
    }

    /// Is the original about to call what the expression of the unfolded program says?
    fn calls(&self, state: &State, target: &Expr) -> bool {
        let callee = self.inst(state.point()).and_then(InstKind::callee);
        matches!(callee, Some(Callee::Indirect(wanted))
            if self.value(state, wanted).is_some_and(|it| state.same(&it, &self.image(state, target))))
    }

    /// The unfolded program goes no further: a cut, or nowhere to go.
    fn unreachable(&self, mut state: State, end: Point) -> Result<Vec<(BlockId, State)>, String> {
        if self.unfolded.cuts.iter().any(|cut| (cut.func, cut.block) == (end.func, end.block)) {
            return Ok(Vec::new());
        }
        let left_out = self.may_leave_out(&state, &Expr::bool(false));
        self.settle(&mut state);
        let point = state.point();
        let ends = match self.inst(point) {
            None => matches!(self.terminator_of(point), Term::Unreachable),
            Some(InstKind::Assume { cond }) => self.value(&state, cond) == Some(Expr::bool(false)),
            Some(kind) => match kind.callee() {
                // A call through something that is no function ends the execution.
                Some(Callee::Indirect(target)) => match self.value(&state, target) {
                    Some(Expr::Const(_, 0) | Expr::Object(..)) => true,
                    _ => self.addressed.iter().all(|func| state.not.contains(func)),
                },
                _ => false,
            },
        };
        if ends || left_out { Ok(Vec::new()) } else { Err(format!("the original goes on at {}", self.shown(&state))) }
    }
}

/// Which register of the original has the value, if that is the one that the register of the unfolded program is for.
fn holder(state: &State, of: Option<(ActivationId, Reg)>, value: &Expr) -> Option<(usize, Reg)> {
    let (activation, reg) = of?;
    let at = state.frames.iter().rposition(|frame| frame.activation == Some(activation))?;
    let held = state.frames[at].values.get(&reg)?;
    held.forms().any(|form| state.same(form, value)).then_some((at, reg))
}

/// The pointer and the function, if the condition asks whether the one is the other.
fn asked_for(cond: &Expr) -> Option<(&Expr, FuncId)> {
    match cond {
        Expr::Bin(BinOp::Eq, target, func) => match **func {
            Expr::Func(func) => Some((target, func)),
            _ => None,
        },
        _ => None,
    }
}

/// What a condition tells about registers where it holds, or does not.
fn learn(state: &mut State, condition: &Expr, holds: bool) {
    match condition {
        Expr::Reg(reg) => _ = state.known.insert(*reg, Expr::bool(holds)),
        Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), left, right) if (*op == BinOp::Eq) == holds => {
            if let (Expr::Reg(reg), true) = (&**left, is_constant(right)) {
                state.known.insert(*reg, (**right).clone());
            }
        }
        _ => (),
    }
}

/// The same for all destinations.
fn without_destination(mut kind: InstKind) -> InstKind {
    match &mut kind {
        InstKind::Update { dst, .. } | InstKind::Join { dst, .. } => *dst = None,
        other => other.dst_mut().into_iter().for_each(|dst| *dst = Reg::new(0)),
    }
    kind
}
