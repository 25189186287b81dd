package extension

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// ddg opens a page of DuckDuckGo's structure in a shape, with its first count results.
func ddg(t *testing.T, shape string, count int, more ...string) (x tab, results []pages.Result) {
	t.Helper()
	x = open(t, chromium(t), pages.DuckDuckGo.URL(pages.Uniforms, shape, append([]string{"count", strconv.Itoa(count)}, more...)...))
	return x, pages.Results(pages.Uniforms, 1, count)
}

// list selects the results of these pages.
var list = pages.DuckDuckGo.Result

// supporting returns the titles in the order of the supporting side.
func supporting(t *testing.T, results []pages.Result) []string {
	t.Helper()
	return titlesIn(results, ranked(t, pages.Uniforms, supports, textsOf(results)))
}

func opposing(t *testing.T, results []pages.Result) []string {
	t.Helper()
	return titlesIn(results, ranked(t, pages.Uniforms, opposes, textsOf(results)))
}

func titles(results []pages.Result) []string { return titlesIn(results, inOrder(len(results))) }

// Each page of a paginated list has a bar of its own, and so has one that the reader comes
// back to.
func TestPagination(t *testing.T) {
	t.Parallel()
	x, first := ddg(t, "", 6)
	second := pages.Results(pages.Uniforms, 7, 6)
	arrived := func(condition string) {
		t.Helper()
		wait.Until(t, condition, func() bool {
			here, err := harness.Call[bool](x.Page, "() => "+condition)
			return err == nil && here // while one page takes the place of another, calls fail
		})
	}
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, first))
	call[any](x, `() => document.getElementById('next').click()`)
	arrived(`location.search.includes('from=')`)
	x.waitTitles(list, titles(second))
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, second))
	call[any](x, `() => history.back()`)
	arrived(`!location.search.includes('from=')`)
	if undo := x.control("button", label(t, "barUndo")); undo.Name == "" {
		t.Error("the button for undoing has no name")
	}
	x.press("barOpposing") // not barSupporting: if the page stands as it was left, a second press would undo it
	x.waitTitles(list, opposing(t, first))
	x.press("barUndo")
	x.waitTitles(list, titles(first))
}

// Results that come behind the others are ranked among them.
func TestInfiniteScroll(t *testing.T) {
	t.Parallel()
	x, first := ddg(t, "scroll", 6)
	all := pages.Results(pages.Uniforms, 1, 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, first))
	call[any](x, `() => document.getElementById('more-results').click()`)
	x.waitTitles(list, supporting(t, all))
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, all))
	x.press("barUndo")
	x.waitTitles(list, titles(all))
	call[any](x, `() => more()`)
	x.waitTitles(list, titles(pages.Results(pages.Uniforms, 1, 18)))
}

// Results that come because the reader scrolls to the end, by keys or by the wheel, are ranked
// among the others, and undoing leaves the reader where they are.
func TestEndlessScroll(t *testing.T) {
	t.Parallel()
	x, first := ddg(t, "endless", 6)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, first))
	if err := x.Do(chromedp.KeyEvent(kb.End)); err != nil {
		t.Fatal(err)
	}
	x.waitTitles(list, supporting(t, pages.Results(pages.Uniforms, 1, 12)))
	wait.Until(t, "more results come", func() bool {
		if err := x.Wheel(200, 300, 400); err != nil {
			t.Fatal(err)
		}
		return len(x.titles(list)) == 18
	})
	all := pages.Results(pages.Uniforms, 1, 18)
	x.waitTitles(list, supporting(t, all))
	before := call[float64](x, `() => scrollY`)
	x.press("barUndo")
	x.waitTitles(list, titles(all))
	if after := call[float64](x, `() => scrollY`); before < 1000 || after != before {
		t.Errorf("undoing scrolls from %v to %v", before, after)
	}
}

