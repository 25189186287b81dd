#include "textflag.h"

// AVX2 forms of the functions in plain.go; kernel_amd64.go says what they keep.
// The scans walk two streams of rows, half of the block apart, scanI8AVX2 four. Within a
// row the byte offset into it runs in BX.

// The low lane of Xs becomes (t0+t1)+(t2+t3), t[j] = lane[j]+lane[j+4] of Ys.
#define SUM_F32(Ys, Xs, Xt) \
	VEXTRACTF128 $1, Ys, Xt \
	VADDPS  Xt, Xs, Xs \
	VHADDPS Xs, Xs, Xs \
	VHADDPS Xs, Xs, Xs

// The low lane of Xs becomes the sum of the eight lanes of Ys.
#define SUM_I32(Ys, Xs, Xt) \
	VEXTRACTI128 $1, Ys, Xt \
	VPADDD  Xt, Xs, Xs \
	VPHADDD Xs, Xs, Xs \
	VPHADDD Xs, Xs, Xs

// to = float32(sum of Ys) · float32(scale · Xq), scale being in memory.
#define STORE_I8(Ys, Xs, Xt, scale, Xq, to) \
	SUM_I32(Ys, Xs, Xt) \
	VCVTDQ2PS Xs, Xs \
	VMULSS scale, Xq, Xt \
	VMULSS Xt, Xs, Xs \
	VMOVSS Xs, to

