package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/sugarme/tokenizer"
	"github.com/sugarme/tokenizer/pretrained"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// secondOpinion opens a tokenizer.json with the library github.com/sugarme/tokenizer,
// without special tokens around a text.
func secondOpinion(t testing.TB, file []byte) *tokenizer.Tokenizer {
	t.Helper()
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(file, &parts); err != nil {
		t.Fatal(err)
	}
	for _, around := range []string{"post_processor", "padding", "truncation"} {
		delete(parts, around)
	}
	file, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := pretrained.FromReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return theirs
}

// theirIDs are the library's ids of a text. It panics for some texts.
func theirIDs(theirs *tokenizer.Tokenizer, text string) (ids []uint32, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	encoding, err := theirs.EncodeSingle(text)
	if err != nil {
		return nil, err
	}
	for _, id := range encoding.Ids {
		ids = append(ids, uint32(id))
	}
	return ids, nil
}

// bothTokenizers opens a tokenizer.json with our code and with the library.
func bothTokenizers(t testing.TB, file []byte) (Tokenizer, *tokenizer.Tokenizer) {
	t.Helper()
	ours, err := Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return ours, secondOpinion(t, file)
}

// difference says how the library's ids of a text differ from ours. It is nil if they
// are equal.
func difference(ours Tokenizer, theirs *tokenizer.Tokenizer, text string) error {
	want := ours.Encode(nil, text)
	got, err := theirIDs(theirs, text)
	if err == nil && slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("%+q:\n  ours %d\ntheirs %d (%v)", text, want, got, err)
}

// The library's ids equal ours, except for the known differences. Other tests compare ours
// with the Rust library's; this one adds an implementation that shares no code with
// either, and tokenizers for which we have no ids of the Rust library.
func TestSecondOpinion(t *testing.T) {
	texts := append(readUnigramGolden(t).Texts, passages(t)...)
	for name, file := range secondOpinionFiles(t) {
		t.Run(name, func(t *testing.T) {
			ours, theirs := bothTokenizers(t, file)
			compared := 0
			for _, text := range texts {
				if slices.ContainsFunc(knownDifferences, func(d knownDifference) bool { return d.applies(name, text) }) {
					continue
				}
				compared++
				if err := difference(ours, theirs, text); err != nil {
					t.Error(err)
				}
			}
			if compared < len(texts)/2 {
				t.Errorf("only %d texts of %d were compared: the known differences leave out too much", compared, len(texts))
			}
		})
	}
}

// BenchmarkSecondOpinion prints the number of texts per second that the library and our
// code tokenise, and the percentages of the golden texts, which are difficult on purpose,
// and of ordinary ones for which the library's ids differ or it panics.
//
//	go test -run '^$' -bench SecondOpinion ./internal/model/tokenizer
func BenchmarkSecondOpinion(b *testing.B) {
	golden, ordinary := readUnigramGolden(b).Texts, passages(b)
	files := secondOpinionFiles(b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		ours, theirs := bothTokenizers(b, files[name])
		run := func(whose string, encode func(text string), metrics map[string]float64) {
			b.Run(name+"/"+whose, func(b *testing.B) {
				start, n := time.Now(), 0
				for b.Loop() {
					for _, text := range ordinary[:100] {
						encode(text)
					}
					n += 100
				}
				b.ReportMetric(float64(n)/time.Since(start).Seconds(), "texts/s")
				b.ReportMetric(0, "ns/op")
				for unit, value := range metrics {
					b.ReportMetric(value, unit)
				}
			})
		}
		differ := func(texts []string) (n float64) {
			for _, text := range texts {
				if difference(ours, theirs, text) != nil {
					n++
				}
			}
			return 100 * n / float64(len(texts))
		}
		var ids []uint32
		run("ours", func(text string) { ids = ours.Encode(ids[:0], text) }, nil)
		run("sugarme", func(text string) { theirIDs(theirs, text) }, map[string]float64{"%differ-golden": differ(golden), "%differ-ordinary": differ(ordinary)})
	}
}

// passages are every fourth of the bundled corpus.
func passages(t testing.TB) (texts []string) {
	t.Helper()
	file, err := os.ReadFile("../../../examples/debates/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(file) {
		var passage struct{ Title, Text string }
		if err := json.Unmarshal(line, &passage); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, passage.Title+" "+passage.Text)
	}
	for i := range len(texts) / 4 {
		texts[i] = texts[4*i]
	}
	return texts[:len(texts)/4]
}

// secondOpinionFiles are tokenizer.json files of the kinds that the library supports.
func secondOpinionFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{"BPE": trainedBPE(t)}
	for name, path := range map[string]string{"WordPiece": "../builtin/english/tokenizer.json", "Unigram": filepath.Join(unigramDir, "t5", "tokenizer.json"), "Unigram, XLM-R": filepath.Join(unigramDir, "xlmr", "tokenizer.json")} {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	for name, path := range map[string]string{"WordPiece, BERT's": "data/tokenizer/bert-uncased/tokenizer.json", "BPE, OPT's": "data/tokenizer/bpe/tokenizer.json"} {
		if path, ok := shared.Find(path); ok {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = file
		}
	}
	return files
}

// trainedBPE is a tokenizer.json of byte-level BPE with merges learnt from the golden
// texts. The byte 0xCD has no token.
func trainedBPE(t testing.TB) []byte {
	t.Helper()
	vocabulary, merges := map[string]int{}, []string{}
	add := func(token string) { vocabulary[token] = len(vocabulary) }
	spelled := [256]string{} // each byte as a visible character, as GPT-2 has it
	hidden := rune(256)
	for b := range 256 {
		spelled[b] = string(rune(b))
		if b <= ' ' || b >= 0x7f && b <= 0xa0 || b == 0xad {
			spelled[b] = string(hidden)
			hidden++
		}
		if b != 0xcd {
			add(spelled[b])
		}
	}
	var words [][]string
	for _, text := range readUnigramGolden(t).Texts {
		for _, word := range regexp.MustCompile(` ?[a-zA-Z]+| ?[0-9]+| +`).FindAllString(text, -1) {
			symbols := []string{}
			for _, b := range []byte(word) {
				symbols = append(symbols, spelled[b])
			}
			words = append(words, symbols)
		}
	}
	for range 500 {
		counts := map[[2]string]int{}
		for _, w := range words {
			for i := range len(w) - 1 {
				counts[[2]string(w[i:i+2])]++
			}
		}
		var best [2]string
		for pair, n := range counts {
			if n > counts[best] || n == counts[best] && slices.Compare(pair[:], best[:]) < 0 {
				best = pair
			}
		}
		if counts[best] < 2 {
			break
		}
		add(best[0] + best[1])
		merges = append(merges, best[0]+" "+best[1])
		for k, w := range words {
			for i := 0; i < len(w)-1; i++ {
				if [2]string(w[i:i+2]) == best {
					w = slices.Replace(w, i, i+2, best[0]+best[1])
				}
			}
			words[k] = w
		}
	}
	var added []map[string]any
	for _, token := range []string{"<s>", "<pad>", "</s>", "<unk>", "<mask>"} {
		added = append(added, map[string]any{"id": len(vocabulary) + len(added), "content": token, "lstrip": token == "<mask>", "normalized": false, "special": true})
	}
	file, err := json.Marshal(map[string]any{
		"added_tokens":  added,
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
		"model":         map[string]any{"type": "BPE", "vocab": vocabulary, "merges": merges},
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}
