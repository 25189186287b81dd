package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// sidesCalls are calls of the library about sides, and what Go answers. The calls are run
// in this order.
func sidesCalls(t *testing.T, dir string, texts []string) (calls []any, want []string) {
	t.Helper()
	collection := native(t, filepath.Join(dir, "collection"))
	add := func(answer any, err error, call ...any) {
		text := "query: "
		if err == nil {
			b, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		calls, want = append(calls, call), append(want, text)
	}
	third, err := search.ParseFilter("third=1")
	if err != nil {
		t.Fatal(err)
	}
	filters := []search.Filter{third}
	filter := map[string]any{"third": 1}
	const king = "the king walked to the city"
	sides := func(q search.SidesQuery, options map[string]any) *search.Sides {
		answer, err := collection.Sides(t.Context(), q)
		add(answer, err, "sides", q.Root, options)
		return answer
	}
	all := sides(search.SidesQuery{Root: king, K: 70}, map[string]any{"k": 70})
	sides(search.SidesQuery{Root: king}, nil)
	sides(search.SidesQuery{Root: "a train", K: 3, Strength: ptr(-2.5)}, map[string]any{"k": 3, "strength": -2.5})
	sides(search.SidesQuery{Root: king, Filters: filters}, map[string]any{"filter": filter})
	sides(search.SidesQuery{}, nil)
	if blank := sides(search.SidesQuery{Root: " \t\u00a0"}, nil); blank != nil {
		t.Errorf("a blank root is answered: %+v", blank)
	}
	sides(search.SidesQuery{Root: king, K: -1}, map[string]any{"k": -1})
	sides(search.SidesQuery{Root: king, Strength: ptr(11.0)}, map[string]any{"strength": 11})
	for name, side := range map[string]search.SideHits{"for": all.For, "neither": all.Neither, "against": all.Against} {
		if side.Count < 4 || side.Count != len(side.Hits) {
			t.Errorf("%d texts are %s, %d hits: the test compares too little", side.Count, name, len(side.Hits))
		}
	}
	// Roots with a verb are claims, others phrases.
	for _, root := range []string{"the king is no man", "THE CITY SHOULD sleep", "it can’t snow", "'they're'", "night trains", "Städte in the night", "a need-based train", "\u017fhall"} {
		answer, err := collection.SidesOf(t.Context(), search.SidesQuery{Root: root, K: 70}, texts)
		add(answer, err, "sidesOf", root, texts, map[string]any{"k": 70})
	}
	for _, list := range [][]string{texts, nil} {
		answer, err := collection.SidesOf(t.Context(), search.SidesQuery{Root: king, K: 5}, list)
		add(answer, err, "sidesOf", king, list, map[string]any{"k": 5})
	}
	other := func(q search.OtherSideQuery, options map[string]any) {
		answer, err := collection.OtherSide(t.Context(), q)
		add(answer, err, "otherSide", q.Document, options)
	}
	for _, document := range []int{all.For.Hits[0].Index, all.Against.Hits[1].Index} {
		other(search.OtherSideQuery{Document: document, Root: king}, map[string]any{"root": king})
		other(search.OtherSideQuery{Document: document, Root: king, K: 70, Strength: ptr(0.1), Filters: filters}, map[string]any{"root": king, "k": 70, "strength": .1, "filter": filter})
		other(search.OtherSideQuery{Document: document, K: 4}, map[string]any{"k": 4})
	}
	other(search.OtherSideQuery{Document: 70}, nil)
	other(search.OtherSideQuery{Document: 1, Strength: ptr(-1.0)}, map[string]any{"strength": -1})
	// What is on a side: all hits of a ranking that have its stance.
	for _, q := range []search.Query{
		{Query: search.Text{Text: "reasons against: " + king}, Method: "contrast", K: 70},
		{Query: search.Text{Text: "reasons against: " + king}, Method: "pap+", K: 70},
	} {
		answer, err := collection.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{search.For, search.Against} {
			var hits []search.Hit
			for _, h := range answer.Hits {
				if h.Stance != nil && h.Stance.Side == side {
					h.Rank = len(hits) + 1
					hits = append(hits, h)
				}
			}
			add(hits, nil, "hits", map[string]any{"query": q.Query.Text, "method": q.Method, "k": 70, "side": side})
		}
	}
	return calls, want
}

// tellSides runs the calls and returns the JSON of each answer.
const tellSides = `async (collection, calls, options) => {
	const { Vantage } = await import('/lib/index.js');
	const vantage = await Vantage.open(collection, options);
	await vantage.ready;
	const out = [];
	for (const [name, ...args] of calls) {
		try {
			if (name === 'hits') out.push(JSON.stringify((await vantage.search(...args)).hits));
			else if (name === 'sidesOf') out.push(JSON.stringify(await vantage.sidesOf(args[0], args[1] ?? [], args[2])));
			else {
				const { coverage, ...answer } = await vantage[name](...args);
				if (coverage.rows !== coverage.total) throw new Error('only ' + coverage.rows + ' rows of ' + coverage.total);
				out.push(JSON.stringify(answer));
			}
		} catch (error) {
			out.push(error.code + ': ' + error.message);
		}
	}
	vantage.close();
	return out;
}`

// Pages and Node.js tell sides as Go does, to the last digit, with one worker and with
// several.
func TestSidesEqualGo(t *testing.T) {
	t.Parallel()
	dir, texts := sidesSite(t)
	calls, want := sidesCalls(t, dir, texts)
	equal := func(where string, got []string) {
		t.Helper()
		for i := range want {
			if want[i] == "query: " && strings.HasPrefix(got[i], "query: ") {
				continue
			}
			if got[i] != want[i] {
				t.Errorf("%s, %.200v:\n  script %.900s\n  Go     %.900s", where, calls[i], got[i], want[i])
			}
		}
	}
	page := open(t, serve(t, bare(dir)).URL("/"))
	for _, options := range []map[string]any{{}, {"workers": 3}, {"worker": false}} {
		equal(fmt.Sprint("page, ", options), call[[]string](t, page, tellSides, "/collection/", calls, options))
	}
	script := strings.Replace(tellSides, "'/lib/index.js'", "'"+filepath.Join(tools.Root(), "static/lib/index.js")+"'", 1)
	input, err := json.Marshal([]any{calls, map[string]any{"workers": 2}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tools.Node(t), "--input-type=module", "-e", `import { text } from 'node:stream/consumers';
const [calls, options] = JSON.parse(await text(process.stdin));
const told = `+script+`;
const here = process.argv[1];
console.log(JSON.stringify([await told(here, calls, {}), await told(here, calls, options)]));`, "file://"+filepath.Join(dir, "collection")+"/")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [2][]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	equal("Node.js", got[0])
	equal("Node.js with two threads", got[1])
}

// Added documents have sides, in a collection and in an engine that shares its encoder: as
// Go tells those of the same texts, with one worker and with several, whether their angles
// are encoded when they are added, when a query first needs them, or come from storage.
func TestSidesOfAddedDocuments(t *testing.T) {
	t.Parallel()
	dir, texts := sidesSite(t)
	const king = "the king walked to the city"
	answer, err := native(t, filepath.Join(dir, "collection")).SidesOf(t.Context(), search.SidesQuery{Root: king, K: 70}, texts)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]search.Stance{}
	for _, hits := range [][]search.Hit{answer.For.Hits, answer.Neither.Hits, answer.Against.Hits} {
		for _, h := range hits {
			want[strconv.Itoa(h.Index)] = *h.Stance
		}
	}
	page := open(t, serve(t, bare(dir)).URL("/"))
	got := call[map[string]map[string]search.Stance](t, page, `async (texts, root) => {
		const { Vantage } = await import('/lib/index.js');
		const base = await Vantage.open('/collection/');
		const documents = texts.map((text, i) => ({ id: String(i), text }));
		const told = async (vantage) => {
			const { for: pro, neither, against } = await vantage.sides(root, { k: 200 });
			return Object.fromEntries([...pro.hits, ...neither.hits, ...against.hits].map(({ id, stance }) => [id, stance]));
		};
		const out = {};
		const late = await Vantage.create({ encoder: base });
		await late.add(documents.slice(0, 40));
		const before = await told(late);
		await late.add(documents.slice(40)); // after the first question
		out.late = await told(late);
		if (Object.keys(before).length >= Object.keys(out.late).length) throw new Error('the first question found all');
		await late.save('sides');
		const early = await Vantage.create({ encoder: base, workers: 2 });
		await early.add(documents, { angles: true });
		out.early = await told(early);
		const kept = await Vantage.create({ encoder: base });
		await kept.restore('sides');
		out.kept = await told(kept);
		await Vantage.forget('sides');
		await kept.remove(['3']);
		out.removed = await told(kept);
		const refused = await kept.stances(root, [3]).catch((error) => error.code);
		const unlisted = await base.stances(root, 3).catch((error) => error.message);
		if (!unlisted.startsWith('stances takes a list of indexes')) throw new Error(unlisted);
		if (refused !== 'query') throw new Error('a removed document has the stance ' + JSON.stringify(refused));
		for (const one of [late, early, kept]) one.close();

		// In the collection, whose rows are int8, added ones too.
		await base.add(documents.slice(0, 9).map(({ id, text }) => ({ id: 'added-' + id, text })));
		const all = await told(base);
		out.beside = Object.fromEntries(Object.entries(all).flatMap(([id, stance]) => (id.startsWith('added-') ? [[id.slice(6), stance]] : [])));
		out.same = Object.fromEntries(Object.entries(all).filter(([id]) => Number(id) < 9));
		const [stance] = await base.stances(root, [70 + Number(Object.keys(out.beside)[0])]);
		if (!stance) throw new Error('an added document has no stance');
		const { of } = await base.otherSide(70, { root });
		if (of.id !== 'added-0') throw new Error('the other side of ' + of.id);
		const { hits } = await base.search({ query: 'reasons against: ' + root, method: 'contrast', k: 200 });
		if (!hits.some(({ id }) => id === 'added-8')) throw new Error('contrast does not find what was added');
		base.close();
		return out;
	}`, texts, king)
	for _, name := range []string{"late", "early", "kept"} {
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	delete(want, "3")
	if !reflect.DeepEqual(got["removed"], want) {
		t.Errorf("removed: %v", got["removed"])
	}
	if len(got["beside"]) == 0 || !reflect.DeepEqual(got["beside"], got["same"]) {
		t.Errorf("beside the same texts of the collection: %v, want %v", got["beside"], got["same"])
	}
}

// A question about sides can be cancelled, and a lost worker is replaced with the angles
// of what was added.
func TestSidesGoOn(t *testing.T) {
	t.Parallel()
	dir, texts := sidesSite(t)
	page := open(t, serve(t, bare(dir)).URL("/"))
	got := call[[]string](t, page, `async (texts) => {
		const { Vantage } = await import('/lib/index.js');
		const workers = [];
		const Real = Worker;
		globalThis.Worker = class extends Real {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		const vantage = await Vantage.open('/collection/', { workers: 2 });
		await vantage.ready;
		const root = 'the king walked to the city';
		const stop = new AbortController();
		const cancelled = vantage.sides(root, { signal: stop.signal }).catch((error) => error.name);
		stop.abort();
		const out = [String(await cancelled)];
		await vantage.add(texts.map((text, i) => ({ id: 'added-' + i, text })), { angles: true });
		const ask = async () => {
			const { for: pro, against, coverage } = await vantage.sides(root, { k: 200 });
			return JSON.stringify([pro, against, coverage]);
		};
		const before = await ask();
		workers[1].onmessage = null;
		workers[1].terminate();
		workers[1].dispatchEvent(new ErrorEvent('error', { message: 'ended by the test' }));
		for (let i = 0; i < 200 && vantage.coverage.rows < vantage.coverage.total; i++) await new Promise((resolve) => setTimeout(resolve, 20));
		out.push(before, await ask());
		vantage.close();
		return out;
	}`, texts)
	if got[0] != "AbortError" {
		t.Errorf("a cancelled question: %s", got[0])
	}
	if got[1] != got[2] || !strings.Contains(got[1], `"added-`) {
		t.Errorf("before a worker was lost:\n%.900s\nafter:\n%.900s", got[1], got[2])
	}
}

// With the attribute sides, the element says how many passages are for the claim that is
// typed and how many against it, and which side each result is on. Nothing moves when that
// comes.
func TestComponentSides(t *testing.T) {
	t.Parallel()
	dir, _ := sidesSite(t)
	const king = "the king walked to the city"
	collection := native(t, filepath.Join(dir, "collection"))
	sides, err := collection.Sides(t.Context(), search.SidesQuery{Root: king, K: 70})
	if err != nil {
		t.Fatal(err)
	}
	side := map[string]string{}
	for name, hits := range map[string][]search.Hit{"for": sides.For.Hits, "against": sides.Against.Hits} {
		for _, h := range hits {
			side[h.Text] = fmt.Sprintf("%s (%.0f %%)", name, 100*h.Stance.Probability)
		}
	}
	page := open(t, serve(t, bare(dir)).URL("/"))
	type result struct {
		Line   string
		Labels map[string]string
		Told   int
		Moved  []float64
	}
	got := call[result](t, page, `async (query) => {
		await import('/lib/vantage-search.js');
		document.documentElement.lang = 'en';
		document.title = 'Sides';
		document.body.innerHTML = '<main><h1>Sides</h1><vantage-search collection="/collection/" sides k="30"></vantage-search></main>';
		const element = document.querySelector('vantage-search');
		const event = (type) => new Promise((resolve) => element.addEventListener(type, ({ detail }) => resolve(detail), { once: true }));
		await event('vantage-ready');
		await (await element.vantage).ready;
		element.value = query;
		const sides = event('vantage-sides');
		const root = element.shadowRoot;
		const tops = () => Array.from(root.querySelectorAll('[part=result]'), (item) => item.getBoundingClientRect().top);
		await element.search();
		const before = tops();
		const detail = await sides;
		const after = tops();
		return {
			line: root.querySelector('[part=sides]').textContent,
			labels: Object.fromEntries(Array.from(root.querySelectorAll('[part=result]'), (item) => [item.querySelector('[part=title]').textContent, item.querySelector('[part~=stance]').textContent])),
			told: detail.for.count,
			moved: after.filter((top, i) => Math.abs(top - before[i]) > 1),
		};
	}`, "reasons against: "+king)
	if want := fmt.Sprintf("%d for · %d against", sides.For.Count, sides.Against.Count); got.Line != want || got.Told != sides.For.Count {
		t.Errorf("the line is %q, want %q; the event has %d", got.Line, want, got.Told)
	}
	labelled := 0
	for text, label := range got.Labels {
		if label != side[text] {
			t.Errorf("%q is labelled %q, want %q", text, label, side[text])
		}
		if label != "" {
			labelled++
		}
	}
	if labelled < 3 || len(got.Moved) > 0 {
		t.Errorf("%d results have labels; moved: %v", labelled, got.Moved)
	}
	violations(t, page, axe(t), "component sides", contrast)
	// A template says the same.
	for text, label := range call[map[string]string](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		element.innerHTML = '<template slot="result"><p><b data-field="title"></b><i data-field="stance"></i></p></template>';
		const sides = new Promise((resolve) => element.addEventListener('vantage-sides', resolve, { once: true }));
		await element.search();
		await sides;
		return Object.fromEntries(Array.from(element.querySelectorAll('p'), (item) => {
			const stance = item.querySelector('i');
			const said = stance.hidden ? '' : stance.textContent;
			return [item.querySelector('b').textContent, said.startsWith(stance.dataset.side ?? '') ? said : 'not ' + stance.dataset.side];
		}));
	}`) {
		if label != got.Labels[text] {
			t.Errorf("the template labels %q %q, not %q", text, label, got.Labels[text])
		}
		labelled--
	}
	if labelled > 0 {
		t.Error("the template has fewer results")
	}
}
