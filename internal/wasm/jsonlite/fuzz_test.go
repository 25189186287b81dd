package jsonlite

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// walk reads the next value like json.Unmarshal into an any. If check is not nil, it
// checks each value's Raw with encoding/json, and each number's Int64 with strconv, but only
// near the top, because Raw at each level of a deep nesting takes quadratic time.
func walk(r *Reader, check *testing.T) any {
	if check != nil && r.depth < 8 && r.Kind() != Invalid {
		at := *r
		raw := at.Raw()
		if at.err == nil && !json.Valid(raw) {
			check.Errorf("Raw returned %q", raw)
		}
		if at.err == nil && r.Kind() == Number {
			checkInteger(check, string(raw))
		}
	}
	switch r.Kind() {
	case Object:
		m := map[string]any{}
		for key := range r.Object() {
			m[key] = walk(r, check)
		}
		return m
	case Array:
		a := []any{}
		for range r.Array() {
			a = append(a, walk(r, check))
		}
		return a
	case String:
		return r.Text()
	case Number:
		return r.Float64()
	case Bool:
		return r.Bool()
	case Null:
		r.Null()
	}
	return nil
}

func checkInteger(t *testing.T, raw string) {
	want, wantErr := strconv.ParseInt(raw, 10, 64)
	r := NewReader([]byte(raw))
	if got := r.Int64(); got != want && wantErr == nil || (r.Err() == nil) != (wantErr == nil) {
		t.Errorf("Int64 of %s = %d, %v; want %d, %v", raw, got, r.Err(), want, wantErr)
	}
}

var escapes = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|.)`)

// wellFormed reports whether valid JSON is also valid for serde_json, which requires
// UTF-8 and paired surrogates.
func wellFormed(data []byte) bool {
	const low = 0xdc00
	end, high := 0, false // end of the last escape, and whether it was a high surrogate
	for _, at := range escapes.FindAllIndex(data, -1) {
		u := int64(0)
		if escape := string(data[at[0]:at[1]]); strings.HasPrefix(escape, `\u`) {
			u, _ = strconv.ParseInt(escape[2:], 16, 64)
		}
		if high != (u >= low && u < 0xe000) || high && at[0] != end {
			return false
		}
		end, high = at[1], u >= 0xd800 && u < low
	}
	return !high && utf8.Valid(data)
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, `true `, `[false,tru]`, `0`, `-0`, `01`, `1.5e+3`, `1.e3`, `-`, `1e400`, `123456789012345678901234567890`,
		`9223372036854775807`, `-9223372036854775809`, `""`, `"a\"b\\c\/\b\f\n\r\t\u00e9"`, `"\ud83d\ude00"`, `"\ud83d"`,
		`"\ud83d\ud83d\ude00\ude00"`, `"\ud83dx"`, `"\\ud800"`, `"\u12"`, `"\x"`, "\"\x1f\"", "\"\x7f\"", "\"\xff\xc3\xa9\xe2\x82\"", "\"\xed\xa0\x80\"",
		`[]`, `[1,]`, `[,1]`, `[1 2]`, `{}`, `{"a":1,"a":{"b":[]}}`, `{"a":1,}`, `{"a"}`, `{1:2}`, `{"a":1 "b":2}`, "\ufeff1",
		`[[[[[[[[[[[{"a":[{}]}]]]]]]]]]]]`, "[1]\x00", `{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}   `,
		`{"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[PAD]":0,"##s":1,"é":2}}}`, `[]]`, `{"a":[}`, `[{"a":1},[2],{"b":3}]`, "\t\r\n1",
	} {
		f.Add([]byte(s))
	}
	for _, n := range []int{MaxDepth, MaxDepth + 1, 200} {
		f.Add([]byte(strings.Repeat("[", n) + strings.Repeat("]", n)))
		f.Add([]byte(strings.Repeat(`{"a":`, n) + "{}" + strings.Repeat("}", n)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		valid := json.Valid(data)
		err := NewReader(data).End()
		var limit *LimitError
		if errors.As(err, &limit) { // encoding/json allows deeper nesting
			if limit.Offset < 0 || limit.Offset > len(data) || Check(data) == nil {
				t.Fatalf("error %#v, checked: %v", err, Check(data))
			}
			return
		}
		if (err == nil) != valid {
			t.Fatalf("skipped: %v, json.Valid %v", err, valid)
		}
		var syntax *SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(data)) {
			t.Fatalf("error %#v", err)
		}
		if strict := NewReader(data).Strict().End(); (strict == nil) != (valid && wellFormed(data)) {
			t.Fatalf("strict: %v, valid %v, well-formed %v", strict, valid, wellFormed(data))
		}
		r := NewReader(data)
		got := walk(r, t)
		err = r.End()
		var want any
		if wantErr := json.Unmarshal(data, &want); (err == nil) != (wantErr == nil) {
			t.Fatalf("read: %v, Unmarshal: %v", err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("read %#v, Unmarshal %#v", got, want)
		}
	})
}
