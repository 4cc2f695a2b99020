//! What text cannot say: programs with ids out of range and the like, and the entry points that tests of files pass by.

use base::{FileId, IdVec, Pos};
use ir::text::{parse, parse_fragment, print, print_address, print_expr, print_inst, print_layout, print_term};
use ir::validate::validate;
use ir::*;

const SMALL: &str = r#"
layout $node = struct 16 { value: i32 @0, next: ptr $node @8 }
global @a: $node
global @b: i32 = 1
func main() -> i32 {
  local %x: i32, %p: ptr $node
b0:
  %x = load i32 @a.value
  store i32 %p->value, %x + 1
  jump b1
b1:
  return %x
}
func other(%y: i32) {
b0:
  return
}
"#;

fn small() -> Program {
    parse(SMALL, "small").unwrap_or_else(|error| panic!("{error}"))
}

/// Damages the program and compares the errors; printing must survive the damage too.
#[track_caller]
fn check(damage: impl FnOnce(&mut Program), expected: &[&str]) {
    let mut program = small();
    damage(&mut program);
    let found: Vec<String> = validate(&program).iter().map(|invalid| invalid.describe(&program)).collect();
    assert_eq!(found, expected);
    print(&program);
}

fn main_insts(program: &mut Program) -> &mut Vec<Inst> {
    &mut program.functions[FuncId(0)].blocks[BlockId(0)].insts
}

