package packer

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

func all(texts ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}

// A cut vocabulary keeps what texts and words need most. What is cut is spelt out, and
// embeddings move with their pieces.
func TestVocabularyIsCut(t *testing.T) {
	src := small(t, nil, 1)
	whole, _ := makePack(t, src, Options{Bits: 8})
	frequencies := func(yield func(Frequency, error) bool) {
		_ = yield(Frequency{"trains", 1000}, nil) && yield(Frequency{"night", 2}, nil)
	}
	n := len(modeltest.Vocabulary())
	r, p := makePack(t, src, Options{Bits: 8, Vocabulary: n - 12, Corpus: all("school uniforms", "school"), Frequencies: frequencies})
	if p.Manifest.Config.Vocabulary != n-12 || r.Report.Pieces != n-12 || p.Tokenizer().VocabSize() != n-12 {
		t.Fatalf("%d pieces", p.Manifest.Config.Vocabulary)
	}
	for _, word := range []string{"school", "uniforms", "trains", "night", "[UNK]", "[MASK]", "a", "##z"} {
		if _, ok := p.Tokenizer().ID(word); !ok {
			t.Errorf("%q is cut", word)
		}
	}
	cut := 0
	for _, word := range words {
		if _, ok := p.Tokenizer().ID(word); !ok {
			cut++
			if got := p.Tokenizer().Encode(nil, word); len(got) != len(word) {
				t.Errorf("%q has the pieces %v", word, got)
			}
		}
	}
	if cut < 12 {
		t.Errorf("only %d of the words are cut", cut)
	}
	files := func(r *Result) *pack.Pack {
		_, read := packedFiles(t, r)
		return read
	}
	before, after := files(whole), files(r)
	a, err := before.Matrix("embeddings.word_embeddings.weight", n, modeltest.Hidden)
	if err != nil {
		t.Fatal(err)
	}
	b, err := after.Matrix("embeddings.word_embeddings.weight", n-12, modeltest.Hidden)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"school", "trains", "[SEP]", "##z"} {
		i, _ := before.Tokenizer().ID(word)
		j, _ := after.Tokenizer().ID(word)
		if !slices.Equal(a.Values[i*modeltest.Hidden:][:modeltest.Hidden], b.Values[j*modeltest.Hidden:][:modeltest.Hidden]) {
			t.Errorf("%q has another embedding", word)
		}
	}
	if _, err := Pack(t.Context(), src, Options{Bits: 8, Samples: samples(20), Vocabulary: 20, Corpus: all("a")}); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), "single characters alone are") {
		t.Errorf("too few pieces: %v", err)
	}
}

// Frequencies count as much as texts, whatever they add up to.
func TestScaleOfFrequencies(t *testing.T) {
	for _, scale := range []float64{1e-9, 1, 1e6} {
		o := &original{values: tensors{}}
		if err := o.readTokenizer(small(t, nil, 1).Tokenizer); err != nil {
			t.Fatal(err)
		}
		o.manifest.Config.Hidden = 1
		o.values["embeddings.word_embeddings.weight"] = make([]float32, len(o.pieces))
		prefix, always, err := o.indispensable()
		if err == nil {
			err = o.spellable(prefix, always)
		}
		if err != nil {
			t.Fatal(err)
		}
		frequencies := func(yield func(Frequency, error) bool) {
			_ = yield(Frequency{"trains", .03 * scale}, nil) && yield(Frequency{"night", .01 * scale}, nil)
		}
		texts := all("school", "school", "school", "school", "uniforms")
		if err := o.cutFor(t.Context(), &Options{Vocabulary: len(always) + 3, Corpus: texts, Frequencies: frequencies}); err != nil {
			t.Fatal(err)
		}
		for word, kept := range map[string]bool{"school": true, "trains": true, "night": true, "uniforms": false} {
			if got := slices.Contains(o.pieces, word); got != kept {
				t.Errorf("times %v: %q is kept: %t", scale, word, got)
			}
		}
	}
}

// Whatever is cut, no word becomes unknown that was not, and a text whose pieces
// all stay has the same pieces.
func TestCutsMakeNothingUnknown(t *testing.T) {
	for _, name := range []string{"", "data/golden/bert-tiny", "data/tokenizer/bert-uncased"} {
		t.Run(name, func(t *testing.T) {
			var text []byte
			if name == "" {
				text = small(t, nil, 1).Tokenizer
			} else {
				text = tokenizerIn(t, shared.Path(t, name))
			}
			r := rand.New(rand.NewPCG(7, 0))
			for range 6 {
				o, whole := &original{values: tensors{}}, &original{}
				for _, m := range []*original{o, whole} {
					if err := m.readTokenizer(text); err != nil {
						t.Fatal(err)
					}
				}
				o.manifest.Config.Hidden = 1
				o.values["embeddings.word_embeddings.weight"] = make([]float32, len(o.pieces))
				_, always, err := o.indispensable()
				if err != nil {
					t.Fatal(err)
				}
				used := make([]float64, len(o.pieces))
				for id := range used {
					used[id] = r.Float64()
				}
				if err := o.cut(len(always)+r.IntN(len(o.pieces)-len(always)), used); err != nil {
					t.Fatal(err)
				}
				checkWords(t, r, whole, o)
			}
		})
	}
}

