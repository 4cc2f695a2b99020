//! One module among those that are linked: what its global names stand for.

use super::consts::{Part, Unsupported};
use super::debug::Debug;
use super::regions::Copied;
use super::shared::{Shared, Signature};
use super::types::TypeTable;
use super::{ASSERT_FAIL, is_atomic};
use crate::model::{Kind, LIST, REPLACEABLE, Use};
use base::{IdVec, Pos};
use ir::{Expr, FuncId, Function, Layout, Object, ObjectId, RegData, Ty};
use llvm::{GlobalId, Linkage, MdId, Op, ParamAttrs, Place, SymbolDef, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Aliases of aliases are followed this far.
const MAX_ALIASES: u32 = 32;

/// What a global name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    Object(ObjectId, i64),
    Function(FuncId),
    /// An address that is just a number.
    Value(u128),
}

pub struct Unit<'m> {
    /// The file as the user named it.
    pub name: &'m str,
    pub module: &'m llvm::Module,
    pub types: TypeTable<'m>,
    pub debug: Debug<'m>,
    /// What may be copied, by the members that clang tells and the size.
    pub copied: FxHashMap<(MdId, u128), Rc<[Copied]>>,
    pub symbols: IdVec<GlobalId, Option<Target>>,
    /// Definitions that gave way to those of other modules, with what they are for what is bound within this one.
    pub replaced: FxHashMap<GlobalId, Option<Target>>,
    /// The argument types of calls to functions declared without parameters, as old C did.
    unprototyped: FxHashMap<GlobalId, Vec<TypeId>>,
}

pub fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Private | Linkage::Internal)
}

impl<'m> Unit<'m> {
    pub fn new(name: &'m str, module: &'m llvm::Module, types: TypeTable<'m>) -> Self {
        Unit {
            name,
            module,
            types,
            debug: Debug::new(module),
            copied: FxHashMap::default(),
            symbols: IdVec::filled(None, module.symbols.len()),
            replaced: FxHashMap::default(),
            unprototyped: unprototyped(module),
        }
    }

    pub fn symbol_name(&self, id: GlobalId) -> String {
        self.module.symbols[id].name.to_string()
    }

    /// Do all calls in this module take this definition, whatever other modules have?
    pub fn is_inlined(&self, id: GlobalId) -> bool {
        let copied = self.module.symbols[id].linkage == Linkage::AvailableExternally;
        copied && self.module.function(id).is_some_and(|f| self.module.has_attr(&f.attrs, "alwaysinline"))
    }

    /// Does something in this module mean this definition, whatever other modules have?
    pub fn is_bound_within(&self, id: GlobalId) -> bool {
        let stands_for = |alias: &llvm::TypedConst| matches!(alias.value, llvm::Const::Global(other) if other == id);
        let mut aliases = self.module.symbols.ids().filter_map(|id| self.module.alias(id));
        let aliased = self.module.alias(id).is_none() && aliases.any(stands_for);
        aliased || self.is_inlined(id)
    }

    /// The function that a call of `id` is known as: what an alias stands for, unless the alias's name means something of its
    /// own, or is another module's.
    pub fn callee(&self, shared: &Shared, id: GlobalId) -> GlobalId {
        let is_only_a_name = |id| !self.replaced.contains_key(&id) && !self.is_function_apart(shared, id);
        self.module.follow_aliases(id, is_only_a_name)
    }

    /// Is it an alias of a function whose name says more than the function that it stands for does?  A call by that name is a
    /// violation or atomic, or the library knows it: so it is a function of its own that calls the other.
    pub fn is_function_apart(&self, shared: &Shared, alias: GlobalId) -> bool {
        let name = self.symbol_name(alias);
        let counts = shared.is_error_function(&name) || name == ASSERT_FAIL || is_atomic(&name);
        let is_function = || self.module.function(self.module.resolve_alias(alias)).is_some();
        (counts || REPLACEABLE.contains(&name.as_str())) && self.module.alias(alias).is_some() && is_function()
    }

    /// What a call of `id` calls.
    pub fn called(&mut self, shared: &mut Shared, id: GlobalId) -> Result<Target, Unsupported> {
        match self.replaced.get(&id) {
            Some(Some(own)) if self.is_inlined(id) => return Ok(*own),
            _ => (),
        }
        let name = self.symbol_name(id);
        if !self.is_perhaps_absent(shared, id, &name) {
            return self.target(shared, id);
        }
        let known = shared.function_named(&name);
        Ok(Target::Function(known.unwrap_or_else(|| self.extern_function(shared, id, &name))))
    }

