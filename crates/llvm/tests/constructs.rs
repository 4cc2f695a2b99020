//! Every construct the reader knows, in small texts of our own.

mod common;

use common::{ALL, NEW, OLD};
use llvm::*;

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.function_named(name).expect(name)
}

fn variable<'m>(module: &'m Module, name: &str) -> &'m GlobalVar {
    module.variable(module.symbol(name).expect(name)).expect(name)
}

fn linkage(module: &Module, name: &str) -> Linkage {
    module.symbols[module.symbol(name).expect(name)].linkage
}

fn init<'m>(module: &'m Module, name: &str) -> &'m Const {
    &variable(module, name).init.as_ref().expect(name).value
}

fn inst<'f>(function: &'f Function, name: &str) -> &'f Inst {
    let id = function.local_named(name).expect(name);
    function.insts().find(|inst| inst.result == Some(id)).expect(name)
}

#[test]
fn header() {
    let m = module(NEW);
    assert_eq!(m.data_layout.as_deref(), Some("e-m:e-i64:64"));
    assert_eq!(m.module_asm, ".globl x\nx: nop");
    let named = |index| {
        let named = m.types.named(StructId(index));
        (named.name.as_str(), named.body.map(|body| m.types.display(body)))
    };
    assert_eq!(named(0), ("struct.node", Some("{ i32, ptr, [4 x i8] }".to_string())));
    assert_eq!(named(1), ("struct.packed", Some("<{ i8, i32 }>".to_string())));
    assert_eq!((named(2).1, named(3).0), (None, "struct.a b"));
}

#[test]
fn variables() {
    let m = module(NEW);
    let counter = variable(&m, "counter");
    assert_eq!((counter.align, counter.constant, counter.ty), (Some(4), false, TypeId::I32));
    assert_eq!(counter.init.as_ref().unwrap().value, Const::Int(7));
    assert!(counter.dbg.is_some());
    let tls = variable(&m, "tls");
    assert!(tls.thread_local && linkage(&m, "tls") == Linkage::Internal);
    assert!(variable(&m, "ext").is_declaration());
    let text = variable(&m, ".str");
    assert!(text.constant);
    assert_eq!(text.init.as_ref().unwrap().value, Const::Bytes(b"a\n\\b".as_slice().into()));
    let odd = variable(&m, "odd name");
    assert_eq!(linkage(&m, "odd name"), Linkage::Weak);
    assert_eq!(odd.init.as_ref().unwrap().value, Const::Global(m.symbol("counter").unwrap()));
    assert!(m.symbols.values().any(|symbol| symbol.name == Name::Number(0)));
    assert_eq!(variable(&m, "far").ty, TypeId::I8);
    let Const::Items(fields) = init(&m, "nested") else { panic!() };
    assert_eq!(fields[0].value, Const::Int(0xFFFF_FFFF));
    let Const::Items(items) = &fields[1].value else { panic!() };
    assert_eq!(items[0].value, Const::Null);
    let Const::Expr(expr) = &items[1].value else { panic!() };
    let Op::Gep { indices, .. } = &**expr else { panic!() };
    assert_eq!(indices.len(), 3);
    let Const::Items(items) = &fields[2].value else { panic!() };
    assert_eq!(items[0].value, Const::Float(u128::from(1.0f32.to_bits())));
    assert_eq!(items[1].value, Const::Float(u128::from(0.1f32.to_bits())));
}

#[test]
fn aliases() {
    let m = module(NEW);
    let alias = m.symbol("al").unwrap();
    assert_eq!(m.resolve_alias(alias), m.symbol("add_one").unwrap());
    assert_eq!(m.symbols.values().filter(|symbol| symbol.def == SymbolDef::Ifunc).count(), 1);
    let m = module("@a = alias i32, ptr @a");
    let a = m.symbol("a").unwrap();
    assert_eq!(m.resolve_alias(a), a);
}

