// Package wasmfile reads and writes as much of the WebAssembly binary format
// (WebAssembly Core Specification, chapter 5) as the kernel's build needs.
package wasmfile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Section identifiers.
const (
	Custom   = 0
	Type     = 1
	Import   = 2
	Func     = 3
	Table    = 4
	Memory   = 5
	Global   = 6
	Export   = 7
	Start    = 8
	Element  = 9
	Code     = 10
	Data     = 11
	DataSize = 12
)

var header = []byte("\x00asm\x01\x00\x00\x00")

// Section is one section of a module.
type Section struct {
	ID   byte
	Name string // of a custom section
	Body []byte // what follows the size, or the name of a custom section
}

// Append appends the section to a module. If module is empty, the header is written first.
func (s Section) Append(module []byte) []byte {
	if len(module) == 0 {
		module = append(module, header...)
	}
	body := s.Body
	if s.ID == Custom {
		body = append(appendName(nil, s.Name), body...)
	}
	module = append(module, s.ID)
	module = binary.AppendUvarint(module, uint64(len(body)))
	return append(module, body...)
}

// Sections splits a module into its sections.
func Sections(module []byte) ([]Section, error) {
	if len(module) < len(header) || string(module[:len(header)]) != string(header) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	r := reader{b: module[len(header):]}
	var sections []Section
	for len(r.b) > 0 && r.err == nil {
		s := Section{ID: r.byte()}
		body := reader{b: r.bytes(r.u32())}
		if s.ID == Custom {
			s.Name = string(body.bytes(body.u32()))
		}
		s.Body = body.b
		if body.err != nil {
			r.err = body.err
		}
		sections = append(sections, s)
	}
	if r.err != nil {
		return nil, fmt.Errorf("section %d: %w", len(sections)-1, r.err)
	}
	return sections, nil
}

// CustomSection returns the contents of the custom section of that name.
func CustomSection(module []byte, name string) ([]byte, error) {
	sections, err := Sections(module)
	if err != nil {
		return nil, err
	}
	for _, s := range sections {
		if s.ID == Custom && s.Name == name {
			return s.Body, nil
		}
	}
	return nil, fmt.Errorf("the module has no custom section %q", name)
}

func appendName(b []byte, name string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(name))), name...)
}

var errShort = errors.New("the module ends too early")

// reader consumes b; after the first error it returns zeros.
type reader struct {
	b   []byte
	err error
}

func (r *reader) bytes(n uint32) []byte {
	if r.err == nil && uint64(n) > uint64(len(r.b)) {
		r.err = errShort
	}
	if r.err != nil {
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); r.err == nil {
		return b[0]
	}
	return 0
}

func (r *reader) u32() uint32 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 5 || v > 1<<32-1 {
		r.err = errors.New("malformed LEB128 number")
		return 0
	}
	r.b = r.b[n:]
	return uint32(v)
}
