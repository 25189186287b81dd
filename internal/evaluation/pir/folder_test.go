package pir

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/part"
)

// TestFolderEqualsDemo writes each task of the demo file as a folder in the
// published layout and reads it back: the same texts, labels and gold.
func TestFolderEqualsDemo(t *testing.T) {
	tasks := demo(t)
	all := t.TempDir()
	for _, task := range tasks {
		dir := filepath.Join(all, publishedPrefix+task.Name)
		if err := os.MkdirAll(filepath.Join(dir, "qrels"), 0o755); err != nil {
			t.Fatal(err)
		}
		var corpus, queries, qrels strings.Builder
		for i, text := range task.Corpus {
			line(t, &corpus, map[string]any{"_id": fmt.Sprint("c", i), "text": text})
		}
		for i, text := range task.Queries {
			meta, err := json.Marshal(map[string]string{"src_query": task.Roots[i], "perspective": task.Perspectives[i]})
			if err != nil {
				t.Fatal(err)
			}
			line(t, &queries, map[string]any{"_id": fmt.Sprint("q", i), "text": text, "meta": string(meta)})
			for _, g := range task.Gold[i] {
				line(t, &qrels, map[string]any{"query-id": fmt.Sprint("q", i), "corpus-id": fmt.Sprint("c", g), "score": 1})
			}
		}
		writeFile(t, dir, "corpus.jsonl", corpus.String())
		writeFile(t, dir, "queries.jsonl", queries.String())
		writeFile(t, dir, "qrels/test.jsonl", qrels.String())
	}
	read, err := Open(all)
	if err != nil {
		t.Fatal(err)
	}
	if len(read) != len(tasks) {
		t.Fatalf("%d tasks", len(read))
	}
	for i := range read {
		last := len(tasks[i].Corpus) - 1
		if got := []string{read[i].QueryID(1), read[i].TextID(last), tasks[i].QueryID(1), tasks[i].TextID(last)}; !slices.Equal(got, []string{"q1", fmt.Sprint("c", last), "1", fmt.Sprint(last)}) {
			t.Errorf("%s: ids %q", tasks[i].Name, got)
		}
		read[i].TextIDs, read[i].QueryIDs = nil, nil // the demo file has no ids
		if !reflect.DeepEqual(read[i], tasks[i]) {
			t.Errorf("%s: the folder differs from the demo file", tasks[i].Name)
		}
	}
}

