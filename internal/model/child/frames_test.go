package child

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
)

// Any bytes are read or refused, and a frame that was read gives the same bytes when it is
// written again.
func FuzzFrames(f *testing.F) {
	prompt := "find: "
	for _, w := range []work{{texts: []string{"a", ""}}, {texts: []string{"b"}, options: encoder.Options{Role: "query", Prompt: &prompt}}, {texts: []string{"c", "d"}, options: encoder.Options{Prompts: []string{prompt, ""}}}, {ids: [][]uint32{{1, 2}, {}}}} {
		b, err := w.frame(7)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	vectors, err := vectorsFrame(9, []encoder.Embedding{{Vector: []float32{1, 2}, Tokens: 3, Truncated: true}}, 2)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(vectors)
	f.Add([]byte{255, 255, 255, 255, 'T'})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		got, err := readFrame(r)
		if err != nil {
			if !errors.Is(err, errFrame) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error(err)
			}
			return
		}
		read := b[:len(b)-r.Len()]
		switch got.kind {
		case kindTexts, kindIDs:
			w, err := parseWork(got)
			if err != nil {
				return
			}
			if again, err := w.frame(got.id); err != nil || !bytes.Equal(again, read) {
				t.Errorf("%q is read as %+v, which is %q, %v", read, w, again, err)
			}
			n := 0
			for _, part := range w.split(3) {
				n += part.size()
			}
			if n != w.size() {
				t.Errorf("%d texts are split into %d", w.size(), n)
			}
		case kindVectors:
			for texts := range 3 {
				e, err := parseVectors(got.content, texts, 2)
				if err != nil {
					continue
				}
				// NaNs keep their bits, too.
				if again, err := vectorsFrame(got.id, e, 2); err != nil || !bytes.Equal(again, read) {
					t.Errorf("%q is read as %v", read, e)
				}
			}
		}
	})
}

func TestLastWords(t *testing.T) {
	var lines []string
	w := lastWords{log: func(line string) { lines = append(lines, line) }}
	for _, part := range []string{"one", " line\r\n\n", "two\nthr", "ee", string(bytes.Repeat([]byte("x"), 3*longestLine)) + "\n", "bad \xff\nend"} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Error(n, err)
		}
	}
	w.end()
	if len(lines) != 5 || !slices.Equal(lines[:2], []string{"one line", "two"}) || len(lines[2]) != longestLine || lines[3] != "bad �" || lines[4] != "end" {
		t.Errorf("%q", lines)
	}
	for range 2 * rememberedLines {
		w.Write([]byte("again\n"))
	}
	w.Write([]byte("SIGABRT: abort\nPC=0x44264c m=0\ngoroutine 1 [syscall]:\n"))
	if got, want := w.text(), strings.Repeat("again\n", rememberedLines-1)+"SIGABRT: abort"; got != want {
		t.Errorf("%q is remembered, want %q", got, want)
	}
}

// All that is known about a model reaches the parent, also what servers do not tell their
// clients.
func TestDescriptionsCross(t *testing.T) {
	var want encoder.Info
	fields := reflect.ValueOf(&want).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("text " + fields.Type().Field(i).Name)
		case reflect.Int:
			f.SetInt(int64(i + 1))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"query": "query: "}))
		default:
			t.Fatalf("%s: a %s is not tried", fields.Type().Field(i).Name, f.Kind())
		}
	}
	b, err := describe(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := described(b); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
