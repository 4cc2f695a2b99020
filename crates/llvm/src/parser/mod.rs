//! The parser: recursive descent with one token of lookahead.
//!
//! This module holds the state and the small tools; the rules are in the
//! submodules.  Recursion only happens in types, constants and metadata, and
//! is limited by [`MAX_DEPTH`], so no input can exhaust the stack.

mod attributes;
mod calls;
mod constants;
mod floats;
mod function;
mod instructions;
mod memory;
mod metadata;
mod module;
mod type_rules;

use crate::Error;
use crate::ast::{GlobalId, MdId, Module, Name, Symbol, SymbolDef};
use crate::keywords::Linkage;
use crate::lexer::{Lexer, RawName, Token, unescape};
use crate::types::StructId;
use function::FnState;
use rustc_hash::FxHashMap;

/// Deepest nesting of types, constants and metadata.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Deepest nesting of structs and arrays by value, through named structs.
pub(crate) const MAX_TYPE_NESTING: u32 = 500;

pub(crate) type Res<T> = Result<T, Error>;

/// The state of the parser.
pub(crate) struct Parser<'a> {
    lex: Lexer<'a>,
    /// The current token, not yet consumed.
    tok: Token<'a>,
    /// Where it begins.
    start: usize,
    /// Where the token before it ended.
    prev_end: usize,
    depth: u32,
    module: Module,
    structs: FxHashMap<Name<'a>, StructId>,
    globals: FxHashMap<Name<'a>, GlobalId>,
    /// Shared nodes for inline metadata without fields, like
    /// `!DIExpression()`, of which there is one per variable.
    empty_nodes: FxHashMap<&'a str, MdId>,
    /// The function being read.
    func: FnState<'a>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut parser = Parser {
            lex: Lexer::new(text),
            tok: Token::Eof,
            start: 0,
            prev_end: 0,
            depth: 0,
            module: Module::default(),
            structs: FxHashMap::default(),
            globals: FxHashMap::default(),
            empty_nodes: FxHashMap::default(),
            func: FnState::default(),
        };
        parser.bump();
        parser
    }

    /// Consumes the current token.
    fn bump(&mut self) {
        self.prev_end = self.lex.pos;
        (self.tok, self.start) = self.lex.next();
    }

    /// Skips the rest of the line behind the current token.
    fn skip_line(&mut self) {
        self.lex.skip_line();
        self.bump();
    }

    /// Whether the current token is on the line where the last one ended.
    fn same_line(&self) -> bool {
        !self.lex.slice(self.prev_end, self.start).contains('\n')
    }

    /// An error at an offset of the text.
    fn error_at<T>(&self, offset: usize, message: impl Into<String>) -> Res<T> {
        let offset = offset.min(self.lex.text.len());
        let before = &self.lex.text.as_bytes()[..offset];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        Err(Error { line: line as u32, column: (offset - line_start + 1) as u32, message: message.into() })
    }

    /// An error at the current token.
    fn error<T>(&self, message: impl Into<String>) -> Res<T> {
        self.error_at(self.start, message)
    }

    /// An error that says what was expected and what is there.
    fn expected<T>(&self, what: &str) -> Res<T> {
        let found = match self.tok {
            Token::Eof => "the end of the file".to_string(),
            _ => {
                let text = self.lex.slice(self.start, self.lex.pos);
                let short: String = text.chars().take(40).collect();
                format!("'{short}'")
            }
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// An error at an offset of the text, unless something holds.
    fn check(&self, holds: bool, offset: usize, message: &str) -> Res<()> {
        if holds { Ok(()) } else { self.error_at(offset, message) }
    }

    fn at(&self, punct: u8) -> bool {
        self.tok == Token::Punct(punct)
    }

    fn at_word(&self, word: &str) -> bool {
        self.tok == Token::Word(word)
    }

    /// Consumes a character if it is there.
    fn eat(&mut self, punct: u8) -> bool {
        let there = self.at(punct);
        if there {
            self.bump();
        }
        there
    }

    /// Consumes a word if it is there.
    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.bump();
        }
        there
    }

    fn expect(&mut self, punct: u8) -> Res<()> {
        if self.eat(punct) {
            return Ok(());
        }
        self.expected(&format!("'{}'", punct as char))
    }

    fn expect_word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        self.expected(&format!("'{word}'"))
    }

    /// What a keyword stands for.
    fn keyword<T>(&mut self, of: fn(&str) -> Option<T>, what: &str) -> Res<T> {
        if let Token::Word(word) = self.tok
            && let Some(found) = of(word)
        {
            self.bump();
            return Ok(found);
        }
        self.expected(what)
    }

    fn expect_global(&mut self, what: &str) -> Res<RawName<'a>> {
        let Token::Global(raw) = self.tok else {
            return self.expected(what);
        };
        self.bump();
        Ok(raw)
    }

    fn expect_local(&mut self, what: &str) -> Res<RawName<'a>> {
        let Token::Local(raw) = self.tok else {
            return self.expected(what);
        };
        self.bump();
        Ok(raw)
    }

    fn expect_string(&mut self) -> Res<String> {
        if let Token::Str(raw) = self.tok {
            self.bump();
            return Ok(unescape(raw).into_owned());
        }
        self.expected("a string")
    }

    /// The string behind the current word.
    fn string_behind(&mut self) -> Res<String> {
        self.bump();
        self.expect_string()
    }

    fn expect_u64(&mut self) -> Res<u64> {
        if let Token::Number(text) = self.tok {
            if let Ok(value) = text.parse() {
                self.bump();
                return Ok(value);
            }
            return self.error("number out of range");
        }
        self.expected("a number")
    }

    fn expect_u32(&mut self) -> Res<u32> {
        let at = self.start;
        match u32::try_from(self.expect_u64()?) {
            Ok(value) => Ok(value),
            Err(_) => self.error_at(at, "number out of range"),
        }
    }

    /// `(N)` of an address space.
    fn addrspace(&mut self) -> Res<u32> {
        self.expect(b'(')?;
        // Newer versions also have symbolic spaces, as in `addrspace("A")`.
        let space = match self.tok {
            Token::Str(_) => {
                self.bump();
                0
            }
            _ => self.expect_u32()?,
        };
        self.expect(b')')?;
        Ok(space)
    }

    /// Consumes a comma unless a metadata attachment follows it, which is left
    /// to the common end of all instructions.
    fn eat_comma(&mut self) -> bool {
        if !self.at(b',') || self.lex.peek_nonblank() == Some(b'!') {
            return false;
        }
        self.bump();
        true
    }

    /// What is one level deeper in a nested construct.  Errors end the whole
    /// parse, so only the successful way out needs to be counted.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("nested too deeply");
        }
        let found = inside(self)?;
        self.depth -= 1;
        Ok(found)
    }

    /// Items with commas between them, and the character that closes the list.
    fn list<T>(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let mut items = Vec::new();
        while !self.at(close) {
            items.push(item(self)?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(items)
    }

    /// `(a, b)` or `(a, b, ...)`; whether it is the second is returned, too.
    fn parameter_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Res<T>) -> Res<(Vec<T>, bool)> {
        self.expect(b'(')?;
        let mut varargs = false;
        let items = self.list(b')', |parser| {
            if parser.tok != Token::Ellipsis {
                return item(parser).map(Some);
            }
            varargs = true;
            parser.bump();
            if parser.at(b')') { Ok(None) } else { parser.expected("')'") }
        })?;
        Ok((items.into_iter().flatten().collect(), varargs))
    }

    /// Skips `( ... )`, `[ ... ]` and so on with what is inside.
    fn skip_balanced(&mut self) -> Res<()> {
        let mut open = 0u64;
        loop {
            match self.tok {
                Token::Punct(b'(' | b'[' | b'{') => open += 1,
                Token::Punct(b')' | b']' | b'}') => open = open.saturating_sub(1),
                Token::Eof | Token::Bad => return self.expected("a closing parenthesis"),
                _ => {}
            }
            self.bump();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// The id of a global name, new or not.
    fn global(&mut self, raw: RawName<'a>) -> GlobalId {
        let new = |name: &Name| {
            let symbol = Symbol { name: name.to_static(), linkage: Linkage::External, def: SymbolDef::Undefined };
            self.module.symbols.push(symbol)
        };
        *self.globals.entry(Name::new(raw)).or_insert_with_key(new)
    }
}
