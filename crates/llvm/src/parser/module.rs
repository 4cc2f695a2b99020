//! Rules for the top level: globals, functions, and everything else.

use super::attributes::Prefix;
use super::function::{FnState, block_index};
use super::{Key, Parser, Res};
use crate::ast::{
    Alias, AttrSet, Function, GlobalId, GlobalVar, MdId, Module, Param, SymbolDef, UnnamedAddr, Visibility,
};
use crate::inst::TypedConst;
use crate::keywords::{self, Linkage};
use crate::lexer::{RawName, Token};
use crate::types::{Type, TypeId};
use rustc_hash::FxHashMap;

/// What stands between the `=` and the type of a global.
#[derive(Default)]
struct GlobalPrefix {
    linkage: Option<Linkage>,
    visibility: Visibility,
    thread_local: bool,
    unnamed_addr: UnnamedAddr,
    addrspace: u32,
    externally_initialized: bool,
}

/// What stands behind the parameters of a function.
#[derive(Default)]
struct FunctionSuffix {
    attrs: AttrSet,
    unnamed_addr: UnnamedAddr,
    section: Option<String>,
    align: Option<u64>,
    dbg: Option<MdId>,
}

impl<'a> Parser<'a> {
    /// The whole module.
    pub fn module(mut self) -> Res<Module> {
        while self.tok != Token::Eof {
            self.entity()?;
        }
        self.check_type_nesting()?;
        self.resolve_block_addresses();
        let keys = self.globals.iter();
        self.module.symbol_index = keys.map(|(key, id)| (key.to_name(), *id)).collect();
        Ok(self.module)
    }

