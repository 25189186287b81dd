package build

import (
	"encoding/binary"
	"errors"
	"slices"
)

// The directory of functions contains, for each function, its number and the offset of
// its record, and the record contains the number again. All these numbers follow from the
// lengths of the records. So the module does not contain them and computes them when it starts.

// Instructions of the start function that no other part of this package needs.
const (
	opI32Load8 = 0x2d // unsigned
	opI32NotEq = 0x47
	opI32And   = 0x71
	opI32Shift = 0x74
	typeI32    = 0x7f
)

const (
	directoryEntry  = 8 // number and offset
	recordAlignment = 8
)

// computeDirectory clears what filler computes, and adds it to the module.
func (t *table) computeDirectory(m *module) error {
	first := t.record(0)
	for i, at := 0, first; i < t.functions; i++ {
		entry := t.directory + directoryEntry*i
		if number := uint32(firstFunction + i); t.uint32(entry) != number || t.uint32(at) != number || t.record(i) != at {
			return errors.New("strip: the directory of functions is not ordered as in a known version")
		}
		clear(t.memory[entry:][:directoryEntry])
		clear(t.memory[at:][:4])
		at += t.recordLength(at)
	}
	return m.startWith(t.filler(first))
}

// recordLength is the length of the record at an address.
func (t *table) recordLength(at int) int {
	fields := int(t.uint32(at+funcCounters)) + int(t.memory[at+funcData])
	return (funcMoreCounters + funcCounterFields*fields + recordAlignment - 1) &^ (recordAlignment - 1)
}

// filler is the body of a function that fills in the directory.
func (t *table) filler(firstRecord int) []byte {
	const number, entry, record = 0, 1, 2 // local variables
	memory := func(code byte, offset int) instruction {
		return instruction{code, int64(offset), binary.AppendUvarint([]byte{code, 0}, uint64(offset))}
	}
	constant := func(v int) instruction { return constant32(int32(v)) }
	get, set := func(local int) instruction { return indexed(opGet, local) }, func(local int) instruction { return indexed(opSet, local) }
	return encode([]byte{1, 3, typeI32}, []instruction{
		constant(firstFunction), set(number), constant(t.directory), set(entry), constant(firstRecord), set(record),
		{opLoop, voidBlock, []byte{opLoop, voidBlock}},
		get(entry), get(number), memory(opStore, 0),
		get(entry), get(record), constant(t.directory), plain(opI32Sub), memory(opStore, 4),
		get(record), get(number), memory(opStore, 0),
		get(record), memory(opLoad, funcCounters), get(record), memory(opI32Load8, funcData), plain(opI32Add),
		constant(2), plain(opI32Shift), constant(funcMoreCounters + recordAlignment - 1), plain(opI32Add), constant(-recordAlignment), plain(opI32And),
		get(record), plain(opI32Add), set(record),
		get(entry), constant(directoryEntry), plain(opI32Add), set(entry),
		get(number), constant(1), plain(opI32Add), indexed(opTee, number), constant(firstFunction + t.functions), plain(opI32NotEq), indexed(opBrIf, 0),
		plain(opEnd),
		plain(opEnd),
	})
}

// startWith adds a function that runs when the module is instantiated, after its data
// are in memory. It has neither parameters nor results.
func (m *module) startWith(body []byte) error {
	types, functions, elements := m.section(sectionType), m.section(sectionFunction), m.section(sectionElement)
	if types < 0 || functions < 0 || elements < 0 || m.section(sectionStart) >= 0 {
		return errors.New("strip: the module does not have the sections of a known version")
	}
	number := len(m.functions)
	m.functions = append(m.functions, function{"start", body})
	r := reader{m.sections[types].content, 0}
	kind := r.uint()
	m.sections[types].content = slices.Concat(binary.AppendUvarint(nil, uint64(kind+1)), r.b[r.at:], []byte{0x60, 0, 0})
	r = reader{m.sections[functions].content, 0}
	r.uint()
	m.sections[functions].content = binary.AppendUvarint(slices.Concat(binary.AppendUvarint(nil, uint64(number+1)), r.b[r.at:]), uint64(kind))
	m.sections = slices.Insert(m.sections, elements, section{sectionStart, binary.AppendUvarint(nil, uint64(m.imported+number))})
	return nil
}

// section is the position of a section, or -1.
func (m *module) section(id byte) int {
	return slices.IndexFunc(m.sections, func(s section) bool { return s.id == id })
}
