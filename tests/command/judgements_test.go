package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With judged queries, a site contains the file on which its page measures
// itself. The next run without them leaves the file with no queries.
func TestSiteWithJudgements(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	write(t, dir, "queries.jsonl", `{"_id": "q1", "text": "for: sleeping cats", "root": "sleeping cats", "perspective": "for", "metadata": {"label": "support", "note": {"label": 3}}}
{"_id": "q2", "text": "cats", "metadata": ["label"]}
{"_id": "q3", "text": "nobody judged this"}
`)
	write(t, dir, "qrels.tsv", "\ufeffquery-id\tcorpus-id\tscore\r\nq1\tcats\t1\r\nq1\tnowhere\t2\nq2\tcats\t1\n\nq3\tcats\t0\n")
	args := []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"}
	r := must(t, dir, args...)
	for _, part := range []string{"queries.jsonl: 1 query left out", "qrels.tsv: the corpus lacks 1 document that it names", `"nowhere"`} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("stderr %q lacks %q", r.stderr, part)
		}
	}
	if !strings.Contains(r.stdout, "2 judged queries") {
		t.Errorf("stdout: %s", r.stdout)
	}
	want := `{"format":"vantage-judgements","version":1,"queries":[` +
		`{"id":"q1","text":"for: sleeping cats","root":"sleeping cats","perspectives":["for"],"label":"support","gold":["cats","nowhere"]},` +
		`{"id":"q2","text":"cats","gold":["cats"]}]}` + "\n"
	if got := read(t, filepath.Join(dir, "site/judgements.json")); got != want {
		t.Errorf("judgements.json:\n%s\nwant\n%s", got, want)
	}
	if got := indexJSON(t, dir, args[1:]...); got.JudgedQueries != 2 {
		t.Errorf("%+v", got)
	}
	indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "site", "--site")
	if got := read(t, filepath.Join(dir, "site/judgements.json")); !strings.HasSuffix(got, `"queries":[]}`+"\n") {
		t.Errorf("without judged queries: %s", got)
	}
}

func TestJudgementsRefused(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	write(t, dir, "queries.jsonl", `{"_id": "q1", "text": "cats"}`)
	write(t, dir, "qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tcats\t1\n")
	site := []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "site", "--site"}
	with := func(args ...string) []string { return append(append([]string{}, site...), args...) }
	fails(t, usage, dir, with("--queries", "queries.jsonl"), "belong together")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "c", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"}, "--site")
	fails(t, input, dir, with("--queries", "queries.jsonl", "--qrels", "none.tsv"), "none.tsv")
	for content, parts := range map[string][]string{
		"q1 cats 1\n":                                 {"bad.tsv:1", "this line has 3"},
		"q1\tcats\t1\nq1\tcats\t0\n":                  {"bad.tsv:2", "judged before"},
		"query-id\tcorpus-id\tscore\nq2\tcats\t1\n":   {"bad.tsv:2", `no query "q2"`},
		"query-id\tcorpus-id\tscore\nq1\tcats\tone\n": {"bad.tsv:2", "integer of 32 bits"},
		"q1\t\t1\n":                         {"bad.tsv:1", "id is empty"},
		"q1\tcats\t0\n":                     {"bad.tsv", "no document that answers"},
		"":                                  {"bad.tsv", "no judgements"},
		"q1\t" + strings.Repeat("x", 2<<20): {"bad.tsv:1", "longer than"},
		"query-id\tcorpus-id\tscore\nq1\tcats\t9999999999999999999": {"bad.tsv:2", "integer of 32 bits"},
	} {
		write(t, dir, "bad.tsv", content)
		fails(t, input, dir, with("--queries", "queries.jsonl", "--qrels", "bad.tsv"), parts...)
	}
	write(t, dir, "vectors.jsonl", `{"_id": "q1", "query_vector": [1, 2]}`)
	fails(t, input, dir, with("--queries", "vectors.jsonl", "--qrels", "qrels.tsv"), "vectors.jsonl:1", `no "text"`)
	write(t, dir, "vectors.jsonl", `{"_id": "q1", "text": "cats", "root_vector": [1, 2]}`)
	fails(t, input, dir, with("--queries", "vectors.jsonl", "--qrels", "qrels.tsv"), "vectors.jsonl:1", `no "root" beside its "root_vector"`)
	write(t, dir, "vectors.jsonl", `{"_id": "q1", "text": "cats", "perspective_vectors": [[1, 2]]}`)
	fails(t, input, dir, with("--queries", "vectors.jsonl", "--qrels", "qrels.tsv"), "vectors.jsonl:1", `"perspective_vectors"`)
	if _, err := os.Stat(filepath.Join(dir, "site")); err == nil {
		t.Error("a site was written")
	}
}
