//! Parsing programs.
//!
//! Names may be used before they are declared, so the text is read in rounds: cut it into items, number what they
//! declare, then layouts, then the heads of objects and functions, then initial values and bodies.  Each round sees what
//! it needs finished: an expression knows the type of every register and the layout of every object.

use super::lexer::{At, Tok, Token, tokens};
use super::names::{self, type_named};
use super::print::{says_more, scalar};
use super::{FunctionMap, MAX_LAYOUT_DEPTH, Parsed, SourceMap, default_align};
use crate::layout::{Field, Layout, LayoutId};
use crate::program::*;
use base::{Diagnostic, Id, IdVec, Pos};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Parses a whole program.  Without a `target` line it is a 64-bit one, without an `entry` line it starts at `main`.
pub fn parse(text: &str, file_name: &str) -> Result<Program, Diagnostic> {
    Ok(parse_with_map(text, file_name)?.0)
}

/// Parses a whole program and tells where its parts stand, so that later errors can point into the text.
pub fn parse_with_map(text: &str, file_name: &str) -> Result<(Program, SourceMap), Diagnostic> {
    let mut parser = Parser::new(text, file_name, DataModel::Lp64)?;
    parser.program(None)?;
    Ok((parser.program, parser.map))
}

/// Parses functions, objects and layouts without a `target` or `entry` line: a library, for programs of `data_model`.
/// The entry of the result means nothing.
pub fn parse_fragment(text: &str, file_name: &str, data_model: DataModel) -> Result<Program, Diagnostic> {
    let mut parser = Parser::new(text, file_name, data_model)?;
    parser.program(Some(data_model))?;
    Ok(parser.program)
}

pub(super) struct Parser<'t> {
    file: &'t str,
    pub tokens: Vec<Token>,
    pub next: usize,
    pub program: Program,
    /// The function being read, with its registers and blocks by name.
    pub func: FuncId,
    pub reg_ids: FxHashMap<String, Reg>,
    pub labels: FxHashMap<String, BlockId>,
    /// The type of `old` within an update.
    pub old: Option<Ty>,
    layout_ids: FxHashMap<String, LayoutId>,
    pub object_ids: FxHashMap<String, ObjectId>,
    function_ids: FxHashMap<String, FuncId>,
    /// How deep the recursion is in the expression or layout being read.
    pub depth: usize,
    pub map: SourceMap,
}

/// One item of the program: the tokens from its first word to the end of its last line.
type Item = Range<usize>;

impl<'t> Parser<'t> {
    fn new(text: &str, file: &'t str, data_model: DataModel) -> Parsed<Self> {
        Ok(Parser {
            file,
            tokens: tokens(text, file)?,
            next: 0,
            program: Program::new(data_model),
            func: FuncId(0),
            reg_ids: FxHashMap::default(),
            labels: FxHashMap::default(),
            old: None,
            layout_ids: FxHashMap::default(),
            object_ids: FxHashMap::default(),
            function_ids: FxHashMap::default(),
            depth: 0,
            map: SourceMap { file: file.to_string(), ..SourceMap::default() },
        })
    }

    fn program(&mut self, fragment: Option<DataModel>) -> Parsed<()> {
        let items = self.items()?;
        let words = items.iter().map(|item| self.item_word(item)).collect::<Result<Vec<_>, _>>()?;
        let all = |word| items.iter().zip(&words).filter(move |(_, it)| **it == word).map(|(item, _)| item.clone());
        for (item, word) in items.iter().zip(&words) {
            self.next = item.start + 1;
            match *word {
                "target" => self.target(fragment)?,
                "names" => self.program.block_names = self.named(names::block_names_named, "`reused`")?,
                "handles" => self.program.handle_names = self.named(names::handle_names_named, "`lowest`")?,
                "file" => self.file_line()?,
                _ => {
                    self.declare(word)?;
                    continue;
                }
            }
            self.end_of_item(item)?;
        }
        all("layout").try_for_each(|item| self.layout_item(item))?;
        let unread: IdVec<ObjectId, Item> = all("global").map(|item| self.object_head(item)).collect::<Parsed<_>>()?;
        let bodies: IdVec<FuncId, Item> = all("func").map(|item| self.function_head(item)).collect::<Parsed<_>>()?;
        unread.iter().try_for_each(|(object, rest)| self.object_init(object, rest))?;
        bodies.iter().try_for_each(|(function, rest)| self.function_body(function, rest))?;
        self.entry(all("entry").collect(), fragment.is_some())
    }

