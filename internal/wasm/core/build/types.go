package build

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Offsets in abi.Type of Go (internal/abi), which begins the description of a type, and in what
// follows it for some kinds.
const (
	typeSize      = 0
	typePointers  = 8 // bytes up to the last pointer
	typeHash      = 16
	typeFlag      = 20
	typeAlign     = 21
	typeKind      = 23
	typeEqual     = 24 // how values are compared, if they can be
	typeMask      = 32 // which words are pointers
	typeName      = 40
	typePointerTo = 44 // the type of pointers to this one
	typeEnd       = 48

	memberPackage = typeEnd     // of a struct or an interface
	members       = typeEnd + 8 // fields of a struct, or methods of an interface: their address, then their number
	fieldSize     = 24          // of a field: the address of its name, its type, its offset
	promiseSize   = 8           // of a method of an interface: its name, its type

	methodCount   = 4 // after the package in UncommonType
	methodsOffset = 8
	methodSize    = 16 // its name, its type, two functions, of which only reflection calls the second
	methodDirect  = 12
)

// Kinds and flags (internal/abi).
const (
	kindArray, kindChan, kindFunc, kindInterface, kindMap, kindPointer, kindSlice, kindStruct = 17, 18, 19, 20, 21, 22, 23, 25
	kindLast                                                                                  = 26

	flagUncommon = 1 // of a type: an UncommonType follows
	flagStar     = 2 // of a type: its name begins with a star too many
	flagTag      = 2 // of a name: a tag follows
	flagPackage  = 4 // of a name: the offset of a package's name follows
	flagsOfName  = 1<<4 - 1
	flagsOfType  = 1<<6 - 1
)

// extents are the lengths of the descriptions of kinds that need more than typeEnd.
var extents = map[byte]int{kindArray: 72, kindChan: 64, kindFunc: 56, kindInterface: 80, kindMap: 104, kindPointer: 56, kindSlice: 56, kindStruct: 80}

// stripTypes clears the parts of type descriptions that only reflection and the messages of
// some panics read: names, except those of methods of interfaces, and hashes. A hash stays if
// a type switch may compare it or if the type has methods (runtime.itabHashFunc). A failed
// type assertion then says "interface conversion:  is , not ", without the types.
//
// No index lists all descriptions. So they are recognised by their form, and every type in the
// linker's list, which has some of them, must be among those found.
func (t *table) stripTypes(m *module) error {
	constants := map[uint32]bool{} // the code's, among them the hashes in type switches
	for _, f := range m.functions {
		if err := references(f.body, func(int) {}, func(v int64) { constants[uint32(v)] = true }); err != nil {
			return err
		}
	}
	var types []int
	described := map[int]bool{}
	promised := map[string]bool{"_": true} // names of the methods of interfaces; a field "_" has no part in hashes
	for at := t.types; at+typeEnd <= t.typesEnd; at += 8 {
		if !t.describesType(at) {
			continue
		}
		types, described[at] = append(types, at), true
		if t.memory[at+typeKind] == kindInterface {
			for i := range t.word(at + members + 8) {
				name, _, _ := t.nameAt(t.types + int(t.uint32(t.word(at+members)+promiseSize*i)))
				promised[name] = true
			}
		}
	}
	for i := range t.linkCount {
		if !described[t.types+int(t.uint32(t.links+4*i))] {
			return errors.New("strip: a type is not described as a known version does")
		}
	}
	clear(t.memory[t.links:][:4*t.linkCount])
	cleared := map[int]int{} // names to clear: from, to
	drop := func(address int) bool {
		name, end, ok := t.nameAt(address)
		if ok && !promised[name] {
			cleared[address] = end
		}
		return ok && !promised[name]
	}
	for _, at := range types {
		methods := t.stripMethods(at, drop)
		kind := t.memory[at+typeKind]
		if kind != kindInterface && !methods && !constants[t.uint32(at+typeHash)] {
			t.setUint32(at+typeHash, 0)
		}
		if kind == kindInterface || kind == kindStruct {
			drop(t.word(at + memberPackage))
			clear(t.memory[at+memberPackage:][:8])
		}
		if kind == kindStruct {
			for i := range t.word(at + members + 8) {
				if field := t.word(at+members) + fieldSize*i; drop(t.word(field)) {
					clear(t.memory[field:][:8])
				}
			}
		}
		drop(t.types + int(t.uint32(at+typeName)))
		t.setUint32(at+typeName, 0)
		t.setUint32(at+typePointerTo, 0)
		t.memory[at+typeFlag] &^= flagStar
	}
	for from, to := range cleared {
		clear(t.memory[from:to])
	}
	return nil
}

// stripMethods strips the methods of a type, and reports whether it has any.
func (t *table) stripMethods(at int, drop func(int) bool) bool {
	if t.memory[at+typeFlag]&flagUncommon == 0 {
		return false
	}
	extent, ok := extents[t.memory[at+typeKind]]
	if !ok {
		extent = typeEnd
	}
	uncommon := at + extent
	drop(t.types + int(t.uint32(uncommon)))
	t.setUint32(uncommon, 0)
	count := int(binary.LittleEndian.Uint16(t.memory[uncommon+methodCount:]))
	for i := range count {
		method := uncommon + int(t.uint32(uncommon+methodsOffset)) + methodSize*i
		if drop(t.types + int(t.uint32(method))) {
			clear(t.memory[method:][:methodSize])
		}
		t.setUint32(method+methodDirect, 0)
	}
	return count > 0
}

// describesType reports whether a type is described at an address.
func (t *table) describesType(at int) bool {
	align := func(field int) bool {
		n := t.memory[at+field]
		return n != 0 && n <= 8 && n&(n-1) == 0
	}
	points := func(field int) bool { return t.types <= t.word(at+field) && t.word(at+field) < len(t.memory) }
	kind := t.memory[at+typeKind]
	name, _, ok := t.nameAt(t.types + int(t.uint32(at+typeName)))
	return 1 <= kind && kind <= kindLast && align(typeAlign) && align(typeAlign+1) && t.memory[at+typeFlag] <= flagsOfType &&
		uint64(t.word(at+typePointers)) <= uint64(t.word(at+typeSize)) && (points(typeEqual) || t.word(at+typeEqual) == 0) && points(typeMask) &&
		ok && name != ""
}

// nameAt returns the name at an address and where it ends, and whether it is one.
func (t *table) nameAt(at int) (name string, end int, ok bool) {
	const longest = 1 << 12
	if at < t.types || at > t.typesEnd-longest || t.memory[at] > flagsOfName {
		return "", 0, false
	}
	r := reader{t.memory[:t.typesEnd], at + 1}
	length := r.uint()
	if length < 0 || length > longest/2 {
		return "", 0, false
	}
	name = string(r.take(length))
	if t.memory[at]&flagTag != 0 {
		if length = r.uint(); length < 0 || length > longest/2-16 {
			return "", 0, false
		}
		r.take(length)
	}
	if t.memory[at]&flagPackage != 0 {
		r.at += 4
	}
	return name, r.at, utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}
