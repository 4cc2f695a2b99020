; a comment
source_filename = "dir/a \22b\22.c"
target datalayout = "e-m:e-i64:64"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl x"
module asm "x: nop"

%struct.node = type { i32, ptr, [4 x i8] }
%struct.packed = type <{ i8, i32 }>
%struct.hidden = type opaque
%"struct.a b" = type { %struct.node }

$inlined = comdat any

@counter = dso_local global i32 7, align 4, !dbg !0 ;= External i32: & constant: false & value: Int(7) & align: Some(4) & dbg: Some(
@tls = internal thread_local(localexec) global i64 0, section "s.t", align 8 ;= Internal & thread_local: true
@ext = external global %struct.node, align 8 ;= init: None
@.str = private unnamed_addr constant [4 x i8] c"a\0A\5Cb", align 1 ;= constant: true & Bytes([97, 10, 92, 98])
@"odd name" = weak hidden local_unnamed_addr global ptr @counter, comdat($inlined), align 8 ;= Weak & value: Global(@
@0 = private unnamed_addr constant [0 x i32] zeroinitializer
@nested = global { i32, [2 x ptr], <2 x float> } { i32 -1, [2 x ptr] [ptr null, ptr getelementptr inbounds (%struct.node, ptr @ext, i32 0, i32 2, i64 1)], <2 x float> <float 1.000000e+00, float 0x3FB99999A0000000> } ;= value: Int(4294967295) & value: Null & Expr(Gep { & Float(1065353216) & Float(1036831949)
@far = addrspace(1) externally_initialized global i8 undef ;= i8: 
@al = dso_local alias i32 (i32), ptr @add_one
@if = internal ifunc i32 (), ptr @resolve

; Function Attrs: noinline
define dso_local i32 @add_one(i32 noundef %x) #0 !dbg !10 {
entry:
  %x.addr = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
    #dbg_declare(ptr %x.addr, !15, !DIExpression(), !16)
  %0 = load i32, ptr %x.addr, align 4, !dbg !17
  %add = add nsw i32 %0, 1, !dbg !18
    #dbg_value(i32 %add, !20, !DIExpression(DW_OP_plus_uconst, 4), !18)
    #dbg_label(!21, !18)
    #dbg_value(!{}, !20, !DIExpression(), !18)
  ret i32 %add, !dbg !19
}

define internal void @resolve(ptr noundef byval(%struct.node) align 8 %s, ptr sret(%struct.packed) %out, ...) unnamed_addr section "text.x" align 16 personality ptr @pers {
  %1 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef 5) #1
  br label %2

2:
  %3 = phi i32 [ %1, %0 ], [ %4, %2 ]
  %4 = add i32 %3, -1
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %2, !llvm.loop !30

6:
  call void @exit(i32 1) noreturn
  unreachable
}

declare i32 @printf(ptr noundef, ...) #1
declare !dbg !31 void @exit(i32) #2
declare i32 @pers(...)

attributes #0 = { noinline nounwind "frame-pointer"="all" memory(argmem: read) }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { noreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!40, !41}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 3, type: !4, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !5, nameTableKind: None)
!3 = !DIFile(filename: "a.c", directory: "/src/dir", checksumkind: CSK_MD5, checksum: "00")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !{!0}
!10 = distinct !DISubprogram(name: "add_one", scope: !3, file: !3, line: 5, type: !11, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !13)
!11 = !DISubroutineType(types: !12)
!12 = !{!4, !4, null}
!13 = !{}
!14 = distinct !DILexicalBlock(scope: !10, file: !3, line: 7, column: 3)
!15 = !DILocalVariable(name: "x", arg: 1, scope: !10, file: !3, line: 5, type: !4)
!16 = !DILocation(line: 5, column: 17, scope: !10)
!17 = !DILocation(line: 8, column: 10, scope: !14)
!18 = !DILocation(line: 8, column: 12, scope: !22, inlinedAt: !17)
!19 = !DILocation(line: 8, column: 3, scope: !14)
!20 = !DILocalVariable(name: "p", scope: !14, file: !3, line: 7, type: !50, flags: DIFlagArtificial)
!21 = !DILabel(scope: !10, name: "again", file: !3, line: 9)
!22 = !DILexicalBlockFile(scope: !14, file: !23, discriminator: 2)
!23 = !DIFile(filename: "/abs/b.h", directory: "/src")
!30 = distinct !{!30, !19, !"llvm.loop.mustprogress"}
!31 = !DISubprogram(name: "exit", scope: !3, file: !3, line: 1, type: !11, flags: DIFlagPrototyped, spFlags: 0)
!40 = !{i32 7, !"Dwarf Version", i32 5}
!41 = !{i32 1, !"wchar_size", i32 4}
!50 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !51, size: 64) ;= Pointer { to: Some(
!51 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !52) ;= Qualified { of: Some(
!52 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 1, size: 192, elements: !53) ;= Record { union: false, name: "node", size: 192, & name: "value", & offset: 0, size: 3, bit_field: true & name: "next", & offset: 64, size: 64, bit_field: false & name: "rest", & offset: 128, size: 32, & declaration: false
!53 = !{!54, !55, !56}
!54 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !52, file: !3, line: 1, baseType: !4, size: 3, flags: DIFlagBitField, extraData: i64 0)
!55 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !52, file: !3, line: 2, baseType: !50, size: 64, offset: 64)
!56 = !DIDerivedType(tag: DW_TAG_member, name: "rest", scope: !52, file: !3, line: 3, baseType: !57, size: 32, offset: 128)
!57 = !DICompositeType(tag: DW_TAG_array_type, baseType: !58, size: 32, elements: !59) ;= counts: [Some(4), None, None, Some(9)]
!58 = !DIDerivedType(tag: DW_TAG_typedef, name: "byte", file: !3, line: 1, baseType: !61)
!59 = !{!60, !DISubrange(count: !15), !DISubrange(count: -1), !DISubrange(count: i64 9)}
!60 = !DISubrange(count: 4)
!61 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !62)
!62 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !63) ;= Qualified
!63 = distinct !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !3, line: 1, baseType: !4, size: 32, elements: !64) ;= Enum { size: 32, base: Some(
!64 = !{!DIEnumerator(name: "RED", value: -1), !DIEnumerator(name: "BLUE", value: 4294967295, isUnsigned: true)}
!65 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64) ;= Pointer
!66 = !DIStrangeNode(what: {1, 2}, why: DW_OP_x, flag: true, none: null) ;= Other
!67 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !3, size: 8, elements: !13) ;= Record { union: true, name: "",
!68 = !DIDerivedType(tag: DW_TAG_typedef, name: "loop", baseType: !68)

^0 = module: (path: "a.o", hash: (0, 0))
