package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// constants, each repeated over 64 bytes so that it can be an operand.
var constants = map[string]Mem{}

// declared in this order; the values are those of dense's approximations in
// plain Go (plain.go and exact.go), which explain them.
var values = []struct {
	name  string
	value float32
}{
	{"log2e", 1.44269504088896341},
	{"ln2hi", 0.693359375},
	{"ln2lo", -2.12194440e-4},
	{"e5", 1.9875691500e-4},
	{"e4", 1.3981999507e-3},
	{"e3", 8.3334519073e-3},
	{"e2", 4.1665795894e-2},
	{"e1", 1.6666665459e-1},
	{"e0", 5.0000001201e-1},
	{"one", 1},
	{"half", 0.5},
	{"lowest", -87},
	{"highest", 88},
	{"sqrthalf", 0.70710678118654752},
	{"p", 0.3275911},
	{"a5", 1.061405429},
	{"a4", -1.453152027},
	{"a3", 1.421413741},
	{"a2", -0.284496736},
	{"a1", 0.254829592},
	{"h5", 0.5307027145},
	{"h4", -0.726576013},
	{"h3", 0.7107068705},
	{"h2", -0.142248368},
	{"h1", 0.127414796},
	{"cubic", 0.0713548162726},
	{"linear", 1.59576912160573},
	{"least", -64},
	{"limit", 127},
	{"tiny", 0x1p-100},
}

func declareConstants() {
	for _, c := range values {
		constants[c.name] = GLOBL(c.name, NOPTR|RODATA)
		for i := range 16 {
			DATA(4*i, U32(math.Float32bits(c.value))) // F32(1) would be written as the integer
		}
	}
	for _, c := range []struct {
		name string
		bits uint32
	}{{"signs", 1 << 31}, {"magnitudes", 1<<31 - 1}, {"offset", 128}, {"low", 255}} {
		constants[c.name] = GLOBL(c.name, NOPTR|RODATA)
		for i := range 16 {
			DATA(4*i, U32(c.bits))
		}
	}
}

// fresh returns a register that holds a copy of an operand.
func (is *isa) fresh(from Op) VecVirtual {
	v := is.vec()
	VMOVUPS(from, v)
	return v
}

// The bitwise operations of AVX-512F on floats are those on integers.
func (is *isa) and(a, b, to Op) {
	if is == avx512 {
		VPANDD(a, b, to)
	} else {
		VANDPS(a, b, to)
	}
}

func (is *isa) or(a, b, to Op) {
	if is == avx512 {
		VPORD(a, b, to)
	} else {
		VORPS(a, b, to)
	}
}

func (is *isa) xor(a, b, to Op) {
	if is == avx512 {
		VPXORD(a, b, to)
	} else {
		VXORPS(a, b, to)
	}
}

func (is *isa) zero() VecVirtual {
	v := is.vec()
	is.xor(v, v, v)
	return v
}

// exp replaces x, which is at least -87 and at most 88, by e^x.
func (is *isa) exp(x VecVirtual) {
	n := is.vec()
	VMULPS(constants["log2e"], x, n)
	if is == avx512 {
		VRNDSCALEPS(Imm(0), n, n)
	} else {
		VROUNDPS(Imm(0), n, n)
	}
	VFNMADD231PS(constants["ln2hi"], n, x)
	VFNMADD231PS(constants["ln2lo"], n, x)
	y := is.fresh(constants["e5"])
	for _, c := range []string{"e4", "e3", "e2", "e1", "e0"} {
		VFMADD213PS(constants[c], x, y)
	}
	square := is.vec()
	VMULPS(x, x, square)
	VFMADD213PS(x, square, y)
	VADDPS(constants["one"], y, y)
	if is == avx512 {
		VSCALEFPS(n, y, x)
		return
	}
	VCVTPS2DQ(n, n)
	VPSLLD(Imm(23), n, n)
	VPADDD(n, y, x)
}

