package command

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

type figures struct {
	At1  float64 `json:"1"`
	At5  float64 `json:"5"`
	At10 float64 `json:"10"`
}

// pirReport is the output of --json.
type pirReport struct {
	Data  string
	Tasks map[string]map[string]struct {
		Retriever, Method string

		N      int
		Recall struct {
			Overall, Macro figures
			PerLabel       map[string]struct {
				N int
				figures
			} `json:"per_label"`
		}
		PRecall  figures `json:"p_recall"`
		Notebook figures `json:"p_recall_notebook"`
		ByUnique figures `json:"p_recall_by_unique_perspective"`
		Root     struct {
			N int
			figures
		}
		Bias map[string]struct {
			figures
			Documents figures
		}
	}
	Decomposition map[string]struct {
		N, Split int
		Recall   map[string]struct{ Given, Split figures }
	}
}

func readReport(t *testing.T, text string) pirReport {
	t.Helper()
	var r pirReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return r
}

// Points and passages have figures of their own.
func TestEvalPIRPart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Dir(debates(t))
	for condition, n := range map[string]int{"--only": 147, "--without": 203} {
		got := readReport(t, must(t, dir, "eval", "pir", data, "--retriever", "static", "--methods", "none", condition, "kind=point", "--json", "-").stdout)
		if m := got.Tasks["debates"]["query_cosine"]; m.N != n || m.Recall.PerLabel["support"].N != 48 || m.Recall.PerLabel["oppose"].N != 48 {
			t.Errorf("%s kind=point: %+v", condition, m)
		}
		if want := strings.TrimPrefix(condition, "--") + " kind=point"; !strings.Contains(got.Data, want) {
			t.Errorf("the data are called %q, without %q", got.Data, want)
		}
	}
	fails(t, usage, dir, []string{"eval", "pir", data, "--retriever", "static", "--only", "kind"}, "field=value")
}

func TestEvalPIRDebates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Dir(debates(t))
	r := must(t, dir, "eval", "pir", data, "--retriever", "bm25", "--retriever", "static", "--methods", "none,pap,vec_dual_projection", "--decompose",
		"--sweep", "lambda=0:1:0.5", "--json", "out.json", "--csv", "out.csv", "--markdown", "out.md", "--latex", "out.tex", "--runs", "new/runs")
	got := readReport(t, read(t, filepath.Join(dir, "out.json")))
	methods := got.Tasks["debates"]
	if len(got.Tasks) != 1 || len(methods) != 4 {
		t.Fatalf("%d tasks, %d methods", len(got.Tasks), len(methods))
	}
	for _, name := range []string{"bm25", "query_cosine", "vec_projection", "vec_dual_projection"} {
		m := methods[name]
		if m.N != 203 || m.Root.N != 48 || m.Recall.PerLabel["support"].N != 48 || !(m.Recall.Overall.At10 > m.Recall.Overall.At1) || !(m.Root.At5 > 0.2) || m.Bias["oppose"].At5 == 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if d := got.Decomposition["debates"]; d.N != 203 || d.Split < 150 || len(d.Recall) != 4 {
		t.Errorf("%+v", d)
	}
	for name, part := range map[string]string{"out.csv": "table,caption,section,row,group,column,value\n", "out.md": "|---|---:|", "out.tex": `\begin{tabular}`} {
		if !strings.Contains(read(t, filepath.Join(dir, name)), part) {
			t.Errorf("%s lacks %q", name, part)
		}
	}
	if !strings.Contains(r.stdout, "p-Recall@5 (%) of retrievers") || !strings.Contains(r.stdout, "N = 203 queries on 1157 documents") {
		t.Errorf("stdout: %.500s", r.stdout)
	}

	// The written runs have exactly the recall of the report.
	entries, err := os.ReadDir(filepath.Join(dir, "new", "runs"))
	if err != nil || len(entries) != 4+2+2 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	recall := func(qrels, run string) (f figures) {
		for k, into := range map[string]*float64{"1": &f.At1, "5": &f.At5, "10": &f.At10} {
			var compared []struct{ Runs []struct{ Mean float64 } }
			args := []string{"eval", "compare", "new/runs/" + run, "new/runs/" + run, "--qrels", "new/runs/" + qrels, "-c", "-m", "Success@" + k, "--rounds", "1", "--json"}
			if err := json.Unmarshal([]byte(must(t, dir, args...).stdout), &compared); err != nil {
				t.Fatal(err)
			}
			*into = compared[0].Runs[0].Mean
		}
		return f
	}
	for name, m := range methods {
		if got := recall("debates.qrels", "debates."+name+".run"); got != m.Recall.Overall {
			t.Errorf("the run of %s has recall %v, the report %v", name, got, m.Recall.Overall)
		}
	}
	for run, method := range map[string]string{"debates.root-bm25.run": "bm25", "debates.root-vantage-static-en.run": "query_cosine"} {
		if got := recall("debates.root.qrels", run); got != methods[method].Root.figures {
			t.Errorf("%s has recall %v, the report %v", run, got, methods[method].Root)
		}
	}

	// The sweep has a row for each method and λ.
	lines := strings.Split(strings.TrimSpace(read(t, filepath.Join(dir, "sweep.csv"))), "\n")
	if len(lines) != 1+2*3 || !strings.HasPrefix(lines[0], "task,method,lambda,n,recall@1,recall@5,") || !strings.HasPrefix(lines[2], "debates,vec_projection,0.5,203,") {
		t.Errorf("sweep.csv: %q", lines)
	}
	svg := xml.NewDecoder(strings.NewReader(read(t, filepath.Join(dir, "sweep.svg"))))
	for {
		if _, err := svg.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("sweep.svg: %v", err)
		}
	}
}