    fn entity(&mut self) -> Res<()> {
        match self.tok {
            Token::Global(raw) => self.global_definition(raw),
            Token::Local(raw) => self.type_definition(raw),
            Token::MetaNumber(number) => self.metadata_definition(number),
            Token::MetaName(name) => self.named_metadata(name),
            Token::Word("define") => self.function(true),
            Token::Word("declare") => self.function(false),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("source_filename") => {
                self.bump();
                self.expect(b'=')?;
                self.module.source_filename = Some(self.expect_string()?);
                Ok(())
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
            Token::Comdat | Token::Summary | Token::Word("uselistorder" | "uselistorder_bb" | "deplibs") => {
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
        match is_layout {
            true => self.module.data_layout = Some(text),
            false => self.module.target_triple = Some(text),
        }
        Ok(())
    }

    /// Records what a global stands for.
    fn define_global(&mut self, raw: RawName<'a>, def: SymbolDef, at: usize) -> Res<GlobalId> {
        let key = Key::new(raw);
        if let Key::Number(number) = key {
            self.next_global = self.next_global.max(number.saturating_add(1));
        }
        let id = self.global_key(key);
        let symbol = &mut self.module.symbols[id.index()];
        if symbol.def != SymbolDef::Undefined {
            return self.error_at(at, format!("redefinition of '@{}'", raw.text));
        }
        symbol.def = def;
        Ok(id)
    }

    /// `@name = ...`
    fn global_definition(&mut self, raw: RawName<'a>) -> Res<()> {
        let (at, line) = (self.start, self.line);
        self.bump();
        self.expect(b'=')?;
        let prefix = self.global_prefix()?;
        match self.tok {
            Token::Word("global") | Token::Word("constant") => self.variable(raw, prefix, at, line),
            Token::Word("alias") | Token::Word("ifunc") => self.alias(raw, prefix, at, line),
            _ => self.expected("'global', 'constant', 'alias' or 'ifunc'"),
        }
    }

    fn global_prefix(&mut self) -> Res<GlobalPrefix> {
        let mut prefix = GlobalPrefix::default();
        while let Token::Word(word) = self.tok {
            if let Some(linkage) = Linkage::of(word) {
                prefix.linkage = Some(linkage);
                self.bump();
                continue;
            }
            match word {
                "global" | "constant" | "alias" | "ifunc" => break,
                "hidden" => prefix.visibility = Visibility::Hidden,
                "protected" => prefix.visibility = Visibility::Protected,
                "unnamed_addr" => prefix.unnamed_addr = UnnamedAddr::Global,
                "local_unnamed_addr" => prefix.unnamed_addr = UnnamedAddr::Local,
                "externally_initialized" => prefix.externally_initialized = true,
                "thread_local" => {
                    prefix.thread_local = true;
                    self.bump();
                    if self.at(b'(') {
                        self.skip_balanced()?;
                    }
                    continue;
                }
                "addrspace" => {
                    self.bump();
                    prefix.addrspace = self.addrspace()?;
                    continue;
                }
                "dso_local" | "dso_preemptable" | "default" | "dllimport" | "dllexport" => {}
                _ => break,
            }
            self.bump();
        }
        Ok(prefix)
    }

    fn variable(&mut self, raw: RawName<'a>, prefix: GlobalPrefix, at: usize, line: u32) -> Res<()> {
        let constant = self.at_word("constant");
        self.bump();
        let ty = self.value_type()?;
        // Only a written linkage makes a declaration.
        let declared = matches!(prefix.linkage, Some(Linkage::External | Linkage::ExternWeak));
        let init = match declared {
            true => None,
            false => Some(TypedConst { ty, value: self.constant(ty)? }),
        };
        let index = self.module.variables.len() as u32;
        let id = self.define_global(raw, SymbolDef::Variable(index), at)?;
        let mut variable = GlobalVar {
            id,
            linkage: prefix.linkage.unwrap_or(Linkage::External),
            visibility: prefix.visibility,
            thread_local: prefix.thread_local,
            unnamed_addr: prefix.unnamed_addr,
            addrspace: prefix.addrspace,
            constant,
            externally_initialized: prefix.externally_initialized,
            ty,
            init,
            section: None,
            align: None,
            dbg: Vec::new(),
            line,
        };
        while self.eat(b',') {
            match self.tok {
                Token::Word("section") => {
                    self.bump();
                    variable.section = Some(self.expect_string()?);
                }
                Token::Word("align") => {
                    self.bump();
                    variable.align = Some(self.expect_u64()?);
                }
                Token::Word("partition" | "code_model") => {
                    self.bump();
                    self.expect_string()?;
                }
                Token::Word(_) => {
                    // `comdat`, `comdat($x)`, `no_sanitize_address` etc.
                    self.attribute_text()?;
                }
                Token::MetaName(name) => {
                    self.bump();
                    let node = self.node()?;
                    if name == "dbg" {
                        variable.dbg.push(node);
                    }
                }
                _ => return self.expected("a property of the variable"),
            }
        }
        self.call_attributes()?;
        self.module.variables.push(variable);
        Ok(())
    }

    fn alias(&mut self, raw: RawName<'a>, prefix: GlobalPrefix, at: usize, line: u32) -> Res<()> {
        let is_ifunc = self.at_word("ifunc");
        self.bump();
        let ty = self.ty()?;
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
                Token::Word("partition") => {
                    self.bump();
                    self.expect_string()?;
                }
                Token::MetaName(_) => {
                    self.bump();
                    self.node()?;
                }
                _ => return self.expected("a property of the alias"),
            }
        }
        let list = match is_ifunc {
            true => &self.module.ifuncs,
            false => &self.module.aliases,
        };
        let index = list.len() as u32;
        let def = match is_ifunc {
            true => SymbolDef::Ifunc(index),
            false => SymbolDef::Alias(index),
        };
        let id = self.define_global(raw, def, at)?;
        let alias = Alias {
            id,
            linkage: prefix.linkage.unwrap_or(Linkage::External),
            visibility: prefix.visibility,
            thread_local: prefix.thread_local,
            ty,
            target,
            line,
        };
        match is_ifunc {
            true => self.module.ifuncs.push(alias),
            false => self.module.aliases.push(alias),
        }
        Ok(())
    }

    /// `define ...` or `declare ...`
    fn function(&mut self, defined: bool) -> Res<()> {
        let line = self.line;
        self.bump();
        let mut suffix = FunctionSuffix::default();
        // A declaration has its metadata in front.
        self.function_metadata(&mut suffix)?;
        let prefix = self.prefix()?;
        let ret_at = self.start;
        let ret = self.ty()?;
        if ret != TypeId::VOID && !self.module.types.is_first_class(ret) {
            return self.error_at(ret_at, "invalid return type of a function");
        }
        let Token::Global(raw) = self.tok else {
            return self.expected("the name of a function");
        };
        let at = self.start;
        self.bump();
        // Locals can occur from here on.
        self.func = Some(FnState::new(ret));
        let (params, varargs) = self.parameters()?;
        self.function_suffix(&mut suffix)?;
        let types = params.iter().map(|param| param.ty).collect();
        let ty = self.intern_function(ret, types, varargs);
        let index = self.module.functions.len() as u32;
        let id = self.define_global(raw, SymbolDef::Function(index), at)?;
        let Prefix { linkage, visibility, call_conv, attrs: ret_attrs } = prefix;
        let mut function = Function {
            id,
            linkage: linkage.unwrap_or(Linkage::External),
            visibility,
            call_conv,
            ret_attrs,
            ty,
            ret,
            params,
            varargs,
            unnamed_addr: suffix.unnamed_addr,
            attrs: suffix.attrs,
            section: suffix.section,
            align: suffix.align,
            dbg: suffix.dbg,
            defined,
            locals: Vec::new(),
            blocks: Vec::new(),
            dbg_records: Vec::new(),
            line,
        };
        if defined {
            self.body(&mut function)?;
        } else if let Some(func) = self.func.take() {
            function.locals = func.into_locals();
        }
        self.module.functions.push(function);
        Ok(())
    }

    fn parameters(&mut self) -> Res<(Vec<Param>, bool)> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.at(b')') {
            if self.tok == Token::Ellipsis {
                self.bump();
                varargs = true;
                break;
            }
            let at = self.start;
            let ty = self.ty()?;
            let invalid = matches!(self.module.types.get(ty), Type::Void | Type::Function { .. } | Type::Label);
            if invalid {
                return self.error_at(at, "invalid type of a parameter");
            }
            let attrs = self.param_attributes()?;
            let at = self.start;
            let name = match self.tok {
                Token::Local(raw) => {
                    self.bump();
                    Some(raw)
                }
                _ => None,
            };
            self.define_local(name, ty, at)?;
            params.push(Param { ty, attrs });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((params, varargs))
    }

    /// `!dbg !7 !prof !8`
    fn function_metadata(&mut self, suffix: &mut FunctionSuffix) -> Res<()> {
        while let Token::MetaName(name) = self.tok {
            self.bump();
            let node = self.node()?;
            if name == "dbg" {
                suffix.dbg = Some(node);
            }
        }
        Ok(())
    }

    fn function_suffix(&mut self, suffix: &mut FunctionSuffix) -> Res<()> {
        while self.same_line() {
            match self.tok {
                Token::AttrGroup(number) => {
                    suffix.attrs.groups.push(number);
                    self.bump();
                }
                Token::MetaName(_) => self.function_metadata(suffix)?,
                Token::Word("unnamed_addr") => {
                    suffix.unnamed_addr = UnnamedAddr::Global;
                    self.bump();
                }
                Token::Word("local_unnamed_addr") => {
                    suffix.unnamed_addr = UnnamedAddr::Local;
                    self.bump();
                }
                Token::Word("section") => {
                    self.bump();
                    suffix.section = Some(self.expect_string()?);
                }
                Token::Word("partition" | "gc") => {
                    self.bump();
                    self.expect_string()?;
                }
                Token::Word("align") => {
                    self.bump();
                    suffix.align = Some(if self.at(b'(') { self.parenthesised_u64()? } else { self.expect_u64()? });
                }
                Token::Word("prefix" | "prologue" | "personality") => {
                    self.bump();
                    self.typed_const()?;
                }
                Token::Word(_) | Token::Str(_) => {
                    let text = self.attribute_text()?;
                    suffix.attrs.own.push(text.into());
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Finds the blocks of all `blockaddress` constants.
    fn resolve_block_addresses(&mut self) {
        let mut addresses = std::mem::take(&mut self.module.block_addresses);
        let mut indexes = FxHashMap::default();
        for address in &mut addresses {
            let Some(function) = self.module.function(address.function) else {
                continue;
            };
            let index = indexes.entry(address.function).or_insert_with(|| block_index(function));
            address.block = index.get(&address.name).copied();
        }
        self.module.block_addresses = addresses;
    }
}
