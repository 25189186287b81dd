// Command gen writes dense's amd64 assembly: matrix tiles, exponentials, layer
// norms, for AVX-512 and for AVX2 with FMA. One description serves both, except for tiles
// of integer weights: those of 8 bits have one for each, and grouped ones are for AVX2 alone.
//
//	go run ./internal/gen -out dense_amd64.s -stubs stubs_amd64.go
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// panel is the number of columns that packed weights keep together.
const panel = 16

// isa is a set of vector instructions.
type isa struct {
	name  string
	lanes int
	vec   func() VecVirtual
}

var (
	avx512 = &isa{"AVX512", 16, ZMM}
	avx2   = &isa{"AVX2", 8, YMM}
)

func main() {
	ConstraintExpr("amd64")
	declareConstants()
	for _, rows := range []int{8, 4, 2, 1} {
		for _, columns := range []int{48, 32, 16} {
			tile(avx512, rows, columns)
		}
	}
	for _, rows := range []int{6, 4, 2, 1} {
		tile(avx2, rows, panel)
	}
	for _, rows := range []int{8, 4, 2, 1} {
		for _, columns := range []int{48, 32, 16} {
			tileI8(rows, columns)
		}
	}
	for _, rows := range []int{6, 4, 2, 1} {
		tileI8AVX2(rows)
		tileGrouped(rows)
	}
	for _, is := range []*isa{avx512, avx2} {
		quantize(is)
		gelu(is)
		softmax(is)
		exponentials(is)
		layerNorm(is)
		exact(is)
	}
	for _, rows := range []int{8, 4, 2, 1} {
		exactTile(avx512, rows, 16)
		exactTile(avx512, rows, 32)
	}
	for _, rows := range []int{4, 2, 1} {
		exactTile(avx2, rows, 16)
	}
	Generate()
}

// tile computes rows x columns outputs: bias plus the sum over k, one fused
// multiply-add after the other from k = 0 on. So every output is the same
// whichever tile it falls into.
func tile(is *isa, rows, columns int) {
	TEXT(fmt.Sprintf("tile%dx%d%s", rows, columns, is.name), NOSPLIT,
		"func(k int, a *float32, lda int, b *float32, ldb int, bias *float32, c *float32, ldc int)")
	Doc("One tile of outputs; lda, ldb, ldc in bytes, ldb from panel to panel.")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	ldb := Load(Param("ldb"), GP64())
	bias := Load(Param("bias"), GP64())

	vectors := columns / is.lanes
	acc := make([][]VecVirtual, rows)
	for r := range acc {
		acc[r] = make([]VecVirtual, vectors)
		for v := range acc[r] {
			acc[r][v] = is.vec()
			VMOVUPS(Mem{Base: bias, Disp: v * is.lanes * 4}, acc[r][v])
		}
	}
	row, advance := rowsOf(a, lda, rows)
	weights := make([]VecVirtual, vectors)
	for v := range weights {
		weights[v] = is.vec()
	}
	x := [2]VecVirtual{is.vec(), is.vec()}
	Label("next")
	for v := range weights {
		column := v * is.lanes
		at := Mem{Base: b, Disp: column % panel * 4}
		switch column / panel {
		case 1:
			at.Index, at.Scale = ldb, 1
		case 2:
			at.Index, at.Scale = ldb, 2
		}
		VMOVUPS(at, weights[v])
	}
	for r := range acc {
		VBROADCASTSS(row(r), x[r%2])
		for v := range acc[r] {
			VFMADD231PS(weights[v], x[r%2], acc[r][v])
		}
	}
	advance(4)
	ADDQ(Imm(panel*4), b)
	DECQ(k)
	JNZ(LabelRef("next"))

	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	for r := range acc {
		for v := range acc[r] {
			VMOVUPS(acc[r][v], Mem{Base: c, Disp: v * is.lanes * 4})
		}
		if r < rows-1 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}

// rowsOf returns the addresses of the rows of a matrix that are lda bytes apart, and a
// function that moves all of them on by some bytes.
func rowsOf(a, lda Register, rows int) (row func(r int) Mem, advance func(bytes uint64)) {
	second, lda3 := a, GP64()
	if rows > 3 {
		LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	}
	if rows > 4 {
		second = GP64()
		LEAQ(Mem{Base: a, Index: lda, Scale: 4}, second)
	}
	row = func(r int) Mem {
		base := a
		if r >= 4 {
			base = second
		}
		switch r % 4 {
		case 1:
			return Mem{Base: base, Index: lda, Scale: 1}
		case 2:
			return Mem{Base: base, Index: lda, Scale: 2}
		case 3:
			return Mem{Base: base, Index: lda3, Scale: 1}
		}
		return Mem{Base: base}
	}
	advance = func(bytes uint64) {
		ADDQ(Imm(bytes), a)
		if rows > 4 {
			ADDQ(Imm(bytes), second)
		}
	}
	return row, advance
}
