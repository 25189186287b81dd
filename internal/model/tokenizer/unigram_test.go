package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
)

// The models and ids in testdata/unigram are our own, see the recipe there.
const unigramDir = "testdata/unigram"

type unigramGolden struct {
	Texts, Few    []string
	T5            [][]uint32
	XLMR          [][]uint32
	T5Converted   [][]uint32 `json:"t5 converted"`
	XLMRConverted [][]uint32 `json:"xlmr converted"`
	Models        map[string]map[string]any
	Cases         []struct {
		Name, Model  string
		Normalizer   any
		PreTokenizer any              `json:"pre_tokenizer"`
		Added        []map[string]any `json:"added_tokens"`
		IDs          [][]uint32
	}
}

func readUnigramGolden(t testing.TB) (g unigramGolden) {
	jsonfile.Read(t, filepath.Join(unigramDir, "golden.json"), &g)
	if len(g.Texts) < 300 || len(g.Few) < 100 || len(g.Cases) < 60 {
		t.Fatal("golden.json is not whole")
	}
	return g
}

func compareIDs(t *testing.T, tokens Tokenizer, texts []string, want [][]uint32, framed bool) {
	t.Helper()
	if len(texts) != len(want) {
		t.Fatalf("%d texts, %d lists of ids", len(texts), len(want))
	}
	for i, text := range texts {
		got := tokens.Encode(nil, text)
		if framed {
			got, _ = tokens.Frame(got, 0)
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("text %d, %+q:\n got %d\nwant %d", i, text, got, want[i])
		}
	}
}

// unigramFolder copies a layout's folder without tokenizer.json.
func unigramFolder(t testing.TB, layout, model string) string {
	t.Helper()
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join(unigramDir, layout, model))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, model), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustOpen(t testing.TB, dir string) Tokenizer {
	t.Helper()
	tokens, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// openT5 opens the T5-like SentencePiece model, with four sentinels like its
// tokenizer.json.
func openT5(t testing.TB) Tokenizer {
	dir := unigramFolder(t, "t5", "spiece.model")
	if err := os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(`{"extra_ids": 4}`), 0o644); err != nil {
		t.Fatal(err)
	}
	return mustOpen(t, dir)
}

// The ids equal those of the Rust tokenizers library, with tokenizer.json and with
// SentencePiece's own model files.
func TestUnigramGolden(t *testing.T) {
	g := readUnigramGolden(t)
	compareIDs(t, mustOpen(t, filepath.Join(unigramDir, "t5")), g.Texts, g.T5, true)
	compareIDs(t, mustOpen(t, filepath.Join(unigramDir, "xlmr")), g.Texts, g.XLMR, true)
	compareIDs(t, openT5(t), g.Texts, g.T5Converted, true)
	compareIDs(t, mustOpen(t, unigramFolder(t, "xlmr", "sentencepiece.bpe.model")), g.Texts, g.XLMRConverted, true)
}

// The test combines every normalizer, and every pre-tokenizer but ByteLevel, with two kinds of models
// each.
func TestParts(t *testing.T) {
	g := readUnigramGolden(t)
	var base map[string]json.RawMessage
	var unigram, file map[string]any
	jsonfile.Read(t, filepath.Join(unigramDir, "t5/tokenizer.json"), &base)
	jsonfile.Read(t, filepath.Join(unigramDir, "t5/tokenizer.json"), &file)
	if err := json.Unmarshal(base["model"], &unigram); err != nil {
		t.Fatal(err)
	}
	charsmap := file["normalizer"].(map[string]any)["precompiled_charsmap"].(string)
	g.Models["Unigram"] = unigram
	pieces := slices.Clone(unigram["vocab"].([]any))
	for b := range 256 {
		if b != 0xe2 { // then some characters cannot be spelled
			pieces = append(pieces, []any{bytePiece(b), -9 - float64(b)/100})
		}
	}
	g.Models["bytes"]["vocab"] = pieces
	for _, c := range g.Cases {
		text, err := json.Marshal(map[string]any{"model": g.Models[c.Model], "normalizer": c.Normalizer, "pre_tokenizer": c.PreTokenizer, "added_tokens": c.Added})
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := Parse([]byte(strings.ReplaceAll(string(text), "CHARSMAP", charsmap)))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		t.Run(c.Name, func(t *testing.T) { compareIDs(t, tokens, g.Few, c.IDs, false) })
	}
}

func bytePiece(b int) string {
	return "<0x" + strings.ToUpper(string("0123456789abcdef"[b>>4])+string("0123456789abcdef"[b&15])) + ">"
}

// SentencePiece itself agrees on all ordinary texts. The Rust library, and thus the
// transformers library, differs from SentencePiece in grapheme clusters that begin with
// mapped characters, and at spaces that mapping leaves at the ends.
func TestSentencePieceAgrees(t *testing.T) {
	var want struct{ T5, XLMR [][]uint32 }
	jsonfile.Read(t, filepath.Join(unigramDir, "sentencepiece.json"), &want)
	g := readUnigramGolden(t)
	for name, c := range map[string]struct {
		tokens Tokenizer
		want   [][]uint32
	}{"T5": {openT5(t), want.T5}, "XLM-R": {mustOpen(t, unigramFolder(t, "xlmr", "sentencepiece.bpe.model")), want.XLMR}} {
		compared, differ := 0, 0
		for i, text := range g.Texts {
			if c.want[i] == nil {
				continue
			}
			compared++
			if got := c.tokens.Encode(nil, text); !slices.Equal(got, c.want[i]) {
				differ++
				if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
					t.Errorf("%s: %q: %d, want %d", name, text, got, c.want[i])
				}
			}
		}
		t.Logf("%s: SentencePiece differs on %d of %d texts", name, differ, compared)
		if compared < 300 || differ*20 > compared {
			t.Errorf("%s: SentencePiece differs on %d of %d texts", name, differ, compared)
		}
	}
}

// A tokenizer gives the same ids to any number of goroutines.
func TestGoroutines(t *testing.T) {
	g := readUnigramGolden(t)
	tokens := mustOpen(t, filepath.Join(unigramDir, "t5"))
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range g.Texts {
				i = (i + worker*97) % len(g.Texts)
				if got, _ := tokens.Frame(tokens.Encode(nil, g.Texts[i]), 0); !slices.Equal(got, g.T5[i]) {
					t.Errorf("%q: %d, want %d", g.Texts[i], got, g.T5[i])
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkUnigram(b *testing.B) {
	g := readUnigramGolden(b)
	tokens := mustOpen(b, filepath.Join(unigramDir, "t5"))
	var ids []uint32
	for b.Loop() {
		for _, text := range g.Texts {
			ids = tokens.Encode(ids[:0], text)
		}
	}
	b.ReportMetric(float64(b.N*len(g.Texts))/b.Elapsed().Seconds(), "texts/s")
}
