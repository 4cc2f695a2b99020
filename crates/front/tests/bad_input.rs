//! Input that cannot be read gives a message with a place, never a panic or a hang.

mod common;

use common::*;
use front::Options;

fn errors(name: &str, text: &str) -> Vec<String> {
    load_with(&[(name, text)], &Options::default()).map(|_| ()).expect_err("this must be refused")
}

#[test]
fn syntax_errors_are_clangs() {
    assert_eq!(
        errors("a.c", "int main(void) {\n  return 0\n}"),
        ["a.c:2:11: error: expected ';' after return statement"]
    );
}

#[test]
fn errors_in_preprocessed_files_are_at_their_own_lines() {
    let found = errors("a.i", "# 77 \"x.c\"\nint main(void) { return y; }\n");
    assert_eq!(found, ["a.i:2:25: error: use of undeclared identifier 'y'"]);
}

#[test]
fn missing_includes() {
    assert_eq!(
        errors("a.c", "#include \"nowhere.h\"\nint main(void) {}"),
        ["a.c:1:10: error: 'nowhere.h' file not found"]
    );
}

#[test]
fn missing_files_and_unknown_kinds() {
    let folder = Folder::new();
    let found = front::load(&[folder.path("none.c")], &Options::default()).map(|_| ()).expect_err("no such file");
    assert!(found[0].to_string().contains("none.c: error: cannot be read"), "{}", found[0]);
    let found = front::load(&[folder.file("a.txt", "")], &Options::default()).map(|_| ()).expect_err("a text");
    assert!(found[0].to_string().contains("is not a file that can be read here"), "{}", found[0]);
    assert!(front::load(&[], &Options::default()).is_err());
}

#[test]
fn no_main() {
    assert_eq!(errors("a.c", "int f(void) { return 1; }"), ["a.c: error: there is no function `main`"]);
    assert_eq!(errors("a.c", "int main(void);"), ["a.c: error: there is no function `main`"]);
    assert_eq!(errors("a.c", "int main;"), ["a.c: error: there is no function `main`"]);
    assert_eq!(errors("a.ll", ""), ["a.ll: error: there is no function `main`"]);
}

#[test]
fn garbage() {
    let folder = Folder::new();
    let noise: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    for name in ["a.c", "a.i", "a.ll"] {
        let file = folder.file(name, &noise);
        assert!(front::load(&[file], &Options::default()).is_err(), "{name}");
    }
    assert_eq!(errors("a.ll", "hello"), ["a.ll:1:1: error: expected a definition, found 'hello'"]);
}

#[test]
fn no_clang() {
    let options = Options { clang: Some("/nowhere/clang".into()), ..Options::default() };
    let found = load_with(&[("a.c", "int main(void) {}")], &options).map(|_| ()).expect_err("no clang");
    assert_eq!(found, ["error: clang is not installed: no program /nowhere/clang"]);
}

#[test]
fn odd_llvm_is_refused_or_lowered_but_never_panics() {
    for text in [
        "@a = alias i32, ptr @a\ndefine i32 @main() {\n  %x = load i32, ptr @a\n  ret i32 %x\n}\n",
        "@a = alias i8, getelementptr (i8, ptr @a, i64 1)\ndefine i32 @main() {\n  store i8 1, ptr @a\n  ret i32 0\n}\n",
        "define i32 @main() {\n  %x = load i512, ptr null\n  ret i32 0\n}\n",
        "define i32 @main() {\n  %x = load [100000000 x i32], ptr null\n  ret i32 0\n}\n",
        "define i32 @main() {\n  %x = load half, ptr null\n  ret i32 0\n}\n",
        "define void @main(half %x) {\n  ret void\n}\n",
        "define i32 @main() {\n  unreachable\nb:\n  %y = add i32 %y, 1\n  br label %b\n}\n",
        "define i32 @main() {\n  switch i32 0, label %a []\na:\n  br label %a\n}\n",
        "define i32 @main() {\n  %x = alloca i32, i64 -1\n  store i32 1, ptr %x\n  ret i32 0\n}\n",
        "define i32 @main() {\n  call void null()\n  ret i32 0\n}\n",
        "@x = external global i32\n@y = global i64 sub (i64 ptrtoint (ptr @x to i64), i64 1)\ndefine i32 @main() {\n  ret i32 0\n}\n",
    ] {
        let _ = load_with(&[("a.ll", text)], &Options::default());
    }
}
