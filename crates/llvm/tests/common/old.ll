source_filename = "a.c"
%struct.node = type { i32, %struct.node*, void (i8*, ...)* }

@counter = dso_local global i32 7, align 4
@table = global [2 x i8* (i32)*] [i8* (i32)* null, i8* (i32)* bitcast (i32 (i32)* @add_one to i8* (i32)*)], align 16
@head = common dso_local global %struct.node* null, align 8
@str = private unnamed_addr constant [2 x i8] c"x\00", align 1
@al = alias i32 (i32), i32 (i32)* @add_one

define dso_local i32 @add_one(i32 %0) #0 !dbg !10 {
  %2 = alloca i32, align 4
  %3 = alloca i32 addrspace(1)*, align 8
  store i32 %0, i32* %2, align 4
  call void @llvm.dbg.declare(metadata i32* %2, metadata !15, metadata !DIExpression()), !dbg !16
  %4 = load i32, i32* %2, align 4, !dbg !17
  %5 = load %struct.node*, %struct.node** @head, align 8
  %6 = getelementptr inbounds %struct.node, %struct.node* %5, i32 0, i32 2
  %7 = load void (i8*, ...)*, void (i8*, ...)** %6, align 8
  call void (i8*, ...) %7(i8* getelementptr inbounds ([2 x i8], [2 x i8]* @str, i64 0, i64 0), i32 1), !dbg !17
  %8 = bitcast i32* %2 to i8*
  %9 = call i8* @id(i8* %8) #1
  %10 = load void ()*, void ()** bitcast (%struct.node** @head to void ()**), align 8
  call void %10()
  call void @llvm.dbg.value(metadata i32 %4, metadata !15, metadata !DIExpression()), !dbg !17
  call void @llvm.dbg.label(metadata !18), !dbg !17
  %11 = call void ()* @pick(i32 1)
  %12 = add nsw i32 %4, 1, !dbg !17
  ret i32 %12, !dbg !17
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
declare void @llvm.dbg.value(metadata, metadata, metadata) #1
declare void @llvm.dbg.label(metadata) #1
declare i8* @id(i8*)
declare void ()* @pick(i32)

attributes #0 = { noinline nounwind }
attributes #1 = { nounwind }

!3 = !DIFile(filename: "a.c", directory: "/src")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "add_one", scope: !3, file: !3, line: 5, scopeLine: 6)
!15 = !DILocalVariable(name: "x", arg: 1, scope: !10, file: !3, line: 5, type: !4)
!16 = !DILocation(line: 5, column: 17, scope: !10)
!17 = !DILocation(line: 8, column: 10, scope: !10)
!18 = !DILabel(scope: !10, name: "again", file: !3, line: 9)
