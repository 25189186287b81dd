package build

import (
	"encoding/binary"
	"errors"
)

// module is a WebAssembly module of Go's linker, with decoded functions, and with its
// data in the form of the memory that it initialises.
type module struct {
	sections  []section
	imported  int            // number of imported functions, which have the first indexes
	exported  []int          // functions that the host calls; numbers here and below do not count imported functions
	functions []function     // functions that the module defines
	named     map[string]int // functions by name
	memory    []byte
}

// section is a section as bytes. For code and data these do not count: module has them as
// functions and memory. There is no name section: functions have their names.
type section struct {
	id      byte
	content []byte
}

// function is a function that the module defines.
type function struct {
	name string // the linker's name, with underscores for slashes, dashes, stars and brackets
	body []byte // locals and instructions, without the length
}

// Sections of the WebAssembly binary format.
const (
	sectionCustom    = 0
	sectionType      = 1
	sectionImport    = 2
	sectionFunction  = 3
	sectionExport    = 7
	sectionStart     = 8
	sectionElement   = 9
	sectionCode      = 10
	sectionData      = 11
	sectionDataCount = 12
)

// readModule parses a module with a name section. It drops other custom sections.
func readModule(file []byte) (*module, error) {
	m := &module{named: map[string]int{}}
	names := map[int]string{}
	r := reader{file, 8}
	for r.at < len(file) {
		id := r.byte()
		size := r.uint()
		content := reader{b: file[r.at:][:size]}
		r.at += size
		switch id {
		case sectionCustom:
			if content.text() == "name" {
				content.names(names)
			}
			continue
		case sectionImport:
			m.imported = content.imports()
		case sectionExport:
			for range content.uint() {
				content.text()
				if kind, index := content.byte(), content.uint(); kind == 0 {
					m.exported = append(m.exported, index-m.imported)
				}
			}
		case sectionCode:
			for range content.uint() {
				m.functions = append(m.functions, function{body: content.take(content.uint())})
			}
		case sectionData:
			if err := m.place(&content); err != nil {
				return nil, err
			}
		case sectionDataCount:
			return nil, errors.New("strip: the module counts its data segments: none of Go's linkers wrote that")
		}
		m.sections = append(m.sections, section{id, content.b})
	}
	if m.memory == nil {
		return nil, errors.New("strip: the module has no data")
	}
	if len(m.functions) == 0 || len(names) < len(m.functions) {
		return nil, errors.New("strip: the module has no code, or does not name it")
	}
	for i := range m.functions {
		name := names[m.imported+i]
		m.functions[i].name = name
		m.named[name] = i
	}
	return m, nil
}

// write returns the module, with or without a name section.
func (m *module) write(names bool) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range m.sections {
		content := s.content
		switch s.id {
		case sectionCode:
			content = binary.AppendUvarint(nil, uint64(len(m.functions)))
			for _, f := range m.functions {
				content = appendText(content, f.body)
			}
		case sectionData:
			content = m.segments()
		}
		out = appendText(append(out, s.id), content)
	}
	if names {
		out = appendText(append(out, sectionCustom), m.nameSection())
	}
	return out
}

// nameSection is a name section with subsection 1, the names of functions.
func (m *module) nameSection() []byte {
	list := binary.AppendUvarint(nil, uint64(len(m.functions)))
	for i, f := range m.functions {
		list = binary.AppendUvarint(list, uint64(m.imported+i))
		list = appendText(list, []byte(f.name))
	}
	return appendText(append(appendText(nil, []byte("name")), 1), list)
}

// appendText appends a length and the bytes.
func appendText(b, text []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
