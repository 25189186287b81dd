package jsonlite

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

func TestReadsADocument(t *testing.T) {
	r := NewReader([]byte(` {"name" : "a\u00e9\n", "shape":[2 , 3],"skipped":{"x":[1,{"y":null}]}, "on":true, "none":null,"pi":3.25} `))
	var name string
	var shape []int64
	var on, none bool
	var pi float64
	for key := range r.Object() {
		switch key {
		case "name":
			name = r.Text()
		case "shape":
			if r.Kind() != Array {
				t.Errorf("Kind = %v", r.Kind())
			}
			for i := range r.Array() {
				if i != len(shape) {
					t.Errorf("index %d of element %d", i, len(shape))
				}
				shape = append(shape, r.Int64())
			}
		case "on":
			if r.Null() {
				t.Error("true read as null")
			}
			on = r.Bool()
		case "none":
			none = r.Null()
		case "pi":
			pi = r.Float64()
		}
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	if name != "aé\n" || !reflect.DeepEqual(shape, []int64{2, 3}) || !on || !none || pi != 3.25 {
		t.Error(name, shape, on, none, pi)
	}
}

func TestBreakSkipsTheRest(t *testing.T) {
	r := NewReader([]byte(`[{"a":[1,2,3],"b":{"a":1}},[4,5],6]`))
	var got []int64
	for i := range r.Array() {
		switch i {
		case 0:
			for range r.Object() {
				for range r.Array() {
					got = append(got, r.Int64())
					break
				}
				break
			}
		case 1:
			for range r.Array() {
				break
			}
		case 2:
			got = append(got, r.Int64())
		}
	}
	if err := r.End(); err != nil || !reflect.DeepEqual(got, []int64{1, 6}) {
		t.Error(got, err)
	}

	r = NewReader([]byte(`[1,2,x]`)) // skipped values are checked, too
	for range r.Array() {
		break
	}
	var syntax *SyntaxError
	if err := r.End(); !errors.As(err, &syntax) || syntax.Offset != 5 {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	text := func(r *Reader) { r.Text() }
	integer := func(r *Reader) { r.Int64() }
	for _, c := range []struct {
		in   string
		read func(*Reader)
		want string
	}{
		{``, text, "not JSON at byte 0: expected a value, found the end of the text"},
		{`x`, text, "not JSON at byte 0: expected a value, found 'x'"},
		{"\x01", text, "not JSON at byte 0: expected a value, found byte 0x1"},
		{` 1`, text, "JSON at byte 1: expected a string, found a number"},
		{`{}`, text, "JSON at byte 0: expected a string, found an object"},
		{`[]`, text, "JSON at byte 0: expected a string, found an array"},
		{`true`, text, "JSON at byte 0: expected a string, found a boolean"},
		{`null`, integer, "JSON at byte 0: expected a number, found null"},
		{`"1"`, integer, "JSON at byte 0: expected a number, found a string"},
		{`"a" x`, text, "not JSON at byte 4: expected the end of the text, found 'x'"},
		{`"a`, text, "not JSON at byte 2: a string has no closing quote"},
		{`"a\x"`, text, "not JSON at byte 2: invalid escape in a string"},
		{`"a\u12g4"`, text, "not JSON at byte 2: invalid escape in a string"},
		{"\"a\n\"", text, "not JSON at byte 2: a control character in a string is not escaped"},
		{`1.5`, integer, "JSON at byte 0: expected an integer, found 1.5"},
		{`1e2`, integer, "JSON at byte 0: expected an integer, found 1e2"},
		{`-`, integer, "not JSON at byte 1: expected a digit, found the end of the text"},
		{`01`, integer, "not JSON at byte 1: expected the end of the text, found '1'"},
		{`9223372036854775808`, integer, "JSON at byte 0: integer 9223372036854775808 does not fit 64 bits"},
		{`[1`, (*Reader).Skip, "not JSON at byte 2: expected ',' or ']', found the end of the text"},
		{`[1,]`, (*Reader).Skip, "not JSON at byte 3: expected a value, found ']'"},
		{`{"a":1,}`, (*Reader).Skip, "not JSON at byte 7: expected a key, found '}'"},
		{`{"a" 1}`, (*Reader).Skip, "not JSON at byte 5: expected ':', found '1'"},
		{`{"a":tru}`, (*Reader).Skip, "not JSON at byte 8: expected true, found '}'"},
		{`"\`, text, "not JSON at byte 1: invalid escape in a string"},
		{`"\u12`, text, "not JSON at byte 1: invalid escape in a string"},
		{strings.Repeat("1", 50), integer, "JSON at byte 0: integer " + strings.Repeat("1", 40) + "… does not fit 64 bits"},
		{`{"` + strings.Repeat("k", 70) + `":1,"` + strings.Repeat("k", 70) + `":1}`, func(r *Reader) {
			for range r.UniqueObject() {
			}
		}, `JSON at byte 76: key "` + strings.Repeat("k", 64) + `…" occurs twice`},
		{`1e400`, func(r *Reader) { r.Float64() }, "JSON at byte 0: number 1e400 is beyond the range of float64"},
		{`1`, func(r *Reader) { r.Int64(); r.Int64() }, "JSON at byte 1: a value was read twice"},
		{`{"k\n":1,"a":2,"k\u000a":3}`, func(r *Reader) {
			for range r.UniqueObject() {
			}
		}, `JSON at byte 15: key "k\n" occurs twice`},
		{`{"k":1,"a":2}`, func(r *Reader) {
			for range r.Object() {
				r.Int64()
				r.Fail("enough")
			}
		}, `JSON at byte 6: enough`},
	} {
		r := NewReader([]byte(c.in))
		c.read(r)
		if err := r.End(); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.in, err, c.want)
		}
		if r.Fail("later"); r.Err() == nil || r.Err().Error() != c.want {
			t.Errorf("%s: the first error did not stick: %v", c.in, r.Err())
		}
		if r.Text() != "" || r.Int64() != 0 || r.Float64() != 0 || r.Bool() || r.Null() || r.Raw() != nil || r.Kind() != Invalid {
			t.Errorf("%s: a failed reader returned a value", c.in)
		}
		for range r.Object() {
			t.Errorf("%s: a failed reader returned a key", c.in)
		}
	}
}

func TestInt64(t *testing.T) {
	for _, s := range []string{"0", "-0", "7", "-7", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
		"-9223372036854775809", "18446744073709551615", "18446744073709551616", "184467440737095516150", "-18446744073709551616",
		"99999999999999999999999999999999", "1.0", "1e3", "10000000000000000000"} {
		want, wantErr := strconv.ParseInt(s, 10, 64)
		r := NewReader([]byte(s))
		got := r.Int64()
		err := r.End()
		var value *ValueError
		if (err == nil) != (wantErr == nil) || err == nil && got != want || err != nil && !errors.As(err, &value) {
			t.Errorf("%s: got %d, %v; want %d, %v", s, got, err, want, wantErr)
		}
	}
}

func TestDepth(t *testing.T) {
	for _, n := range []int{1, MaxDepth - 2, MaxDepth, MaxDepth + 1, MaxDepth + 2, 300, 10000, 10001} {
		for _, brackets := range [][3]string{{"[", "", "]"}, {`{"a":`, "1", "}"}, {`[{"a":`, "1", "}]"}} {
			n := n / len(brackets[2]) // levels are counted, not brackets of a kind
			text := []byte(strings.Repeat(brackets[0], n) + brackets[1] + strings.Repeat(brackets[2], n))
			levels := n * len(brackets[2])
			err := NewReader(text).End()
			var limit *LimitError
			if (err == nil) != (levels <= MaxDepth) || err != nil && !errors.As(err, &limit) {
				t.Errorf("%d levels of %s: %v", levels, brackets[0], err)
			}
			if checked := Check(text); (checked == nil) != (err == nil) {
				t.Errorf("%d levels of %s: checked: %v", levels, brackets[0], checked)
			}
		}
	}
	// These are read level by level, not skipped.
	text := []byte(strings.Repeat("[", MaxDepth+1))
	r := NewReader(text)
	levels := 0
	var down func()
	down = func() {
		for range r.Array() {
			levels++
			down()
		}
	}
	down()
	if r.Err() == nil || levels != MaxDepth {
		t.Errorf("read %d levels, %v", levels, r.Err())
	}
}

func TestUnique(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 1}]}`: "",
		`{"a": 1, "a": 1}`:           `JSON at byte 9: key "a" occurs twice`,
		`{"a": 1, "\u0061": 1}`:      `JSON at byte 9: key "a" occurs twice`,
		`[[{"b": {"": 0, "": 1}}]]`:  `JSON at byte 16: key "" occurs twice`,
		`{"a": {}, "b": 1} {"a": 1}`: "", // the first of several values
		`{"a": 1, "a" 1}`:            "", // not JSON: the parser that reads it reports the error
		``:                           "",
	} {
		got := ""
		if err := Unique([]byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Values count in every way of reading: skipped, one by one, or as a part of the text.
func TestValues(t *testing.T) {
	for kind, value := range map[string]string{"objects": "{}", "numbers": "0", "nulls": "null", "with keys": `{"a":1}`} {
		each := 1
		if kind == "with keys" {
			each = 2 // the key does not count
		}
		for _, over := range []int{0, 1} {
			n := (MaxValues-1)/each + over // and the array around them
			text := []byte("[" + strings.Repeat(value+",", n-1) + value + "]")
			for how, read := range map[string]func() error{
				"skipped": func() error { return NewReader(text).End() },
				"checked": func() error { return Check(text) },
				"as text": func() error { r := NewReader(text); r.Raw(); return r.Err() },
				"one by one": func() error {
					r := NewReader(text)
					for range r.Array() {
						switch r.Kind() {
						case Null:
							r.Null()
						case Object:
							for range r.Object() {
								r.Float64()
							}
						default:
							r.Skip()
						}
					}
					return r.End()
				},
			} {
				err := read()
				var limit *LimitError
				if (err != nil) != (over == 1) || err != nil && (!errors.As(err, &limit) || !strings.Contains(err.Error(), "1000000 values")) {
					t.Errorf("%d %s, %s: %v", n, kind, how, err)
				}
			}
		}
	}
}

// Check accepts texts that are not JSON, which the parser after it refuses.
func TestCheck(t *testing.T) {
	for _, text := range []string{"", "{", `{"a":}`, "[1,2", "nonsense", "[1] [2]", strings.Repeat("[", MaxDepth)} {
		if err := Check([]byte(text)); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	xlmr := `{"model":{"vocab":[` + strings.Repeat(`["▁the",-3.2],`, 250_001) + `["x",0]]}}` // as large as vocabularies of encoders get
	if err := Check([]byte(xlmr)); err != nil {
		t.Errorf("250,002 pieces with scores: %v", err)
	}
	if err := Check([]byte(strings.Repeat("[", MaxDepth+1))); err == nil {
		t.Error("too deep a beginning was passed")
	}
}

func TestStrict(t *testing.T) {
	for in, offset := range map[string]int{
		`"\ud83d\ude00"`: -1, `"\\ud800"`: -1, "\"\u00e9\"": -1,
		`"a\ud83d"`: 2, `"\ud83d\u0041"`: 1, `"\ude00\ud83d"`: 1, `"\ud83d`: 1, "\"ab\xff\"": 3, "\"\u00e9\xc3\"": 3,
	} {
		for _, wrap := range [][2]string{{"", ""}, {"[", "]"}, {"{", ":1}"}} { // as a value, skipped, as a key
			r := NewReader([]byte(wrap[0] + in + wrap[1])).Strict()
			err := r.End()
			var syntax *SyntaxError
			switch {
			case offset < 0 && err != nil:
				t.Errorf("%s: %v", in, err)
			case offset >= 0 && (!errors.As(err, &syntax) || syntax.Offset != offset+len(wrap[0])):
				t.Errorf("%s: got %v, want an error at byte %d", in, err, offset)
			}
		}
	}
}

