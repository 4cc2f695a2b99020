//! Replaces direct calls by the body of the function they call.
//!
//! The callee's registers become fresh registers of the caller, its blocks fresh blocks.  A parameter that the callee
//! never writes is replaced by the argument itself: expressions have no effects, and between the call and the callee's
//! return nothing writes a register of the caller's, so the argument means the same at each use.  That is what makes
//! `lock i32 @m set self` out of `call pthread_mutex_lock(@m)`, where later analyses see which mutex it is.
//!
//! A body cannot be spliced where it allocates on the stack (the object would live until the caller returns) or where it
//! has no blocks.  A register that the callee reads before it writes it keeps its value from an earlier pass over the
//! same call; programs do not do that, an uninitialised variable is a `havoc`.

use crate::fold::{fold_blocks, fold_node};
use crate::program::*;
use base::{IdVec, Pos};
use rustc_hash::FxHashSet;

/// How the spliced instructions are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// With their own positions and names.
    Inside,
    /// As if they all stood at the call, for the model of a library.
    AsCall,
}

/// Can calls of `callee` be replaced by its body?
pub fn can_splice(callee: &Function) -> bool {
    let on_stack = |inst: &Inst| matches!(inst.kind, InstKind::Alloc { kind: AllocKind::Stack, .. });
    !callee.blocks.is_empty() && !callee.insts().any(on_stack)
}

/// Replaces each direct call in `caller` for which `choose` gives an answer, if it can be spliced, and says how many
/// were.  Calls within a spliced body are left alone, so a recursive function is unfolded once.
pub fn splice_calls(
    program: &mut Program,
    caller: FuncId,
    mut choose: impl FnMut(&Program, FuncId) -> Option<Show>,
) -> usize {
    let has_call = |inst: &Inst| matches!(inst.kind, InstKind::Call { callee: Callee::Direct(_), .. });
    if !program.functions[caller].insts().any(has_call) {
        return 0;
    }
    let function = program.functions[caller].clone();
    let reg_names = function.regs.values().map(|reg| reg.name.clone()).collect();
    let block_names = function.blocks.values().map(|block| block.name.clone()).collect();
    let mut splicer = Splicer { caller: function, reg_names, block_names, copies: 0 };
    let mut todo: Vec<BlockId> = splicer.caller.blocks.ids().collect();
    let mut count = 0;
    while let Some(block) = todo.pop() {
        let found = splicer.caller.blocks[block].insts.iter().enumerate().find_map(|(index, inst)| {
            let InstKind::Call { callee: Callee::Direct(id), .. } = inst.kind else { return None };
            let show = choose(program, id).filter(|_| can_splice(&program.functions[id]))?;
            Some((index, &program.functions[id], show))
        });
        if let Some((index, callee, show)) = found {
            count += 1;
            todo.push(splicer.splice(program, block, index, callee, show));
        }
    }
    if count != 0 {
        fold_blocks(&mut splicer.caller);
        program.functions[caller] = splicer.caller;
    }
    count
}

struct Splicer {
    caller: Function,
    reg_names: FxHashSet<String>,
    block_names: FxHashSet<String>,
    /// Numbers the copies, so that the names of one copy belong together.
    copies: u32,
}

impl Splicer {
    /// Replaces the instruction, a call of `callee`; the block into which the instructions after it went.
    fn splice(&mut self, program: &Program, block: BlockId, index: usize, callee: &Function, show: Show) -> BlockId {
        let call = self.caller.blocks[block].insts[index].clone();
        let InstKind::Call { dst, args, .. } = call.kind else { unreachable!("only calls are replaced") };
        let pos = call.pos;
        self.copies += 1;
        let mut copy = Copy { program, map: IdVec::new(), first_block: 0, at: (show == Show::AsCall).then_some(pos) };
        let before = self.bind(callee, args, show, &mut copy, pos);

        let here = &mut self.caller.blocks[block];
        let rest = here.insts.split_off(index + 1);
        here.insts.pop();
        here.insts.extend(before);
        let term = std::mem::replace(&mut here.term, Term::Unreachable);
        let (term_pos, here_name) = (here.term_pos, here.name.clone());
        let name = fresh(&mut self.block_names, &here_name, self.copies);
        let after = self.caller.blocks.push(Block { name, insts: rest, term, term_pos });

        // The entry's instructions go on in the block of the call, unless something jumps back to the entry.
        let mut entered_again = false;
        callee.blocks.values().for_each(|b| b.term.for_each_target(&mut |to| entered_again |= to == Function::ENTRY));
        copy.first_block = self.caller.blocks.len() as u32 - u32::from(!entered_again);
        for (id, body) in callee.blocks.iter() {
            let at = copy.pos(body.term_pos);
            let mut insts: Vec<Inst> = body.insts.iter().map(|inst| copy.inst(inst)).collect();
            let term = match &body.term {
                Term::Return(value) => {
                    let value = value.clone().map(|value| copy.expr(value));
                    insts.extend(self.result(dst, value, callee.result, at));
                    Term::Jump(after)
                }
                other => copy.term(other),
            };
            if id == Function::ENTRY && !entered_again {
                let here = &mut self.caller.blocks[block];
                here.insts.append(&mut insts);
                (here.term, here.term_pos) = (term, at);
            } else {
                let name = fresh(&mut self.block_names, &body.name, self.copies);
                self.caller.blocks.push(Block { name, insts, term, term_pos: at });
            }
        }
        if entered_again {
            let here = &mut self.caller.blocks[block];
            (here.term, here.term_pos) = (Term::Jump(copy.block(Function::ENTRY)), pos);
        }
        after
    }

