package model

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
)

// Token ids give the vector of their text, are truncated like it, and are refused if
// they are invalid.
func TestEncodeIDs(t *testing.T) {
	plain := modeltest.Tokenizer()
	delete(plain, "post_processor")
	left := modeltest.Tokenizer()
	left["truncation"] = modeltest.Object{"direction": "Left", "max_length": 64, "strategy": "LongestFirst", "stride": 0}
	for name, dir := range map[string]string{
		"BERT": folder(t, "m", nil), "without special tokens": folder(t, "m", map[string]any{"tokenizer.json": plain}),
		"cut at the left": folder(t, "m", map[string]any{"tokenizer.json": left}), Builtin: Builtin,
	} {
		e := mustOpen(t, dir, Options{}).(encoder.IDEncoder)
		var tokens tokenizer.Tokenizer
		var err error
		if dir == Builtin {
			tokens, err = tokenizer.Parse(builtin.Builtin().Tokenizer)
		} else {
			tokens, err = tokenizer.Open(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		info := e.Info()
		long := strings.Repeat("night trains help people ", info.MaxLength/3)
		texts := []string{"night trains", "zzz § work", long, "a"}
		var lists [][]uint32
		for _, text := range texts {
			ids, _ := tokens.Frame(tokens.Encode(nil, text), 0)
			lists = append(lists, ids)
		}
		before := slices.Clone(lists[2])
		got, err := e.EncodeIDs(t.Context(), lists)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, want := range embed(t, e, encoder.Options{}, texts...) {
			if !slices.Equal(got[i].Vector, want.Vector) || got[i].Tokens != want.Tokens || got[i].Truncated != want.Truncated || want.Truncated != (i == 2) {
				t.Errorf("%s, %.20q: %d tokens %v, want %d %v, or other vectors", name, texts[i], got[i].Tokens, got[i].Truncated, want.Tokens, want.Truncated)
			}
		}
		if !slices.Equal(before, lists[2]) {
			t.Errorf("%s: the ids were changed", name)
		}
		inside := slices.DeleteFunc(slices.Clone(before), func(id uint32) bool { return id < 5 })
		if got, err := e.EncodeIDs(t.Context(), [][]uint32{inside}); err != nil || !got[0].Truncated {
			t.Errorf("%s, without special tokens: %v", name, err)
		}
		for part, ids := range map[string][]uint32{"text 1: an empty list": {}, "text 1: token 1 has the id 4294967295": {1, 1<<32 - 1}, "LangChain": {uint32(info.Vocabulary)}} {
			if _, err := e.EncodeIDs(t.Context(), [][]uint32{lists[0], ids}); err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v: %v", name, ids, err)
			}
		}
	}
}

// The tokenizer of a folder is the one that texts are encoded with: in the Transformer's folder, and with its
// do_lower_case. It needs no other file.
func TestOpenTokenizer(t *testing.T) {
	capitals := modeltest.Tokenizer()
	capitals["normalizer"] = nil
	generic := modeltest.Object{"tokenizer_class": "PreTrainedTokenizerFast"} // which leaves tokenizer.json as it is
	for name, c := range map[string]struct {
		lowercase bool
		path      string
		change    map[string]any
	}{
		"no modules":          {false, "", map[string]any{"tokenizer.json": capitals, "tokenizer_config.json": generic, "modules.json": nil}},
		"capitals":            {false, "", map[string]any{"tokenizer.json": capitals, "tokenizer_config.json": generic}},
		"do_lower_case":       {true, "", map[string]any{"tokenizer.json": capitals, "tokenizer_config.json": generic, "sentence_bert_config.json": modeltest.Object{"do_lower_case": true}}},
		"a folder of its own": {true, "0_Transformer", nil},
		"static": {false, "", map[string]any{"tokenizer.json": capitals, "modules.json": nil, "config.json": modeltest.Object{"model_type": "model2vec"},
			"tokenizer_config.json": modeltest.Object{"tokenizer_class": "BertTokenizer"}}},
		"modules that are refused": {true, "", map[string]any{"tokenizer.json": capitals, "tokenizer_config.json": generic, "model.safetensors": nil, "config.json": nil, "sentence_bert_config.json": modeltest.Object{"do_lower_case": true},
			"modules.json": []modeltest.Object{{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "1", "type": "sentence_transformers.models.CNN"}}}},
	} {
		dir := folder(t, "m", c.change)
		if c.path != "" {
			inner := folder(t, "inner", map[string]any{"tokenizer.json": capitals, "tokenizer_config.json": generic, "sentence_bert_config.json": modeltest.Object{"do_lower_case": true}, "modules.json": nil})
			if err := os.Rename(inner, filepath.Join(dir, c.path)); err != nil {
				t.Fatal(err)
			}
			if err := modeltest.WriteJSON(dir, map[string]any{"modules.json": []modeltest.Object{{"path": c.path, "type": "sentence_transformers.models.Transformer"},
				{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}}}); err != nil {
				t.Fatal(err)
			}
		}
		tokens, err := OpenTokenizer(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		large, small := tokens.Encode(nil, "Night Trains"), tokens.Encode(nil, "night trains")
		if slices.Equal(large, small) != c.lowercase {
			t.Errorf("%s: %v and %v", name, large, small)
		}
		if e, err := Open(t.Context(), dir, Options{}); err == nil {
			defer e.Close()
			ids, _ := tokens.Frame(large, 0)
			of, want := embed(t, e, encoder.Options{}, "Night Trains"), []encoder.Embedding(nil)
			if want, err = e.(encoder.IDEncoder).EncodeIDs(t.Context(), [][]uint32{ids}); err != nil || !slices.Equal(of[0].Vector, want[0].Vector) {
				t.Errorf("%s: the ids give another vector than their text (%v)", name, err)
			}
		} else if name != "modules that are refused" && name != "static" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
