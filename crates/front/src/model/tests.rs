//! Tests of the model's text and of linking.

use super::library::{Flavour, Library, entries, files};
use super::link::link_flavoured;
use super::*;
use base::{IdVec, Pos};
use ir::{Block, Callee, DataModel, Expr, Function, Input, Inst, InstKind, Program, Reg, RegData, Term, Ty};

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

#[test]
fn every_piece_parses_in_both_data_models() {
    for data_model in MODELS {
        for flavours in all_flavours() {
            let library = Library::new(&flavours);
            let names: Vec<String> = entries().iter().flat_map(names_of).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Err(error) = library.program(&names, data_model) {
                panic!("{flavours:?} {data_model:?}: {error}");
            }
        }
    }
}

fn reg(function: &mut Function, ty: Ty) -> Reg {
    let name = format!("r{}", function.regs.len());
    function.regs.push(RegData { name, ty, layout: None, user: true })
}

/// A program whose main calls any one function of the model with any arguments.
fn caller_of_all(flavours: &[Flavour], data_model: DataModel) -> Program {
    let names: Vec<String> = entries().iter().filter(|entry| entry.function).flat_map(names_of).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let model = Library::new(flavours).program(&names, data_model).unwrap_or_else(|error| panic!("{error}"));
    let mut program = Program::new(data_model);
    let mut main = Function {
        name: "main".into(),
        params: Vec::new(),
        result: None,
        regs: IdVec::new(),
        blocks: IdVec::new(),
        model: false,
        pos: Pos::NONE,
    };
    let which = reg(&mut main, Ty::Int(32));
    let end = Term::Return(None);
    let havoc = |dst| Inst { kind: InstKind::Havoc { dst, input: Input::Nondet(String::new()) }, pos: Pos::NONE };
    main.blocks.push(Block {
        name: "choose".into(),
        insts: vec![havoc(which)],
        term: end.clone(),
        term_pos: Pos::NONE,
    });
    let mut cases = Vec::new();
    for function in model.functions.values() {
        let args: Vec<Reg> = function.params.iter().map(|param| reg(&mut main, function.ty(*param))).collect();
        let mut insts: Vec<Inst> = args.iter().map(|arg| havoc(*arg)).collect();
        let args = args.into_iter().map(Expr::Reg).collect();
        let dst = function.result.map(|ty| reg(&mut main, ty));
        let id = program.functions.push(Function { blocks: IdVec::new(), ..function.clone() });
        insts.push(Inst { kind: InstKind::Call { dst, callee: Callee::Direct(id), args }, pos: Pos::NONE });
        let name = format!("call_{}", function.name);
        let block = main.blocks.push(Block { name, insts, term: end.clone(), term_pos: Pos::NONE });
        cases.push((u128::from(block.0), block));
    }
    let default = Function::ENTRY;
    main.blocks[Function::ENTRY].term = Term::Switch { value: Expr::Reg(which), cases, default };
    program.entry = program.functions.push(main);
    program
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

fn linked(text: &str) -> Program {
    let mut program = ir::text::parse(text, "test").unwrap_or_else(|error| panic!("{error}"));
    link(&mut program, &LinkOptions::default());
    program
}

fn check(text: &str, expected: &str) {
    let found = ir::text::print_without_positions(&linked(text));
    assert_eq!(found.trim(), expected.trim(), "\n{found}");
}

#[test]
fn a_lock_is_one_instruction_on_the_users_mutex() {
    check(
        "
global @m: i32
func pthread_mutex_lock(%m: ptr) -> i32 {
}
func pthread_mutex_unlock(%m: ptr) -> i32 {
}
func main() -> i32 {
b0:
  %0 = call pthread_mutex_lock(@m)
  %1 = call pthread_mutex_unlock(@m)
  return 0
}
",
        "
target 64
global @m: i32
entry main

func main() -> i32 {
b0:
  lock i32 @m set self
  unlock i32 @m
  return 0
}
",
    );
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

Functions named `__VERIFIER_nondet_*` or `nondet_*` give any value of the type they are declared with.
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
