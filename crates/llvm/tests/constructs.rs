//! Every construct the reader knows, in small texts of our own.

mod common;

use common::{ALL, NEW, OLD};
use llvm::*;

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error:?}"))
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.function_named(name).expect(name)
}

fn local(function: &Function, name: &str) -> Option<LocalId> {
    function.locals.iter().find(|(_, local)| local.name.as_str() == Some(name)).map(|(id, _)| id)
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

/// Lines that end in `;= a & b` have these in the type and the content of what they define, or in the type that they
/// describe, as shown for debugging.
#[test]
fn lines_are_what_they_say() {
    for text in [NEW, ALL] {
        let m = module(text);
        let mut body = None;
        for line in text.lines() {
            if line.starts_with("define ") {
                body = line.split(['@', '(']).nth(1).map(|name| function(&m, name));
            }
            let Some((code, expected)) = line.split_once(";= ") else { continue };
            let name = code.split_once(" = ").expect(line).0.trim_start();
            let (sigil, name) = name.split_at(1);
            let shown = match (sigil, body) {
                ("%", Some(body)) => {
                    let id = local(body, name);
                    let inst = body.insts().find(|inst| inst.result == id).expect(line);
                    format!("{}: {:?}", m.types.display(inst.ty), inst.op)
                }
                ("!", _) => format!("{:?}", m.debug_type(m.metadata_index[&name.parse().expect(line)])),
                _ => {
                    let id = m.symbol(name.trim_matches('"')).expect(line);
                    let variable = m.variable(id).expect(line);
                    format!("{:?} {}: {variable:?}", m.symbols[id].linkage, m.types.display(variable.ty))
                }
            };
            expected.split(" & ").for_each(|part| assert!(shown.contains(part.trim_end()), "{line}\n{shown}"));
        }
    }
}

#[test]
fn aliases() {
    let m = module(NEW);
    let alias = m.symbol("al").unwrap();
    assert_eq!(m.resolve_alias(alias), m.symbol("add_one").unwrap());
    assert_eq!(m.symbols.values().filter(|symbol| symbol.def == SymbolDef::Ifunc).count(), 1);
    assert!(m.symbols.values().any(|symbol| symbol.name == Name::Number(0)));
    let m = module("@a = alias i32, ptr @a");
    let a = m.symbol("a").unwrap();
    assert_eq!(m.resolve_alias(a), a);
}

#[test]
fn functions_and_numbering() {
    let m = module(NEW);
    let f = function(&m, "resolve");
    assert!(f.varargs && m.symbols[f.id].linkage == Linkage::Internal);
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
fn stores() {
    let m = module(ALL);
    let stores = function(&m, "memory").insts().filter_map(|inst| match &inst.op {
        Op::Store { atomic, .. } => Some(*atomic),
        _ => None,
    });
    assert_eq!(stores.collect::<Vec<_>>(), [None, Some(Ordering::SeqCst)]);
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
    let pads = function(&m, "pads");
    assert!(matches!(&pads.blocks[BlockId(1)].insts[0].op, Op::Unsupported(opcode) if &**opcode == "catchswitch"));
}

#[test]
fn quoted_locals_and_later_definitions() {
    let m = module(
        "define i32 @\"f\\22g\"() {\n\"a b\":\n  br label %next\nnext:\n  %\"x\\22y\" = add i32 %late, 1\n  \
         ret i32 %\"x\\22y\"\nback:\n  %late = add i32 0, 0\n  br label %next\n  uselistorder i32 %late, { 1, 0 }\n}",
    );
    let f = m.function(m.symbol("f\"g").unwrap()).unwrap();
    assert_eq!(f.blocks[BlockId(0)].name.as_str(), Some("a b"));
    assert!(local(f, "x\"y").is_some());
    assert_eq!(f.locals.len(), 2);
}
