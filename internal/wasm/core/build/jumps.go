package build

import "slices"

// directJumps makes jumps go directly to their target. In the compiler's code, every
// jump stores a place and returns to the head of the function, at which a table leads
// to the block of that place:
//
//	i32.eqz; if; i32.const 23; local.set 0; br 13; end
//	i32.eqz; br_if 4
//
// Jumps back stay as they are.
func directJumps(list []instruction) []instruction {
	table, head := dispatch(list)
	if table == nil || !onlyDispatches(list) {
		return list
	}
	var out []instruction
	var open []int // start of each open block
	for at := 0; at < len(list); at++ {
		switch in := list[at]; in.op {
		case opBlock, opLoop, opIf:
			if in.op == opIf && matches(list[at+1:], opI32Const, opSet, opBr, opEnd) {
				if label, ok := forward(list[at+1:], append(open, at), head, table); ok {
					out = append(out, indexed(opBrIf, label-1))
					at += 4
					continue
				}
			}
			open = append(open, at)
		case opEnd:
			if len(open) > 0 { // otherwise it is the function's end
				open = open[:len(open)-1]
			}
		case opI32Const:
			if label, ok := forward(list[at:], open, head, table); ok {
				out = append(out, indexed(opBr, label))
				at += 2
				continue
			}
		}
		out = append(out, list[at])
	}
	return out
}

// forward returns the label of the block that a jump through the head leads to, if that
// block is open.
func forward(list []instruction, open []int, head int, table []int) (label int, ok bool) {
	if !matches(list, opI32Const, opSet, opBr) || list[1].value != place || open[len(open)-1-int(list[2].value)] != head {
		return 0, false
	}
	target := table[min(uint64(list[0].value), uint64(len(table)-1))]
	i := slices.Index(open, target)
	return len(open) - 1 - i, i >= 0
}

// dispatch returns the block that each place leads to, as the number of the instruction
// that opens it, and the loop with the table at its head. It returns none if there is
// no such table.
func dispatch(list []instruction) (table []int, head int) {
	head = slices.IndexFunc(list, func(in instruction) bool { return in.op == opLoop })
	at := head + 1
	for head >= 0 && at < len(list) && list[at].op == opBlock {
		at++
	}
	if head < 0 || !matches(list[at:], opGet, opBrTable) || list[at].value != place {
		return nil, 0
	}
	r := reader{list[at+1].bytes, 1}
	for range r.uint() + 1 {
		label := r.uint()
		if label >= at-1-head {
			return nil, 0
		}
		table = append(table, at-1-label)
	}
	return table, head
}

// onlyDispatches reports whether the place is read only by the table of jumps, or by an
// indirect call just after the compiler has stored it.
func onlyDispatches(list []instruction) bool {
	reads := 0
	for i, in := range list {
		if in.value == place && (in.op == opTee || in.op == opGet && !(i >= 2 && matches(list[i-2:], opSet, opI32Const) && list[i-2].value == place)) {
			reads++
		}
	}
	return reads == 1
}
