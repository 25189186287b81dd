package encode

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// smallBPE is a tokenizer.json of a few merges, written for these tests.
const smallBPE = `{
	"added_tokens": [{"id": 20, "content": "<s>", "normalized": false}, {"id": 21, "content": "</s>", "normalized": true}, {"id": 22, "content": "<mask>", "lstrip": true, "normalized": false}],
	"normalizer": null,
	"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
	"post_processor": {"type": "RobertaProcessing", "cls": ["<s>", 20], "sep": ["</s>", 21]},
	"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "Ġ": 3, "'": 4, "s": 5, "Ã": 6, "©": 7, "ab": 8, "bc": 9, "abc": 10, "Ġa": 11, "Ã©": 12, "aa": 13, "aaa": 14, "1": 15},
		"merges": ["a b", "b c", "ab c", ["Ġ", "a"], "Ã ©", "a a", "aa a"]}
}`

func parseBPE(t testing.TB, file string) *BPE {
	t.Helper()
	b, err := ParseBPE([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBPE(t *testing.T) {
	b := parseBPE(t, smallBPE)
	for text, want := range map[string][]uint32{
		"":           {20, 21},
		"abc":        {20, 10, 21},
		"bc":         {20, 9, 21},
		" a":         {20, 11, 21},
		"a's":        {20, 0, 4, 5, 21},
		"é":          {20, 12, 21},
		"aaaaa":      {20, 13, 14, 21},
		"a  a":       {20, 0, 3, 11, 21},
		"a  ":        {20, 0, 3, 3, 21},
		"a <mask> b": {20, 0, 22, 3, 1, 21}, // with the space before it
		"<s>a</s>":   {20, 20, 0, 21, 21},
		"z\xffa":     {20, 0, 21}, // bytes that the vocabulary lacks are left out
		"1a":         {20, 15, 0, 21},
		"a\u00a0":    {20, 0, 21},
	} {
		got, truncated := b.Frame(b.Encode(nil, text), 0)
		if !slices.Equal(got, want) || truncated {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got, truncated := b.Frame(b.Encode(nil, "aaaaaa c"), 4); !slices.Equal(got, []uint32{20, 13, 13, 21}) || !truncated {
		t.Errorf("cut to 4: %d %v", got, truncated)
	}
	ids, types, truncated := b.FramePair([]uint32{1, 1, 1, 1}, []uint32{2}, 8)
	if want := []uint32{20, 1, 1, 1, 21, 21, 2, 21}; !slices.Equal(ids, want) || len(types) != 8 || slices.Max(types) != 0 || !truncated {
		t.Errorf("a pair: %d %d %v, want %d", ids, types, truncated, want)
	}
}

func TestBPEErrors(t *testing.T) {
	for name, c := range map[string]struct{ replace, by, want string }{
		"another kind":      {`"BPE"`, `"Unigram"`, `a model of type "Unigram"`},
		"lost token":        {`"a b"`, `"a z"`, "the vocabulary lacks"},
		"no second part":    {`"a b"`, `"ab"`, "two tokens with a space"},
		"one part":          {`["Ġ", "a"]`, `["Ġ"]`, "has 1 parts"},
		"three parts":       {`["Ġ", "a"]`, `["Ġ", "a", "b"]`, "parts of a merge"},
		"dropout":           {`"model": {`, `"model": {"dropout": 0.1, `, "dropout"},
		"suffix":            {`"model": {`, `"model": {"end_of_word_suffix": "</w>", `, "end_of_word_suffix"},
		"normalizer":        {`"normalizer": null`, `"normalizer": {"type": "NFC"}`, "a normalizer"},
		"another splitting": {`"ByteLevel"`, `"Metaspace"`, `a pre-tokenizer of type "Metaspace"`},
		"other id":          {`"id": 20, "content": "<s>"`, `"id": 20, "content": "ab"`, "has id 20, in the vocabulary it has 8"},
		"great id":          {`"ab": 8`, `"ab": 8000000`, "a token's id"},
	} {
		file := strings.Replace(smallBPE, c.replace, c.by, 1)
		if _, err := ParseBPE([]byte(file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The prefix space is put before any character except a space, even before other white
// space.
func TestBPEPrefixSpace(t *testing.T) {
	b := parseBPE(t, strings.Replace(smallBPE, `"add_prefix_space": false`, `"add_prefix_space": true`, 1))
	spaced, plain := b.Encode(nil, " a"), b.Encode(nil, "a")
	if !slices.Equal(spaced, plain) {
		t.Errorf("%d, %d", spaced, plain)
	}
	b.prefixSpace = false
	want := b.Encode(nil, " \ta")
	b.prefixSpace = true
	if got := b.Encode(nil, "\ta"); !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
}

// TestGoldenBPE compares with the ids of the Rust tokenizers library.
func TestGoldenBPE(t *testing.T) {
	b, err := ParseBPE(readShared(t, "tokenizer/bpe/tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Texts []string
		BPE   [][]uint32
	}
	if err := json.Unmarshal(readShared(t, "tokenizer/golden.json"), &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Texts) == 0 || len(golden.Texts) != len(golden.BPE) {
		t.Fatal("no golden texts")
	}
	for i, text := range golden.Texts {
		if got, _ := b.Frame(b.Encode(nil, text), 0); !slices.Equal(got, golden.BPE[i]) {
			t.Errorf("text %d %.60q:\n got %d\nwant %d", i, text, got, golden.BPE[i])
		}
	}
}

// Both ways of merging follow the definition: the leftmost of the pairs with the lowest
// rank is merged, until there is none.
func TestBPEMergesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		// Merges in random order, so that a later one may make a pair of lower rank.
		b := &BPE{merges: map[uint64]bpeMerge{}}
		for range 30 {
			b.merges[uint64(r.IntN(12))<<32|uint64(r.IntN(12))] = bpeMerge{uint32(r.IntN(20)), uint32(r.IntN(12))}
		}
		ids := make([]uint32, 1+r.IntN(80))
		for i := range ids {
			ids[i] = uint32(r.IntN(8))
		}
		merged := func(merge func([]bpeSymbol)) (out []uint32) {
			symbols := make([]bpeSymbol, len(ids))
			for i, id := range ids {
				symbols[i] = bpeSymbol{id, int32(i) - 1, int32(i) + 1}
			}
			symbols[len(ids)-1].next = -1
			merge(symbols)
			for i := int32(0); i >= 0; i = symbols[i].next {
				out = append(out, symbols[i].id)
			}
			return out
		}
		want := slices.Clone(ids)
		for {
			at, best := -1, bpeMerge{}
			for i := 0; i+1 < len(want); i++ {
				if m, ok := b.merges[uint64(want[i])<<32|uint64(want[i+1])]; ok && (at < 0 || m.rank < best.rank) {
					at, best = i, m
				}
			}
			if at < 0 {
				break
			}
			want = slices.Replace(want, at, at+2, best.id)
		}
		if many := merged(b.mergeMany); !slices.Equal(many, want) {
			t.Fatalf("%d merge to %d, want %d", ids, many, want)
		}
		if len(ids) > fewSymbols {
			continue
		}
		if few := merged(b.mergeFew); !slices.Equal(few, want) {
			t.Fatalf("%d merge to %d without a heap, want %d", ids, few, want)
		}
	}
}

// A long run without spaces takes time that grows only a little faster than its length.
func TestBPELongWord(t *testing.T) {
	b := parseBPE(t, smallBPE)
	text := strings.Repeat("aab", 1<<18)
	if got := b.Encode(nil, text); len(got) != 2<<18 { // a, ab
		t.Errorf("%d ids", len(got))
	}
}

func FuzzBPE(f *testing.F) {
	f.Add(smallBPE, "a's  <mask> abc é\xff")
	f.Fuzz(func(t *testing.T, file, text string) {
		b, err := ParseBPE([]byte(file))
		if err != nil {
			b = parseBPE(t, smallBPE)
		}
		for _, id := range b.Encode(nil, text) {
			if int(id) >= b.VocabSize() {
				t.Errorf("id %d of %d", id, b.VocabSize())
			}
		}
	})
}

func BenchmarkGoldenBPE(b *testing.B) {
	t, err := ParseBPE(readShared(b, "tokenizer/bpe/tokenizer.json"))
	if err != nil {
		b.Fatal(err)
	}
	var golden struct{ Texts []string }
	if err := json.Unmarshal(readShared(b, "tokenizer/golden.json"), &golden); err != nil {
		b.Fatal(err)
	}
	var ids []uint32
	for b.Loop() {
		for _, text := range golden.Texts {
			ids = t.Encode(ids[:0], text)
		}
	}
	b.ReportMetric(float64(b.N*len(golden.Texts))/b.Elapsed().Seconds(), "texts/s")
}
