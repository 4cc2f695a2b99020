//! What C becomes: one access per instruction, in the user's names.

mod common;

use common::*;
use front::Options;
use ir::DataModel;

#[test]
fn an_increment_of_a_shared_variable_is_two_steps() {
    let text = ir("a.c", "int n; int main(void) { n = n + 1; return 0; }");
    has_lines(function(&text, "main"), &["%t1 = load i32 @n", "store i32 @n, %t1 + 1", "return 0"]);
}

#[test]
fn locals_are_registers_with_their_names() {
    let text = ir("a.c", "int g; int main(void) { int sum = 0; for (int i = 0; i < 10; i++) sum += i; g = sum; }");
    has_lines(
        function(&text, "main"),
        &[
            "%sum = 0",
            "%i = 0",
            "branch %i < 10, for.body, for.end",
            "%sum = %sum + %i",
            "%i = %i + 1",
            "store i32 @g, %sum",
        ],
    );
    assert!(!text.contains("havoc"), "{text}");
}

#[test]
fn only_what_may_be_read_before_it_is_written_has_any_value() {
    let source = "int c; int main(void) { int x, y, z = 1; if (c) x = 1; y = 2; return x + y + z; }";
    let text = ir("a.c", source);
    has_lines(&text, &["%x = havoc uninit \"x\""]);
    assert_eq!(text.matches("havoc").count(), 1, "{text}");
}

#[test]
fn each_round_of_a_loop_has_a_new_variable() {
    let source = "int g; int main(void) { for (int i = 0; i < 2; i++) { int x; if (i) x = 1; g = x; } }";
    let text = ir("a.c", source);
    let text = function(&text, "main");
    has_lines(text, &["for.body:", "%x.set = false", "branch %i != 0, if.then, if.end"]);
    has_lines(text, &["if.end:", "branch %x.set, read, uninitialised", "uninitialised:", "%x = havoc uninit \"x\""]);
}

#[test]
fn the_old_value_of_an_increment_is_kept() {
    let loaded =
        load("a.c", "int main(void) { int i = 5; int j = i++ + i++; return i == 7 && j == 11 ? 0 : 1 / (i - i); }");
    ends_well(&loaded);
}

#[test]
fn addresses_speak_of_fields_and_elements() {
    let source = "struct s { int len; struct { char c; short v[3]; } in; } buf[4]; struct s *p;
        int main(void) { int i = 2; buf[i].in.v[1] = 3; buf[1].len = 4; p->in.c = 5; p[2].len = 6; }";
    let text = ir("a.c", source);
    has_lines(
        function(&text, "main"),
        &["store i16 @buf[sext(%i, i64)].in.v[1], 3", "store i32 @buf[1].len, 4", "store i8 %t1->in.c, 5"],
    );
}

#[test]
fn conditions_are_branches_and_assertions() {
    let source = "#include <assert.h>
        int a, b; int main(void) { if (a && !b) a = 3; assert(a != 1 || b); }";
    let text = ir("a.c", source);
    let text = function(&text, "main");
    has_lines(text, &["branch %t1 != 0, land.lhs.true, if.end", "branch %t2 != 0, if.end, if.then"]);
    has_lines(text, &["assert %t4 != 0 \"assertion `a != 1 || b` failed\""]);
    assert!(!text.contains("zext"), "{text}");
}

#[test]
fn structs_are_copied_field_by_field_and_padding_byte_by_byte() {
    let source = "struct s { short c; int i; void *p; } a, b; int main(void) { a = b; }";
    let text = ir("a.c", source);
    has_lines(
        function(&text, "main"),
        &[
            "%t1 = load i16 @b.c",
            "store i16 @a.c, %t1",
            "%t2 = load i8 @b + 2",
            "store i8 @a + 2, %t2",
            "%t4 = load i32 @b.i",
            "store i32 @a.i, %t4",
            "%t5 = load ptr @b.p",
            "store ptr @a.p, %t5",
            "return 0",
        ],
    );
}

#[test]
fn structs_passed_in_registers_are_loaded_field_by_field() {
    let source = "struct s { int a, b; } g; int f(struct s x) { return x.a + x.b; } int main(void) { return f(g); }";
    let text = ir("a.c", source);
    has_lines(function(&text, "main"), &["%t1 = load i32 @g.a", "%t2 = load i32 @g.b"]);
    assert!(!text.contains("load i64"), "{text}");
}

#[test]
fn bytes_read_as_a_number_are_one_access() {
    let source = "char buf[8]; struct s { char c; int i; } *p; int main(void) { *(long *)buf = 1; return *(int *)p; }";
    let text = ir("a.c", source);
    has_lines(function(&text, "main"), &["store i64 @buf, 1", "%t2 = load i32 %t1"]);
}

#[test]
fn large_arrays_are_filled_in_loops_of_their_elements() {
    let text = ir("a.c", "int g; int main(void) { int a[100] = {0}; g = a[3]; }");
    let text = function(&text, "main");
    has_lines(text, &["branch %i <u 100, each.body, each.end", "store i32 %a[0][%i], 0"]);
    assert!(!text.contains("memset"), "{text}");
}