func line(t *testing.T, b *strings.Builder, value any) {
	t.Helper()
	if err := json.NewEncoder(b).Encode(value); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDebates(t *testing.T) {
	tasks, err := Open("../../../examples/debates")
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 1 {
		t.Fatalf("%d tasks", len(tasks))
	}
	task := tasks[0]
	gold := 0
	for _, g := range task.Gold {
		gold += len(g)
	}
	if task.Name != "debates" || len(task.Corpus) != 1157 || len(task.Queries) != 203 || gold != 1352 || task.Unjudged != 0 {
		t.Errorf("%s: %d texts, %d queries, %d gold, %d unjudged", task.Name, len(task.Corpus), len(task.Queries), gold, task.Unjudged)
	}
	if !task.OwnPerspectives() || task.Roots[0] != "A four-day working week should become the norm" || task.Perspectives[0] != "a claim that supports the argument" || task.Labels[0] != "support" {
		t.Errorf("%q, %q, %q", task.Roots[0], task.Perspectives[0], task.Labels[0])
	}
	if !strings.HasPrefix(task.Corpus[0], "Four-day working week: Same output, fewer days When a regional") {
		t.Errorf("%q", task.Corpus[0])
	}
	if !slices.Contains(task.Locations, "Germany") || !slices.Contains(task.Desired, "Lisbon") || len(task.Locations) != 1157 || len(task.Desired) != 203 {
		t.Error("places are missing")
	}
}

// Parts of a corpus are read with their judgements, and together they are all of it.
func TestPart(t *testing.T) {
	var gold int
	folders := t.TempDir() // a folder of folders
	if err := os.CopyFS(filepath.Join(folders, "debates"), os.DirFS("../../../examples/debates")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		only, without  []string
		texts, queries int
		first          string
	}{
		{nil, []string{"kind=point"}, 581, 203, "four-day-week-01"},
		{[]string{"kind=point"}, nil, 576, 147, "four-day-week-point-01"},
	} {
		p, err := part.Parse(c.only, c.without)
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := OpenPart(folders, p)
		if err != nil {
			t.Fatal(err)
		}
		task := tasks[0]
		if len(task.Corpus) != c.texts || len(task.Queries) != c.queries || task.Unjudged != 203-c.queries || task.TextID(0) != c.first {
			t.Errorf("%s: %d texts from %s, %d queries, %d unjudged", p.String(), len(task.Corpus), task.TextID(0), len(task.Queries), task.Unjudged)
		}
		for _, g := range task.Gold {
			gold += len(g)
		}
	}
	if gold != 1352 {
		t.Errorf("%d gold texts in both parts", gold)
	}
	p, err := part.Parse([]string{"colour=red"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPart("../../../examples/debates", p); err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("a field that no text has: %v", err)
	}
	corpus := `{"_id": "a", "text": "one", "metadata": {"kind": "x"}}` + "\n" + `{"_id": "b", "text": "two", "metadata": {"kind": "y"}}` + "\n"
	if p, err = part.Parse([]string{"kind=y"}, nil); err != nil {
		t.Fatal(err)
	}
	small := smallFolder(t, map[string]string{"corpus.jsonl": corpus, "qrels/test.tsv": "query-id\tcorpus-id\tscore\nx\ta\t1\n"})
	if _, err := OpenPart(small, p); err == nil || !strings.Contains(err.Error(), "all texts that it judges are left out") {
		t.Errorf("a part without judged texts: %v", err)
	}
	file := filepath.Join(t.TempDir(), "demo.json")
	writeFile(t, filepath.Dir(file), "demo.json", "{}")
	if _, err := OpenPart(file, p); err == nil || !strings.Contains(err.Error(), "no metadata") {
		t.Errorf("a demo file: %v", err)
	}
}

// smallFolder is a task of two queries; changes replaces the contents of files.
func smallFolder(t *testing.T, changes map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	for name, content := range map[string]string{
		"corpus.jsonl":   `{"_id": "a", "title": "A", "text": "one"}` + "\n" + `{"_id": 2, "text": "two"}` + "\n",
		"queries.jsonl":  `{"_id": "x", "text": "q1", "meta": {"src_query": "r", "perspective": "p1"}}` + "\n" + `{"_id": "y", "text": "q2", "root": "r", "perspective": "p2", "metadata": {"label": "l"}}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nx\ta\t1\ny\t2\t1\ny\ta\t0\n",
	} {
		if changed, ok := changes[name]; ok {
			content = changed
		}
		if content != "" {
			writeFile(t, dir, name, content)
		}
	}
	return dir
}

func TestFolder(t *testing.T) {
	got, err := ReadFolder(smallFolder(t, nil))
	want := Task{
		Name: "small", Corpus: []string{"A one", "two"}, Queries: []string{"q1", "q2"}, Roots: []string{"r", "r"},
		Perspectives: []string{"p1", "p2"}, Labels: []string{"none", "l"}, Gold: [][]int{{0}, {1}}, TextIDs: []string{"a", "2"}, QueryIDs: []string{"x", "y"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	// A query without gold is left out. Queries serve as perspectives if there are none.
	got, err = ReadFolder(smallFolder(t, map[string]string{
		"qrels/test.jsonl": "",
		"queries.jsonl":    `{"_id": "x", "text": "q1", "root": "r"}` + "\n" + `{"_id": "y", "text": "q2", "root": "r"}` + "\n" + `{"_id": "z", "text": "q3", "root": "r"}`,
	}))
	if err != nil || got.Unjudged != 1 || got.OwnPerspectives() || len(got.Queries) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFolderErrors(t *testing.T) {
	for _, c := range []struct {
		file, content string
		parts         []string
	}{
		{"qrels/test.tsv", "", []string{"qrels/test.jsonl nor qrels/test.tsv"}},
		{"qrels/test.tsv", "query-id\tcorpus-id\tscore\n", []string{"test.tsv", "no judgements"}},
		{"qrels/test.tsv", "x\ta\n", []string{"test.tsv:1", "2 columns"}},
		{"qrels/test.tsv", "x\ta\tmuch\n", []string{"test.tsv:1", "much"}},
		{"qrels/test.tsv", "x\ta\tNaN\n", []string{"test.tsv:1", "NaN"}},
		{"qrels/test.tsv", "x\tb\t1\n", []string{"test.tsv:1", `"b"`, "corpus.jsonl"}},
		{"qrels/test.tsv", "x\ta\t1\n\nv\ta\t1\n", []string{"test.tsv:3", `"v"`, "queries.jsonl"}},
		{"qrels/test.tsv", "x\ta\t1\nx\ta\t1\n", []string{"test.tsv:2", "twice", "line 1"}},
		{"qrels/test.tsv", "x\ta\t0\n", []string{"no query has a gold text"}},
		{"qrels/test.tsv", "x\ta\t1" + strings.Repeat(" ", maxQrelLine), []string{"test.tsv:1", "longer"}},
		{"queries.jsonl", `{"_id": "x", "text": "q"}`, []string{"queries.jsonl", `"x"`, "no root"}},
		{"queries.jsonl", `{"_id": "x", "text": "", "root": "r"}`, []string{"queries.jsonl", `"x"`, "empty"}},
		{"queries.jsonl", `{"_id": "x", "text": "q", "meta": "{"}`, []string{`"x"`, "meta"}},
		{"queries.jsonl", `{"_id": "x", "text": "q", "meta": 3}`, []string{`"x"`, "meta"}},
		{"queries.jsonl", `{"_id": "x", "text": "q", "root": "r"}` + "\n" + `{"_id": "y", "text": "q", "root": "r", "perspective": "p"}`, []string{"1 of 2 queries have no perspective"}},
		{"queries.jsonl", `{"_id": "x", "text": "q"`, []string{"queries.jsonl:1"}},
		{"queries.jsonl", `{"_id": "x", "text": "q", "meta": "{\"src_query\": \"r\", \"src_query\": \"s\"}"}`, []string{`"x"`, `"src_query" occurs twice`}},
		{"corpus.jsonl", `{"_id": "a"}`, []string{"corpus.jsonl:1"}},
	} {
		_, err := ReadFolder(smallFolder(t, map[string]string{c.file: c.content}))
		for _, part := range c.parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s %.60q: %v lacks %q", c.file, c.content, err, part)
			}
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("an empty folder is read")
	}
	both := t.TempDir()
	for _, name := range []string{"law", publishedPrefix + "law"} {
		if err := os.CopyFS(filepath.Join(both, name), os.DirFS(smallFolder(t, nil))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(both); err == nil || !strings.Contains(err.Error(), filepath.Join(both, "law")+" and "+filepath.Join(both, publishedPrefix+"law")) {
		t.Errorf("two folders of a task: %v", err)
	}
	twice := `{"query-id": "x", "corpus-id": "a", "score": 1, "score": 0}`
	if _, err := parseGold(strings.NewReader(twice), "test.jsonl", map[string]int{"a": 0}, func(string) bool { return false }); err == nil || !strings.Contains(err.Error(), `"score" occurs twice`) {
		t.Errorf("%s: %v", twice, err)
	}
}

// FuzzQuery checks that a line of queries.jsonl gives an error or a query with text and
// root.
func FuzzQuery(f *testing.F) {
	f.Add(`{"_id": "x", "text": "q", "meta": "{\"src_query\": \"r\", \"perspective\": \"p\"}"}`)
	f.Add(`{"_id": "x", "text": "q", "root": "r", "metadata": {"label": "l", "field": "place", "value": "v"}}`)
	f.Add(`{"_id": "x", "text": "q", "meta": {"src_query": {}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "queries.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		each(path, func(d *store.Document) error {
			q, err := queryOf(d)
			if err == nil && (q.text == "" || q.root == "") {
				t.Errorf("%+v of %q", q, text)
			}
			return err
		})
	})
}

func FuzzGold(f *testing.F) {
	f.Add("query-id\tcorpus-id\tscore\nx\ta\t1\n", false)
	f.Add("x\ta\t-1e3\n\n\xef\xbb\xbfy\tb\t0\r\n", false)
	f.Add(`{"query-id": "x", "corpus-id": 7, "score": 1}`+"\n", true)
	f.Add(`{"query-id": null, "corpus-id": [], "score": null}`, true)
	places := map[string]int{"a": 0, "b": 1, "7": 2}
	f.Fuzz(func(t *testing.T, text string, objects bool) {
		name := "test.tsv"
		if objects {
			name = "test.jsonl"
		}
		g, err := parseGold(strings.NewReader(text), name, places, func(string) bool { return false })
		if err != nil {
			return
		}
		for query, gold := range g.gold {
			seen := map[int]bool{}
			for _, place := range gold {
				if place < 0 || place >= len(places) || seen[place] || g.line[query] == 0 {
					t.Errorf("%q: %v", query, gold)
				}
				seen[place] = true
			}
		}
	})
}