// A page that replaces its results in place keeps the reader's choice, for another question
// too, and going back brings the results of before.
func TestNavigation(t *testing.T) {
	t.Parallel()
	x, first := ddg(t, "navigate", 6)
	second := pages.Results(pages.Uniforms, 7, 6)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, first))
	call[any](x, `() => document.getElementById('next').click()`)
	x.waitTitles(list, supporting(t, second))
	other := pages.Results(pages.Nuclear, 1, 9)
	call[any](x, `(url) => go(url)`, pages.DuckDuckGo.URL(pages.Nuclear, "navigate", "count", "9"))
	x.waitTitles(list, titlesIn(other, ranked(t, pages.Nuclear, supports, textsOf(other))))
	call[any](x, `() => history.back()`)
	x.waitTitles(list, supporting(t, second))
	call[any](x, `() => history.back()`)
	x.waitTitles(list, supporting(t, first))
	x.press("barUndo")
	x.waitTitles(list, titles(first))
	call[any](x, `() => history.forward()`)
	x.waitTitles(list, titles(second))
}

// An address that changes while a question is answered, but not what the page is about, leaves the question as it is. If
// the page comes back to its subject at once, the question is answered, too.
func TestAddressWhileAsking(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "", 12)
	for i, change := range []string{
		`location.hash = 'there'`,
		`history.replaceState(null, '', location.href.split('#')[0] + '&ia=web')`,
		`const here = location.href; history.replaceState(null, '', '/?q=other'); history.replaceState(null, '', here)`,
	} {
		chip, want := "barSupporting", supporting(t, results)
		if i%2 == 1 {
			chip, want = "barOpposing", opposing(t, results)
		}
		callOn[any](x, x.control("button", label(t, chip)), `function () { this.click(); `+change+`; }`)
		x.waitTitles(list, want)
		x.waitStatus(label(t, "barRankedSides"))
		x.calm()
	}
}

// A page without results goes on to one that has them, and later to one that no rule is for, without loading. The bar
// comes with the results and goes with them, and the reader's choice holds when they come back.
func TestNavigationWithoutRule(t *testing.T) {
	t.Parallel()
	x := open(t, chromium(t), "https://"+pages.DuckDuckGo.Host+pages.DuckDuckGo.Path+"?shape=navigate&count=6")
	noBar := func() {
		t.Helper()
		wait.Until(t, "there is no bar", func() bool { return len(x.found("region", label(t, "barLabel"))) == 0 })
	}
	noBar()
	call[any](x, `() => history.pushState(null, '', '/about')`)
	call[any](x, `(url) => go(url)`, pages.DuckDuckGo.URL(pages.Uniforms, "navigate", "count", "6"))
	results := pages.Results(pages.Uniforms, 1, 6)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	call[any](x, `() => history.pushState(null, '', '/settings')`) // with the results behind it
	x.waitTitles(list, titles(results))
	noBar()
	call[any](x, `() => history.back()`)
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// A page that hides its query for a while, as Hacker News' has a rule for every address, is ranked when it is back.
func TestNavigationWithoutQuery(t *testing.T) {
	t.Parallel()
	site := pages.Sites[slices.IndexFunc(pages.Sites, func(s pages.Site) bool { return s.Host == "hn.algolia.com" })]
	x := open(t, chromium(t), site.URL(pages.Uniforms, "", "count", "6"))
	results := pages.Results(pages.Uniforms, 1, 6)
	want, _ := orders(t, site.Host, pages.Uniforms, results)
	x.press("barSupporting")
	x.waitTitles(site.Result, want)
	call[any](x, `() => history.pushState(null, '', '/')`)
	x.waitTitles(site.Result, titles(results))
	x.waitStatus(label(t, "barNoSubject"))
	call[any](x, `() => history.back()`)
	x.waitTitles(site.Result, want)
	x.press("barUndo")
	x.waitStatus(label(t, "barReady", 6))
	call[any](x, `() => history.pushState(null, '', '/')`)
	x.waitStatus(label(t, "barNoSubject"))
}

// If a page is not what its rule says any more, the bar says so and offers the list that it
// finds by itself.
func TestBrokenRule(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "broken", 12)
	const broken = `li[data-kind="web"]`
	x.waitStatus(label(t, "barRuleBroken", "DuckDuckGo"))
	x.noToolbar("barUseFound", "barPick", "barOptions")
	x.press("barUseFound")
	x.press("barSupporting")
	x.waitTitles(broken, supporting(t, results))
	// The list is kept where the address has the same rule, until the page has no such list any more.
	call[any](x, `() => { location.hash = 'there'; }`)
	x.press("barOpposing")
	x.waitTitles(broken, opposing(t, results))
	x.press("barUndo")
	x.waitTitles(broken, titles(results))
	call[any](x, `(broken) => {
		const results = [...document.querySelectorAll(broken)];
		const list = results[0].parentElement;
		list.removeAttribute('class');
		list.replaceChildren(...results.map((one) => {
			const result = document.createElement('li');
			result.dataset.layout = 'organic';
			const title = document.createElement('h2');
			title.append(...one.querySelector('h3').childNodes);
			result.append(title, one.querySelector('[data-result]'));
			return result;
		}));
	}`, broken)
	x.waitStatus(label(t, "barReady", 12))
}

