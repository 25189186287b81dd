package command

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// runLine is a line of a run file.
type runLine struct {
	query, document string
	rank            int
	score           float64
	tag             string
}

func readRun(t *testing.T, path string) (lines []runLine) {
	t.Helper()
	s := bufio.NewScanner(strings.NewReader(read(t, path)))
	for s.Scan() {
		columns := strings.Split(s.Text(), " ")
		if len(columns) != 6 || columns[1] != "Q0" {
			t.Fatalf("%q is no line of a run", s.Text())
		}
		rank, errRank := strconv.Atoi(columns[3])
		score, errScore := strconv.ParseFloat(columns[4], 64)
		if errRank != nil || errScore != nil {
			t.Fatalf("%q is no line of a run", s.Text())
		}
		lines = append(lines, runLine{columns[0], columns[2], rank, score, columns[5]})
	}
	return lines
}

func TestBatch(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	queries := "\ufeff" + `{"_id": "q1", "text": "Find a claim that opposes the argument: cats sleep too much", "metadata": {"ignored": [1, 2]}}
{"_id": "q2", "query": "tame animals", "root": "animals", "perspectives": ["tame", "friendly"]}

{"_id": 3, "text": "tame animals", "root": "animals", "perspective": null}
`
	write(t, dir, "q.jsonl", queries)
	r := must(t, dir, "search", "c", "--queries", "q.jsonl", "--run", "out.trec", "-k", "4", "--tag", "test-run")
	if r.stdout != "" || !strings.Contains(r.stderr, "out.trec: 12 lines of 3 queries, method none and tri-sum, chosen by the kinds of perspective") {
		t.Errorf("%q %q", r.stdout, r.stderr)
	}
	lines := readRun(t, filepath.Join(dir, "out.trec"))
	if len(lines) != 12 {
		t.Fatalf("%d lines", len(lines))
	}
	single := map[string]answer{
		"q1": searchJSON(t, dir, "c", "-k", "4", "--query", "Find a claim that opposes the argument: cats sleep too much"),
		"q2": searchJSON(t, dir, "c", "-k", "4", "--query", "tame animals", "--root", "animals", "--perspective", "tame", "--perspective", "friendly"),
		"3":  searchJSON(t, dir, "c", "-k", "4", "--query", "tame animals", "--root", "animals"),
	}
	for i, line := range lines {
		hit := single[line.query].Hits[i%4]
		if line.document != hit.ID || line.rank != i%4+1 || float32(line.score) != hit.Score || line.tag != "test-run" {
			t.Errorf("line %d: %+v, a single search has %+v", i, line, hit)
		}
		if text := strconv.FormatFloat(line.score, 'g', -1, 64); text != strconv.FormatFloat(float64(hit.Score), 'g', -1, 32) {
			t.Errorf("score %s is not the shortest form of %v", text, hit.Score)
		}
	}
	// Lambda is told only of methods that use it.
	for method, told := range map[string]string{"none": "method none\n", "tri-sum": "method tri-sum\n", "pap": "method pap, λ 1\n"} {
		write(t, dir, "whole.jsonl", `{"_id": "q", "query": "tame animals", "root": "animals", "perspectives": ["tame"]}`)
		if r := must(t, dir, "search", "c", "--queries", "whole.jsonl", "--run", "other", "--method", method); !strings.HasSuffix(r.stderr, told) {
			t.Errorf("%q, want %q", r.stderr, told)
		}
	}
	// The other engine gives the same, through stdin and stdout.
	piped := tryWith(t, queries, dir, "search", "c", "--queries", "-", "--run", "-", "-k", "4", "--tag", "test-run", "--engine", "headless")
	if piped.code != done || piped.stdout != read(t, filepath.Join(dir, "out.trec")) {
		t.Errorf("%+v", piped)
	}
}

// Evaluation sorts by score. MMR orders differently, so the written scores are
// made from the ranks.
func TestBatchMMR(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c")
	write(t, dir, "q.jsonl", `{"_id": "q", "text": "night trains"}`)
	must(t, dir, "search", "c", "--queries", "q.jsonl", "--run", "out", "-k", "7", "--mmr", "0.3")
	want := searchJSON(t, dir, "c", "--query", "night trains", "-k", "7", "--mmr", "0.3")
	lines := readRun(t, filepath.Join(dir, "out"))
	if len(lines) != 7 || len(want.Hits) != 7 {
		t.Fatalf("%d lines, %d hits", len(lines), len(want.Hits))
	}
	for i, line := range lines {
		if line.document != want.Hits[i].ID || line.score != float64(7-i) {
			t.Errorf("line %d: %+v", i, line)
		}
	}
}

// The bundled queries run in blocks and in parallel, and the results are in
// order.
func TestBatchBundled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c")
	bundled := filepath.Join(root(t), "examples", "debates", "queries.jsonl")
	must(t, dir, "search", "c", "--queries", bundled, "--run", "out", "-k", "5")
	must(t, dir, "search", "c", "--queries", bundled, "--run", "again", "-k", "5")
	if read(t, filepath.Join(dir, "out")) != read(t, filepath.Join(dir, "again")) {
		t.Error("two runs differ")
	}
	lines := readRun(t, filepath.Join(dir, "out"))
	at := 0
	for query := range strings.Lines(read(t, bundled)) {
		for rank := 1; rank <= 5; rank++ {
			if at == len(lines) {
				t.Fatalf("only %d lines", at)
			}
			if !strings.Contains(query, `"`+lines[at].query+`"`) || lines[at].rank != rank {
				t.Fatalf("line %d: %+v in the place of %s", at, lines[at], query)
			}
			at++
		}
	}
	if at != len(lines) {
		t.Errorf("%d lines, want %d", len(lines), at)
	}
}

