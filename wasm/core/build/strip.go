package build

import (
	"encoding/binary"
	"errors"
)

// Offsets in runtime._func, which begins a function's record.
const (
	funcName          = 4
	funcCounterSP     = 16
	funcCounterFile   = 20
	funcCounterLine   = 24
	funcCounters      = 28 // how many more
	funcCompileUnit   = 32
	funcStartLine     = 36
	funcID            = 40
	funcData          = 43 // how many, in a byte
	funcMoreCounters  = 44
	funcCounterFields = 4
	funcIDWrapper     = 23 // methods' wrappers and the like (internal/abi.FuncIDWrapper)
)

// Counters and data that the runtime needs beyond stack traces (internal/abi):
// where pointers lie in frames, which deferred calls are due, and what is inlined.
const (
	counterStackMap    = 1
	counterInlined     = 2
	counterPanicBounds = 4

	dataArguments    = 0
	dataLocals       = 1
	dataStackObjects = 2
	dataInlined      = 3
	dataDefers       = 4

	absent = 0xffffffff // data that a function does not have
)

// strip blanks what the runtime keeps of functions for stack traces alone: their
// names, files and lines, their arguments, and what is inlined; and all of
// functions that are dead. The runtime takes an absent table for an unknown line.
//
// What is inlined counts where recover is called, and in wrappers, which recover
// does not count as callers (runtime.gorecover).
func (t *table) strip(m *module, dead []bool) error {
	recovers := m.named["runtime.gorecover"] + m.imported
	s := stripper{table: t, needed: make([]bool, len(t.memory))}
	for i, f := range m.functions {
		at := t.directory + int(t.uint32(t.directory+8*i+4))
		if at+funcMoreCounters > t.data {
			return errors.New("strip: a function lies beyond the table")
		}
		if dead[i] {
			clear(t.memory[at+funcName : at+funcMoreCounters+funcCounterFields*(int(t.uint32(at+funcCounters))+int(t.memory[at+funcData]))])
			continue
		}
		inlined := t.memory[at+funcID] == funcIDWrapper
		err := references(f.body, func(index int) { inlined = inlined || index == recovers }, func(int64) {})
		if err == nil {
			err = s.record(at, inlined)
		}
		if err != nil {
			return err
		}
	}
	clear(t.memory[t.names:t.counters])
	t.coarsen()
	for _, part := range [][2]int{{t.counters, t.directory}, {t.data, t.dataEnd}} {
		for i := part[0]; i < part[1]; i++ {
			if !s.needed[i] {
				t.memory[i] = 0
			}
		}
	}
	return nil
}

// bucket is the size of runtime.findfuncbucket: the number of the first function
// of a stretch of program counters, and how many come before each part of it.
const bucket = 20

// coarse is how many functions share their buckets' number.
const coarse = 16

// coarsen lets the table that leads from a program counter to its function begin
// up to coarse functions early. The runtime goes on from there in any case. With
// 65,536 counters a function, as WebAssembly has it, that table is as large as all
// others together.
func (t *table) coarsen() {
	for at := t.dataEnd; at+bucket <= t.end; at += bucket {
		t.setUint32(at, t.uint32(at)&^(coarse-1))
		clear(t.memory[at+4 : at+bucket])
	}
}

// stripper marks the bytes that are needed.
type stripper struct {
	*table
	needed []bool
}

// record strips the record of a function.
func (s *stripper) record(at int, inlined bool) error {
	for _, field := range []int{funcName, funcCounterFile, funcCounterLine, funcCompileUnit, funcStartLine} {
		s.setUint32(at+field, 0)
	}
	if err := s.counter(int(s.uint32(at + funcCounterSP))); err != nil {
		return err
	}
	field := at + funcMoreCounters
	last := 0 // inlined call
	for kind := range int(s.uint32(at + funcCounters)) {
		if kind == counterStackMap || kind == counterPanicBounds || kind == counterInlined && inlined {
			if err := s.counter(int(s.uint32(field))); err != nil {
				return err
			}
		} else {
			s.setUint32(field, 0)
		}
		if kind == counterInlined && inlined {
			last = s.highest(int(s.uint32(field)))
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
	return nil
}

// counter marks the table of a counter: pairs of variable-length numbers, the
// first of which may be zero only at the start.
func (s *stripper) counter(counter int) error {
	at := s.counters + counter
	if counter == 0 || at < s.directory && s.needed[at] {
		return nil // absent, or marked with another function that shares it
	}
	r := reader{s.memory[:s.directory], at}
	for first := true; ; first = false {
		if r.at >= s.directory {
			return errors.New("strip: a counter's table has no end")
		}
		if value := r.uint(); value == 0 && !first {
			break
		}
		r.uint()
	}
	s.mark(at, r.at-at)
	return nil
}

// highest is the highest value that a counter has, which counter has checked.
// Values are sums of differences from -1 on, in zigzag code.
func (s *stripper) highest(counter int) (highest int) {
	highest = -1
	if counter == 0 {
		return highest
	}
	value := -1
	r := reader{s.memory[:s.directory], s.counters + counter}
	for first := true; ; first = false {
		code := r.uint()
		if code == 0 && !first {
			return highest
		}
		value += code>>1 ^ -(code & 1)
		highest = max(highest, value)
		r.uint()
	}
}

// datum marks what a function's record points to. last is the highest number of
// an inlined call.
func (s *stripper) datum(kind, offset, last int) {
	at := s.data + offset
	if offset == absent || at >= s.dataEnd {
		return // absent, or elsewhere: the empty stack map of assembly
	}
	length := 0
	switch kind {
	case dataArguments, dataLocals: // runtime.stackmap: how many maps, of how many bits
		length = 8 + int(s.uint32(at))*((int(s.uint32(at+4))+7)/8)
	case dataStackObjects: // how many, of 16 bytes
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
