package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tileGrouped is tileI8AVX2 for weights that are numbers from -7 to 7, times a
// multiplier that an output has for each group of 32 inputs. Inputs are from 1 to 255.
// The sum over a group, 16 products in each 16 bits, is at most 16·255·7 = 28,560, so
// it is made with one VPMADDUBSW and one VPADDW for 32 products.
func tileGrouped(rows int) {
	TEXT(fmt.Sprintf("tileGrouped%dx16AVX2", rows), NOSPLIT,
		"func(k int, a *uint8, lda int, b *int8, multipliers *int16, offsets *int32, scales, sums, bias, rowScales, rowMiddles, c *float32, ldc int)")
	Doc("One tile of outputs; k in groups of 32, lda, ldc in bytes.")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	multipliers := Load(Param("multipliers"), GP64())

	acc := make([][]VecVirtual, rows)
	weights := [2]VecVirtual{YMM(), YMM()}
	for r := range acc {
		acc[r] = []VecVirtual{YMM(), YMM()}
	}
	x := YMM()

	// The sums of 32 bits stay on the stack: registers hold those of 16. They begin
	// with what the inputs' offset adds.
	stack := AllocLocal(64 * rows)
	total := func(r, v int) Mem { return stack.Offset(64*r + 32*v) }
	offsets := Load(Param("offsets"), GP64())
	for v := range weights {
		VPXOR(weights[v], weights[v], weights[v])
		VPSUBD(Mem{Base: offsets, Disp: 32 * v}, weights[v], weights[v])
		for r := range acc {
			VMOVDQU(weights[v], total(r, v))
		}
	}

	row, advance := rowsOf(a, lda, rows)
	left := GP64()
	Label("next")
	for r := range acc {
		for v := range weights {
			VPXOR(acc[r][v], acc[r][v], acc[r][v])
		}
	}
	MOVQ(U32(8), left)
	Label("quad")
	for v := range weights {
		VMOVDQU(Mem{Base: b, Disp: 32 * v}, weights[v])
	}
	for r := range acc {
		VPBROADCASTD(row(r), x)
		product := YMM()
		VPMADDUBSW(weights[0], x, product)
		VPADDW(product, acc[r][0], acc[r][0])
		VPMADDUBSW(weights[1], x, x)
		VPADDW(x, acc[r][1], acc[r][1])
	}
	advance(4)
	ADDQ(Imm(64), b)
	DECQ(left)
	JNZ(LabelRef("quad"))
	for v := range weights {
		VMOVDQU(Mem{Base: multipliers, Disp: 32 * v}, weights[v])
		for r := range acc {
			VPMADDWD(weights[v], acc[r][v], acc[r][v])
			VPADDD(total(r, v), acc[r][v], acc[r][v])
			VMOVDQU(acc[r][v], total(r, v))
		}
	}
	ADDQ(Imm(64), multipliers)
	DECQ(k)
	JNZ(LabelRef("next"))
	avx2.scaled(acc, x, weights[0], weights[1])
}
