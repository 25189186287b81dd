package npy

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// file builds a file of a version from the header's text.
func file(version byte, header string, data ...byte) []byte {
	b := append(slices.Clone(magic), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

func describe(descr, order, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
}

// byHand is numpy.array([[1, -2, 0.5]], dtype='<f4') as NumPy 1.x and 2.x save it. The
// header is padded so that the data begins at byte 128.
const byHand = "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }" +
	"                                                          \n" +
	"\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f"

func TestParse(t *testing.T) {
	f4 := []byte{0, 0, 128, 63, 0, 0, 0, 192} // 1, -2
	for _, c := range []struct {
		file      []byte
		rows, dim int
		want      []float32
	}{
		{[]byte(byHand), 1, 3, []float32{1, -2, 0.5}},
		{file(1, describe("<f4", "False", "(2, 1)"), f4...), 2, 1, []float32{1, -2}},
		{file(2, describe("<f4", "False", "(1, 2)"), f4...), 1, 2, []float32{1, -2}},
		{file(3, describe("<f4", "False", "(1, 2,)"), f4...), 1, 2, []float32{1, -2}},
		{file(1, "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"<f4\"}", f4...), 1, 2, []float32{1, -2}},
		{file(1, describe("<f2", "False", "(1, 3)"), 0, 0x3c, 1, 0, 0xff, 0xfb), 1, 3, []float32{1, 0x1p-24, -65504}},
		{file(1, describe("<f8", "False", "(1, 1)"), 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f), 1, 1, []float32{0.1}},
		{file(1, describe("<f4", "False", "(0, 7)")), 0, 7, []float32{}},
	} {
		for _, r := range []io.Reader{bytes.NewReader(c.file), iotest.OneByteReader(bytes.NewReader(c.file))} {
			m, err := Read(r, int64(len(c.file)))
			if err != nil || m.Rows != c.rows || m.Dim != c.dim || !slices.Equal(m.Data, c.want) {
				t.Errorf("%q: %v, %v", c.file, m, err)
			}
		}
	}
	if len(byHand) != 128+12 {
		t.Error("the file by hand is not as NumPy writes it")
	}
}

func TestParseRefuses(t *testing.T) {
	one := []byte{0, 0, 128, 63}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "does not begin as .npy files do"},
		{[]byte("\x93NUMP"), "does not begin as .npy files do"},
		{[]byte("id,vector\n1,2"), "does not begin as .npy files do: re-save with numpy.save("},
		{[]byte("PK\x03\x04 and more"), ".npz archive"},
		{[]byte("\x80\x04\x95 and more"), "Python pickle, which is never opened"},
		{[]byte("\x93NUMPY\x01\x00"), "ends within the header"},
		{[]byte("\x93NUMPY\x02\x00\x01\x00"), "ends within the header"},
		{[]byte("\x93NUMPY\x01\x00\x02\x00{"), "ends within the header"},
		{file(4, ""), "version 4.0 is not known"},
		{[]byte("\x93NUMPY\x01\x01\x02\x00{}"), "version 1.1 is not known"},
		{[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), "4294967295 bytes long, at most 65536"},
		{file(1, describe(">f4", "False", "(1, 1)"), one...), `dtype ">f4" is big-endian: re-save`},
		{file(1, describe("|O", "False", "(1, 1)"), one...), "pickled Python objects, which are never opened here: re-save with numpy.save(path, array.astype(numpy.float32), allow_pickle=False)"},
		{file(1, describe("<i4", "False", "(1, 1)"), one...), `dtype "<i4" is not read`},
		{file(1, describe("<c8", "False", "(1, 1)"), one...), `dtype "<c8" is not read`},
		{file(1, describe("<f4", "True", "(1, 1)"), one...), "Fortran order: re-save with numpy.save(path, numpy.ascontiguousarray("},
		{file(1, describe("<f4", "False", "()"), one...), "0 dimensions, expected 2"},
		{file(1, describe("<f4", "False", "(1,)"), one...), "1 dimensions, expected 2"},
		{file(1, describe("<f4", "False", "(1, 1, 1)"), one...), "3 dimensions, expected 2"},
		{file(1, describe("<f4", "False", "(1, 0)")), "dimension 0"},
		{file(1, describe("<f4", "False", "(2, 1)"), one...), "(2, 1) takes more than the 4 bytes that follow"},
		{file(1, describe("<f4", "False", "(4294967296, 4294967296)"), one...), "takes more than the 4 bytes"},
		{file(1, describe("<f4", "False", "(4611686018427387904, 1)"), one...), "takes more than the 4 bytes"},
		{file(1, describe("<f4", "False", "(0, 1)"), one...), "4 bytes follow the array"},
		{file(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 1)}", one...), "structured dtype"},
		{file(3, describe("<f4\xff", "False", "(1, 1)"), one...), "not valid UTF-8"},
	} {
		_, err := Parse(c.file)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want …%s…", c.file, err, c.want)
		}
	}
}