    /// What the name stands for.  Functions and variables that no module defines get a place holder here.
    pub fn target(&mut self, shared: &mut Shared, id: GlobalId) -> Result<Target, Unsupported> {
        self.target_within(shared, id, MAX_ALIASES)
    }

    fn target_within(&mut self, shared: &mut Shared, id: GlobalId, depth: u32) -> Result<Target, Unsupported> {
        if let Some(known) = self.symbols[id] {
            return Ok(known);
        }
        let name = self.symbol_name(id);
        if self.is_perhaps_absent(shared, id, &name) {
            return Err(format!("the address of `{name}`, which is weak and defined elsewhere or nowhere"));
        }
        let local = self.module.alias(id).is_some() && is_local(self.module.symbols[id].linkage);
        let target = match shared.by_name.get(&name).filter(|_| !local) {
            Some(known) => *known,
            None => match &self.module.symbols[id].def {
                SymbolDef::Alias(_) if depth > 0 => self.alias_within(shared, id, depth)?,
                SymbolDef::Function(_) => Target::Function(self.extern_function(shared, id, &name)),
                SymbolDef::Variable(_) if is_linkers(&name) => {
                    return Err(format!("the address of `{name}`, which the linker defines"));
                }
                SymbolDef::Variable(variable) => {
                    let object = self.object(shared, id, variable);
                    shared.extern_objects.push(object);
                    shared.by_name.insert(name, Target::Object(object, 0));
                    Target::Object(object, 0)
                }
                SymbolDef::Ifunc => return Err(format!("the indirect function `{name}`")),
                _ => return Err(format!("the undeclared symbol `{name}`")),
            },
        };
        self.symbols[id] = Some(target);
        Ok(target)
    }

    /// What an alias stands for: the definition in its own module, also where that of another holds for everyone else.
    pub fn alias(&mut self, shared: &mut Shared, id: GlobalId) -> Result<Target, Unsupported> {
        self.alias_within(shared, id, MAX_ALIASES)
    }

    fn alias_within(&mut self, shared: &mut Shared, id: GlobalId, depth: u32) -> Result<Target, Unsupported> {
        let alias = self.module.alias(id).ok_or("an alias")?;
        match &alias.value {
            llvm::Const::Global(other) => match self.replaced.get(other) {
                Some(Some(own)) => Ok(*own),
                Some(None) if depth > 1 && self.module.alias(*other).is_some() => {
                    self.alias_within(shared, *other, depth - 1)
                }
                _ => self.target_within(shared, *other, depth - 1),
            },
            _ if !self.replaced.is_empty() => {
                Err("an alias that is computed, in a file of which others replace definitions".to_string())
            }
            other => {
                // An alias that is computed from itself finds this instead of an endless way down.
                self.symbols[id] = Some(Target::Value(0));
                let target = self.const_scalar(shared, alias.ty, other);
                self.symbols[id] = None;
                match target? {
                    Part::Expr(Expr::Object(object, offset)) => Ok(Target::Object(object, offset)),
                    Part::Expr(Expr::Func(function)) => Ok(Target::Function(function)),
                    _ => Err("an alias of something that is no address".to_string()),
                }
            }
        }
    }

    /// How a function of the module is called.
    pub fn signature(&self, id: GlobalId) -> Result<Signature, Unsupported> {
        let function = self.module.function(id).ok_or("a function")?;
        let old = self.unprototyped.get(&id).filter(|_| !function.defined);
        let declared = old.unwrap_or(&function.params);
        let mut params = Vec::new();
        for ty in declared {
            params.extend(self.leaf_types(*ty)?);
        }
        Ok(Signature {
            params,
            fixed: declared.len(),
            results: self.leaf_types(function.ret)?,
            variadic: function.varargs && old.is_none(),
            defined: function.defined,
        })
    }

    /// Is the function declared as `int f();`?
    pub fn is_old_declaration(&self, id: GlobalId) -> bool {
        self.module.function(id).is_some_and(|function| function.varargs && function.params.is_empty())
    }

    /// Can the function that is declared here be the model's of that name?  Its address may be called with whatever the
    /// declaration allows.
    pub fn can_declare_the_librarys(&self, shared: &Shared, id: GlobalId) -> bool {
        let name = self.symbol_name(id);
        let (Some(function), Some(prototype)) = (self.module.function(id), shared.model.prototype(&name)) else {
            return true;
        };
        if shared.is_error_function(&name) {
            return true;
        }
        let mut given = Vec::new();
        for (ty, attrs) in function.params.iter().zip(&function.param_attrs) {
            let Ok(kinds) = self.kinds(*ty, attrs) else { return false };
            given.extend(kinds.into_iter().map(Some));
        }
        let Ok(results) = self.leaf_types(function.ret) else { return false };
        let used = Use { given, result: Kind::of_parts(&results), old: false };
        (!function.varargs || prototype.is_variadic()) && prototype.fits(&used)
    }

