package mvrag

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

// naive ranks the documents as the paper says, by cosines of all documents in float64.
type naive struct {
	t         *testing.T
	encoder   encoder.Encoder
	documents []string // ids
	vectors   [][]float32
	relevant  map[string]map[string]bool
	queries   map[string]string
}

func newNaive(t *testing.T, dir string) *naive {
	n := &naive{t: t, relevant: map[string]map[string]bool{}, queries: map[string]string{}}
	spec, err := retrieve.ParseSpec("--retriever", named.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	m, err := (&retrieve.Encoding{}).Find(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	e, _, closing, err := m.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closing() })
	n.encoder = e
	for _, file := range []string{"corpus.jsonl", "queries.jsonl"} {
		lines, err := corpus.Open(filepath.Join(dir, file), corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range lines.Documents() {
			if err != nil {
				t.Fatal(err)
			}
			if file == "queries.jsonl" {
				n.queries[d.ID] = d.Text
				continue
			}
			n.documents, n.vectors = append(n.documents, d.ID), append(n.vectors, n.encode(d.EncodedText(), encoder.Document))
		}
	}
	qrels, err := os.ReadFile(filepath.Join(dir, "qrels", "test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(qrels)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[2] != "0" && f[2] != "score" {
			if n.relevant[f[0]] == nil {
				n.relevant[f[0]] = map[string]bool{}
			}
			n.relevant[f[0]][f[1]] = true
		}
	}
	return n
}

func (n *naive) encode(text string, role encoder.Role) []float32 {
	got, err := n.encoder.Encode(n.t.Context(), []string{text}, encoder.Options{Role: role})
	if err != nil {
		n.t.Fatal(err)
	}
	return got[0].Vector
}

type ranked struct {
	at  int
	rel float64
}

// best are the k documents with the highest cosine.
func (n *naive) best(text string, k int) []ranked {
	q := n.encode(text, encoder.Query)
	all := make([]ranked, len(n.vectors))
	for i, v := range n.vectors {
		var dot, a, b float64
		for j := range v {
			dot, a, b = dot+float64(v[j])*float64(q[j]), a+float64(v[j])*float64(v[j]), b+float64(q[j])*float64(q[j])
		}
		all[i] = ranked{i, dot / math.Sqrt(a*b)}
	}
	sortRanked(all)
	return all[:k]
}

func sortRanked(all []ranked) {
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.rel, a.rel), cmp.Compare(a.at, b.at)) })
}

// mvrag are the paper's Equations 1 to 4, without the perspective of a name ("": with all).
func (n *naive) mvrag(query, without string, k int) []ranked {
	type view struct {
		hundredths int
		text       string
	}
	var active []view
	sum := 0
	for i, s := range scoresOf(query) {
		w, text := int(math.Round(100*s)), rewrittenBy(views[i], query)
		if w > 50 && text != "" && views[i] != without {
			active, sum = append(active, view{w, text}), sum+w
		}
	}
	if len(active) == 0 {
		return n.best(query, k)
	}
	rel := map[int]float64{}
	for _, v := range active {
		share := (k*v.hundredths + sum - 1) / sum // rounded up, in whole numbers
		for _, r := range n.best(v.text, share) {
			w := float64(v.hundredths) / 100
			if old, there := rel[r.at]; !there || r.rel*w > old {
				rel[r.at] = r.rel * w
			}
		}
	}
	var all []ranked
	for at, r := range rel {
		all = append(all, ranked{at, r})
	}
	sortRanked(all)
	return all[:min(k, len(all))]
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// same compares a ranking with the naive one. The engine's cosines have 32 bits, so
// documents with nearly the same Rel may change places.
func same(t *testing.T, name string, got []mvrag.Found, want []ranked) {
	t.Helper()
	const slack = 1e-6
	if len(got) != len(want) {
		t.Errorf("%s: %d documents, want %d", name, len(got), len(want))
		return
	}
	for i, f := range got {
		if approx.Apart(f.Rel, want[i].rel, slack) {
			t.Errorf("%s: rank %d: %+v, want %+v", name, i, f, want[i])
			return
		}
		if !slices.ContainsFunc(want, func(r ranked) bool { return r.at == int(f.Document) && math.Abs(r.rel-f.Rel) <= slack }) && approx.Apart(f.Rel, want[len(want)-1].rel, slack) {
			t.Errorf("%s: document %d is not among the naive ones", name, f.Document)
		}
	}
}