    /// Fills the map from the callee's registers and gives the assignments of those arguments that need one.
    fn bind(&mut self, callee: &Function, args: Vec<Expr>, show: Show, copy: &mut Copy<'_>, pos: Pos) -> Vec<Inst> {
        let mut written = IdVec::filled(false, callee.regs.len());
        callee.insts().filter_map(|inst| inst.kind.dst()).for_each(|reg| written[reg] = true);
        let reads = callee.reads();
        let mut given: IdVec<Reg, Option<Expr>> = IdVec::filled(None, callee.regs.len());
        let mut before = Vec::new();
        let mut args = args.into_iter();
        for param in &callee.params {
            // Calls that do not fit are adapted before; a missing argument here has any fixed value.
            let arg = args.next().unwrap_or(Expr::Const(callee.ty(*param), 0));
            // Where the user's variables are shown, a parameter is one of them.
            let keep = show == Show::Inside && callee.regs[*param].user;
            let small = reads[*param] <= 1 || arg.nodes() <= 6;
            let fits = self.caller.type_of(copy.program, &arg, None) == callee.ty(*param);
            given[*param] = Some(if !written[*param] && !keep && small && fits && !arg.can_fault() {
                arg
            } else {
                let reg = self.fresh_reg(&callee.regs[*param], show);
                before.push(Inst { kind: InstKind::Assign { dst: reg, value: arg }, pos });
                Expr::Reg(reg)
            });
        }
        let mut fresh = |data: &RegData| Expr::Reg(self.fresh_reg(data, show));
        copy.map =
            given.into_values().zip(callee.regs.values()).map(|(it, data)| it.unwrap_or_else(|| fresh(data))).collect();
        before
    }

    /// Hands the result over.  One that nobody takes is computed all the same, if that can go wrong.
    fn result(&mut self, dst: Option<Reg>, value: Option<Expr>, ty: Option<Ty>, pos: Pos) -> Option<Inst> {
        let (value, ty) = (value?, ty?);
        let dst = match dst {
            Some(dst) => dst,
            None if value.can_fault() => {
                let data = RegData { name: "unused".into(), ty, layout: None, user: false };
                self.fresh_reg(&data, Show::AsCall)
            }
            None => return None,
        };
        // `%x = %x` would only make the reader wonder.
        if value == Expr::Reg(dst) {
            return None;
        }
        Some(Inst { kind: InstKind::Assign { dst, value }, pos })
    }

    fn fresh_reg(&mut self, data: &RegData, show: Show) -> Reg {
        let name = fresh(&mut self.reg_names, &data.name, self.copies);
        let user = data.user && show == Show::Inside;
        self.caller.regs.push(RegData { name, ty: data.ty, layout: data.layout.clone(), user })
    }
}

/// A name made of `base` that is not in `used`, which it joins.
fn fresh(used: &mut FxHashSet<String>, base: &str, copy: u32) -> String {
    // The part before the first dot is the name the user knows; numbers behind it only tell copies apart.
    let stem = match base.find('.') {
        Some(dot) if dot != 0 => &base[..dot],
        _ => base,
    };
    let mut name = format!("{stem}.{copy}");
    let mut more = 0;
    while !used.insert(name.clone()) {
        more += 1;
        name = format!("{stem}.{copy}.{more}");
    }
    name
}

/// One copy of a callee: what its registers, blocks and positions become.
struct Copy<'p> {
    program: &'p Program,
    /// Indexed by the callee's register.  Those the callee writes are registers.
    map: IdVec<Reg, Expr>,
    first_block: u32,
    /// All positions become this one.
    at: Option<Pos>,
}

impl Copy<'_> {
    fn pos(&self, pos: Pos) -> Pos {
        self.at.unwrap_or(pos)
    }

    fn block(&self, block: BlockId) -> BlockId {
        BlockId(self.first_block + block.0)
    }

    /// The expression with the arguments in place, folded where they decide it.
    fn expr(&self, mut expr: Expr) -> Expr {
        if let Expr::Reg(reg) = expr {
            return self.map[reg].clone();
        }
        expr.children_mut().for_each(|child| *child = self.expr(child.take()));
        fold_node(self.program, expr)
    }

    fn dst(&self, reg: Reg) -> Reg {
        match self.map[reg] {
            Expr::Reg(reg) => reg,
            // `bind` gives every register that is written a register.
            _ => unreachable!("a written register is mapped to a register"),
        }
    }

    fn inst(&self, inst: &Inst) -> Inst {
        let mut kind = inst.kind.clone();
        kind.for_each_expr_mut(&mut |expr| *expr = self.expr(expr.take()));
        if let Some(dst) = kind.dst_mut() {
            *dst = self.dst(*dst);
        }
        Inst { kind, pos: self.pos(inst.pos) }
    }

    fn term(&self, term: &Term) -> Term {
        let mut term = term.clone();
        term.for_each_expr_mut(&mut |expr| *expr = self.expr(expr.take()));
        term.for_each_target_mut(&mut |to| *to = self.block(*to));
        term
    }
}
