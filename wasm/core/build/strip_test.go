package build

import (
	"bytes"
	"testing"
)

// That the stripped core works is tested wherever it runs; here, that stripping
// puts nothing but zeros into its memory and refuses what it does not know.
func TestStrip(t *testing.T) {
	named, err := Core(true)
	if err != nil {
		t.Fatal(err)
	}
	stripped, err := Strip(named)
	if err != nil {
		t.Fatal(err)
	}
	before, errBefore := readImage(named)
	after, errAfter := readImage(stripped)
	if errBefore != nil || errAfter != nil {
		t.Fatal(errBefore, errAfter)
	}
	if !bytes.Equal(before.before, after.before) || !bytes.Equal(before.after, after.after) {
		t.Error("another section than the data has changed")
	}
	blanked := 0
	for i, v := range before.memory {
		got := byte(0) // the memory may end earlier
		if i < len(after.memory) {
			got = after.memory[i]
		}
		if got == v {
			continue
		}
		if got != 0 {
			t.Fatalf("byte %d of the memory became %d", i, got)
		}
		blanked++
	}
	if blanked < 50_000 {
		t.Errorf("only %d bytes blanked", blanked)
	}
	if again, err := Strip(stripped); err != nil || !bytes.Equal(again, stripped) {
		t.Errorf("stripping twice is not stripping once: %v", err)
	}

	unknown := bytes.ReplaceAll(stripped, magic[:4], []byte{0xf2, 0xff, 0xff, 0xff})
	if _, err := Strip(unknown); err == nil {
		t.Error("a function table of another version: no error")
	}
	if _, err := Strip([]byte("\x00asm\x01\x00\x00\x00")); err == nil {
		t.Error("a module without data: no error")
	}
}

func TestSignedNumbers(t *testing.T) {
	for _, v := range []int{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, 1<<27 - 1, 1 << 30} {
		b := appendSigned(nil, v)
		r := reader{b, 0}
		if got := r.uint(); got != v || r.at != len(b) || b[len(b)-1]&0x40 != 0 {
			t.Errorf("%d is written as % x", v, b)
		}
	}
}
