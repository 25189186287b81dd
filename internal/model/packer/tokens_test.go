package packer

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// colbert writes a small ColBERT with these settings, and returns its folder.
func colbert(t *testing.T, settings modeltest.Object) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "colbert")
	if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(dir, map[string]any{"artifact.metadata": settings}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tokensOf are the vectors of tokens by the model in a folder.
func tokensOf(t *testing.T, dir string, texts []string, role encoder.Role) []encoder.TokenVectors {
	t.Helper()
	e, err := model.Open(t.Context(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	found, err := e.(model.TokenEncoder).EncodeTokens(t.Context(), texts, role)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// packedTokens are the same by a pack.
func packedTokens(t *testing.T, r *Result, texts []string, role encoder.Role) []encoder.TokenVectors {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pack")
	if err := Write(dir, r.Files); err != nil {
		t.Fatal(err)
	}
	e, err := packmodel.OpenAnyFolder(t.Context(), dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	found, err := e.(*packmodel.TokenEncoder).EncodeTokens(t.Context(), texts, role)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// rows are the vectors of tokens one by one.
func rows(list []encoder.TokenVectors) (all [][]float32) {
	for _, v := range list {
		all = append(all, slices.Collect(slices.Chunk(v.Vectors, v.Dim))...)
	}
	return all
}

// A pack of a ColBERT reads texts as the model does, token by token, and its vectors are
// near the model's.
func TestPackColBERT(t *testing.T) {
	texts := append(samples(60), "", ".", "night, trains! (help?)", strings.Repeat("night trains . ", 30), strings.Repeat(". ", 60), "night [PAD] trains [PAD]", strings.Repeat("[PAD]", 60))
	for name, settings := range map[string]modeltest.Object{
		"usual":   {"query_maxlen": 8, "doc_maxlen": 16},
		"attends": {"query_maxlen": 20, "doc_maxlen": 40, "attend_to_mask_tokens": true, "mask_punctuation": false, "query_token_id": "[unused1]", "doc_token_id": "[unused0]"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := colbert(t, settings)
			for _, c := range []struct {
				bits        int
				mean, least float64
			}{{8, .9995, .995}, {4, .97, .7}} {
				r, p := makePack(t, opened(t, dir), Options{Bits: c.bits, Samples: samples(100), ID: "late"})
				if m := p.Manifest.Config; m.Pooling != pack.Unpooled || m.Dimension() != 24 || m.MaxLength != settings["doc_maxlen"] || m.Positions != m.MaxLength {
					t.Errorf("the configuration is %+v", m)
				}
				for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
					want, got := tokensOf(t, dir, texts, role), packedTokens(t, r, texts, role)
					for i, w := range want {
						if g := got[i]; g.Rows != w.Rows || g.Tokens != w.Tokens || g.Truncated != w.Truncated || g.Dim != w.Dim || len(g.Vectors) != len(w.Vectors) {
							t.Fatalf("%s %q: %d of %d tokens, truncated %v; want %d of %d, %v", role, texts[i], g.Rows, g.Tokens, g.Truncated, w.Rows, w.Tokens, w.Truncated)
						}
					}
					s := spread(rows(got), rows(want))
					t.Logf("%d bits, %s: cosine %.4f, 5 %% below %.4f, lowest %.4f", c.bits, role, s.Mean, s.Low, s.Min)
					if s.Mean < c.mean || s.Min < c.least {
						t.Errorf("%d bits, %s: cosines %+v", c.bits, role, s)
					}
				}
				for _, e := range r.Report.Errors {
					if e.Vector != Token || e.Count <= measured {
						t.Errorf("the report has %+v", e)
					}
					if e.Texts == HeldOut && e.Rounding == Engine && e.Cosine.Mean < c.mean {
						t.Errorf("%d bits: the report says %+v", c.bits, e)
					}
				}
			}
		})
	}
}

// The same holds for the golden ColBERT, whose own vectors TestGoldenColBERT of package model checks.
func TestPackGoldenColBERT(t *testing.T) {
	dir := shared.Path(t, "data/golden/colbert-tiny")
	texts := samples(60)
	r, _ := makePack(t, opened(t, dir), Options{Bits: 8, Samples: samples(60)})
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		s := spread(rows(packedTokens(t, r, texts, role)), rows(tokensOf(t, dir, texts, role)))
		t.Logf("%s: cosine %.4f, lowest %.4f", role, s.Mean, s.Min)
		if s.Mean < .999 || s.Min < .99 {
			t.Errorf("%s: %+v", role, s)
		}
	}
}

// The network that rounding looks into is the ColBERT, whose tokens do not attend to masks.
func TestNetworkIsTheColBERT(t *testing.T) {
	dir := colbert(t, modeltest.Object{"query_maxlen": 12, "doc_maxlen": 16, "mask_punctuation": false})
	o, err := read(opened(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	texts := samples(40)
	making := &packing{original: o}
	pool := dense.NewPool(2)
	defer pool.Close()
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		var list []sample
		for _, text := range texts {
			list = append(list, making.tokenSample(text, role == encoder.Document))
		}
		got, err := o.network(pool, o.values).compute(list, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if c := cosines(got.vectors, rows(tokensOf(t, dir, texts, role))); c[0] < 1-1e-6 {
			t.Errorf("%s: cosines %v", role, c[:5])
		}
	}
}

// A cut vocabulary keeps the pieces that a ColBERT names, under their new numbers.
func TestColBERTVocabularyIsCut(t *testing.T) {
	src := opened(t, colbert(t, modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16}))
	n := len(modeltest.Vocabulary())
	_, whole := makePack(t, src, Options{Bits: 8})
	_, p := makePack(t, src, Options{Bits: 8, Vocabulary: n - 12, Corpus: all("school uniforms", "school")})
	if p.Tokenizer().VocabSize() != n-12 {
		t.Fatalf("%d pieces", p.Tokenizer().VocabSize())
	}
	before, after := whole.Manifest.Config.Tokens, p.Manifest.Config.Tokens
	for _, name := range []string{"[unused0]", "[unused1]", "[MASK]"} {
		id, ok := p.Tokenizer().ID(name)
		if got := map[string]int{"[unused0]": after.QueryMarker, "[unused1]": after.DocumentMarker, "[MASK]": after.Mask}[name]; !ok || got != int(id) {
			t.Errorf("%s has the number %d, %v; the manifest says %d", name, id, ok, got)
		}
	}
	if len(after.Skip) != len(before.Skip) || len(after.Skip) < 5 || !slices.IsSorted(after.Skip) {
		t.Fatalf("documents leave out %v, before the cut %v", after.Skip, before.Skip)
	}
	for _, c := range "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" {
		was, _ := slices.BinarySearch(before.Skip, int(whole.Tokenizer().Encode(nil, string(c))[0]))
		is, found := slices.BinarySearch(after.Skip, int(p.Tokenizer().Encode(nil, string(c))[0]))
		if !found || is != was {
			t.Errorf("%q has place %d, %v; before the cut %d", c, is, found, was)
		}
	}
}

func TestColBERTRefusals(t *testing.T) {
	dir := colbert(t, modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16})
	for says, o := range map[string]Options{
		"leave --prompt out": {Bits: 8, Samples: samples(20), Prompts: map[string]string{"query": "q: "}},
		"a branch needs":     {Bits: 8, Samples: samples(20), Branch: "none.safetensors", BranchFrom: 1},
	} {
		if _, err := Pack(t.Context(), opened(t, dir), o); fault.Of(err) == "" || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	src, err := model.OpenSource(t.Context(), dir, model.Options{MaxLength: 6})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if _, err := Pack(t.Context(), src, Options{Bits: 8, Samples: samples(20)}); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), "queries up to 8 tokens: a maximum length of 6") {
		t.Errorf("a short length: %v", err)
	}
	bare := filepath.Join(t.TempDir(), "bare")
	if err := modeltest.WriteColBERT(bare, 1, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := model.OpenSource(t.Context(), bare, model.Options{}); err == nil || !strings.Contains(err.Error(), "without its projection") {
		t.Errorf("no projection: %v", err)
	}
}