    /// Cuts the tokens into items: each ends at the first line end outside braces.
    fn items(&self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        let mut open = Vec::new();
        let mut start = 0;
        for (i, token) in self.tokens.iter().enumerate() {
            match token.tok {
                Tok::Punct("{") => open.push(i),
                Tok::Punct("}") if open.pop().is_none() => return self.error_at(token.at, "this `}` closes nothing"),
                Tok::Newline | Tok::End if open.is_empty() => {
                    if start < i {
                        items.push(start..i);
                    }
                    start = i + 1;
                }
                _ => (),
            }
        }
        match open.last() {
            Some(open) => self.error_at(self.tokens[*open].at, "this `{` is not closed"),
            None => Ok(items),
        }
    }

    /// The word that says what an item is: the same for all objects, and for all functions.
    fn item_word(&self, item: &Item) -> Parsed<&'static str> {
        let token = &self.tokens[item.start];
        let word = match &token.tok {
            Tok::Word(word) if word == "thread_local" => "global",
            Tok::Word(word) if word == "model" => "func",
            Tok::Word(word) => word.as_str(),
            _ => "",
        };
        let words = ["target", "names", "handles", "file", "layout", "global", "entry", "func"];
        let expected = "expected `target`, `names`, `handles`, `file`, `layout`, `global`, `thread_local`, `entry`, `func` or `model func`";
        self.known(words.iter().find(|it| **it == word), token.at, || {
            format!("{expected}, found {}", describe(&token.tok))
        })
    }

    // The small items.

    fn target(&mut self, fragment: Option<DataModel>) -> Parsed<()> {
        let at = self.at();
        let data_model = match self.int("32 or 64")? {
            32 => DataModel::Ilp32,
            64 => DataModel::Lp64,
            other => return self.error_at(at, format!("there is no target {other}, only 32 and 64")),
        };
        if fragment.is_some_and(|wanted| wanted != data_model) {
            return self.error_at(at, "this library is wanted for the other target");
        }
        self.program.data_model = data_model;
        Ok(())
    }

    fn file_line(&mut self) -> Parsed<()> {
        let at = self.at();
        let number = self.int("the number of the file")?;
        let expected = self.program.files.len();
        if number != expected as u128 {
            return self.error_at(at, format!("files are numbered in order, this one is {expected}"));
        }
        let name = self.string("the name of the file")?;
        self.program.files.push(name);
        Ok(())
    }

    fn entry(&mut self, items: Vec<Item>, fragment: bool) -> Parsed<()> {
        let mut entry = self.function_ids.get("main").copied();
        for (others, item) in items.iter().enumerate() {
            if others > 0 {
                return self.error_at(self.tokens[item.start].at, "there is more than one `entry`");
            }
            self.next = item.start + 1;
            entry = Some(self.function_ref()?);
            self.end_of_item(item)?;
        }
        match entry {
            Some(entry) => self.program.entry = entry,
            None if fragment => (),
            None => return self.error_at(At::default(), "there is no `entry` line and no function `main`"),
        }
        Ok(())
    }

    /// Gives the name of the item, whose first word has been read, the next id of its kind.
    fn declare(&mut self, word: &str) -> Parsed<()> {
        if self.tokens[self.next - 1].tok == Tok::Word("model".into()) {
            self.word("func")?;
        }
        let at = self.at();
        fn is_new<K: Id>(ids: &mut FxHashMap<String, K>, name: &str) -> bool {
            ids.insert(name.to_string(), K::new(ids.len())).is_none()
        }
        let (is_new, what) = match word {
            "layout" => {
                let Tok::Layout(name) = self.take() else { return self.unexpected(at, "a layout's name, `$name`") };
                (is_new(&mut self.layout_ids, &name), format!("layout ${name}"))
            }
            "global" => {
                let Tok::Object(name) = self.take() else { return self.unexpected(at, "an object's name, `@name`") };
                (is_new(&mut self.object_ids, &name), format!("object @{name}"))
            }
            "func" => {
                let name = self.plain_name("a function's name")?;
                (is_new(&mut self.function_ids, &name), format!("function {name}"))
            }
            _ => return Ok(()),
        };
        if is_new { Ok(()) } else { self.error_at(at, format!("{what} is declared twice")) }
    }

    // Layouts.

    fn layout_item(&mut self, item: Item) -> Parsed<()> {
        self.next = item.start + 1;
        let at = self.at();
        let Tok::Layout(name) = self.take() else { return self.unexpected(at, "a layout's name") };
        self.punct("=")?;
        let layout = self.layout()?;
        self.program.layouts.push(NamedLayout { name, layout });
        self.map.layouts.push(at);
        self.end_of_item(&item)
    }

    pub fn layout(&mut self) -> Parsed<Layout> {
        self.nested(MAX_LAYOUT_DEPTH, "this layout nests too deep", |parser, at| parser.layout_inner(at))
    }

    fn layout_inner(&mut self, at: At) -> Parsed<Layout> {
        match self.take() {
            Tok::Layout(name) => {
                let id = self.known(self.layout_ids.get(&name), at, || format!("there is no layout ${name}"))?;
                Ok(Layout::Named(id))
            }
            Tok::Punct("[") => {
                let count = self.int_u64("how many elements")?;
                self.word("x")?;
                let element = Box::new(self.layout()?);
                self.punct("]")?;
                Ok(Layout::Array { element, count })
            }
            Tok::Word(word) if word == "struct" || word == "union" => {
                let size = self.int_u64("the size")?;
                let fields = self.fields()?;
                Ok(if word == "struct" { Layout::Struct { size, fields } } else { Layout::Union { size, fields } })
            }
            Tok::Word(word) if word == "bytes" => Ok(Layout::Bytes(self.int_u64("how many bytes")?)),
            Tok::Word(word) if word == "ptr" => {
                let to = if self.layout_follows() { Some(Box::new(self.layout()?)) } else { None };
                Ok(Layout::Pointer(to))
            }
            Tok::Word(word) => match type_named(&word, self.program.data_model.pointer_bits()) {
                Some((ty, unsigned)) => Ok(Layout::Scalar { ty, unsigned }),
                None => self.unexpected(at, "a layout"),
            },
            _ => self.unexpected(at, "a layout"),
        }
    }

    fn layout_follows(&self) -> bool {
        match self.peek() {
            Tok::Layout(_) | Tok::Punct("[") => true,
            Tok::Word(word) => matches!(word.as_str(), "struct" | "union" | "bytes") || type_named(word, 64).is_some(),
            _ => false,
        }
    }

    fn fields(&mut self) -> Parsed<Vec<Field>> {
        self.punct("{")?;
        self.list("}", |parser, _| {
            let name = parser.plain_name("a field's name")?;
            parser.punct(":")?;
            let layout = parser.layout()?;
            parser.punct("@")?;
            Ok(Field { name, offset: parser.int_u64("the field's offset")?, layout })
        })
    }

    // Objects.

    /// Everything up to the initial value.  Returns the tokens not read yet.
    fn object_head(&mut self, item: Item) -> Parsed<Item> {
        let at = self.tokens[item.start].at;
        let thread_local = self.tokens[item.start].tok == Tok::Word("thread_local".into());
        self.next = item.start + 1;
        let Tok::Object(name) = self.take() else { return self.unexpected(at, "an object's name") };
        self.punct(":")?;
        let layout = self.layout()?;
        let mut size = None;
        let mut align = None;
        let (mut constant, mut internal) = (false, false);
        while matches!(self.peek(), Tok::Word(_)) {
            match () {
                () if self.eat_word("size") => size = Some(self.int_u64("the size")?),
                () if self.eat_word("align") => align = Some(self.int_u64("the alignment")?),
                () if self.eat_word("const") => constant = true,
                () if self.eat_word("internal") => internal = true,
                () => return self.unexpected(self.at(), "`size`, `align`, `const`, `internal` or `=`"),
            }
        }
        let size = size.unwrap_or_else(|| layout.size(&self.program));
        let align = align.unwrap_or_else(|| default_align(size, self.program.data_model));
        let init = Vec::new();
        let pos = Pos::NONE;
        self.program.objects.push(Object { name, layout, size, align, thread_local, constant, internal, init, pos });
        self.map.objects.push(at);
        Ok(self.next..item.end)
    }

    fn object_init(&mut self, id: ObjectId, rest: &Item) -> Parsed<()> {
        self.next = rest.start;
        if self.eat("=") {
            self.program.objects[id].init = if self.eat("{") {
                self.list("}", |parser, _| {
                    let offset = parser.int_u64("an offset")?;
                    parser.punct(":")?;
                    Ok(Init { offset, value: parser.init_value(None)? })
                })?
            } else {
                let ty = scalar(&self.program.objects[id].layout);
                vec![Init { offset: 0, value: self.init_value(ty)? }]
            };
        }
        self.program.objects[id].pos = self.position();
        self.end_of_item(rest)
    }

    /// A string, or a constant after its type; the type may be left out where the layout gives it.
    fn init_value(&mut self, mut ty: Option<Ty>) -> Parsed<InitValue> {
        let at = self.at();
        if let Tok::Str(bytes) = self.peek().clone() {
            self.next += 1;
            return Ok(InitValue::Bytes(bytes));
        }
        if let Tok::Word(word) = self.peek()
            && let Some((written, false)) = type_named(word, self.program.data_model.pointer_bits())
        {
            self.next += 1;
            ty = Some(written);
        }
        match self.expr(ty)? {
            Expr::Const(ty, bits) => Ok(InitValue::Scalar(ty, bits)),
            Expr::Object(id, offset) => Ok(InitValue::Object(id, offset)),
            Expr::Func(id) => Ok(InitValue::Function(id)),
            _ => self.error_at(at, "an initial value is a constant, a string, or the address of an object or function"),
        }
    }

    // Functions.

    /// The signature and the declarations of registers.  Returns the tokens not read yet, from the first block on.
    fn function_head(&mut self, item: Item) -> Parsed<Item> {
        let at = self.tokens[item.start].at;
        self.next = item.start;
        let model = self.eat_word("model");
        self.word("func")?;
        let name = self.plain_name("a function's name")?;
        self.func = self.program.functions.push(Function { name, model, ..Function::default() });
        self.map.functions.push(FunctionMap { at, ..FunctionMap::default() });
        self.punct("(")?;
        let params = self.list(")", |parser, _| {
            let temp = parser.eat_word("temp");
            let at = parser.at();
            if *parser.peek_at(1) == Tok::Punct(":") {
                let reg = parser.declaration(!temp)?;
                return Ok((parser.program.functions[parser.func].regs[reg].name.clone(), at));
            }
            let Tok::Reg(name) = parser.take() else { return parser.unexpected(at, "a parameter, `%name: type`") };
            Ok((name, at))
        })?;
        let result = if self.eat("->") { Some(self.ty()?) } else { None };
        let pos = self.position();
        self.punct("{")?;
        self.declarations()?;
        let reg_ids = std::mem::take(&mut self.reg_ids);
        let declared = |(name, at): (String, At)| {
            self.known(reg_ids.get(&name), at, || format!("parameter %{name} is not declared"))
        };
        let params = params.into_iter().map(declared).collect::<Parsed<_>>()?;
        let function = &mut self.program.functions[self.func];
        (function.params, function.result, function.pos) = (params, result, pos);
        Ok(self.next..item.end)
    }

    fn declarations(&mut self) -> Parsed<()> {
        loop {
            self.newlines();
            let user = match self.peek() {
                Tok::Word(word) if word == "local" => true,
                Tok::Word(word) if word == "temp" => false,
                _ => return Ok(()),
            };
            // A block may be called `local`.
            if *self.peek_at(1) == Tok::Punct(":") {
                return Ok(());
            }
            self.next += 1;
            self.declaration(user)?;
            while self.eat(",") {
                self.declaration(user)?;
            }
            if !self.line_ends() {
                return self.unexpected(self.at(), "`,` or the end of the line");
            }
        }
    }

    fn declaration(&mut self, user: bool) -> Parsed<Reg> {
        let at = self.at();
        let Tok::Reg(name) = self.take() else { return self.unexpected(at, "a register, `%name`") };
        self.punct(":")?;
        let ty_at = self.at();
        let declared = self.layout()?;
        let Some(ty) = scalar(&declared) else {
            return self.error_at(ty_at, "a register holds a number or a pointer");
        };
        let layout = match self.eat_word("as") {
            true if says_more(&declared) => return self.error_at(ty_at, "`as` follows a plain type"),
            true if self.eat_word("none") => None,
            true => Some(self.layout()?),
            false => (user || says_more(&declared)).then_some(declared),
        };
        if self.reg_ids.contains_key(&name) {
            return self.error_at(at, format!("register %{name} is declared twice"));
        }
        Ok(self.declare_register(RegData { name, ty, layout, user }, at))
    }

    /// Adds a register to the function being read; its name is not taken.
    pub fn declare_register(&mut self, data: RegData, at: At) -> Reg {
        self.map.functions[self.func].regs.push(at);
        let name = data.name.clone();
        let reg = self.program.functions[self.func].regs.push(data);
        self.reg_ids.insert(name, reg);
        reg
    }
}

