//! Tests of the model's text and of linking.

use super::library::{Flavours, Library, entries};
use super::*;
use ir::{DataModel, Program};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

fn all_flavours() -> Vec<Flavours> {
    let flags = |n: u32| Flavours {
        mutex_kinds: n & 1 != 0,
        key_destructors: n & 2 != 0,
        cleanup_handlers: n & 4 != 0,
        detached: n & 8 != 0,
        realloc: n & 16 != 0,
    };
    (0..32).map(flags).collect()
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
            let library = Library::new(flavours);
            let names: Vec<String> = entries().iter().flat_map(names_of).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Err(error) = library.program(&names, data_model) {
                panic!("{flavours:?} {data_model:?}: {error}");
            }
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