// checkWords compares two tokenizers on random words, put together of pieces and
// of characters that may not be known.
func checkWords(t *testing.T, r *rand.Rand, whole, cut *original) {
	t.Helper()
	same := 0
	for range 3000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			switch r.IntN(8) {
			case 0:
				b.WriteByte(' ')
			case 1:
				b.WriteRune([]rune("aZ9é!你-ßЖ\u0301☃")[r.IntN(11)])
			default:
				b.WriteString(strings.TrimPrefix(whole.pieces[r.IntN(len(whole.pieces))], "##"))
			}
		}
		before, after := whole.tokenizer.Encode(nil, b.String()), cut.tokenizer.Encode(nil, b.String())
		unknown := func(o *original, ids []uint32) (n int) {
			for _, id := range ids {
				if id == o.tokenizer.UnknownID() {
					n++
				}
			}
			return n
		}
		if n, m := unknown(whole, before), unknown(cut, after); n != m {
			t.Fatalf("%q: %d unknown, %d before", b.String(), m, n)
		}
		kept := true
		for _, id := range before {
			_, ok := cut.tokenizer.ID(whole.pieces[id])
			kept = kept && ok
		}
		if !kept {
			continue
		}
		same++
		if len(before) != len(after) {
			t.Fatalf("%q: %d pieces, %d before", b.String(), len(after), len(before))
		}
		for i := range before {
			if whole.pieces[before[i]] != cut.pieces[after[i]] {
				t.Fatalf("%q: piece %q, %q before", b.String(), cut.pieces[after[i]], whole.pieces[before[i]])
			}
		}
	}
	if same == 0 {
		t.Error("no text has pieces that are all kept")
	}
}

// A vocabulary in which a piece cannot be spelt with single characters is not cut.
func TestUnspellableVocabularies(t *testing.T) {
	tokenizer := modeltest.Tokenizer()
	vocabulary := tokenizer["model"].(modeltest.Object)["vocab"].(modeltest.Object)
	vocabulary["##xé"] = len(vocabulary)
	text, err := marshal(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	o := &original{values: tensors{}}
	if err := o.readTokenizer(text); err != nil {
		t.Fatal(err)
	}
	if err := o.cut(len(o.pieces)-1, make([]float64, len(o.pieces))); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), `piece "##xé" cannot be spelt without "##é"`) {
		t.Errorf("%v", err)
	}
	vocabulary["x"+"[é]"] = len(vocabulary) // no word has brackets, so it is never used
	delete(vocabulary, "##xé")
	vocabulary["##é"] = len(vocabulary) - 1
	if text, err = marshal(tokenizer); err != nil {
		t.Fatal(err)
	}
	if err := o.readTokenizer(text); err != nil {
		t.Fatal(err)
	}
	_, always, err := o.indispensable()
	if err == nil {
		err = o.spellable("##", always)
	}
	if err != nil {
		t.Error(err)
	}
}

// Vocabularies with holes, and tokenizers of other kinds, are refused.
func TestTokenizerRefusals(t *testing.T) {
	hole := modeltest.Tokenizer()
	delete(hole["model"].(modeltest.Object)["vocab"].(modeltest.Object), "school")
	other := modeltest.Tokenizer()
	other["model"].(modeltest.Object)["type"] = "BPE"
	twice := modeltest.Tokenizer()
	twice["added_tokens"] = append(twice["added_tokens"].([]modeltest.Object), modeltest.Object{"id": 20, "content": "twenty"})
	for says, tokenizer := range map[string]modeltest.Object{"no piece with id": hole, "two pieces of the vocabulary have id 20": twice, "WordPiece tokenizers alone": other} {
		text, err := marshal(tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		if err := (&original{}).readTokenizer(text); fault.Of(err) == "" || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// Keys that differ from those of a tokenizer.json only in case count for nothing, as in the
// tokenizer's own reader.
func TestKeysOfOtherCase(t *testing.T) {
	plain, err := marshal(modeltest.Tokenizer())
	if err != nil {
		t.Fatal(err)
	}
	want := &original{}
	if err := want.readTokenizer(plain); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(file, model, token modeltest.Object){
		"Vocab":    func(_, model, _ modeltest.Object) { model["Vocab"] = modeltest.Object{"zzz": 1000000} },
		"negative": func(_, model, _ modeltest.Object) { model["voCab"] = modeltest.Object{"zzz": -1} },
		"Model": func(file, _, _ modeltest.Object) {
			file["modeL"] = modeltest.Object{"vocab": modeltest.Object{"zzz": -1}}
		},
		"ID":           func(_, _, token modeltest.Object) { token["iD"] = 1000000 },
		"Content":      func(_, _, token modeltest.Object) { token["contenT"] = "zzz" },
		"added_tokenS": func(file, _, _ modeltest.Object) { file["added_tokenS"] = []any{modeltest.Object{"id": -1}} },
		"prefiX":       func(_, model, _ modeltest.Object) { model["continuing_subword_prefiX"] = "zzz" },
	} {
		tokenizer := modeltest.Tokenizer()
		change(tokenizer, tokenizer["model"].(modeltest.Object), tokenizer["added_tokens"].([]modeltest.Object)[0])
		text, err := marshal(tokenizer)
		if err != nil {
			t.Fatal(err)
		}
		o := &original{values: tensors{}}
		if err := o.readTokenizer(text); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(o.pieces, want.pieces) {
			t.Errorf("%s: %q", name, o.pieces)
		}
		o.manifest.Config.Hidden = 1
		o.values["embeddings.word_embeddings.weight"] = make([]float32, len(o.pieces))
		if err := o.cut(len(o.pieces)-1, make([]float64, len(o.pieces))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
