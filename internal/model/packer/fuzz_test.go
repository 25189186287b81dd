package packer

import (
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// Any tokenizer.json that is read can be taken apart and put together again, with the same
// tokens. After a cut of the vocabulary, not more tokens are unknown.
func FuzzTokenizer(f *testing.F) {
	tokenizer := modeltest.Tokenizer()
	add := func() {
		text, err := marshal(tokenizer)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "night trains [SEP] help!", uint8(10))
	}
	add()
	tokenizer["post_processor"] = modeltest.Object{"type": "BertProcessing", "cls": []any{"[CLS]", 2}, "sep": []any{"[SEP]", 3}}
	add()
	f.Fuzz(func(t *testing.T, text []byte, words string, less uint8) {
		if len(text) > 1<<16 {
			return
		}
		o := &original{values: tensors{}}
		if o.readTokenizer(text) != nil {
			return
		}
		again, err := tokenizerOf(o.settings, o.pieces)
		if err != nil {
			if slices.ContainsFunc(o.pieces, func(p string) bool { return strings.Contains(p, "\n") }) {
				return // which packfile refuses
			}
			t.Fatalf("%v in %s", err, o.settings)
		}
		if a, b := o.tokenizer.EncodeSpecial(nil, words, 0), again.EncodeSpecial(nil, words, 0); !slices.Equal(a, b) {
			t.Fatalf("%v, before %v", b, a)
		}
		unknown := func(ids []uint32) (n int) {
			for _, id := range ids {
				if id == o.tokenizer.UnknownID() {
					n++
				}
			}
			return n
		}
		before := unknown(o.tokenizer.Encode(nil, words))
		o.manifest.Config.Hidden = 1
		o.values["embeddings.word_embeddings.weight"] = make([]float32, len(o.pieces))
		if o.cut(len(o.pieces)-int(less), make([]float64, len(o.pieces))) != nil {
			return
		}
		if after := unknown(o.tokenizer.Encode(nil, words)); after > before {
			t.Fatalf("%d unknown after a cut, %d before", after, before)
		}
	})
}
