package shard

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// file builds a file from a header text and data.
func file(header string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

// example is a file written by hand, following the format's description.
var example = []byte("\x8b\x00\x00\x00\x00\x00\x00\x00" +
	`{"__metadata__":{"by":"hand"},"b":{"dtype":"U8","shape":[3],"data_offsets":[4,7]},` +
	`"a":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]}}  ` +
	"\x00\x3c\x00\xc0" + "\x07\x08\x09")

func TestParseByHand(t *testing.T) {
	s, err := ParseSafetensors(example)
	if err != nil {
		t.Fatal(err)
	}
	if names := s.Names(); !slices.Equal(names, []string{"a", "b"}) || s.Metadata["by"] != "hand" || len(s.Metadata) != 1 {
		t.Error(names, s.Metadata)
	}
	a, _ := s.Tensor("a")
	values, err := a.Float32()
	if err != nil || !slices.Equal(values, []float32{1, -2}) || !slices.Equal(a.Shape, []int{1, 2}) || cap(a.Data) != 4 {
		t.Error(a, values, err)
	}
	b, ok := s.Tensor("b")
	if !ok || b.DType != U8 || !bytes.Equal(b.Data, []byte{7, 8, 9}) || &b.Data[0] != &example[len(example)-3] || cap(b.Data) != 3 {
		t.Error(b, ok)
	}
	if _, ok := s.Tensor("c"); ok {
		t.Error("found a tensor that is not there")
	}
}

func TestParseAccepts(t *testing.T) {
	for _, f := range [][]byte{
		file(`{}`), file(`{}     `), file(`{"__metadata__":{}}`),
		file(`{"":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}`, make([]byte, 8)...),                                        // a scalar, an empty name
		file(`{"b":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"F32","shape":[2,0],"data_offsets":[1,1]}}`, 5), // empty at the end
		file(`{"b":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"F32","shape":[0,9223372036854775807],"data_offsets":[0,0]}}`, 5),
		file(`{"a":{"data_offsets":[0,1],"unknown":{"x":[1]},"shape":[2],"dtype":"F4"}}`, 0x12),
		file(`{"\u00e4\n":{"dtype":"BOOL","shape":[1,1,1],"data_offsets":[0,1]}}`, 1),
		file(`{"a":{"dtype":"BOOL","shape":[1`+strings.Repeat(",1", 63)+`],"data_offsets":[0,1]}}`, 1),
	} {
		if _, err := ParseSafetensors(f); err != nil {
			t.Errorf("%q: %v", f, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	huge := binary.LittleEndian.AppendUint64(nil, 1<<63)
	one := func(entry string) string { return `{"a":{` + entry + `}}` }
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "has 0 bytes"},
		{make([]byte, 7), "has 7 bytes"},
		{huge, "9223372036854775808 bytes long, at most 16777216"},
		{binary.LittleEndian.AppendUint64(nil, MaxHeader+1), "16777217 bytes long"},
		{binary.LittleEndian.AppendUint64(nil, MaxHeader), "only 0 follow"},
		{file(`{}`)[:9], "only 1 follow"},
		{file(``), "does not begin with '{'"},
		{file(` {}`), "does not begin with '{'"},
		{file(`[]`), "does not begin with '{'"},
		{file("{}\x00"), "not JSON at byte 2"},
		{file(`{`), "not JSON at byte 1"},
		{file("{\"\xff\":1}"), "invalid UTF-8"},
		{file(`{"a":1}`), "expected an object, found a number"},
		{file(`{}`, 1), "1 bytes at the end of the file belong to no tensor"},
		{file(`{"__metadata__":{"a":1}}`), "expected a string, found a number"},
		{file(`{"__metadata__":null}`), "expected an object, found null"},
		{file(`{"__metadata__":{"a":"1","a":"2"}}`), `"a" occurs twice`},
		{file(`{"__metadata__":{},"__metadata__":{}}`), `"__metadata__" occurs twice`},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]`), 1), `"a" occurs twice`},
		{file(one(`"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]`), 1), `"dtype" occurs twice`},
		{file(one(`"shape":[1],"data_offsets":[0,1]`), 1), `"a": the header gives it no dtype`},
		{file(one(`"dtype":"U8","data_offsets":[0,1]`), 1), "no shape"},
		{file(one(`"dtype":"U8","shape":[1]`), 1), "no pair of data_offsets"},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[0]`), 1), "no pair of data_offsets"},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[0,1,2]`), 1), "more than two"},
		{file(one(`"dtype":"U9","shape":[1],"data_offsets":[0,1]`), 1), `unknown dtype "U9"`},
		{file(one(`"dtype":"u8","shape":[1],"data_offsets":[0,1]`), 1), `unknown dtype "u8"`},
		{file(one(`"dtype":"U8","shape":[1.0],"data_offsets":[0,1]`), 1), "expected an integer"},
		{file(one(`"dtype":"U8","shape":["1"],"data_offsets":[0,1]`), 1), "expected a number"},
		{file(one(`"dtype":"U8","shape":[-1],"data_offsets":[0,1]`), 1), "negative: -1"},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[-1,0]`), 1), "negative: -1"},
		{file(one(`"dtype":"U8","shape":[18446744073709551617],"data_offsets":[0,1]`), 1), "does not fit 64 bits"},
		{file(one(`"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,1]`), 1), "too large to count"},
		{file(one(`"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,1]`), 1), "too large to count"},
		{file(one(`"dtype":"F4","shape":[3],"data_offsets":[0,1]`), 1), "do not fill whole bytes"},
		{file(one(`"dtype":"U8","shape":[2],"data_offsets":[0,1]`), 1), "span 1 bytes, but U8 [2] takes 2"},
		{file(`{"`+strings.Repeat("n", 100)+`":{"dtype":"U8","shape":[2,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}}`, 1),
			`"` + strings.Repeat("n", 64) + `…": data_offsets span 1 bytes, but U8 [2, 1, 1, 1, 1, 1, 1, 1, …] takes 2`},
		{file(one(`"dtype":"U8","shape":[1`+strings.Repeat(",1", 64)+`],"data_offsets":[0,1]`), 1), "more than 64 numbers"},
		{file(one(`"dtype":"U8","shape":[2],"data_offsets":[0,2]`), 1), "end at byte 2 of 1"},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[1,2]`), 1, 2), "should begin at 0"},
		{file(one(`"dtype":"U8","shape":[1],"data_offsets":[1,0]`), 1), "[1, 0] leave a hole"},
		{file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[0],"data_offsets":[2,1]}}`, 1, 2), "[2, 1] leave a hole"},
		{file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 1, 2, 3), "should begin at 2"},
		{file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 1, 2, 3), "should begin at 1"},
	} {
		_, err := ParseSafetensors(c.file)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want …%s…", c.file, err, c.want)
		}
	}
}