// total leaves the sum, or the greatest, of a register's lanes in the lowest
// one of the result.
func (is *isa) total(v VecVirtual, join func(ops ...Op)) VecVirtual {
	half := YMM()
	if is == avx512 {
		low := YMM()
		VEXTRACTF64X4(Imm(1), v, half)
		VEXTRACTF64X4(Imm(0), v, low)
		join(low, half, half)
	} else {
		VMOVUPS(v, half)
	}
	quarter, other := XMM(), XMM()
	VEXTRACTF128(Imm(1), half, quarter)
	VEXTRACTF128(Imm(0), half, other)
	join(other, quarter, quarter)
	VPERMILPS(Imm(0b01_00_11_10), quarter, other)
	join(other, quarter, quarter)
	VPERMILPS(Imm(0b10_11_00_01), quarter, other)
	join(other, quarter, quarter)
	return quarter
}

// step of a loop over floats in memory.
func (is *isa) step(pointers ...Register) {
	for _, p := range pointers {
		ADDQ(Imm(uint64(4*is.lanes)), p)
	}
}

// step16 of a loop over 16 floats at a time: it goes on at the label while some are left.
// With AVX2 these are two registers, so that sums have the same parts in the same order as
// with AVX-512.
func step16(label string, left Register, pointers ...Register) {
	for _, p := range pointers {
		ADDQ(Imm(64), p)
	}
	SUBQ(Imm(16), left)
	JG(LabelRef(label))
}

// load16 returns copies of 16 floats.
func (is *isa) load16(from Register) []VecVirtual {
	lanes := make([]VecVirtual, is.times16())
	for i := range lanes {
		lanes[i] = is.fresh(is.part(from, i))
	}
	return lanes
}

// store16 writes 16 floats.
func (is *isa) store16(lanes []VecVirtual, to Register) {
	for i, v := range lanes {
		VMOVUPS(v, is.part(to, i))
	}
}

// part is the address of one of the registers of 16 floats.
func (is *isa) part(at Register, i int) Mem { return Mem{Base: at, Disp: 4 * is.lanes * i} }

