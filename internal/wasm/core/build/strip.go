package build

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Offsets in runtime._func, which begins a function's record.
const (
	funcName          = 4
	funcDeferReturn   = 12 // where to continue after a recovered panic
	funcCounterSP     = 16
	funcCounterFile   = 20
	funcCounterLine   = 24
	funcCounters      = 28 // number of counters
	funcCompileUnit   = 32
	funcStartLine     = 36
	funcID            = 40
	funcFlag          = 41
	funcData          = 43 // number of data, in a byte
	funcMoreCounters  = 44
	funcCounterFields = 4
	flagAssembly      = 4
	funcIDWrapper     = 23 // wrappers of methods and similar functions (internal/abi.FuncIDWrapper)
)

// Counters and data that the runtime needs for more than stack traces (internal/abi): the
// pointers in frames, the operands of bounds checks, due deferred calls, inlined functions.
const (
	counterStackMap    = 1
	counterInlined     = 2
	counterPanicBounds = 4

	dataArguments    = 0
	dataLocals       = 1
	dataStackObjects = 2
	dataInlined      = 3
	dataDefers       = 4

	absent = 0xffffffff // marks data that a function does not have
)

// strip clears the data about functions that the runtime needs only for stack traces:
// names, files, lines, arguments and inlined functions. It clears all data of dead
// functions, but not the lengths of their records. The runtime treats an absent table as
// an unknown line.
//
// Data about inlined functions is kept in functions that call recover, and in wrappers,
// which recover does not count as callers (runtime.gorecover).
func (t *table) strip(m *module, dead []bool) error {
	recovers := m.named["runtime.gorecover"] + m.imported
	s := stripper{table: t, needed: make([]bool, len(t.memory)), counted: []byte{0}, offsets: map[string]uint32{}}
	fixed, err := fixed(m, t)
	if err != nil {
		return err
	}
	for i := range m.functions {
		f := &m.functions[i]
		at := t.record(i)
		if at+funcMoreCounters > t.data {
			return errors.New("strip: a function lies beyond the table")
		}
		if dead[i] {
			clear(t.memory[at+funcName : at+funcCounters])
			clear(t.memory[at+funcCompileUnit : at+funcData])
			clear(t.memory[at+funcMoreCounters : at+t.recordLength(at)])
			continue
		}
		locals, list, err := decode(f.body)
		if err != nil {
			return err
		}
		inlined := t.memory[at+funcID] == funcIDWrapper || slices.ContainsFunc(list, func(in instruction) bool { return in.op == opCall && int(in.value) == recovers })
		rename, err := s.describe(i, list, inlined, fixed[i])
		if err != nil {
			return fmt.Errorf("strip: %w in %s", err, f.name)
		}
		if rename != nil {
			f.body = encode(locals, rename.rewrite(i, list))
		}
	}
	if len(s.counted) > t.directory-t.counters {
		return errors.New("strip: the counters have grown")
	}
	clear(t.memory[t.counters:t.directory])
	copy(t.memory[t.counters:], s.counted)
	clear(t.memory[t.names:t.counters])
	t.coarsen()
	for i := t.data; i < t.dataEnd; i++ {
		if !s.needed[i] {
			t.memory[i] = 0
		}
	}
	return nil
}

// bucket is the size of runtime.findfuncbucket: the number of the first function in a
// range of program counters, and the number of functions before each part of the range.
const bucket = 20

// coarse is the number of functions by which a bucket may begin early.
const coarse = 16

// coarsen changes the table from program counters to functions so that entries begin up
// to coarse functions early. The runtime searches forward from an entry anyway. Because
// a function has 65,536 program counters on WebAssembly, that table is otherwise as
// large as all others together.
func (t *table) coarsen() {
	for at := t.dataEnd; at+bucket <= t.end; at += bucket {
		t.setUint32(at, t.uint32(at)&^(coarse-1))
		clear(t.memory[at+4 : at+bucket])
	}
}

