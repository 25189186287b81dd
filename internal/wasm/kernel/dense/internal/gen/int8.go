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
// the scales of input row and output, plus the row's middle times the sum of the
// weights, plus bias. Integer sums are exact and the rest is rounded step by step, so
// that plain Go gives the same bits.
func tileI8(rows, columns int) {
	TEXT(fmt.Sprintf("tileI8%dx%dVNNI", rows, columns), NOSPLIT,
		"func(k int, a *uint8, lda int, b *int8, ldb int, offsets *int32, scales, sums, bias, rowScales, rowMiddles, c *float32, ldc int)")
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
	for r := range acc {
		for v := range acc[r] {
			VPSUBD(Mem{Base: offsets, Disp: 64 * v}, acc[r][v], acc[r][v])
		}
	}
	avx512.scaled(acc, x[0], x[1], weights[0])
}

// tileI8AVX2 is tileI8 for 16 columns without VNNI. VPMADDUBSW adds two products of
// an unsigned and a signed byte in 16 bits, which 2·255·127 would not fit: so the
// unsigned ones are the magnitudes of the weights, the signed ones inputs that take
// the weights' signs, and 2·127·127 fits. Inputs have no offset here.
func tileI8AVX2(rows int) {
	TEXT(fmt.Sprintf("tileI8%dx16AVX2", rows), NOSPLIT,
		"func(k int, a *int8, lda int, b *int8, scales, sums, bias, rowScales, rowMiddles, c *float32, ldc int)")
	Doc("One tile of outputs; k in groups of four, lda, ldc in bytes.")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())

	acc := make([][]VecVirtual, rows)
	for r := range acc {
		acc[r] = []VecVirtual{avx2.zero(), avx2.zero()}
	}
	row, advance := rowsOf(a, lda, rows)
	weights, magnitudes, x, ones := YMM(), YMM(), YMM(), YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	Label("next")
	for v := range 2 {
		VMOVDQU(Mem{Base: b, Disp: 32 * v}, weights)
		VPABSB(weights, magnitudes)
		for r := range acc {
			VPBROADCASTD(row(r), x)
			VPSIGNB(weights, x, x)
			VPMADDUBSW(x, magnitudes, x)
			VPMADDWD(ones, x, x)
			VPADDD(x, acc[r][v], acc[r][v])
		}
	}
	advance(4)
	ADDQ(Imm(64), b)
	DECQ(k)
	JNZ(LabelRef("next"))
	avx2.scaled(acc, x, weights, magnitudes)
}

// scaled ends a tile: sums times the scales of output and input row, plus the row's
// middle times the sum of the weights, plus bias.
func (is *isa) scaled(acc [][]VecVirtual, rowScale, middle, free VecVirtual) {
	scales := Load(Param("scales"), GP64())
	sums := Load(Param("sums"), GP64())
	bias := Load(Param("bias"), GP64())
	rowScales := Load(Param("rowScales"), GP64())
	rowMiddles := Load(Param("rowMiddles"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	for r := range acc {
		VBROADCASTSS(Mem{Base: rowScales, Disp: 4 * r}, rowScale)
		VBROADCASTSS(Mem{Base: rowMiddles, Disp: 4 * r}, middle)
		for v, y := range acc[r] {
			at := 4 * is.lanes * v
			VCVTDQ2PS(y, y)
			VMULPS(Mem{Base: scales, Disp: at}, y, y)
			VMULPS(rowScale, y, y)
			VMULPS(Mem{Base: sums, Disp: at}, middle, free)
			VADDPS(free, y, y)
			VADDPS(Mem{Base: bias, Disp: at}, y, y)
			VMOVUPS(y, Mem{Base: c, Disp: at})
		}
		if r < len(acc)-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}

// quantize writes a row as bytes, around 128 for VNNI and around 0 for AVX2, and
// returns its scale and middle.
func quantize(is *isa) {
	name := map[*isa]string{avx512: "VNNI", avx2: "AVX2"}[is]
	TEXT("quantize"+name, NOSPLIT, "func(to *uint8, x *float32, n int) (scale, middle float32)")
	Doc("n is a positive multiple of 16.")
	Pragma("noescape")
	to := Load(Param("to"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	at, left := GP64(), GP64()

	lows, highs := is.fresh(Mem{Base: x}), is.fresh(Mem{Base: x})
	MOVQ(x, at)
	MOVQ(n, left)
	Label("range")
	v := is.fresh(Mem{Base: at})
	VMINPS(v, lows, lows)
	VMAXPS(v, highs, highs)
	is.step(at)
	SUBQ(Imm(uint64(is.lanes)), left)
	JG(LabelRef("range"))
	low, high := is.total(lows, VMINPS).AsX(), is.total(highs, VMAXPS).AsX()

	// scale = distance/127; if 1/scale might not be finite, values are 0.
	middle, distance, limit, inverse := XMM(), XMM(), XMM(), XMM()
	VSUBSS(low, high, middle)
	VMULSS(constants["half"], middle, middle)
	VADDSS(low, middle, middle)
	Store(middle, ReturnIndex(1))
	VSUBSS(middle, high, high)
	VSUBSS(low, middle, low)
	VMAXSS(low, high, distance)
	VMOVSS(constants["limit"], limit)
	VDIVSS(limit, distance, low)
	Store(low, ReturnIndex(0))
	VDIVSS(distance, limit, inverse)
	VUCOMISS(constants["tiny"], distance)
	JAE(LabelRef("some"))
	VXORPS(inverse, inverse, inverse)
	Label("some")
	factor, middles := is.vec(), is.vec()
	VBROADCASTSS(inverse, factor)
	VBROADCASTSS(middle, middles)
	rounded := func(v VecVirtual, first int) {
		VMOVUPS(Mem{Base: x, Disp: 4 * first}, v)
		VSUBPS(middles, v, v)
		VMULPS(factor, v, v)
		VCVTPS2DQ(v, v)
	}
	if is == avx512 {
		offset := ZMM()
		VMOVDQU32(constants["offset"], offset)
		Label("next")
		rounded(v, 0)
		VPADDD(offset, v, v)
		VPMOVDB(v, Mem{Base: to})
	} else {
		// The lowest bytes are packed, as VPMOVDB does it: nothing saturates.
		low, second := is.fresh(constants["low"]), is.vec()
		Label("next")
		rounded(v, 0)
		VPAND(low, v, v)
		rounded(second, 8)
		VPAND(low, second, second)
		VPACKUSDW(second, v, v) // of each half by itself
		VPERMQ(Imm(0b11_01_10_00), v, v)
		half := XMM()
		VEXTRACTI128(Imm(1), v, half)
		VPACKUSWB(half, v.AsX(), half)
		VMOVDQU(half, Mem{Base: to})
	}
	ADDQ(Imm(64), x)
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
