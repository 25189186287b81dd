package search_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

const tokenDim = 128

// byWord gives each word of a text a vector: one drawn by the word, and a little of one
// drawn by the text, as if words had meanings and contexts.
type byWord struct{ id string }

func (b byWord) Info() encoder.Info { return encoder.Info{ID: b.id, Architecture: "bert", Dim: 7} }
func (b byWord) TokenInfo() encoder.Info {
	return encoder.Info{ID: b.id, Architecture: "bert", Dim: tokenDim, Pooling: "tokens"}
}

func (b byWord) Encode(context.Context, []string, encoder.Options) ([]encoder.Embedding, error) {
	return nil, errors.New("whole texts are not encoded")
}

func (b byWord) EncodeTokens(_ context.Context, texts []string, _ encoder.Role) (all []encoder.TokenVectors, err error) {
	for _, text := range texts {
		v := encoder.TokenVectors{Dim: tokenDim}
		for _, word := range strings.Fields(text) {
			row, norm := make([]float64, tokenDim), 0.0
			for i, part := range []string{word, text} {
				r := rand.New(rand.NewPCG(hash(part), hash(b.id)))
				for j := range row {
					row[j] += r.NormFloat64() / float64(1+i)
				}
			}
			for _, x := range row {
				norm += x * x
			}
			for _, x := range row {
				v.Vectors = append(v.Vectors, float32(x/math.Sqrt(norm)))
			}
			v.Rows++
		}
		v.Tokens = v.Rows
		all = append(all, v)
	}
	return all, nil
}