    /// The kinds of what is passed for a parameter or argument.
    pub fn kinds(&self, ty: TypeId, attrs: &ParamAttrs) -> Result<Vec<Kind>, Unsupported> {
        if attrs.byval.is_some() || attrs.sret.is_some() {
            return Ok(vec![Kind::Record]);
        }
        Ok(self.leaf_types(ty)?.into_iter().map(Kind::of).collect())
    }

    pub fn leaf_types(&self, ty: TypeId) -> Result<Vec<Ty>, Unsupported> {
        let leaves = self.types.leaves(ty).ok_or_else(|| self.no_type(ty))?;
        Ok(leaves.into_iter().map(|leaf| leaf.ty).collect())
    }

    /// Is it a weak symbol that neither a module nor the model defines?  A library that is not modelled may have it.
    fn is_perhaps_absent(&self, shared: &Shared, id: GlobalId, name: &str) -> bool {
        let known = || match shared.by_name.get(name) {
            Some(Target::Function(function)) => shared.signatures[*function].defined,
            Some(Target::Object(object, _)) => !shared.extern_objects.contains(object),
            Some(Target::Value(_)) | None => false,
        };
        self.module.symbols[id].linkage == Linkage::ExternWeak && !shared.model.has_function(name) && !known()
    }

    /// Where a function or variable is declared.
    pub fn declared_at(&self, shared: &mut Shared, id: GlobalId) -> Pos {
        let function = || self.module.place_of_function(self.module.function(id)?);
        let variable = || self.module.global_variable(self.module.variable(id)?.dbg?)?.place;
        match function().or_else(variable) {
            Some(Place { file, line }) if line != 0 => Pos::new(shared.file(&file), line, 0),
            _ => Pos::NONE,
        }
    }

    fn extern_function(&mut self, shared: &mut Shared, id: GlobalId, name: &str) -> FuncId {
        // A signature with types that registers cannot hold matters only where such a function is called.
        let signature = self.signature(id).unwrap_or_default();
        let pos = self.declared_at(shared, id);
        let function = shared.new_function(name, signature, pos);
        shared.by_name.insert(name.to_string(), Target::Function(function));
        function
    }

    /// The layout of an LLVM type, with the user's names if it is one of his records.
    pub fn layout_of_type(&mut self, shared: &mut Shared, ty: TypeId) -> Layout {
        self.layout_within(shared, ty, 12)
    }

    fn layout_within(&mut self, shared: &mut Shared, ty: TypeId, depth: u32) -> Layout {
        let size = self.types.size(ty);
        match self.types.types.get(ty) {
            llvm::Type::Named(id) => {
                let name = &self.types.types.named(*id).name;
                if let Some(layout) = self.debug.tagged(shared, name, size) {
                    return layout;
                }
            }
            llvm::Type::Array { len, elem } if depth > 0 => {
                let element = Box::new(self.layout_within(shared, *elem, depth - 1));
                return Layout::Array { element, count: *len };
            }
            _ => (),
        }
        self.types.plain_layout(ty)
    }

    /// Adds the variable as an object, not yet initialised.
    pub fn object(&mut self, shared: &mut Shared, id: GlobalId, variable: &llvm::GlobalVar) -> ObjectId {
        let (linkage, name) = (self.module.symbols[id].linkage, self.symbol_name(id));
        let size = self.types.size(variable.ty);
        let described = variable.dbg.and_then(|id| self.module.global_variable(id));
        let debug_layout = described.as_ref().and_then(|variable| self.debug.layout(shared, variable.ty));
        // The type of a variable with a flexible array at its end is longer in LLVM than in the debug information.
        let layout = match debug_layout {
            Some(layout) if layout.size(&shared.program) <= size => layout,
            _ => self.layout_of_type(shared, variable.ty),
        };
        let pos = self.declared_at(shared, id);
        let source_name = described.map(|variable| variable.name).filter(|name| !name.is_empty());
        let wanted = match source_name.filter(|source| shared.object_names.is_free(source)) {
            _ if !is_local(linkage) => name,
            // A static variable of a function is `f.x` in LLVM; the user calls it `x`.
            Some(source) => source.to_string(),
            None => plain(&name),
        };
        shared.program.objects.push(Object {
            name: shared.object_names.unique(&wanted),
            layout,
            size,
            align: super::types::sane_align(variable.align.unwrap_or_else(|| self.types.align(variable.ty))),
            thread_local: variable.thread_local,
            constant: variable.constant,
            internal: linkage == Linkage::Private,
            init: Vec::new(),
            pos,
        })
    }
}

