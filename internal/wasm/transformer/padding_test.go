package transformer

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// RoBERTa's padding tokens keep their own row of the position table, and tokens after them do
// not skip rows, as in transformers: with padding id 1, four tokens have the rows 2, 1, 1, 3.
func TestPaddingTokens(t *testing.T) {
	c := BERTConfig{50, 32, 2, 4, 128, 16, 2, 2, 1e-5, dense.GELU, false, 0, false}
	weights := madeBERT(c)
	roberta, err := NewBERT(c, weights)
	if err != nil {
		t.Fatal(err)
	}
	const table = "embeddings.position_embeddings.weight"
	rows, shape, _ := weights.Tensor(table)
	row := func(i int) []float32 { return rows[i*c.Hidden : (i+1)*c.Hidden] }
	plain := madeBERT(c)
	c.FirstPosition = 0
	values, _, _ := plain.Tensor(table)
	copy(values, slices.Concat(row(2), row(1), row(1), row(3)))
	bert, err := NewBERT(c, plain)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(1)
	defer pool.Close()
	states := func(m Model) []float32 {
		out := make([]float32, 4*m.Hidden())
		if err := m.Forward(out, &Batch{IDs: []uint32{5, 1, 1, 9}, Lengths: []int{4}}, &Scratch{Pool: pool}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !slices.Equal(states(roberta), states(bert)) {
		t.Errorf("the states of padding tokens have other positions (table of %v)", shape)
	}
}
