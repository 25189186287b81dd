package wasmfile

import (
	"encoding/binary"

	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
)

// The Go core imports the kernel's functions, and the kernel imports the core's
// memory. Two modules without memory break this circular dependency. The shim is
// instantiated first: each of its exports calls the function at its place in a
// table. The glue is instantiated last and writes the kernel's functions into that
// table.

const (
	kindFunc  = 0
	kindTable = 1
	kindMem   = 2

	opLocalGet     = 0x20
	opI32Const     = 0x41
	opCallIndirect = 0x11
	opEnd          = 0x0b

	typeFunc    = 0x60
	typeFuncref = 0x70
)

// Names of the modules and of the table between them.
const (
	ShimModule   = "kernel" // as the Go core imports it
	KernelModule = "kimpl"  // as the glue imports the real kernel
	TableName    = "t"
	MemoryModule = "go" // as the kernel imports the core's memory
	MemoryName   = "mem"
)

// Shim returns the module that exports every function of the list, each
// calling its place in the exported table.
func Shim(functions []signature.Function) []byte {
	n := uint64(len(functions))
	exports := binary.AppendUvarint(nil, n+1)
	exports = append(appendName(exports, TableName), kindTable, 0)
	code := binary.AppendUvarint(nil, n)
	for i, f := range functions {
		exports = append(appendName(exports, f.Name), kindFunc)
		exports = binary.AppendUvarint(exports, uint64(i))

		body := []byte{0} // no further locals
		for j := range f.Params {
			body = binary.AppendUvarint(append(body, opLocalGet), uint64(j))
		}
		body = appendSigned(append(body, opI32Const), int64(i))
		body = binary.AppendUvarint(append(body, opCallIndirect), uint64(i)) // type i
		body = append(body, 0, opEnd)                                        // of table 0
		code = binary.AppendUvarint(code, uint64(len(body)))
		code = append(code, body...)
	}
	m := Section{ID: Type, Body: types(functions)}.Append(nil)
	m = Section{ID: Func, Body: indexes(n)}.Append(m)
	m = Section{ID: Table, Body: appendTable([]byte{1}, n)}.Append(m)
	m = Section{ID: Export, Body: exports}.Append(m)
	return Section{ID: Code, Body: code}.Append(m)
}

// Glue returns the module that, once instantiated, has filled the shim's table
// with the kernel's functions.
func Glue(functions []signature.Function) []byte {
	n := uint64(len(functions))
	imports := binary.AppendUvarint(nil, n+1)
	imports = appendName(appendName(imports, ShimModule), TableName)
	imports = appendTable(append(imports, kindTable), n)
	for i, f := range functions {
		imports = appendName(appendName(imports, KernelModule), f.Name)
		imports = binary.AppendUvarint(append(imports, kindFunc), uint64(i))
	}
	// One active segment for table 0, at offset 0.
	elements := append([]byte{1, 0, opI32Const, 0, opEnd}, indexes(n)...)
	m := Section{ID: Type, Body: types(functions)}.Append(nil)
	m = Section{ID: Import, Body: imports}.Append(m)
	return Section{ID: Element, Body: elements}.Append(m)
}

// Host returns a module that exports nothing but a memory of that many pages
// of 64 KB: the Go core's part, for those who call the kernel without it.
func Host(pages uint32) []byte {
	memory := binary.AppendUvarint([]byte{1, 0}, uint64(pages))
	exports := append(appendName([]byte{1}, MemoryName), kindMem, 0)
	m := Section{ID: Memory, Body: memory}.Append(nil)
	return Section{ID: Export, Body: exports}.Append(m)
}

// types is the body of a type section with one type for each function.
func types(functions []signature.Function) []byte {
	b := binary.AppendUvarint(nil, uint64(len(functions)))
	for _, f := range functions {
		params, results := f.Wasm()
		b = append(b, typeFunc)
		for _, list := range [][]signature.ValueType{params, results} {
			b = binary.AppendUvarint(b, uint64(len(list)))
			for _, t := range list {
				b = append(b, byte(t))
			}
		}
	}
	return b
}

// indexes is the vector 0, 1, …, n-1.
func indexes(n uint64) []byte {
	b := binary.AppendUvarint(nil, n)
	for i := range n {
		b = binary.AppendUvarint(b, i)
	}
	return b
}

// appendTable appends the type of a table of n functions without a maximum.
func appendTable(b []byte, n uint64) []byte {
	return binary.AppendUvarint(append(b, typeFuncref, 0), n)
}

// appendSigned appends v as signed LEB128.
func appendSigned(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
