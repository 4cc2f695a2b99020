//! Rules for metadata.
//!
//! Specialised nodes are kept generically, except `!DILocation`, of which
//! there is one per instruction.

use super::{Parser, Res};
use crate::ast::{DiNode, MdId, MdLocation, MdNode, Metadata, Module};
use crate::keywords;
use crate::lexer::{Token, unescape};
use crate::types::TypeId;

impl<'a> Parser<'a> {
    /// The id of `!number`, defined or not.
    fn numbered(&mut self, number: u32) -> MdId {
        let Module { metadata, metadata_index, .. } = &mut self.module;
        *metadata_index.entry(number).or_insert_with(|| metadata.push(MdNode::Undefined))
    }

    /// `!7 = ...` at the top level.
    pub(super) fn metadata_definition(&mut self, number: u32) -> Res<()> {
        let at = self.start;
        self.bump();
        self.expect(b'=')?;
        self.eat_word("distinct");
        let new = match self.tok {
            Token::MetaName(name) => self.specialised(name)?,
            Token::Bang => {
                self.bump();
                self.tuple()?
            }
            _ => return self.expected("a metadata node"),
        };
        let id = self.numbered(number);
        let node = &mut self.module.metadata[id];
        if !matches!(node, MdNode::Undefined) {
            return self.error_at(at, format!("redefinition of '!{number}'"));
        }
        *node = new;
        Ok(())
    }

    /// `!name = !{!0, !1}` at the top level.
    pub(super) fn skip_named_metadata(&mut self) -> Res<()> {
        self.bump();
        self.expect(b'=')?;
        if self.tok != Token::Bang {
            return self.expected("'!{'");
        }
        self.bump();
        if self.at(b'{') { self.skip_balanced() } else { self.expected("'{'") }
    }

    /// A reference to a node, or a node written in place.
    pub(super) fn node(&mut self) -> Res<MdId> {
        let at = self.start;
        match self.metadata()?.node() {
            Some(id) => Ok(id),
            None => self.error_at(at, "expected a metadata node"),
        }
    }

    /// `!dbg !7` and the like.
    pub(super) fn attachment(&mut self) -> Res<(&'a str, MdId)> {
        let Token::MetaName(name) = self.tok else {
            return self.expected("a metadata attachment");
        };
        self.bump();
        Ok((name, self.node()?))
    }

    /// Any metadata: a node, a string, a value or `null`.
    pub(super) fn metadata(&mut self) -> Res<Metadata> {
        match self.tok {
            Token::MetaNumber(number) => {
                self.bump();
                Ok(Metadata::Node(self.numbered(number)))
            }
            Token::MetaName(name) => {
                let node = self.specialised(name)?;
                let is_empty = matches!(&node, MdNode::Node(node) if node.fields.is_empty());
                let new = || self.module.metadata.push(node);
                let id = if is_empty { *self.empty_nodes.entry(name).or_insert_with(new) } else { new() };
                Ok(Metadata::Node(id))
            }
            Token::Bang => {
                self.bump();
                if let Token::Str(raw) = self.tok {
                    self.bump();
                    return Ok(Metadata::String(unescape(raw).into()));
                }
                let node = self.tuple()?;
                Ok(Metadata::Node(self.module.metadata.push(node)))
            }
            Token::Word("null") => {
                self.bump();
                Ok(Metadata::Null)
            }
            _ => self.nested(|parser| {
                let at = parser.start;
                let ty = parser.ty()?;
                parser.check(ty != TypeId::METADATA, at, "metadata cannot be nested like this")?;
                Ok(Metadata::Value(parser.operand_of(ty)?))
            }),
        }
    }

    /// `{...}` of a tuple.
    fn tuple(&mut self) -> Res<MdNode> {
        self.expect(b'{')?;
        let items = self.nested(|parser| parser.list(b'}', Self::metadata))?;
        Ok(MdNode::Tuple(items.into()))
    }

    /// `!Name(...)`
    fn specialised(&mut self, name: &'a str) -> Res<MdNode> {
        self.bump();
        self.expect(b'(')?;
        self.nested(|parser| {
            if name == "DILocation" {
                return Ok(MdNode::Location(parser.location()?));
            }
            let fields = parser.list(b')', |parser| {
                let (key, value) = parser.field()?;
                Ok((key.into(), value))
            })?;
            Ok(MdNode::Node(Box::new(DiNode { name: name.into(), fields })))
        })
    }

    fn location(&mut self) -> Res<MdLocation> {
        let mut location = MdLocation { line: 0, column: 0, scope: None };
        self.list(b')', |parser| {
            let Token::Label(_) = parser.tok else {
                return parser.expected("')'");
            };
            match parser.field()? {
                ("line", Metadata::Int(value)) => location.line = small(value),
                ("column", Metadata::Int(value)) => location.column = small(value),
                ("scope", Metadata::Node(id)) => location.scope = Some(id),
                _ => {}
            }
            Ok(())
        })?;
        Ok(location)
    }

    fn field(&mut self) -> Res<(&'a str, Metadata)> {
        let mut name = "";
        if let Token::Label(key) = self.tok {
            self.bump();
            name = key.text;
        }
        Ok((name, self.field_value()?))
    }

    /// The value of a field.  Anything unknown is skipped up to the next
    /// comma.
    fn field_value(&mut self) -> Res<Metadata> {
        let is_typed = match self.tok {
            Token::Word(word) => keywords::is_type_word(word),
            // `%struct.S zeroinitializer` and the like.
            Token::Local(_) | Token::Punct(b'[' | b'<') => true,
            _ => false,
        };
        match self.tok {
            Token::Number(text) => match text.parse() {
                Ok(value) => {
                    self.bump();
                    Ok(Metadata::Int(value))
                }
                Err(_) => self.other_value(),
            },
            Token::Str(raw) => {
                self.bump();
                Ok(Metadata::String(unescape(raw).into()))
            }
            Token::MetaNumber(_) | Token::MetaName(_) | Token::Bang | Token::Word("null") => self.metadata(),
            _ if is_typed => Ok(Metadata::Value(self.nested(Self::operand)?)),
            Token::Word(word) => {
                self.bump();
                let mut words = String::from(word);
                while self.eat(b'|') {
                    let (Token::Word(next) | Token::Number(next)) = self.tok else {
                        return self.expected("a flag");
                    };
                    words.push_str(" | ");
                    words.push_str(next);
                    self.bump();
                }
                Ok(Metadata::Word(words.into()))
            }
            _ => self.other_value(),
        }
    }

    fn other_value(&mut self) -> Res<Metadata> {
        let from = self.start;
        loop {
            match self.tok {
                Token::Punct(b'(' | b'[' | b'{') => self.skip_balanced()?,
                Token::Punct(b',' | b')' | b']' | b'}') => break,
                Token::Eof | Token::Bad => return self.expected("the value of a field"),
                _ => self.bump(),
            }
        }
        if from == self.start {
            return self.expected("the value of a field");
        }
        Ok(Metadata::Null)
    }
}

fn small(value: i128) -> u32 {
    u32::try_from(value).unwrap_or(0)
}
