package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/metrics"
)

// judgedDebates is a site of the bundled corpus and its gold, made once.
var judgedDebates struct {
	sync.Mutex
	dir string
}

// judgedSite returns the site with gold, written by the command with the light encoder. Tests
// only read it.
func judgedSite(t *testing.T) string {
	t.Helper()
	judgedDebates.Lock()
	defer judgedDebates.Unlock()
	if judgedDebates.dir == "" {
		dir := filepath.Join(filepath.Dir(program(t)), "judged") // TestMain removes it with the command
		cmd := exec.Command(program(t), "index", debatesFile, "--encoder", "light", "-o", dir, "--site", "--name", "Debates",
			"--queries", "examples/debates/queries.jsonl", "--qrels", "examples/debates/qrels/test.tsv")
		cmd.Dir = harness.Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		judgedDebates.dir = dir
	}
	return judgedDebates.dir
}

type judgedQuery struct {
	Text, Root   string
	Perspectives []string
	Label        string
	Gold         []string
}

// judgeNatively runs every query at depth 10 and notes the rank of its first
// answer.
func judgeNatively(t *testing.T, c *search.Collection, queries []judgedQuery, ask func(q judgedQuery) search.Query) (judged []metrics.Judgement) {
	t.Helper()
	for _, q := range queries {
		result, err := c.Search(context.Background(), ask(q))
		if err != nil {
			t.Fatal(err)
		}
		rank := 1 + slices.IndexFunc(result.Hits, func(h search.Hit) bool { return slices.Contains(q.Gold, h.ID) })
		judged = append(judged, metrics.Judgement{Root: q.Root, Label: q.Label, Perspective: strings.Join(q.Perspectives, "|"), Rank: rank})
	}
	return judged
}

// figuresOf formats figures like the page's table.
func figuresOf(plain, chosen []metrics.Judgement) [][]string {
	row := func(title string, value func(judged []metrics.Judgement, k int) float64) []string {
		out := []string{title}
		for _, k := range []int{5, 10} {
			out = append(out, fmt.Sprintf("%.3f", value(plain, k)), fmt.Sprintf("%.3f", value(chosen, k)))
		}
		return out
	}
	rows := [][]string{row("p-Recall, 48 roots", metrics.PRecall), row(fmt.Sprintf("Recall, all %d", len(plain)), metrics.Recall)}
	for i, l := range metrics.RecallByLabel(plain, 5) {
		rows = append(rows, row(fmt.Sprintf("%s, %d", l.Label, l.Queries), func(judged []metrics.Judgement, k int) float64 { return metrics.RecallByLabel(judged, k)[i].Recall }))
	}
	return rows
}

// figures reads the page's table.
const figures = `() => Array.from(document.querySelectorAll('#gold-rows tr'), (row) => Array.from(row.cells, (cell, i) => i === 0 ? cell.textContent : cell.textContent.match(/\d\.\d+/)[0]))`

