package build

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// linked is the linker's output of the core.
func linked(t *testing.T) []byte {
	t.Helper()
	b, err := link()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parsed(t *testing.T, b []byte) *module {
	t.Helper()
	m, err := readModule(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// This test checks that slimming changes nothing unintended. Other tests check that the
// slim core works, and those in tests/headless that its runtime works.
func TestSlim(t *testing.T) {
	original := linked(t)
	before := parsed(t, original)
	if again := parsed(t, before.write(true)); !bytes.Equal(again.memory, before.memory) || !slices.EqualFunc(again.functions, before.functions, func(a, b function) bool {
		return a.name == b.name && bytes.Equal(a.body, b.body)
	}) {
		t.Error("a module that is read and written is another one")
	}

	pruned := parsed(t, original)
	table, err := findTable(pruned)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := prune(pruned, table)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(pruned.memory, before.memory) {
		t.Error("pruning has changed the memory")
	}
	empty, emptied := before.functions[before.named[returns]].body, 0
	for i, f := range pruned.functions {
		if bytes.Equal(f.body, before.functions[i].body) {
			continue
		}
		emptied++
		if !bytes.Equal(f.body, trap) && !bytes.Equal(f.body, empty) || !dead[i] {
			t.Errorf("the body of %s has changed", f.name)
		}
		if strings.HasPrefix(f.name, "main.") || strings.HasPrefix(f.name, "github.com_vantage") {
			t.Errorf("%s is pruned, which is ours", f.name)
		}
	}
	t.Logf("%d functions are pruned", emptied)
	if emptied < 150 {
		t.Errorf("only %d functions are pruned", emptied)
	}

	named, err := slim(original, true)
	if err != nil {
		t.Fatal(err)
	}
	tight := parsed(t, named)
	unneeded, err := findUnneeded(pruned)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range tight.functions {
		before := unneeded.remove(f.name, withoutNops(instructions(t, pruned.functions[i].body)))
		if !slices.Equal(traces(instructions(t, f.body)), traces(before)) {
			t.Errorf("%s calls, computes or leads to something else", f.name)
		}
	}
	if !bytes.Equal(tight.memory, before.memory) {
		t.Error("tightening has changed the memory")
	}

	shipped, err := slim(original, false)
	if err != nil {
		t.Fatal(err)
	}
	for what, name := range map[string]string{"functions": "runtime.mallocgcTiny", "types": "*trec.Measure", "fields": "MaxRetrieved"} {
		if !bytes.Contains(named, []byte(name)) || bytes.Contains(shipped, []byte(name)) {
			t.Errorf("the shipped module names %s, or no module names %s", what, name)
		}
	}
	if !bytes.Contains(shipped, []byte("Unwrap")) {
		t.Error("the shipped module does not name the methods of interfaces")
	}
	if len(shipped) > len(named)-250_000 {
		t.Errorf("stripped: %d bytes, before: %d", len(shipped), len(named))
	}
}

func instructions(t *testing.T, body []byte) []instruction {
	t.Helper()
	_, list, err := decode(body)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// traces are the instructions whose order tightening must keep: calls, jump tables,
// 64-bit constants except offsets, arithmetic, loads, stores and comparisons.
func traces(list []instruction) (left []string) {
	for at := 0; at < len(list); at++ {
		switch in := list[at]; {
		case in.op == opExtend && matches(list[at+1:], opI64Const, opI64Add, opWrap):
			at += 3
		case opLoad <= in.op && in.op <= opStoreLast:
			left = append(left, string(in.op))
		case in.op == opCall, in.op == opIndirect, in.op == opBrTable, in.op == opI64Const, in.op == opPrefix, in.op >= opI32Eqz && in.op != opI32Add:
			left = append(left, string(in.bytes))
		}
	}
	return left
}

// The output of another toolchain is refused and not damaged.
func TestSlimRefuses(t *testing.T) {
	original := linked(t)
	change := func(old, new []byte) []byte {
		t.Helper()
		if !bytes.Contains(original, old) {
			t.Fatalf("the module does not have % x", old)
		}
		return bytes.ReplaceAll(original, old, new)
	}
	for name, b := range map[string][]byte{
		"no function table of a known version": change(magic, []byte{0xf2, 0xff, 0xff, 0xff, 0, 0, 1, 8}),
		"no function is called":                change([]byte("runtime.traceAdvance"), []byte("runtime.traceadvance")),
		"does not name it":                     parsed(t, original).write(false),
		"has no data":                          []byte("\x00asm\x01\x00\x00\x00"),
	} {
		if _, err := Slim(b); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// The functions that a function reaches follow from its instructions.
func TestReferences(t *testing.T) {
	body := []byte{
		1, 2, 0x7e, // two variables of 64 bits
		0x02, 0x40, 0x10, 0x85, 0x02, // block, call 261
		0x0e, 2, 0, 1, 0, // br_table
		0x42, 0x80, 0x80, 0x80, 0x80, 0x01, // i64.const 1<<28
		0x41, 0x7f, // i32.const -1
		0x44, 0x10, 1, 2, 3, 4, 5, 6, 7, // f64.const whose bytes look like a call
		0x36, 0x02, 0x10, // i32.store
		0x11, 0x10, 0x00, // call_indirect
		0xfc, 10, 0, 0, // memory.copy
		0x0b, 0x0b,
	}
	var calls []int
	var constants []int64
	err := references(body, func(i int) { calls = append(calls, i) }, func(v int64) { constants = append(constants, v) })
	if err != nil || !slices.Equal(calls, []int{261}) || !slices.Equal(constants, []int64{1 << 28, -1}) {
		t.Errorf("calls %d, constants %d, %v", calls, constants, err)
	}
	if err := references([]byte{0, 0xfd, 0}, nil, nil); err == nil {
		t.Error("an unknown instruction: no error")
	}
}

func TestNumbers(t *testing.T) {
	for _, v := range []int{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, 1<<27 - 1, 1 << 30} {
		b := appendSigned(nil, int64(v))
		r := reader{b, 0}
		if got := r.uint(); got != v || r.at != len(b) || b[len(b)-1]&0x40 != 0 {
			t.Errorf("%d is written as % x", v, b)
		}
		r = reader{b, 0}
		if got := r.int(); got != int64(v) {
			t.Errorf("%d is read as %d", v, got)
		}
	}
	if r := (reader{[]byte{0x80, 0x7f}, 0}); r.int() != -128 {
		t.Error("-128 is read as something else")
	}
}