func TestAppendIsExact(t *testing.T) {
	tensors := []Tensor{
		{"ids", U8, []int{3}, []byte{1, 2, 3}},
		{"x\"\\\u00e4\x01", F32, []int{1, 1}, []byte{0, 0, 128, 63}},
	}
	got, err := AppendSafetensors([]byte("before"), tensors, map[string]string{"b": "2", "a": "1"})
	if err != nil {
		t.Fatal(err)
	}
	// F32 moves to the front, because it would not be aligned after three bytes.
	header := `{"__metadata__":{"a":"1","b":"2"},"x\"\\` + "\u00e4" + `\u0001":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},` +
		`"ids":{"dtype":"U8","shape":[3],"data_offsets":[4,7]}}`
	header += strings.Repeat(" ", 192-8-len(header))
	want := append([]byte("before"), file(header, 0, 0, 128, 63, 1, 2, 3)...)
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if tensors[0].Name != "ids" {
		t.Error("the argument was reordered")
	}
	if got, err := AppendSafetensors(nil, nil, nil); err != nil || string(got[8:]) != "{}"+strings.Repeat(" ", 54) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := AppendSafetensors(nil, nil, map[string]string{}); err != nil || !strings.HasPrefix(string(got[8:]), `{"__metadata__":{}} `) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAppendOrder(t *testing.T) {
	tensor := func(name string, d DType, n int) Tensor { return Tensor{name, d, []int{n}, make([]byte, n*d.bits()/8)} }
	for _, c := range []struct {
		in   []Tensor
		want string
	}{
		{[]Tensor{tensor("v", I8, 16), tensor("s", F32, 2), tensor("d", F64, 1)}, "v s d"}, // aligned as given
		{[]Tensor{tensor("v", I8, 15), tensor("s", F32, 2), tensor("h", F16, 1), tensor("d", F64, 1), tensor("u", U32, 1)}, "d s u h v"},
		{[]Tensor{tensor("s", F32, 1), tensor("d", F64, 1)}, "d s"},
	} {
		b, err := AppendSafetensors(nil, c.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSafetensors(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Names(), " "); got != c.want {
			t.Errorf("order %s, want %s", got, c.want)
		}
		start := len(b)
		for _, tensor := range c.in {
			start -= len(tensor.Data)
		}
		if start%dataAlignment != 0 {
			t.Errorf("data begin at %d", start)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	one := []byte{1}
	for _, c := range []struct {
		tensors  []Tensor
		metadata map[string]string
		want     string
	}{
		{[]Tensor{{"a", U8, []int{2}, one}}, nil, "U8 [2] takes 2 bytes, given are 1"},
		{[]Tensor{{"a", U8, []int{-1, -1}, one}}, nil, "negative"},
		{[]Tensor{{"a", "", []int{1}, one}}, nil, "unknown dtype"},
		{[]Tensor{{"a", U8, []int{1}, one}, {"a", U8, []int{1}, one}}, nil, "occurs twice"},
		{[]Tensor{{"__metadata__", U8, []int{1}, one}}, nil, "may not have this name"},
		{[]Tensor{{"\xff", U8, []int{1}, one}}, nil, "UTF-8"},
		{nil, map[string]string{"a": "\xff"}, "UTF-8"},
		{nil, map[string]string{"a": strings.Repeat("x", MaxHeader)}, "at most 16777216"},
	} {
		got, err := AppendSafetensors(one, c.tensors, c.metadata)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(got) != 1 {
			t.Errorf("got %v, want …%s…", err, c.want)
		}
	}
}

// TestHeaderIsJSON checks that encoding/json reads the writer's own escapes.
func TestHeaderIsJSON(t *testing.T) {
	var all []rune
	for c := rune(0); c < 0x300; c++ {
		all = append(all, c)
	}
	text := string(all) + "\u2028\ufffd\U0001f600"
	b, err := AppendSafetensors(nil, nil, map[string]string{text: text})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]map[string]string
	if err := json.Unmarshal(b[8:], &got); err != nil || got["__metadata__"][text] != text {
		t.Error(got, err)
	}
}

func TestRealModel(t *testing.T) {
	b, err := os.ReadFile(shared.Path(t, "model/static/model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSafetensors(b)
	if err != nil {
		t.Fatal(err)
	}
	var tensors []Tensor
	for _, name := range s.Names() {
		tensor, _ := s.Tensor(name)
		tensors = append(tensors, tensor)
	}
	again, err := AppendSafetensors(nil, tensors, s.Metadata)
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint64(again); !bytes.Equal(again[8+n:], b[8+binary.LittleEndian.Uint64(b):]) {
		t.Error("data written differ from data read")
	}
}
