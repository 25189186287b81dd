package beir

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/trec"
)

const (
	tinyCorpus  = "{\"_id\": \"a\", \"title\": \"Cats\", \"text\": \"sleep all day\"}\n{\"_id\": \"b\", \"text\": \"dogs sleep at night\"}\n{\"_id\": \"c\", \"text\": \"fish\"}\n"
	tinyQueries = "{\"_id\": \"a\", \"text\": \"cats sleep\"}\n{\"_id\": \"q\", \"text\": \"dogs\"}\n{\"_id\": \"train\", \"text\": \"fish\"}\n{\"_id\": \"z\", \"text\": \"zebra\"}\n"
	tinyQrels   = "query-id\tcorpus-id\tscore\na\tb\t1\nq\tb\t2\nq\ta\t0\nz\tc\t1\n"
)

// tiny is a BEIR folder; its files may be replaced.
func tiny(t *testing.T, replace ...string) string {
	t.Helper()
	files := map[string]string{"corpus.jsonl": tinyCorpus, "queries.jsonl": tinyQueries, "qrels/test.tsv": tinyQrels}
	for i := 0; i < len(replace); i += 2 {
		files[replace[i]] = replace[i+1]
	}
	dir := t.TempDir()
	for name, text := range files {
		if text != "" {
			write(t, dir, name, text)
		}
	}
	return dir
}