// A rule whose query is the page's title or heading may be for pages without results, too: the bar does not complain there.
func TestRuleByTitle(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	for query, complains := range map[string]bool{"title": false, "h1": false, `input[name="q"]`: true} {
		s.store(t, map[string]any{"rules": []any{map[string]any{
			"id": "blog", "name": "blog", "matches": []any{"https://" + pages.Forum.Host + "/*"},
			"query": map[string]any{"selector": query}, "result": ".post", "title": "h3",
		}}})
		x := open(t, s, pages.Forum.URL(pages.Uniforms, ""))
		call[any](x, `() => { document.querySelector('main').prepend(Object.assign(document.createElement('h1'), { textContent: 'Words' })); }`)
		if complains {
			x.waitStatus(label(t, "barRuleBroken", "blog"))
			continue
		}
		time.Sleep(4 * time.Second) // longer than the bar waits before it complains
		if bars := x.found("region", label(t, "barLabel")); len(bars) > 0 {
			t.Errorf("by %s, the bar says %q", query, x.status())
		}
	}
}

// A page that sorts its results back wins after three tries, and the bar says so.
func TestFight(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "fight", 12)
	x.keep(list)
	x.press("barSupporting")
	x.waitStatus(label(t, "barGaveWay"))
	x.waitTitles(list, titles(results))
	x.same(list)
	sorted := call[int](x, `() => sorted`)
	if sorted < 3 || sorted > 4 { // the third try is the last; each has two stages, and the bar waits between them
		t.Errorf("the page has sorted %d times", sorted)
	}
	x.waitBadges(nil)
}

// A page that shows other results for each query as it is typed does not fight: each is ranked, though some results are
// those of before in another order.
func TestRefining(t *testing.T) {
	t.Parallel()
	x, all := ddg(t, "", 12)
	call[any](x, `() => { globalThis.others = results().map((result) => result.cloneNode(true)); }`)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, all))
	for i, ranks := range [][]int{{1, 3, 2, 5, 7, 8}, {3, 1, 5, 2, 9, 7}, {1, 2, 3, 7, 9, 10}, {2, 1, 3, 10, 9, 7}, {7, 9, 2, 1, 11, 3}} {
		var shown []pages.Result
		for _, rank := range ranks {
			shown = append(shown, all[rank-1])
		}
		query := pages.Uniforms + strings.Repeat(" please", i+1)
		call[any](x, `(query, ranks) => {
			const address = new URL(location.href);
			address.searchParams.set('q', query);
			history.replaceState(null, '', address);
			const old = results();
			const place = document.createComment('');
			old[0].before(place);
			for (const result of old) result.remove();
			place.replaceWith(...ranks.map((rank) => others[rank - 1].cloneNode(true)));
		}`, query, ranks)
		x.waitTitles(list, titlesIn(shown, ranked(t, query, supports, textsOf(shown))))
	}
}

