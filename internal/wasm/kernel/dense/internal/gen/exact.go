package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions of this file compute what dense/exact.go defines, operation by
// operation: nothing is fused, and a sum over a row has sixteen lanes, which are one
// register of AVX-512 and two of AVX2.

func exact(is *isa) {
	exactGELU(is)
	exactGELUTanh(is)
	exactSoftmax(is)
	exactNorm(is)
}

// times16 is how many registers hold sixteen lanes.
func (is *isa) times16() int { return 16 / is.lanes }

// exactExp replaces x ≤ 0 by e^x, or 0 below -64.
func (is *isa) exactExp(x VecVirtual) {
	n, product := is.vec(), is.vec()
	var mask Register
	if is == avx512 {
		mask = K()
		VCMPPS(Imm(5), constants["least"], x, mask) // not less
	} else {
		mask = YMM()
		VCMPPS(Imm(5), constants["least"], x, mask)
	}
	VMULPS(constants["log2e"], x, n)
	if is == avx512 {
		VRNDSCALEPS(Imm(0), n, n)
	} else {
		VROUNDPS(Imm(0), n, n)
	}
	for _, part := range []string{"ln2hi", "ln2lo"} {
		VMULPS(constants[part], n, product)
		VSUBPS(product, x, x)
	}
	y := is.vec()
	VMULPS(constants["e5"], x, y)
	for _, c := range []string{"e4", "e3", "e2", "e1"} {
		VADDPS(constants[c], y, y)
		VMULPS(x, y, y)
	}
	VADDPS(constants["e0"], y, y)
	VMULPS(x, x, product)
	VMULPS(product, y, y)
	VADDPS(x, y, y)
	VADDPS(constants["one"], y, y)
	VCVTPS2DQ(n, n)
	VPSLLD(Imm(23), n, n)
	if is == avx512 {
		VPADDD_Z(n, y, mask, x)
		return
	}
	VPADDD(n, y, x)
	VANDPS(mask, x, x)
}

