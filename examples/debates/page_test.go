package debates_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// pageQuery is a query as pages have it.
type pageQuery struct {
	ID          string   `json:"id"`
	Query       string   `json:"query"`
	Root        string   `json:"root"`
	Perspective string   `json:"perspective"`
	Label       string   `json:"label"`
	Gold        []string `json:"gold"`
}

// Pages load queries and gold as a module, which is written from the files here.
func TestPageQueries(t *testing.T) {
	const name = "../../static/demo/debates.js"
	gold := map[string][]string{}
	judgements, err := os.ReadFile("qrels/test.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(judgements)), "\n")[1:] {
		f := strings.Split(line, "\t")
		gold[f[0]] = append(gold[f[0]], f[1])
	}
	var want bytes.Buffer
	want.WriteString("// Generated from examples/debates by `go test ./examples/debates -update`; do not edit.\n\n" +
		"/** @type {{id: string, query: string, root: string, perspective: string, label: string, gold: string[]}[]} */\nexport const QUERIES = [\n")
	for _, q := range readLines[query](t, "queries.jsonl") {
		line, err := json.Marshal(pageQuery{q.ID, q.Text, q.Root, q.Perspective, q.Metadata.Label, gold[q.ID]})
		if err != nil {
			t.Fatal(err)
		}
		want.WriteString("  " + string(line) + ",\n")
	}
	want.WriteString("];\n")
	if *update {
		if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s does not follow from queries.jsonl and the gold: go test ./examples/debates -update", name)
	}
}