// stripper marks the needed bytes and rewrites the counters.
type stripper struct {
	*table
	needed  []bool
	counted []byte
	offsets map[string]uint32 // offsets of counters in counted
}

// record is the address of a function's record.
func (t *table) record(i int) int { return t.directory + int(t.uint32(t.directory+8*i+4)) }

// describe strips the record of function i and renumbers its places, unless they are
// fixed.
func (s *stripper) describe(i int, list []instruction, inlined, fixed bool) (*places, error) {
	at := s.record(i)
	for _, field := range []int{funcName, funcCounterFile, funcCounterLine, funcCompileUnit, funcStartLine} {
		s.setUint32(at+field, 0)
	}
	var fields []int // position of the offsets of counters
	var counters []*counter
	keep := func(field int) (*counter, error) {
		offset := int(s.uint32(field))
		if offset == 0 {
			return nil, nil // absent
		}
		c, err := parseCounter(s.memory[s.counters+offset : s.directory])
		fields, counters = append(fields, field), append(counters, c)
		return c, err
	}
	if _, err := keep(at + funcCounterSP); err != nil {
		return nil, err
	}
	field := at + funcMoreCounters
	last := -1 // inlined call
	for kind := range int(s.uint32(at + funcCounters)) {
		if kind == counterStackMap || kind == counterPanicBounds || kind == counterInlined && inlined {
			c, err := keep(field)
			if err != nil {
				return nil, err
			}
			if kind == counterInlined && c != nil {
				last = slices.Max(c.values)
			}
		} else {
			s.setUint32(field, 0)
		}
		field += funcCounterFields
	}
	for kind := range int(s.memory[at+funcData]) {
		if kind <= dataStackObjects || kind == dataDefers || kind == dataInlined && inlined {
			s.datum(kind, int(s.uint32(field)), last)
		} else {
			s.setUint32(field, absent)
		}
		field += funcCounterFields
	}
	var renamed *places
	if !fixed && !inlined { // functions share the data of inlined functions, which contains places
		deferred := int(s.uint32(at + funcDeferReturn))
		var err error
		if renamed, err = newPlaces(i, list, counters, []int{deferred}); err != nil {
			return nil, err
		}
		if renamed != nil {
			s.setUint32(at+funcDeferReturn, uint32(renamed.renamed[deferred]))
		}
	}
	for i, c := range counters {
		if renamed != nil {
			c = c.renumbered(renamed)
		}
		s.setUint32(fields[i], s.lay(string(c.bytes())))
	}
	return renamed, nil
}

// lay returns the offset of a counter's bytes.
func (s *stripper) lay(b string) uint32 {
	offset, known := s.offsets[b]
	if !known {
		offset = uint32(len(s.counted))
		s.offsets[b] = offset
		s.counted = append(s.counted, b...)
	}
	return offset
}

// datum marks the data that a function's record points to. last is the highest number
// of an inlined call.
func (s *stripper) datum(kind, offset, last int) {
	at := s.data + offset
	if offset == absent || at >= s.dataEnd {
		return // absent, or the empty stack map of assembly, which is elsewhere
	}
	length := 0
	switch kind {
	case dataArguments, dataLocals: // runtime.stackmap: number of maps, and bits per map
		length = 8 + int(s.uint32(at))*((int(s.uint32(at+4))+7)/8)
	case dataStackObjects: // number of entries of 16 bytes
		length = 8 + 16*int(binary.LittleEndian.Uint64(s.memory[at:]))
	case dataInlined: // runtime.inlinedCall, of 16 bytes
		length = 16 * (last + 1)
		for call := range last + 1 {
			s.setUint32(at+16*call+4, 0)  // its name
			s.setUint32(at+16*call+12, 0) // its line
		}
	case dataDefers: // two variable-length numbers
		r := reader{s.memory[:s.dataEnd], at}
		r.uint()
		r.uint()
		length = r.at - at
	}
	s.mark(at, length)
}

func (s *stripper) mark(at, length int) {
	for i := range length {
		s.needed[at+i] = true
	}
}
