//! Rules for attributes, and the words before and behind functions.
//!
//! Attributes are read tolerantly: any word that cannot begin what comes next
//! is an attribute, with its parenthesised argument if it has one.  So new
//! attributes of later versions do no harm.

use super::{Parser, Res};
use crate::ast::{AttrSet, ParamAttrs, Visibility};
use crate::keywords::{self, Linkage};
use crate::lexer::Token;
use crate::types::TypeId;

/// What the words before the type of a global or function say.
#[derive(Default)]
pub(super) struct Prefix {
    pub linkage: Option<Linkage>,
    pub visibility: Visibility,
    pub call_conv: Option<Box<str>>,
    pub attrs: ParamAttrs,
}

/// Whether a word is a calling convention.
fn is_call_conv(word: &str) -> bool {
    if matches!(word, "cc" | "ccc") || word.ends_with("cc") {
        return true;
    }
    const PREFIXES: [&str; 7] = ["x86_", "arm_", "aarch64_", "amdgpu_", "ptx_", "spir_", "riscv_"];
    PREFIXES.iter().any(|prefix| word.starts_with(prefix))
}

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

    /// One attribute of a parameter, argument or return value.
    fn param_attribute(&mut self, word: &'a str, attrs: &mut ParamAttrs) -> Res<()> {
        let flag = match word {
            "noundef" => &mut attrs.noundef,
            "signext" => &mut attrs.signext,
            "zeroext" => &mut attrs.zeroext,
            "nonnull" => &mut attrs.nonnull,
            "noalias" => &mut attrs.noalias,
            "inreg" => &mut attrs.inreg,
            "byval" => {
                attrs.byval = self.attribute_type()?;
                return Ok(());
            }
            "sret" => {
                attrs.sret = self.attribute_type()?;
                return Ok(());
            }
            "byref" => {
                attrs.byref = self.attribute_type()?;
                return Ok(());
            }
            "inalloca" | "preallocated" => {
                attrs.inalloca = self.attribute_type()?;
                return Ok(());
            }
            "elementtype" => {
                attrs.elementtype = self.attribute_type()?;
                return Ok(());
            }
            "align" => {
                self.bump();
                attrs.align = Some(if self.at(b'(') { self.parenthesised_u64()? } else { self.expect_u64()? });
                return Ok(());
            }
            _ => {
                let text = self.attribute_text()?;
                attrs.other.push(text.into());
                return Ok(());
            }
        };
        *flag = true;
        self.bump();
        Ok(())
    }

    /// The attributes between the type of an argument and its value.
    pub(super) fn param_attributes(&mut self) -> Res<ParamAttrs> {
        let mut attrs = ParamAttrs::default();
        loop {
            match self.tok {
                Token::Word(word) if !keywords::is_value_word(word) => {
                    self.param_attribute(word, &mut attrs)?;
                }
                Token::Str(_) => {
                    let text = self.attribute_text()?;
                    attrs.other.push(text.into());
                }
                _ => return Ok(attrs),
            }
        }
    }

    /// Everything before the return type of a function or call: linkage,
    /// visibility, calling convention and attributes of the return value.
    pub(super) fn prefix(&mut self) -> Res<Prefix> {
        let mut prefix = Prefix::default();
        loop {
            match self.tok {
                Token::Str(_) => {
                    let text = self.attribute_text()?;
                    prefix.attrs.other.push(text.into());
                }
                Token::Word(word) if !keywords::is_type_word(word) => {
                    self.prefix_word(word, &mut prefix)?;
                }
                _ => return Ok(prefix),
            }
        }
    }

    fn prefix_word(&mut self, word: &'a str, prefix: &mut Prefix) -> Res<()> {
        if let Some(linkage) = Linkage::of(word) {
            prefix.linkage = Some(linkage);
            self.bump();
            return Ok(());
        }
        match word {
            "dso_local" | "dso_preemptable" | "default" => self.bump(),
            "hidden" => {
                prefix.visibility = Visibility::Hidden;
                self.bump();
            }
            "protected" => {
                prefix.visibility = Visibility::Protected;
                self.bump();
            }
            "cc" => {
                self.bump();
                let number = self.expect_u64()?;
                prefix.call_conv = Some(format!("cc {number}").into());
            }
            // The default convention, sometimes spelled out.
            "ccc" => self.bump(),
            _ if is_call_conv(word) => {
                let text = self.attribute_text()?;
                prefix.call_conv = Some(text.into());
            }
            _ => self.param_attribute(word, &mut prefix.attrs)?,
        }
        Ok(())
    }

    /// Attributes behind the arguments of a call.  They end with the line,
    /// because the next instruction begins with a word as well.
    pub(super) fn call_attributes(&mut self) -> Res<AttrSet> {
        let mut set = AttrSet::default();
        while self.same_line() {
            match self.tok {
                Token::AttrGroup(number) => {
                    set.groups.push(number);
                    self.bump();
                }
                Token::Word("to") => break,
                Token::Word(_) | Token::Str(_) => {
                    let text = self.attribute_text()?;
                    set.own.push(text.into());
                }
                _ => break,
            }
        }
        Ok(set)
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
