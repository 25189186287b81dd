package mvrag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// write writes files below a new folder; a name without a text is left out.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if text == "" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with are files of which some are changed.
func with(files map[string]string, changed ...string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[name] = text
	}
	for i := 0; i < len(changed); i += 2 {
		out[changed[i]] = changed[i+1]
	}
	return out
}

// lecard is a small LeCaRDv2 of ours. The judgements are those of all queries, and a
// candidate has the number of a query.
var lecard = map[string]string{
	"query/test_query.json": `{"id": 7, "query": "Court X, judgment 1: the accused took a bicycle.", "fact": "The accused took a bicycle from a yard at night."}
{"id": 8, "query": "Court Y, judgment 2: the accused forged a permit.", "fact": ""}
`,
	"query/train_query.json":             `{"id": 9, "query": "unused", "fact": "unused"}`,
	"label/relevence.trec":               "7\t0\t101\t3\n7\t0\t7\t2\n9\t0\t101\t2\n8\t0\t102\t1\n8\t0\t101\t0\n",
	"candidate/candidate_55192/101.json": `{"pid": 101, "qw": "Court Z: theft.", "fact": "A bicycle was taken from a cellar by night.", "reason": "Theft.", "result": "Six months.", "charge": ["theft"], "article": [264]}`,
	"candidate/candidate_55192/102.json": `{"pid": 102, "qw": "The accused forged a permit to cut trees.", "fact": "", "reason": "", "result": "", "charge": [], "article": []}`,
	"candidate/candidate_55192/7.json":   `{"pid": 7, "qw": "", "fact": "Bicycles were taken from a shed.", "reason": "", "result": "", "charge": [], "article": []}`,
	"candidate/README.md":                "not a candidate",
}

// pmc is a small PMC-Patients of ours.
var pmc = map[string]string{
	"PPR/PPR_corpus.jsonl": `{"_id": "11-1", "title": "", "text": "A man with fever and cough."}
{"_id": "12-1", "title": "", "text": "A woman with fever after a journey."}
{"_id": "13-1", "title": "", "text": "A child with a rash."}
`,
	"PPR/PPR_test_qrels.tsv":     "query-id\tcorpus-id\tscore\n11-1\t12-1\t1\n14-1\t13-1\t2\n",
	"queries/test_queries.jsonl": "{\"_id\": \"11-1\", \"text\": \"A man with fever and cough.\"}\n{\"_id\": \"14-1\", \"text\": \"A boy with a rash.\"}\n",
	"PAR/PAR_corpus.jsonl":       `{"_id": "900", "title": "Fever", "text": "On fever and cough."}`,
	"PAR/PAR_test_qrels.tsv":     "query-id\tcorpus-id\tscore\n11-1\t900\t2\n",
	"PMC-Patients.json": `[{"patient_id": "0", "patient_uid": "11-1", "PMID": "11", "file_path": "a.xml", "title": "A case", "patient": "A man with fever and cough.", "age": [[60.0, "year"]], "gender": "M"},
{"patient_id": "1", "patient_uid": "12-1", "PMID": "12", "patient": "A woman with fever after a journey.", "age": [], "gender": "F"},
{"patient_uid": "13-1", "patient": "A child with a rash."}, {"patient_uid": "14-1", "patient": "A boy with a rash."}]`,
}