func hash(text string) (h uint64) {
	for _, c := range []byte(text) {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// tokenCorpus are documents of 5 to 29 words out of 80, and one without words.
func tokenCorpus() (docs []store.Document) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 120 {
		var words []string
		for range 5 + r.IntN(25) {
			words = append(words, fmt.Sprintf("w%d", r.IntN(80)))
		}
		docs = append(docs, store.Document{ID: fmt.Sprint(i), Text: strings.Join(words, " "), Metadata: map[string]any{"n": float64(i)}})
	}
	docs[17].Text = ""
	return docs
}

func writeTokens(t *testing.T, docs []store.Document, bits int) string {
	t.Helper()
	dir := t.TempDir()
	_, err := collection.Write(t.Context(), dir, func(yield func(store.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}, collection.Options{Rows: collection.Tokens{Encoder: byWord{"words"}, Bits: bits}, ShardBytes: 80_000, Terms: true})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func openTokens(t *testing.T, fsys fs.FS, e encoder.Encoder) (*search.Collection, error) {
	t.Helper()
	st, err := store.Open(t.Context(), fsys)
	if err != nil {
		return nil, err
	}
	var o search.Options
	if e != nil {
		o.Encoder = search.Outside{Encoder: e}
	}
	c, err := search.Open(t.Context(), st, o)
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

var encoded = map[string][]float32{}

func vectorsOf(text string) []float32 {
	if _, known := encoded[text]; !known {
		made, _ := byWord{"words"}.EncodeTokens(context.Background(), []string{text}, encoder.Query)
		encoded[text] = made[0].Vectors
	}
	return encoded[text]
}

// exact is MaxSim of two texts in float64, with the vectors as the encoder gives them.
func exact(query, document string) float64 {
	return naive.MaxSim(vectorsOf(query), vectorsOf(document), tokenDim)
}

// top are the ids of the ten best documents by a score, and the scores of all.
func top(docs []store.Document, score func(text string) float64) (ids []string, scores map[string]float64) {
	scores = map[string]float64{}
	for _, d := range docs {
		ids = append(ids, d.ID)
		scores[d.ID] = score(d.Text)
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return ids[:10], scores
}

// The ten best documents at 8 bits are those of exact MaxSim with the vectors that the
// encoder gives, for every method that is a sum, except that documents whose scores differ by
// less than 0.001 may change places. At 4 bits, at least 98 of 100 are, without that exception.
// tests/tokenbench does the same with NumPy.
func TestTokensAreExact(t *testing.T) {
	docs := tokenCorpus()
	// At 8 bits, rounding changes a score by less than tie, and documents may change places if
	// their scores differ by less than near.
	const tie, near = 0.006, 0.001
	for bits, least := range map[int]float64{8: 1, 4: 0.98} {
		c, err := openTokens(t, os.DirFS(writeTokens(t, docs, bits)), byWord{"words"})
		if err != nil {
			t.Fatal(err)
		}
		found, all := 0, 0
		r := rand.New(rand.NewPCG(5, 5)) // each width gets the same queries
		words := func(n int) string {
			var out []string
			for range n {
				out = append(out, fmt.Sprintf("w%d", r.IntN(80)))
			}
			return strings.Join(out, " ")
		}
		for range 60 {
			query, root, side, other := words(8), words(6), words(3), words(4)
			sides := func(d string) float64 { return (exact(side, d) + exact(other, d)) / 2 }
			for method, score := range map[string]func(d string) float64{
				"":             func(d string) float64 { return exact(query, d) },
				"root":         func(d string) float64 { return exact(root, d) },
				"dual-sum":     func(d string) float64 { return exact(root, d) + sides(d) },
				"aug-dual-sum": func(d string) float64 { return exact(query, d) + sides(d) },
				"tri-sum":      func(d string) float64 { return exact(root, d) + exact(query, d) + sides(d) },
			} {
				result, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: query}, Root: &search.Text{Text: root},
					Perspectives: []search.Text{{Text: side}, {Text: other}}, Method: method})
				if err != nil {
					t.Fatal(err)
				}
				if result.Score != "maxsim" || len(result.Hits) != 10 {
					t.Fatalf("%+v", result)
				}
				want, scores := top(docs, score)
				for i, h := range result.Hits {
					if all++; slices.Contains(want, h.ID) || bits == 8 && scores[h.ID] > scores[want[9]]-near {
						found++
					}
					if bits == 8 && (scores[h.ID] < scores[want[i]]-tie || approx.Apart(float64(h.Score), scores[h.ID], tie)) {
						t.Errorf("%s, hit %d: %s (%v), want %s (%v)", method, i, h.ID, h.Score, want[i], scores[want[i]])
					}
				}
			}
		}
		t.Logf("%d bits: recall@10 is %.4f", bits, float64(found)/float64(all))
		if float64(found) < least*float64(all) {
			t.Errorf("%d bits: recall@10 is %.4f, at least %v", bits, float64(found)/float64(all), least)
		}
	}
}

// Filters, words beside the vectors, given vectors, and private contexts.
func TestTokensWithTheRest(t *testing.T) {
	docs := tokenCorpus()
	c, err := openTokens(t, os.DirFS(writeTokens(t, docs, 8)), byWord{"words"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(q search.Query) (ids []string, r *search.Result) {
		t.Helper()
		r, err := c.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			ids = append(ids, h.ID)
		}
		return ids, r
	}
	query := search.Text{Text: "w1 w2 w3 w4"}
	ids, _ := ask(search.Query{Query: query, Filters: []search.Filter{{Field: "n", Low: new(30.), High: new(89.)}}})
	best, scores := top(docs[30:90], func(d string) float64 { return exact(query.Text, d) })
	for i, id := range ids {
		if score, passes := scores[id]; !passes || score < scores[best[i]]-0.006 {
			t.Errorf("filtered, hit %d: %s (%v), want %s (%v)", i, id, score, best[i], scores[best[i]])
		}
	}
	made, _ := byWord{"words"}.EncodeTokens(t.Context(), []string{query.Text}, encoder.Query)
	want, _ := ask(search.Query{Query: query})
	if ids, _ := ask(search.Query{Query: search.Text{Vector: made[0].Vectors}}); !slices.Equal(ids, want) {
		t.Errorf("by vectors: %v, want %v", ids, want)
	}
	_, hybrid := ask(search.Query{Query: query, Hybrid: &search.Hybrid{}})
	if hybrid.Hybrid != "rrf" || hybrid.Hits[0].Lexical == nil || hybrid.Hits[0].Score > 0.02 {
		t.Errorf("hybrid: %+v", hybrid.Hits[0])
	}
	lambda := 0.55
	contexts := []string{"w9 w10 w11 w12", "w20 w21 w22 w23", "w30 w31 w32 w33"}
	var given []search.Text
	for _, text := range contexts {
		given = append(given, search.Text{Text: text})
	}
	_, joint := ask(search.Query{Query: query, Contexts: given, K: 5})
	seen := map[string]bool{}
	before := math.Inf(1)
	for _, h := range joint.Hits {
		fit := math.Inf(-1)
		for _, text := range contexts {
			fit = max(fit, exact(text, h.Text))
		}
		score := lambda*exact(query.Text, h.Text) + (1-lambda)*fit
		if approx.Apart(score, float64(h.Score), 0.02) || h.Because == nil || approx.Apart(exact(contexts[h.Because.Context], h.Text), fit, 0.02) || float64(h.Score) > before {
			t.Errorf("contexts: %+v, want score %v", h, score)
		}
		seen[h.ID], before = true, float64(h.Score)
	}
	for _, id := range want[:5] {
		if !seen[id] {
			t.Errorf("contexts: %s of the five best is missing", id)
		}
	}
}

func TestTokensRefusals(t *testing.T) {
	docs := tokenCorpus()
	dir := writeTokens(t, docs, 4)
	c, err := openTokens(t, os.DirFS(dir), byWord{"words"})
	if err != nil {
		t.Fatal(err)
	}
	text := search.Text{Text: "w1 w2"}
	for says, q := range map[string]search.Query{
		"method pap+ compares vectors of whole texts":     {Query: text, Perspectives: []search.Text{text}, Method: "pap+"},
		"method cast compares vectors of whole texts":     {Query: text, Perspectives: []search.Text{text}, Method: "cast"},
		"pap+ compares vectors of whole texts":            {Query: text, Perspectives: []search.Text{text}, Lambda: new(0.5)},
		"made for maxsim: leave the score out":            {Query: text, Score: perspective.Dot},
		"mmr compares documents by one vector":            {Query: text, MMR: new(0.5)},
		"needs a perspective":                             {Query: text, Root: &text, Method: "dual-sum"},
		"not a multiple of the collection's 128":          {Query: search.Text{Vector: make([]float32, 129)}},
		"vector 0 of the query is not finite":             {Query: search.Text{Vector: append(make([]float32, 127), float32(math.NaN()))}},
		`score "euclidean" is not one of`:                 {Query: text, Score: "euclidean"},
		"rescore is -1, must be from 1 to 256":            {Query: text, Rescore: -1},
		"rescore is 257, must be from 1 to 256":           {Query: text, Rescore: 257},
		"rescore: k is 300, must be at most 256":          {Query: text, Rescore: 20, K: 300},
		"rescore: it orders hits by maxsim alone":         {Query: text, Rescore: 20, Hybrid: &search.Hybrid{}},
		"method contrast compares vectors of whole texts": {Query: text, Root: &text, Method: "contrast"},
	} {
		if _, err := c.Search(t.Context(), q); fault.Of(err) != fault.Query || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, err := c.Rerank(t.Context(), search.Query{Query: text}, []string{"a"}); err == nil || !strings.Contains(err.Error(), "made for maxsim") {
		t.Errorf("rerank: %v", err)
	}
	if _, err := openTokens(t, os.DirFS(dir), whole{}); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), "the encoder whole has one vector for a whole text") {
		t.Errorf("another kind of encoder: %v", err)
	}
	plain, err := search.Create(t.Context(), search.Options{Encoder: search.Outside{Encoder: whole{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if _, err := plain.Rerank(t.Context(), search.Query{Query: text, Score: perspective.MaxSim}, []string{"a"}); !errors.Is(err, perspective.ErrNoTokens) {
		t.Errorf("texts by maxsim: %v", err)
	}
	var mismatch *search.EncoderMismatchError
	if _, err := openTokens(t, os.DirFS(dir), byWord{"others"}); !errors.As(err, &mismatch) {
		t.Errorf("another model: %v", err)
	}
	bare, err := openTokens(t, os.DirFS(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Search(t.Context(), search.Query{Query: text, Method: "none"}); !errors.Is(err, search.ErrNoEncoder) {
		t.Errorf("without an encoder: %v", err)
	}
	if r, err := bare.Search(t.Context(), search.Query{Query: text}); err != nil || r.Method != search.MethodWords || r.Notice == "" {
		t.Errorf("without an encoder, words answer: %+v, %v", r, err)
	}
}

type whole struct{}

func (whole) Info() encoder.Info { return encoder.Info{ID: "whole", Dim: tokenDim} }
func (whole) Encode(context.Context, []string, encoder.Options) ([]encoder.Embedding, error) {
	return nil, errors.New("not asked")
}

// Damage is found when a collection is opened and, file by file, by Verify.
func TestTokensDamaged(t *testing.T) {
	dir := writeTokens(t, tokenCorpus(), 4)
	st, err := store.Open(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := search.Verify(t.Context(), st, nil); err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", faults, err)
	}
	m := st.Manifest()
	if len(m.Tokens.Files) < 2 {
		t.Fatal("one file of token vectors")
	}
	for _, f := range []manifest.File{m.Tokens.Codebook, m.Tokens.Files[1].File} {
		path := filepath.Join(dir, f.Path)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		bad := slices.Clone(good)
		bad[len(bad)-1] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if faults, err := search.Verify(t.Context(), st, nil); err != nil || len(faults) != 1 || !strings.Contains(faults[0].Error(), f.Path) {
			t.Errorf("%s: %v, %v", f.Path, faults, err)
		}
		if _, err := openTokens(t, os.DirFS(dir), nil); fault.Of(err) != fault.Integrity {
			t.Errorf("%s: %v", f.Path, err)
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Files that are what the manifest says, but not what they should be.
	for says, change := range map[string]func(m *manifest.Manifest){
		"is missing, or not F16": func(m *manifest.Manifest) { m.Tokens.Codebook = m.Tokens.Files[0].File },
		"not U8 [vectors, 128]": func(m *manifest.Manifest) {
			m.Tokens.Bits = 8
			for i := range m.Tokens.Files {
				m.Tokens.Files[i].Vectors /= 2
			}
		},
		"the manifest says":     func(m *manifest.Manifest) { m.Tokens.Files[0].Vectors-- },
		"centroids of 128 dime": func(m *manifest.Manifest) { m.Tokens.Centroids-- },
	} {
		st, err := store.Open(t.Context(), os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		m := *st.Manifest()
		tokens := *m.Tokens
		tokens.Files = slices.Clone(tokens.Files)
		m.Tokens = &tokens
		change(&m)
		content, err := m.Marshal()
		if err != nil {
			t.Fatalf("%s: %v", says, err)
		}
		other := t.TempDir()
		if err := errors.Join(os.CopyFS(other, os.DirFS(dir)), os.WriteFile(filepath.Join(other, manifest.FileName), content, 0o600)); err != nil {
			t.Fatal(err)
		}
		if st, err = store.Open(t.Context(), os.DirFS(other)); err != nil {
			t.Fatal(err)
		}
		faults, err := search.Verify(t.Context(), st, nil)
		if err != nil || len(faults) == 0 || !strings.Contains(errors.Join(faults...).Error(), says) || fault.Of(faults[0]) != fault.Input {
			t.Errorf("%s: %v, %v", says, faults, err)
		}
	}
}
