package build

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
)

// A directory that is cleared has its contents again when the module has started.
func TestDirectory(t *testing.T) {
	const directory = 64
	records := []struct {
		counters uint32
		data     byte
	}{{0, 0}, {3, 4}, {4, 6}, {1, 0}, {200, 255}}
	memory := make([]byte, 1<<13)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(memory[at:], v) }
	tab := &table{memory: memory, directory: directory, functions: len(records)}
	offset := 8*len(records) + 8
	for i, r := range records {
		put(directory+8*i, firstFunction+uint32(i))
		put(directory+8*i+4, uint32(offset))
		at := directory + offset
		put(at, firstFunction+uint32(i))
		put(at+4, 0xdeadbeef)
		put(at+funcCounters, r.counters)
		memory[at+funcData] = r.data
		offset += (44 + 4*(int(r.counters)+int(r.data)) + 7) / 8 * 8
	}
	put(directory+8*len(records), 0x4711) // the end of the last function
	whole := slices.Clone(memory)

	with := func() *module {
		return &module{
			memory:    memory,
			functions: []function{{"f", trap}},
			sections: []section{
				{sectionType, []byte{1, 0x60, 1, 0x7f, 0}}, {sectionFunction, []byte{1, 0}}, {4, []byte{1, 0x70, 0, 1}}, {5, []byte{1, 0, 1}},
				{sectionExport, []byte{1, 1, 'm', 2, 0}}, {sectionElement, []byte{0}}, {sectionCode, nil}, {sectionData, nil},
			},
		}
	}
	m := with()
	if err := tab.computeDirectory(m); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(memory, whole) {
		t.Fatal("nothing is cleared")
	}
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	instance, err := runtime.Instantiate(ctx, m.write(false))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := instance.ExportedMemory("m").Read(0, uint32(len(whole)))
	if !bytes.Equal(got, whole) {
		t.Error("the module has started with another directory")
	}

	for name, damage := range map[string]func(){
		"a number in the directory": func() { put(directory+8, 7) },
		"a number in a record":      func() { put(tab.record(2), 7) },
		"an offset":                 func() { put(directory+12, tab.uint32(directory+12)+8) },
		"the length of a record":    func() { put(tab.record(1)+funcCounters, 30) },
	} {
		copy(memory, whole)
		damage()
		if tab.computeDirectory(with()) == nil {
			t.Errorf("%s differs, but is dropped", name)
		}
	}
	copy(memory, whole)
	if err := tab.computeDirectory(with()); err != nil {
		t.Errorf("without damage: %v", err)
	}
}