// A page that insists on its order has it for the query. Other results for another one are ranked.
func TestFightEnds(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "fight", 12)
	x.press("barSupporting")
	x.waitStatus(label(t, "barGaveWay"))
	query := pages.Uniforms + " please"
	call[any](x, `(query) => {
		watch.disconnect();
		results()[0].remove();
		const address = new URL(location.href);
		address.searchParams.set('q', query);
		history.replaceState(null, '', address);
	}`, query)
	rest := results[1:]
	x.waitTitles(list, titlesIn(rest, ranked(t, query, supports, textsOf(rest))))
}

// A list that React keeps can be ranked, rendered anew, changed and ranked again. React's
// state stays with its elements.
func TestReact(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "react", 12)
	x.waitFor(`document.querySelectorAll('` + list + `').length === 12`)
	x.keep(list)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	call[any](x, `() => { for (let i = 0; i < 5; i++) rerender(); kept.forEach((result, i) => i % 2 && result.querySelector('a').click()); }`)
	x.waitFor(`kept.every((result, i) => Number(result.dataset.clicks) === i % 2)`)
	x.waitTitles(list, supporting(t, results))
	x.same(list)

	// React removes some, brings some back elsewhere, and is not confused by where they stand.
	shown := []int{12, 3, 5, 1, 8, 4}
	var now []pages.Result
	for _, rank := range shown {
		now = append(now, results[rank-1])
	}
	call[any](x, `(ranks) => change(ranks)`, shown)
	x.waitTitles(list, supporting(t, now))
	call[any](x, `(ranks) => change(ranks)`, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
	call[any](x, `(ranks) => change(ranks)`, shown)
	x.waitTitles(list, titles(now))
}

