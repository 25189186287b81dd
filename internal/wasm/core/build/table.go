package build

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// table is the linker's data about functions for the runtime: the function table with
// its data (pcHeader in runtime/symtab.go), and the addresses of parts of the memory
// (moduledata there). It is specific to one toolchain.
type table struct {
	memory                                          []byte
	start                                           int
	functions                                       int
	names, compileUnits, files, counters, directory int // parts of the table
	data, dataEnd                                   int // stack maps and similar data; go:func.*
	end                                             int
	types, typesEnd                                 int // descriptions of types
	links, linkCount                                int // the types that reflection can find
}

// magic begins a function table since Go 1.20: the version, two zero bytes,
// the instruction quantum and the size of a pointer.
var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Fields of moduledata, in words.
const (
	moduleFindTable = 19
	moduleMinPC     = 20
	moduleTypes     = 37
	moduleTypesEnd  = 38
	moduleData      = 40
	moduleEnd       = 41
	moduleLinks     = 45
	moduleLinkCount = 46
	moduleWords     = 47
)

// A program counter is a function's number in the table of functions and, in the
// low bits, a place in it.
const (
	firstFunction = 0x1000
	placeBits     = 16
)

func findTable(m *module) (*table, error) {
	start := bytes.Index(m.memory, magic)
	if start < 0 || bytes.Contains(m.memory[start+1:], magic) {
		return nil, errors.New("strip: no function table of a known version, or more than one")
	}
	t := &table{memory: m.memory, start: start}
	word := func(at, i int) int { return t.word(at + 8*i) }
	t.functions = word(start, 1)
	t.names, t.compileUnits, t.files, t.counters, t.directory = start+word(start, 4), start+word(start, 5), start+word(start, 6), start+word(start, 7), start+word(start, 8)
	address := binary.LittleEndian.AppendUint64(nil, uint64(start))
	for at := 0; t.end == 0; at += 8 {
		next := bytes.Index(m.memory[at:], address)
		if next < 0 || at+next+8*moduleWords > len(m.memory) {
			return nil, errors.New("strip: no record of a known version describes the module")
		}
		if at += next; at%8 == 0 && word(at, moduleMinPC) == firstFunction<<placeBits {
			t.types, t.typesEnd = word(at, moduleTypes), word(at, moduleTypesEnd)
			t.data, t.dataEnd, t.end = word(at, moduleData), word(at, moduleFindTable), word(at, moduleEnd)
			t.links, t.linkCount = word(at, moduleLinks), word(at, moduleLinkCount)
		}
	}
	ordered := []int{0, t.types, t.typesEnd, t.start, t.names, t.compileUnits, t.files, t.counters, t.directory, t.data, t.dataEnd, t.end, len(m.memory)}
	for i := range ordered[1:] {
		if ordered[i] > ordered[i+1] {
			return nil, errors.New("strip: the parts of the function table are out of order")
		}
	}
	if t.functions != len(m.functions) {
		return nil, errors.New("strip: the function table and the module differ in the number of functions")
	}
	return t, nil
}

// word reads an address or a number of 64 bits. Bytes that are neither may give a negative number.
func (t *table) word(at int) int { return int(binary.LittleEndian.Uint64(t.memory[at:])) }

func (t *table) uint32(at int) uint32       { return binary.LittleEndian.Uint32(t.memory[at:]) }
func (t *table) setUint32(at int, v uint32) { binary.LittleEndian.PutUint32(t.memory[at:], v) }
