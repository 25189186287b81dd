package build

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// places renumbers the places of a function. A place is the low part of a program
// counter. Calls leave it on the stack, the runtime looks up this place and the one
// before it in the function's counters, and the table at the function's head leads from
// it to the block at which to continue. The compiler numbers more places than are ever
// used, and different ones in each function. With two places per block in order, the
// tables of all functions are similar, and the other data have small numbers.
type places struct {
	table    []int // the block of each place; the last is that of all others
	counters []*counter
	old      []int       // the compiler's place of each new one
	renamed  map[int]int // new place of each of the compiler's places in use
}

// newPlaces numbers the places of function i that its instructions and the runtime use.
// It returns nil if it cannot find all of them; the function then keeps the compiler's
// places.
func newPlaces(i int, list []instruction, counters []*counter, others []int) (*places, error) {
	at := slices.IndexFunc(list, func(in instruction) bool { return in.op == opBrTable })
	if at < 1 || list[at-1].op != opGet || list[at-1].value != place || slices.ContainsFunc(list[at+1:], func(in instruction) bool { return in.op == opBrTable }) {
		return nil, nil
	}
	p := &places{table: labels(list[at]), counters: counters, old: []int{0}, renamed: map[int]int{0: 0}}
	met := others
	for at := range list {
		function, place, ok := counterOf(list[at])
		switch {
		case jumps(list, at):
			met = append(met, int(list[at].value))
		case returnAddress(list, at, i):
			met = append(met, place)
		case ok && function == i && place != 0:
			return nil, nil
		}
	}
	slices.Sort(met)
	byBlock := map[int][]int{}
	last := p.block(0)
	for _, place := range slices.Compact(met) {
		for _, c := range counters {
			if place >= c.ends[len(c.ends)-1] {
				return nil, fmt.Errorf("the function has no place %d", place)
			}
		}
		if place > 0 {
			byBlock[p.block(place)] = append(byBlock[p.block(place)], place)
			last = max(last, p.block(place))
		}
	}
	table := []int{p.block(0)}
	for block := range last + 1 {
		first := len(p.old)
		if len(byBlock[block]) == 0 {
			p.old = append(p.old, p.old[first-1], p.old[first-1])
		}
		for _, place := range byBlock[block] {
			found := first
			for found < len(p.old) && !(p.alike(p.old[found], place-1) && p.alike(p.old[found+1], place)) {
				found += 2
			}
			if found == len(p.old) {
				p.old = append(p.old, place-1, place)
			}
			p.renamed[place] = found + 1
		}
		for len(table) < len(p.old) {
			table = append(table, block)
		}
	}
	p.table = append(table, p.table[len(p.table)-1])
	if len(p.old) >= 1<<placeBits {
		return nil, fmt.Errorf("%d places", len(p.old))
	}
	return p, nil
}

// jumps reports whether an instruction begins a jump through the function's head.
func jumps(list []instruction, at int) bool {
	return matches(list[at:], opI32Const, opSet, opBr) && list[at+1].value == place
}

// returnAddress reports whether an instruction is a program counter of function i that
// a call leaves on the stack.
func returnAddress(list []instruction, at, i int) bool {
	const before = 3
	function, _, ok := counterOf(list[at])
	return ok && function == i && at >= before && matches(list[at-before:], opTee, opGlobalSet, opGet, opI64Const, opStore+1) &&
		list[at-before].value == stackPointer && list[at-before+2].value == stackPointer
}

// counterOf interprets a constant as a program counter.
func counterOf(in instruction) (function, place int, ok bool) {
	ok = (in.op == opI64Const || in.op == opI32Const) && in.value>>placeBits >= firstFunction
	return int(in.value>>placeBits) - firstFunction, int(in.value & (1<<placeBits - 1)), ok
}

func labels(table instruction) (labels []int) {
	r := reader{table.bytes, 1}
	for range r.uint() + 1 {
		labels = append(labels, r.uint())
	}
	return labels
}

