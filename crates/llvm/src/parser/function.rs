//! Rules for the bodies of functions: blocks, locals and debug records.

use super::{Parser, Res};
use crate::ast::{BlockId, Declaration, Function, Local, LocalId, MdId, Metadata, Name};
use crate::inst::{Arg, Block, Call, Inst, Op, Operand, Value};
use crate::lexer::{RawName, Token};
use crate::types::TypeId;
use base::IdVec;
use rustc_hash::FxHashMap;

/// State while a function is read.
#[derive(Default)]
pub(super) struct FnState<'a> {
    /// What the function returns; `None` outside of functions.
    pub(super) result: Option<TypeId>,
    pub(super) locals: IdVec<LocalId, Local>,
    /// By local: where it was first used, until it is defined.
    undefined: IdVec<LocalId, Option<usize>>,
    local_names: FxHashMap<Name<'a>, LocalId>,
    /// Blocks in order of first mention.
    slots: IdVec<BlockId, BlockSlot>,
    block_names: FxHashMap<Name<'a>, BlockId>,
    /// Blocks in order of the text.
    blocks: IdVec<BlockId, Block>,
    declarations: Vec<Declaration>,
    /// The number the next unnamed value or block gets.
    next_number: u32,
}

/// A block that was mentioned.
struct BlockSlot {
    /// Where it was first mentioned.
    mentioned: usize,
    /// Its place in the text once it is defined.
    place: Option<BlockId>,
}

/// The metadata of an instruction that is of use here.
#[derive(Default)]
struct Attachments {
    dbg: Option<MdId>,
    typed: bool,
    members: Option<MdId>,
}

impl<'a> Parser<'a> {
    /// The local behind a use of type `ty`, defined or not.
    pub(super) fn use_local(&mut self, raw: RawName<'a>, ty: TypeId) -> Res<LocalId> {
        let at = self.start;
        self.check(self.func.result.is_some(), at, "a local value cannot be used here")?;
        let name = Name::new(raw);
        let id = match self.func.local_names.get(&name) {
            Some(&id) => {
                let is = self.func.locals[id].ty;
                // A local of an unsupported instruction has no known type.
                if is != ty && is != TypeId::VOID {
                    return self.type_error(at, raw, is, ty);
                }
                id
            }
            None => self.func.add_local(name, ty, Some(at)),
        };
        self.bump();
        Ok(id)
    }

    fn type_error<T>(&self, at: usize, raw: RawName<'a>, is: TypeId, used: TypeId) -> Res<T> {
        let types = &self.module.types;
        let (is, used) = (types.display(is), types.display(used));
        let name = raw.text;
        self.error_at(at, format!("'%{name}' has type '{is}' but is used as '{used}'"))
    }

