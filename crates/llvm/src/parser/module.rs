//! Rules for the top level: globals, functions, and everything else.

use super::{Parser, Res};
use crate::ast::{AttrSet, Function, GlobalVar, MdId, Module, ParamAttrs, SymbolDef};
use crate::inst::TypedConst;
use crate::keywords::{self, Linkage};
use crate::lexer::{RawName, Token};
use crate::types::{Type, TypeId};
use base::IdVec;

/// What stands between the `=` and the type of a global.
#[derive(Default)]
struct GlobalPrefix {
    linkage: Option<Linkage>,
    thread_local: bool,
}

impl<'a> Parser<'a> {
    /// The whole module.
    pub fn module(mut self) -> Res<Module> {
        while self.tok != Token::Eof {
            self.entity()?;
        }
        self.check_type_nesting()?;
        self.module.symbol_index = self.module.symbols.iter().map(|(id, symbol)| (symbol.name.clone(), id)).collect();
        Ok(self.module)
    }

    fn entity(&mut self) -> Res<()> {
        match self.tok {
            Token::Global(raw) => self.global_definition(raw),
            Token::Local(raw) => self.type_definition(raw),
            Token::MetaNumber(number) => self.metadata_definition(number),
            Token::MetaName(_) => self.skip_named_metadata(),
            Token::Word("define") => self.function(true),
            Token::Word("declare") => self.function(false),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("source_filename") => {
                self.bump();
                self.expect(b'=')?;
                self.expect_string().map(drop)
            }
            Token::Word("target") => self.target(),
            Token::Word("module") => {
                self.bump();
                self.expect_word("asm")?;
                let line = self.expect_string()?;
                if !self.module.module_asm.is_empty() {
                    self.module.module_asm.push('\n');
                }
                self.module.module_asm.push_str(&line);
                Ok(())
            }
            // Comdats, the module summary and the order of use lists say
            // nothing about what the program does; each is one line.
            Token::Useless | Token::Word("uselistorder" | "uselistorder_bb" | "deplibs") => {
                self.skip_line();
                Ok(())
            }
            _ => self.expected("a definition"),
        }
    }

    fn target(&mut self) -> Res<()> {
        self.bump();
        let is_layout = self.at_word("datalayout");
        if !is_layout && !self.at_word("triple") {
            return self.expected("'datalayout' or 'triple'");
        }
        self.bump();
        self.expect(b'=')?;
        let text = self.expect_string()?;
        if is_layout {
            self.module.data_layout = Some(text);
        }
        Ok(())
    }

    /// Records what a global stands for.
    fn define_global(&mut self, raw: RawName<'a>, linkage: Option<Linkage>, def: SymbolDef, at: usize) -> Res<()> {
        let id = self.global(raw);
        let symbol = &mut self.module.symbols[id];
        if symbol.def != SymbolDef::Undefined {
            return self.error_at(at, format!("redefinition of '@{}'", raw.text));
        }
        symbol.linkage = linkage.unwrap_or(Linkage::External);
        symbol.def = def;
        Ok(())
    }

    /// `@name = ...`
    fn global_definition(&mut self, raw: RawName<'a>) -> Res<()> {
        let at = self.start;
        self.bump();
        self.expect(b'=')?;
        let prefix = self.global_prefix()?;
        match self.tok {
            Token::Word("global") | Token::Word("constant") => self.variable(raw, prefix, at),
            Token::Word("alias") | Token::Word("ifunc") => self.alias(raw, prefix, at),
            _ => self.expected("'global', 'constant', 'alias' or 'ifunc'"),
        }
    }

    fn global_prefix(&mut self) -> Res<GlobalPrefix> {
        let mut prefix = GlobalPrefix::default();
        while let Token::Word(word) = self.tok {
            match word {
                "thread_local" => {
                    prefix.thread_local = true;
                    self.attribute_text()?;
                }
                "addrspace" => {
                    self.bump();
                    self.addrspace()?;
                }
                "dso_local"
                | "dso_preemptable"
                | "default"
                | "hidden"
                | "protected"
                | "dllimport"
                | "dllexport"
                | "unnamed_addr"
                | "local_unnamed_addr"
                | "externally_initialized" => self.bump(),
                _ => match Linkage::of(word) {
                    Some(linkage) => {
                        prefix.linkage = Some(linkage);
                        self.bump();
                    }
                    None => break,
                },
            }
        }
        Ok(prefix)
    }

