package transformer_test

import (
	"testing"

	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// The vectors of the model in ../shared/model/sides are near those that PyTorch computes
// in float32 from the same weights of 4 bits.
func TestQuantizedGolden(t *testing.T) {
	dir := shared.Path(t, "model/sides")
	golden, err := quantized.ReadGolden(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, close, err := quantized.Sides(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer close()
	m, err := transformer.NewQuantized(quantized.MiniLM, w)
	if err == nil {
		err = m.AddBranch(w)
	}
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	var b transformer.Batch
	for _, text := range golden.Texts {
		b.IDs, b.Lengths = append(b.IDs, text.IDs...), append(b.Lengths, len(text.IDs))
	}
	dim, out := m.Config().Dim(), m.Config().Branch.Out
	topics, angles := make([]float32, len(b.Lengths)*dim), make([]float32, len(b.Lengths)*out)
	if err := m.Encode(topics, angles, &b, m.NewScratch(pool, 0)); err != nil {
		t.Fatal(err)
	}
	leastTopic, leastAngle, sumTopic, sumAngle := 1., 1., 0., 0.
	for i, text := range golden.Texts {
		topic, angle := naive.Cosine(topics[i*dim:(i+1)*dim], text.Topic4), naive.Cosine(angles[i*out:(i+1)*out], text.Angle4)
		leastTopic, leastAngle, sumTopic, sumAngle = min(leastTopic, topic), min(leastAngle, angle), sumTopic+topic, sumAngle+angle
		t.Logf("cosine to float32: topic %.5f, angle %.5f: %.40q", topic, angle, text.Text)
	}
	n := float64(len(golden.Texts))
	t.Logf("on average: topic %.5f, angle %.5f; at least: %.5f, %.5f", sumTopic/n, sumAngle/n, leastTopic, leastAngle)
	if leastTopic < .992 || leastAngle < .996 || sumTopic < .9975*n || sumAngle < .9985*n {
		t.Error("the vectors are too far from those in float32: topic .992 at least and .9975 on average, angle .996 and .9985")
	}
}
