package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tileI8 computes rows x columns outputs of quantised weights and inputs: sums of
// products in 32-bit integers, less what the inputs' offset adds to them, times
// the scales of input row and output, plus bias. Integer sums are exact and the
// rest is rounded step by step, so that plain Go gives the same bits.
func tileI8(rows, columns int) {
	TEXT(fmt.Sprintf("tileI8%dx%dVNNI", rows, columns), NOSPLIT,
		"func(k int, a *uint8, lda int, b *int8, ldb int, offsets *int32, scales, bias, rowScales, c *float32, ldc int)")
	Doc("One tile of outputs; k in groups of four, lda, ldb, ldc in bytes.")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	ldb := Load(Param("ldb"), GP64())

	vectors := columns / 16
	acc := make([][]VecVirtual, rows)
	for r := range acc {
		acc[r] = make([]VecVirtual, vectors)
		for v := range acc[r] {
			acc[r][v] = ZMM()
			VPXORD(acc[r][v], acc[r][v], acc[r][v])
		}
	}
	row, advance := rowsOf(a, lda, rows)
	weights := make([]VecVirtual, vectors)
	for v := range weights {
		weights[v] = ZMM()
	}
	x := [2]VecVirtual{ZMM(), ZMM()}
	Label("next")
	for v := range weights {
		at := Mem{Base: b}
		if v > 0 {
			at.Index, at.Scale = ldb, uint8(v)
		}
		VMOVDQU32(at, weights[v])
	}
	for r := range acc {
		VPBROADCASTD(row(r), x[r%2])
		for v := range acc[r] {
			dotBytes(weights[v], x[r%2], acc[r][v])
		}
	}
	advance(4)
	ADDQ(Imm(64), b)
	DECQ(k)
	JNZ(LabelRef("next"))

	offsets := Load(Param("offsets"), GP64())
	scales := Load(Param("scales"), GP64())
	bias := Load(Param("bias"), GP64())
	rowScales := Load(Param("rowScales"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	for r := range acc {
		VBROADCASTSS(Mem{Base: rowScales, Disp: 4 * r}, x[0])
		for v := range acc[r] {
			y := acc[r][v]
			VPSUBD(Mem{Base: offsets, Disp: 64 * v}, y, y)
			VCVTDQ2PS(y, y)
			VMULPS(Mem{Base: scales, Disp: 64 * v}, y, y)
			VMULPS(x[0], y, y)
			VADDPS(Mem{Base: bias, Disp: 64 * v}, y, y)
			VMOVUPS(y, Mem{Base: c, Disp: 64 * v})
		}
		if r < rows-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}

// quantize writes a row as bytes around 128 and returns its scale.
func quantize() {
	TEXT("quantizeVNNI", NOSPLIT, "func(to *uint8, x *float32, n int) float32")
	Doc("n is a positive multiple of 16.")
	Pragma("noescape")
	to := Load(Param("to"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	at, left := GP64(), GP64()

	greatest := avx512.zero()
	MOVQ(x, at)
	MOVQ(n, left)
	Label("greatest")
	v := avx512.fresh(Mem{Base: at})
	VPANDD(constants["magnitudes"], v, v)
	VMAXPS(v, greatest, greatest)
	avx512.step(at)
	SUBQ(Imm(16), left)
	JG(LabelRef("greatest"))
	most := avx512.total(greatest, VMAXPS).AsX()

	// scale = greatest/127; where that is 0, 1/scale is not used: x is 0.
	limit, scale, inverse := XMM(), XMM(), XMM()
	VMOVSS(constants["limit"], limit)
	VDIVSS(limit, most, scale)
	Store(scale, ReturnIndex(0))
	VDIVSS(most, limit, inverse)
	zero := XMM()
	VXORPS(zero, zero, zero)
	VUCOMISS(zero, most)
	JNE(LabelRef("some"))
	VMOVSS(constants["one"], inverse)
	Label("some")
	factor := ZMM()
	VBROADCASTSS(inverse, factor)
	middle := ZMM()
	VMOVDQU32(constants["middle"], middle)
	Label("next")
	VMULPS(Mem{Base: x}, factor, v)
	VCVTPS2DQ(v, v)
	VPADDD(middle, v, v)
	VPMOVDB(v, Mem{Base: to})
	avx512.step(x)
	ADDQ(Imm(16), to)
	SUBQ(Imm(16), n)
	JG(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// dotBytes adds to each of 16 sums the products of four signed and four unsigned
// bytes (VPDPBUSD, which avo does not know).
func dotBytes(signed, unsigned, sums Op) {
	Instruction(&ir.Instruction{Opcode: "VPDPBUSD", Operands: []Op{signed, unsigned, sums}, Inputs: []Op{signed, unsigned, sums}, Outputs: []Op{sums},
		ISA: []string{"AVX512_VNNI"}})
}