    fn variable(&mut self, raw: RawName<'a>, prefix: GlobalPrefix, at: usize) -> Res<()> {
        let constant = self.at_word("constant");
        self.bump();
        let ty = self.value_type()?;
        // Only a written linkage makes a declaration.
        let declared = matches!(prefix.linkage, Some(Linkage::External | Linkage::ExternWeak));
        let init = if declared { None } else { Some(TypedConst { ty, value: self.constant(ty)? }) };
        let mut variable =
            GlobalVar { thread_local: prefix.thread_local, constant, ty, init, align: None, section: None, dbg: None };
        while self.eat(b',') {
            match self.tok {
                Token::Word("align") => {
                    self.bump();
                    variable.align = Some(self.expect_u64()?);
                }
                Token::Word("section") => variable.section = Some(self.string_behind()?),
                Token::Word("partition" | "code_model") => drop(self.string_behind()?),
                // `comdat`, `comdat($x)`, `no_sanitize_address` etc.
                Token::Word(_) => drop(self.attribute_text()?),
                Token::MetaName("dbg") => {
                    let (_, node) = self.attachment()?;
                    variable.dbg.get_or_insert(node);
                }
                Token::MetaName(_) => drop(self.attachment()?),
                _ => return self.expected("a property of the variable"),
            }
        }
        self.call_attributes()?;
        self.define_global(raw, prefix.linkage, SymbolDef::Variable(variable), at)
    }

    fn alias(&mut self, raw: RawName<'a>, prefix: GlobalPrefix, at: usize) -> Res<()> {
        let is_ifunc = self.at_word("ifunc");
        self.bump();
        self.ty()?;
        self.expect(b',')?;
        let target = match self.tok {
            // A constant expression may stand without its type.
            Token::Word(word) if keywords::is_value_word(word) => {
                TypedConst { ty: TypeId::PTR, value: self.constant(TypeId::PTR)? }
            }
            _ => self.typed_const()?,
        };
        while self.eat(b',') {
            match self.tok {
                Token::Word("partition") => drop(self.string_behind()?),
                Token::MetaName(_) => drop(self.attachment()?),
                _ => return self.expected("a property of the alias"),
            }
        }
        let def = if is_ifunc { SymbolDef::Ifunc } else { SymbolDef::Alias(target) };
        self.define_global(raw, prefix.linkage, def, at)
    }

    /// `define ...` or `declare ...`
    fn function(&mut self, defined: bool) -> Res<()> {
        self.bump();
        // A declaration has its metadata in front.
        let dbg = self.function_metadata()?;
        let linkage = self.prefix()?;
        let ret_at = self.start;
        let ret = self.ty()?;
        let returns = ret == TypeId::VOID || self.module.types.is_first_class(ret);
        self.check(returns, ret_at, "invalid return type of a function")?;
        let at = self.start;
        let raw = self.expect_global("the name of a function")?;
        // Locals can occur from here on.
        self.func.result = Some(ret);
        let (params, varargs) = self.parameters()?;
        let (params, param_attrs) = params.into_iter().unzip();
        let mut function = Function {
            id: self.global(raw),
            ret,
            params,
            param_attrs,
            varargs,
            attrs: AttrSet::default(),
            section: None,
            dbg,
            defined,
            locals: IdVec::new(),
            blocks: IdVec::new(),
            declarations: Vec::new(),
        };
        self.function_suffix(&mut function)?;
        let index = self.module.functions.len();
        self.define_global(raw, linkage, SymbolDef::Function(index), at)?;
        if defined {
            self.body(&mut function)?;
        } else {
            function.locals = std::mem::take(&mut self.func).locals;
        }
        self.module.functions.push(function);
        Ok(())
    }

    fn parameters(&mut self) -> Res<(Vec<(TypeId, ParamAttrs)>, bool)> {
        self.parameter_list(|parser| {
            let at = parser.start;
            let ty = parser.ty()?;
            let invalid = matches!(parser.module.types.get(ty), Type::Void | Type::Function { .. } | Type::Label);
            parser.check(!invalid, at, "invalid type of a parameter")?;
            let attrs = parser.param_attributes()?;
            let at = parser.start;
            let is_named = matches!(parser.tok, Token::Local(_));
            let name = if is_named { Some(parser.expect_local("a name")?) } else { None };
            parser.define_local(name, ty, at)?;
            Ok((ty, attrs))
        })
    }

    /// `!dbg !7 !prof !8`: the node of `!dbg`.
    fn function_metadata(&mut self) -> Res<Option<MdId>> {
        let mut dbg = None;
        while let Token::MetaName(_) = self.tok {
            let (name, node) = self.attachment()?;
            if name == "dbg" {
                dbg = Some(node);
            }
        }
        Ok(dbg)
    }

    fn function_suffix(&mut self, function: &mut Function) -> Res<()> {
        while self.same_line() {
            match self.tok {
                Token::MetaName(_) => function.dbg = self.function_metadata()?.or(function.dbg),
                Token::Word("section") => function.section = Some(self.string_behind()?),
                Token::Word("partition" | "gc") => drop(self.string_behind()?),
                Token::Word("prefix" | "prologue" | "personality") => {
                    self.bump();
                    self.typed_const()?;
                }
                _ => {
                    if !self.attribute(&mut function.attrs)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