// textsOf are the documents of a set, each as its id and its text.
func textsOf(t *testing.T, set *beir.Set) (out []string) {
	t.Helper()
	if err := set.Index(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	all := map[uint32]bool{}
	for i := range set.Documents {
		all[uint32(i)] = true
	}
	texts, err := set.Texts(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(set.Documents) {
		out = append(out, set.ID(i)+": "+texts[i])
	}
	return out
}

func TestLayouts(t *testing.T) {
	plain := with(pmc, "queries/test_queries.jsonl", "", "PPR/PPR_corpus.jsonl", "")
	above := map[string]string{}
	for name, text := range pmc {
		if name != "PMC-Patients.json" {
			name = "datasets/" + name
		}
		above[name] = text
	}
	above = with(above, "datasets/queries/test_queries.jsonl", "", "datasets/PPR/PPR_corpus.jsonl", "")
	patients := []string{"11-1: A man with fever and cough.", "12-1: A woman with fever after a journey.", "13-1: A child with a rash.", "14-1: A boy with a rash."}
	for _, c := range []struct {
		name, folder, layout, judgements string
		files                            map[string]string
		queries, documents               []string
		dropped                          string // the queries whose own documents are left out
	}{
		{"LeCaRDv2", "", layoutLeCaRD, "label/relevence.trec", lecard, []string{"7: The accused took a bicycle from a yard at night.", "8: Court Y, judgment 2: the accused forged a permit."},
			[]string{"101: A bicycle was taken from a cellar by night.", "102: The accused forged a permit to cut trees.", "7: Bicycles were taken from a shed."}, ""},
		{"LeCaRDv2's own test labels", "", layoutLeCaRD, "label/test_relevence.trec", with(lecard, "label/test_relevence.trec", "8\t0\t102\t1\n", "query/query.json", lecard["query/test_query.json"], "query/test_query.json", ""), []string{"8: Court Y, judgment 2: the accused forged a permit."},
			[]string{"101: A bicycle was taken from a cellar by night.", "102: The accused forged a permit to cut trees.", "7: Bicycles were taken from a shed."}, ""},
		{"PPR", "PPR", layoutPPR, "PPR_test_qrels.tsv", pmc, []string{"11-1: A man with fever and cough.", "14-1: A boy with a rash."}, patients[:3], "11-1"},
		{"PPR of all patients", "PPR", layoutPPR, "PPR_test_qrels.tsv", plain, []string{"11-1: A man with fever and cough.", "14-1: A boy with a rash."}, patients, "11-1 14-1"},
		{"patients above", "datasets/PPR", layoutPPR, "PPR_test_qrels.tsv", above, []string{"11-1: A man with fever and cough.", "14-1: A boy with a rash."}, patients, "11-1 14-1"},
		{"PAR", "PAR", layoutPAR, "PAR_test_qrels.tsv", pmc, []string{"11-1: A man with fever and cough."}, []string{"900: Fever On fever and cough."}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, layout, of, err := experiment(nil).open(t.Context(), filepath.Join(write(t, c.files), c.folder))
			if err != nil {
				t.Fatal(err)
			}
			documents := textsOf(t, set)
			var queries, dropped []string
			for _, q := range set.Queries {
				queries = append(queries, q.ID+": "+q.Text)
				if d, ok := set.Dropped(q); ok {
					dropped = append(dropped, set.ID(d))
				}
			}
			if layout != c.layout || set.Judgements != c.judgements || of != len(c.queries) || !slices.Equal(queries, c.queries) || !slices.Equal(documents, c.documents) || strings.Join(dropped, " ") != c.dropped {
				t.Errorf("%s %s %d\n%q\n%q\n%q", layout, set.Judgements, of, queries, documents, dropped)
			}
		})
	}
}

// The folder of LeCaRDv2's candidates may be a link to where they are unpacked.
func TestLinkedCandidates(t *testing.T) {
	dir := write(t, lecard)
	elsewhere := filepath.Join(t.TempDir(), "unpacked")
	if err := errors.Join(os.Rename(filepath.Join(dir, "candidate"), elsewhere), os.Symlink(elsewhere, filepath.Join(dir, "candidate"))); err != nil {
		t.Fatal(err)
	}
	set, _, _, err := experiment(nil).open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if documents := textsOf(t, set); len(documents) != 3 {
		t.Errorf("%q", documents)
	}
}

// On the paper's data sets, its rows stand below ours. On PPR, a query's own document is not
// found.
func TestOwnLayouts(t *testing.T) {
	for folder, files := range map[string]map[string]string{".": lecard, "PPR": pmc} {
		e := experiment(nil)
		e.Domain, e.Without = "law", []string{"penalty"}
		got, err := e.Evaluate(t.Context(), filepath.Join(write(t, files), folder))
		if err != nil {
			t.Fatal(err)
		}
		table := got.table()
		if !slices.ContainsFunc(table.Notes, func(n string) bool { return strings.Contains(n, "90 queries") }) || len(table.Rows) != 1+3+9 {
			t.Errorf("%+v", table)
		}
		for i, r := range got.Readings {
			for _, s := range got.Systems {
				if n := len(s.ranked[i]); n < 2 || folder == "PPR" && r.Query == "11-1" && n != 2 {
					t.Errorf("%s %s: %d documents", folder, r.Query, n)
				}
			}
		}
	}
}

// The queries or the labels of LeCaRDv2 must be those of the split that is asked for.
func TestLeCaRDSplits(t *testing.T) {
	for _, c := range []struct {
		with []string
		want int // queries; 0 if the split is refused
	}{
		{[]string{"query/query.json", lecard["query/test_query.json"]}, 0},
		{[]string{"query/dev_query.json", lecard["query/test_query.json"]}, 2},
		{[]string{"query/query.json", lecard["query/test_query.json"], "label/dev_relevence.trec", "8\t0\t102\t1\n"}, 1},
	} {
		e := experiment(nil)
		e.Split = "dev"
		set, _, _, err := e.open(t.Context(), write(t, with(lecard, c.with...)))
		switch {
		case c.want == 0:
			if fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "dev_query.json: there is no such file") {
				t.Errorf("%v: %v", c.with, err)
			}
		case err != nil || len(set.Queries) != c.want:
			t.Errorf("%v: %v", c.with, err)
		}
	}
}