// gelu replaces x by x·Φ(x), with erf by Abramowitz and Stegun 7.1.26.
func gelu(is *isa) {
	TEXT("gelu"+is.name, NOSPLIT, "func(x *float32, rows, columns, ld int)")
	Doc("Rows of columns, a positive multiple of 16; ld in bytes.")
	Pragma("noescape")
	start := Load(Param("x"), GP64())
	rows := Load(Param("rows"), GP64())
	columns := Load(Param("columns"), GP64())
	ld := Load(Param("ld"), GP64())
	at, left := GP64(), GP64()

	Label("row")
	MOVQ(start, at)
	MOVQ(columns, left)
	Label("next")
	x := is.fresh(Mem{Base: at})
	z := is.vec()
	VMULPS(constants["sqrthalf"], x, z)
	magnitude := is.vec()
	is.and(constants["magnitudes"], z, magnitude)
	t := is.fresh(constants["one"])
	VFMADD231PS(constants["p"], magnitude, t)
	one := is.fresh(constants["one"])
	VDIVPS(t, one, t)
	sum := is.fresh(constants["a5"])
	for _, c := range []string{"a4", "a3", "a2", "a1"} {
		VFMADD213PS(constants[c], t, sum)
	}
	VMULPS(t, sum, sum)
	VMULPS(magnitude, magnitude, magnitude)
	is.xor(constants["signs"], magnitude, magnitude)
	VMAXPS(constants["lowest"], magnitude, magnitude)
	is.exp(magnitude)
	VFNMADD213PS(one, magnitude, sum) // erf of |z|
	is.and(constants["signs"], z, z)
	is.or(z, sum, sum)
	VADDPS(one, sum, sum)
	VMULPS(constants["half"], x, x)
	VMULPS(sum, x, x)
	VMOVUPS(x, Mem{Base: at})
	is.step(at)
	SUBQ(Imm(uint64(is.lanes)), left)
	JG(LabelRef("next"))
	ADDQ(ld, start)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// exponentials replaces x by e^x, between e^-87 and e^88.
func exponentials(is *isa) {
	TEXT("exp"+is.name, NOSPLIT, "func(x *float32, n int)")
	Doc("n is a positive multiple of 16.")
	Pragma("noescape")
	at := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	Label("next")
	x := is.vec()
	VMOVUPS(Mem{Base: at}, x)
	VMAXPS(constants["lowest"], x, x)
	VMINPS(constants["highest"], x, x)
	is.exp(x)
	VMOVUPS(x, Mem{Base: at})
	is.step(at)
	SUBQ(Imm(uint64(is.lanes)), n)
	JG(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// softmax replaces x by e^(scale·(x-max)), divided by the sum of these.
func softmax(is *isa) {
	TEXT("softmax"+is.name, NOSPLIT, "func(x *float32, n int, scale float32)")
	Doc("n is a positive multiple of 16.")
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
	greatest := is.fresh(Mem{Base: start})
	rewind()
	Label("greatest")
	for i := range is.times16() {
		VMAXPS(is.part(at, i), greatest, greatest)
	}
	step16("greatest", left, at)
	highest := is.vec()
	VBROADCASTSS(is.total(greatest, VMAXPS).AsX(), highest)

	sum := is.lanes16()
	rewind()
	Label("power")
	powers := is.load16(at)
	for i, x := range powers {
		VSUBPS(highest, x, x)
		VMULPS(scale, x, x)
		VMAXPS(constants["lowest"], x, x)
		is.exp(x)
		VADDPS(x, sum[i], sum[i])
	}
	is.store16(powers, at)
	step16("power", left, at)
	whole := is.sum16(sum)
	one := XMM()
	VMOVSS(constants["one"], one)
	VDIVSS(whole, one, one)
	inverse := is.vec()
	VBROADCASTSS(one, inverse)

	rewind()
	Label("divide")
	shares := is.load16(at)
	for _, v := range shares {
		VMULPS(inverse, v, v)
	}
	is.store16(shares, at)
	step16("divide", left, at)
	VZEROUPPER()
	RET()
}

// layerNorm normalises x, or x plus a residual, to mean 0 and variance 1,
// scales and shifts.
func layerNorm(is *isa) {
	TEXT("layerNorm"+is.name, NOSPLIT, "func(to, x, residual, gamma, beta *float32, n int, epsilon float32)")
	Doc("n is a positive multiple of 16; residual may be nil.")
	Pragma("noescape")
	start := Load(Param("to"), GP64())
	from := Load(Param("x"), GP64())
	residual := Load(Param("residual"), GP64())
	n := Load(Param("n"), GP64())
	at, left := GP64(), GP64()
	rewind := func() { MOVQ(start, at); MOVQ(n, left) }

	sum := is.lanes16()
	rewind()
	TESTQ(residual, residual)
	JZ(LabelRef("alone"))
	Label("with")
	v := is.load16(from)
	for i := range v {
		VADDPS(is.part(residual, i), v[i], v[i])
		VADDPS(v[i], sum[i], sum[i])
	}
	is.store16(v, at)
	step16("with", left, at, from, residual)
	JMP(LabelRef("summed"))
	Label("alone")
	v = is.load16(from)
	for i := range v {
		VADDPS(v[i], sum[i], sum[i])
	}
	is.store16(v, at)
	step16("alone", left, at, from)

	Label("summed")
	length := XMM()
	VXORPS(length, length, length)
	VCVTSI2SSQ(n, length, length)
	mean := is.vec()
	one := is.sum16(sum)
	VDIVSS(length, one, one)
	VBROADCASTSS(one, mean)

	squares := is.lanes16()
	rewind()
	Label("square")
	v = is.load16(at)
	for i := range v {
		VSUBPS(mean, v[i], v[i])
		VFMADD231PS(v[i], v[i], squares[i])
	}
	step16("square", left, at)
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
	v = is.load16(at)
	scales := is.load16(gamma)
	for i := range v {
		VSUBPS(mean, v[i], v[i])
		VMULPS(inverse, v[i], v[i])
		VFMADD213PS(is.part(beta, i), scales[i], v[i])
	}
	is.store16(v, at)
	step16("scale", left, at, gamma, beta)
	VZEROUPPER()
	RET()
}