/// Is it a name for a place between sections that the linker defines where nobody else does?  What lies there is not an object
/// of its own.
fn is_linkers(name: &str) -> bool {
    const NAMES: &str = "\
        etext _etext __etext edata _edata end _end __bss_start data_start __data_start __executable_start __ehdr_start \
        __preinit_array_start __preinit_array_end __init_array_start __init_array_end __fini_array_start \
        __fini_array_end __dso_handle __TMC_END__ _DYNAMIC _GLOBAL_OFFSET_TABLE_";
    let of_section = name.starts_with("__start_") || name.starts_with("__stop_");
    of_section || crate::is_one_of(NAMES, name)
}

/// LLVM's `.str.1` and `main.buf` as names that read well: `str_1`, `main_buf`.
fn plain(name: &str) -> String {
    let text = name.trim_start_matches('.').replace('.', "_");
    if text.is_empty() { "data".to_string() } else { text }
}

/// Functions declared as `int f();` with the arguments of the first call of each.
fn unprototyped(module: &llvm::Module) -> FxHashMap<GlobalId, Vec<TypeId>> {
    let mut found = FxHashMap::default();
    let old_style = |id: GlobalId| module.function(id).is_some_and(|f| !f.defined && f.varargs && f.params.is_empty());
    if !module.functions.iter().any(|function| old_style(function.id)) {
        return found;
    }
    for inst in module.functions.iter().flat_map(llvm::Function::insts) {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &inst.op else { continue };
        let Some(id) = call.callee.global().filter(|id| old_style(*id)) else { continue };
        let types = || call.args.iter().map(|arg| arg.value.ty).collect();
        found.entry(id).or_insert_with(types);
    }
    found
}

impl Shared {
    /// Adds a function without blocks.
    pub fn new_function(&mut self, name: &str, signature: Signature, pos: Pos) -> FuncId {
        let mut given = self.function_names.unique(name);
        // What nobody defines is known by its name, so one that is visible in its own module only gives it up.
        if !signature.defined
            && given != name
            && let Some(local) = self.program.function_named(name)
        {
            self.program.functions[local].name = std::mem::replace(&mut given, name.to_string());
        }
        let name = given;
        let mut regs = IdVec::new();
        // What the model knows looks at its fixed arguments only.
        let hidden = signature.variadic && (signature.defined || !self.model.has_function(&name));
        let named = signature.params.iter().enumerate().map(|(i, ty)| (format!("a{i}"), *ty));
        let params = named
            .chain(hidden.then(|| (LIST.to_string(), Ty::Ptr)))
            .map(|(name, ty)| regs.push(RegData { name, ty, layout: None, user: false }))
            .collect();
        let function = Function {
            name,
            params,
            result: signature.results.first().copied(),
            regs,
            blocks: IdVec::new(),
            model: false,
            pos,
        };
        self.signatures.push(signature);
        self.program.functions.push(function)
    }

    /// Adds a function of which nothing is known but that calling it means UNKNOWN.
    pub fn unsupported_function(&mut self, name: &str, what: String, pos: Pos) -> FuncId {
        let id = self.new_function(name, Signature { defined: true, ..Signature::default() }, pos);
        self.program.functions[id] = super::unsupported_body(self.program.functions[id].clone(), what);
        id
    }

    /// The thread's own cell for part `index` (from 1) of a result that one register cannot hold.
    pub fn result_slot(&mut self, index: usize, ty: Ty) -> ObjectId {
        if let Some(known) = self.result_slots.get(&(index, ty)) {
            return *known;
        }
        let size = self.program.size_of(ty);
        let layout = if ty == Ty::Ptr { Layout::Pointer(None) } else { Layout::Scalar { ty, unsigned: false } };
        let align = size.next_power_of_two();
        let slot = self.internal_object(&format!("result_{index}_{ty}"), size, align, layout);
        self.program.objects[slot].thread_local = true;
        self.result_slots.insert((index, ty), slot);
        slot
    }

    /// Adds an object that is not the user's.
    pub fn internal_object(&mut self, name: &str, size: u64, align: u64, layout: Layout) -> ObjectId {
        self.program.objects.push(Object {
            name: self.object_names.unique(name),
            layout,
            size,
            align,
            thread_local: false,
            constant: false,
            internal: true,
            init: Vec::new(),
            pos: Pos::NONE,
        })
    }
}