// func dotF32AVX2(a, b *float32, n int) float32
TEXT ·dotF32AVX2(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	MOVQ n+16(FP), R8
	SHLQ $2, R8
	XORL BX, BX
	VXORPS Y0, Y0, Y0
step:
	VMOVUPS (DX)(BX*1), Y4
	VMULPS (SI)(BX*1), Y4, Y4
	VADDPS Y4, Y0, Y0
	ADDQ $32, BX
	CMPQ BX, R8
	JLT  step
	SUM_F32(Y0, X0, X4)
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotI8AVX2(a, b *int8, n int) int32
TEXT ·dotI8AVX2(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	MOVQ n+16(FP), R8
	XORL BX, BX
	VPXOR Y0, Y0, Y0
step:
	VPMOVSXBW (SI)(BX*1), Y4
	VPMOVSXBW (DX)(BX*1), Y5
	VPMADDWD Y4, Y5, Y4
	VPADDD Y4, Y0, Y0
	ADDQ $16, BX
	CMPQ BX, R8
	JLT  step
	SUM_I32(Y0, X0, X4)
	VMOVD X0, AX
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET

// func scanF32AVX2(x, rows, q *float32, half, stride int)
TEXT ·scanF32AVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ q+16(FP), DX
	MOVQ half+24(FP), CX
	MOVQ stride+32(FP), R8
	SHLQ $2, R8
	MOVQ CX, R10
	IMULQ R8, R10
	ADDQ SI, R10
	LEAQ (DI)(CX*4), R11
row:
	XORL BX, BX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
step:
	VMOVUPS (DX)(BX*1), Y8
	VMULPS (SI)(BX*1), Y8, Y4
	VMULPS (R10)(BX*1), Y8, Y5
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	ADDQ $32, BX
	CMPQ BX, R8
	JLT  step
	SUM_F32(Y0, X0, X4)
	SUM_F32(Y1, X1, X5)
	VMOVSS X0, (DI)
	VMOVSS X1, (R11)
	ADDQ R8, SI
	ADDQ R8, R10
	ADDQ $4, DI
	ADDQ $4, R11
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

// func scan2F32AVX2(x, y, rows, q, p *float32, half, stride int)
TEXT ·scan2F32AVX2(SB), NOSPLIT, $0-56
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), R9
	MOVQ rows+16(FP), SI
	MOVQ q+24(FP), DX
	MOVQ p+32(FP), AX
	MOVQ half+40(FP), CX
	MOVQ stride+48(FP), R8
	SHLQ $2, R8
	MOVQ CX, R10
	IMULQ R8, R10
	ADDQ SI, R10
	LEAQ (DI)(CX*4), R11
	LEAQ (R9)(CX*4), R12
row:
	XORL BX, BX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
step:
	VMOVUPS (SI)(BX*1), Y8
	VMOVUPS (R10)(BX*1), Y9
	VMOVUPS (DX)(BX*1), Y10
	VMOVUPS (AX)(BX*1), Y11
	VMULPS Y8, Y10, Y4
	VMULPS Y9, Y10, Y5
	VMULPS Y8, Y11, Y6
	VMULPS Y9, Y11, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ $32, BX
	CMPQ BX, R8
	JLT  step
	SUM_F32(Y0, X0, X4)
	SUM_F32(Y1, X1, X5)
	SUM_F32(Y2, X2, X6)
	SUM_F32(Y3, X3, X7)
	VMOVSS X0, (DI)
	VMOVSS X1, (R11)
	VMOVSS X2, (R9)
	VMOVSS X3, (R12)
	ADDQ R8, SI
	ADDQ R8, R10
	ADDQ $4, DI
	ADDQ $4, R11
	ADDQ $4, R9
	ADDQ $4, R12
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

// func scanI8AVX2(x *float32, rows *int8, scales *float32, q *int16, qScale float32, n, gap, stride int)
TEXT ·scanI8AVX2(SB), NOSPLIT, $0-64
	MOVQ x+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ scales+16(FP), R13
	MOVQ q+24(FP), DX
	VBROADCASTSS qScale+32(FP), X14
	MOVQ n+40(FP), CX
	MOVQ gap+48(FP), R12
	MOVQ stride+56(FP), R8
	MOVQ R12, R9
	IMULQ R8, R9
	LEAQ (SI)(R9*2), R10
	LEAQ (R10)(R9*1), R11
	ADDQ SI, R9
	SHLQ $2, R12
	LEAQ (R12)(R12*2), R15 // from the first stream's scales and results to the fourth's
four:
	XORL BX, BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
step:
	VMOVDQU (DX)(BX*2), Y8
	VPMOVSXBW (SI)(BX*1), Y4
	VPMOVSXBW (R9)(BX*1), Y5
	VPMOVSXBW (R10)(BX*1), Y6
	VPMOVSXBW (R11)(BX*1), Y7
	VPMADDWD Y4, Y8, Y4
	VPMADDWD Y5, Y8, Y5
	VPMADDWD Y6, Y8, Y6
	VPMADDWD Y7, Y8, Y7
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VPADDD Y6, Y2, Y2
	VPADDD Y7, Y3, Y3
	ADDQ $16, BX
	CMPQ BX, R8
	JLT  step
	VPHADDD Y1, Y0, Y0
	VPHADDD Y3, Y2, Y2
	VPHADDD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X4
	VPADDD X4, X0, X0
	VCVTDQ2PS X0, X0
	VMOVSS (R13), X4
	VINSERTPS $0x10, (R13)(R12*1), X4, X4
	VINSERTPS $0x20, (R13)(R12*2), X4, X4
	VINSERTPS $0x30, (R13)(R15*1), X4, X4
	VMULPS X4, X14, X4
	VMULPS X4, X0, X0
	VMOVSS X0, (DI)
	VEXTRACTPS $1, X0, (DI)(R12*1)
	VEXTRACTPS $2, X0, (DI)(R12*2)
	VEXTRACTPS $3, X0, (DI)(R15*1)
	ADDQ R8, SI
	ADDQ R8, R9
	ADDQ R8, R10
	ADDQ R8, R11
	ADDQ $4, DI
	ADDQ $4, R13
	DECQ CX
	JNZ  four
	VZEROUPPER
	RET

// func scan2I8AVX2(x, y *float32, rows *int8, scales *float32, q, p *int16, qScale, pScale float32, half, stride int)
TEXT ·scan2I8AVX2(SB), NOSPLIT, $0-72
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), R9
	MOVQ rows+16(FP), SI
	MOVQ scales+24(FP), R13
	MOVQ q+32(FP), DX
	MOVQ p+40(FP), AX
	VMOVSS qScale+48(FP), X14
	VMOVSS pScale+52(FP), X13
	MOVQ half+56(FP), CX
	MOVQ stride+64(FP), R8
	MOVQ CX, R10
	IMULQ R8, R10
	ADDQ SI, R10
	MOVQ CX, R12 // half, for the second stream's scales and results
row:
	XORL BX, BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
