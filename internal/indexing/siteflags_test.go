package indexing

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The file of examples has one query a line; an error names a line that is not a query.
func TestExamplesFile(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    []string
		says    string
	}{
		"queries":      {"\ufeffagainst cars\r\n\n  for trains  \nZüge", []string{"against cars", "for trains", "Züge"}, ""},
		"as many":      {strings.Repeat("a\n", maxExamples), slices.Repeat([]string{"a"}, maxExamples), ""},
		"as long":      {strings.Repeat("ü", maxExampleRunes), []string{strings.Repeat("ü", maxExampleRunes)}, ""},
		"too many":     {"\n" + strings.Repeat("a\n", maxExamples+1), nil, "examples.txt:14: the page offers at most 12"},
		"too long":     {"a\n" + strings.Repeat("ü", maxExampleRunes+1), nil, "examples.txt:2: the query has more than 200"},
		"much longer":  {strings.Repeat("a", 1<<20), nil, "examples.txt: a line has more than 200"},
		"empty":        {"\n \n", nil, "examples.txt has no query"},
		"not text":     {"a\nb\xff", nil, "examples.txt:2: the line is not text in UTF-8"},
		"a tab":        {"a\nb\tc", nil, "examples.txt:2: the line has a control character in it (U+0009)"},
		"control":      {"a\x00b", nil, "examples.txt:1: the line has a control character in it (U+0000)"},
		"of two bytes": {"a\u0085b", nil, "examples.txt:1: the line has a control character in it (U+0085)"},
		"a whole file": {"PK\x03\x04", nil, "examples.txt:1: the line has a control character in it (U+0003)"},
	} {
		got, err := readExamples(strings.NewReader(c.content), "examples.txt")
		if c.says != "" {
			if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// A site has the owner's template, name and queries. A broken template leaves nothing.
func TestSiteOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	builtin, err := os.ReadFile("../../static/search/index.html")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	static, _, _ := modelsIn(t, dir)
	j := Job{Corpus: corpusIn(t, dir), Output: filepath.Join(dir, "site"), Model: static, Site: true, Name: "Mine & yours",
		Examples: file("examples.txt", "red things\n"), Template: file("broken.html", strings.Replace(string(builtin), "<h1>", "<h1>{{.No}}", 1))}
	for template, says := range map[string]string{
		j.Template:                                         "broken.html:",
		filepath.Join(dir, "none.html"):                    "none.html: no such file",
		file("empty.html", " \n"):                          "empty.html is empty",
		file("large.html", strings.Repeat("a", 1<<20+1)):   "large.html has more than 1048576 bytes",
		file("other.html", "<!doctype html><h1>Hi</h1>\n"): "other.html: the page's script needs",
	} {
		j.Template = template
		if _, err := j.Run(t.Context()); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
		if _, err := os.Stat(j.Output); err == nil {
			t.Fatalf("%s left a site", template)
		}
	}
	j.Template = file("good.html", strings.Replace(string(builtin), "<h1>", `<h1 class="mine">`, 1))
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	home, err := os.ReadFile(filepath.Join(j.Output, "index.html"))
	for _, want := range []string{`<h1 class="mine">Mine &amp; yours</h1>`, `?q=red%20things">`} {
		if err != nil || !strings.Contains(string(home), want) {
			t.Errorf("%v: %s\nlacks %s", err, home, want)
		}
	}
	// Without a file, a few judged queries are offered.
	j.Template, j.Examples, j.NoCredit = "", "", true
	j.Queries = file("queries.jsonl", `{"_id":"q","text":"which is red"}`+"\n")
	j.Qrels = file("qrels.tsv", "query-id\tcorpus-id\tscore\nq\ta\t1\n")
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if home, err := os.ReadFile(filepath.Join(j.Output, "index.html")); err != nil || !strings.Contains(string(home), `?q=which%20is%20red">`) || strings.Contains(string(home), "Vantage</a>") {
		t.Errorf("%v: %s", err, home)
	}
}