// For both sides, the page's figures equal those of the native engine and the
// metrics in Go, whichever side does better. They follow the settings.
func TestDemoGold(t *testing.T) {
	t.Parallel()
	dir := judgedSite(t)
	page := demo(t, dir)
	collection := native(t, filepath.Join(dir, "collection"))
	content, err := os.ReadFile(filepath.Join(dir, "judgements.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Queries []judgedQuery }
	if err := json.Unmarshal(content, &file); err != nil || len(file.Queries) < 200 {
		t.Fatalf("%d queries, %v", len(file.Queries), err)
	}
	by := func(method string, lambda float64, mmr *float64) func(q judgedQuery) search.Query {
		return func(q judgedQuery) search.Query {
			ask := search.Query{Query: search.Text{Text: q.Text}, Root: &search.Text{Text: q.Root}, Method: method, Lambda: &lambda, MMR: mmr}
			for _, p := range q.Perspectives {
				ask.Perspectives = append(ask.Perspectives, search.Text{Text: p})
			}
			return ask
		}
	}
	plain := judgeNatively(t, collection, file.Queries, by("none", 1, nil))
	settled := func(at string, chosen []metrics.Judgement) {
		t.Helper()
		waitFor(t, page, `document.getElementById('gold-busy').hidden && document.getElementById('gold-verdict').textContent.startsWith('`+at+` ')`)
		if got, want := call[[][]string](t, page, figures), figuresOf(plain, chosen); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%q\nwant\n%q", at, got, want)
		}
		a, b := metrics.PRecall(plain, 10), metrics.PRecall(chosen, 10)
		word := "finds as often as"
		if b > a {
			word = "finds more often than"
		} else if b < a {
			word = "finds less often than"
		}
		verdict := call[string](t, page, `() => document.getElementById('gold-verdict').textContent`)
		if !strings.Contains(verdict, word) || !strings.Contains(verdict, fmt.Sprintf("%.3f against %.3f", b, a)) {
			t.Errorf("verdict %q, but p-Recall@10 is %v against %v", verdict, b, a)
		}
		// Plain is advised only if it finds more at both depths that the table shows.
		at5 := cmp.Compare(metrics.PRecall(chosen, 5), metrics.PRecall(plain, 5))
		if advised := strings.Contains(verdict, "plain is the better choice"); advised != (b < a && at5 < 0) || strings.Contains(verdict, "otherwise @5") != (at5 != cmp.Compare(b, a)) {
			t.Errorf("verdict %q, but p-Recall@5 compares as %d", verdict, at5)
		}
	}
	waitFor(t, page, `!document.getElementById('gold').hidden`)
	call[any](t, page, `() => document.getElementById('gold-run').click()`)
	settled("auto", judgeNatively(t, collection, file.Queries, func(q judgedQuery) search.Query {
		ask := by("", 1, nil)(q)
		ask.Lambda = nil
		return ask
	}))
	call[any](t, page, set, "method", "pap+")
	settled("pap+ λ 1", judgeNatively(t, collection, file.Queries, by("pap+", 1, nil)))
	strays := call[[]string](t, page, `() => {
		const { left, right, top, bottom } = document.getElementById('gold-table').getBoundingClientRect();
		const cells = Array.from(document.querySelectorAll('#gold-table td'), (cell) => ({ cell, box: cell.getBoundingClientRect() }));
		return cells.filter(({ box }) => box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1).map(({ cell }) => cell.textContent);
	}`)
	if len(strays) > 0 {
		t.Errorf("figures lie outside their table: %q", strays)
	}
	call[any](t, page, set, "lambda", "-0.5")
	settled("pap+ λ −0.5", judgeNatively(t, collection, file.Queries, by("pap+", -0.5, nil)))
	call[any](t, page, set, "diversify", true)
	call[any](t, page, set, "method", "add")
	settled("add MMR 0.75", judgeNatively(t, collection, file.Queries, by("add", 1, ptr(0.75))))

	// A measurement can be stopped, and searches work meanwhile.
	got := call[[]string](t, page, `async () => {
		const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		document.getElementById('gold-run').click();
		const before = document.getElementById('gold-verdict').textContent;
		const { hits } = await window.vantage.search({ query: 'trains' });
		const busy = !document.getElementById('gold-busy').hidden;
		document.getElementById('gold-stop').click();
		await pause(1500);
		const stopped = document.getElementById('gold-busy').hidden && document.getElementById('gold-verdict').textContent === before;
		return [String(hits.length), String(busy), String(stopped)];
	}`)
	if strings.Join(got, " ") != "10 true true" {
		t.Errorf("hits, under way, stopped: %v", got)
	}
}

// A site without judged queries does not offer to measure. A malformed file of
// them does no harm, and the console tells of it.
func TestDemoWithoutGold(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	got := call[struct {
		Taken  []int
		Warned string
	}](t, page, `async () => {
		const { loadJudgements } = await import('/static/demo/parts/judgements.js');
		const of = async (value) => (await loadJudgements('data:application/json,' + encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value)))).length;
		const head = { format: 'vantage-judgements', version: 1 };
		const good = { id: 'a', text: 'b', gold: ['c'] };
		const { fetch } = window;
		const { warn } = console;
		let warned = '';
		window.fetch = async (url) => new Response(decodeURIComponent(url.slice(url.indexOf(',') + 1)));
		console.warn = (...words) => { warned += words.join(' ') + '\n'; };
		try {
			const taken = [await of({ ...head, queries: [good, { id: 1 }, null, { ...good, gold: [1] }] }), await of('{'), await of('null'), await of({ ...head, version: 2, queries: [good] }), await of({ ...head, queries: 1 }), await of({ ...head, queries: Array(10001).fill(good) }), await of('[' + '0,'.repeat(1e6) + '0]')];
			return { taken, warned };
		} finally {
			window.fetch = fetch;
			console.warn = warn;
		}
	}`)
	if !slices.Equal(got.Taken, []int{1, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("queries taken: %v", got.Taken)
	}
	if strings.Count(got.Warned, "\n") != 6 || !strings.Contains(got.Warned, "judgements.json: more than 1000000 values: give fewer queries") || !strings.Contains(got.Warned, "at most 10000 queries") {
		t.Errorf("the console says %s", got.Warned)
	}
	if hidden := call[bool](t, page, `() => document.getElementById('gold').hidden`); !hidden {
		t.Error("the page offers to measure without judged queries")
	}
}

// A site's judged queries are stored with its page, and can be measured without
// a network.
func TestDemoGoldOffline(t *testing.T) {
	t.Parallel()
	h := &host{dir: judgedSite(t)}
	server := serve(t, h)
	page := open(t, server.Lab())
	page.Expect(unanswered)
	waitFor(t, page, isKept)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	again(t, page)
	waitFor(t, page, `!document.getElementById('gold').hidden`)
	call[any](t, page, `() => document.getElementById('gold-run').click()`)
	waitFor(t, page, `document.querySelectorAll('#gold-rows tr').length > 2`)
	// The reader of files is stored too.
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('garden.csv: 4 documents')`)
}
