package browser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// A model gives the same bits in Chromium, with either kernel, as natively.
func TestModelAgreesWithNative(t *testing.T) {
	files, err := quantized.FourBitPack(transformer.QuantizedConfig{Hidden: 64, Layers: 3, Heads: 2, Intermediate: 160, Positions: 70, Types: 2, Epsilon: 1e-12,
		Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 22}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	native, err := packed.Open(files[pack.FileName], nil, pool)
	if err != nil {
		t.Fatal(err)
	}
	var sent []object
	for _, name := range []string{pack.Vocabulary, pack.Trunk, pack.BranchSection} {
		for _, f := range native.Manifest().Section(name).Files {
			sent = append(sent, object{"section": name, "content": files[f.Path]})
			if err := native.File(name, files[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
	}
	var texts []string
	words := strings.Fields(strings.Repeat("the cat sat on a mat and dogs ran . unknownwordxyz ", 7))
	for n := range len(words) {
		texts = append(texts, strings.Join(words[:n], " "))
	}
	dim, branchDim := native.Dim()
	type encoded struct {
		Vectors [][2][]byte
		Memory  map[string]int64
	}
	page, encode := library(t), `async (...args) => (await import('/test/model.js')).encode(...args)`
	answer := call[encoded](t, page, encode, files[pack.FileName], sent, texts)
	plain := call[encoded](t, page, encode, files[pack.FileName], sent, texts, "/static/lib/kernel.wasm")
	if !reflect.DeepEqual(answer, plain) {
		t.Error("the kernels differ")
	}
	got := answer.Vectors
	if len(got) != len(texts) {
		t.Fatalf("%d answers to %d texts", len(got), len(texts))
	}
	for name, memory := range answer.Memory {
		if want := native.Manifest().Memory(name); memory != want || want == 0 {
			t.Errorf("section %s takes %d bytes in the page's account, %d in Go's", name, memory, want)
		}
	}
	for i, text := range texts {
		vector, branch := make([]float32, dim), make([]float32, branchDim)
		if _, err := native.Encode(vector, branch, text); err != nil {
			t.Fatal(err)
		}
		same(t, "vector of "+text, got[i][0], vector)
		same(t, "branch of "+text, got[i][1], branch)
	}
}
