//! Tests of the model's text and of linking.

use super::library::{Flavour, Library, entries, files};
use super::link::link_flavoured;
use super::*;
use ir::{DataModel, Program};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// All sets of at most two, and all at once.
fn all_flavours() -> Vec<Vec<Flavour>> {
    let mut sets = vec![Vec::new(), Flavour::ALL.to_vec()];
    for (i, one) in Flavour::ALL.iter().enumerate() {
        sets.push(vec![*one]);
        sets.extend(Flavour::ALL[..i].iter().map(|other| vec![*other, *one]));
    }
    sets
}

/// What programs call a piece by.
fn names_of(entry: &Entry) -> Vec<String> {
    let name = entry.name;
    if entry.is_sized() {
        [1, 2, 4, 8, 16].iter().map(|size| format!("{name}{size}")).collect()
    } else {
        vec![name.to_string()]
    }
}

fn all_functions(library: &Library, data_model: DataModel) -> Program {
    let entries = entries();
    let names = entries.iter().filter(|entry| entry.function).flat_map(names_of);
    library.program(names, data_model).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_piece_parses_in_both_data_models() {
    for data_model in MODELS {
        for flavours in all_flavours() {
            let library = Library::new(&flavours);
            if let Err(error) = library.program(entries().iter().flat_map(names_of), data_model) {
                panic!("{flavours:?} {data_model:?}: {error}");
            }
        }
    }
}

#[test]
fn every_function_fits_its_own_prototype_only() {
    let library = Library::new(Flavour::ALL);
    let model = all_functions(&library, DataModel::Lp64);
    for function in model.functions.values() {
        let Some(prototype) = library.prototype(&function.name) else { panic!("no prototype of {}", function.name) };
        let given = function.params.iter().map(|param| Some(Kind::of(function.ty(*param)))).collect();
        let mut used = Use { given, result: function.result.map(Kind::of), old: false };
        assert!(prototype.fits(&used), "{}", function.name);
        used.given.push(Some(Kind::Pointer));
        assert_eq!(prototype.fits(&used), prototype.is_variadic(), "{}", function.name);
        used.given.pop();
        let last = used.given.pop().and_then(|_| function.params.last()).map(|param| &function.regs[*param].name);
        assert!(last.is_none_or(|last| last == "message") || !prototype.fits(&used), "{}", function.name);
    }
}

/// A program whose main calls any one function of the model with any arguments.
fn caller_of_all(flavours: &[Flavour], data_model: DataModel) -> Program {
    let model = all_functions(&Library::new(flavours), data_model);
    let (mut heads, mut temps, mut cases, mut calls) = (String::new(), String::new(), String::new(), String::new());
    for (id, function) in model.functions.iter() {
        let (n, name) = (id.0, &function.name);
        let types = || function.params.iter().map(|param| function.ty(*param)).enumerate();
        let list = |parts: Vec<String>| parts.join(", ");
        let params = list(types().map(|(i, ty)| format!("%p{i}: {ty}")).collect());
        let args = list(types().map(|(i, _)| format!("%a{n}.{i}")).collect());
        let (result, dst) = match function.result {
            Some(ty) => (format!(" -> {ty}"), format!("%r{n} = ")),
            None => (String::new(), String::new()),
        };
        heads += &format!("func {name}({params}){result} {{\n}}\n");
        temps.extend(types().map(|(i, ty)| format!(", %a{n}.{i}: {ty}")));
        cases += &format!(" {n}: call{n},");
        calls += &format!("call{n}:\n");
        calls.extend(types().map(|(i, _)| format!("  %a{n}.{i} = havoc nondet \"\"\n")));
        calls += &format!("  {dst}call {name}({args})\n  return\n");
    }
    let bits = data_model.pointer_bits();
    let choice =
        format!("  temp %w: i32{temps}\nchoose:\n  %w = havoc nondet \"\"\n  switch %w,{cases} default choose\n");
    let text = format!("target {bits}\n{heads}func main() {{\n{choice}{calls}}}\n");
    ir::text::parse(&text, "calls").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_function_links_to_a_valid_program() {
    for data_model in MODELS {
        for flavours in all_flavours() {
            let mut program = caller_of_all(&flavours, data_model);
            let mut notes = link_flavoured(&mut program, &LinkOptions::default(), &flavours);
            notes.retain(|note| !note.message.contains("taken as the assertion"));
            assert_eq!(notes, []);
            let wrong: Vec<String> =
                ir::validate::validate(&program).iter().map(|invalid| invalid.describe(&program)).collect();
            assert!(wrong.is_empty(), "{flavours:?} {data_model:?}:\n{}", wrong.join("\n"));
        }
    }
}

#[test]
fn every_piece_says_what_it_does() {
    for entry in entries() {
        assert!(entry.comment.starts_with("; "), "{}: {} has no comment", entry.file, entry.name);
    }
}

/// The text of `docs/model.md`: each file's prose and a line for each function.
fn documentation() -> String {
    let mut out = String::from(DOCUMENTATION_HEAD);
    for (file, prose, which) in files() {
        out.push_str(&format!("\n## {}\n\n{prose}\n", file.trim_end_matches(".ir").replace('_', " ")));
        if let Some(which) = which {
            out.push_str(&format!("\nTakes precedence in {which}.\n"));
        }
        out.push_str("\n| function | what it does |\n| --- | --- |\n");
        for entry in entries().iter().filter(|entry| entry.file == file && entry.function) {
            let name = if entry.is_sized() { format!("{}N", entry.name) } else { entry.name.to_string() };
            let lines = entry.comment.lines().map(|line| line.trim_start_matches(';').trim());
            let comment = lines.collect::<Vec<_>>().join(" ").replace('|', "\\|");
            out.push_str(&format!("| `{name}` | {comment} |\n"));
        }
    }
    out
}

const DOCUMENTATION_HEAD: &str = "\
# The model of the C library

What the functions do that a program calls and does not define.
This page is written by a test (`BLESS=1 cargo test -p front model`) from the files in `crates/front/src/model/lib`, which are the
model itself, as text in our representation (`docs/ir.md`); a test fails where the two differ.

Linking puts these functions into the places where the program calls them, so a lock is one instruction on the user's mutex.
A function that is neither here nor defined by the program returns any value, with a note, where it gets no pointer to the program's
memory; where it does, it could write through it, and the answer is UNKNOWN if the call is reached. `--extern` says what else is meant
(`docs/semantics.md`).
Some functions have a second version for programs that use more of the library; those stand under the heading that says so.
Helpers of the model, which no program can name, begin with `model.`.

Functions named `__VERIFIER_nondet_*` or `nondet_*` give any value of the type they are declared with; one that gets a pointer
is judged like any function without a body.
";

#[test]
fn the_documentation_is_that_of_the_files() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.md");
    let expected = documentation();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/model.md is not up to date: BLESS=1 cargo test -p front model");
}
