package build

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// trap is the body of a function that cannot be reached: no variables,
// unreachable, end.
var trap = []byte{0, 0, 0x0b}

// returns is the name of a function that only returns, from which quiet functions take their body.
const returns = "runtime.publicationBarrier"

// prune empties the functions that cuts name and those that only they reach. It returns
// which functions those are. Every function keeps its number.
func prune(m *module, t *table) (dead []bool, err error) {
	graph, err := newGraph(m, t)
	if err != nil {
		return nil, err
	}
	before := graph.reached()
	dead = make([]bool, len(m.functions))
	empty, ok := m.named[returns]
	if !ok {
		return nil, errors.New("prune: no function is called " + returns)
	}
	for _, kind := range []struct {
		cuts []cut
		body []byte
	}{{never, trap}, {quiet, m.functions[empty].body}} {
		for _, cut := range kind.cuts {
			for name := range strings.FieldsSeq(cut.names) {
				i, ok := m.named[name]
				if !ok {
					return nil, fmt.Errorf("prune: no function is called %s (cut: %s): read internal/wasm/core/build/cuts.go again with this toolchain's runtime at hand", name, cut.why)
				}
				m.functions[i].body = kind.body
				graph.calls[i] = nil
				dead[i] = true
			}
		}
	}
	after := graph.reached()
	for i := range m.functions {
		if before[i] && !after[i] {
			m.functions[i].body = trap
			dead[i] = true
		}
	}
	return dead, nil
}

// graph says which functions reach which others.
type graph struct {
	roots []int   // functions that the host calls or whose address lies in the data
	calls [][]int // functions that a function calls, or whose address it takes
}

func newGraph(m *module, t *table) (*graph, error) {
	g := &graph{roots: m.exported, calls: make([][]int, len(m.functions))}
	for i, f := range m.functions {
		call := func(index int) {
			if index >= m.imported {
				g.calls[i] = append(g.calls[i], index-m.imported)
			}
		}
		constant := func(value int64) {
			if callee, ok := m.address(uint64(value)); ok {
				g.calls[i] = append(g.calls[i], callee)
			}
		}
		if err := references(f.body, call, constant); err != nil {
			return nil, fmt.Errorf("%w in %s", err, f.name)
		}
	}
	// The function table contains every function, so it does not count as a reference.
	for at := 0; at+8 <= len(m.memory); at += 8 { // pointers are aligned
		if t.start <= at && at+8 <= t.end {
			continue
		}
		if i, ok := m.address(binary.LittleEndian.Uint64(m.memory[at:])); ok {
			g.roots = append(g.roots, i)
		}
	}
	// A table of methods has two function numbers for each, side by side: that which
	// interfaces call, and the method itself. Other words may look like function numbers, too.
	number := func(at int) (function int, ok bool) {
		function = int(binary.LittleEndian.Uint32(m.memory[at:])) - firstFunction
		return function, 0 <= function && function < len(m.functions)
	}
	for at := t.types; at+8 <= t.typesEnd; at += 4 {
		called, ok := number(at)
		method, also := number(at + 4)
		if ok && also && lastName(m.functions[called].name) == lastName(m.functions[method].name) {
			g.roots = append(g.roots, called, method)
		}
	}
	return g, nil
}

// lastName is the part of a function's name after the last dot.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// address returns the function that begins at a program counter.
func (m *module) address(value uint64) (function int, ok bool) {
	i := value>>placeBits - firstFunction
	return int(i), value&(1<<placeBits-1) == 0 && i < uint64(len(m.functions))
}

// reached returns which functions are reachable from the roots.
func (g *graph) reached() []bool {
	reached := make([]bool, len(g.calls))
	pending := append([]int(nil), g.roots...)
	for len(pending) > 0 {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !reached[i] {
			reached[i] = true
			pending = append(pending, g.calls[i]...)
		}
	}
	return reached
}