// A page that shows results anew, in other elements in the old ones' places, has them ranked and put back.
func TestReplacement(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	for range 2 {
		call[any](x, `(selector) => {
			for (const result of document.querySelectorAll(selector)) {
				const copy = result.cloneNode(true);
				copy.querySelectorAll('h2 a').forEach((title) => { title.textContent = title.textContent; });
				result.replaceWith(copy);
			}
		}`, list)
		x.waitTitles(list, supporting(t, results))
	}
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// A page adds, removes and replaces results while they stand in our order, before and after they are ranked anew. Undoing
// gives the order that the page would have had without us, in lists with white space between results and without.
func TestUndoAfterChanges(t *testing.T) {
	t.Parallel()
	changes := []struct {
		script string
		means  string // what the page means by results: their "places", or the "elements" that it finds there
	}{
		{`list.prepend(make())`, "places"},
		{`list.insertBefore(make(), list.firstChild)`, "places"},
		{`results[0].before(make())`, "places"},
		{`results.at(-1).after(make())`, "places"},
		{`list.append(make())`, "places"},
		{`results.find((one) => one.textContent.includes(first)).remove()`, "elements"},
		{`results[2].replaceWith(make())`, "elements"},
		{`results[0].before(make()); results[0].remove()`, "elements"},
		{`results[1].after(make()); results[1].remove()`, "elements"},
	}
	for name, space := range map[string]string{"white space": " ", "no white space": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, results := ddg(t, "", 6)
			x.waitTitles(list, titles(results))
			// The twin is a list that nobody orders.
			call[any](x, `(selector, space, first) => {
				const list = document.querySelector(selector).parentElement;
				list.replaceChildren(...results().flatMap((result) => [result, space]).filter(Boolean));
				const twin = list.cloneNode(true);
				const of = (list) => [...list.querySelectorAll(selector)];
				const titleOf = (result) => result.querySelector('h2').textContent.trim();
				let made = 0;
				globalThis.change = (means, act) => {
					const here = of(list);
					const there = of(twin);
					const twins = here.map((one) => there.find((other) => titleOf(other) === titleOf(one)));
					const next = Array.from({ length: 2 }, () => {
						const result = there[0].cloneNode(true);
						result.querySelector('h2 span').textContent = 'News ' + made;
						return result;
					});
					made++;
					act(list, here, () => next[0], first);
					act(twin, means === 'elements' ? twins : there, () => next[1], first);
				};
				globalThis.wanted = () => of(twin).map(titleOf);
			}`, list, space, results[0].Title)
			for i, change := range changes {
				for _, again := range []bool{false, true} {
					if change.script == changes[5].script && again {
						continue // it is gone
					}
					x.press([]string{"barSupporting", "barOpposing"}[i%2])
					x.waitStatus(label(t, "barRankedSides"))
					call[any](x, `(means) => change(means, (list, results, make, first) => { `+change.script+` })`, change.means)
					if again {
						wait.Until(t, "all results are ranked anew", func() bool { return len(x.badges()) == len(x.titles(list)) })
						x.waitStatus(label(t, "barRankedSides"))
					}
					x.press("barUndo")
					wait.Until(t, "the results are put back", func() bool { return len(x.badges()) == 0 })
					if got, want := x.titles(list), call[[]string](x, `() => wanted()`); !slices.Equal(got, want) {
						t.Fatalf("%s, ranked anew: %v: undone to\n%s\nwant\n%s", change.script, again, strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
				}
			}
		})
	}
}

// While the reader types another query into the page's field, from which a rule takes it, the results stay as they are
// until the page shows others.
func TestTypingQuery(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	s.store(t, map[string]any{"rules": []any{map[string]any{
		"id": "field", "name": "field", "matches": []any{"https://" + pages.Forum.Host + "/*"},
		"query": map[string]any{"selector": `input[name="q"]`}, "result": pages.Forum.Result, "title": "h3", "snippet": ".excerpt",
	}}})
	x := open(t, s, pages.Forum.URL(pages.Uniforms, ""))
	results := pages.Results(pages.Uniforms, 1, pages.Many)
	x.press("barSupporting")
	x.waitTitles(pages.Forum.Result, supporting(t, results))
	x.waitStatus(label(t, "barRankedSides"))
	call[any](x, `() => {
		const field = document.querySelector('input[name="q"]');
		field.addEventListener('input', () => { field.after('a suggestion'); });
		field.select();
		field.focus();
	}`)
	for _, key := range []string{kb.Backspace, "x", kb.Backspace} {
		if err := x.Do(chromedp.KeyEvent(key)); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second) // longer than the extension waits before it reads the page again
	if got := x.titles(pages.Forum.Result); !slices.Equal(got, supporting(t, results)) {
		t.Errorf("the results are %q; the bar says %q", got, x.status())
	}
	call[any](x, `(selector) => document.querySelector(selector).remove()`, pages.Forum.Result)
	x.waitStatus(label(t, "barNoSubject"))
}

// A list that is divided into groups is ranked within each, and in the whole again when the
// groups go.
func TestGroups(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "group", 12)
	x.keep(list)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	call[any](x, `() => group()`)
	var even, odd []string
	for _, i := range ranked(t, pages.Uniforms, supports, textsOf(results)) {
		if i%2 == 0 {
			even = append(even, results[i].Title)
		} else {
			odd = append(odd, results[i].Title)
		}
	}
	x.waitTitles("#even "+list, even)
	x.waitTitles("#odd "+list, odd)
	call[any](x, `() => ungroup()`)
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// Texts of a page are texts, whatever they look like, and its policy binds the page alone.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	for _, shape := range []string{"hostile", "strict"} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			x, results := ddg(t, shape, 12)
			shown := x.titles(list)
			x.keep(list)
			x.press("barSupporting")
			if shape == "strict" {
				x.waitTitles(list, supporting(t, results))
			} else {
				x.waitFor(`kept[0] !== document.querySelector('` + strings.ReplaceAll(list, "'", `"`) + `')`)
			}
			x.same(list)
			x.press("barUndo")
			x.waitTitles(list, shown)
			if stolen := call[any](x, `() => window.stolen ?? null`); stolen != nil {
				t.Errorf("the page's text ran as a script: %v", stolen)
			}
		})
	}
}

