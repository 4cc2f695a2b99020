//! LLVM text as it comes, and several files linked.

mod common;

use common::*;
use front::Options;

/// LLVM text without debug information around a body of `main`.
fn main_of(body: &str) -> String {
    format!(
        "declare void @reach_error()\ndefine i32 @main() {{\n{body}\nbad:\n  call void @reach_error()\n  unreachable\n}}\n"
    )
}

#[test]
fn phis_swap_at_once() {
    let text = main_of(
        "entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %m = add i32 %n, 1
  %more = icmp slt i32 %m, 4
  br i1 %more, label %loop, label %end
end:
  %s = shl i32 %a, 4
  %r = or i32 %s, %b
  %ok = icmp eq i32 %r, 33
  br i1 %ok, label %good, label %bad
good:
  ret i32 0",
    );
    ends_well(&load("a.ll", &text));
}

#[test]
fn a_phi_used_after_its_loop_keeps_its_value() {
    let text = main_of(
        "entry:
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %y, %loop ]
  %y = add i32 %x, 1
  %more = icmp slt i32 %y, 3
  br i1 %more, label %loop, label %end
end:
  %ok = icmp eq i32 %x, 2
  br i1 %ok, label %good, label %bad
good:
  ret i32 0",
    );
    ends_well(&load("a.ll", &text));
}

#[test]
fn aggregates_are_taken_apart() {
    let text = main_of(
        "entry:
  %0 = insertvalue { i32, [2 x i64] } undef, i32 1, 0
  %1 = insertvalue { i32, [2 x i64] } %0, i64 2, 1, 1
  %2 = extractvalue { i32, [2 x i64] } %1, 1
  %3 = extractvalue [2 x i64] %2, 1
  %v = insertelement <2 x i32> <i32 5, i32 6>, i32 7, i32 1
  %w = add <2 x i32> %v, <i32 1, i32 1>
  %e = extractelement <2 x i32> %w, i32 1
  %wide = zext i32 %e to i64
  %sum = add i64 %3, %wide
  %ok = icmp eq i64 %sum, 10
  br i1 %ok, label %good, label %bad
good:
  ret i32 0",
    );
    ends_well(&load("a.ll", &text));
}

#[test]
fn odd_intrinsics_compute() {
    let text = main_of(
        "entry:
  %a = call i32 @llvm.fshl.i32(i32 1, i32 -2147483648, i32 1)
  %b = call i8 @llvm.usub.sat.i8(i8 3, i8 5)
  %c = call i32 @llvm.smax.i32(i32 -3, i32 2)
  %d = call i32 @llvm.abs.i32(i32 -9, i1 false)
  %e = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 4611686018427387904, i64 2)
  %f = extractvalue { i64, i1 } %e, 1
  %g = call i1 @llvm.is.fpclass.f64(double 0x7FF0000000000000, i32 516)
  %b32 = zext i8 %b to i32
  %f32 = zext i1 %f to i32
  %g32 = zext i1 %g to i32
  %s1 = add i32 %a, %b32
  %s2 = add i32 %s1, %c
  %s3 = add i32 %s2, %d
  %s4 = add i32 %s3, %f32
  %s5 = add i32 %s4, %g32
  %ok = icmp eq i32 %s5, 16
  br i1 %ok, label %good, label %bad
good:
  ret i32 0",
    ) + "declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i1 @llvm.is.fpclass.f64(double, i32)\n";
    ends_well(&load("a.ll", &text));
}

#[test]
fn a_division_by_zero_happens_before_what_follows_it() {
    // The quotient is used only after the assertion, but the execution ends at the division.
    let text = main_of(
        "entry:
  %p = alloca i32
  store i32 0, ptr %p
  %z = load i32, ptr %p
  %q = sdiv i32 1, %z
  call void @reach_error()
  %ok = icmp eq i32 %q, 33
  br i1 %ok, label %good, label %bad
good:
  ret i32 0",
    );
    let step = run(&load("a.ll", &text));
    assert!(matches!(step, ir::interp::Stepped::Ended(ir::interp::End::Arithmetic(_))), "{step:?}");
}

#[test]
fn names_come_from_llvm_without_debug_information() {
    let text = ir(
        "a.ll",
        "@g = global [3 x i32] zeroinitializer\ndefine i32 @main() {\n  %x = alloca i32
  %n = load i32, ptr @g\n  store i32 %n, ptr %x\n  %1 = load i32, ptr %x\n  store i32 %1, ptr getelementptr ([3 x i32], ptr @g, i64 0, i64 2)
  ret i32 %1\n}\n",
    );
    has_lines(&text, &["%x = load i32 @g[0]", "store i32 @g[2], %x"]);
}

#[test]
fn statics_of_two_files_are_kept_apart() {
    let a = "static int s = 1; int other(void); extern int x; int common; static int f(void) { return s; }
        int main(void) { return f() + other() + x + common == 103 ? 0 : 1 / (s - s); }";
    let b =
        "static int s = 2; int x = 100; int common; static int f(void) { return s; } int other(void) { return f(); }";
    let loaded =
        load_with(&[("a.c", a), ("b.c", b)], &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    ends_well(&loaded);
}

#[test]
fn strong_definitions_win_over_weak_ones() {
    let a = "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f() == 2 ? 0 : 1 / (f() - 1); }";
    let b = "int f(void) { return 2; }";
    let loaded =
        load_with(&[("a.c", a), ("b.c", b)], &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    ends_well(&loaded);
}

#[test]
fn two_definitions_are_an_error() {
    let errors = load_with(&[("a.c", "int main(void) {}"), ("b.c", "int main(void) {}")], &Options::default());
    let errors = errors.map(|_| ()).expect_err("two mains");
    assert!(errors[0].starts_with("b.c: error: `main` is defined here and in"), "{errors:?}");
}

#[test]
fn c_and_llvm_text_can_be_linked() {
    let a = "int half(int); int main(void) { return half(8) == 4 ? 0 : 1 / (half(0) * 2); }";
    let b = "target datalayout = \"e-m:e-p270:32:32-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
define i32 @half(i32 %x) {\n  %r = sdiv i32 %x, 2\n  ret i32 %r\n}\n";
    let loaded =
        load_with(&[("a.c", a), ("b.ll", b)], &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    ends_well(&loaded);
}

#[test]
fn pointers_of_another_width_cannot_be_linked() {
    let b = "target datalayout = \"e-p:32:32\"\n@x = global i32 1\n";
    let errors = load_with(&[("a.c", "int main(void) {}"), ("b.ll", b)], &Options::default());
    let errors = errors.map(|_| ()).expect_err("two widths");
    assert!(errors[0].contains("another width of pointers"), "{errors:?}");
}

#[test]
fn undefined_variables_hold_any_value() {
    let loaded = load("a.c", "extern int x; int main(void) { return x; }");
    has_lines(&text_of(&loaded), &["%v0 = havoc choice \"the content of `x`\"", "store i32 @x, %v0"]);
    assert!(loaded.notes.iter().any(|note| note.message.contains("`x` is declared but not defined")));
}