func TestHeaderSyntax(t *testing.T) {
	good := "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1)}"
	for _, bad := range []string{
		"", "{", "{}", "x", good + "x", good + "\x00", good[:len(good)-1], "[" + good[1:],
		strings.Replace(good, "'descr'", "descr", 1), strings.Replace(good, "'descr': ", "'descr' ", 1), strings.Replace(good, "'<f4'", "'<f4", 1),
		strings.Replace(good, "'<f4'", `'\x3cf4'`, 1), strings.Replace(good, "'<f4'", "<f4", 1), strings.Replace(good, "'<f4'", "'<f4\"", 1),
		strings.Replace(good, "'<f4', ", "'<f4' ", 1), strings.Replace(good, "'<f4', ", "'<f4',, ", 1), strings.Replace(good, "'<f4', ", "'<f4', 'descr': '<f4', ", 1),
		strings.Replace(good, "'<f4', ", "'<f4', 'more': 1, ", 1), strings.Replace(good, "'descr': '<f4', ", "", 1),
		strings.Replace(good, "False", "false", 1), strings.Replace(good, "False", "0", 1), strings.Replace(good, "False", "Falsey", 1), strings.Replace(good, "False", "None", 1),
		strings.Replace(good, "(1, 1)", "[1, 1]", 1), strings.Replace(good, "(1, 1)", "(1)", 1), strings.Replace(good, "(1, 1)", "(,)", 1), strings.Replace(good, "(1, 1)", "(1,, 1)", 1),
		strings.Replace(good, "(1, 1)", "(1 1)", 1), strings.Replace(good, "(1, 1)", "(-1, 1)", 1), strings.Replace(good, "(1, 1)", "(01, 1)", 1), strings.Replace(good, "(1, 1)", "(1.0, 1)", 1),
		strings.Replace(good, "(1, 1)", "(9223372036854775808, 1)", 1), strings.Replace(good, "(1, 1)", "(1, 1", 1), strings.Replace(good, "(1, 1)", "("+strings.Repeat("1,", 65)+")", 1),
	} {
		_, err := Parse(file(1, bad, 0, 0, 128, 63))
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), "the header is not understood at byte") {
			t.Errorf("%q: got %v", bad, err)
		}
	}
	if _, err := Parse(file(1, good, 0, 0, 128, 63)); err != nil {
		t.Error(err)
	}
}