/// The errors where the first instruction of `main` is this one.
#[track_caller]
fn check_first(kind: InstKind, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|error| format!("main, b0, instruction 0: {error}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(|program| main_insts(program)[0].kind = kind, &expected);
}

#[test]
fn ids_out_of_range() {
    check(|_| (), &[]);
    check(|p| p.entry = FuncId(7), &["program: the entry function does not exist"]);
    check(|p| p.entry = FuncId(1), &["other: the entry function takes no parameters"]);
    check_first(InstKind::Assign { dst: Reg(9), value: Expr::int(32, 1) }, &["register %9 does not exist"]);
    check_first(InstKind::Assign { dst: Reg(0), value: Expr::Reg(Reg(9)) }, &["register %9 does not exist"]);
    check_first(InstKind::Free { addr: Expr::Object(ObjectId(9), 4) }, &["object 9 does not exist"]);
    check_first(InstKind::Free { addr: Expr::Func(FuncId(9)) }, &["function 9 does not exist"]);
    check_first(
        InstKind::Call { dst: None, callee: Callee::Direct(FuncId(9)), args: Vec::new() },
        &["function 9 does not exist"],
    );
    check(|p| p.functions[FuncId(1)].params.push(Reg(9)), &["other: parameter %9 does not exist"]);
    check(
        |p| p.functions[FuncId(0)].blocks[BlockId(0)].term = Term::Jump(BlockId(9)),
        &["main, b0, end: block b9 does not exist"],
    );
    check(|p| p.objects[ObjectId(1)].layout = Layout::Named(LayoutId(9)), &["object @b: layout 9 does not exist"]);
    let init = |offset, value| move |p: &mut Program| p.objects[ObjectId(0)].init = vec![Init { offset, value }];
    check(init(0, InitValue::Object(ObjectId(9), 0)), &["object @a: object 9 does not exist"]);
    check(init(8, InitValue::Function(FuncId(9))), &["object @a: function 9 does not exist"]);
    check(
        |p| main_insts(p)[1].pos = Pos::new(FileId(3), 1, 1),
        &["main, b0, instruction 1: the position is in file 3, which does not exist"],
    );
}

#[test]
fn names_taken() {
    check(|p| p.functions[FuncId(1)].name = "main".into(), &["main: there is another function main"]);
    check(|p| p.objects[ObjectId(1)].name = "a".into(), &["object @a: there is another object @a"]);
    check(|p| p.functions[FuncId(0)].regs[Reg(1)].name = "x".into(), &["main, %x: there is another register %x"]);
    check(|p| p.functions[FuncId(0)].blocks[BlockId(1)].name = "b0".into(), &["main, b0: there is another block b0"]);
    let again = NamedLayout { name: "node".into(), layout: Layout::Bytes(1) };
    check(|p| _ = p.layouts.push(again), &["layout $node: there is another layout $node"]);
}

#[test]
fn impossible_types_and_constants() {
    let assign = |ty, value| InstKind::Assign { dst: Reg(0), value: Expr::Const(ty, value) };
    check_first(assign(Ty::Int(32), 1 << 32), &["0x100000000 has bits above the width of i32"]);
    check_first(assign(Ty::Int(0), 0), &["there is no integer of 0 bits", "the value must be i32, this is i0"]);
    check(
        |p| p.functions[FuncId(0)].regs[Reg(1)].ty = Ty::Int(129),
        &[
            "main, %p: there is no integer of 129 bits",
            "main, b0, instruction 1: the address must be ptr, this is i129",
        ],
    );
    let switch = Term::Switch { value: Expr::int(8, 1), cases: vec![(256, BlockId(0))], default: BlockId(0) };
    check(
        |p| p.functions[FuncId(0)].blocks[BlockId(1)].term = switch,
        &["main, b1, end: 0x100 has bits above the width of i8"],
    );
    let scalar = |ty, unsigned| move |p: &mut Program| p.objects[ObjectId(0)].layout = Layout::Scalar { ty, unsigned };
    check(scalar(Ty::Ptr, false), &["object @a: a pointer is a layout of its own, not a number"]);
    check(scalar(Ty::F32, true), &["object @a: f32 is never unsigned"]);
    check(scalar(Ty::Int(0), false), &["object @a: there is no integer of 0 bits"]);
    check(|p| p.functions[FuncId(1)].blocks = IdVec::new(), &["other: a function needs at least one block"]);
}

#[test]
fn too_deep() {
    let mut layout = Layout::Bytes(1);
    for _ in 0..2000 {
        layout = Layout::Array { element: Box::new(layout), count: 1 };
    }
    let mut program = small();
    program.objects[ObjectId(0)].layout = layout;
    assert!(validate(&program).iter().any(|invalid| invalid.message == "this layout nests too deep"));
    let mut value = Expr::int(32, 1);
    for _ in 0..2000 {
        value = Expr::un(UnOp::Neg, value);
    }
    check_first(InstKind::Assign { dst: Reg(0), value }, &["this expression nests too deep"]);
}

#[test]
fn parts_alone() {
    let program = small();
    let main = &program.functions[FuncId(0)];
    let block = &main.blocks[BlockId(0)];
    assert_eq!(print_inst(&program, main, &block.insts[1].kind), "store i32 %p->value, %x + 1");
    assert_eq!(print_term(&program, main, &block.term), "jump b1");
    assert_eq!(print_expr(&program, main, &Expr::int(32, -1)), "-1:i32");
    assert_eq!(print_expr(&program, main, &Expr::Object(ObjectId(0), 0)), "@a");
    assert_eq!(print_address(&program, main, &Expr::Object(ObjectId(0), 0), Ty::Int(32)), "@a.value");
    assert_eq!(print_layout(&program, &program.objects[ObjectId(0)].layout), "$node");
}

#[test]
fn fragments() {
    let library = "global @count: iptr\nmodel func next() -> iptr { b0: %n = load iptr @count\n return %n }";
    for (data_model, ty) in [(DataModel::Ilp32, Ty::Int(32)), (DataModel::Lp64, Ty::Int(64))] {
        let program = parse_fragment(library, "library", data_model).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.data_model, data_model);
        assert_eq!(program.functions[FuncId(0)].result, Some(ty));
    }
    assert!(parse_fragment("", "library", DataModel::Lp64).is_ok_and(|program| program.functions.is_empty()));
    let error = parse_fragment("target 32", "library", DataModel::Lp64).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "library:1:8: error: this library is wanted for the other target");
}

#[test]
fn errors_have_columns() {
    let error = |text: &str| parse(text, "t.ir").map(|_| ()).unwrap_err().to_string();
    assert_eq!(error("target 64\n  global @ä: i32"), "t.ir:2:11: error: unexpected character 'ä'");
    assert_eq!(error("file 0 \"open"), "t.ir:1:8: error: this string does not end on its line");
    assert_eq!(error("file 0 \"ä\" x"), "t.ir:1:12: error: expected the end of the line, found `x`");
    assert_eq!(error(""), "t.ir: error: there is no `entry` line and no function `main`");
}
