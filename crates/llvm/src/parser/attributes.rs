//! Rules for attributes, and the words before and behind functions.
//!
//! Attributes are read tolerantly: any word that cannot begin what comes next
//! is an attribute, with its parenthesised argument if it has one.  So new
//! attributes of later versions do no harm.

use super::{Parser, Res};
use crate::ast::{AttrSet, ParamAttrs};
use crate::keywords::{self, Linkage};
use crate::lexer::Token;
use crate::types::TypeId;

impl<'a> Parser<'a> {
    /// One attribute as text: `word`, `word(...)`, `word=value`, `word N` for
    /// the alignments, `"key"` or `"key"="value"`.
    pub(super) fn attribute_text(&mut self) -> Res<&'a str> {
        let from = self.start;
        let aligns = self.at_word("align") || self.at_word("alignstack");
        self.bump();
        if self.eat(b'=') {
            match self.tok {
                Token::Str(_) | Token::Number(_) | Token::Word(_) => self.bump(),
                _ => return self.expected("the value of an attribute"),
            }
        } else if self.at(b'(') {
            self.skip_balanced()?;
        } else if aligns && matches!(self.tok, Token::Number(_)) {
            self.bump();
        }
        Ok(self.lex.slice(from, self.prev_end))
    }

    /// `(T)` behind an attribute; LLVM before 12 left it out in places.
    fn attribute_type(&mut self) -> Res<Option<TypeId>> {
        self.bump();
        if !self.eat(b'(') {
            return Ok(None);
        }
        let ty = self.ty()?;
        self.expect(b')')?;
        Ok(Some(ty))
    }

    /// The attributes between the type of an argument and its value.
    pub(super) fn param_attributes(&mut self) -> Res<ParamAttrs> {
        let mut attrs = ParamAttrs::default();
        loop {
            match self.tok {
                Token::Word("byval") => attrs.byval = self.attribute_type()?,
                Token::Word("sret") => attrs.sret = self.attribute_type()?,
                Token::Word("align") => {
                    self.bump();
                    let parenthesised = self.eat(b'(');
                    attrs.align = Some(self.expect_u64()?);
                    if parenthesised {
                        self.expect(b')')?;
                    }
                }
                Token::Word(word) if keywords::is_value_word(word) => return Ok(attrs),
                Token::Word(_) | Token::Str(_) => drop(self.attribute_text()?),
                _ => return Ok(attrs),
            }
        }
    }

    /// Everything before the return type of a function or call: linkage, which
    /// is returned, visibility, calling convention and attributes of the return
    /// value.
    pub(super) fn prefix(&mut self) -> Res<Option<Linkage>> {
        let mut linkage = None;
        loop {
            match self.tok {
                Token::Word("cc") => {
                    self.bump();
                    self.expect_u64()?;
                }
                Token::Word(word) if keywords::is_type_word(word) => return Ok(linkage),
                Token::Word(word) => {
                    linkage = Linkage::of(word).or(linkage);
                    self.attribute_text()?;
                }
                Token::Str(_) => drop(self.attribute_text()?),
                _ => return Ok(linkage),
            }
        }
    }

    /// Attributes behind the arguments of a call.  They end with the line,
    /// because the next instruction begins with a word as well.
    pub(super) fn call_attributes(&mut self) -> Res<AttrSet> {
        let mut set = AttrSet::default();
        while self.same_line() && !self.at_word("to") && self.attribute(&mut set)? {}
        Ok(set)
    }

    /// One attribute of a function or a group of them, if there is one.
    pub(super) fn attribute(&mut self, set: &mut AttrSet) -> Res<bool> {
        match self.tok {
            Token::AttrGroup(number) => {
                set.groups.push(number);
                self.bump();
            }
            Token::Word(_) | Token::Str(_) => set.own.push(self.attribute_text()?.into()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `attributes #n = { ... }`
    pub(super) fn attribute_group(&mut self) -> Res<()> {
        self.bump();
        let Token::AttrGroup(number) = self.tok else {
            return self.expected("the number of an attribute group");
        };
        self.bump();
        self.expect(b'=')?;
        self.expect(b'{')?;
        let mut attrs = Vec::new();
        while !self.at(b'}') {
            match self.tok {
                Token::Word(_) | Token::Str(_) => attrs.push(self.attribute_text()?.to_string()),
                _ => return self.expected("an attribute or '}'"),
            }
        }
        self.bump();
        self.module.attribute_groups.entry(number).or_default().extend(attrs);
        Ok(())
    }
}