/// Reading tokens.
impl Parser<'_> {
    pub fn peek(&self) -> &Tok {
        &self.tokens[self.next].tok
    }
    /// The token so many places further on.
    pub fn peek_at(&self, further: usize) -> &Tok {
        &self.tokens[(self.next + further).min(self.tokens.len() - 1)].tok
    }
    pub fn at(&self) -> At {
        self.tokens[self.next].at
    }
    /// Skips the token that `peek` has shown.
    pub fn skip(&mut self) {
        if *self.peek() != Tok::End {
            self.next += 1;
        }
    }
    pub fn take(&mut self) -> Tok {
        let tok = self.peek().clone();
        self.skip();
        tok
    }
    pub fn eat(&mut self, punct: &'static str) -> bool {
        let found = *self.peek() == Tok::Punct(punct);
        self.next += usize::from(found);
        found
    }
    pub fn eat_word(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Tok::Word(word) if word == wanted);
        self.next += usize::from(found);
        found
    }
    pub fn punct(&mut self, punct: &'static str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { self.unexpected(self.at(), &format!("`{punct}`")) }
    }
    pub fn word(&mut self, wanted: &str) -> Parsed<()> {
        if self.eat_word(wanted) { Ok(()) } else { self.unexpected(self.at(), &format!("`{wanted}`")) }
    }
    /// What a word stands for.
    pub fn named<T>(&mut self, named: impl Fn(&str) -> Option<T>, what: &str) -> Parsed<T> {
        if let Tok::Word(word) = self.peek()
            && let Some(found) = named(word)
        {
            self.next += 1;
            return Ok(found);
        }
        self.unexpected(self.at(), what)
    }
    pub fn newlines(&mut self) {
        while *self.peek() == Tok::Newline {
            self.next += 1;
        }
    }
    pub fn line_ends(&self) -> bool {
        matches!(self.peek(), Tok::Newline | Tok::End | Tok::Punct("}"))
    }
    /// What stands between commas, up to the closing bracket; `one` is told how many came before.
    pub fn list<T>(
        &mut self,
        close: &'static str,
        mut one: impl FnMut(&mut Self, usize) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        loop {
            self.newlines();
            if self.eat(close) {
                return Ok(all);
            }
            all.push(one(self, all.len())?);
            self.newlines();
            if !self.eat(",") && *self.peek() != Tok::Punct(close) {
                return self.unexpected(self.at(), &format!("`,` or `{close}`"));
            }
        }
    }
    /// Reads something that may contain its like, down to some depth.
    pub fn nested<T>(
        &mut self,
        deepest: usize,
        too_deep: &str,
        inner: impl FnOnce(&mut Self, At) -> Parsed<T>,
    ) -> Parsed<T> {
        let at = self.at();
        if self.depth >= deepest {
            return self.error_at(at, too_deep);
        }
        self.depth += 1;
        let found = inner(self, at);
        self.depth -= 1;
        found
    }
    fn end_of_item(&mut self, item: &Item) -> Parsed<()> {
        if self.next == item.end { Ok(()) } else { self.unexpected(self.at(), "the end of the line") }
    }

    pub fn int(&mut self, what: &str) -> Parsed<u128> {
        let at = self.at();
        match self.take() {
            Tok::Int { value, .. } => Ok(value),
            _ => self.unexpected(at, what),
        }
    }
    pub fn int_u64(&mut self, what: &str) -> Parsed<u64> {
        let at = self.at();
        let value = self.int(what)?;
        u64::try_from(value).or_else(|_| self.error_at(at, "this number does not fit 64 bits"))
    }
    pub fn string(&mut self, what: &str) -> Parsed<String> {
        let at = self.at();
        match self.take() {
            Tok::Str(bytes) => String::from_utf8(bytes).or_else(|_| self.error_at(at, "this string must be UTF-8")),
            _ => self.unexpected(at, what),
        }
    }
    /// A name without a sigil, bare or quoted.
    pub fn plain_name(&mut self, what: &str) -> Parsed<String> {
        let Tok::Word(word) = self.peek().clone() else { return self.string(what) };
        self.next += 1;
        Ok(word)
    }
    pub fn ty(&mut self) -> Parsed<Ty> {
        let bits = self.program.data_model.pointer_bits();
        self.named(|word| type_named(word, bits).filter(|(_, unsigned)| !unsigned).map(|(ty, _)| ty), "a type")
    }
    pub fn position(&mut self) -> Pos {
        if let Tok::Pos(pos) = *self.peek() {
            self.next += 1;
            return pos;
        }
        Pos::NONE
    }
    pub fn function_ref(&mut self) -> Parsed<FuncId> {
        let at = self.at();
        let name = self.plain_name("a function's name")?;
        self.known(self.function_ids.get(&name), at, || format!("there is no function {name}"))
    }
    /// What a name stands for, or why it stands for nothing.
    pub fn known<T: Copy>(&self, found: Option<&T>, at: At, why: impl Fn() -> String) -> Parsed<T> {
        found.copied().map_or_else(|| self.error_at(at, why()), Ok)
    }

    pub fn error_at<T>(&self, at: At, message: impl Into<String>) -> Parsed<T> {
        Err(Diagnostic::error(message).at(self.file, at.line, at.column))
    }
    /// The token at `at`, which may already be taken, is not `what`.
    pub fn unexpected<T>(&self, at: At, what: &str) -> Parsed<T> {
        let found = self.tokens[..=self.next].iter().rev().find(|token| token.at == at);
        let found = found.map_or_else(|| "something else".to_string(), |token| describe(&token.tok));
        self.error_at(at, format!("expected {what}, found {found}"))
    }
}

fn describe(tok: &Tok) -> String {
    match tok {
        Tok::Word(word) => format!("`{word}`"),
        Tok::Object(name) => format!("`@{name}`"),
        Tok::Reg(name) => format!("`%{name}`"),
        Tok::Layout(name) => format!("`${name}`"),
        Tok::Str(_) => "a string".to_string(),
        Tok::Int { value, .. } => format!("`{value}`"),
        Tok::Float(text) => format!("`{text}`"),
        Tok::Pos(_) => "a position".to_string(),
        Tok::Punct(punct) => format!("`{punct}`"),
        Tok::Newline => "the end of the line".to_string(),
        Tok::End => "the end of the text".to_string(),
    }
}
