; What stands behind `;=` must be found in what is made of the line (constructs.rs).
%pair = type { i32, i8 }
@g = global i32 0
@labels = global [2 x ptr] [ptr blockaddress(@jumps, %one), ptr blockaddress(@jumps, %5)] ;= BlockAddress(@ & Named("one")) & Number(5))

define i32 @arith(i32 %a, i32 %b, float %f, <4 x i32> %v, %pair %p) {
entry:
  %add = add nuw nsw i32 %a, %b ;= Binary { op: Add,
  %sub = sub i32 %a, 1 ;= Binary { op: Sub,
  %mul = mul nsw i32 %a, %b ;= Binary { op: Mul,
  %udiv = udiv exact i32 %a, %b ;= Binary { op: UDiv,
  %sdiv = sdiv i32 %a, %b ;= Binary { op: SDiv,
  %urem = urem i32 %a, %b ;= Binary { op: URem,
  %srem = srem i32 %a, %b ;= Binary { op: SRem,
  %shl = shl i32 %a, 3 ;= Binary { op: Shl,
  %lshr = lshr i32 %a, 3 ;= Binary { op: LShr,
  %ashr = ashr exact i32 %a, 3 ;= Binary { op: AShr,
  %and = and i32 %a, u0xFF ;= Binary { op: And, & Int(255)
  %or = or disjoint i32 %a, s0xF ;= Binary { op: Or, & Int(4294967295)
  %xor = xor i32 %a, -1 ;= Binary { op: Xor, & Int(4294967295)
  %fneg = fneg nnan float %f ;= float: 
  %fadd = fadd fast float %f, 1.0 ;= Binary { op: FAdd,
  %fsub = fsub float %f, 0x3FF8000000000000 ;= Binary { op: FSub,
  %fmul = fmul contract float %f, %f ;= Binary { op: FMul,
  %fdiv = fdiv float %f, %f ;= Binary { op: FDiv,
  %frem = frem float %f, %f ;= Binary { op: FRem,
  %ee = extractelement <4 x i32> %v, i32 2 ;= i32: 
  %ie = insertelement <4 x i32> %v, i32 %a, i64 1 ;= <4 x i32>: 
  %sv = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 7> ;= <2 x i32>: 
  %sp = add <4 x i32> %v, splat (i32 1) ;= Splat(TypedConst { ty: type4, value: Int(1) })
  %ev = extractvalue %pair %p, 1 ;= i8: 
  %iv = insertvalue %pair %p, i8 %ev, 1 ;= %pair: 
  %trunc = trunc nuw i32 %a to i8
  %zext = zext nneg i8 %trunc to i64 ;= i64: Cast { op: ZExt,
  %sext = sext i8 %trunc to i64
  %fpt = fptrunc double 0x3FB999999999999A to float ;= Cast { op: FPTrunc, & Float(4591870180066957722)
  %fpe = fpext float %f to double ;= double: 
  %fui = fptoui float %f to i32
  %fsi = fptosi float %f to i32
  %uif = uitofp i32 %a to float
  %sif = sitofp i32 %a to double
  %pti = ptrtoint ptr @g to i64
  %itp = inttoptr i64 %pti to ptr ;= ptr: 
  %bc = bitcast float %f to i32
  %asc = addrspacecast ptr %itp to ptr addrspace(1) ;= ptr addrspace(1): 
  %ic = icmp samesign ult i32 %a, %b ;= i1: Icmp { pred: Ult,
  %vc = icmp eq <4 x i32> %v, zeroinitializer ;= <4 x i1>: 
  %fc = fcmp fast oeq float %f, 0.0 ;= i1: Fcmp { pred: Oeq,
  %sel = select i1 %ic, i32 %a, i32 %b
  %frz = freeze i32 %sel ;= i32: 
  ret i32 %frz
}

define void @memory(ptr %p, ptr %list, i32 %n) {
entry:
  %x = alloca i32, i32 %n, align 16 ;= Alloca { & count: Some( & align: Some(16)
  %y = alloca %pair, align 4, addrspace(5) ;= ptr addrspace(5): 
  %l1 = load volatile i32, ptr %p, align 4 ;= Load { & atomic: None
  %l2 = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4 ;= Load { & atomic: Some(Acquire)
  store volatile i32 1, ptr %p
  store atomic i32 2, ptr %p seq_cst, align 4
  fence release
  fence syncscope("singlethread") acq_rel
  %cx = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4 ;= { i32, i1 }: CmpXchg { weak: true, & success: AcqRel
  %old = extractvalue { i32, i1 } %cx, 0
  %r0 = atomicrmw xchg ptr %p, i32 1 monotonic, align 4 ;= AtomicRmw { op: Xchg,
  %r1 = atomicrmw volatile add ptr %p, i32 1 seq_cst ;= AtomicRmw { op: Add,
  %r2 = atomicrmw nand ptr %p, i32 1 release ;= AtomicRmw { op: Nand,
  %r3 = atomicrmw umax ptr %p, i32 1 acquire ;= AtomicRmw { op: UMax,
  %r4 = atomicrmw fadd ptr %p, float 1.0 seq_cst ;= AtomicRmw { op: FAdd,
  %r5 = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst ;= AtomicRmw { op: UIncWrap,
  %g1 = getelementptr inbounds nuw %pair, ptr %p, i64 0, i32 1 ;= Gep { & indices: [Operand
  %g2 = getelementptr [3 x i32], ptr %p, i32 %n, i64 1
  %g3 = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1> ;= <2 x ptr>: 
  %va = va_arg ptr %list, double ;= double: 
  ret void
}

define i32 @jumps(i32 %0, ptr %1) {
  switch i32 %0, label %default [
    i32 0, label %one
    i32 -1, label %5
  ]

one:
  %3 = callbr i32 asm sideeffect alignstack "foo $0, ${1:l}", "=r,!i,~{memory}"() #0
          to label %4 [label %5, label %default]

4:
  indirectbr ptr %1, [label %one, label %5]

5:
  %6 = invoke i32 @jumps(i32 1, ptr null)
          to label %4 unwind label %pad

pad:
  %7 = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  resume { ptr, i32 } %7

default:
  %8 = musttail call fastcc zeroext i32 @jumps(i32 signext %0, ptr byval(%pair) align 4 nonnull "k"="v" %1) #0 [ "deopt"(i32 1, ptr %1), "x"() ]
  ret i32 %8
}

define void @pads() personality ptr @g {
  invoke void @pads() to label %done unwind label %cs
cs:
  %s = catchswitch within none [label %h] unwind to caller
h:
  %c = catchpad within %s [ptr null]
  catchret from %c to label %done
done:
  ret void
}

@c1 = global [6 x i64] [i64 ptrtoint (ptr @g to i64), i64 add nsw (i64 ptrtoint (ptr @g to i64), i64 1), i64 sext (i32 5 to i64), i64 select (i1 true, i64 1, i64 2), i64 zext (i1 icmp eq (ptr @g, ptr null) to i64), i64 sub (i64 1, i64 2)] ;= [6 x i64]: & Expr(Cast { op: PtrToInt, & Expr(Binary { op: Add, & Expr(Select {
@c2 = global ptr getelementptr inbounds nuw inrange(-16, 16) ({ [2 x ptr] }, ptr @g, i32 0, inrange i32 0, i32 1) ;= Expr(Gep { & indices: [Operand
@c3 = global ptr inttoptr (i64 5 to ptr)
@c4 = global ptr addrspacecast (ptr addrspace(1) @a1 to ptr) ;= Expr(Cast {
@c5 = global i32 extractelement (<2 x i32> <i32 1, i32 2>, i32 0) ;= Expr(ExtractElement {
@c6 = global <2 x i32> insertelement (<2 x i32> undef, i32 1, i32 0) ;= Expr(InsertElement {
@c7 = global <2 x i32> shufflevector (<2 x i32> undef, <2 x i32> zeroinitializer, <2 x i32> zeroinitializer) ;= Expr(ShuffleVector {
@c8 = global i1 fcmp olt (float 1.0, float 2.0) ;= Expr(Fcmp {
@c9 = global <{ i8, i32 }> <{ i8 1, i32 2 }> ;= Items([TypedConst { ty: type3, value: Int(1) }, TypedConst { ty: type4, value: Int(2) }])
@c10 = global ptr dso_local_equivalent @pads ;= Global(@
@c11 = global ptr no_cfi @pads ;= Global(@
@c12 = global i8 extractvalue (%pair { i32 1, i8 2 }, 1) ;= Expr(ExtractValue {
@c13 = global %pair insertvalue (%pair zeroinitializer, i8 2, 1) ;= Expr(InsertValue {
@c14 = global float fneg (float 1.0) ;= Expr(FNeg(
@c15 = global i128 -1 ;= Int(340282366920938463463374607431768211455)
@c16 = global i200 123456789012345678901234567890123456789012345678901234567890 ;= BigInt("123456789012345678901234567890123456789012345678901234567890")
@c17 = global x86_fp80 0xK3FFF8000000000000000 ;= Float(302222231531620438900736)
@c18 = global fp128 0xL00000000000000003FFF000000000000 ;= Float(85065399433376081038215121361612832768)
@c19 = global ppc_fp128 0xM3FF00000000000000000000000000000
@c20 = global half 0xH3C00 ;= Float(15360)
@c21 = global bfloat 0xR3F80
@c22 = global i8 300 ;= Int(44)
@a1 = addrspace(1) global i8 0
