package encode

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// noParts leaves out every normalizer and pre-tokenizer.
var noParts = Parts{
	Normalizer:   func([]byte) (Rewrite, error) { return nil, nil },
	PreTokenizer: func([]byte) (Cut, bool, error) { return nil, false, nil },
}

const smallUnigram = `{"added_tokens": [{"id": 9, "content": "<x>", "normalized": false}, {"id": 0, "content": "<unk>", "normalized": false}],
	"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", 0], ["b", 0], ["c", 0], ["d", 0], ["cd", 1.0], ["ab", 2.0], ["abc", 5.0], ["abcd", 10.0]]}}`

func parsePipeline(t testing.TB, file string) *Pipeline {
	t.Helper()
	p, err := ParsePipeline([]byte(file), noParts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestUnigram(t *testing.T) {
	p := parsePipeline(t, smallUnigram)
	for text, want := range map[string][]uint32{
		"":            nil,
		"abcdacdxx":   {8, 1, 5, 0},
		"xé<x>y<unk>": {0, 9, 0, 0},
		"a\xffb":      {1, 0, 2},
	} {
		if got := p.Encode(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if id, ok := p.ID("abcd"); id != 8 || !ok || p.VocabSize() != 10 {
		t.Errorf("abcd is %d, %v; %d ids", id, ok, p.VocabSize())
	}
}

// Of several ways with equal scores, the one with the longest last piece is chosen, as
// in the Rust library, which gave these ids.
func TestUnigramTies(t *testing.T) {
	u := newUnigram([]string{"<unk>", "a", "b", "aa", "ab", "ba", "aab", "bab"}, []float64{0, -1, -1, -2, -2, -2, -3, -3}, 0, false)
	for text, want := range map[string][]uint32{"ab": {4}, "aab": {6}, "abab": {1, 7}, "aaabbab": {1, 6, 7}, "babaabab": {7, 3, 7}} {
		if got := u.appendPiece(nil, text); !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// The way that is found has the best score of all ways, which the test computes by itself.
func TestUnigramIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		pieces, scores := []string{"<unk>"}, []float64{-1}
		for range 20 {
			var piece []byte
			for range 1 + r.IntN(4) {
				piece = append(piece, "abc"[r.IntN(3)])
			}
			pieces, scores = append(pieces, string(piece)), append(scores, -float64(r.IntN(64))/8) // sums are exact
		}
		u := newUnigram(pieces, scores, 0, false)
		ids := map[string]int{}
		for i, p := range pieces {
			ids[p] = i
		}
		var text []byte
		for range 1 + r.IntN(10) {
			text = append(text, "abc"[r.IntN(3)])
		}
		// best[i] is the best score of text[:i]; each unknown character is a piece.
		best := []float64{0}
		for end := 1; end <= len(text); end++ {
			top := math.Inf(-1)
			for start := range end {
				score, ok := 0.0, false
				if id, found := ids[string(text[start:end])]; found {
					score, ok = best[start]+scores[id], true
				} else if end-start == 1 {
					score, ok = best[start]+slices.Min(scores)-10, true
				}
				if ok && score > top {
					top = score
				}
			}
			best = append(best, top)
		}
		if got := u.forwardScore(string(text)); got != best[len(text)] {
			t.Fatalf("%q: %v, want %v", text, got, best[len(text)])
		}
		spelled, total, unknown := "", 0.0, false
		for _, id := range u.appendPiece(nil, string(text)) {
			spelled, total, unknown = spelled+pieces[id], total+scores[id], unknown || id == 0
		}
		if !unknown && (spelled != string(text) || total != best[len(text)]) {
			t.Fatalf("%q: %q of %v, want %v", text, spelled, total, best[len(text)])
		}
	}
}

// A long run without spaces takes time proportional to its length.
func TestUnigramLongWord(t *testing.T) {
	p := parsePipeline(t, smallUnigram)
	if got := p.Encode(nil, strings.Repeat("abcdx", 1<<18)); len(got) != 2<<18 {
		t.Errorf("%d ids", len(got))
	}
	if got := p.Encode(nil, strings.Repeat("é", 1<<19)); len(got) != 1 {
		t.Errorf("%d ids", len(got))
	}
}

func TestPipelineErrors(t *testing.T) {
	for name, c := range map[string]struct{ replace, by, want string }{
		"another kind":  {`"Unigram"`, `"Bigram"`, `a model of type "Bigram" is not supported`},
		"no unknown":    {`"unk_id": 0`, `"unk_id": null`, "lacks the unknown one"},
		"great unknown": {`"unk_id": 0`, `"unk_id": 9`, "lacks the unknown one"},
		"no score":      {`["a", 0]`, `["a"]`, "its spelling and its score"},
		"three parts":   {`["a", 0]`, `["a", 0, 1]`, "parts of a piece"},
		"great score":   {`["a", 0]`, `["a", 1e31]`, "score"},
		"long piece":    {`["a", 0]`, `["` + strings.Repeat("a", 513) + `", 0]`, "has 513 bytes"},
		"sampling":      {`"unk_id": 0`, `"unk_id": 0, "alpha": 0.1`, "other ids each time"},
		"other id":      {`"id": 9, "content": "<x>"`, `"id": 9, "content": "ab"`, "has id 9, in the vocabulary it has 6"},
		"empty":         {`"vocab": [`, `"vocab": [], "x": [`, "of 0 pieces"},
		"vocab twice":   {`"Unigram"`, `"WordLevel", "unk_token": "u", "vocab": {"a": 1}, "x": ""`, "twice"},
	} {
		file := strings.Replace(smallUnigram, c.replace, c.by, 1)
		if _, err := ParsePipeline([]byte(file), noParts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestWordLevel(t *testing.T) {
	file := `{"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 3, "a": 1}}, "pre_tokenizer": {}}`
	p, err := ParsePipeline([]byte(file), Parts{PreTokenizer: func([]byte) (Cut, bool, error) { return CutSpaces, false, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Encode(nil, " a\u2003b a"); !slices.Equal(got, []uint32{1, 3, 1}) {
		t.Errorf("%d", got)
	}
	if _, err := ParsePipeline([]byte(strings.Replace(file, `"?": 3`, `"!": 3`, 1)), noParts); err == nil || !strings.Contains(err.Error(), `lacks the unknown token "?"`) {
		t.Error(err)
	}
}

// The trie finds the tokens that it contains, and of equal tokens the last.
func TestTrie(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var tokens []string
		want := map[string]uint32{}
		for i := range r.IntN(60) {
			b := make([]byte, r.IntN(4))
			for j := range b {
				b[j] = byte(r.IntN(1 << r.IntN(9)))
			}
			tokens = append(tokens, string(b))
			if len(b) > 0 {
				want[string(b)] = uint32(i)
			}
		}
		trie := newTrie(tokens)
		for token, id := range want {
			if got, ok := trie.find(token); got != id || !ok {
				t.Errorf("%q: %d, %v, want %d", token, got, ok, id)
			}
			for _, other := range []string{token + "\x00", token[1:], token[:len(token)-1]} {
				if id, known := want[other]; !known {
					if _, ok := trie.find(other); ok {
						t.Errorf("%q is there, with %d", other, id)
					}
				}
			}
		}
	}
}

func FuzzPipeline(f *testing.F) {
	f.Add(smallUnigram, "abcdacdxx <x>")
	f.Add(strings.Replace(smallUnigram, `"unk_id": 0`, `"unk_id": 0, "byte_fallback": true`, 1), "é")
	f.Add(strings.Replace(smallBPE, `"ByteLevel"`, `"Other"`, 1), "a's")
	f.Add(threeTokens, "b zz")
	parts := Parts{Normalizer: noParts.Normalizer, PreTokenizer: func(d []byte) (Cut, bool, error) {
		return Sequence([]Cut{CutSpaces, CutWords, Metaspace("▁", PrependFirst, false), CutBytes(true, false)}), strings.Contains(string(d), "Byte"), nil
	}}
	f.Fuzz(func(t *testing.T, file, text string) {
		p, err := ParsePipeline([]byte(file), parts)
		if err != nil {
			p = parsePipeline(t, smallUnigram)
		}
		for _, text := range append(fuzzTexts, text) {
			for _, id := range p.Encode(nil, text) {
				if int(id) >= p.VocabSize() {
					t.Errorf("%q: id %d of %d", text, id, p.VocabSize())
				}
			}
		}
	})
}

// forwardScore is the score of the best segmentation of a text.
func (u *Unigram) forwardScore(text string) float64 {
	best := make([]bestPiece, len(text)+1)
	u.forward(best, text)
	return best[len(text)].score
}
