package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/testing/peer"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// words are texts with a vector for each word: one drawn by the word, and a little of one drawn
// by the text.
func words(r *rand.Rand, texts, least, most, dim int) (out [][]float32) {
	for range texts {
		text := make([]string, least+r.IntN(most-least+1))
		for i := range text {
			text[i] = fmt.Sprint("w", r.IntN(90))
		}
		var vectors []float32
		for _, word := range text {
			row, norm := make([]float64, dim), 0.0
			for i, part := range []string{word, strings.Join(text, " ")} {
				h := fnv.New64a()
				h.Write([]byte(part))
				drawn := rand.New(rand.NewPCG(h.Sum64(), 1))
				for j := range row {
					row[j] += drawn.NormFloat64() / float64(1+3*i)
				}
			}
			for _, v := range row {
				norm += v * v
			}
			for _, v := range row {
				vectors = append(vectors, float32(v/math.Sqrt(norm)))
			}
		}
		out = append(out, vectors)
	}
	return out
}

// At 8 bits the ten best documents are those of exact MaxSim in NumPy, except that a document
// whose exact score is at most 0.0005 below that of the tenth counts, too. At 4 bits, at least
// 99 of 100 are, without that exception.
func TestTheTenBestAreNumPys(t *testing.T) {
	python, err := exec.Command("sh", filepath.Join("..", "..", "scripts", "python.sh")).Output()
	if err != nil {
		t.Skipf("no Python with numpy: %v", err)
	}
	r := rand.New(rand.NewPCG(6, 6))
	b := bench{dim: 128, keep: t.TempDir()}
	b.documents, b.asked = words(r, 400, 1, 25, b.dim), words(r, 60, 4, 12, b.dim)
	for name, vectors := range map[string][][]float32{"documents": b.documents, "queries": b.asked} {
		if err := write(b.keep, name, "", vectors, b.dim); err != nil {
			t.Fatal(err)
		}
	}
	other, err := peer.Start(exec.Command(strings.TrimSpace(string(python)), "peer.py", b.keep, fmt.Sprint(b.dim)))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Stop()
	var truth answer
	if err := other.Ask(order{Do: "exact", K: len(b.documents)}, &truth); err != nil {
		t.Fatal(err)
	}
	learned, err := collection.LearnTokens(t.Context(), b.dim, 8, len(b.documents), 1, func(i int) ([]float32, error) { return b.documents[i], nil }, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	centroids, err := tokens.EncodeCodebook(learned)
	if err != nil {
		t.Fatal(err)
	}
	for bits, want := range map[int]struct{ recall, tie float64 }{8: {1, 0.0005}, 4: {0.99, 0}} {
		ix, _, _, err := b.build(centroids, bits)
		if err != nil {
			t.Fatal(err)
		}
		found, off := 0, 0.0
		for i, q := range b.asked {
			scores := map[uint32]float64{}
			for rank, d := range truth.Found[i] {
				scores[uint32(d)] = truth.Scores[i][rank]
			}
			hits, err := ix.Search(&tokens.Request{TokenQuery: perspective.TokenQuery{Vectors: q}, K: k})
			if err != nil || len(hits) != k {
				t.Fatal(len(hits), err)
			}
			for _, h := range hits {
				off = max(off, math.Abs(float64(h.Score)-scores[h.Document]))
				if scores[h.Document] >= truth.Scores[i][k-1]-want.tie {
					found++
				}
			}
		}
		recall := float64(found) / float64(k*len(b.asked))
		t.Logf("%d bits: recall@10 is %.4f, scores are off by at most %.5f", bits, recall, off)
		if recall < want.recall {
			t.Errorf("%d bits: recall@10 is %.4f, at least %v", bits, recall, want.recall)
		}
	}
}

// If fast-plaid is installed, but torch cannot be imported, the process gives no version, as
// without fast-plaid, and answers the rest.
func TestFastPlaidIsNotImported(t *testing.T) {
	python, err := exec.Command("sh", filepath.Join("..", "..", "scripts", "python.sh")).Output()
	if err != nil {
		t.Skipf("no Python with numpy: %v", err)
	}
	for _, fault := range []string{"ImportError", "OSError"} {
		b := bench{dim: 2, keep: t.TempDir()}
		modules := t.TempDir()
		if err := os.Mkdir(filepath.Join(modules, "fast_plaid-1.0.dist-info"), 0o755); err != nil {
			t.Fatal(err)
		}
		for path, content := range map[string]string{"fast_plaid-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: fast-plaid\nVersion: 1.0\n", "torch.py": "raise " + fault + "('not here')\n"} {
			if err := os.WriteFile(filepath.Join(modules, path), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"documents", "queries"} {
			if err := write(b.keep, name, "", [][]float32{{1, 0}}, b.dim); err != nil {
				t.Fatal(err)
			}
		}
		command := exec.Command(strings.TrimSpace(string(python)), "peer.py", b.keep, fmt.Sprint(b.dim))
		command.Env = append(os.Environ(), "PYTHONPATH="+modules)
		other, err := peer.Start(command)
		if err != nil {
			t.Fatal(err)
		}
		var truth answer
		if err := other.Ask(order{Do: "exact", K: 1}, &truth); err != nil || truth.Version != "" || len(truth.Found) != 1 {
			t.Errorf("%s: %v, %+v", fault, err, truth)
		}
		other.Stop()
	}
}
