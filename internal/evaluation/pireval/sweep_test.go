package pireval

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/perspective"
)

// debates is the bundled corpus as a task, and the built-in model.
func debates(t testing.TB) ([]pir.Task, System) {
	t.Helper()
	tasks, err := pir.Open("../../../examples/debates")
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), model.Builtin, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tasks, Vectors{Embedder: Encoded{Encoder: encoder}}
}

// TestSweep checks that λ = 0 is the plain cosine, 1 the method itself, and −1 its
// reverse.
func TestSweep(t *testing.T) {
	tasks, retriever := debates(t)
	lambdas, err := ParseSweep("lambda=-1:1:1")
	if err != nil || !slices.Equal(lambdas, []float64{-1, 0, 1}) {
		t.Fatal(lambdas, err)
	}
	all := VectorMethods()
	run, err := Evaluate(context.Background(), tasks, retriever, slices.Concat(all, Swept(all, lambdas)), func(string, int, int) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, sweep := run.Cut(len(all))
	if len(first.Methods) != len(all) || len(sweep.Methods) != 6 {
		t.Fatalf("%d and %d methods", len(first.Methods), len(sweep.Methods))
	}
	for i, want := range []string{"vec_projection_rev", "query_cosine", "vec_projection", "vec_dual_projection_rev", "query_cosine", "vec_dual_projection"} {
		m, got := sweep.Methods[i], sweep.Tasks[0].Value[i]
		if got.Name != m.Name || m.Lambda != lambdas[i%3] {
			t.Errorf("%d: %s with λ %v", i, got.Name, m.Lambda)
		}
		if !reflect.DeepEqual(got.Value, *first.Result("debates", want)) {
			t.Errorf("%s with λ %v differs from %s", m.Name, m.Lambda, want)
		}
	}
}

func TestParseSweep(t *testing.T) {
	got, err := ParseSweep("lambda=-2:2:0.1")
	if err != nil || len(got) != 41 || got[0] != -2 || got[1] != -1.9 || got[20] != 0 || got[23] != 0.3 || got[40] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := ParseSweep("lambda=0:1:0.3"); err != nil || !slices.Equal(got, []float64{0, 0.3, 0.6, 0.9}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "lambda", "lambda=1", "lambda=0:1", "mu=0:1:1", "lambda=0:1:0", "lambda=0:1:-1", "lambda=1:0:1", "lambda=0:x:1",
		"lambda=NaN:1:1", "lambda=0:Inf:1", "lambda=0:1:1e-9", "lambda=-11:0:1", "lambda=0:11:1", "lambda=0:1:1:1"} {
		if got, err := ParseSweep(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

func FuzzParseSweep(f *testing.F) {
	f.Add("lambda=-2:2:0.1")
	f.Add("lambda=0:1e-10:1e-10")
	f.Add("lambda=-10:10:1e-300")
	f.Fuzz(func(t *testing.T, text string) {
		lambdas, err := ParseSweep(text)
		if err != nil {
			return
		}
		if len(lambdas) == 0 || len(lambdas) > mostLambdas {
			t.Errorf("%q: %d values", text, len(lambdas))
		}
		for i, l := range lambdas {
			if !(l >= -perspective.MaxLambda && l <= perspective.MaxLambda) || i > 0 && l <= lambdas[i-1] {
				t.Errorf("%q: %v", text, lambdas)
			}
		}
	})
}

// Files of vectors are named after their folder, also if it is the shell's.
func TestNameOfVectorFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "emb")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, given := range []string{dir, ".", "../emb/"} {
		if name := (VectorFiles{given}).Name(); name != "vectors:emb" {
			t.Errorf("%s: %s", given, name)
		}
	}
}
