package corpus

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// write makes a file in a new folder and returns its path.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(path string, o Options) ([]store.Document, error) {
	c, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	var docs []store.Document
	for d, err := range c.Documents() {
		if err != nil {
			return docs, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// compact writes documents as JSON lines, which are easy to compare.
func compact(t testing.TB, docs []store.Document) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, d := range docs {
		if err := e.Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// refused checks that a corpus is refused at a place with certain words.
func refused(t *testing.T, path string, o Options, line int64, words ...string) {
	t.Helper()
	_, err := read(path, o)
	var e *InputError
	if !errors.As(err, &e) {
		t.Errorf("%s: %v", words, err)
		return
	}
	if e.Line != line || !strings.HasPrefix(e.File, filepath.Dir(path)) || e.Remedy == "" {
		t.Errorf("%s: line %d, want %d: %v", words, e.Line, line, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %v", word, err)
		}
	}
}

func TestJSONLines(t *testing.T) {
	text := "\ufeff" + `{"_id": "a", "title": "T", "text": "one ünit", "metadata": {"url": "x", "n": 12345678901234567890}}` + "\r\n" +
		"\n  \n" +
		`{"_id": 7, "text": "", "title": null, "metadata": null}` + "\n" +
		`{"id": "b", "text": "<b> & \u00e9", "year": 1999, "metadata": {"tags": ["x"], "year": 2000}, "lang": "en"}` + "\n" +
		`{"_id": "c", "id": "other", "text": "last line without an end", "metadata": {}}`
	want := `{"_id":"a","title":"T","text":"one ünit","metadata":{"n":12345678901234567890,"url":"x"}}
{"_id":"7","text":""}
{"_id":"b","text":"<b> & é","metadata":{"lang":"en","tags":["x"],"year":2000}}
{"_id":"c","text":"last line without an end","metadata":{"id":"other"}}
`
	for _, name := range []string{"c.jsonl", "c.json", "C.NDJSON"} {
		docs, err := read(write(t, name, text), Options{})
		if got := compact(t, docs); err != nil || got != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	c, err := Open(write(t, "c.jsonl.gz", gzipped(text)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a corpus can be read again
		var docs []store.Document
		for d, err := range c.Documents() {
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d)
		}
		if compact(t, docs) != want {
			t.Error("compressed lines differ")
		}
		if read, total := c.Progress(int64(len(docs))); read != total || total < 100 {
			t.Errorf("read %d of %d", read, total)
		}
	}
	for range c.Documents() {
		break
	}
	docs, err := read(write(t, "c.jsonl", `{"key": "k", "name": "n", "body": "b", "text": "t"}`), Options{IDField: "key", TitleField: "name", TextField: "body"})
	if got := compact(t, docs); err != nil || got != `{"_id":"k","title":"n","text":"b","metadata":{"text":"t"}}`+"\n" {
		t.Errorf("%v %s", err, got)
	}
	lines := `{"_id": "a", "text": "x"}` + "\n" + `{"_id": "b", "text": "y", "head": null}` + "\n"
	if docs, err := read(write(t, "c.jsonl", lines), Options{TitleField: "head"}); err != nil || len(docs) != 2 {
		t.Errorf("some have the field: %v %v", docs, err)
	}
	for name, o := range map[string]Options{"a field": {TitleField: "haed", FieldFlags: true}, "a column": {Columns: map[string]string{"title": "haed"}, FieldFlags: true}} {
		docs, err := read(write(t, "c.jsonl", lines), o)
		for _, part := range []string{`c.jsonl: no document has the field "haed"`, `the first one has "_id", "text"`, "--title-field"} {
			if bad, ok := errors.AsType[*InputError](err); !ok || !strings.Contains(bad.Error(), part) {
				t.Errorf("%s that no document has: %v %v", name, docs, err)
			}
		}
	}
	if docs, err := read(write(t, "empty.jsonl", "\n\n"), Options{}); err != nil || len(docs) != 0 {
		t.Errorf("%v %v", docs, err)
	}
}

func TestJSONLinesRefused(t *testing.T) {
	good := `{"_id": "a", "text": "x"}` + "\n"
	for line, words := range map[string][]string{
		`{"text": "x"}`:                                            {`no "_id"`, `the fields are "text"`, "--id-field"},
		`{"_id": "", "text": "x"}`:                                 {"id is empty"},
		`{"_id": null, "text": "x"}`:                               {`no "_id"`},
		`{"_id": true, "text": "x"}`:                               {"neither a string nor a number"},
		`{"_id": "b"}`:                                             {`no "text"`, `"_id"`, "--text-field"},
		`{"_id": "b", "text": 3}`:                                  {`"text" is not a string`},
		`{"_id": "b", "text": "", "title": []}`:                    {`"title"`},
		`{"_id": "b", "text": "", "metadata": "x"}`:                {`"metadata"`},
		`{"_id": "a", "text": "again"}`:                            {"already taken by line 1"},
		`{"_id": "b", "text": "x"} {"_id": "c"}`:                   {"text after the object"},
		`{"_id": "b", "text": "x"`:                                 {"not JSON", "jq -c ."},
		`{"_id": "b", "text": "x",}`:                               {"not JSON"},
		`[{"_id": "b", "text": "x"}]`:                              {"not a JSON object", "jq -c '.[]'"},
		`"b"`:                                                      {"not a JSON object"},
		`{"_id": "b", "text": "x", "_id": "c"}`:                    {":2:27", `key "_id" occurs twice`, "keep one"},
		`{"_id": "b", "text": "x", "te\u0078t": "y"}`:              {":2:27", `key "text" occurs twice`},
		`{"_id": "b", "text": "x", "n": 1, "n": 1}`:                {`key "n" occurs twice`},
		`{"_id": "b", "text": "", "metadata": {"a": 1, "a": 2}}`:   {`key "a" occurs twice`},
		`{"_id": "b", "text": "", "m": [{}, {"a": 1, "a": 2}]}`:    {`key "a" occurs twice`},
		"{\x00\"\x00":                                              {":2:2", "UTF-16", "--charset"},
		"{\"_id\": \"b\", \"text\": \"caf\xe9\"}":                  {":2:26", "not UTF-8", "--charset"},
		`{"_id": "` + strings.Repeat("x", 5000) + `"`:              {"not JSON"},
		`{"_id": "` + strings.Repeat("x", 5000) + `", "text": ""}`: {"5000 bytes"},
	} {
		refused(t, write(t, "c.jsonl", good+line+"\n"), Options{FieldFlags: true}, 2, words...)
	}
	long := good + `{"_id": "b", "text": "` + strings.Repeat("x", MaxRecordBytes) + `"}`
	refused(t, write(t, "c.jsonl", long), Options{}, 2, "longer than 16 MB")
	z := gzipped(long)
	refused(t, write(t, "c.jsonl.gz", z[:len(z)/2]), Options{}, 0, "damaged gzip", "copy it again")
	refused(t, write(t, "c.jsonl.gz", gzipped(strings.Repeat("\n", 17<<20))), Options{}, 0, "compressed too far", "16 MB", "store it uncompressed")
	refused(t, write(t, "c.jsonl", good+`{"_id": "b", "text": "", "metadata": {"a": [`+strings.Repeat("{},", jsonlite.MaxValues)+`{}]}}`), Options{}, 2, "more than 1000000 values", "split the document")
	for deep, fine := range map[string]bool{
		`"metadata": ` + strings.Repeat(`{"a":`, 63) + "1" + strings.Repeat("}", 63): true,
		`"metadata": ` + strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64): false,
		`"field": ` + strings.Repeat("[", 62) + strings.Repeat("]", 62):              true,
		`"field": ` + strings.Repeat("[", 63) + strings.Repeat("]", 63):              false, // the field moves to the metadata, one level deeper
	} {
		path := write(t, "c.jsonl", good+`{"_id": "b", "text": "", `+deep+"}\n")
		if !fine {
			refused(t, path, Options{}, 2, "nested more than 64 deep", "leave nested metadata out")
			continue
		}
		if docs, err := read(path, Options{}); err != nil || len(docs) != 2 {
			t.Errorf("%.60s: %v", deep, err)
		}
	}
	refused(t, write(t, "c.txt", good), Options{}, 0, "unknown kind")
	refused(t, filepath.Join(t.TempDir(), "none.jsonl"), Options{}, 0, "cannot be read", "no such file")
	refused(t, t.TempDir(), Options{}, 0, "no pages")
}

// Reading a large corpus takes little memory.
func TestStreaming(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.jsonl.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
	text := strings.Repeat("many words ", 10_000)
	const n = 1000 // 110 MB
	for i := range n {
		noise := make([]byte, 1000) // so that gzip shrinks it 60 times, not 180 times
		rand.Read(noise)
		fmt.Fprintf(z, "{\"_id\": \"%d\", \"text\": %q}\n", i, hex.EncodeToString(noise)+text)
	}
	z.Close()
	f.Close()
	c, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var memory runtime.MemStats
	most, count := uint64(0), 0
	for _, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&memory)
			most = max(most, memory.HeapAlloc)
		}
	}
	if count != n || most > 30<<20 {
		t.Errorf("%d documents, %d MB of memory", count, most>>20)
	}
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte(`{"_id": "a", "title": "T", "text": "x", "metadata": {"u": [1, {"v": null}]}}` + "\r\n\n" + `{"_id": 7, "text": ""}`))
	f.Add([]byte("\xef\xbb\xbf{\"id\": 1e5, \"text\": \"\\ud800\"}\n{\"_id\": \"1e5\"}"))
	f.Add([]byte("[1]\n"))
	for _, n := range []int{62, 63} {
		f.Add([]byte(`{"_id": 1, "text": "", "deep": ` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var docs []store.Document
		err := readJSONLines(bytes.NewReader(b), "f", Options{}, func(d store.Document) error { docs = append(docs, d); return nil })
		var e *InputError
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Remedy == "") {
			t.Fatalf("error %v", err)
		}
		// Documents that were read give the same documents after writing them as JSON
		// lines and reading them again.
		ids := map[string]bool{}
		for _, d := range docs {
			if d.ID == "" || ids[d.ID] {
				t.Fatalf("id %q", d.ID)
			}
			ids[d.ID] = true
		}
		first := compact(t, docs)
		var again []store.Document
		if err := readJSONLines(strings.NewReader(first), "f", Options{}, func(d store.Document) error { again = append(again, d); return nil }); err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		if second := compact(t, again); second != first {
			t.Fatalf("%q\n%q", first, second)
		}
	})
}
