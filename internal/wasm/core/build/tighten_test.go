package build

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// wat parses the tests' notation of bodies into bytes of instructions.
func wat(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(text), []byte(" "), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// named is a module of one function. A call of function 0 counts as one of a check of the
// runtime, a call of function 1 as one of a print.
func named(name string, body []byte) *module {
	m := &module{functions: []function{{name, body}}, named: map[string]int{}}
	for i, names := range []string{checks, prints} {
		for name := range strings.FieldsSeq(names) {
			m.named[name] = i
		}
	}
	return m
}

// In a function of the runtime, a check with its arguments becomes a trap, and a print
// disappears unless the function reports a panic. Other calls, and calls in other functions, stay.
func TestChecks(t *testing.T) {
	const (
		arguments = "20 01 20 02 37 03 00 "
		call      = "20 01 41 08 6b 22 01 24 00 20 01 42 80 80 80 08 37 03 00 41 00 10 "
		result    = " 23 00 21 01 0d 00 "
	)
	for _, c := range []struct{ name, number, want string }{
		{"runtime.f", "00", prologue + "02 40 20 02 50 04 40 00 0b 0b 0b"},
		{"runtime.f", "01", prologue + "02 40 20 02 50 04 40 " + arguments + "0b 0b 0b"},
		{"runtime.throw.func1", "01", ""},
		{"main.f", "01", ""},
		{"runtime.f", "64", ""},
		{"main.f", "00", ""},
	} {
		body := prologue + "02 40 20 02 50 04 40 " + arguments + call + c.number + result + "0b 0b 0b"
		m := named(c.name, wat(t, body))
		if c.want == "" {
			c.want = body
		}
		if err := tighten(m); err != nil || !bytes.Equal(m.functions[0].body, wat(t, c.want)) {
			t.Errorf("%s calls %s: % x, %v", c.name, c.number, m.functions[0].body, err)
		}
	}
	if err := tighten(&module{}); err == nil || !strings.Contains(err.Error(), "runtime.sigpanic") {
		t.Errorf("no check has its name: %v", err)
	}
}

// Go's functions begin with variables, of which number 1 is the stack pointer.
const prologue = "02 01 7f 03 7e 23 00 21 01 "

func TestTighten(t *testing.T) {
	const frame = prologue
	for name, c := range map[string]struct{ body, want string }{
		"nothing":                         {frame + "01 01 0b", frame + "0b"},
		"a load":                          {frame + "20 01 ad 42 28 7c a7 29 03 00 21 02 0b", frame + "20 01 29 03 28 21 02 0b"},
		"a store of a sum":                {frame + "20 01 ad 42 88 02 7c a7 20 02 42 01 7c 37 03 08 0b", frame + "20 01 20 02 42 01 7c 37 03 90 02 0b"},
		"a store of what a load finds":    {frame + "20 01 ad 42 08 7c a7 20 01 ad 42 10 7c a7 29 03 00 37 03 00 0b", frame + "20 01 20 01 29 03 10 37 03 08 0b"},
		"an address that is stored":       {frame + "20 02 a7 20 01 ad 42 08 7c a7 36 02 00 0b", frame + "20 02 a7 20 01 41 08 6a 36 02 00 0b"},
		"a copy":                          {frame + "20 01 ad 42 08 7c a7 20 02 a7 41 08 fc 0a 00 00 0b", frame + "20 01 41 08 6a 20 02 a7 41 08 fc 0a 00 00 0b"},
		"an offset below 0":               {frame + "20 01 ad 42 78 7c a7 29 03 00 1a 0b", frame + "20 01 41 78 6a 29 03 00 1a 0b"},
		"a variable that is no such":      {"01 02 7f 20 01 ad 42 28 7c a7 29 03 00 1a 0b", "01 02 7f 20 01 41 28 6a 29 03 00 1a 0b"},
		"a stack pointer that is changed": {frame + "41 00 21 01 20 01 ad 42 28 7c a7 29 03 00 1a 0b", frame + "41 00 21 01 20 01 41 28 6a 29 03 00 1a 0b"},
		"across a branch":                 {frame + "20 01 ad 42 28 7c a7 02 7e 42 01 0b 37 03 00 0b", frame + "20 01 41 28 6a 02 7e 42 01 0b 37 03 00 0b"},
		// block; loop; block; block; block; table: places 0 to 3 lead to the ends of the three.
		"jumps": {
			frame + "02 40 03 40 02 40 02 40 02 40 20 00 0e 03 00 01 01 02 0b" + // the innermost's end
				"20 02 50 04 40 41 03 21 00 0c 03 0b" + // forward, if
				"41 02 21 00 0c 02 0b" + // forward to the next block, and the second's end
				"41 00 21 00 0c 01 0b" + // back
				"41 03 21 00 0c 00 0b 0b 0b",
			frame + "02 40 03 40 02 40 02 40 02 40 20 00 0e 03 00 01 01 02 0b" +
				"20 02 50 0d 01" +
				"0c 00 0b" +
				"41 00 21 00 0c 01 0b" +
				"41 03 21 00 0c 00 0b 0b 0b",
		},
		"exits": {
			frame + "02 40 02 40 20 02 a7 0d 00 0b 20 02 a7 0d 00 41 00 0f 0b 41 01 0b",
			frame + "02 40 02 40 20 02 a7 0d 00 0b 20 02 a7 04 40 41 01 0f 0b 41 00 0f 0b 41 01 0b",
		},
		"exits within": {
			frame + "02 40 03 40 02 40 20 02 a7 0d 02 0b 00 0b 00 0b 41 01 0b",
			frame + "02 40 03 40 02 40 20 02 a7 04 40 41 01 0f 0b 0b 00 0b 00 0b 41 01 0b",
		},
		"another result": {
			frame + "02 40 20 02 a7 0d 00 0b 41 02 0b",
			frame + "02 40 20 02 a7 0d 00 0b 41 02 0b",
		},
		"a place that is read": {
			frame + "03 40 02 40 02 40 20 00 0e 01 00 01 0b 41 01 21 00 0c 01 0b 20 00 1a 0b 0b",
			frame + "03 40 02 40 02 40 20 00 0e 01 00 01 0b 41 01 21 00 0c 01 0b 20 00 1a 0b 0b",
		},
	} {
		m := named("main.f", wat(t, c.body))
		if err := tighten(m); err != nil || !bytes.Equal(m.functions[0].body, wat(t, c.want)) {
			t.Errorf("%s: % x, %v\nwant % x", name, m.functions[0].body, err, wat(t, c.want))
		}
	}
}
