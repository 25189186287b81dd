package build

import "math"

// shortAddresses uses the offset field of loads and stores for addresses in a frame.
// The compiler instead adds the offset to the stack pointer in 64 bits:
//
//	local.get 1; i64.extend_i32_u; i64.const 40; i64.add; i32.wrap_i64; …; i64.store 0
//	local.get 1; …; i64.store 40
//
// The sum of both is below the memory's size, so it cannot overflow. If the address is
// not used by a load or a store, the offset is added in 32 bits.
func shortAddresses(list []instruction) []instruction {
	framed := keepsStackPointer(list)
	out := list[:0]
	const unknown = -1
	var operands []int // for each value on the stack: the position of its i32.const in out if it is such an address
	pop := func(n int) (last int) {
		last = unknown
		for range n {
			last = unknown
			if len(operands) > 0 {
				last = operands[len(operands)-1]
				operands = operands[:len(operands)-1]
			}
		}
		return last
	}
	for at := 0; at < len(list); at++ {
		in := list[at]
		if in.op == opExtend && matches(list[at+1:], opI64Const, opI64Add, opWrap) {
			offset := list[at+1].value
			source := len(out) - 1
			pop(1)
			operands = append(operands, unknown)
			if framed && out[source].op == opGet && out[source].value == stackPointer && 0 <= offset && offset < math.MaxInt32 {
				operands[len(operands)-1] = len(out)
			}
			out = append(out, constant32(int32(offset)), plain(opI32Add))
			at += 3
			continue
		}
		popped, pushed, straight := arity(in)
		if !straight {
			operands = operands[:0]
			out = append(out, in)
			continue
		}
		address := pop(popped)
		if address != unknown && opLoad <= in.op && in.op <= opStoreLast {
			in = access(in, in.value+out[address].value)
			out = append(out[:address], out[address+2:]...)
			for i, operand := range operands {
				if operand > address {
					operands[i] -= 2
				}
			}
		}
		for range pushed {
			operands = append(operands, unknown)
		}
		out = append(out, in)
	}
	return out
}

// keepsStackPointer reports whether local variable 1 always is the stack pointer.
func keepsStackPointer(list []instruction) bool {
	for i, in := range list {
		if in.value != stackPointer {
			continue
		}
		switch in.op {
		case opSet:
			if i == 0 || list[i-1].op != opGlobalGet || list[i-1].value != 0 {
				return false
			}
		case opTee:
			if list[i+1].op != opGlobalSet || list[i+1].value != 0 {
				return false
			}
		}
	}
	return matches(list, opGlobalGet, opSet) && list[0].value == 0 && list[1].value == stackPointer
}