// TestEvalPIRReference compares the command's figures with independent
// reference figures on the benchmark's demo file.
func TestEvalPIRReference(t *testing.T) {
	t.Parallel()
	folder := shared.Path(t, "data/pir")
	demo := filepath.Join(folder, "demo_pir_dataset.json")
	dir := t.TempDir()
	got := readReport(t, must(t, dir, "eval", "pir", demo, "--retriever", "bm25", "--retriever", "vectors:"+filepath.Join(folder, "emb"), "--json", "-").stdout)
	type reference struct {
		Overall, Macro [3]float64
		PRecall        [3]float64 `json:"p_recall"`
		Notebook       [3]float64 `json:"p_recall_notebook"`
		ByUnique       [3]float64 `json:"p_recall_by_unique_perspective"`
	}
	compared := 0
	compare := func(task, method string, want reference) {
		t.Helper()
		m, ok := got.Tasks[task][method]
		if !ok {
			t.Errorf("%s: %s is missing", task, method)
			return
		}
		for _, pair := range []struct {
			got  figures
			want [3]float64
		}{{m.Recall.Overall, want.Overall}, {m.Recall.Macro, want.Macro}, {m.PRecall, want.PRecall}, {m.Notebook, want.Notebook}, {m.ByUnique, want.ByUnique}} {
			for k, g := range []float64{pair.got.At1, pair.got.At5, pair.got.At10} {
				if compared++; approx.Apart(g, pair.want[k], 1e-9) {
					t.Errorf("%s, %s: %v, want %v", task, method, pair.got, pair.want)
				}
			}
		}
	}
	var bm25 struct {
		Tasks map[string]struct{ Queries struct{ Stable reference } }
	}
	var modes struct {
		Tasks map[string]map[string]struct{ Recall reference }
	}
	for name, into := range map[string]any{"reference_bm25.json": &bm25, "reference_modes.json": &modes} {
		if err := json.Unmarshal([]byte(read(t, filepath.Join(folder, name))), into); err != nil {
			t.Fatal(err)
		}
	}
	for task, want := range bm25.Tasks {
		compare(task, "bm25", want.Queries.Stable)
	}
	for task, of := range modes.Tasks {
		for mode, want := range of {
			if mode != "bm25_ranking_repaired" {
				compare(task, mode, want.Recall)
			}
		}
	}
	if compared != (6+3*20)*15 {
		t.Errorf("%d figures compared", compared)
	}
}

func TestEvalPIRErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Dir(debates(t))
	eval := func(flags ...string) []string { return append([]string{"eval", "pir", data}, flags...) }
	write(t, dir, "empty.json", "{}")
	fails(t, usage, dir, []string{"eval", "pir", "--retriever", "bm25"}, "DATA is missing")
	fails(t, usage, dir, eval(), "--retriever is needed")
	fails(t, usage, dir, eval("--retriever", "bm25", "--retriever", "bm25"), "twice")
	fails(t, input, dir, eval("--retriever", "static", "--retriever", "vectors:."), "debates_corpus.npy: no such file")
	fails(t, usage, dir, eval("--retriever", "static", "--methods", "best"), `unknown method "best"`)
	fails(t, usage, dir, eval("--retriever", "static", "--methods", "bm25"), "names no method")
	fails(t, usage, dir, eval("--retriever", "bm25", "--methods", "pap"), "need a retriever by vectors")
	fails(t, usage, dir, eval("--retriever", "bm25", "--sweep", "lambda=0:1:1"), "need a retriever by vectors")
	fails(t, usage, dir, eval("--retriever", "static", "--methods", "none", "--sweep", "lambda=0:1:1"), "pap or pap+")
	fails(t, usage, dir, eval("--retriever", "static", "--sweep", "lambda=0:1:1", "--csv", "sweep.csv"), "--sweep-to and --csv both write sweep.csv")
	fails(t, usage, dir, eval("--retriever", "static", "--sweep", "lambda=0:1"), "FROM:TO:STEP")
	fails(t, usage, dir, eval("--retriever", "bm25", "--json", "x", "--csv", "x"), "--json and --csv both write x")
	fails(t, input, dir, []string{"eval", "pir", "empty.json", "--retriever", "bm25"}, "empty.json", "no tasks")
	fails(t, input, dir, []string{"eval", "pir", "nowhere", "--retriever", "bm25"}, "nowhere")
	fails(t, input, dir, append(eval("--retriever", "bm25"), data), "is given twice")
	fails(t, input, dir, append(eval("--retriever", "bm25"), data+"/"), "task debates is in both")
	fails(t, input, dir, eval("--retriever", "elsewhere"), "elsewhere: no such folder")
	fails(t, input, dir, eval("--retriever", "vectors:."), "debates_corpus.npy: no such file")
	fails(t, usage, dir, eval("--retriever", "bm25", "--runs", "empty.json"), "empty.json is a file: name a folder")
	write(t, dir, "task/corpus.jsonl", `{"_id": "a b", "text": "words"}`+"\n")
	write(t, dir, "task/queries.jsonl", `{"_id": "q", "text": "words", "root": "words"}`+"\n")
	write(t, dir, "task/qrels/test.tsv", "q\ta b\t1\n")
	fails(t, input, dir, []string{"eval", "pir", "task", "--retriever", "bm25", "--runs", "runs"}, `the id "a b" has white space in it`)
	if _, err := os.Lstat(filepath.Join(dir, "runs")); err == nil {
		t.Error("a failed evaluation has left the folder of its runs")
	}
	write(t, dir, "debates_corpus.npy", "no array")
	fails(t, input, dir, eval("--retriever", "vectors:."), "debates_corpus.npy", "npy")
}
