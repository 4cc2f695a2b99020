//! What the modules of a program share while they are lowered: the program itself, its names, what was noticed.

use super::unit::Target;
use crate::model::{Flavour, Library, LinkOptions, is_error_function};
use base::{Diagnostic, FileId, IdVec};
use ir::{FuncId, LayoutId, ObjectId, Program, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Members of a record by name, bit offset and size.
type Shape = Vec<(String, u64, u64)>;

/// How a function is called, in registers.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    pub params: Vec<Ty>,
    /// How many parameters that is in LLVM.
    pub fixed: usize,
    /// The scalar parts of the result: the first is returned, the others go through [`Shared::result_slot`].
    pub results: Vec<Ty>,
    /// A hidden last parameter points to the arguments beyond the fixed ones.
    pub variadic: bool,
    pub defined: bool,
}

pub struct Shared {
    pub program: Program,
    pub signatures: IdVec<FuncId, Signature>,
    pub notes: Vec<Diagnostic>,
    pub errors: Vec<Diagnostic>,
    pub records: FxHashMap<(String, u64, Shape), LayoutId>,
    /// What the names visible to all modules stand for.
    pub by_name: FxHashMap<String, Target>,
    /// Variables that no module defines.
    pub extern_objects: Vec<ObjectId>,
    /// Functions without a body that have the name of one of the library's, and whose address is taken as that of another.
    pub others: BTreeSet<FuncId>,
    /// Thread-local cells for the parts of a result that one register cannot hold.
    pub result_slots: FxHashMap<(usize, Ty), ObjectId>,
    pub link: LinkOptions,
    /// Which functions the model knows.
    pub model: Library,
    folder: Option<String>,
    pub layout_names: Names,
    pub object_names: Names,
    pub function_names: Names,
}

impl Shared {
    pub fn new(program: Program, link: LinkOptions) -> Self {
        let folder = std::env::current_dir().ok().map(|path| format!("{}/", path.to_string_lossy()));
        Shared {
            program,
            signatures: IdVec::new(),
            notes: Vec::new(),
            errors: Vec::new(),
            records: FxHashMap::default(),
            by_name: FxHashMap::default(),
            extern_objects: Vec::new(),
            others: BTreeSet::new(),
            result_slots: FxHashMap::default(),
            link,
            model: Library::new(Flavour::ALL),
            folder,
            layout_names: Names::default(),
            object_names: Names::default(),
            function_names: Names::default(),
        }
    }

    /// The file of this path, which is shown relative to the current folder if it lies within.
    pub fn file(&mut self, path: &str) -> FileId {
        let inside = self.folder.as_ref().and_then(|folder| path.strip_prefix(folder.as_str()));
        let name = inside.unwrap_or(path);
        let known = self.program.files.iter().find(|(_, file)| *file == name).map(|(id, _)| id);
        known.unwrap_or_else(|| self.program.files.push(name.to_string()))
    }

    /// Is a call of this function a violation?
    pub fn is_error_function(&self, name: &str) -> bool {
        is_error_function(name, &self.link)
    }

    /// The function that a name visible to all modules stands for.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        match self.by_name.get(name) {
            Some(Target::Function(function)) => Some(*function),
            _ => None,
        }
    }

    /// A function of the library, which linking will give its body.
    pub fn library_function(&mut self, name: &str, params: &[Ty], result: Option<Ty>) -> FuncId {
        self.function_named(name).unwrap_or_else(|| {
            let (params, fixed, results) = (params.to_vec(), params.len(), result.into_iter().collect());
            let signature = Signature { params, fixed, results, ..Signature::default() };
            let function = self.new_function(name, signature, base::Pos::NONE);
            self.by_name.insert(name.to_string(), Target::Function(function));
            function
        })
    }

    /// What a function does of which nothing is known but its name.
    pub fn note_extern(&mut self, name: &str, what: &str) {
        let message = format!("`{name}` has no body: {what}");
        let pos = self.function_named(name).map_or(base::Pos::NONE, |function| self.program.functions[function].pos);
        self.note_at(message, pos);
    }

    /// Something the user should know about how his program was read; said once.
    pub fn note(&mut self, message: impl Into<String>) {
        self.note_at(message, base::Pos::NONE);
    }

    fn note_at(&mut self, message: impl Into<String>, pos: base::Pos) {
        let note = self.program.located(Diagnostic::note(message), pos);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Names already given.
#[derive(Default)]
pub struct Names {
    used: FxHashSet<String>,
    /// The last number tried for a name, so that many equal names cost no quadratic search.
    last: FxHashMap<String, u32>,
}

impl Names {
    pub fn of<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        Names { used: names.cloned().collect(), ..Names::default() }
    }

    /// The name itself, or with the first free number: `x_1`.
    pub fn unique(&mut self, wanted: &str) -> String {
        self.unique_with(wanted, '_')
    }

    pub fn is_free(&self, name: &str) -> bool {
        !self.used.contains(name)
    }

    pub fn unique_with(&mut self, wanted: &str, separator: char) -> String {
        if self.used.insert(wanted.to_string()) {
            return wanted.to_string();
        }
        let last = self.last.entry(wanted.to_string()).or_insert(0);
        loop {
            *last += 1;
            let name = format!("{wanted}{separator}{last}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}