// A page that changes all the time is ranked too, and undone.
func TestStorm(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "storm", 12)
	x.press("barSupporting")
	x.waitFor(`results()[0].textContent.includes(` + strconv.Quote(supporting(t, results)[0]) + `)`)
	call[any](x, `() => calm()`)
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// A list that gets results all the time, too often to be ranked each time, is ranked again while it goes on.
func TestLiveList(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "", 6)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	call[any](x, `() => {
		const [first] = results();
		globalThis.live = setInterval(() => first.parentElement.append(first.cloneNode(true)), 1500);
	}`)
	const many = 20 // more than the changes that are ranked at once bring
	x.waitFor(`results().length >= ` + strconv.Itoa(many))
	wait.Until(t, "later results are ranked", func() bool { return len(x.badges()) > many })
	call[any](x, `() => clearInterval(live)`)
	wait.Until(t, "all results are ranked", func() bool { return len(x.badges()) == len(x.titles(list)) })
	x.waitStatus(label(t, "barRankedSides"))
	x.calm()
}

// Of ten thousand results the first are ranked, and all are still there.
func TestTenThousand(t *testing.T) {
	t.Parallel()
	const many = 10_000
	x, _ := ddg(t, "", many)
	original := x.titles(list)
	if len(original) != many {
		t.Fatalf("%d results", len(original))
	}
	call[any](x, `(selector) => { globalThis.kept = Array.from(document.querySelectorAll(selector)); }`, list)
	// To ask for accessible names takes seconds in such a page.
	x.waitFor(host)
	element, err := x.Find(host)
	if err != nil {
		t.Fatal(err)
	}
	bar, err := element.Shadow()
	if err != nil {
		t.Fatal(err)
	}
	press := func(key string) {
		t.Helper()
		callOn[any](x, bar, `function (name) { Array.from(this.querySelectorAll('button')).find((one) => (one.ariaLabel ?? one.textContent) === name).click(); }`, label(t, key))
	}
	press("barSupporting")
	x.waitFor(`kept[0] !== document.querySelector('` + list + `')`)
	first := label(t, "barFirstOnly", 200, many)
	wait.Until(t, first, func() bool {
		return strings.Contains(callOn[string](x, bar, `function () { return this.querySelector('[role="status"]').textContent; }`), first)
	})
	if got := call[int](x, `(selector) => new Set([...document.querySelectorAll(selector), ...kept]).size`, list); got != many {
		t.Errorf("%d elements were or are results, want %d", got, many)
	}
	press("barUndo")
	x.waitTitles(list, original)
	if !call[bool](x, `(selector) => Array.from(document.querySelectorAll(selector)).every((result, i) => result === kept[i])`, list) {
		t.Error("the results are not the elements of before")
	}
}

// Results in another language than the encoders' keep their places, without a badge, and the bar says so, whatever the
// page calls its language. Of English results it does not say so.
func TestLanguage(t *testing.T) {
	t.Parallel()
	german := open(t, chromium(t), pages.DuckDuckGo.URL(pages.Trains, "", "count", "6"))
	if lang := call[string](german, `() => document.documentElement.lang`); lang != "en" {
		t.Errorf("the German page calls itself %s", lang)
	}
	original := german.titles(list)
	for _, chip := range []string{"barSupporting", "barOpposing"} {
		german.press(chip)
		german.waitStatus(label(t, "barForeign", 6, 6))
		german.calm()
		german.waitStatus(label(t, "barNoneRanked"))
		if badges := german.badges(); len(badges) > 0 {
			t.Errorf("German results have badges: %q", badges)
		}
		if got := german.titles(list); !slices.Equal(got, original) {
			t.Errorf("German results have moved: %q", got)
		}
	}
	german.press("barUndo")
	german.waitStatus(label(t, "barReady", 6))
	warning, _, _ := strings.Cut(label(t, "barForeign"), "$")
	if said := german.status(); strings.Contains(said, warning) {
		t.Errorf("after undoing, the bar says %q", said)
	}
	for _, lang := range []string{"he", ""} {
		english, results := ddg(t, "rtl", 12)
		call[any](english, `(lang) => { document.documentElement.lang = lang; }`, lang)
		english.press("barSupporting")
		english.waitTitles(list, supporting(t, results))
		english.calm()
		if said := english.status(); strings.Contains(said, warning) || !strings.Contains(said, label(t, "barRankedSides")) {
			t.Errorf("of English results in a page that calls itself %q, the bar says %q", lang, said)
		}
	}
}