// block is the label that one of the compiler's places leads to.
func (p *places) block(place int) int { return p.table[min(place, len(p.table)-1)] }

// alike reports whether the runtime finds the same values at two of the compiler's
// places.
func (p *places) alike(a, b int) bool {
	for _, c := range p.counters {
		if c.at(a) != c.at(b) {
			return false
		}
	}
	return true
}

// rewrite returns the instructions with the new numbers.
func (p *places) rewrite(i int, list []instruction) []instruction {
	out := slices.Clone(list)
	for at, in := range list {
		switch {
		case in.op == opBrTable:
			b := binary.AppendUvarint([]byte{opBrTable}, uint64(len(p.table)-1))
			for _, label := range p.table {
				b = binary.AppendUvarint(b, uint64(label))
			}
			out[at].bytes = b
		case returnAddress(list, at, i):
			out[at].value = in.value&^(1<<placeBits-1) | int64(p.renamed[int(in.value)&(1<<placeBits-1)])
			out[at].bytes = appendSigned([]byte{opI64Const}, out[at].value)
		case jumps(list, at):
			out[at] = constant32(int32(p.renamed[int(in.value)]))
		}
	}
	return out
}

// fixed returns the functions that must keep their places: assembly, and functions with
// a place that other functions or data refer to.
func fixed(m *module, t *table) ([]bool, error) {
	fixed := make([]bool, len(m.functions))
	for i, f := range m.functions {
		fixed[i] = fixed[i] || t.memory[t.record(i)+funcFlag]&flagAssembly != 0
		_, list, err := decode(f.body)
		if err != nil {
			return nil, err
		}
		for _, in := range list {
			if j, place, ok := counterOf(in); ok && place != 0 && j != i && j < len(fixed) {
				fixed[j] = true
			}
		}
	}
	for at := 0; at+8 <= len(m.memory); at += 8 {
		if t.start <= at && at < t.end {
			continue
		}
		in := instruction{op: opI64Const, value: int64(binary.LittleEndian.Uint64(m.memory[at:]))}
		if j, place, ok := counterOf(in); ok && place != 0 && j < len(fixed) {
			fixed[j] = true
		}
	}
	return fixed, nil
}

// counter is a table of the runtime with a value for each range of a function's places.
type counter struct {
	values []int
	ends   []int // end of each value's range
}

// parseCounter reads pairs of variable-length numbers: differences of values, from -1
// on and in zigzag code, and lengths. The first may be zero only at the start.
func parseCounter(b []byte) (*counter, error) {
	c := &counter{}
	value, place := -1, 0
	for r := (reader{b, 0}); ; {
		if r.at >= len(b) {
			return nil, fmt.Errorf("a counter's table has no end")
		}
		code := r.uint()
		if code == 0 && place > 0 {
			return c, nil
		}
		value += code>>1 ^ -(code & 1)
		place += r.uint()
		c.values, c.ends = append(c.values, value), append(c.ends, place)
	}
}

// at is the value at a place, which must not be after the last range.
func (c *counter) at(place int) int {
	for i, end := range c.ends {
		if place < end {
			return c.values[i]
		}
	}
	return c.values[len(c.values)-1]
}

// renumbered returns the counter for the new places.
func (c *counter) renumbered(p *places) *counter {
	n := &counter{}
	for place, old := range p.old {
		if v := c.at(old); place == 0 || v != n.values[len(n.values)-1] {
			n.values, n.ends = append(n.values, v), append(n.ends, place)
		}
		n.ends[len(n.ends)-1] = place + 1
	}
	return n
}

// bytes returns the counter in the form that parseCounter reads.
func (c *counter) bytes() (b []byte) {
	value, place := -1, 0
	for i, v := range c.values {
		d := v - value
		b = binary.AppendUvarint(b, uint64(uint32(d<<1^d>>63)))
		b = binary.AppendUvarint(b, uint64(c.ends[i]-place))
		value, place = v, c.ends[i]
	}
	return append(b, 0)
}
