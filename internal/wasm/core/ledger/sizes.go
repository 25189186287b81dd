package main

import (
	"encoding/binary"
	"errors"
	"strings"
)

// rooms is the prefix of the names of this module's symbols.
const rooms = "github.com_vantage_search_vantage_"

// sizes are the bytes of a module by content.
type sizes struct {
	code  map[string]int // code by Go package
	names map[int]string // functions by number; imported functions count, but have no name here
	data  int            // data segments: the runtime's tables, type descriptions, strings, Unicode tables
	other int            // everything else
}

// Section ids of the WebAssembly binary format.
const (
	sectionCustom = 0
	sectionImport = 2
	sectionCode   = 10
	sectionData   = 11
)

// measure reads a module that has its name section.
func measure(module []byte) (sizes, error) {
	s := sizes{code: map[string]int{}}
	var bodies []int
	imported := 0
	r := reader{module}
	r.take(8) // magic and version
	for len(r.rest) > 0 {
		id := r.byte()
		section := reader{r.take(r.uint())}
		switch size := len(section.rest); id {
		case sectionImport:
			imported = countFunctionImports(section)
			s.other += size
		case sectionCode:
			for range section.uint() {
				n := section.uint()
				section.take(n)
				bodies = append(bodies, n)
			}
		case sectionData:
			s.data += size
		case sectionCustom:
			if string(section.take(section.uint())) == "name" {
				s.names = functionNames(section)
				break // the shipped core has no names
			}
			s.other += size
		default:
			s.other += size
		}
	}
	if s.names == nil {
		return s, errors.New("the module has no name section")
	}
	for i, n := range bodies {
		s.code[packageOf(s.names[imported+i])] += n
	}
	return s, nil
}

// packageOf is the package of a symbol, if its path has no underscores. The linker writes a path's slashes and dashes
// as underscores: "github.com_vantage_search_vantage_internal_wasm_index.New".
func packageOf(symbol string) string {
	rest, ours := strings.CutPrefix(symbol, rooms)
	if strings.HasPrefix(rest, "type_") || strings.HasPrefix(rest, "go_") {
		return "(equality and hashing of types)"
	}
	pkg, _, found := strings.Cut(rest, ".")
	switch {
	case !found:
		return "(entry points)"
	case ours:
		return strings.ReplaceAll(pkg, "_", "/")
	case pkg == "main":
		return "internal/wasm/core"
	}
	return "(" + pkg + ")"
}

func countFunctionImports(r reader) int {
	n := 0
	for range r.uint() {
		r.take(r.uint())
		r.take(r.uint())
		switch kind := r.byte(); kind {
		case 0: // function: type index
			r.uint()
			n++
		default:
			return n // Go's linker imports only functions
		}
	}
	return n
}

// functionNames reads subsection 1 of the name section.
func functionNames(r reader) map[int]string {
	names := map[int]string{}
	for len(r.rest) > 0 {
		id := r.byte()
		sub := reader{r.take(r.uint())}
		if id != 1 {
			continue
		}
		for range sub.uint() {
			i := sub.uint()
			names[i] = string(sub.take(sub.uint()))
		}
	}
	return names
}

// reader reads a module of the Go linker.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte { return r.take(1)[0] }

func (r *reader) uint() int {
	v, n := binary.Uvarint(r.rest) // LEB128, as in WebAssembly
	r.take(n)
	return int(v)
}