func TestFaultyData(t *testing.T) {
	for _, c := range []struct {
		folder, want string
		files        map[string]string
	}{
		{"nowhere", "nowhere", lecard},
		{"", "corpus.jsonl", map[string]string{"a.txt": "a"}},
		{"", "query.json", with(lecard, "query/test_query.json", "")},
		{"", "test_query.json:1: ", with(lecard, "query/test_query.json", "{\n")},
		{"", `test_query.json:1: no "query"`, with(lecard, "query/test_query.json", `{"id": 7}`)},
		{"", `test_query.json:2: the id "7" is missing or there twice`, with(lecard, "query/test_query.json", "{\"id\": 7, \"fact\": \"a\"}\n{\"id\": 7, \"fact\": \"b\"}")},
		{"", "relevence.trec", with(lecard, "label/relevence.trec", "", "label/other", "x")},
		{"", "relevence.trec:1", with(lecard, "label/relevence.trec", "7\t0\t101\n")},
		{"", "no query has a judgement", with(lecard, "label/relevence.trec", "9\t0\t101\t3\n")},
		{"", "no candidate is there", with(lecard, "candidate/candidate_55192/101.json", "", "candidate/candidate_55192/102.json", "", "candidate/candidate_55192/7.json", "")},
		{"", `101.json: its "pid" is "1"`, with(lecard, "candidate/candidate_55192/101.json", `{"pid": 1, "fact": "a"}`)},
		{"", `101.json: no "fact"`, with(lecard, "candidate/candidate_55192/101.json", `{"pid": 101, "fact": " "}`)},
		{"", "101.json: not a candidate case as JSON", with(lecard, "candidate/candidate_55192/101.json", `{"pid": 101, "fact": "a`)},
		{"", `no document "103" in the corpus`, with(lecard, "label/relevence.trec", "7\t0\t103\t3\n")},
		{"PPR", "PPR_test_qrels.tsv", with(pmc, "PPR/PPR_test_qrels.tsv", "")},
		{"PAR", "PAR_corpus.jsonl", with(pmc, "PAR/PAR_corpus.jsonl", "")},
		{"PPR", "PPR_corpus.jsonl: there is no such file", with(pmc, "PPR/PPR_corpus.jsonl", "", "PMC-Patients.json", "")},
		{"PPR", "not a JSON array", with(pmc, "PPR/PPR_corpus.jsonl", "", "PMC-Patients.json", "{}")},
		{"PPR", "entry 2: the file ends in the middle", with(pmc, "PPR/PPR_corpus.jsonl", "", "PMC-Patients.json", pmc["PMC-Patients.json"][:260])},
		{"PPR", `entry 2: "patient_uid" is missing or there twice: "1"`, with(pmc, "PPR/PPR_corpus.jsonl", "", "PMC-Patients.json", `[{"patient_uid": "1", "patient": "a"}, {"patient_uid": "1", "patient": "b"}]`)},
		{"PPR", `entry 1: no "patient"`, with(pmc, "PPR/PPR_corpus.jsonl", "", "PMC-Patients.json", `[{"patient_uid": "1"}]`)},
	} {
		e := experiment(nil)
		set, _, _, err := e.open(t.Context(), filepath.Join(write(t, c.files), c.folder))
		if err == nil {
			err = blame(t.Context(), set.Index(t.Context(), nil, nil))
		}
		if err == nil || fault.Of(err) != fault.Input || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// An entry of PMC-Patients.json has a bound of its own; the file has none.
func TestLongPatient(t *testing.T) {
	var b strings.Builder
	b.WriteString(`[`)
	for i := range 20 {
		fmt.Fprintf(&b, `{"patient_uid": "%d", "patient": "%s"},`, i, strings.Repeat("a", 900<<10))
	}
	b.WriteString(`{"patient_uid": "x", "patient": "b"}]`)
	p := patients{path: filepath.Join(write(t, map[string]string{"p.json": b.String()}), "p.json")}
	n := 0
	for _, err := range p.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if read, size := p.Progress(); n != 21 || read != size {
		t.Errorf("%d patients, %d of %d bytes", n, read, size)
	}
	p.path = filepath.Join(write(t, map[string]string{"p.json": `[{"patient_uid": "` + strings.Repeat("a", 17<<20)}), "p.json")
	for _, err := range p.Documents() {
		if err == nil || !strings.Contains(err.Error(), "entry 1: longer than 16 MB") {
			t.Errorf("%v", err)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(e *Experiment){
		"--domain is missing":             func(e *Experiment) { e.Domain = "" },
		`no domain "cooking"`:             func(e *Experiment) { e.Domain = "cooking" },
		"--threshold is 1":                func(e *Experiment) { e.Threshold = 1 },
		"-k is 0":                         func(e *Experiment) { e.K = 0 },
		"--answers asks a chat model":     func(e *Experiment) { e.Answers = 3 },
		"--answers is 21":                 func(e *Experiment) { e.Answers = 21 },
		"--queries is -1":                 func(e *Experiment) { e.Queries = -1 },
		`--split "../test"`:               func(e *Experiment) { e.Split = "../test" },
		"--relevant is 0":                 func(e *Experiment) { e.Relevant = 0 },
		"--rounds is 0":                   func(e *Experiment) { e.Tests.Rounds = 0 },
		"--without moon: the domain":      func(e *Experiment) { e.Without = []string{"moon"} },
		"--without Biodiversity is given": func(e *Experiment) { e.Without = []string{"biodiversity", "Biodiversity"} },
		"--without each: the domain":      func(e *Experiment) { e.Without = []string{Each, "biodiversity"} },
		"words do not have":               func(e *Experiment) { e.Retrievers = []string{"bm25"} },
		"--retriever static is given":     func(e *Experiment) { e.Retrievers = []string{"static", "english"} },
		"add --chat-model NAME":           func(e *Experiment) { e.Chat.Replay = "x" },
	} {
		e := experiment(nil)
		change(e)
		_, err := e.Evaluate(t.Context(), debates)
		if fault.Of(err) != fault.Query || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Whatever LeCaRDv2's queries and candidates and the patients of PMC-Patients hold, they are
// read, with ids that differ and texts, or refused with an error that names the file.
func FuzzLayouts(f *testing.F) {
	f.Add(lecard["query/test_query.json"])
	f.Add(lecard["candidate/candidate_55192/101.json"])
	f.Add(pmc["PMC-Patients.json"])
	f.Add(`[{"patient_uid": "1", "patient": "a"}, {"patient_uid": "1", "patient": "b"}]`)
	f.Add(`{"id": 1e400, "query": "a"}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		check := func(id, text string) {
			if id == "" || seen[id] || strings.TrimSpace(text) == "" {
				t.Errorf("%q: %q", id, text)
			}
			seen[id] = true
		}
		queries, err := readLeCaRDQueries(strings.NewReader(text), "f.json")
		for _, q := range queries {
			if err == nil {
				check(q.ID, q.Text)
			}
		}
		if err != nil && (fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "f.json")) {
			t.Errorf("%v", err)
		}
		path := filepath.Join(dir, "1.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var read atomic.Int64
		if d, err := readCandidate(path, &read); err == nil && (d.ID != "1" || strings.TrimSpace(d.Text) == "") || err != nil && fault.Of(err) != fault.Input {
			t.Errorf("%+v %v", d, err)
		}
		clear(seen)
		p := patients{path: path}
		for d, err := range p.Documents() {
			if err == nil {
				check(d.ID, d.Text)
			} else if fault.Of(err) != fault.Input || !strings.Contains(err.Error(), path) {
				t.Errorf("%v", err)
			}
		}
	})
}
