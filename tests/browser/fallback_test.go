package browser

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// fallbackQuestions meet every part of a collection that may be damaged. The last two, which
// ask for contrast and for hybrid ranking, are refused if the part that they need is damaged.
// The others name no method, and are answered nevertheless.
func fallbackQuestions() []question {
	const king = "the king walked to the city"
	text := func(s string) search.Text { return search.Text{Text: s} }
	against, place, snow := "Find a claim that opposes the argument: "+king, "Find something about Japan related to the argument: "+king, "the king in the snow"
	return []question{
		{"a side", map[string]any{"query": against}, search.Query{Query: text(against)}},
		{"a side, in parts", map[string]any{"query": "x", "root": king, "perspectives": "arguments against", "cosineRank": true, "k": 20}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("arguments against")}, CosineRank: true, K: 20}},
		{"a side, diversified", map[string]any{"query": against, "mmr": 0.4}, search.Query{Query: text(against), MMR: ptr(0.4)}},
		{"a place", map[string]any{"query": place}, search.Query{Query: text(place)}},
		{"nothing", map[string]any{"query": snow}, search.Query{Query: text(snow)}},
		{"contrast", map[string]any{"query": against, "method": "contrast"}, search.Query{Query: text(against), Method: "contrast"}},
		{"hybrid", map[string]any{"query": snow, "hybrid": true}, search.Query{Query: text(snow), Hybrid: &search.Hybrid{}}},
	}
}

// A page answers a query that names no method without the branch of the encoder, the angles
// of rows, or the index of words if their files are missing, as Go does: with the same hits,
// to the last digit, and the same notice but for the fault that it quotes.
func TestFallbacksEqualGo(t *testing.T) {
	t.Parallel()
	dir, _ := sidesSite(t)
	whole := filepath.Join(dir, "collection")
	content, err := os.ReadFile(filepath.Join(whole, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	angles, words := m.Angles.Files[len(m.Angles.Files)-1].Path, m.Terms.Lengths.Path
	quoted := regexp.MustCompile(` \(.*\)("[,}])`)
	for name, c := range map[string]struct {
		paths   []string
		notice  string
		refused []string // the questions that need one of the files
	}{
		"branch": {[]string{m.Encoder.Files[len(m.Encoder.Files)-1].Path}, "topics alone rank", []string{"contrast"}},
		"angles": {[]string{angles}, "topics alone rank", []string{"contrast"}},
		"words":  {[]string{words}, "vectors alone rank", []string{"hybrid"}},
		"both":   {[]string{angles, words}, "; the index of words cannot be used, so that vectors alone rank", []string{"contrast", "hybrid"}},
	} {
		damaged := filepath.Join(dir, name)
		if err := os.CopyFS(damaged, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		for _, path := range c.paths {
			if err := os.Remove(filepath.Join(damaged, path)); err != nil {
				t.Fatal(err)
			}
		}
		names := func(said string) bool {
			return slices.ContainsFunc(c.paths, func(path string) bool { return strings.Contains(said, path) })
		}
		// An origin of its own, because a browser keeps the files of encoders by their content
		// for all collections of an origin: it would use an undamaged file of another
		// collection.
		page := open(t, serve(t, bare(dir)).URL("/"))
		collection := native(t, damaged)
		questions := fallbackQuestions()
		var queries []map[string]any
		for _, q := range questions {
			queries = append(queries, q.page)
		}
		notices := 0
		for _, options := range []map[string]any{{}, {"workers": 2}} {
			got := call[[]string](t, page, ask, "/"+name+"/", queries, options)
			for i, q := range questions {
				result, err := collection.Search(t.Context(), q.goes)
				if err != nil {
					if !slices.Contains(c.refused, q.name) || !errors.Is(err, fault.Integrity) || !strings.HasPrefix(got[i], "integrity: ") || !names(got[i]) {
						t.Errorf("%s, %s: Go %v, page %.300s", name, q.name, err, got[i])
					}
					continue
				}
				part := `"notice":"` + strings.SplitN(result.Notice, " (", 2)[0]
				if strings.Contains(result.Notice, c.notice) && strings.Contains(got[i], c.notice) && strings.Contains(got[i], part) && names(got[i]) {
					notices++
				}
				want, said := quoted.ReplaceAllString(encoded(t, result), "$1"), quoted.ReplaceAllString(got[i], "$1")
				if said != want {
					t.Errorf("%s, %v, %s:\n  page %.900s\n  Go   %.900s", name, options, q.name, said, want)
				}
			}
		}
		if want := map[string]int{"branch": 6, "angles": 6, "words": 4, "both": 2}[name]; notices < want {
			t.Errorf("%s: %d answers say what they lack, want %d", name, notices, want)
		}
	}
}

// If a page adds documents, auto ranks them by sides, too: alone, in an engine of their
// own, as bare texts are ranked, and together with a collection's rows.
func TestAutoRanksAddedDocuments(t *testing.T) {
	t.Parallel()
	dir, texts := sidesSite(t)
	page := open(t, serve(t, bare(dir)).URL("/"))
	const query = "Find a claim that opposes the argument: the king walked to the city"
	got := call[map[string]string](t, page, `async (texts, query) => {
		const { Vantage } = await import('/lib/index.js');
		const base = await Vantage.open('/collection/');
		const brief = ({ method, kind, strength, side, hits }) => JSON.stringify({ method, kind, strength, side, hits: hits.map(({ index, score }) => [index, score]) });
		const out = { texts: brief(await base.rerank(texts, { query })) };
		const documents = texts.map((text, i) => ({ id: 'added-' + i, text }));
		const own = await Vantage.create({ encoder: base });
		await own.add(documents);
		out.own = brief(await own.search({ query }));
		out.reranked = brief(await own.rerank(texts, { query }));
		await base.add(documents.slice(0, 9));
		const beside = await base.search({ query, k: 79 });
		out.beside = beside.method + ' ' + beside.hits.filter(({ id }) => id.startsWith('added-')).length;
		const parts = Object.fromEntries(Object.entries({ query, root: 'the king', perspectives: 'against it' }).map(([name, text]) => [name, { text }]));
		for (const part of Object.values(parts)) part.vector = (await base.encode(part.text)).vector;
		const sided = await base.search({ ...parts, side: 'against', k: 79 });
		out.side = [...new Set(sided.hits.map(({ stance }) => stance.side))].join();
		for (const one of [own, base]) one.close();
		return out;
	}`, texts, query)
	if !strings.Contains(got["texts"], `"method":"contrast","kind":"stance","strength":0.4,"side":"against"`) {
		t.Errorf("texts: %.300s", got["texts"])
	}
	if got["own"] != got["texts"] || got["reranked"] != got["texts"] {
		t.Errorf("added documents:\n%.600s\nreranked by the same engine:\n%.600s\nby the collection:\n%.600s", got["own"], got["reranked"], got["texts"])
	}
	if got["beside"] != "contrast 9" || got["side"] != "against" {
		t.Errorf("beside the rows: %q; one side: %q", got["beside"], got["side"])
	}
}
