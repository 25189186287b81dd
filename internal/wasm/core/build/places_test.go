package build

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// For every place in use, the new number leads to the same block, and the runtime
// finds the compiler's values at it and at the place before it.
func TestPlaces(t *testing.T) {
	m := parsed(t, linked(t))
	before, err := findTable(m)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := prune(m, before)
	if err == nil {
		err = tighten(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	bodies := slices.Clone(m.functions)
	after := *before
	after.memory = bytes.Clone(m.memory)
	if err := after.strip(m, dead); err != nil {
		t.Fatal(err)
	}
	renumbered, compared := 0, 0
	for i, f := range bodies {
		if dead[i] {
			continue
		}
		was, is := instructions(t, f.body), instructions(t, m.functions[i].body)
		if len(was) != len(is) {
			t.Fatalf("%s: %d instructions, before %d", f.name, len(is), len(was))
		}
		blocks := func(list []instruction) []int {
			for _, in := range list {
				if in.op == opBrTable {
					return labels(in)
				}
			}
			return nil
		}
		oldBlocks, newBlocks := blocks(was), blocks(is)
		if !slices.Equal(oldBlocks, newBlocks) {
			renumbered++
		}
		same := func(old, new int, looked bool) {
			t.Helper()
			compared++
			if len(oldBlocks) > 0 && oldBlocks[min(old, len(oldBlocks)-1)] != newBlocks[min(new, len(newBlocks)-1)] {
				t.Errorf("%s: place %d, before %d, leads to another block", f.name, new, old)
			}
			if !looked {
				return
			}
			for _, kind := range []int{-1, counterStackMap, counterPanicBounds} {
				a, b := counterAt(t, before, i, kind), counterAt(t, &after, i, kind)
				if (a == nil) != (b == nil) || a != nil && (a.at(old) != b.at(new) || old > 0 && a.at(old-1) != b.at(new-1)) {
					t.Errorf("%s: place %d, before %d, has another value of counter %d", f.name, new, old, kind)
				}
			}
		}
		same(0, 0, true)
		deferred := func(t *table) int { return int(t.uint32(t.record(i) + funcDeferReturn)) }
		same(deferred(before), deferred(&after), true)
		for at := range was {
			switch {
			case jumps(was, at):
				same(int(was[at].value), int(is[at].value), false)
			case returnAddress(was, at, i):
				if was[at].value>>placeBits != is[at].value>>placeBits {
					t.Errorf("%s returns to another function", f.name)
				}
				_, old, _ := counterOf(was[at])
				_, new, _ := counterOf(is[at])
				same(old, new, true)
			case was[at].op != opBrTable && !bytes.Equal(was[at].bytes, is[at].bytes):
				t.Errorf("%s: instruction %d is % x, before % x", f.name, at, is[at].bytes, was[at].bytes)
			}
		}
	}
	t.Logf("%d functions have new places; %d places were compared", renumbered, compared)
	if renumbered < 1000 {
		t.Errorf("only %d functions have new places", renumbered)
	}
}

// counterAt is a counter of a function's record. -1 means that of the stack pointer.
func counterAt(t *testing.T, table *table, i, kind int) *counter {
	t.Helper()
	at := table.record(i)
	field := at + funcCounterSP
	if kind >= 0 {
		if kind >= int(table.uint32(at+funcCounters)) {
			return nil
		}
		field = at + funcMoreCounters + funcCounterFields*kind
	}
	offset := int(table.uint32(field))
	if offset == 0 {
		return nil
	}
	c, err := parseCounter(table.memory[table.counters+offset : table.directory])
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCounters(t *testing.T) {
	for name, c := range map[string]*counter{
		"one value":    {[]int{5}, []int{9}},
		"-1 at first":  {[]int{-1, 40, -1}, []int{1, 300, 301}},
		"large values": {[]int{0, 1 << 20, 3}, []int{2, 1 << 15, 65000}},
	} {
		got, err := parseCounter(c.bytes())
		if err != nil || !slices.Equal(got.values, c.values) || !slices.Equal(got.ends, c.ends) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := parseCounter([]byte{2, 1, 4}); err == nil {
		t.Error("a counter without an end: no error")
	}
}

// A function keeps its places if the word after the function table refers to one of them.
func TestFixedByTheWordAfterTheTable(t *testing.T) {
	m := parsed(t, linked(t))
	table, err := findTable(m)
	if err != nil {
		t.Fatal(err)
	}
	table.end = (table.end + 7) &^ 7
	before, err := fixed(m, table)
	if err != nil {
		t.Fatal(err)
	}
	free := slices.Index(before, false)
	binary.LittleEndian.PutUint64(m.memory[table.end:], uint64(firstFunction+free)<<placeBits|1)
	after, err := fixed(m, table)
	if err != nil {
		t.Fatal(err)
	}
	if !after[free] {
		t.Errorf("%s is not fixed", m.functions[free].name)
	}
}
