package collection

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/manifests"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// The level is that of a plain computation over all rows, whatever the files and the type
// of the rows, and an update leaves it as a first run writes it.
func TestForeign(t *testing.T) {
	texts := []string{"Night trains deserve a subsidy.", "A soup of lentils with cumin.", "Uniforms hide who pupils are.", "The Moon has no air.", "", "Sleeper cars are full in summer.", "How to boil an egg."}
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}
	model := builtin.Builtin()
	e, err := model.Encoder(staticmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var best []float64
	for question := range strings.Lines(foreignText) {
		most := -1.0
		for _, text := range texts {
			most = max(most, plainCosine(vectorOf(e, strings.TrimSpace(question)), vectorOf(e, text)))
		}
		best = append(best, most)
	}
	if len(best) != 64 {
		t.Fatalf("%d questions", len(best))
	}
	mean, squares := 0.0, 0.0
	for _, b := range best {
		mean += b / float64(len(best))
		squares += b * b / float64(len(best))
	}
	want := mean + 2*math.Sqrt(squares-mean*mean)
	if want >= ceilings[builtin.BuiltinID] {
		t.Fatalf("the level would be %.3f: the test sees only the ceiling", want)
	}
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		dir := t.TempDir()
		var before string
		for _, shardBytes := range []int{0, 1500, 1500} { // the runs after the first take over all rows
			if _, err := Write(t.Context(), dir, docs, Options{Rows: Carried{Model: model}, DType: dtype, ShardBytes: shardBytes}); err != nil {
				t.Fatal(err)
			}
			m := manifests.Read(t, dir)
			if approx.Apart(m.Close, want, 0.004) || dtype == shard.F32 && approx.Apart(m.Close, want, 0.00051) {
				t.Errorf("%s: level %.3f, plainly %.4f", dtype, m.Close, want)
			}
			if now := fmt.Sprint(m.Close); before != "" && now != before {
				t.Errorf("%s: level %s after an update, %s before", dtype, now, before)
			} else {
				before = now
			}
		}
	}
}

// A collection of another encoder has no level.
func TestForeignUnknown(t *testing.T) {
	dir := t.TempDir()
	docs := func(yield func(store.Document, error) bool) { yield(store.Document{ID: "a", Text: "red"}, nil) }
	if _, err := Write(t.Context(), dir, docs, Options{Rows: Carried{Model: staticmodeltest.Tiny(t)}}); err != nil {
		t.Fatal(err)
	}
	if m := manifests.Read(t, dir); m.Close != 0 {
		t.Errorf("level %g", m.Close)
	}
}

// The ceilings are those of the encoders that the program brings.
func TestCeilings(t *testing.T) {
	content, err := os.ReadFile("../../sides/pack/pack.json")
	if err != nil {
		t.Fatal(err)
	}
	var bundled struct{ ID string }
	if err := json.Unmarshal(content, &bundled); err != nil {
		t.Fatal(err)
	}
	if len(ceilings) != 2 || ceilings[builtin.BuiltinID] == 0 || ceilings[bundled.ID] == 0 {
		t.Errorf("%v has not both %s and %s", ceilings, builtin.BuiltinID, bundled.ID)
	}
}

func vectorOf(e *staticmodel.Encoder, text string) []float32 {
	v := make([]float32, e.Static.Dim())
	e.Static.Encode(v, text)
	return v
}

func plainCosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