func TestValues(t *testing.T) {
	f64 := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{file(1, describe("<f4", "False", "(1, 2)"), 0, 0, 128, 63, 0, 0, 192, 127), "npy: row 0, column 1: NaN is not a finite number"},
		{file(1, describe("<f2", "False", "(2, 2)"), 0, 0, 0, 0, 0, 0xfc, 0, 0), "npy: row 1, column 0: -Inf is not a finite number"},
		{file(1, describe("<f8", "False", "(2, 2)"), f64(0, 0, 0, -1e39)...), "npy: row 1, column 1: -1e+39 is beyond the range of float32"},
		{file(1, describe("<f8", "False", "(2, 1)"), f64(0, math.Inf(1))...), "npy: row 1, column 0: +Inf is not a finite number"},
	} {
		m, err := Parse(c.file)
		var value *ValueError
		if !errors.As(err, &value) || err.Error() != c.want || m.Data != nil {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	// The value lies after the first piece of a large file.
	large := make([]byte, 4*300*100)
	binary.LittleEndian.PutUint32(large[4*(299*100+7):], 0x7f800000)
	if _, err := Parse(file(1, describe("<f4", "False", "(300, 100)"), large...)); err == nil || err.Error() != "npy: row 299, column 7: +Inf is not a finite number" {
		t.Error(err)
	}
}

// TestReadErrors checks that errors of the reader are passed on, wherever they occur.
func TestReadErrors(t *testing.T) {
	for n := range len(byHand) {
		_, err := Read(io.MultiReader(strings.NewReader(byHand[:n]), iotest.ErrReader(io.ErrClosedPipe)), int64(len(byHand)))
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
		if _, err := Read(strings.NewReader(byHand[:n]), int64(len(byHand))); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

// TestRealFiles compares the matrices of the retrieval data with the hashes that come with them.
func TestRealFiles(t *testing.T) {
	dir := shared.Path(t, "data/pir/emb")
	text, err := os.ReadFile(filepath.Join(dir, "header.json"))
	if err != nil {
		t.Fatal(err)
	}
	var header struct {
		Files map[string]struct {
			Rows, Dim int
			SHA256    string `json:"sha256_bin"` // hash of the array's bytes
		}
	}
	if err := json.Unmarshal(text, &header); err != nil || len(header.Files) == 0 {
		t.Fatal(err, len(header.Files))
	}
	for name, want := range header.Files {
		b, err := os.ReadFile(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		hash := sha256.Sum256(dataOf(m))
		if m.Rows != want.Rows || m.Dim != want.Dim || hex.EncodeToString(hash[:]) != want.SHA256 {
			t.Errorf("%s: [%d, %d] differs from header.json", name, m.Rows, m.Dim)
		}
	}
}

// dataOf returns a matrix as little-endian float32.
func dataOf(m Matrix) []byte {
	b := make([]byte, 0, 4*len(m.Data))
	for _, v := range m.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func FuzzNpy(f *testing.F) {
	f.Add([]byte(byHand))
	for version := byte(1); version <= 3; version++ {
		f.Add(file(version, describe("<f2", "False", "(2, 1)"), 0, 0x3c, 1, 0x80))
		f.Add(file(version, describe("<f8", "False", "(1, 1)"), 0, 0, 0, 0, 0, 0, 0xf0, 0x3f))
	}
	f.Add(file(1, "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"<f4\"}", 0, 0, 128, 63, 0, 0, 0xc0, 0x7f))
	f.Add(file(1, describe(">f4", "True", "(4294967296, 4294967296)")))
	f.Add(file(1, describe("|O", "False", "(1,)"), []byte("\x80\x04N.")...))
	f.Add(file(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Parse(b)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > uint64(1<<20+16*len(b)) {
			t.Fatalf("%d bytes of input took %d bytes", len(b), n)
		}
		if err != nil {
			return
		}
		if m.Dim < 1 || len(m.Data) != m.Rows*m.Dim {
			t.Fatalf("[%d, %d] with %d values", m.Rows, m.Dim, len(m.Data))
		}
		for i, v := range m.Data {
			if v-v != 0 {
				t.Fatalf("value %d is %v", i, v)
			}
		}
		again, err := Parse(file(1, describe("<f4", "False", fmt.Sprintf("(%d, %d)", m.Rows, m.Dim)), dataOf(m)...))
		if err != nil || again.Rows != m.Rows || again.Dim != m.Dim || !bytes.Equal(dataOf(again), dataOf(m)) {
			t.Fatalf("written and read again: %v", err)
		}
		if bytes.Contains(b[:28], []byte("{'descr': '<f4'")) && !bytes.Equal(b[len(b)-4*len(m.Data):], dataOf(m)) {
			t.Fatal("the values are not the file's last bytes")
		}
	})
}

// A written file is read back, and its data has the alignment that numpy wants.
func TestHeader(t *testing.T) {
	for _, shape := range [][2]int64{{1, 1}, {3, 7}, {12345, 768}, {1 << 40, 65536}} {
		h := Header(shape[0], shape[1])
		if len(h)%64 != 0 || h[len(h)-1] != '\n' {
			t.Errorf("%v: %d bytes", shape, len(h))
		}
		if n := shape[0] * shape[1]; n < 1000 {
			m, err := Parse(append(h, make([]byte, 4*n)...))
			if err != nil || int64(m.Rows) != shape[0] || int64(m.Dim) != shape[1] {
				t.Errorf("%v: %d × %d, %v", shape, m.Rows, m.Dim, err)
			}
		}
	}
}