func TestBatchBadQueries(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	good := `{"_id": "good", "text": "cats"}` + "\n"
	vector := strings.TrimSuffix(strings.Repeat("0.5,", 300), ",")
	for _, c := range []struct{ line, part string }{
		{`{"_id": "x"`, "not JSON"},
		{`["x"]`, "expected an object"},
		{`{"_id": "x", "_id": "y", "text": "a"}`, "occurs twice"},
		{`{"text": "cats"}`, `"_id"`},
		{`{"_id": "good", "text": "dogs"}`, "taken by line 1"},
		{`{"_id": "two words", "text": "dogs"}`, "rename it"},
		{`{"_id": "", "text": "dogs"}`, "is empty"},
		{`{"_id": true, "text": "dogs"}`, "expected a string"},
		{`{"_id": "x"}`, `"query_vector"`},
		{`{"_id": "x", "text": ""}`, "text is empty"},
		{`{"_id": "x", "text": "a", "query": "b"}`, "keep one"},
		{`{"_id": "x", "text": "a", "perspective": "b", "perspectives": ["c"]}`, "keep one"},
		{`{"_id": "x", "text": "a", "perspectives": "c"}`, "expected an array"},
		{`{"_id": "x", "text": "a", "perspectives": ["b", ""]}`, "perspective is empty"},
		{`{"_id": "x", "text": "a", "perspectives": ["b"], "perspective_vectors": [[1], [2]]}`, "one vector for each"},
		{`{"_id": "x", "query_vector": []}`, "vector is empty"},
		{`{"_id": "x", "query_vector": [1e39]}`, "float32"},
		{`{"_id": "x", "query_vector": ["1"]}`, "expected a number"},
		{`{"_id": "x", "query_vector": [` + vector + `]}`, "query_vector has 300 dimensions, not 256"},
		{"{\"_id\": \"x\", \"text\": \"caf\xe9\"}", "UTF-8"},
		{`{"_id": "x", "text": "😀"}`, "query"},
	} {
		write(t, dir, "q.jsonl", good+c.line+"\n")
		fails(t, input, dir, []string{"search", "c", "--queries", "q.jsonl", "--run", "out"}, "q.jsonl:2: ", c.part)
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Fatalf("%s: a run was written", c.line)
		}
	}
	write(t, dir, "q.jsonl", good)
	fails(t, input, dir, []string{"search", "c", "--queries", "q.jsonl", "--run", "out", "--method", "add"}, "q.jsonl:1: ", "needs a root")
	fails(t, input, dir, []string{"search", "c", "--queries", "none.jsonl", "--run", "out"}, "none.jsonl")
	write(t, dir, "empty.jsonl", "\n\n")
	fails(t, input, dir, []string{"search", "c", "--queries", "empty.jsonl", "--run", "out"}, "no queries")
	if entries, _ := filepath.Glob(filepath.Join(dir, ".out*")); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestBatchBadDocumentIDs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "first one", "text": "cats"}`)
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c")
	write(t, dir, "q.jsonl", `{"_id": "q", "text": "cats"}`)
	write(t, dir, "out", "an older run")
	fails(t, input, dir, []string{"search", "c", "--queries", "q.jsonl", "--run", "out"}, `"first one"`, "rename it")
	if got := read(t, filepath.Join(dir, "out")); got != "an older run" {
		t.Errorf("the older run became %q", got)
	}
}

// A run can be written through links and to devices, but not to a folder.
func TestRunTargets(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	write(t, dir, "q.jsonl", `{"_id": "q", "text": "cats"}`)
	batch := func(out string) []string { return []string{"search", "c", "--queries", "q.jsonl", "--run", out} }
	write(t, dir, "real", "old")
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	must(t, dir, batch("link")...)
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 || len(readRun(t, filepath.Join(dir, "real"))) != 6 {
		t.Errorf("through a link: %v %v", info, err)
	}
	must(t, dir, batch(os.DevNull)...)
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s became %v (%v)", os.DevNull, info, err)
	}
	fails(t, usage, dir, batch("c"), "is a folder")
	queries := read(t, filepath.Join(dir, "q.jsonl"))
	fails(t, usage, dir, batch("./q.jsonl"), "./q.jsonl is read, and would be replaced")
	fails(t, usage, dir, []string{"embed", "q.jsonl", "-o", filepath.Join(dir, "q.jsonl")}, "is read, and would be replaced")
	fails(t, usage, dir, batch("c/manifest.json"), "c/manifest.json is in c, which is read")
	must(t, dir, "inspect", "c", "--verify")
	write(t, dir, "me.txt", "I have three cats")
	fails(t, usage, dir, append(batch("me.txt"), "--context-file", "./me.txt"), "me.txt is read, and would be replaced")
	if read(t, filepath.Join(dir, "q.jsonl")) != queries || read(t, filepath.Join(dir, "me.txt")) != "I have three cats" {
		t.Error("the queries or the contexts are lost")
	}
	fails(t, failed, dir, batch("no/such/folder"), "no/such/folder: cannot be written")
}

func TestBatchWarnsOnce(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	var lines strings.Builder
	for i := range 5 {
		fmt.Fprintf(&lines, `{"_id": "%d", "text": "Die Katze schläft den ganzen Tag und jagt Mäuse"}`+"\n", i)
	}
	write(t, dir, "q.jsonl", lines.String())
	r := must(t, dir, "search", "c", "--queries", "q.jsonl", "--run", "out")
	if strings.Count(r.stderr, "warning") != 1 || !strings.Contains(r.stderr, "4 more queries") {
		t.Errorf("%q", r.stderr)
	}
}
