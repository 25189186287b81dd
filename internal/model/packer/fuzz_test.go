package packer

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
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

// Any file of a reader is refused by an error of a kind, or gives all that a pack needs.
func FuzzReader(f *testing.F) {
	good, err := os.ReadFile(writeReader(f, readerTensors(readerOf()), readerOf()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	for _, change := range [][2]string{{`\"width\":9`, `\"width\":-9`}, {`\"states\":[1,2]`, `\"states\":[2,1]`}, {"[9,64]", "[64,9]"}, {`"F32"`, `"I32"`}, {"place", "plaza"}} {
		f.Add(bytes.Replace(good, []byte(change[0]), []byte(change[1]), 1))
	}
	src := small(f, nil, 1)
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := read(src)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.parseReader(b); err != nil {
			if fault.Of(err) == "" || fault.Of(err) == fault.Internal {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		o.manifest.Config.Needs(pack.Encoder, pack.ReaderSection, func(n pack.Need) {
			size := 1
			for _, d := range n.Shape {
				size *= d
			}
			if len(o.values[n.Name]) != size || size < 1 {
				t.Fatalf("%s has %d values, not %v", n.Name, len(o.values[n.Name]), n.Shape)
			}
		})
	})
}
