package command

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A search without a method, eval beir and eval pir rank alike: by contrast if a side is
// asked for, and by tri-sum if a place is.
func TestAutoEverywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const topic = "School uniforms are good for pupils"
	write(t, dir, "c/corpus.jsonl", `{"_id": "harm", "text": "School uniforms harm pupils: they cost families money and stifle them, so no school should have them."}
{"_id": "help", "text": "School uniforms help pupils: they end the rivalry over clothes, so all schools should have them."}
{"_id": "japan", "text": "Japanese schools copied naval uniforms long ago."}
{"_id": "kettle", "text": "The kettle boils at a hundred degrees."}
{"_id": "pupils", "text": "Pupils in uniforms are late as often as others."}
`)
	write(t, dir, "c/queries.jsonl", `{"_id": "1", "text": "Find a claim that opposes the argument: `+topic+`", "root": "`+topic+`", "perspective": "a claim that opposes the argument"}
{"_id": "2", "text": "Find a claim that supports the argument: `+topic+`", "root": "`+topic+`", "perspective": "a claim that supports the argument"}
{"_id": "3", "text": "Find something about Japan related to the argument: `+topic+`", "root": "`+topic+`", "perspective": "something about Japan"}
`)
	write(t, dir, "c/qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\tharm\t1\n2\thelp\t1\n3\tjapan\t1\n")
	must(t, dir, "index", "c/corpus.jsonl", "-o", "i", "--encoder", "sides", "--quantize", "f32")
	r := must(t, dir, "search", "i", "--queries", "c/queries.jsonl", "--run", "search.run", "-k", "5")
	if !strings.Contains(r.stderr, "method contrast and tri-sum, chosen by the kinds of perspective") {
		t.Errorf("stderr %q", r.stderr)
	}
	must(t, dir, "eval", "beir", "c", "-r", "auto", "--run-out", "beir.run", "-k", "5")
	must(t, dir, "eval", "pir", "c", "--retriever", "sides", "--methods", "auto", "--runs", "pir")
	documents := func(file string) (order []string) {
		for _, line := range readRun(t, filepath.Join(dir, file)) {
			order = append(order, line.query+" "+line.document)
		}
		return order
	}
	want := documents("search.run")
	if len(want) != 15 || want[0] != "1 harm" || want[5] != "2 help" {
		t.Errorf("search finds %v", want)
	}
	for _, file := range []string{"beir.run", "pir/c.auto.run"} {
		if got := documents(file); !slices.Equal(got, want) {
			t.Errorf("%s has %v, the search %v", file, got, want)
		}
	}
	one := must(t, dir, "search", "i", "--query", "arguments against "+topic)
	for _, part := range []string{"method contrast, strength 0.4, encoder", "chosen for perspectives of the kind stance", "side: against"} {
		if !strings.Contains(one.stderr, part) {
			t.Errorf("stderr %q lacks %q", one.stderr, part)
		}
	}
	asked := must(t, dir, "search", "i", "--query", "arguments against "+topic, "--method", "auto")
	if asked.stdout != one.stdout {
		t.Errorf("--method auto finds\n%s, no method\n%s", asked.stdout, one.stdout)
	}
}

// bench methods prints the candidates of each kind and the choices, and writes them as
// JSON.
func TestBenchMethods(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := must(t, dir, "bench", "methods", filepath.Join(root(t), "examples", "debates"), "--roots", "even", "--model", "static")
	for _, part := range []string{"stance: 47 queries\n", "place: 8 queries\n", "method", "tri-sum", "Chosen for vantage-static-en@", "over plain", "Kinds without data have"} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("%q is missing in\n%s", part, r.stdout)
		}
	}
	var figures struct{ Auto []string }
	out := must(t, dir, "bench", "methods", filepath.Join(root(t), "examples", "debates"), "--model", "static", "--json", "-").stdout
	if err := json.Unmarshal([]byte(out), &figures); err != nil || len(figures.Auto) != 11 || figures.Auto[0] != "none none" || !strings.HasPrefix(figures.Auto[1], "stance ") {
		t.Errorf("%v, %q", err, figures.Auto)
	}
	fails(t, usage, dir, []string{"bench", "methods"}, "DATA is missing")
}