func open(t *testing.T, dir string, o Options) (*Set, retrieve.Index) {
	t.Helper()
	set, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	words, err := retrieve.NewBM25(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Index(context.Background(), []retrieve.Index{words}, nil); err != nil {
		t.Fatal(err)
	}
	return set, words
}

func ranking(t *testing.T, run *trec.Run, query string) []string {
	t.Helper()
	documents, _, err := run.Ranking(query)
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// A second reading fills another index with the same documents, and fails if the corpus
// has changed.
func TestIndexAgain(t *testing.T) {
	dir := tiny(t)
	set, words := open(t, dir, Options{})
	again := retrieve.NewOkapi()
	if err := set.Index(context.Background(), []retrieve.Index{again}, nil); err != nil || set.Documents != 3 {
		t.Fatalf("%d documents, %v", set.Documents, err)
	}
	for _, r := range []retrieve.Retriever{words, again} {
		run, _, err := set.Retrieve(context.Background(), r, "r", 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := ranking(t, run, "q"); !slices.Equal(got, []string{"b"}) {
			t.Errorf("query q found %q", got)
		}
	}
	lines := strings.SplitAfter(tinyCorpus, "\n")
	for _, other := range []string{lines[0] + lines[1], tinyCorpus + "{\"_id\": \"d\", \"text\": \"x\"}\n", lines[1] + lines[0] + lines[2]} {
		write(t, dir, "corpus.jsonl", other)
		if err := set.Index(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), "have changed") {
			t.Errorf("%q: %v", other, err)
		}
	}
}

// A document with the query's id is dropped and the next one moves up; a query without
// results counts 0.
func TestSameID(t *testing.T) {
	set, words := open(t, tiny(t), Options{})
	if set.Documents != 3 || len(set.Queries) != 3 || set.SameID != Drop {
		t.Fatalf("%+v", set)
	}
	run, empty, err := set.Retrieve(context.Background(), words, "bm25", 1, nil)
	if err != nil || empty != 1 {
		t.Fatalf("%d queries without results, %v", empty, err)
	}
	if got := ranking(t, run, "a"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("query a found %q", got)
	}
	if got := averages(t, set, run, "num_q", "nDCG@10"); got[0] != 3 || got[1] != 2./3 {
		t.Errorf("queries and nDCG@10: %v", got)
	}
	set.SameID = Keep
	if run, _, err = set.Retrieve(context.Background(), words, "bm25", 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := ranking(t, run, "a"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("kept, query a found %q", got)
	}
}

func TestAdopt(t *testing.T) {
	set, _ := open(t, tiny(t), Options{})
	read := func(text string) *trec.Run {
		run, err := trec.ReadRun(strings.NewReader(text), "r")
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	run, dropped, err := set.Adopt(read("a Q0 a 1 3 x\na Q0 b 2 2 x\ntrain Q0 c 1 1 x\n"), "r")
	if err != nil || dropped != 1 || run.ID() != "x" || !slices.Equal(ranking(t, run, "a"), []string{"b"}) {
		t.Errorf("%d dropped, id %s, %v", dropped, run.ID(), err)
	}
	for text, want := range map[string]string{
		"q Q0 a 1 3 x\n\nq Q0 d 2 2 x\n":              `r:3: there is no document "d" in the corpus`,
		"q Q0 a 1 3 x\nnone Q0 a 2 2 x\nq Q0 b 1 1 x": `r:2: there is no query "none" among the queries`,
	} {
		if _, _, err := set.Adopt(read(text), "r"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFaults(t *testing.T) {
	head := "query-id\tcorpus-id\tscore\n"
	for _, c := range []struct{ name, text, part string }{
		{"qrels/test.tsv", head + "q\ta\n", "test.tsv:2: a judgement has 3 columns between tabs"},
		{"qrels/test.tsv", head + "q a 1\n", "test.tsv:2: a judgement has 3 columns between tabs"},
		{"qrels/test.tsv", head + "q\ta\thigh\n", `test.tsv:2: the score "high" is not an integer`},
		{"qrels/test.tsv", head + "q\ta\t1\nq\ta\t1\n", `test.tsv:3: document "a" was judged before for query "q"`},
		{"qrels/test.tsv", head + "nobody\ta\t1\n", `test.tsv:2: there is no query "nobody"`},
		{"qrels/test.tsv", head + "q\ta\t1\nq\tnothing\t1\n", `test.tsv:3: there is no document "nothing"`},
		{"qrels/test.tsv", head + "q\t\t1\n", "test.tsv:2: the document id is empty"},
		{"qrels/test.tsv", head, "test.tsv: no judgements"},
		{"qrels/test.tsv", "q\ta\thigh\nq\tb\t1\n", `test.tsv:1: the score "high" is not an integer`},
		{"qrels/test.tsv", head + strings.Repeat("x", 2<<20), "test.tsv:2: the line is longer than"},
		{"qrels/test.tsv", "", "there is no such file"},
		{"corpus.jsonl", "", "corpus.jsonl: there is no such file"},
		{"corpus.jsonl", "\n", "corpus.jsonl: no documents"},
		{"corpus.jsonl", tinyCorpus + "{\"_id\": \"a\", \"text\": \"x\"}\n", `corpus.jsonl:4: the id "a" is already taken by line 1`},
		{"queries.jsonl", "\n", "queries.jsonl: no queries"},
		{"queries.jsonl", "{}\n", `queries.jsonl:1: no "_id"`},
	} {
		set, err := Open(tiny(t, c.name, c.text), Options{})
		if err == nil {
			err = set.Index(context.Background(), nil, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %.60q: %v, want %q", c.name, c.text, err, c.part)
		}
	}
}

// A plain folder has a file of judgements in it, unless another file is named.
func TestPlainFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "docs.jsonl", strings.ReplaceAll(tinyCorpus, "_id", "id"))
	write(t, dir, "queries.jsonl", strings.ReplaceAll(tinyQueries, "_id", "id"))
	write(t, dir, "qrels.txt", "a 0 b 1\nq 0 a 0\n")
	write(t, dir, "other.txt", "q 0 b 3\n")
	set, _ := open(t, dir, Options{})
	if set.SameID != Keep || len(set.Queries) != 2 {
		t.Errorf("same id %d, queries %v", set.SameID, set.Queries)
	}
	set, _ = open(t, dir, Options{Qrels: filepath.Join(dir, "other.txt")})
	if grade, judged := set.Qrels.Grade("q", "b"); grade != 3 || !judged || len(set.Queries) != 1 {
		t.Errorf("grade %d, queries %v", grade, set.Queries)
	}
	if _, err := Open(dir, Options{Split: "dev"}); err == nil || !strings.Contains(err.Error(), filepath.Join("qrels", "dev.tsv")+": there is no such file") {
		t.Errorf("a split that the folder lacks: %v", err)
	}
}

// Cancelling the context stops indexing and retrieval.
func TestInterrupted(t *testing.T) {
	set, words := open(t, tiny(t), Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := set.Retrieve(ctx, words, "bm25", 10, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("retrieval: %v", err)
	}
	fresh, err := Open(tiny(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Index(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("indexing: %v", err)
	}
}

// nothing is a retriever that finds nothing.
type nothing struct{}

func (nothing) Rank(context.Context, retrieve.Query, int) ([]lexical.Hit, error) { return nil, nil }

// The progress of retrieval counts every query and never goes back, whichever answer comes first.
func TestProgress(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	set, _ := open(t, tiny(t), Options{})
	set.Queries = make([]Query, 20_000)
	last := int64(0)
	if _, _, err := set.Retrieve(t.Context(), nothing{}, "nothing", 1, func(done int64) {
		if done != last+1 {
			t.Errorf("%d queries after %d", done, last)
		}
		last = done
	}); err != nil || last != int64(len(set.Queries)) {
		t.Errorf("%d queries, %v", last, err)
	}
}

// FuzzQrels checks that judgements that are read have line numbers and known queries, and
// that an error names the file.
func FuzzQrels(f *testing.F) {
	f.Add([]byte(tinyQrels))
	f.Add([]byte("q 0 a 1\r\na 0 b -1\n"))
	f.Add([]byte("q\ta\t1\n")) // no header line
	f.Add([]byte("\xef\xbb\xbfq\ta\t1\n\n"))
	known := map[string]bool{"a": true, "q": true, "z": true}
	f.Fuzz(func(t *testing.T, text []byte) {
		qrels, lines, err := readQrels(strings.NewReader(string(text)), "f", known, false, func(string) bool { return false })
		if err != nil {
			var at *trec.LineError
			if !errors.As(err, &at) || at.File != "f" {
				t.Fatalf("the error %v names no file", err)
			}
			return
		}
		if len(qrels.Queries()) == 0 || len(lines) == 0 {
			t.Fatal("nothing was read and no error")
		}
		for _, q := range qrels.Queries() {
			if !known[q] {
				t.Fatalf("query %q", q)
			}
		}
	})
}
