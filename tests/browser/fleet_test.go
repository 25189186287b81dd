package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// manyQuestions returns queries by every method without angles, with all options for which
// engines with parts of the rows must cooperate.
func manyQuestions() []question {
	text := func(s string) search.Text { return search.Text{Text: s} }
	root, sides := "Night trains deserve public subsidy", []string{"a claim that opposes", "a passenger's view"}
	out := questions()
	for i, m := range perspective.Methods() {
		if m.Angles > 0 {
			continue // see sidesQuestions
		}
		mmr, k := 0.3+0.03*float64(i), 5+i
		page := map[string]any{"query": oppose, "root": root, "perspectives": sides, "method": m.Name, "mmr": mmr, "k": k, "cosineRank": true}
		goes := search.Query{Query: text(oppose), Root: ptr(text(root)), Perspectives: []search.Text{text(sides[0]), text(sides[1])}, Method: m.Name, MMR: ptr(mmr), K: k, CosineRank: true}
		out = append(out, question{m.Name + ", diversified", page, goes})
		filter := map[string]any{"filter": map[string]any{"stance": "oppose"}, "k": 150}
		goes.K, goes.Filters = 150, []search.Filter{{Field: "stance", Values: []string{"oppose"}}}
		out = append(out, question{m.Name + ", diversified and filtered", merge(page, filter), goes})
		filter["mmr"], goes.MMR = nil, nil
		out = append(out, question{m.Name + ", filtered", merge(page, filter), goes})
	}
	return out
}

// Any number of workers, even more than there are shards, gives the answer of
// one engine, to the last digit.
func TestWorkersEqualGo(t *testing.T) {
	t.Parallel()
	want := expect(t, debates(t), manyQuestions())
	for _, n := range []int{2, 3, 5, 12} { // the last: more than there are shards
		t.Run(fmt.Sprint(n), func(t *testing.T) { want.compare(t, map[string]any{"workers": n}) })
	}
	t.Run("float32", func(t *testing.T) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "collection"), debatesFile, shard.F32)
		if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
			t.Fatal(err)
		}
		compare(t, dir, manyQuestions(), map[string]any{"workers": 2})
	})
}

// Several workers give the same answers as one after documents were added and
// removed. Some are copies of others, so that scores tie across workers.
func TestWorkersWithAddedAndRemoved(t *testing.T) {
	t.Parallel()
	_, all := splitCorpus(t, debatesRows)
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	var queries []map[string]any
	for _, q := range manyQuestions() {
		queries = append(queries, q.page)
	}
	queries = append(queries,
		map[string]any{"query": oppose, "cosineRank": true, "filter": map[string]any{"copy": 1}},
		map[string]any{"query": oppose, "cosineRank": true, "filter": map[string]any{"copy": map[string]any{"min": 0}}, "mmr": 0.5, "method": "re-ranking"},
	)
	ask := `async (options, queries, all) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/', options);
		const copies = (n) => all.map((document) => ({ ...document, id: document._id + ' ' + n, metadata: { ...document.metadata, copy: n } }));
		const indexes = [];
		indexes.push(...(await vantage.add(copies(0)))); // while shards arrive
		await vantage.remove(all.slice(0, 20).map((document) => document._id));
		await vantage.ready;
		indexes.push(...(await vantage.add(copies(1)))); // more than one worker's stretch
		await vantage.remove([...all.slice(20, 40).map((document) => document._id), ...copies(1).slice(0, 30).map(({ id }) => id)]);
		await vantage.add(copies(2).slice(0, 3));
		const out = [indexes.join()];
		for (const query of queries) {
			const { method, hits, coverage } = await vantage.search(query);
			out.push(JSON.stringify({ method, hits, coverage }));
		}
		vantage.close();
		return out;
	}`
	want := call[[]string](t, page, ask, map[string]any{}, queries, all)
	if hits := strings.Count(strings.Join(want, ""), `"rank"`); hits < 10*len(queries) || !strings.Contains(want[len(want)-1], `"rank"`) {
		t.Fatalf("%d hits for %d queries: the test compares too little", hits, len(queries))
	}
	for _, n := range []int{2, 3, 5} {
		got := call[[]string](t, page, ask, map[string]any{"workers": n}, queries, all)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%d workers, %v:\n  %.500s\n  %.500s", n, queries[max(i-1, 0)], got[i], want[i])
			}
		}
	}
}
