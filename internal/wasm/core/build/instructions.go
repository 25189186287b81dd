package build

import "fmt"

// Instructions that this package reads or writes.
const (
	opUnreachable = 0x00
	opNop         = 0x01
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opIndirect    = 0x11
	opDrop        = 0x1a
	opSelect      = 0x1b
	opGet         = 0x20
	opSet         = 0x21
	opTee         = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opLoad        = 0x28 // the first of the loads
	opStore       = 0x36 // the first of the stores
	opStoreLast   = 0x3e
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF32Const    = 0x43
	opF64Const    = 0x44
	opI32Eqz      = 0x45 // the first of those without immediates
	opI32Add      = 0x6a
	opI32Sub      = 0x6b
	opI64Add      = 0x7c
	opWrap        = 0xa7 // i32.wrap_i64
	opExtend      = 0xad // i64.extend_i32_u
	opExtend32    = 0xc4 // the last of those without immediates
	opPrefix      = 0xfc

	prefixCopy = 10
	prefixFill = 11

	voidBlock = 0x40
)

// instruction is an instruction of a function's body.
type instruction struct {
	op    byte
	value int64  // a constant, the number of a function, variable or label, the offset of a load or store
	bytes []byte // encoded bytes
}

// plain is an instruction without immediates.
func plain(op byte) instruction { return instruction{op: op, bytes: []byte{op}} }

// decode splits a body into the declaration of its local variables and its
// instructions, which alias the body's bytes.
func decode(body []byte) (locals []byte, list []instruction, err error) {
	r := reader{body, 0}
	for range r.uint() { // number and type of local variables
		r.uint()
		r.byte()
	}
	locals = body[:r.at:r.at]
	for r.at < len(body) {
		start := r.at
		in := instruction{op: r.byte()}
		switch op := in.op; {
		case op == opIndirect: // a type and a table
			r.uint()
			r.uint()
		case op == opI32Const || op == opI64Const:
			in.value = r.int()
		case op == opF32Const:
			r.at += 4
		case op == opF64Const:
			r.at += 8
		case op == opBrTable:
			for range r.uint() + 1 {
				r.uint()
			}
		case opBlock <= op && op <= opIf, op == opBr, op == opBrIf, op == opCall, opGet <= op && op <= opGlobalSet, op == opMemorySize, op == opMemoryGrow:
			in.value = int64(r.uint()) // a block's type, a label, a function, a variable, a memory
		case opLoad <= op && op <= opStoreLast:
			r.uint() // alignment
			in.value = int64(r.uint())
		case op == opPrefix:
			switch in.value = int64(r.uint()); {
			case in.value < 8: // conversions that saturate
			case in.value == prefixCopy:
				r.at += 2
			case in.value == prefixFill:
				r.at++
			default:
				return nil, nil, fmt.Errorf("unknown instruction 0xfc %d", in.value)
			}
		case op == opUnreachable, op == opNop, op == opElse, op == opEnd, op == opReturn, op == opDrop, op == opSelect, opI32Eqz <= op && op <= opExtend32:
		default:
			return nil, nil, fmt.Errorf("unknown instruction %#x", op)
		}
		in.bytes = body[start:r.at:r.at]
		list = append(list, in)
	}
	return locals, list, nil
}

// encode is the inverse of decode.
func encode(locals []byte, list []instruction) []byte {
	body := append([]byte(nil), locals...)
	for _, in := range list {
		body = append(body, in.bytes...)
	}
	return body
}

// arity is the number of operands that an instruction pops and pushes. It is not known
// for control instructions.
func arity(in instruction) (popped, pushed int, straight bool) {
	switch op := in.op; {
	case op == opGet, op == opGlobalGet, op == opMemorySize, opI32Const <= op && op <= opF64Const:
		return 0, 1, true
	case op == opSet, op == opGlobalSet, op == opDrop:
		return 1, 0, true
	case op == opTee, op == opMemoryGrow, opLoad <= op && op < opStore, op == opPrefix && in.value < 8:
		return 1, 1, true
	case opStore <= op && op <= opStoreLast:
		return 2, 0, true
	case op == opSelect:
		return 3, 1, true
	case op == opPrefix:
		return 3, 0, true
	case op == opI32Eqz, op == 0x50, 0x67 <= op && op <= 0x69, 0x79 <= op && op <= 0x7b, 0x8b <= op && op <= 0x91, 0x99 <= op && op <= 0x9f, opWrap <= op && op <= opExtend32:
		return 1, 1, true
	case opI32Eqz < op && op < opWrap:
		return 2, 1, true
	}
	return 0, 0, false
}

// references calls the function call for each direct call of a body, and constant for each
// integer constant.
func references(body []byte, call func(index int), constant func(value int64)) error {
	_, list, err := decode(body)
	for _, in := range list {
		switch in.op {
		case opCall:
			call(int(in.value))
		case opI32Const, opI64Const:
			constant(in.value)
		}
	}
	return err
}
