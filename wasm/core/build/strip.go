package build

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Strip returns a Go WebAssembly module without its line tables: what says which
// file and line a program counter stands for, and the names of files. The
// runtime reads an absent table as an unknown line and prints "?", so that stack
// traces keep the functions' names; nothing else uses them.
//
// It knows the layout of one toolchain's function table (runtime/symtab.go) and
// returns an error where it does not find that layout.
func Strip(module []byte) ([]byte, error) {
	m, err := readImage(module)
	if err != nil {
		return nil, err
	}
	t, err := findTable(m)
	if err != nil {
		return nil, err
	}
	if err := t.strip(); err != nil {
		return nil, err
	}
	return m.write(), nil
}

// table is the runtime's function table, pclntab, in an image.
type table struct {
	*image
	start                                    int // of the table
	functions                                int
	compileUnits, files, counters, directory int // its parts
}

// magic begins a function table since Go 1.20: the version, two zero bytes,
// the instruction quantum and the size of a pointer.
var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

func findTable(m *image) (*table, error) {
	start := bytes.Index(m.memory, magic)
	if start < 0 || bytes.Contains(m.memory[start+1:], magic) {
		return nil, errors.New("strip: no function table of a known version, or more than one")
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(m.memory[start+8+8*i:])) }
	t := &table{image: m, start: start, functions: word(0), compileUnits: start + word(4), files: start + word(5), counters: start + word(6), directory: start + word(7)}
	if !(start < t.compileUnits && t.compileUnits < t.files && t.files < t.counters && t.counters < t.directory && t.directory < len(m.memory)) {
		return nil, errors.New("strip: the parts of the function table are out of order")
	}
	return t, nil
}

// Offsets in runtime._func.
const (
	funcCounterSP     = 16
	funcCounterFile   = 20
	funcCounterLine   = 24
	funcCounters      = 28 // how many more
	funcCompileUnit   = 32
	funcStartLine     = 36
	funcMoreCounters  = 44
	funcCounterFields = 4
)

func (t *table) strip() error {
	needed := make([]bool, t.directory-t.counters)
	for i := range t.functions {
		at := t.directory + int(t.uint32(t.directory+8*i+4))
		if at+funcMoreCounters > len(t.memory) {
			return errors.New("strip: a function lies beyond the table")
		}
		counters := []uint32{t.uint32(at + funcCounterSP)}
		for c := range t.uint32(at + funcCounters) {
			counters = append(counters, t.uint32(at+funcMoreCounters+funcCounterFields*int(c)))
		}
		for _, counter := range counters {
			if err := t.need(needed, int(counter)); err != nil {
				return err
			}
		}
		for _, field := range []int{funcCounterFile, funcCounterLine, funcCompileUnit, funcStartLine} {
			clear(t.memory[at+field:][:4])
		}
	}
	for i, n := range needed {
		if !n {
			t.memory[t.counters+i] = 0
		}
	}
	clear(t.memory[t.compileUnits:t.counters])
	return nil
}

func (t *table) uint32(at int) uint32 { return binary.LittleEndian.Uint32(t.memory[at:]) }

// need marks the bytes of one counter's table: pairs of variable-length
// numbers, the first of which may be zero only at the start.
func (t *table) need(needed []bool, counter int) error {
	if counter == 0 || counter < len(needed) && needed[counter] {
		return nil // absent, or marked with another function that shares it
	}
	r := reader{t.memory[:t.directory], t.counters + counter}
	for first := true; ; first = false {
		at := r.at
		if at >= t.directory {
			return errors.New("strip: a counter's table has no end")
		}
		value := r.uint()
		last := value == 0 && !first
		if !last {
			r.uint()
		}
		for i := at; i < r.at; i++ {
			needed[i-t.counters] = true
		}
		if last {
			return nil
		}
	}
}