// Among English results, those in another language stand where they stood, and the others are ranked around them.
func TestLanguageMixed(t *testing.T) {
	t.Parallel()
	x, english := ddg(t, "", 12)
	german := pages.Results(pages.Trains, 1, 6)
	foreign := map[int]pages.Result{0: german[1], 4: german[2], 5: german[5], 11: german[4]}
	var read []pages.Result
	for i, result := range english {
		if other, ok := foreign[i]; !ok {
			read = append(read, result)
		} else {
			call[any](x, `(i, title, snippet) => {
				results()[i].querySelector('h2 span').textContent = title;
				results()[i].querySelector('[data-result="snippet"] span span').textContent = snippet;
			}`, i, other.Title, other.Snippet)
		}
	}
	order := supporting(t, read)
	for _, i := range slices.Sorted(maps.Keys(foreign)) {
		order = slices.Insert(order, i, foreign[i].Title)
	}
	x.waitStatus(label(t, "barReady", 12))
	x.press("barSupporting")
	x.waitTitles(list, order)
	x.waitStatus(label(t, "barForeign", 4, 12))
	x.calm()
	x.waitStatus(label(t, "barRankedSides"))
	if badges := x.badges(); len(badges) != len(read) {
		t.Errorf("%d badges, want %d: %q", len(badges), len(read), badges)
	}
	picture(t, x, "language-mixed")
}

// Results in an open shadow root are found, there at once or later, ranked, and put back.
func TestShadow(t *testing.T) {
	t.Parallel()
	for _, later := range []string{"", "yes"} {
		x, results := ddg(t, "shadow", 12, strings.Fields("later "+later)...)
		if later != "" {
			time.Sleep(time.Second) // longer than the bar waits before it looks: it has seen no results
			call[any](x, `() => show()`)
		}
		x.waitStatus(label(t, "barReady", 12))
		x.press("barSupporting")
		x.waitTitles(list, supporting(t, results))
		x.calm()
		if badges := x.badges(); len(badges) != 12 {
			t.Errorf("%d badges", len(badges))
		}
		if inside := callOn[bool](x, x.bar(), `function () { return this.getRootNode().host.getRootNode() === listRoot; }`); !inside {
			t.Error("the bar is not above the results")
		}
		call[any](x, `() => results()[0].parentElement.append(results()[0].cloneNode(true))`)
		x.waitStatus(label(t, "barRankedSides"))
		wait.Until(t, "the result that has come is ranked", func() bool { return len(x.badges()) == 13 })
		x.press("barUndo")
		x.waitBadges(nil)
		if got := x.titles(list); !slices.Equal(got[:12], titles(results)) {
			t.Errorf("undone to %q", got)
		}
	}
}

// A page that removes the bar from among its results has them ordered all the same, once the bar is back.
func TestBarRemoved(t *testing.T) {
	t.Parallel()
	site := pages.Sites[slices.IndexFunc(pages.Sites, func(s pages.Site) bool { return s.Host == "www.google.com" })]
	x := open(t, chromium(t), site.URL(pages.Uniforms, "", "count", "6"))
	results := pages.Results(pages.Uniforms, 1, 6)
	x.waitStatus(label(t, "barReady", 6))
	if inside := callOn[bool](x, x.bar(), `function () { return this.getRootNode().host.parentElement === results()[0].parentElement; }`); !inside {
		t.Fatal("the bar is not among the results")
	}
	call[any](x, `() => results()[0].parentElement.replaceChildren(...results())`)
	wait.Until(t, "the bar is back", func() bool { return len(x.found("region", label(t, "barLabel"))) == 1 })
	want, _ := orders(t, site.Host, pages.Uniforms, results)
	x.press("barSupporting")
	x.waitTitles(site.Result, want)
}

