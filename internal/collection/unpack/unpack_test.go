package unpack_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// zeros returns a gzip file of incompressible noise followed by n zeros, which shrink
// to a thousandth.
func zeros(t testing.TB, noise []byte, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(noise)
	if _, err := io.CopyN(z, zeroReader{}, n); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return b.Bytes()
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestExpansion(t *testing.T) {
	noise := make([]byte, 1<<20) // incompressible, so that somewhat more than 100 MB are allowed
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	for name, c := range map[string]struct {
		packed []byte
		length int64
		ok     bool
	}{
		"what is free":     {zeros(t, nil, unpack.Free), unpack.Free, true},
		"more than free":   {zeros(t, nil, unpack.Free+1), unpack.Free + 1, false},
		"fifty times":      {zeros(t, noise, 50<<20), 51 << 20, true},
		"beyond a hundred": {zeros(t, noise, 130<<20), 131 << 20, false},
	} {
		var limit *unpack.ExpansionError
		b, err := unpack.Gunzip(c.packed, c.length)
		if c.ok && (err != nil || int64(len(b)) != c.length) || !c.ok && !errors.As(err, &limit) {
			t.Errorf("%s: Gunzip: %d bytes, %v", name, len(b), err)
		}
		r, err := unpack.NewReader(bytes.NewReader(c.packed))
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if c.ok && (err != nil || n != c.length) || !c.ok && (!errors.As(err, &limit) || n > unpack.Most(int64(len(c.packed)))) {
			t.Errorf("%s: NewReader: %d bytes, %v", name, n, err)
		}
	}
	// The stated length is wrong.
	packed := zeros(t, nil, 1000)
	if b, err := unpack.Gunzip(packed, 10); err != nil || len(b) != 11 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := unpack.Gunzip(packed, 5000); err != nil || len(b) != 1000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	for _, text := range []string{"", "x", "\x1f\x8b\x08"} {
		if _, err := unpack.Gunzip([]byte(text), 1); err == nil {
			t.Errorf("%q was unpacked", text)
		}
		if _, err := unpack.NewReader(strings.NewReader(text)); err == nil {
			t.Errorf("%q was unpacked", text)
		}
	}
	if text := (&unpack.ExpansionError{5}).Error(); !strings.Contains(text, "16 MB") || !strings.Contains(text, "100 times") {
		t.Error(text)
	}
}

func TestJSON(t *testing.T) {
	var v any
	var limit *jsonlite.LimitError
	if err := unpack.JSON([]byte(strings.Repeat("[", 65)+strings.Repeat("]", 65)), &v); !errors.As(err, &limit) {
		t.Error(err)
	}
	if err := unpack.JSON([]byte("{"), &v); err == nil || errors.As(err, &limit) {
		t.Error(err)
	}
	for _, mark := range []string{"", "\uFEFF"} {
		if err := unpack.JSON([]byte(mark+`{"a": [1]}`), &v); err != nil || fmt.Sprint(v) != "map[a:[1]]" {
			t.Error(v, err)
		}
	}
}
