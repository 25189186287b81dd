package build

// simplify removes instructions whose result the neighbouring ones do not need. The
// compiler keeps truth values in 64 bits, and each comparison is followed by conversions:
//
//	i64.lt_s; i64.extend_i32_u; i64.eqz; i32.eqz; br_if      i64.lt_s; br_if
//	i64.const …; i32.wrap_i64                                 i32.const …
//	local.set 2; local.get 2                                  local.tee 2
func simplify(list []instruction) []instruction {
	var out []instruction
	last := func(back int) instruction {
		if len(out) < back {
			return instruction{op: opNop}
		}
		return out[len(out)-back]
	}
	replace := func(in instruction) { out[len(out)-1] = in }
	drop := func() { out = out[:len(out)-1] }
	for _, in := range list {
		if in.op == opI64Eqz && (last(1).op == opExtend || last(1).op == opExtendSign) {
			drop()
			in = plain(opI32Eqz)
		}
		switch {
		case in.op == opWrap && last(1).op == opI64Const:
			replace(constant32(int32(last(1).value)))
		case in.op == opWrap && (last(1).op == opExtend || last(1).op == opExtendSign):
			drop()
		case in.op == opI32Eqz && opposite[last(1).op] != 0:
			replace(plain(opposite[last(1).op]))
		case in.op == opI32Eqz && last(1).op == opI32Eqz && isTruth(last(2).op):
			drop()
		case (in.op == opBrIf || in.op == opIf) && last(1).op == opI32Eqz && last(2).op == opI32Eqz:
			drop()
			replace(in)
		case in.op == opGet && last(1).op == opSet && last(1).value == in.value:
			replace(indexed(opTee, int(in.value)))
		default:
			out = append(out, in)
		}
	}
	return out
}

// opposite has, for each comparison of integers, and for equality of floats, the one that
// is true whenever it is false.
var opposite = func() (table [256]byte) {
	const eq, lt, gt, le, ge, unsigned = 0, 2, 4, 6, 8, 1
	pair := func(a, b byte) { table[a], table[b] = b, a }
	for _, first := range []byte{opI32Eq, opI64Eq} {
		pair(first+eq, first+eq+1)
		for _, kind := range []byte{0, unsigned} {
			pair(first+lt+kind, first+ge+kind)
			pair(first+gt+kind, first+le+kind)
		}
	}
	pair(opF32Eq, opF32Eq+1)
	pair(opF64Eq, opF64Eq+1)
	return table
}()

// isTruth reports whether an instruction gives 0 or 1 in 32 bits.
func isTruth(op byte) bool { return opI32Eqz <= op && op <= opF64Ge }

// plain is an instruction without operands.
func plain(op byte) instruction { return instruction{op: op, bytes: []byte{op}} }
