package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

func TestKendallAgainstPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		n := 1 + rng.IntN(40)
		a, b := rng.Perm(n), rng.Perm(n)
		agree, pairs := 0, 0
		for i := range n {
			for j := range i {
				pairs++
				if (slices.Index(a, i) < slices.Index(a, j)) == (slices.Index(b, i) < slices.Index(b, j)) {
					agree++
				}
			}
		}
		want := 1.0
		if pairs > 0 {
			want = float64(2*agree-pairs) / float64(pairs)
		}
		if got := Kendall(a, b); approx.Apart(got, want, 1e-12) {
			t.Fatalf("τ of %v and %v is %g, want %g", a, b, got, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		k    int
		want float64
	}{
		{[]int{0, 1, 2}, []int{2, 1, 0}, 3, 1},
		{[]int{0, 1, 2}, []int{2, 1, 0}, 2, 0.5},
		{[]int{0, 1, 2}, []int{2, 1, 0}, 1, 0},
		{[]int{0, 1}, []int{0, 1}, 10, 1},
	} {
		if got := overlap(c.a, c.b, c.k); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

func TestMeasure(t *testing.T) {
	encoder, err := builtin.Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	task := Task{Name: "small"}
	subjects := []string{"trains", "cats", "schools", "soup", "rain", "taxes"}
	for i := range 60 {
		task.Documents = append(task.Documents, fmt.Sprintf("%s are better than %s on day %d", subjects[i%6], subjects[i*7%5], i))
	}
	task.Queries = []Query{
		{Text: "Find a claim that opposes the argument: cats like rain", Root: "cats like rain", Perspectives: []string{"a claim that opposes the argument"}},
		{Text: "schools on a rainy day", Root: "schools"},
		{Text: "soup"},
		{Text: ""}, // no method has an answer
	}
	costs, err := Measure(context.Background(), encoder, task)
	if err != nil {
		t.Fatal(err)
	}
	without := slices.DeleteFunc(perspective.Methods(), func(m perspective.Method) bool { return m.Angles > 0 })
	if want := 2 * len(without); len(costs) != want {
		t.Fatalf("%d rows, want %d", len(costs), want)
	}
	for _, c := range costs {
		want := 2
		if c.Method == "query_cosine" {
			want = 3
		}
		if c.Queries != want {
			t.Errorf("%s: %d queries, want %d", c.Method, c.Queries, want)
		}
		if !(c.Recall > 0.5 && c.Recall <= 1 && c.Tau > 0.8 && c.Tau <= 1) {
			t.Errorf("%+v", c)
		}
		if c.DType == shard.I8 && c.Method == "query_cosine" && c.Tau == 1 {
			t.Errorf("int8 costs nothing at all: %+v", c)
		}
	}
	if _, err := Measure(context.Background(), encoder, Task{Name: "x", Documents: []string{"one"}}); !errors.Is(err, fault.Input) || !strings.HasPrefix(err.Error(), "task x: 1 document, ") {
		t.Errorf("one document: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(cancelled, encoder, task); err == nil {
		t.Error("a cancelled measurement has a result")
	}
}
