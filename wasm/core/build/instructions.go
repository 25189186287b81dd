package build

import "fmt"

// references calls found for each function that an instruction of a body calls
// by its index, and constant for each integer constant.
func references(body []byte, call func(index int), constant func(value int64)) error {
	r := reader{body, 0}
	for range r.uint() { // local variables: how many, of which type
		r.uint()
		r.byte()
	}
	for r.at < len(body) {
		switch op := r.byte(); {
		case op == 0x10:
			call(r.uint())
		case op == 0x11: // call_indirect: a type and a table
			r.uint()
			r.uint()
		case op == 0x41 || op == 0x42: // i32.const, i64.const
			constant(r.int())
		case op == 0x43:
			r.at += 4
		case op == 0x44:
			r.at += 8
		case op == 0x0e: // br_table
			for range r.uint() + 1 {
				r.uint()
			}
		case 0x02 <= op && op <= 0x04, op == 0x0c, op == 0x0d, 0x20 <= op && op <= 0x24, op == 0x3f, op == 0x40:
			r.uint() // a block's type, a label, a variable, a memory
		case 0x28 <= op && op <= 0x3e: // loads and stores: alignment and offset
			r.uint()
			r.uint()
		case op == 0xfc:
			switch sub := r.uint(); {
			case sub < 8: // conversions that saturate
			case sub == 10: // memory.copy
				r.at += 2
			case sub == 11: // memory.fill
				r.at++
			default:
				return fmt.Errorf("prune: unknown instruction 0xfc %d", sub)
			}
		case op <= 0x01, op == 0x05, op == 0x0b, op == 0x0f, op == 0x1a, op == 0x1b, 0x45 <= op && op <= 0xc4:
		default:
			return fmt.Errorf("prune: unknown instruction %#x", op)
		}
	}
	return nil
}