// If a page's styles say where results stand, they stay in its order, and the bar says so. If they only lay them out, the
// results are ordered.
func TestPlaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		style  string
		placed bool
	}{
		"order":            {`list.style.display = 'flex'; list.style.flexDirection = 'column'; items.forEach((item, i) => { item.style.order = i; })`, true},
		"reversed":         {`list.style.display = 'flex'; list.style.flexDirection = 'column-reverse'`, true},
		"grid rows":        {`list.style.display = 'grid'; items.forEach((item, i) => { item.style.gridRow = i + 1; })`, true},
		"positions":        {`list.style.position = 'relative'; items.forEach((item, i) => { item.style.cssText = 'position: absolute; top: ' + 150 * i + 'px'; })`, true},
		"grid":             {`list.style.display = 'grid'; list.style.gridTemplateColumns = '1fr 1fr 1fr'`, false},
		"right to left":    {`list.style.direction = 'rtl'; list.style.display = 'flex'; list.style.flexWrap = 'wrap'; items.forEach((item) => { item.style.width = '30%'; })`, false},
		"row from the end": {`list.style.display = 'flex'; list.style.flexDirection = 'row-reverse'; items.forEach((item) => { item.style.width = '9%'; item.style.overflow = 'hidden'; })`, true},
		"bricks": {`
			items.forEach((item, i) => { item.style.height = 120 + 37 * i % 110 + 'px'; item.style.overflow = 'hidden'; });
			const lay = () => {
				const ends = [0, 0, 0];
				list.style.position = 'relative';
				for (const item of results()) {
					const at = ends.indexOf(Math.min(...ends));
					Object.assign(item.style, { position: 'absolute', width: '30%', left: 33 * at + '%', top: ends[at] + 'px' });
					ends[at] += item.offsetHeight;
				}
			};
			lay();
			new MutationObserver(lay).observe(list, { childList: true })`, false},
		"newspaper": {`list.style.columnCount = 2`, false},
		"hidden":    {`items.forEach((item, i) => { if (i % 3) item.style.display = 'none'; })`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, results := ddg(t, "", 12)
			call[any](x, `() => { const list = results()[0].parentElement; const items = [...list.children]; `+c.style+` }`)
			x.press("barSupporting")
			if c.placed {
				x.waitStatus(label(t, "barPlaced"))
				x.waitTitles(list, titles(results))
				x.waitBadges(nil)
				return
			}
			x.waitTitles(list, supporting(t, results))
			x.calm()
			time.Sleep(2 * time.Second) // longer than the bar looks at what the reader sees
			x.waitStatus(label(t, "barRankedSides"))
			x.waitTitles(list, supporting(t, results))
		})
	}
}

// The bar is not printed. Badges are: they say why the results stand so.
func TestPrint(t *testing.T) {
	t.Parallel()
	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	x.calm()
	badge, bar := x.found("image", "")[0], x.bar()
	height := func(node harness.Node) float64 {
		return callOn[float64](x, node, `function () { return this.getBoundingClientRect().height; }`)
	}
	if height(bar) == 0 {
		t.Error("the bar is not shown")
	}
	if err := x.Print(); err != nil {
		t.Fatal(err)
	}
	if bar, badge := height(bar), height(badge); bar > 0 || badge == 0 {
		t.Errorf("on paper, the bar is %v px high, and a badge %v", bar, badge)
	}
}

// In a page from right to left the bar goes from right to left, and in a dark page it is dark.
func TestLooks(t *testing.T) {
	t.Parallel()
	for shape, want := range map[string]string{"": "ltr light", "rtl": "rtl light", "dark": "ltr dark"} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			x, results := ddg(t, shape, 12)
			x.press("barOpposing")
			x.waitTitles(list, opposing(t, results))
			got := callOn[string](x, x.bar(), `function () { return this.dir + ' ' + this.dataset.scheme; }`)
			if got != want {
				t.Errorf("the bar is %s, want %s", got, want)
			}
			for _, node := range append(x.found("image", "")[:1], x.bar()) {
				if lang := callOn[string](x, node, `function () { return this.closest('[lang]')?.lang ?? ''; }`); lang != "en" {
					t.Errorf("its words, or those of a badge, call themselves %q", lang)
				}
			}
			picture(t, x, "bar-"+strings.ReplaceAll(want, " ", "-"))
		})
	}
}