#[test]
fn functions_and_numbering() {
    let m = module(NEW);
    let f = function(&m, "resolve");
    assert!(f.varargs && linkage(&m, "resolve") == Linkage::Internal);
    assert_eq!(f.params, [TypeId::PTR; 2]);
    let names: Vec<_> = f.locals.values().map(|local| local.name.to_string()).collect();
    assert_eq!(names, ["s", "out", "1", "4", "3", "5"]);
    let blocks: Vec<_> = f.blocks.values().map(|block| block.name.to_string()).collect();
    assert_eq!(blocks, ["0", "2", "6"]);
    let Op::Phi { incoming } = &f.blocks[BlockId(1)].insts[0].op else { panic!() };
    assert_eq!(incoming[0].1, BlockId(0));
    assert_eq!(incoming[1].1, BlockId(1));
    let last = f.blocks[BlockId(1)].insts.last().unwrap();
    assert_eq!(last.op.successors(), [BlockId(2), BlockId(1)]);
    assert!(last.dbg.is_none());
    let Op::Call(call) = &f.blocks[BlockId(2)].insts[0].op else { panic!() };
    assert!(m.has_attr(&call.attrs, "noreturn"));
    assert!(m.has_attr(&function(&m, "exit").attrs, "noreturn"));
    assert!(m.has_attr(&function(&m, "add_one").attrs, "\"frame-pointer\"=\"all\""));
    assert!(m.has_attr(&function(&m, "add_one").attrs, "memory(argmem: read)"));
    assert!(function(&m, "exit").dbg.is_some());
    let Op::Call(call) = &f.blocks[BlockId(0)].insts[0].op else { panic!() };
    assert_eq!(m.types.display(call.fn_ty), "i32 (ptr, ...)");
}

#[test]
fn typed_pointers() {
    let m = module(OLD);
    let f = function(&m, "add_one");
    assert_eq!(f.blocks[BlockId(0)].name, Name::Number(1));
    let counts: Vec<_> = f.blocks[BlockId(0)].insts.iter().map(|inst| inst.ty).collect();
    assert_eq!(counts.iter().filter(|ty| **ty == TypeId::PTR).count(), 9);
    let node = m.types.named(StructId(0)).body.unwrap();
    assert_eq!(m.types.display(node), "{ i32, ptr, ptr }");
    let space = Type::Ptr { addrspace: 1 };
    assert!(
        f.blocks[BlockId(0)]
            .insts
            .iter()
            .any(|inst| matches!(&inst.op, Op::Alloca { ty, .. } if *m.types.get(*ty) == space))
    );
    let call = f.blocks[BlockId(0)].insts.iter().find_map(|inst| match &inst.op {
        Op::Call(call) if call.callee.local().is_some() => Some(call),
        _ => None,
    });
    assert_eq!(m.types.display(call.unwrap().fn_ty), "void (ptr, ...)");
    let pick = function(&m, "pick");
    assert_eq!(pick.ret, TypeId::PTR);
}

