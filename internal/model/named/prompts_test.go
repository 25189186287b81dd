package named

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
)

// Models of known families want prompts, by their names, unless their folders declare some.
func TestWants(t *testing.T) {
	e5 := `--prompt 'query=query: ' --prompt 'document=passage: '`
	bge := `--prompt 'query=Represent this sentence for searching relevant passages: '`
	for name, want := range map[string]string{
		"intfloat/e5-small-v2": e5, "intfloat/multilingual-e5-large": e5, "intfloat/e5-base-unsupervised": e5, "BAAI/bge-small-en-v1.5": bge, "BAAI/bge-large-en": bge,
		"BAAI/bge-base-zh-v1.5": `--prompt 'query=为这个句子生成表示以用于检索相关文章：'`,
		"BAAI/bge-m3":           "", "intfloat/multilingual-e5-large-instruct": "", "someone/e5-small-v2": "", "intfloat/e5-small-v2-mine": "", "sentence-transformers/all-MiniLM-L6-v2": "",
	} {
		organisation, base, _ := strings.Cut(name, "/")
		cached := filepath.Join("hub", "models--"+organisation+"--"+base, "snapshots", "0123")
		places := map[string]Model{"the hub": {Dir: cached, id: name}, "the cache": {Dir: cached}}
		if organisation != "someone" {
			places["a folder"] = Model{Dir: filepath.Join("models", base)}
		}
		for where, place := range places {
			got, ok := place.Wants(encoder.Info{Prompts: map[string]string{}})
			if got.Flags() != want || ok != (want != "") {
				t.Errorf("%s in %s: %q, %v", name, where, got.Flags(), ok)
			}
			if _, ok := place.Wants(encoder.Info{Prompts: map[string]string{"query": "q: "}}); ok {
				t.Errorf("%s in %s declares prompts", name, where)
			}
		}
	}
}

// Queries are encoded with the prompts of the collection, and without any if it says that it has
// none. If it says nothing, the model's folder decides.
func TestPromptsAsIndexed(t *testing.T) {
	for name, c := range map[string]struct {
		m    manifest.Model
		want map[string]string
	}{
		"both":       {manifest.Model{Architecture: "bert", Prompts: map[string]string{"query": "q: ", "document": "d: "}}, map[string]string{"query": "q: ", "document": "d: "}},
		"none":       {manifest.Model{Architecture: "bert"}, map[string]string{"query": "", "document": ""}},
		"given":      {manifest.Model{Prompts: map[string]string{"passage": "p: "}}, map[string]string{"query": "", "document": "p: "}},
		"not stated": {manifest.Model{Architecture: manifest.Unstated}, nil},
		"unknown":    {manifest.Model{}, nil},
	} {
		if got := AsIndexed(&c.m).Prompts; !maps.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
