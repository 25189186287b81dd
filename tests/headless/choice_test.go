package headless_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/indexing"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/manifests"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// partsIn writes a corpus of orders with names that the encoder cannot read, and of
// texts that sound like the queries, which ask for the names; with judged queries.
func partsIn(t *testing.T, dir string) (corpus, queries, qrels string, asked []search.Query) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var documents, lines, judged bytes.Buffer
	judged.WriteString("query-id\tcorpus-id\tscore\n")
	for i := range 90 {
		name := ""
		for range 5 {
			name += string(rune(0x10D0 + random.IntN(33))) // a Georgian letter
		}
		fmt.Fprintf(&documents, "{\"_id\":\"p%d\",\"text\":\"Order %s: crates of lemons for the market hall.\"}\n", i, name)
		if i%3 == 0 {
			fmt.Fprintf(&documents, "{\"_id\":\"d%d\",\"text\":\"A heating valve that fits boiler %d.\"}\n", i, i)
		}
		fmt.Fprintf(&lines, "{\"_id\":\"q%d\",\"text\":\"a valve %s\"}\n", i, name)
		fmt.Fprintf(&judged, "q%d\tp%d\t1\n", i, i)
		asked = append(asked, search.Query{Query: text("a valve " + name)})
	}
	corpus, queries, qrels = filepath.Join(dir, "corpus.jsonl"), filepath.Join(dir, "queries.jsonl"), filepath.Join(dir, "qrels.tsv")
	for path, content := range map[string][]byte{corpus: documents.Bytes(), queries: lines.Bytes(), qrels: judged.Bytes()} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return corpus, queries, qrels, asked
}

// On a corpus that words search far better than the encoder, the judged queries give
// words more weight, and each engine ranks by that choice. Without judged queries the choice is gone.
func TestChoice(t *testing.T) {
	dir := t.TempDir()
	corpus, queries, qrels, asked := partsIn(t, dir)
	site := filepath.Join(dir, "site")
	job := indexing.Job{Corpus: corpus, Output: site, Site: true, Words: true, Quantize: "int8", Encoder: indexing.Light,
		Queries: queries, Qrels: qrels, Console: console.New(io.Discard)}
	report, err := job.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := report.Choice
	if c == nil {
		t.Fatal("nothing was chosen")
	}
	if len(c.Kinds) != 1 || c.Kinds[0].Chosen != "none none hybrid 0.6" || c.Kinds[0].Queries != 45 || c.Held != 45 || c.After < c.Before+0.1 || c.After < 0.99 {
		t.Fatalf("%+v", *c)
	}
	t.Log(c)
	collection := filepath.Join(site, "collection")
	st, err := store.Open(t.Context(), os.DirFS(collection))
	if err != nil {
		t.Fatal(err)
	}
	if a := st.Manifest().Auto; a == nil || a.ChosenOn != 45 || a.MeasuredOn != 45 || a.After != c.After || a.Before != c.Before {
		t.Fatalf("%+v", a)
	}
	compare(t, collection, asked)
	native, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	var want []string
	for i, q := range asked {
		r, err := native.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if r.Hybrid == "" || r.Hits[0].ID != fmt.Sprintf("p%d", i) {
			t.Errorf("%q: %s, %+v", q.Query.Text, r.Hybrid, r.Hits[0])
		}
		want = append(want, encoded(t, r))
	}
	for i, got := range inNode(t, tools.Node(t), dir, collection, nil, asked).Results {
		if got != want[i] {
			t.Errorf("%q: Node.js %s, natively %s", asked[i].Query.Text, got, want[i])
		}
	}

	job.Queries, job.Qrels = "", ""
	if report, err = job.Run(t.Context()); err != nil || report.Choice != nil {
		t.Fatalf("%v, %v", report, err)
	}
	if m := manifests.Read(t, collection); m.Auto != nil {
		t.Errorf("the choice is still there: %+v", m.Auto)
	}
}

// A damaged table is named, by each engine alike.
func TestBadChoice(t *testing.T) {
	dir := t.TempDir()
	corpus, _, _, asked := partsIn(t, dir)
	out := filepath.Join(dir, "collection")
	job := indexing.Job{Corpus: corpus, Output: out, Words: true, Quantize: "int8", Encoder: indexing.Light, Console: console.New(io.Discard)}
	if _, err := job.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := manifests.Read(t, out)
	m.Auto = &manifest.Auto{Table: []string{"none magic"}}
	content, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, manifest.FileName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	_, err = native.Search(t.Context(), asked[0])
	if err == nil || !bytes.HasPrefix([]byte(err.Error()), []byte(`manifest.json: table auto: "none magic": unknown method`)) {
		t.Fatal(err)
	}
	if got := inNode(t, tools.Node(t), dir, out, nil, asked[:1]).Results[0]; got != "integrity: "+err.Error() {
		t.Errorf("Node.js: %s, natively %v", got, err)
	}
}
