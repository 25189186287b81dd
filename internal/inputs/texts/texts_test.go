package texts

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A repeated key is an error in all files of JSON lines, because readers differ in
// which of the two values counts.
func TestRepeatedKeys(t *testing.T) {
	for _, line := range []string{`{"_id": "1", "text": "a", "text": "b"}`, `{"_id": "1", "text": "a", "metadata": {"label": "x", "label": "y"}}`} {
		if _, err := parseText([]byte(line)); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "occurs twice") {
			t.Errorf("text %s: %v", line, err)
		}
	}
}

// Keys that differ only in case are other fields, as in a corpus.
func TestKeysOfOtherCase(t *testing.T) {
	got, err := parseText([]byte(`{"ID": 7, "id": "a", "Id": [], "text": "x", "Text": "y", "TEXT": 1, "Instruction": {}}`))
	if err != nil || got != (oneText{id: "a", text: "x"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for line, want := range map[string]string{`{"Text": "x"}`: `no "text"`, `{"text": 1}`: "not a string", `null`: `no "text"`, `[]`: "one object per line"} {
		if _, err := parseText([]byte(line)); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// write writes a file and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// all reads a file's texts.
func all(t *testing.T, path, format string) (p Portion, err error) {
	t.Helper()
	s, err := Open(path, format, corpus.Options{})
	if err != nil {
		return p, err
	}
	for part := range s.Portions(t.Context(), 1<<20, 0) {
		if part.Err != nil {
			return p, part.Err
		}
		p.IDs, p.Texts, p.Instructions = append(p.IDs, part.IDs...), append(p.Texts, part.Texts...), append(p.Instructions, part.Instructions...)
	}
	return p, nil
}

// The format follows from the name, unless it is given.
func TestFormats(t *testing.T) {
	lines := "\ufeffone\r\n\ntwo"
	objects := `{"_id": 7, "text": "one"}` + "\n\n" + `{"id": "b", "text": "two", "instruction": ""}`
	for _, c := range []struct {
		name, format, content string
		ids, texts            []string
	}{
		{"a.txt", "", lines, []string{"", "", ""}, []string{"one", "", "two"}},
		{"a.jsonl", "", objects, []string{"7", "b"}, []string{"one", "two"}},
		{"a.txt", JSONLines, objects, []string{"7", "b"}, []string{"one", "two"}},
		{"a.csv", "", "id,title,text\n1,A,b\n", []string{"1"}, []string{"A\nb"}},
		{"a.txt", "", "", nil, nil},
	} {
		p, err := all(t, write(t, c.name, c.content), c.format)
		if err != nil || !slices.Equal(p.IDs, c.ids) || len(p.Texts) != len(c.texts) {
			t.Errorf("%s %s: %q %q, %v", c.name, c.format, p.IDs, p.Texts, err)
			continue
		}
		for i, text := range c.texts {
			if strings.Join(strings.Fields(p.Texts[i]), " ") != strings.Join(strings.Fields(text), " ") {
				t.Errorf("%s: text %d is %q, want %q", c.name, i, p.Texts[i], text)
			}
		}
	}
	if p, err := all(t, write(t, "a.jsonl", objects), ""); err != nil || p.Instructions[0] != nil || p.Instructions[1] == nil || *p.Instructions[1] != "" {
		t.Errorf("instructions %v, %v", p.Instructions, err)
	}
}

// Errors give the place of the unreadable text.
func TestFaults(t *testing.T) {
	for content, part := range map[string]string{
		"{\"text\": \"a\"}\n{\"text\": 1}": ":2:", "{}": "no \"text\"", "{\"text\": \"a\"} x": "after the object", "[]": ":1:",
		"{\"text\": \"a\", \"_id\": []}": "neither text nor a number", "{\"text\": \"a\", \"instruction\": 1}": "is not a string", "\xff": "not UTF-8",
	} {
		path := write(t, "a.jsonl", content)
		if _, err := all(t, path, ""); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), part) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q: %v", content, err)
		}
	}
	path := write(t, "a.jsonl", "{\"text\": \"a\"}\n{\"text\": 1}")
	s, err := Open(path, "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before []string
	for part := range s.Portions(t.Context(), 1<<20, 0) {
		before = append(before, part.Texts...)
	}
	if !slices.Equal(before, []string{"a"}) {
		t.Errorf("%q before the fault", before)
	}
	for path, want := range map[string]fault.Kind{"none.txt": fault.Input, write(t, "a.txt.gz", "no gzip"): fault.Input} {
		if _, err := all(t, path, ""); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(t.TempDir(), Lines, corpus.Options{}); !errors.Is(err, fault.Query) {
		t.Errorf("a folder of lines: %v", err)
	}
	if _, err := Open("-", Corpus, corpus.Options{}); !errors.Is(err, fault.Query) {
		t.Errorf("a corpus on stdin: %v", err)
	}
}

// The length of portions counts the part of each text that a model reads.
func TestPortions(t *testing.T) {
	s, err := Open(write(t, "a.txt", strings.Repeat(strings.Repeat("x", 99)+"\n", 10)), "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for maxTokens, want := range map[int][]int{0: {3, 3, 3, 1}, 5: {6, 4}} { // 8 bytes per token
		var got []int
		for p := range s.Portions(t.Context(), 240, maxTokens) {
			got = append(got, len(p.Texts))
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d tokens: portions of %v, want %v", maxTokens, got, want)
		}
	}
}

// If a consumer stops early, the reading ends and the file is closed.
func TestPortionsEndEarly(t *testing.T) {
	path, before := write(t, "a.txt", strings.Repeat(strings.Repeat("x", 99)+"\n", 100)), runtime.NumGoroutine()
	s, err := Open(path, "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range s.Portions(t.Context(), 240, 0) {
		break
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the file is still read")
		}
	}
}

func TestTokenize(t *testing.T) {
	tokens, err := tokenizer.Parse(builtin.Builtin().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(write(t, "a.jsonl", `{"text": "the river"}`+"\n"+`{"text": "river", "instruction": "the "}`+"\n"+`{"text": ""}`), "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := s.Tokenize(t.Context(), &out, tokens, 1); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[0] != lines[1] || !strings.HasSuffix(lines[0], `"truncated":true}`) || !strings.HasPrefix(lines[2], `{"ids":[`) {
		t.Errorf("%q", lines)
	}
}

// The share of the input is that of the texts that are done, whatever has been read ahead.
func TestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("a text of some words\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, "", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.texts() {
		if err != nil {
			t.Fatal(err)
		}
	}
	for texts, want := range map[int64]int64{0: 0, 25: 525, 100: 2100} {
		if taken, size := s.Progress(texts); taken != want || size != 2100 {
			t.Errorf("%d texts: %d of %d bytes", texts, taken, size)
		}
	}
}
