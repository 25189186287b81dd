// Package staticmodeltest has a static model for tests.
package staticmodeltest

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Tiny is a static encoder of less than 2 kB, so that tests can open it a thousand
// times quickly.
func Tiny(t testing.TB) staticmodel.Files {
	t.Helper()
	words := []string{"[PAD]", "[UNK]", "a", "claim", "that", "opposes", "the", "argument", "school", "prices", "in", "cafe", "red", "green", "blue",
		"document", "number", "s", "##s", "##e", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "##0", "##1", "##2", "##3", "##4", "##5", "##6", "##7", "##8", "##9"}
	vocab := map[string]int{}
	for i, w := range words {
		vocab[w] = i
	}
	tokenizer, err := json.Marshal(map[string]any{
		"version":        "1.0",
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": nil,
		"decoder":        nil,
		"added_tokens":   []any{},
		"model":          map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	})
	if err != nil {
		t.Fatal(err)
	}
	const dim = 12
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]byte, len(words)*dim)
	scales := make([]byte, 0, 4*len(words))
	for i := range rows {
		rows[i] = byte(r.IntN(255) - 127)
	}
	for range words {
		scales = append(scales, 0, 0, 0x80, 0x3c) // 1/64
	}
	weights, err := shard.AppendSafetensors(nil, []shard.Tensor{
		{Name: "embeddings", DType: shard.I8, Shape: []int{len(words), dim}, Data: rows},
		{Name: "scales", DType: shard.F32, Shape: []int{len(words)}, Data: scales}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := staticmodel.New("tiny", tokenizer, weights, []byte(`{"normalize": true}`))
	f.Language = "en"
	if _, err := f.Open(); err != nil {
		t.Fatal(err)
	}
	return f
}
