//! Debug information from both styles of text.

mod common;

use common::{NEW, OLD};
use llvm::*;

fn numbered(module: &Module, number: u32) -> MdId {
    module.metadata_numbered(number).unwrap()
}

#[test]
fn both_styles_agree() {
    for text in [NEW, OLD] {
        let m = parse(text).unwrap();
        let di = DebugInfo::new(&m);
        let f = m.function_named("add_one").unwrap();
        let record = &f.dbg_records[0];
        assert_eq!(record.kind, DbgRecordKind::Declare);
        let local = record.operand.as_ref().and_then(Operand::local).unwrap();
        let alloca = f.blocks[0].insts.iter().find(|inst| inst.result == Some(local)).unwrap();
        assert!(matches!(alloca.op, Op::Alloca { .. }));
        let var = di.local_variable(record.variable).unwrap();
        assert_eq!((var.name, var.arg, var.line), ("x", 1, 5));
        assert_eq!(di.type_name(var.ty), "int");
        let loc = di.location(record.loc.unwrap()).unwrap();
        assert_eq!((loc.line, loc.column, loc.function), (5, 17, Some("add_one")));
        assert!(record.expression.is_some());
        let kinds: Vec<_> = f.dbg_records.iter().map(|record| record.kind).take(3).collect();
        assert_eq!(kinds, [DbgRecordKind::Declare, DbgRecordKind::Value, DbgRecordKind::Label]);
        let calls = f.blocks[0].insts.iter().filter_map(|inst| match &inst.op {
            Op::Call(call) => m.symbol_name(call.callee.global()?),
            _ => None,
        });
        assert!(calls.into_iter().all(|name| !name.starts_with("llvm.dbg.")));
        assert_eq!(di.function(f).unwrap().name, "add_one");
        assert_eq!(di.function(f).unwrap().scope_line, 6);
    }
}

#[test]
fn positions_of_records() {
    let m = parse(NEW).unwrap();
    let f = m.function_named("add_one").unwrap();
    let before: Vec<_> = f.dbg_records.iter().map(|record| (record.block, record.before)).collect();
    assert_eq!(before, [2, 4, 4, 4].map(|at| (BlockId(0), at)));
    assert!(f.dbg_records[3].operand.is_none());
}

#[test]
fn locations() {
    let m = parse(NEW).unwrap();
    let di = DebugInfo::new(&m);
    let loc = di.location(numbered(&m, 17)).unwrap();
    assert_eq!((loc.line, loc.column, loc.function), (8, 10, Some("add_one")));
    assert_eq!(loc.file.unwrap().path(), "/src/dir/a.c");
    let loc = di.location(numbered(&m, 18)).unwrap();
    assert_eq!(loc.file.unwrap().path(), "/abs/b.h");
    assert_eq!(loc.inlined_at, Some(numbered(&m, 17)));
    assert_eq!(loc.subprogram, Some(numbered(&m, 10)));
    assert!(di.location(numbered(&m, 4)).is_none());
    assert!(di.location(MdId(999_999)).is_none());
}

#[test]
fn variables() {
    let m = parse(NEW).unwrap();
    let di = DebugInfo::new(&m);
    let counter = m.variable(m.symbol("counter").unwrap()).unwrap();
    let var = di.variable(counter).unwrap();
    assert_eq!((var.name, var.line, var.local), ("counter", 3, false));
    assert_eq!(di.type_name(var.ty), "int");
    assert!(di.local_variable(numbered(&m, 20)).unwrap().artificial);
}

#[test]
fn types() {
    let m = parse(NEW).unwrap();
    let di = DebugInfo::new(&m);
    let name = |number| di.type_name(Some(numbered(&m, number)));
    assert_eq!(name(50), "const struct node *");
    assert_eq!(name(57), "byte[4][][][9]");
    assert_eq!(name(62), "_Atomic enum color");
    assert_eq!(name(65), "int (*)(int, ...)");
    assert_eq!(name(66), "DIStrangeNode");
    assert_eq!(name(67), "union {...}");
    assert_eq!(di.type_name(None), "void");
    let Some(DiType::Record { members, size: 192, union: false, .. }) = di.ty(numbered(&m, 52)) else { panic!() };
    let shown: Vec<_> = members.iter().map(|member| (member.name, member.offset, member.size)).collect();
    assert_eq!(shown, [("value", 0, 3), ("next", 64, 64), ("rest", 128, 32)]);
    assert!(members[0].bit_field && !members[1].bit_field);
    let Some(DiType::Array { counts, .. }) = di.ty(numbered(&m, 57)) else { panic!() };
    assert_eq!(counts, [Some(4), None, None, Some(9)]);
    let Some(DiType::Enum { values, .. }) = di.ty(numbered(&m, 63)) else { panic!() };
    assert_eq!(values, [("RED", -1), ("BLUE", 4_294_967_295)]);
    let byte = Some(numbered(&m, 58));
    assert_eq!(di.strip(byte), Some(numbered(&m, 63)));
    assert!(di.is_qualified(byte, Qualifier::Atomic) && di.is_qualified(byte, Qualifier::Volatile));
    assert!(!di.is_qualified(byte, Qualifier::Const));
    // A typedef of itself must not hang.
    assert_eq!(di.strip(Some(numbered(&m, 68))), None);
}

#[test]
fn generic_nodes() {
    let m = parse(NEW).unwrap();
    let di = DebugInfo::new(&m);
    let node = di.node(numbered(&m, 66)).unwrap();
    assert!(matches!(node.field("what"), Some(DiValue::Other(text)) if &**text == "{1, 2}"));
    assert_eq!((node.word("why"), node.flag("flag")), (Some("DW_OP_x"), Some(true)));
    assert_eq!(m.named_md("llvm.module.flags").unwrap().len(), 2);
    let flags = di.tuple(numbered(&m, 40)).unwrap();
    assert!(matches!(&flags[1], Metadata::String(text) if &**text == "Dwarf Version"));
    let own = di.tuple(numbered(&m, 30)).unwrap();
    assert_eq!(own[0], Metadata::Node(numbered(&m, 30)));
    assert!(m.md(numbered(&m, 30)).unwrap().distinct);
}
