//! Errors and where they are reported.

use llvm::parse;

fn error(text: &str) -> (u32, u32, String) {
    let error = parse(text).expect_err(text);
    (error.line, error.column, error.message)
}

fn in_function(body: &str) -> (u32, u32, String) {
    error(&format!("define i32 @f(i32 %a, ptr %p) {{\n{body}\n}}\n"))
}

#[track_caller]
fn check(found: (u32, u32, String), line: u32, column: u32, part: &str) {
    assert_eq!((found.0, found.1), (line, column), "{}", found.2);
    assert!(found.2.contains(part), "{}", found.2);
}

#[test]
fn unknown_instruction() {
    check(in_function("  %x = frobnicate i32 %a\n  ret i32 0"), 2, 8, "frobnicate");
}

#[test]
fn names() {
    check(in_function("  ret i32 %b"), 2, 11, "undefined");
    check(in_function("  br label %b"), 2, 12, "undefined");
    check(in_function("  %a = add i32 1, 2\n  ret i32 0"), 2, 3, "redefinition");
    check(in_function("  %0 = add i32 1, 2\n  ret i32 0"), 2, 3, "%1");
    check(in_function("x:\n  br label %x\nx:\n  br label %x"), 4, 1, "redefinition");
    check(error("@a = global i32 0\n@a = global i32 1"), 2, 1, "redefinition");
    check(error("%a = type opaque\n%a = type {}"), 2, 1, "redefinition");
    check(error("!0 = !{}\n!0 = !{}"), 2, 1, "redefinition");
    check(error("@a = global ptr %x"), 1, 17, "constant");
}

#[test]
fn types() {
    check(in_function("  ret i32 %p"), 2, 11, "'ptr'");
    check(in_function("  %x = add ptr %p, %p\n  ret i32 0"), 2, 12, "binary");
    check(in_function("  %x = load i32, i32 %a\n  ret i32 0"), 2, 18, "pointer");
    check(in_function("  store void, ptr %p\n  ret i32 0"), 2, 9, "type of a value");
    check(in_function("  br i32 %a, label %b, label %b\nb:\n  ret i32 0"), 2, 6, "i1");
    check(in_function("  %x = extractvalue { i8 } zeroinitializer, 1\n  ret i32 0"), 2, 43, "index");
    check(in_function("  %x = getelementptr { i8 }, ptr %p, i32 0, i32 1\n  ret i32 0"), 2, 45, "index");
    check(in_function("  %x = call i32 (i32) @f(ptr %p)\n  ret i32 0"), 2, 13, "argument");
    check(in_function("  %x = call void @f()\n  ret i32 0"), 2, 3, "without result");
    check(error("@a = global i32 null"), 1, 17, "i32");
    check(error("@a = global [2 x i8] c\"a\""), 1, 22, "[2 x i8]");
    check(error("@a = global [2 x i8] [i8 1]"), 1, 22, "elements");
    check(error("@a = global [1 x i8] [i16 1]"), 1, 23, "element");
    check(error("@a = global { i8 } { i16 1 }"), 1, 22, "field");
    check(error("@a = global { i8 } { }"), 1, 20, "fields");
    check(error("@a = global i0 0"), 1, 13, "width");
    check(error("@a = global i9999999 0"), 1, 13, "width");
    check(error("@a = global float 0xK00"), 1, 19, "floating");
    check(error("%a = type { %b }\n%b = type { [2 x %a] }"), 1, 1, "contains itself");
}

#[test]
fn structure() {
    check(error("what"), 1, 1, "definition");
    check(in_function("  %x = add i32 1, 2"), 3, 1, "terminator");
    check(in_function(""), 3, 1, "block");
    check(error("define i32 @f() {\n  ret i32 0"), 2, 12, "end of the file");
    check(error("target foo"), 1, 8, "datalayout");
    check(error("source_filename = 5"), 1, 19, "string");
    check(error("@a = global i32 \"unterminated"), 1, 17, "value");
    check(error("\n\n  é"), 3, 3, "definition");
    check(error("!0 = !{"), 1, 8, "end of the file");
}
