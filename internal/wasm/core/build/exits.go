package build

// plainExits makes a function return directly after a call that says that the stack must
// be unwound. The compiler makes it jump to the function's end instead, with a label that
// depends on the number of open blocks, so that the code after each call differs. Equal
// code compresses better:
//
//	br_if 17
//	if; i32.const 1; return; end
func plainExits(list []instruction) []instruction {
	exit := exitBlock(list)
	if exit < 0 {
		return list
	}
	var out []instruction
	var open []int // start of each open block
	for at, in := range list {
		switch in.op {
		case opBlock, opLoop, opIf:
			open = append(open, at)
		case opEnd:
			if len(open) > 0 { // otherwise it is the function's end
				open = open[:len(open)-1]
			}
		case opBrIf:
			if label := len(open) - 1 - int(in.value); label >= 0 && open[label] == exit {
				out = append(out, instruction{opIf, voidBlock, []byte{opIf, voidBlock}}, constant32(1), plain(opReturn), plain(opEnd))
				continue
			}
		}
		out = append(out, in)
	}
	return out
}

// exitBlock returns the start of the block after which a function returns 1, or -1.
func exitBlock(list []instruction) int {
	last := len(list) - 3
	if last < 0 || !matches(list[last:], opEnd, opI32Const, opEnd) || list[last+1].value != 1 {
		return -1
	}
	var open []int
	for at, in := range list[:last] {
		switch in.op {
		case opBlock, opLoop, opIf:
			open = append(open, at)
		case opEnd:
			open = open[:len(open)-1]
		}
	}
	if len(open) != 1 || list[open[0]].op != opBlock || list[open[0]].value != voidBlock {
		return -1
	}
	return open[0]
}
