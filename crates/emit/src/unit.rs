//! What all parts of the output share: names, and what turned out to be needed while the threads were printed.

use crate::names;
use crate::types::{Types, clean};
use crate::value::Numbers;
use base::{Diagnostic, Id, Names, Pos};
use ir::{FuncId, Layout, LayoutId, ObjectId, Program};
use passes::ThreadId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

pub struct Unit<'a> {
    pub program: &'a Program,
    pub numbers: Numbers,
    /// The named layouts as C can have them.
    named: Vec<Layout>,
    /// The identifiers that are in use everywhere.
    pub names: RefCell<Names>,
    pub types: RefCell<Types<'a>>,
    /// Helper functions by name.
    pub helpers: RefCell<BTreeMap<String, String>>,
    /// Functions of the verifier and of the C library that are called, as declarations.
    pub externs: RefCell<BTreeSet<String>>,
    objects: Vec<String>,
    functions: Vec<String>,
    /// Static objects in use, with the thread whose copy it is for those that each thread has.
    pub used_objects: RefCell<BTreeSet<(ObjectId, Option<ThreadId>)>>,
    pub used_functions: RefCell<BTreeSet<FuncId>>,
    /// What C cannot say.
    pub errors: RefCell<Vec<Diagnostic>>,
}

impl<'a> Unit<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut names = names::unused();
        let objects = program.objects.values().map(|object| names.fresh(&object.name)).collect();
        let functions = program.functions.values().map(|f| names.fresh(&format!("address_of_{}", f.name))).collect();
        Unit {
            program,
            numbers: Numbers(program.data_model),
            named: program.layouts.values().map(|named| clean(program, &named.layout)).collect(),
            names: RefCell::new(names),
            types: RefCell::new(Types::new(program)),
            helpers: RefCell::default(),
            externs: RefCell::default(),
            objects,
            functions,
            used_objects: RefCell::default(),
            used_functions: RefCell::default(),
            errors: RefCell::default(),
        }
    }

    pub fn named(&self, id: LayoutId) -> &Layout {
        &self.named[id.index()]
    }

    /// The variable that a static object is, for a thread.
    pub fn object(&self, object: ObjectId, thread: Option<ThreadId>) -> String {
        let thread = thread.filter(|_| self.program.objects[object].thread_local);
        self.used_objects.borrow_mut().insert((object, thread));
        self.object_name(object, thread)
    }

    /// The same, without making it one that is used.
    pub fn object_name(&self, object: ObjectId, thread: Option<ThreadId>) -> String {
        let name = &self.objects[object.index()];
        match thread {
            Some(thread) => format!("{name}_of_thread_{}", thread.0),
            None => name.clone(),
        }
    }

    /// The layout of a static object as C has it: bytes where the object is not of the layout's size.
    pub fn object_layout(&self, object: ObjectId) -> Layout {
        let object = &self.program.objects[object];
        self.sized_layout(Some(&object.layout), object.size)
    }

    pub fn sized_layout(&self, layout: Option<&Layout>, size: u64) -> Layout {
        let layout = layout.map(|layout| clean(self.program, layout));
        layout.filter(|layout| layout.size(self.program) == size).unwrap_or(Layout::Bytes(size))
    }

    /// The variable whose address stands for a function's.
    pub fn function(&self, func: FuncId) -> String {
        self.used_functions.borrow_mut().insert(func);
        self.function_name(func)
    }

    /// The same, without making it one that is used.
    pub fn function_name(&self, func: FuncId) -> String {
        self.functions[func.index()].clone()
    }

    pub fn need_type(&self, layout: &Layout) {
        self.types.borrow_mut().need(layout);
    }

    /// Sees to it that there is a helper of this name.
    pub fn helper(&self, name: &str, text: impl FnOnce() -> String) {
        self.helpers.borrow_mut().entry(name.to_string()).or_insert_with(text);
    }

    pub fn declare(&self, declaration: &str) {
        self.externs.borrow_mut().insert(declaration.to_string());
    }

    /// Notes that something cannot be said in C.
    pub fn fail(&self, pos: Pos, message: impl Into<String>) {
        let error = self.program.located(Diagnostic::error(message), pos);
        let mut errors = self.errors.borrow_mut();
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
}
