package build

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tetratelabs/wazero"
)

func TestSimplify(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a comparison":               {"00 53 ad 50 45 0d 01 0b", "00 53 0d 01 0b"},
		"its opposite":               {"00 53 ad 50 0d 01 0b", "00 59 0d 01 0b"},
		"floats have no opposite":    {"00 63 ad 50 0d 01 0b", "00 63 45 0d 01 0b"},
		"a comparison of floats":     {"00 63 ad 50 45 0d 01 0b", "00 63 0d 01 0b"},
		"a number as truth":          {"00 20 01 ad 50 45 04 40 0b 0b", "00 20 01 04 40 0b 0b"},
		"a number that becomes 0, 1": {"00 20 01 ad 50 45 21 01 0b", "00 20 01 45 45 21 01 0b"},
		"a constant":                 {"00 42 7f a7 0b", "00 41 7f 0b"},
		"a constant above 32 bits":   {"00 42 80 80 80 80 30 a7 0b", "00 41 00 0b"},
		"back and forth":             {"00 20 01 ac a7 0b", "00 20 01 0b"},
		"a variable":                 {"00 21 02 20 02 0b", "00 22 02 0b"},
		"another variable":           {"00 21 02 20 03 0b", "00 21 02 20 03 0b"},
		"beyond a block":             {"00 02 40 42 00 21 02 0b 20 02 0b", "00 02 40 42 00 21 02 0b 20 02 0b"},
	} {
		locals, list, err := decode(wat(t, c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(locals, simplify(list)); !bytes.Equal(got, wat(t, c.want)) {
			t.Errorf("%s: % x, want % x", name, got, wat(t, c.want))
		}
	}
}

// Simplified functions compute the same.
func TestSimplifiedEqual(t *testing.T) {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	const parameters = 3
	module := func(body []byte) []byte {
		return (&module{
			sections: []section{
				{sectionType, []byte{1, 0x60, parameters, 0x7e, 0x7e, 0x7e, 1, 0x7e}}, {sectionFunction, []byte{1, 0}},
				{sectionExport, []byte{1, 1, 'f', 0, 0}}, {sectionCode, nil},
			},
			functions: []function{{"f", body}},
		}).write(false)
	}
	shorter := 0
	for seed := range uint64(300) {
		w := writer{random: rand.New(rand.NewPCG(seed, 1))}
		for range 6 {
			w.statement()
		}
		w.wide(4)
		w.emit(opEnd)
		body := append([]byte{0}, w.code...)
		locals, list, err := decode(body)
		if err != nil {
			t.Fatal(err)
		}
		simple := encode(locals, simplify(list))
		if len(simple) < len(body) {
			shorter++
		}
		before, err := runtime.Instantiate(ctx, module(body))
		if err != nil {
			t.Fatal(err)
		}
		after, err := runtime.InstantiateWithConfig(ctx, module(simple), wazero.NewModuleConfig().WithName("after"))
		if err != nil {
			t.Fatalf("seed %d: the simplified function is not valid: %v", seed, err)
		}
		for range 20 {
			var arguments [parameters]uint64
			for i := range arguments {
				arguments[i] = w.number()
			}
			a, err := before.ExportedFunction("f").Call(ctx, arguments[:]...)
			if err != nil {
				t.Fatal(err)
			}
			b, err := after.ExportedFunction("f").Call(ctx, arguments[:]...)
			if err != nil || a[0] != b[0] {
				t.Fatalf("seed %d: f(%x) is %x, simplified %x, %v", seed, arguments, a, b, err)
			}
		}
		before.Close(ctx)
		after.Close(ctx)
	}
	if shorter < 290 {
		t.Errorf("only %d functions became shorter", shorter)
	}
}

// writer writes random code like the compiler's on variables of 64 bits.
type writer struct {
	random *rand.Rand
	code   []byte
}

func (w *writer) emit(bytes ...byte) { w.code = append(w.code, bytes...) }

func (w *writer) number() uint64 {
	return []uint64{0, 1, 1 << 31, 1 << 32, math.MaxUint64, math.MaxUint32, w.random.Uint64()}[w.random.IntN(7)]
}

func (w *writer) variable() byte { return byte(w.random.IntN(3)) }

// statement sets a variable, perhaps if something is true.
func (w *writer) statement() {
	switch w.random.IntN(3) {
	case 0:
		w.wide(3)
	case 1:
		w.emit(opBlock, voidBlock)
		w.narrow(3)
		w.emit(opBrIf, 0)
		w.wide(2)
		w.emit(opSet, w.variable(), opEnd)
		w.wide(2)
	default:
		w.narrow(3)
		w.emit(opIf, voidBlock)
		w.wide(2)
		w.emit(opSet, w.variable(), opEnd)
		w.wide(2)
	}
	w.emit(opSet, w.variable())
}

// wide pushes a number of 64 bits.
func (w *writer) wide(depth int) {
	switch choice := w.random.IntN(6); {
	case depth == 0 || choice == 0:
		w.emit(opGet, w.variable())
	case choice == 1:
		w.code = appendSigned(append(w.code, opI64Const), int64(w.number()))
	case choice == 2:
		w.wide(depth - 1)
		w.wide(depth - 1)
		w.emit(opI64Add)
	case choice == 3:
		w.wide(depth - 1)
		w.emit(opSet, w.variable(), opGet, w.variable())
	default:
		w.narrow(depth - 1)
		w.emit([]byte{opExtend, opExtend, opExtendSign}[w.random.IntN(3)])
	}
}

// narrow pushes a number of 32 bits.
func (w *writer) narrow(depth int) {
	switch choice := w.random.IntN(7); {
	case depth <= 0 || choice == 0:
		w.wide(0)
		w.emit(opWrap)
	case choice == 1:
		w.wide(depth - 1)
		w.emit(opWrap)
	case choice == 2:
		w.narrow(depth - 1)
		w.emit(opI32Eqz)
	case choice == 3:
		w.wide(depth - 1)
		w.emit(opI64Eqz)
	case choice == 4: // floats, NaN among them
		w.wide(depth - 1)
		w.emit(0xbf, opF64Const) // f64.reinterpret_i64
		w.code = binary.LittleEndian.AppendUint64(w.code, w.number())
		w.emit(opF64Eq + byte(w.random.IntN(6)))
	case choice == 5:
		w.narrow(depth - 1)
		w.narrow(depth - 1)
		w.emit(opI32Eq + byte(w.random.IntN(10)))
	default:
		w.wide(depth - 1)
		w.wide(depth - 1)
		w.emit(opI64Eq + byte(w.random.IntN(10)))
	}
}
