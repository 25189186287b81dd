package model

import (
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
