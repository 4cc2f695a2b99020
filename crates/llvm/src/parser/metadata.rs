//! Rules for metadata.
//!
//! Specialised nodes are kept generically, except `!DILocation`, of which
//! there is one per instruction.

use super::{Parser, Res};
use crate::ast::{DiNode, DiValue, MdId, MdLocation, MdNode, Metadata};
use crate::keywords;
use crate::lexer::{Token, unescape};
use crate::types::TypeId;

impl<'a> Parser<'a> {
    /// The id of `!number`, defined or not.
    fn numbered(&mut self, number: u32) -> MdId {
        if let Some(&id) = self.module.metadata_index.get(&number) {
            return id;
        }
        let id = self.add_node(MdNode::Undefined);
        self.module.metadata_index.insert(number, id);
        id
    }

    fn add_node(&mut self, node: MdNode) -> MdId {
        self.module.metadata.push(node)
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
        match self.metadata()? {
            Metadata::Node(id) => Ok(id),
            _ => self.error_at(at, "expected a metadata node"),
        }
    }

    /// Any metadata: a node, a string, a value or `null`.
    pub(super) fn metadata(&mut self) -> Res<Metadata> {
        match self.tok {
            Token::MetaNumber(number) => {
                self.bump();
                Ok(Metadata::Node(self.numbered(number)))
            }
            Token::MetaName(name) => {
                let kind = self.specialised(name)?;
                if !matches!(&kind, MdNode::Node(node) if node.fields.is_empty()) {
                    return Ok(Metadata::Node(self.add_node(kind)));
                }
                if let Some(&id) = self.empty_nodes.get(name) {
                    return Ok(Metadata::Node(id));
                }
                let id = self.add_node(kind);
                self.empty_nodes.insert(name, id);
                Ok(Metadata::Node(id))
            }
            Token::Bang => {
                self.bump();
                if let Token::Str(raw) = self.tok {
                    self.bump();
                    return Ok(Metadata::String(unescape(raw).into()));
                }
                let kind = self.tuple()?;
                Ok(Metadata::Node(self.add_node(kind)))
            }
            Token::Word("null") => {
                self.bump();
                Ok(Metadata::Null)
            }
            _ => {
                self.enter()?;
                let at = self.start;
                let ty = self.ty()?;
                if ty == TypeId::METADATA {
                    return self.error_at(at, "metadata cannot be nested like this");
                }
                let value = self.operand_of(ty)?;
                self.leave();
                Ok(Metadata::Value(value))
            }
        }
    }

    /// `{...}` of a tuple.
    fn tuple(&mut self) -> Res<MdNode> {
        self.enter()?;
        self.expect(b'{')?;
        let items = self.list(b'}', Self::metadata)?;
        self.leave();
        Ok(MdNode::Tuple(items.into()))
    }

    /// `!Name(...)`
    fn specialised(&mut self, name: &'a str) -> Res<MdNode> {
        self.enter()?;
        self.bump();
        self.expect(b'(')?;
        let kind = if name == "DILocation" {
            MdNode::Location(self.location_fields()?)
        } else {
            MdNode::Node(Box::new(self.node_fields(name)?))
        };
        self.expect(b')')?;
        self.leave();
        Ok(kind)
    }

    fn location_fields(&mut self) -> Res<MdLocation> {
        let mut location = MdLocation { line: 0, column: 0, scope: None };
        while let Token::Label(key) = self.tok {
            self.bump();
            match (key.text, self.di_value()?) {
                ("line", DiValue::Int(value)) => location.line = small(value),
                ("column", DiValue::Int(value)) => location.column = small(value),
                ("scope", DiValue::Node(id)) => location.scope = Some(id),
                _ => {}
            }
            if !self.eat(b',') {
                break;
            }
        }
        Ok(location)
    }

    fn node_fields(&mut self, name: &'a str) -> Res<DiNode> {
        let mut fields = Vec::new();
        while !self.at(b')') {
            let key = match self.tok {
                Token::Label(key) => {
                    self.bump();
                    key.text
                }
                _ => "",
            };
            fields.push((key.into(), self.di_value()?));
            if !self.eat(b',') {
                break;
            }
        }
        Ok(DiNode { name: name.into(), fields })
    }

    /// The value of a field.  Anything unknown is skipped up to the next
    /// comma.
    fn di_value(&mut self) -> Res<DiValue> {
        match self.tok {
            Token::Number(text) => match text.parse() {
                Ok(value) => {
                    self.bump();
                    Ok(DiValue::Int(value))
                }
                Err(_) => self.other_value(),
            },
            Token::Str(raw) => {
                self.bump();
                Ok(DiValue::String(unescape(raw).into()))
            }
            Token::MetaNumber(_) | Token::MetaName(_) | Token::Bang => Ok(match self.metadata()? {
                Metadata::Node(id) => DiValue::Node(id),
                Metadata::String(text) => DiValue::String(text),
                Metadata::Value(value) => DiValue::Value(value),
                Metadata::Null => DiValue::Other,
            }),
            Token::Word("null") => {
                self.bump();
                Ok(DiValue::Other)
            }
            Token::Word(word) if keywords::is_type_word(word) => {
                self.enter()?;
                let value = self.operand()?;
                self.leave();
                Ok(DiValue::Value(value))
            }
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
                Ok(DiValue::Word(words.into()))
            }
            // `%struct.S zeroinitializer` and the like.
            Token::Local(_) | Token::Punct(b'[' | b'<') => {
                self.enter()?;
                let value = self.operand()?;
                self.leave();
                Ok(DiValue::Value(value))
            }
            _ => self.other_value(),
        }
    }

    fn other_value(&mut self) -> Res<DiValue> {
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
        Ok(DiValue::Other)
    }
}

fn small(value: i128) -> u32 {
    u32::try_from(value).unwrap_or(0)
}
