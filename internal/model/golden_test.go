package model

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
)

type golden struct {
	Tolerance struct {
		Hidden     float64 `json:"hidden_and_unnormalised_atol"`
		RootMean   float64 `json:"mean_sqrt_len_atol"`
		Normalized float64 `json:"l2_atol"`
		Cosine     float64 `json:"min_cosine"`
	} `json:"tolerance"`
	Batches []struct {
		Name    string                       `json:"name"`
		Texts   []string                     `json:"texts"`
		Prompt  string                       `json:"prompt"`
		Max     int                          `json:"max_length"`
		Padding string                       `json:"padding_side"`
		Cut     []bool                       `json:"truncated"`
		Items   []map[string]json.RawMessage `json:"items"`
	} `json:"batches"`
}

// readGolden reads a file of the small models of random weights whose outputs another
// implementation computed in float64.
func readGolden(t *testing.T, name string, value any) string {
	t.Helper()
	path := shared.Path(t, "data/golden/"+name)
	jsonfile.Read(t, path, value)
	return filepath.Dir(path)
}

// The test compares the vectors of every golden model but the ColBERT, for every way of
// pooling and for the folder's own.
func TestGolden(t *testing.T) {
	for _, name := range []string{
		"bert-tiny", "bert-tiny-f16", "bert-tiny-bf16", "bert-tiny-simcse", "bert-tiny-minilm", "bert-tiny-wide", "bge-tiny", "e5-tiny", "roberta-tiny", "distilbert-tiny",
		"dpr-tiny/question_encoder", "dpr-tiny/ctx_encoder", "dpr-proj-tiny/question_encoder", "dpr-proj-tiny/ctx_encoder", "opt-tiny", "opt-proj-tiny",
	} {
		t.Run(name, func(t *testing.T) {
			var g golden
			dir := readGolden(t, name+"/golden.json", &g)
			own, err := Open(context.Background(), dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := own.Info().MaxLength, g.Batches[0].Max; got != want {
				t.Errorf("texts are cut to %d tokens, want %d", got, want)
			}
			if err := own.Close(); err != nil {
				t.Error(err)
			}
			compared := 0
			for key, pooling := range map[string]Pooling{
				"embedding": "", "cls": CLS, "mean": Mean, "max": Max, "last_token": Last, "weighted_mean": Weighted, "mean_sqrt_len": RootMean, "pooler": Pooler,
			} {
				for _, b := range g.Batches {
					if len(b.Texts) == 0 || b.Items[0][key] == nil {
						continue
					}
					if key == "weighted_mean" && b.Padding == "left" {
						continue // the reference counts padding in its weights, and we have no padding
					}
					if key == "pooler" && strings.HasPrefix(name, "dpr") {
						continue // the reference's pooler of DPR is no layer, but the first token's vector
					}
					e, err := Open(context.Background(), dir, Options{Pooling: pooling, MaxLength: b.Max})
					if err != nil {
						t.Fatal(err)
					}
					tolerance := g.Tolerance.Hidden
					switch {
					case key == "mean_sqrt_len":
						tolerance = g.Tolerance.RootMean
					case e.Info().Normalize:
						tolerance = g.Tolerance.Normalized
					}
					got, err := e.Encode(context.Background(), b.Texts, encoder.Options{Prompt: &b.Prompt})
					if err != nil {
						t.Fatal(err)
					}
					for i, item := range b.Items {
						var want []float32
						at := key
						if e.Info().Normalize && item[key+"_l2"] != nil {
							at = key + "_l2"
						}
						if err := json.Unmarshal(item[at], &want); err != nil {
							t.Fatal(err)
						}
						compare(t, b.Name+", "+at, got[i].Vector, want, tolerance)
						if got[i].Truncated != b.Cut[i] {
							t.Errorf("%s: text %d: truncated is %v", b.Name, i, got[i].Truncated)
						}
						compared++
					}
					if err := e.Close(); err != nil {
						t.Error(err)
					}
				}
			}
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// With weights of 8 bits, each architecture gives almost the same directions, and the same bits with any number of threads.
// Tiny models lose more than real ones, because each component counts more.
func TestGoldenInt8(t *testing.T) {
	dirs := map[string]string{"t5": t5Folder(t, "tokenizer.json"), "mpnet": t.TempDir()}
	if err := modeltest.Small.WriteMPNet(dirs["mpnet"], 1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bert-tiny", "bert-tiny-simcse", "bge-tiny", "roberta-tiny", "distilbert-tiny", "dpr-proj-tiny/ctx_encoder", "opt-tiny", "opt-proj-tiny"} {
		var g golden
		dirs[name] = readGolden(t, name+"/golden.json", &g)
	}
	texts := longAndShort(40)
	for name, dir := range dirs {
		exact := embed(t, mustOpen(t, dir, Options{}), encoder.Options{}, texts...)
		want := embed(t, mustOpen(t, dir, Options{Int8: true, Threads: 1}), encoder.Options{}, texts...)
		for i, got := range embed(t, mustOpen(t, dir, Options{Int8: true, Threads: 3}), encoder.Options{}, texts...) {
			if !slices.Equal(got.Vector, want[i].Vector) {
				t.Fatalf("%s: text %d has another vector with 3 threads", name, i)
			}
			var dot, a, b float64
			for j, x := range got.Vector {
				y := float64(exact[i].Vector[j])
				dot, a, b = dot+float64(x)*y, a+float64(x)*float64(x), b+y*y
			}
			if c := dot / math.Sqrt(a*b); !(c > .999) {
				t.Errorf("%s: text %d has a cosine of %v with the exact vector", name, i, c)
			}
		}
	}
}

// Settings that select other builds of the inner loops.
const (
	plainGo  = "cpu.all=off"
	withAVX2 = "cpu.avx512f=off"
)

// Every build of the inner loops that the machine can run gives the golden vectors.
func TestGoldenBuilds(t *testing.T) {
	for _, setting := range []string{plainGo, withAVX2} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGolden(MPNet)?$")
		cmd.Env = append(os.Environ(), "GODEBUG="+setting)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", setting, err, out)
		}
	}
}

func compare(t *testing.T, what string, got, want []float32, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d components, want %d", what, len(got), len(want))
	}
	for i := range got {
		if approx.Apart(float64(got[i]), float64(want[i]), tolerance) {
			t.Fatalf("%s: component %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// The test compares ColBERT's token vectors, and the scores by which it ranks.
func TestGoldenColBERT(t *testing.T) {
	type text struct {
		Text    string      `json:"text"`
		IDs     []uint32    `json:"input_ids"`
		Vectors [][]float32 `json:"vectors"`
		Kept    []int       `json:"kept_positions"`
	}
	var g struct {
		Tolerance struct {
			Vector float64 `json:"vector_atol"`
			Score  float64 `json:"score_atol"`
		} `json:"tolerance"`
		Queries []text
		Docs    []text
		Scores  [][]float32 `json:"scores"`
	}
	e, err := Open(context.Background(), readGolden(t, "colbert-tiny/golden.json", &g), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	encode := func(texts []text, role encoder.Role) (all []encoder.TokenVectors) {
		for i, x := range texts {
			got, err := e.(TokenEncoder).EncodeTokens(context.Background(), []string{x.Text}, role)
			if err != nil {
				t.Fatal(err)
			}
			v := got[0]
			if v.Rows != len(x.Vectors) {
				t.Fatalf("%s %d has %d vectors, want %d", role, i, v.Rows, len(x.Vectors))
			}
			for j, want := range x.Vectors {
				compare(t, fmt.Sprintf("%s %d, vector %d", role, i, j), v.Vectors[j*v.Dim:(j+1)*v.Dim], want, g.Tolerance.Vector)
			}
			all = append(all, v)
		}
		return all
	}
	queries, docs := encode(g.Queries, encoder.Query), encode(g.Docs, encoder.Document)
	for i, q := range queries {
		for j, d := range docs {
			compare(t, fmt.Sprintf("score of %d and %d", i, j), []float32{rerank.MaxSim(q.Vectors, d.Vectors, q.Dim)}, g.Scores[i][j:j+1], g.Tolerance.Score)
		}
	}
}

// The test compares OPT's scores of the next token.
func TestGoldenLogits(t *testing.T) {
	for _, name := range []string{"opt-tiny", "opt-proj-tiny"} {
		var g golden
		e, err := Open(context.Background(), readGolden(t, name+"/golden.json", &g), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for _, b := range g.Batches {
			if len(b.Texts) == 0 {
				continue
			}
			scores, err := e.(Decoder).Logits(context.Background(), b.Texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, item := range b.Items {
				var top struct {
					IDs    []int     `json:"ids"`
					Values []float32 `json:"values"`
				}
				var first []float32
				for key, to := range map[string]any{"logits_last_top5": &top, "logits_last_first8": &first} {
					if err := json.Unmarshal(item[key], to); err != nil {
						t.Fatal(err)
					}
				}
				logits := scores[i].Logits
				compare(t, "first logits", logits[:len(first)], first, g.Tolerance.Hidden)
				var best []float32
				for _, id := range top.IDs {
					best = append(best, logits[id])
				}
				compare(t, "best logits", best, top.Values, g.Tolerance.Hidden)
				if slices.Max(logits) != best[0] {
					t.Errorf("text %d: token %d is not the best", i, top.IDs[0])
				}
			}
		}
	}
}

// The test compares DPR's two encoders.
func TestGoldenDPR(t *testing.T) {
	for _, name := range []string{"dpr-tiny", "dpr-proj-tiny"} {
		var g struct {
			Questions []string    `json:"questions"`
			Passages  []string    `json:"passages"`
			Scores    [][]float64 `json:"scores"`
		}
		dir := readGolden(t, name+"/golden_scores.json", &g)
		var sides [2][]encoder.Embedding
		for i, side := range []struct {
			folder string
			texts  []string
		}{{"question_encoder", g.Questions}, {"ctx_encoder", g.Passages}} {
			e, err := Open(context.Background(), filepath.Join(dir, side.folder), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if sides[i], err = e.Encode(context.Background(), side.texts, encoder.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		for i, q := range sides[0] {
			for j, p := range sides[1] {
				dot := 0.0
				for d, v := range q.Vector {
					dot += float64(v) * float64(p.Vector[d])
				}
				if approx.Apart(dot, g.Scores[i][j], 1e-4*(1+math.Abs(dot))) {
					t.Errorf("%s: question %d and passage %d: %v, want %v", name, i, j, dot, g.Scores[i][j])
				}
			}
		}
	}
}