// elementwise calls body for the registers of n numbers at x, a multiple of 16.
func (is *isa) elementwise(name string, body func(x VecVirtual)) {
	TEXT(name+is.name, NOSPLIT, "func(x *float32, n int)")
	Doc("n is a positive multiple of 16.")
	Pragma("noescape")
	at := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	Label("next")
	x := is.fresh(Mem{Base: at})
	body(x)
	VMOVUPS(x, Mem{Base: at})
	is.step(at)
	SUBQ(Imm(uint64(is.lanes)), n)
	JG(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// positive replaces x by max(x, 0) - |x|·tail.
func (is *isa) positive(x, magnitude, tail VecVirtual) {
	VMULPS(magnitude, tail, tail)
	zero := is.zero()
	VMAXPS(zero, x, x) // +0 for -0, as plain Go has it
	VSUBPS(tail, x, x)
}

func exactGELU(is *isa) {
	is.elementwise("exactGELU", func(x VecVirtual) {
		magnitude, z, t, sum := is.vec(), is.vec(), is.vec(), is.vec()
		is.and(constants["magnitudes"], x, magnitude)
		VMULPS(constants["sqrthalf"], magnitude, z)
		VMULPS(constants["p"], z, t)
		VADDPS(constants["one"], t, t)
		one := is.fresh(constants["one"])
		VDIVPS(t, one, t)
		VMULPS(constants["h5"], t, sum)
		for _, c := range []string{"h4", "h3", "h2", "h1"} {
			VADDPS(constants[c], sum, sum)
			VMULPS(t, sum, sum)
		}
		VMULPS(z, z, z)
		is.xor(constants["signs"], z, z)
		is.exactExp(z)
		VMULPS(z, sum, sum)
		is.positive(x, magnitude, sum)
	})
}

func exactGELUTanh(is *isa) {
	is.elementwise("exactGELUTanh", func(x VecVirtual) {
		magnitude, u := is.vec(), is.vec()
		is.and(constants["magnitudes"], x, magnitude)
		VMULPS(x, x, u)
		VMULPS(constants["cubic"], u, u)
		VADDPS(constants["linear"], u, u)
		VMULPS(magnitude, u, u)
		is.xor(constants["signs"], u, u)
		is.exactExp(u)
		below := is.vec()
		VADDPS(constants["one"], u, below)
		VDIVPS(below, u, u)
		is.positive(x, magnitude, u)
	})
}

// sum16 is the total of sixteen lanes, in the lowest lane of the result.
func (is *isa) sum16(lanes []VecVirtual) Register {
	if len(lanes) == 2 {
		VADDPS(lanes[1], lanes[0], lanes[0])
	}
	return is.total(lanes[0], VADDPS).AsX()
}

func (is *isa) lanes16() []VecVirtual {
	lanes := make([]VecVirtual, is.times16())
	for i := range lanes {
		lanes[i] = is.zero()
	}
	return lanes
}

func exactSoftmax(is *isa) {
	TEXT("exactSoftmax"+is.name, NOSPLIT, "func(x *float32, n int, scale float32)")
	Doc("n is a positive multiple of 16; what is not to count is -Inf.")
	Pragma("noescape")
	start := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	at, left := GP64(), GP64()
	scale := is.vec()
	address, err := Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(address.Addr, scale)

	rewind := func() { MOVQ(start, at); MOVQ(n, left) }
	again := func(label string) { step16(label, left, at) }
	greatest := is.fresh(Mem{Base: start})
	rewind()
	Label("greatest")
	for i := range is.times16() {
		VMAXPS(is.part(at, i), greatest, greatest)
	}
	again("greatest")
	highest := is.vec()
	VBROADCASTSS(is.total(greatest, VMAXPS).AsX(), highest)

	sums := is.lanes16()
	rewind()
	Label("power")
	for i, sum := range sums {
		x := is.fresh(is.part(at, i))
		VSUBPS(highest, x, x)
		VMULPS(scale, x, x)
		is.exactExp(x)
		VMOVUPS(x, is.part(at, i))
		VADDPS(x, sum, sum)
	}
	again("power")
	whole := is.sum16(sums)
	one := XMM()
	VMOVSS(constants["one"], one)
	VDIVSS(whole, one, one)
	inverse := is.vec()
	VBROADCASTSS(one, inverse)

	rewind()
	Label("divide")
	for i := range is.times16() {
		share := is.vec()
		VMULPS(is.part(at, i), inverse, share)
		VMOVUPS(share, is.part(at, i))
	}
	again("divide")
	VZEROUPPER()
	RET()
}

func exactNorm(is *isa) {
	TEXT("exactNorm"+is.name, NOSPLIT, "func(to, x, residual, gamma, beta *float32, n int, epsilon float32)")
	Doc("n is a positive multiple of 16; residual may be nil.")
	Pragma("noescape")
	start := Load(Param("to"), GP64())
	from := Load(Param("x"), GP64())
	residual := Load(Param("residual"), GP64())
	n := Load(Param("n"), GP64())
	at, left := GP64(), GP64()
	rewind := func() { MOVQ(start, at); MOVQ(n, left) }
	again := func(label string, pointers ...Register) { step16(label, left, pointers...) }

	sums := is.lanes16()
	rewind()
	TESTQ(residual, residual)
	JZ(LabelRef("alone"))
	Label("with")
	for i, sum := range sums {
		v := is.fresh(is.part(from, i))
		VADDPS(is.part(residual, i), v, v)
		VMOVUPS(v, is.part(at, i))
		VADDPS(v, sum, sum)
	}
	again("with", at, from, residual)
	JMP(LabelRef("summed"))
	Label("alone")
	for i, sum := range sums {
		v := is.fresh(is.part(from, i))
		VMOVUPS(v, is.part(at, i))
		VADDPS(v, sum, sum)
	}
	again("alone", at, from)

	Label("summed")
	length := XMM()
	VXORPS(length, length, length)
	VCVTSI2SSQ(n, length, length)
	mean := is.vec()
	one := is.sum16(sums)
	VDIVSS(length, one, one)
	VBROADCASTSS(one, mean)

	squares := is.lanes16()
	rewind()
	Label("square")
	for i, sum := range squares {
		v := is.fresh(is.part(at, i))
		VSUBPS(mean, v, v)
		VMULPS(v, v, v)
		VADDPS(v, sum, sum)
	}
	again("square", at)
	variance := is.sum16(squares)
	VDIVSS(length, variance, variance)
	address, err := Param("epsilon").Resolve()
	if err != nil {
		panic(err)
	}
	VADDSS(address.Addr, variance, variance)
	VSQRTSS(variance, variance, variance)
	unit := XMM()
	VMOVSS(constants["one"], unit)
	VDIVSS(variance, unit, unit)
	inverse := is.vec()
	VBROADCASTSS(unit, inverse)

	gamma := Load(Param("gamma"), GP64())
	beta := Load(Param("beta"), GP64())
	rewind()
	Label("scale")
	for i := range is.times16() {
		v := is.fresh(is.part(at, i))
		VSUBPS(mean, v, v)
		VMULPS(inverse, v, v)
		VMULPS(is.part(gamma, i), v, v)
		VADDPS(is.part(beta, i), v, v)
		VMOVUPS(v, is.part(at, i))
	}
	again("scale", at, gamma, beta)
	VZEROUPPER()
	RET()
}

// exactTile is tile without a bias, each product rounded before it is added.
func exactTile(is *isa, rows, columns int) {
	TEXT(fmt.Sprintf("exactTile%dx%d%s", rows, columns, is.name), NOSPLIT,
		"func(k int, a *float32, lda int, b *float32, ldb int, c *float32, ldc int)")
	Doc("One tile of outputs; lda, ldb, ldc in bytes, ldb from panel to panel.")
	Pragma("noescape")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	ldb := Load(Param("ldb"), GP64())

	vectors := columns / is.lanes
	acc := make([][]VecVirtual, rows)
	for r := range acc {
		acc[r] = make([]VecVirtual, vectors)
		for v := range acc[r] {
			acc[r][v] = is.zero()
		}
	}
	row, advance := rowsOf(a, lda, rows)
	x, product := is.vec(), is.vec()
	weights := make([]VecVirtual, vectors)
	for v := range weights {
		weights[v] = is.vec()
	}
	Label("next")
	for v := range weights {
		column := v * is.lanes
		at := Mem{Base: b, Disp: column % panel * 4}
		if column >= panel {
			at.Index, at.Scale = ldb, 1
		}
		VMOVUPS(at, weights[v])
	}
	for r := range acc {
		VBROADCASTSS(row(r), x)
		for v := range acc[r] {
			VMULPS(weights[v], x, product)
			VADDPS(product, acc[r][v], acc[r][v])
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