#[test]
fn read_modify_writes_are_one_step() {
    let source = "int x; int main(void) { int e = 1;
        __atomic_fetch_add(&x, 2, 5); __sync_bool_compare_and_swap(&x, 1, 2); return __atomic_exchange_n(&x, 7, 0); }";
    let text = ir("a.c", source);
    has_lines(
        function(&text, "main"),
        &["update.sc i32 @x set old + 2", "update.sc i32 @x set select(old == 1, 2, old)"],
    );
    assert!(text.contains("update.rlx i32 @x set 7"), "{text}");
}

#[test]
fn notes_come_once() {
    let source = "int puts2(const char *); int x; int main(void) { puts2(0); puts2(0);
        __atomic_store_n(&x, 1, 0); __atomic_store_n(&x, 2, 0); }";
    let loaded = load("a.c", source);
    let notes: Vec<String> = loaded.notes.iter().map(|note| note.message.clone()).collect();
    assert_eq!(notes.iter().filter(|note| note.contains("sequentially consistent")).count(), 1, "{notes:?}");
    assert_eq!(notes.iter().filter(|note| note.contains("puts2")).count(), 1, "{notes:?}");
}

#[test]
fn what_is_not_supported_says_so_where_it_stands() {
    let loaded = load("a.c", "int main(int c, char **v) {\n  if (c > 5)\n    __asm__(\"cli\");\n  return 0;\n}");
    let text = ir::text::print(&loaded.program);
    assert!(text.contains("unsupported \"inline assembly `cli`\" !3:5"), "{text}");
    ends_well(&loaded);
}

#[test]
fn atomic_functions_are_wrapped() {
    let source = "int n; void __VERIFIER_atomic_inc(void) { if (n) { n = 2; return; } n++; }
        int main(void) { __VERIFIER_atomic_inc(); }";
    let text = ir("a.c", source);
    let inside = function(&text, "__VERIFIER_atomic_inc");
    has_lines(inside, &["entry:", "atomic begin", "%t1 = load i32 @n", "atomic end", "return"]);
}

#[test]
fn heap_objects_are_called_after_what_they_hold() {
    let source = "#include <stdlib.h>
        struct node { int v; struct node *next; } *head;
        int main(void) { struct node *n = malloc(sizeof *n); head = malloc(2 * sizeof *head); n->v = 1; }";
    let text = ir("a.c", source);
    assert!(text.contains("alloc heap 16 \"node\" as $node"), "{text}");
    assert!(text.contains("alloc heap 32 \"node\" as [2 x $node]"), "{text}");
}

#[test]
fn thirty_two_bits() {
    let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
    let source = "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>
        long l; int64_t w; void *p; struct { char c; long long n; } s;
        int main(void) {
            assert(sizeof l == 4 && sizeof w == 8 && sizeof p == 4 && sizeof(size_t) == 4 && sizeof s == 12);
            l = (long)&p; p = &l; w = 1LL << 40;
            assert(w >> 40 == 1 && *(long *)p == (long)&p);
        }";
    let loaded = load_with(&[("a.c", source)], &options).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(loaded.program.data_model, DataModel::Ilp32);
    ends_well(&loaded);
}

#[test]
fn positions_of_preprocessed_files_are_their_own_lines() {
    let source = "# 1 \"orig.c\"\n# 40 \"other.h\" 3\nint x;\nint main(void) {\n  x = 1;\n}\n";
    let loaded = load("t.i", source);
    let text = ir::text::print(&loaded.program);
    assert!(text.contains("store i32 @x, 1 !5:5"), "{text}");
    assert!(loaded.program.files.values().any(|file| file.ends_with("t.i")), "{text}");
}

#[test]
fn old_c_is_accepted() {
    let source =
        "f(x) char *x; { return g(x) + *x; }\nmain() { char c = 3; int *p = &c; return f(p) == 6 ? 0 : 1 / (c - 3); }
        g(y) char *y; { return *y; }";
    ends_well(&load("a.c", source));
}

#[test]
fn macros_and_options_reach_clang() {
    let options = Options { clang_args: vec!["-DN=3".into(), "-std=c11".into(), "-UM".into()], ..Options::default() };
    let source = "#ifdef M\n#error M\n#endif\nint a[N]; int main(void) { a[N - 1] = 1; }";
    let loaded = load_with(&[("a.c", source)], &options).unwrap_or_else(|errors| panic!("{errors:?}"));
    has_lines(&text_of(&loaded), &["store i32 @a[2], 1"]);
}

#[test]
fn what_gcc_preprocessed_is_accepted() {
    let source = "# 1 \"a.c\"\nextern _Float128 strange(_Float128);\nextern _Float64x odd(_Float32);
        extern void free(void *);\nextern void *make(void) __attribute__((__malloc__ (free, 1)));
        typedef _Atomic struct { unsigned char v; } flag;\nflag f = { 0 };\n_Atomic int x;
        int main(void) {
            ({ __auto_type p = &x; __typeof__((void)0, *p) t = 4; __atomic_store(p, &t, 5); });
            __atomic_fetch_add(&x, 3, 5);
            int r = __atomic_test_and_set(&f, 5);
            return x == 7 && !r ? 0 : 1 / (x - x);
        }";
    ends_well(&load("a.i", source));
}