// TestAllocations checks that skipping a text allocates nothing, and that reading one
// only allocates iterators of objects.
func TestAllocations(t *testing.T) {
	data := vocabulary(20000)
	if n := testing.AllocsPerRun(5, func() {
		if err := NewReader(data).End(); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("skipping allocates %v times", n)
	}
	if n := testing.AllocsPerRun(5, func() { readVocabulary(t, data) }); n > 8 {
		t.Errorf("reading 20000 keys allocates %v times", n)
	}
	if s := NewReader([]byte(`"abc"`)).Text(); s != "abc" {
		t.Error(s)
	}
}

// vocabulary returns an object of n words and their ids, as in tokenizer.json.
func vocabulary(n int) []byte {
	words := make(map[string]int, n)
	for i := range n {
		words["##wörd"+strconv.Itoa(i)] = i
	}
	data, err := json.MarshalIndent(map[string]any{"version": "1.0", "model": map[string]any{"vocab": words}}, "", "  ")
	if err != nil {
		panic(err)
	}
	return data
}

func readVocabulary(t testing.TB, data []byte) (keys, sum int) {
	r := NewReader(data).Strict()
	for key := range r.Object() {
		if key == "model" {
			for range r.Object() {
				for word := range r.Object() {
					keys++
					sum += len(word) + int(r.Int64())
				}
			}
		}
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	return keys, sum
}

func BenchmarkVocabulary(b *testing.B) {
	data := vocabulary(30000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		readVocabulary(b, data)
	}
}

func BenchmarkSkip(b *testing.B) {
	data := vocabulary(30000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := NewReader(data).End(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRealFiles reads the JSON files of tokenizers and of a static model at hand, and compares with encoding/json.
func TestRealFiles(t *testing.T) {
	paths, _ := filepath.Glob(shared.Path(t, "data/tokenizer") + "/*/*.json")
	more, _ := filepath.Glob(shared.Path(t, "model/static") + "/*.json")
	paths = append(paths, more...)
	if len(paths) == 0 {
		t.Fatal("no JSON files under ../shared")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(path, err)
		}
		r := NewReader(data).Strict()
		got := walk(r, nil)
		if err := r.End(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s (%d bytes): differs from encoding/json, error %v", path, len(data), err)
		}
	}
}
