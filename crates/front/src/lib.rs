//! The way in: C through clang's LLVM IR to a program, and the model of the libraries that the program calls.
//!
//! Only this crate knows C and LLVM.

mod aliases;
mod atomics;
mod clang;
mod diagnose;
mod lower;
pub mod model;
mod own_builtins;

use base::{Diagnostic, Pos};
use clang::{Clang, Text};
use ir::{DataModel, Program};
use model::LinkOptions;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// For C; an `.ll` file says itself what it was compiled for.
    pub data_model: DataModel,
    /// Passed on to clang in this order: `-D`, `-I`, `-include`, `-std` and the like.
    pub clang_args: Vec<String>,
    /// The clang to use instead of the best one found.
    pub clang: Option<PathBuf>,
    /// How long clang may take.
    pub limit: Option<Duration>,
    pub link: LinkOptions,
}

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub program: Program,
    /// What the user should know about how it was understood.
    pub notes: Vec<Diagnostic>,
}

/// Reads C, preprocessed C and LLVM text, and links the files into one program.
pub fn load(files: &[PathBuf], options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let deadline = options.limit.map(|limit| Instant::now() + limit);
    let mut modules = modules(files, options, &[], deadline)?;
    if !files.iter().any(|file| is_c(file)) {
        return from_modules(&modules, options);
    }
    let mut options = options.clone();
    let own = own_builtins::flags(&modules);
    if !own.is_empty() {
        options.clang_args.extend(own);
        modules = self::modules(files, &options, &[], deadline)?;
    }
    let names = aliases::names(&modules);
    for (file, module) in files.iter().zip(&mut modules).filter(|(file, _)| is_c(file) && !names.is_empty()) {
        // Where clang refuses that, the file uses such a comparison as a constant, or the name for something of its own.
        if let Ok(again) = self::modules(std::slice::from_ref(file), &options, &names, deadline) {
            for (_, mut again) in again {
                aliases::restore(&mut again, &module.1, &names);
                module.1 = again;
            }
        }
    }
    from_modules(&modules, &options)
}

/// The module of each file, with its name; clang takes some names to be weak.
fn modules(
    files: &[PathBuf],
    options: &Options,
    weak: &[String],
    deadline: Option<Instant>,
) -> Result<Vec<(String, llvm::Module)>, Vec<Diagnostic>> {
    let texts = texts(files, options, weak, deadline)?;
    let module = |(file, text): (&PathBuf, Text)| {
        let name = file.to_string_lossy().into_owned();
        if is_llvm(file) {
            return parse(&text.llvm, &name).map(|module| (name, module));
        }
        // Positions in the text that clang made mean nothing to the user.
        let parsed = llvm::parse(&text.llvm);
        let mut module = parsed.map_err(|error| vec![Diagnostic::error(error.message).at(name.as_str(), 0, 0)])?;
        atomics::mend(&mut module, text.tree.as_deref(), options.data_model);
        Ok((name, module))
    };
    files.iter().zip(texts).map(module).collect()
}

fn parse(text: &str, name: &str) -> Result<llvm::Module, Vec<Diagnostic>> {
    llvm::parse(text).map_err(|error| vec![Diagnostic::error(error.message).at(name, error.line, error.column)])
}

/// Reads LLVM text that is already there.
pub fn read_llvm(text: &str, name: &str, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    from_modules(&[(name.to_string(), parse(text, name)?)], options)
}

/// The LLVM text clang makes of a C file, as [`load`] reads it where the program defines no function that clang knows.
pub fn to_llvm(file: &Path, options: &Options) -> Result<String, Vec<Diagnostic>> {
    let deadline = options.limit.map(|limit| Instant::now() + limit);
    Ok(Clang::find(options, &[], deadline).map_err(|error| vec![error])?.compile(file)?.llvm)
}

fn from_modules(modules: &[(String, llvm::Module)], options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let Loaded { mut program, mut notes } = lower::lower(modules, &options.link)?;
    check_size(&program)?;
    for name in &options.link.error_functions {
        if !modules.iter().any(|(_, module)| module.symbols.values().any(|symbol| symbol.name.as_str() == Some(name))) {
            let message = format!("`{name}`, whose being called is to be an error, does not occur in the program");
            notes.push(Diagnostic::note(message));
        }
    }
    notes.extend(model::link(&mut program, &options.link));
    lower::drop_spurious_failures(&mut program);
    lower::name_allocations(&mut program);
    facts::handles::settle(&mut program);
    Ok(Loaded { program, notes })
}

/// Static objects are part of every state, so there is a limit; the error is at the largest.
fn check_size(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let total = program.objects.values().fold(0_u64, |total, object| total.saturating_add(object.size));
    if total <= ir::validate::MOST_STATIC_BYTES {
        return Ok(());
    }
    let error = Diagnostic::error(format!("static objects of {total} bytes together are not supported"));
    let largest = program.objects.values().max_by_key(|object| object.size).map_or(Pos::NONE, |object| object.pos);
    Err(vec![program.located(error, largest)])
}

/// Is it one of these words?
fn is_one_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

fn is_llvm(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ll")
}

/// The LLVM text of each file; several are compiled at the same time.
fn texts(
    files: &[PathBuf],
    options: &Options,
    weak: &[String],
    deadline: Option<Instant>,
) -> Result<Vec<Text>, Vec<Diagnostic>> {
    for file in files {
        let name = file.to_string_lossy();
        if !is_c(file) && !is_llvm(file) {
            let message = "is not a file that can be read here (.c, .i, .ll)";
            return Err(vec![Diagnostic::error(message).at(name, 0, 0)]);
        }
        std::fs::File::open(file).map_err(|error| unreadable(file, error))?;
    }
    let needs_clang = files.iter().any(|file| is_c(file));
    let clang = needs_clang.then(|| Clang::find(options, weak, deadline)).transpose().map_err(|error| vec![error])?;
    let read = |file: &PathBuf| match &clang {
        Some(clang) if is_c(file) => clang.compile(file),
        _ => read_text(file).map(|llvm| Text { llvm, tree: None }),
    };
    let mut results: Vec<Result<Text, Vec<Diagnostic>>> = files.iter().map(|_| Ok(Text::default())).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let todo = Mutex::new(files.iter().zip(&mut results));
    std::thread::scope(|scope| {
        for _ in 0..workers.min(files.len()) {
            scope.spawn(|| {
                let next = || todo.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((file, result)) = next() {
                    *result = read(file);
                }
            });
        }
    });
    let errors: Vec<Diagnostic> = results.iter().flat_map(|result| result.as_ref().err()).flatten().cloned().collect();
    if errors.is_empty() { Ok(results.into_iter().flatten().collect()) } else { Err(errors) }
}

fn read_text(file: &Path) -> Result<String, Vec<Diagnostic>> {
    let bytes = std::fs::read(file).map_err(|error| unreadable(file, error))?;
    String::from_utf8(bytes).map_err(|_| vec![Diagnostic::error("is not LLVM text").at(file.to_string_lossy(), 0, 0)])
}

fn unreadable(file: &Path, error: std::io::Error) -> Vec<Diagnostic> {
    vec![Diagnostic::error(format!("cannot be read: {error}")).at(file.to_string_lossy(), 0, 0)]
}
