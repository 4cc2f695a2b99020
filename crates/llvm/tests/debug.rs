//! Debug information from both styles of text.

mod common;

use common::{NEW, OLD};
use llvm::*;

fn numbered(module: &Module, number: u32) -> MdId {
    module.metadata_index[&number]
}

#[test]
fn both_styles_agree() {
    for text in [NEW, OLD] {
        let m = parse(text).unwrap();
        let f = m.function_named("add_one").unwrap();
        let [declaration] = f.declarations[..] else { panic!() };
        let alloca = f.insts().find(|inst| inst.result == Some(declaration.local)).unwrap();
        assert!(matches!(alloca.op, Op::Alloca { .. }));
        let var = m.local_variable(declaration.variable).unwrap();
        assert_eq!(var.name, "x");
        assert!(matches!(m.debug_type(var.ty.unwrap()), Some(DiType::Basic { name: "int", .. })));
        let loc = m.location(declaration.location.unwrap()).unwrap();
        assert_eq!((loc.line, loc.column), (5, 17));
        let calls = f.insts().filter_map(|inst| match &inst.op {
            Op::Call(call) => m.symbol_name(call.callee.global()?),
            _ => None,
        });
        assert!(calls.into_iter().all(|name| !name.starts_with("llvm.dbg.")));
        assert_eq!(m.place_of_function(f).unwrap().line, 5);
    }
}

#[test]
fn positions_of_records() {
    let m = parse(NEW).unwrap();
    let f = m.function_named("add_one").unwrap();
    let before: Vec<_> = f.declarations.iter().map(|declaration| (declaration.block, declaration.before)).collect();
    assert_eq!(before, [(BlockId(0), 2)]);
}

#[test]
fn locations() {
    let m = parse(NEW).unwrap();
    let loc = m.location(numbered(&m, 17)).unwrap();
    assert_eq!((loc.line, loc.column), (8, 10));
    assert_eq!(m.file_of_scope(loc.scope.unwrap()).unwrap(), "/src/dir/a.c");
    let loc = m.location(numbered(&m, 18)).unwrap();
    assert_eq!(m.file_of_scope(loc.scope.unwrap()).unwrap(), "/abs/b.h");
    assert!(m.location(numbered(&m, 4)).is_none());
    assert!(m.location(MdId(999_999)).is_none());
}

#[test]
fn variables() {
    let m = parse(NEW).unwrap();
    let counter = m.variable(m.symbol("counter").unwrap()).unwrap();
    let var = m.global_variable(counter.dbg.unwrap()).unwrap();
    assert_eq!((var.name, var.place.unwrap().line), ("counter", 3));
    assert!(m.local_variable(numbered(&m, 20)).unwrap().artificial);
}

#[test]
fn names_of_types() {
    let m = parse(NEW).unwrap();
    assert_eq!(m.strip(Some(numbered(&m, 58))), Some(numbered(&m, 63)));
    assert_eq!(m.strip(Some(numbered(&m, 51))), Some(numbered(&m, 52)));
    // A typedef of itself must not hang.
    assert_eq!(m.strip(Some(numbered(&m, 68))), None);
}

#[test]
fn generic_nodes() {
    let m = parse(NEW).unwrap();
    let node = m.node(numbered(&m, 66)).unwrap();
    assert!(matches!(node.field("what"), Some(Metadata::Null)));
    assert_eq!((node.word("why"), node.word("flag")), (Some("DW_OP_x"), Some("true")));
    let flags = m.tuple(numbered(&m, 40)).unwrap();
    assert!(matches!(&flags[1], Metadata::String(text) if &**text == "Dwarf Version"));
    let own = m.tuple(numbered(&m, 30)).unwrap();
    assert_eq!(own[0], Metadata::Node(numbered(&m, 30)));
}

#[test]
fn types_of_functions_and_accesses() {
    let text = "
        define void @f(ptr %p) !dbg !1 {
          %own = load i64, ptr %p, align 8, !tbaa !4
          %clangs = load i64, ptr %p, align 4
          ret void
        }
        declare !dbg !6 void @open(i64, ...)
        !1 = distinct !DISubprogram(name: \"f\", type: !2)
        !2 = !DISubroutineType(types: !3)
        !3 = !{null, !5}
        !4 = !{!\"long\"}
        !5 = !DIBasicType(name: \"long\", size: 64, encoding: DW_ATE_signed)
        !6 = !DISubprogram(name: \"open\", type: !7)
        !7 = !DISubroutineType(types: !8)
        !8 = !{!5, !5, null}";
    let m = parse(text).unwrap();
    let signature = |name| m.signature(m.function_named(name).unwrap()).unwrap();
    let long = numbered(&m, 5);
    assert_eq!((signature("f").result, signature("f").params, signature("f").open), (None, vec![long], false));
    assert_eq!((signature("open").result, signature("open").params), (Some(long), vec![long]));
    assert!(signature("open").open && m.typed);
    let typed: Vec<bool> = m.function_named("f").unwrap().insts().map(|inst| inst.typed).collect();
    assert_eq!(typed, [true, false, false]);
}
