package weights

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// This file reads the part of Python's pickle format in which PyTorch writes tensors. A pickle is a
// program for a stack machine that may import and call anything; this reader only builds numbers, texts,
// tuples, lists and dictionaries, and recognises by name the few calls that make tensors. Any other call
// is an error, and nothing is ever executed.

// Values that a pickle builds, in addition to nil, bool, int64, float64 and string.
type (
	tuple  []any
	list   struct{ items []any }
	dict   struct{ keys, values []any }
	global struct{ module, name string }
	mark   struct{}

	// storage is an array of numbers elsewhere in the file, which the pickle refers to
	// by a persistent id.
	storage struct {
		kind string // safetensors' name of the kind
		key  string
		n    int64 // elements
	}
	// view is a tensor: a part of a storage.
	view struct {
		storage       *storage
		offset        int64 // elements
		shape, stride []int64
	}
)

// unpickle runs one pickle and returns its value, and the bytes after it.
func unpickle(b []byte) (value any, rest []byte, err error) {
	p := &pickle{b: b, memo: map[uint32]any{}}
	for p.err == nil {
		if value, done := p.step(); done && p.err == nil {
			return value, p.b, nil
		}
	}
	return nil, nil, p.err
}

type pickle struct {
	b      []byte
	stack  []any
	memo   map[uint32]any
	values int // number of values that were made
	err    error
}

func (p *pickle) push(v any) {
	if p.count(1) {
		p.stack = append(p.stack, v)
	}
}

// count limits the number of values, as for JSON texts, because an instruction of one
// byte can make a value of a hundred bytes.
func (p *pickle) count(n int) bool {
	if p.values += n; p.values > jsonlite.MaxValues {
		p.fail("the pickle builds more than %d values, the most that are read: convert the model to safetensors", jsonlite.MaxValues)
		return false
	}
	return true
}

func (p *pickle) pop() any {
	if len(p.stack) == 0 {
		p.fail("the pickle takes from an empty stack: the file is damaged")
		return nil
	}
	v := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	return v
}

// top returns the value on top as a T, without removing it.
func top[T any](p *pickle) (v T) {
	if len(p.stack) == 0 {
		p.pop()
		return v
	}
	v, ok := p.stack[len(p.stack)-1].(T)
	if !ok {
		p.fail("the pickle holds a %T where a %T belongs: the file is damaged, or holds more than tensors", p.stack[len(p.stack)-1], v)
	}
	return v
}

// marked removes and returns everything above the last mark.
func (p *pickle) marked() []any {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if _, ok := p.stack[i].(mark); ok {
			items := append([]any(nil), p.stack[i+1:]...)
			p.stack = p.stack[:i]
			return items
		}
	}
	p.fail("the pickle lacks a mark: the file is damaged")
	return nil
}

func (p *pickle) text(n uint64) {
	b := p.take(n)
	if !utf8.Valid(b) {
		p.fail("the pickle holds text that is not UTF-8")
	}
	p.push(string(b))
}

// step executes one instruction. At the end it returns the value of the pickle.
func (p *pickle) step() (value any, done bool) {
	op := p.number(1)
	if p.err != nil {
		return nil, false
	}
	switch byte(op) {
	case 0x80: // PROTO
		if v := p.number(1); v > 5 {
			p.fail("a pickle of protocol %d, at most 5 is read", v)
		}
	case 0x95: // FRAME
		p.take(8)
	case '.': // STOP
		return p.pop(), true
	case '(': // MARK
		p.push(mark{})
	case '0': // POP
		p.pop()
	case '1': // POP_MARK
		p.marked()
	case 'N': // NONE
		p.push(nil)
	case 0x88: // NEWTRUE
		p.push(true)
	case 0x89: // NEWFALSE
		p.push(false)
	case 'J': // BININT
		p.push(int64(int32(p.number(4))))
	case 'K': // BININT1
		p.push(int64(p.number(1)))
	case 'M': // BININT2
		p.push(int64(p.number(2)))
	case 0x8a: // LONG1
		p.push(long(p.take(p.number(1))))
	case 'G': // BINFLOAT
		if b := p.take(8); b != nil {
			p.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
	case 'X': // BINUNICODE
		p.text(p.number(4))
	case 0x8c: // SHORT_BINUNICODE
		p.text(p.number(1))
	case 0x8d: // BINUNICODE8
		p.text(p.number(8))
	case 'U', 'C': // SHORT_BINSTRING, SHORT_BINBYTES
		p.push(string(p.take(p.number(1))))
	case 'T', 'B': // BINSTRING, BINBYTES
		p.push(string(p.take(p.number(4))))
	case ')': // EMPTY_TUPLE
		p.push(tuple{})
	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		t := make(tuple, op-0x84)
		for i := len(t) - 1; i >= 0; i-- {
			t[i] = p.pop()
		}
		p.push(t)
	case 't': // TUPLE
		p.push(tuple(p.marked()))
	case ']': // EMPTY_LIST
		p.push(&list{})
	case 'a': // APPEND
		v := p.pop()
		if l := top[*list](p); p.err == nil {
			l.items = append(l.items, v)
		}
	case 'e': // APPENDS
		items := p.marked()
		if l := top[*list](p); p.err == nil {
			l.items = append(l.items, items...)
		}
	case '}': // EMPTY_DICT
		p.push(&dict{})
	case 's': // SETITEM
		v := p.pop()
		k := p.pop()
		p.set(k, v)
	case 'u': // SETITEMS
		p.set(p.marked()...)
	case 'q': // BINPUT
		p.remember(uint32(p.number(1)))
	case 'r': // LONG_BINPUT
		p.remember(uint32(p.number(4)))
	case 0x94: // MEMOIZE
		p.remember(uint32(len(p.memo)))
	case 'h': // BINGET
		p.recall(uint32(p.number(1)))
	case 'j': // LONG_BINGET
		p.recall(uint32(p.number(4)))
	case 'c': // GLOBAL
		module := p.line()
		p.push(global{module, p.line()})
	case 0x93: // STACK_GLOBAL
		name, module := p.pop(), p.pop()
		n, ok := name.(string)
		m, ok2 := module.(string)
		if !ok || !ok2 {
			p.fail("the pickle imports something that has no name: the file is damaged")
		}
		p.push(global{m, n})
	case 'R', 0x81: // REDUCE, NEWOBJ
		arguments := p.pop()
		p.call(p.pop(), arguments)
	case 'b': // BUILD: attributes of an object, such as a dictionary's version
		p.pop()
		top[any](p)
	case 'Q': // BINPERSID
		p.persistent(p.pop())
	default:
		p.fail("a pickle with instruction 0x%02x, which tensors do not need", op)
	}
	return nil, false
}

func (p *pickle) remember(at uint32) {
	if v := top[any](p); p.err == nil {
		if p.memo[at] = v; len(p.memo) > jsonlite.MaxValues {
			p.fail("the pickle remembers more than %d values, the most that are read: convert the model to safetensors", jsonlite.MaxValues)
		}
	}
}

func (p *pickle) recall(at uint32) {
	v, ok := p.memo[at]
	if !ok {
		p.fail("the pickle refers to what it has not made: the file is damaged")
	}
	p.push(v)
}

// set adds keys and values to the dictionary on top.
func (p *pickle) set(items ...any) {
	d := top[*dict](p)
	if p.err != nil {
		return
	}
	if len(items)%2 != 0 {
		p.fail("the pickle has a key without a value: the file is damaged")
		return
	}
	for i := 0; i < len(items); i += 2 {
		d.keys, d.values = append(d.keys, items[i]), append(d.values, items[i+1])
	}
}