    /// The name of a new value or block; without name it gets the next number.
    fn new_name(&mut self, raw: Option<RawName<'a>>, sigil: &str, at: usize) -> Res<Name<'a>> {
        let next = self.func.next_number;
        let name = raw.map_or(Name::Number(next), Name::new);
        if let Name::Number(number) = name {
            if number < next {
                return self.error_at(at, format!("the next number here is '{sigil}{next}'"));
            }
            self.func.next_number = number.saturating_add(1);
        }
        Ok(name)
    }

    /// Defines a local; without name it gets the next number.
    pub(super) fn define_local(&mut self, raw: Option<RawName<'a>>, ty: TypeId, at: usize) -> Res<LocalId> {
        let name = self.new_name(raw, "%", at)?;
        let Some(&id) = self.func.local_names.get(&name) else {
            return Ok(self.func.add_local(name, ty, None));
        };
        let shown = raw.unwrap_or(RawName { text: "", quoted: false });
        if self.func.undefined[id].take().is_none() {
            return self.error_at(at, format!("redefinition of '%{}'", shown.text));
        }
        let used = std::mem::replace(&mut self.func.locals[id].ty, ty);
        if used != ty && ty != TypeId::VOID {
            return self.type_error(at, shown, ty, used);
        }
        Ok(id)
    }

    /// `label %b`
    pub(super) fn label(&mut self) -> Res<BlockId> {
        self.expect_word("label")?;
        self.block_name()
    }

    /// `%b` as the name of a block.
    pub(super) fn block_name(&mut self) -> Res<BlockId> {
        let at = self.start;
        let raw = self.expect_local("a block")?;
        Ok(self.func.mention_block(Name::new(raw), at))
    }

    /// The body from the opening brace on; fills in `function`.
    pub(super) fn body(&mut self, function: &mut Function) -> Res<()> {
        self.expect(b'{')?;
        // Whether the current block still lacks its terminator.
        let mut open = false;
        loop {
            match self.tok {
                Token::Punct(b'}') if !open => break,
                Token::Word("uselistorder" | "uselistorder_bb") => self.skip_line(),
                Token::Label(raw) if !open => {
                    self.begin_block(Some(raw))?;
                    self.bump();
                    open = true;
                }
                Token::Punct(b'}') | Token::Label(_) => {
                    return self.expected("an instruction, as the block has no terminator");
                }
                _ => {
                    if !open {
                        self.begin_block(None)?;
                    }
                    open = !self.instruction()?;
                }
            }
        }
        let close = self.start;
        self.bump();
        self.finish(function, close)
    }

    /// Starts a block with a label or without.
    fn begin_block(&mut self, raw: Option<RawName<'a>>) -> Res<()> {
        let at = self.start;
        let new = self.new_name(raw, "", at)?;
        let name = new.to_static();
        let id = self.func.mention_block(new, at);
        let place = self.func.blocks.next_id();
        if self.func.slots[id].place.replace(place).is_some() {
            return self.error_at(at, format!("redefinition of block '{name}'"));
        }
        self.func.blocks.push(Block { name, insts: Vec::new() });
        Ok(())
    }

    /// Moves what was collected to the function, with blocks renumbered to
    /// the order of the text.
    fn finish(&mut self, function: &mut Function, close: usize) -> Res<()> {
        let func = std::mem::take(&mut self.func);
        self.check(!func.blocks.is_empty(), close, "a function needs at least one block")?;
        if let Some(at) = func.undefined.values().flatten().min() {
            return self.error_at(*at, "use of an undefined local value");
        }
        if let Some(slot) = func.slots.values().find(|slot| slot.place.is_none()) {
            return self.error_at(slot.mentioned, "use of an undefined block");
        }
        function.locals = func.locals;
        function.declarations = func.declarations;
        function.blocks = func.blocks;
        for inst in function.blocks.iter_mut().flat_map(|(_, block)| &mut block.insts) {
            inst.op.for_each_block_mut(|block| *block = func.slots[*block].place.unwrap_or(*block));
        }
        Ok(())
    }

    /// One instruction or debug record; true if it ends its block.
    fn instruction(&mut self) -> Res<bool> {
        if let Token::Record(name) = self.tok {
            self.debug_record(name)?;
            return Ok(false);
        }
        let at = self.start;
        let mut name = None;
        if let Token::Local(raw) = self.tok {
            name = Some(raw);
            self.bump();
            self.expect(b'=')?;
        }
        let Token::Word(opcode) = self.tok else {
            return self.expected("an instruction");
        };
        let (mut op, ty) = self.operation(opcode)?;
        let Attachments { dbg, typed, members } = self.attachments()?;
        self.module.typed |= typed;
        let can_have_name = ty != TypeId::VOID || matches!(op, Op::Unsupported(_));
        self.check(name.is_none() || can_have_name, at, "an instruction without result cannot have a name")?;
        if let Op::Call(call) = &mut op {
            call.members = members;
            if let Some(declares) = self.debug_intrinsic(call) {
                if declares {
                    let metadata = |arg: &Arg| match &arg.value.value {
                        Value::Metadata(metadata) => (**metadata).clone(),
                        _ => Metadata::Null,
                    };
                    self.declare(call.args.iter().map(metadata).collect(), dbg);
                }
                return Ok(false);
            }
        }
        let has_result = ty != TypeId::VOID || name.is_some();
        let result = if has_result { Some(self.define_local(name, ty, at)?) } else { None };
        let ends = op.is_terminator();
        if let Some((_, block)) = self.func.blocks.iter_mut().next_back() {
            block.insts.push(Inst { result, ty, op, dbg, typed });
        }
        Ok(ends)
    }

    /// The metadata behind an instruction: `, !dbg !7, !tbaa !8`.
    fn attachments(&mut self) -> Res<Attachments> {
        let mut found = Attachments::default();
        while self.eat(b',') {
            let (name, node) = self.attachment()?;
            match name {
                "dbg" => found.dbg = Some(node),
                "tbaa" => found.typed = true,
                "tbaa.struct" => found.members = Some(node),
                _ => (),
            }
        }
        Ok(found)
    }

    /// Whether a call of one of the intrinsics that became debug records declares
    /// a variable; `None` for other calls.
    fn debug_intrinsic(&self, call: &Call) -> Option<bool> {
        let name = self.module.symbol_name(call.callee.global()?)?;
        match name.strip_prefix("llvm.dbg.")? {
            "declare" | "addr" => Some(true),
            "value" | "assign" | "label" => Some(false),
            _ => None,
        }
    }

    /// `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`; the other records are
    /// of no use here.
    fn debug_record(&mut self, name: &'a str) -> Res<()> {
        self.bump();
        if name != "dbg_declare" {
            return if self.at(b'(') { self.skip_balanced() } else { self.expected("'('") };
        }
        self.expect(b'(')?;
        let mut args = self.list(b')', Self::metadata)?;
        // The last operand is what `!dbg` is for a call.
        let location = match args.pop() {
            Some(Metadata::Node(id)) => Some(id),
            _ => None,
        };
        self.declare(args, location);
        Ok(())
    }

    /// Notes a declaration, given its operands; not if they make no sense, or the variable lives nowhere, as debug information
    /// is not worth an error.
    fn declare(&mut self, operands: Vec<Metadata>, location: Option<MdId>) {
        if let [Metadata::Value(Operand { value: Value::Local(local), .. }), Metadata::Node(variable), ..] =
            operands[..]
            && let Some((block, data)) = self.func.blocks.iter().next_back()
        {
            let before = data.insts.len();
            self.func.declarations.push(Declaration { local, variable, location, block, before });
        }
    }
}

impl<'a> FnState<'a> {
    fn add_local(&mut self, name: Name<'a>, ty: TypeId, undefined: Option<usize>) -> LocalId {
        let id = self.locals.push(Local { name: name.to_static(), ty });
        self.undefined.push(undefined);
        self.local_names.insert(name, id);
        id
    }

    fn mention_block(&mut self, name: Name<'a>, at: usize) -> BlockId {
        let new = || self.slots.push(BlockSlot { mentioned: at, place: None });
        *self.block_names.entry(name).or_insert_with(new)
    }
}