step:
	VPMOVSXBW (SI)(BX*1), Y8
	VPMOVSXBW (R10)(BX*1), Y9
	VMOVDQU (DX)(BX*2), Y10
	VMOVDQU (AX)(BX*2), Y11
	VPMADDWD Y8, Y10, Y4
	VPMADDWD Y9, Y10, Y5
	VPMADDWD Y8, Y11, Y6
	VPMADDWD Y9, Y11, Y7
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VPADDD Y6, Y2, Y2
	VPADDD Y7, Y3, Y3
	ADDQ $16, BX
	CMPQ BX, R8
	JLT  step
	STORE_I8(Y0, X0, X4, (R13), X14, (DI))
	STORE_I8(Y1, X1, X5, (R13)(R12*4), X14, (DI)(R12*4))
	STORE_I8(Y2, X2, X6, (R13), X13, (R9))
	STORE_I8(Y3, X3, X7, (R13)(R12*4), X13, (R9)(R12*4))
	ADDQ R8, SI
	ADDQ R8, R10
	ADDQ $4, DI
	ADDQ $4, R9
	ADDQ $4, R13
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

DATA guard<>+0(SB)/8, $1e-6
GLOBL guard<>(SB), RODATA|NOPTR, $8

// func scoreAVX2(out, x, y, norm2 *float32, n int, f *Form)
TEXT ·scoreAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ norm2+24(FP), R8
	MOVQ n+32(FP), CX
	MOVQ f+40(FP), AX
	VBROADCASTSD 0(AX), Y8  // A
	VBROADCASTSD 8(AX), Y9  // X0
	VBROADCASTSD 16(AX), Y10 // D0
	VBROADCASTSD 24(AX), Y11 // D1
	VBROADCASTSD 32(AX), Y12 // D2
	VBROADCASTSD guard<>(SB), Y13
	VXORPD Y14, Y14, Y14
	XORL BX, BX
four:
	VCVTPS2PD (R8)(BX*4), Y0 // n²
	VCVTPS2PD (DX)(BX*4), Y1 // y
	VCVTPS2PD (SI)(BX*4), Y2 // x
	VMULPD Y11, Y1, Y3
	VADDPD Y3, Y0, Y3
	VMULPD Y1, Y1, Y1
	VMULPD Y12, Y1, Y1
	VADDPD Y1, Y3, Y3
	VADDPD Y10, Y3, Y3 // the square of the denominator
	VADDPD Y9, Y2, Y2
	VMULPD Y8, Y2, Y2  // the numerator
	VMULPD Y13, Y0, Y4
	VCMPPD $0x1e, Y4, Y3, Y4 // square > guard·n²
	VCMPPD $0x04, Y14, Y0, Y5 // n² ≠ 0
	VANDPD Y5, Y4, Y4
	VSQRTPD Y3, Y3
	VDIVPD Y3, Y2, Y2
	VANDPD Y4, Y2, Y2
	VCVTPD2PSY Y2, X2
	VMOVUPS X2, (DI)(BX*4)
	ADDQ $4, BX
	CMPQ BX, CX
	JLT  four
	VZEROUPPER
	RET

// func addScaledAVX2(out, x, scale *float32, n int, most float32)
TEXT ·addScaledAVX2(SB), NOSPLIT, $0-36
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ scale+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSS most+32(FP), Y1
	XORL BX, BX
more:
	VMOVUPS (SI)(BX*4), Y0
	VMULPS (DX)(BX*4), Y0, Y0
	VMINPS Y0, Y1, Y0 // most if most < product, else the product, also if it is NaN
	VADDPS (DI)(BX*4), Y0, Y0
	VMOVUPS Y0, (DI)(BX*4)
	ADDQ $8, BX
	CMPQ BX, CX
	JLT  more
	VZEROUPPER
	RET

// func nextGEAVX2(scores *float32, i, n int, threshold float32) int
TEXT ·nextGEAVX2(SB), NOSPLIT, $0-40
	MOVQ scores+0(FP), SI
	MOVQ i+8(FP), BX
	MOVQ n+16(FP), CX
	VBROADCASTSS threshold+24(FP), Y8
	JMP  check
eight:
	VMOVUPS (SI)(BX*4), Y0
	VCMPPS $0x1d, Y8, Y0, Y0 // score ≥ threshold, false for NaN
	VTESTPS Y0, Y0
	JNZ  done
	ADDQ $8, BX
check:
	CMPQ BX, CX
	JLT  eight
done:
	MOVQ BX, ret+32(FP)
	VZEROUPPER
	RET