#[test]
fn arithmetic() {
    let m = module(ALL);
    let f = function(&m, "arith");
    let binary = |name: &str| match &inst(f, name).op {
        Op::Binary { op, rhs, .. } => (*op, rhs.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(binary("and").1.value, Value::Const(Const::Int(0xFF)));
    assert_eq!(binary("or").1.value, Value::Const(Const::Int(0xFFFF_FFFF)));
    assert_eq!(binary("xor").1.value, Value::Const(Const::Int(0xFFFF_FFFF)));
    let all = [
        ("add", BinOp::Add),
        ("udiv", BinOp::UDiv),
        ("and", BinOp::And),
        ("or", BinOp::Or),
        ("xor", BinOp::Xor),
        ("fadd", BinOp::FAdd),
        ("fmul", BinOp::FMul),
        ("sub", BinOp::Sub),
        ("mul", BinOp::Mul),
        ("sdiv", BinOp::SDiv),
        ("urem", BinOp::URem),
        ("srem", BinOp::SRem),
        ("shl", BinOp::Shl),
        ("lshr", BinOp::LShr),
        ("ashr", BinOp::AShr),
        ("fsub", BinOp::FSub),
        ("fdiv", BinOp::FDiv),
        ("frem", BinOp::FRem),
    ];
    for (name, op) in all {
        assert_eq!(binary(name).0, op);
    }
    let ty = |name: &str| m.types.display(inst(f, name).ty);
    let types = [
        ("ee", "i32"),
        ("ie", "<4 x i32>"),
        ("sv", "<2 x i32>"),
        ("ev", "i8"),
        ("iv", "%pair"),
        ("zext", "i64"),
        ("asc", "ptr addrspace(1)"),
        ("ic", "i1"),
        ("vc", "<4 x i1>"),
        ("fpe", "double"),
        ("frz", "i32"),
        ("fneg", "float"),
        ("itp", "ptr"),
        ("fc", "i1"),
    ];
    for (name, text) in types {
        assert_eq!(ty(name), text, "{name}");
    }
    assert!(matches!(&inst(f, "zext").op, Op::Cast { op: CastOp::ZExt, .. }));
    assert!(matches!(&inst(f, "ic").op, Op::Icmp { pred: IntPred::Ult, .. }));
    assert!(matches!(inst(f, "fc").op, Op::Fcmp { pred: FloatPred::Oeq, .. }));
    let Op::Cast { value, .. } = &inst(f, "fpt").op else { panic!() };
    assert_eq!(value.value, Value::Const(Const::Float(u128::from(0.1f64.to_bits()))));
    assert!(matches!(&binary("sp").1.value, Value::Const(Const::Splat(item)) if item.value == Const::Int(1)));
}

#[test]
fn memory() {
    let m = module(ALL);
    let f = function(&m, "memory");
    let ty = |name: &str| m.types.display(inst(f, name).ty);
    assert!(matches!(&inst(f, "x").op, Op::Alloca { count: Some(_), align: Some(16), .. }));
    assert_eq!(ty("y"), "ptr addrspace(5)");
    assert!(matches!(inst(f, "l1").op, Op::Load { atomic: None, .. }));
    assert!(matches!(inst(f, "l2").op, Op::Load { atomic: Some(Ordering::Acquire), .. }));
    let stores: Vec<_> = f.blocks[BlockId(0)]
        .insts
        .iter()
        .filter_map(|inst| match &inst.op {
            Op::Store { atomic, .. } => Some(*atomic),
            _ => None,
        })
        .collect();
    assert_eq!(stores, [None, Some(Ordering::SeqCst)]);
    assert!(matches!(inst(f, "cx").op, Op::CmpXchg { weak: true, success: Ordering::AcqRel, .. }));
    assert_eq!(ty("cx"), "{ i32, i1 }");
    let ops = ["r0", "r1", "r2", "r3", "r4", "r5"].map(|name| match &inst(f, name).op {
        Op::AtomicRmw { op, .. } => *op,
        other => panic!("{other:?}"),
    });
    assert_eq!(ops, [RmwOp::Xchg, RmwOp::Add, RmwOp::Nand, RmwOp::UMax, RmwOp::FAdd, RmwOp::UIncWrap]);
    assert!(matches!(&inst(f, "g1").op, Op::Gep { indices, .. } if !indices.is_empty()));
    assert_eq!(ty("g3"), "<2 x ptr>");
    assert_eq!(ty("va"), "double");
}

#[test]
fn control_flow() {
    let m = module(ALL);
    let f = function(&m, "jumps");
    let Op::Switch { cases, default, .. } = &f.blocks[BlockId(0)].insts[0].op else { panic!() };
    assert_eq!(f.blocks[*default].name.as_str(), Some("default"));
    assert_eq!(cases[1].0.value, Const::Int(0xFFFF_FFFF));
    let Op::CallBr { call, fallthrough, indirect } = &f.blocks[BlockId(1)].insts[0].op else { panic!() };
    assert_eq!((*fallthrough, indirect.len()), (BlockId(2), 2));
    let Value::Asm(asm) = &call.callee.value else { panic!() };
    assert_eq!(asm.constraints, "=r,!i,~{memory}");
    assert!(matches!(&f.blocks[BlockId(2)].insts[0].op, Op::IndirectBr { targets, .. } if targets.len() == 2));
    assert!(matches!(f.blocks[BlockId(3)].insts[0].op, Op::Invoke { .. }));
    assert!(matches!(f.blocks[BlockId(4)].insts[0].op, Op::LandingPad));
    assert!(matches!(f.blocks[BlockId(4)].insts[1].op, Op::Resume(_)));
    let Op::Call(call) = &f.blocks[BlockId(5)].insts[0].op else { panic!() };
    assert_eq!(call.args.len(), 2);
    let Const::Items(labels) = init(&m, "labels") else { panic!() };
    let labels: Vec<_> = labels.iter().map(|label| label.value.clone()).collect();
    let address = |name| Const::BlockAddress(f.id, name);
    assert_eq!(labels, [address(Name::Named("one".into())), address(Name::Number(5))]);
    let pads = function(&m, "pads");
    assert!(matches!(&pads.blocks[BlockId(1)].insts[0].op, Op::Unsupported(opcode) if &**opcode == "catchswitch"));
}

#[test]
fn constants() {
    let m = module(ALL);
    let Const::Items(items) = init(&m, "c1") else { panic!() };
    let exprs: Vec<_> = items
        .iter()
        .map(|item| match &item.value {
            Const::Expr(expr) => &**expr,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(matches!(exprs[0], Op::Cast { op: CastOp::PtrToInt, .. }));
    assert!(matches!(exprs[1], Op::Binary { op: BinOp::Add, .. }));
    assert!(matches!(exprs[3], Op::Select { .. }));
    let Const::Expr(expr) = init(&m, "c2") else { panic!() };
    assert!(matches!(&**expr, Op::Gep { indices, .. } if !indices.is_empty()));
    let kinds = [
        ("c5", "ExtractElement"),
        ("c6", "InsertElement"),
        ("c7", "ShuffleVector"),
        ("c8", "Fcmp"),
        ("c12", "ExtractValue"),
        ("c13", "InsertValue"),
        ("c14", "FNeg"),
        ("c4", "Cast"),
    ];
    for (name, kind) in kinds {
        let Const::Expr(expr) = init(&m, name) else { panic!("{name}") };
        assert!(format!("{expr:?}").starts_with(kind), "{name}");
    }
    assert!(matches!(init(&m, "c9"), Const::Items(fields) if fields.len() == 2));
    let pads = Const::Global(m.symbol("pads").unwrap());
    assert_eq!((init(&m, "c10"), init(&m, "c11")), (&pads, &pads));
    assert_eq!(*init(&m, "c15"), Const::Int(u128::MAX));
    assert!(matches!(init(&m, "c16"), Const::BigInt(text) if text.len() == 60));
    assert_eq!(*init(&m, "c17"), Const::Float(0x3FFF_8000_0000_0000_0000));
    assert_eq!(*init(&m, "c18"), Const::Float(0x3FFF << 112));
    assert_eq!(*init(&m, "c20"), Const::Float(0x3C00));
    assert_eq!(*init(&m, "c22"), Const::Int(44));
}

#[test]
fn quoted_locals_and_later_definitions() {
    let m = module(
        "define i32 @\"f\\22g\"() {\n\"a b\":\n  br label %next\nnext:\n  %\"x\\22y\" = add i32 %late, 1\n  \
         ret i32 %\"x\\22y\"\nback:\n  %late = add i32 0, 0\n  br label %next\n  uselistorder i32 %late, { 1, 0 }\n}",
    );
    let f = m.function(m.symbol("f\"g").unwrap()).unwrap();
    assert_eq!(f.blocks[BlockId(0)].name.as_str(), Some("a b"));
    assert!(f.local_named("x\"y").is_some());
    assert_eq!(f.locals.len(), 2);
}
