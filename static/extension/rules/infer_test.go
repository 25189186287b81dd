package rules_test

import (
	"fmt"
	"strings"
	"testing"
)

type candidate struct {
	Rule struct {
		ID, Name, Result, With, Title, Link, Snippet, Path string
		Matches                                            []string
		Query                                              map[string]string
	}
	Score   float64
	Results int
}

type inferred struct {
	Best       *candidate
	Count      int
	Titles     []string // as results.js reads them by the best rule
	Snippets   []string
	Units      []int
	Problems   []any // of check.js with the best rule
	Took       float64
	Query      string
	Candidates []candidate
}

// inferIn puts the HTML into a page, runs the script, and infers.
const inferIn = `async (html, script, address) => {
	const { infer } = await import('/extension/rules/infer.js');
	const { results, texts, query } = await import('/extension/rules/results.js');
	const { checkRule } = await import('/extension/rules/check.js');
	document.documentElement.innerHTML = html;
	new Function(script)();
	const root = Document.prototype.querySelector.call(document, 'html');
	if (root) Element.prototype.getBoundingClientRect.call(root); // a page that one sees is laid out
	const from = performance.now();
	const found = infer(document, address);
	const took = performance.now() - from;
	if (!found.length) return { best: null, count: 0, took };
	const { rule } = found[0];
	const units = results(document, rule);
	const read = units.map((unit) => texts(unit, rule));
	return {
		best: found[0], count: units.length, titles: read.map((r) => r.title), snippets: read.map((r) => r.snippet),
		units: units.map((unit) => unit.length), problems: checkRule(rule).problems, took, candidates: found,
		query: query(document, new URL(address), rule),
	};
}`

const lorem = "It was argued at length that trains at night are worth their cost, and the figures support this view. "

// repeat writes an item n times; № in the format is the item's number, from 1.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "№", fmt.Sprint(i+1)))
	}
	return b.String()
}

const chrome = `<header><nav><ul class="menu">` + `<li><a href="/a">About us and our work</a></li><li><a href="/b">Contact the editors</a></li><li><a href="/c">All the categories</a></li><li><a href="/d">Recent changes</a></li></ul></nav></header>`

// TestInferShapes has lists of several shapes, some among navigation, and wants all results of each, and the first
// one's title and snippet.
func TestInferShapes(t *testing.T) {
	for _, test := range []struct {
		name, body, address   string
		count, unit           int
		title, snippet, query string
	}{
		{"divs", chrome + `<form><input type="search" name="q" value="night trains"></form><div id="content"><div class="hits">` +
			repeat(9, `<div class="hit mb-4"><div class="crumb"><a href="https://example.org/№">example.org › №</a></div><h3 class="hit-title"><a href="https://example.org/№">Title number №</a></h3><p class="hit-text">№ `+lorem+`</p></div>`) +
			`</div></div><footer><ul>` + repeat(12, `<li><a href="/f№">Footer link number №</a></li>`) + `</ul></footer>`,
			"https://example.com/find?q=night+trains&x=1", 9, 1, "Title number 1", "1 It was argued", "night trains"},
		{"li without classes", chrome + `<main><h1>Results for trams</h1><ol>` +
			repeat(10, `<li><a href="/r/№">A result about trams, number №</a><br>№ `+lorem+`</li>`) + `</ol></main>`,
			"https://example.com/results", 10, 1, "A result about trams, number 1", "A result about trams, number 1 1 It was argued", "Results for trams"},
		{"articles in nested wrappers", `<div><div><section class="feed">` +
			repeat(6, `<div class="css-1a2b№"><article class="post"><header><h2><a href="/p/№">Post №: on trains</a></h2></header><div class="css-99"><span>№ `+lorem+`</span></div></article></div>`) + `</section></div></div>`,
			"https://example.com/blog/topic?page=2", 6, 1, "Post 1: on trains", "1 It was argued", ""},
		{"dt and dd", chrome + `<div id="dlpage"><h1>Computation and Language</h1><dl id="articles"><h3>Tue</h3>` +
			repeat(8, `<dt><a name="item№">[№]</a> <a href="/abs/2606.0000№" title="Abstract">arXiv:2606.0000№</a> [<a href="/pdf/№">pdf</a>]</dt><dd><div class="meta"><div class="list-title mathjax"><span class="descriptor">Title:</span> Paper №</div><div class="list-authors"><a href="/a1">A. Author</a></div><p class="mathjax">№ `+lorem+`</p></div></dd>`) + `</dl></div>`,
			"https://arxiv.example/list/cs.CL/recent", 8, 2, "Title: Paper 1", "1 It was argued", "Computation and Language"},
		{"rows in threes", `<table id="hnmain"><tr><td>` + `<table><tbody>` +
			repeat(12, `<tr class="athing submission" id="№"><td class="title"><span class="rank">№.</span></td><td class="title"><span class="titleline"><a href="https://example.org/№">A story with number №</a> <span class="sitebit">(<a href="from?site=example.org">example.org</a>)</span></span></td></tr><tr><td colspan="2"></td><td class="subtext"><span class="score">№ points</span> by <a href="user?id=u">u</a> <a href="item?id=№">№ comments</a></td></tr><tr class="spacer" style="height:5px"></tr>`) +
			`<tr class="morespace"></tr><tr><td></td><td class="title"><a href="?p=2" class="morelink">More</a></td></tr></tbody></table></td></tr></table>`,
			"https://news.example/news", 12, 3, "A story with number 1", "", ""},
		{"a second page", `<h1>The newest stories</h1><ol>` + repeat(6, `<li class="story"><h2><a href="/№">Story number №</a></h2><p>№ `+lorem+`</p></li>`) + `</ol>`,
			"https://news.example/?p=2", 6, 1, "Story number 1", "1 It was argued", "The newest stories"},
		{"a query in a parameter that others count by", `<h1>The newest stories</h1><ol>` + repeat(6, `<li class="story"><h2><a href="/№">Story number №</a></h2><p>№ `+lorem+`</p></li>`) + `</ol>`,
			"https://news.example/?s=2+trams", 6, 1, "Story number 1", "1 It was argued", "2 trams"},
		{"a query that is a number", `<h1>The newest stories</h1><ol>` + repeat(6, `<li class="story"><h2><a href="/№">Story number №</a></h2><p>№ `+lorem+`</p></li>`) + `</ol>`,
			"https://news.example/?p=2&q=1984", 6, 1, "Story number 1", "1 It was argued", "1984"},
		{"odd and even rows", `<table class="list"><tbody>` +
			repeat(5, `<tr class="odd"><td class="name"><a href="/o№">Odd row number №</a></td><td>№ `+lorem+`</td></tr><tr class="even"><td class="name"><a href="/e№">Even row number №</a></td><td>№ `+lorem+`</td></tr>`) + `</tbody></table>`,
			"https://example.com/table/", 10, 1, "Odd row number 1", "1 It was argued", ""},
		{"ads among results", `<ol id="b_results">` + repeat(2, `<li class="b_ad"><h2><a href="https://ad.example/№">Buy number №</a></h2><p>№ `+lorem+`</p></li>`) +
			repeat(8, `<li class="b_algo"><h2><a href="https://example.org/№">Result number №</a></h2><div class="b_caption"><p>№ `+lorem+`</p></div></li>`) +
			`<li class="b_pag"><a href="?2">2</a><a href="?3">3</a></li></ol>`,
			"https://example.com/search?q=trains", 8, 1, "Result number 1", "1 It was argued", "trains"},
		{"several parents", `<div class="chunks">` + repeat(2, `<div class="chunk">`+repeat(5, `<article class="docsum"><a class="docsum-title" href="/№">A paper, number №</a><div class="docsum-snippet">№ `+lorem+`</div></article>`)+`</div>`) + `</div>`,
			"https://papers.example/?term=sleep", 10, 1, "A paper, number 1", "1 It was argued", "sleep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := open(t)
			got := call[inferred](t, page, inferIn, "<head><title></title></head><body>"+test.body+"</body>", "", test.address)
			if got.Best == nil {
				t.Fatal("nothing found")
			}
			rule := got.Best.Rule
			t.Logf("result %q with %q title %q link %q snippet %q matches %q query %v: %.0f ms", rule.Result, rule.With, rule.Title, rule.Link, rule.Snippet, rule.Matches, rule.Query, got.Took)
			if got.Count != test.count || got.Best.Results != test.count {
				t.Errorf("%d results (%d told), want %d", got.Count, got.Best.Results, test.count)
			}
			for _, n := range got.Units {
				if n != test.unit {
					t.Errorf("results of %v elements, want %d each", got.Units, test.unit)
					break
				}
			}
			if len(got.Titles) == 0 || got.Titles[0] != test.title {
				t.Errorf("titles %q, want %q first", got.Titles, test.title)
			}
			if len(got.Snippets) > 0 && !strings.HasPrefix(got.Snippets[0], test.snippet) {
				t.Errorf("snippet %q, want %q…", got.Snippets[0], test.snippet)
			}
			if got.Query != test.query {
				t.Errorf("query %q, want %q", got.Query, test.query)
			}
			if len(got.Problems) > 0 {
				t.Errorf("check.js refuses the inferred rule: %v", got.Problems)
			}
		})
	}
}

// TestInferMatches checks which addresses an inferred rule is for.
func TestInferMatches(t *testing.T) {
	page := open(t)
	for address, want := range map[string]string{
		"https://blog.example/":               "https://blog.example/ https://blog.example/?*",
		"https://blog.example/?page=2":        "https://blog.example/ https://blog.example/?*",
		"https://blog.example/?q=trams":       "https://blog.example/*",
		"https://blog.example/news/2026":      "https://blog.example/news*",
		"https://blog.example/%E2%82%AC/2026": "https://blog.example/*",
	} {
		got := call[inferred](t, page, inferIn, "<head><title>A blog</title></head><body><main>"+
			repeat(6, `<article class="post"><h2><a href="/№">Post number №</a></h2><p>№ `+lorem+`</p></article>`)+"</main></body>", "", address)
		if got.Best == nil {
			t.Errorf("%s: nothing found", address)
		} else if matches := strings.Join(got.Best.Rule.Matches, " "); matches != want || len(got.Problems) > 0 {
			t.Errorf("%s: a rule for %s, want %s; problems %v", address, matches, want, got.Problems)
		}
	}
}

// TestInferHugePages bounds the time on pages of ten thousand results, of deep trees, of very long texts and of very
// many classes.
func TestInferHugePages(t *testing.T) {
	for _, test := range []struct{ name, script string }{
		{"ten thousand results", `
			const list = document.createElement('ol');
			list.className = 'results';
			for (let i = 0; i < 10000; i++) {
				const item = document.createElement('li');
				item.className = 'result r' + i;
				item.innerHTML = '<h3><a href="/r' + i + '">Result number ' + i + '</a></h3><p class="text">Some words about it, for the ' + i + 'th time, of some length</p>' + '<span></span>'.repeat(10);
				list.append(item);
			}
			document.body.append(list);`},
		{"deep tree", `
			let outer = document.body;
			for (let i = 0; i < 500; i++) {
				const inner = document.createElement('div');
				for (let j = 0; j < 3; j++) {
					const link = document.createElement('a');
					link.href = '/' + i + '/' + j;
					link.textContent = 'A link at depth ' + i;
					outer.append(link);
				}
				outer.append(inner);
				outer = inner;
			}`},
		{"megabytes of text in twenty results", `
			const list = document.createElement('ul');
			const long = 'word '.repeat(50000);
			for (let i = 0; i < 20; i++) {
				const item = document.createElement('li');
				item.innerHTML = '<a href="/r' + i + '">Result number ' + i + '</a>';
				const text = document.createElement('p');
				text.textContent = long;
				item.append(text);
				list.append(item);
			}
			document.body.append(list);`},
		{"a class for each of many children", `
			const list = document.createElement('ul');
			for (let i = 0; i < 3000; i++) {
				const item = document.createElement('li');
				for (let j = 0; j < 60; j++) item.classList.add('c' + i + '-' + j);
				item.innerHTML = '<a href="/r' + i + '">Result number ' + i + '</a> and some more words beside the link';
				list.append(item);
			}
			document.body.append(list);`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := call[inferred](t, open(t), inferIn, "<head></head><body></body>", test.script, "https://example.com/?q=x")
			t.Logf("%d results in %.0f ms", got.Count, got.Took)
			// This allows for a busy machine: the bounds themselves are 250 ms for looking and as much for rules.
			if got.Took > 3000 {
				t.Errorf("it took %.0f ms", got.Took)
			}
			if strings.HasPrefix(test.name, "ten") && (got.Best == nil || got.Best.Rule.Result != "li.result" || got.Count != 2000) {
				t.Errorf("found %+v, %d results", got.Best, got.Count)
			}
		})
	}
}

// TestInferHostilePages has pages that hide properties of their elements or lack a body. Nothing may throw, and the
// list is found if there is one.
func TestInferHostilePages(t *testing.T) {
	names := []string{"children", "parentElement", "parentNode", "classList", "className", "querySelector", "querySelectorAll", "matches", "closest", "contains", "getAttribute", "localName", "tagName", "nextElementSibling", "previousElementSibling", "ownerDocument", "textContent", "id", "nodeType", "checkVisibility", "attributes"}
	var inputs strings.Builder
	for _, name := range names {
		fmt.Fprintf(&inputs, `<input name="%s">`, name)
	}
	clobbered := strings.Builder{}
	for _, name := range append(names, "body", "defaultView", "createTreeWalker", "title", "documentElement", "all", "URL") {
		fmt.Fprintf(&clobbered, `<img name="%s" alt=""><form name="%s"></form>`, name, name)
	}
	forms := repeat(6, `<form class="result" action="/x">`+inputs.String()+`<h3><a href="/r№">Result number №</a></h3><p>№ `+lorem+`</p></form>`)
	for _, test := range []struct{ name, body, script string }{
		{"forms that hide their properties", `<form>` + inputs.String() + `</form><main>` + forms + `</main>`, ""},
		{"images that hide the document's", `<main>` + forms + `</main>` + clobbered.String(), ""},
		{"names that no selector holds unescaped", `<main><div class="a:b[c] &quot;">` + repeat(5, `<div class="re:sult] { }" data-testid="&quot;]x"><h3 class="1&quot;"><a href="/r№">Result number №</a></h3><p class="&#92;">№ `+lorem+`</p></div>`) + `</div></main>`, ""},
		{"toString that throws", `<main>` + forms + `</main>`, `for (const e of document.querySelectorAll('*')) Object.defineProperty(e, 'toString', { value() { throw new Error('x'); } });`},
		{"an SVG and a MathML list", `<main>` + forms + `</main><svg><a href="/1"><text>one two three</text></a><a href="/2"><text>one two three</text></a><a href="/3"><text>one two</text></a></svg><math><mrow href="/x"><mi>x</mi></mrow></math>`, ""},
		{"no body", "", `document.body.remove();`},
		{"nothing at all", "", `document.documentElement.remove();`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := call[inferred](t, open(t), inferIn, "<head></head><body>"+test.body+"</body>", test.script, "https://example.com/?q=x")
			if empty := test.body == ""; empty != (got.Best == nil) {
				t.Fatalf("found %+v", got.Best)
			} else if empty {
				return
			}
			if got.Count < 5 || got.Titles[0] != "Result number 1" || len(got.Problems) > 0 {
				t.Errorf("rule %+v, %d results, titles %q, problems %v", got.Best.Rule, got.Count, got.Titles, got.Problems)
			}
		})
	}
}

// TestInferFrom infers from one picked element, also in a page's navigation.
func TestInferFrom(t *testing.T) {
	for _, test := range []struct {
		pick  string
		count int
		title string
	}{
		{"#r3 em", 6, "Result number 1 here"},
		{"#r3", 6, "Result number 1 here"},
		{"#aside a", 4, "Another list, item 1"},
		{"html", 0, ""},
		{"head", 0, ""},
	} {
		page := open(t)
		call[any](t, page, `(html) => { document.documentElement.innerHTML = html; }`, `<head></head><body><main>`+
			repeat(6, `<div class="result" id="r№"><h3><a href="/№">Result number № <em>here</em></a></h3><p>№ `+lorem+`</p></div>`)+
			`</main><aside id="aside"><ul>`+repeat(4, `<li><a href="/a№">Another list, item №</a></li>`)+`</ul></aside></body>`)
		got := call[inferred](t, page, `async (pick) => {
			const { inferFrom } = await import('/extension/rules/infer.js');
			const { results, texts } = await import('/extension/rules/results.js');
			const found = inferFrom(document.querySelector(pick), 'https://example.com/?q=x');
			if (!found) return { best: null };
			const units = results(document, found.rule);
			return { best: found, count: units.length, titles: units.map((unit) => texts(unit, found.rule).title) };
		}`, test.pick)
		if got.Count != test.count || test.count > 0 && got.Titles[0] != test.title {
			t.Errorf("%s: %+v, %d results, titles %q", test.pick, got.Best, got.Count, got.Titles)
		}
	}
}

// TestSample checks that a sample of a list of any length has twelve different items, or all if there are fewer, in the
// list's order and spread over it.
func TestSample(t *testing.T) {
	bad := call[[]string](t, open(t), `async () => {
		const { sample } = await import('/extension/rules/groups.js');
		const bad = [];
		for (let length = 0; length <= 3000; length++) {
			const got = sample(Array.from({ length }, (_, i) => i));
			const gaps = got.map((place, i) => (got[i + 1] ?? length) - place);
			const even = got.length === 0 || (got[0] === 0 && Math.min(...gaps) >= 1 && Math.max(...gaps) - Math.min(...gaps) <= 1);
			if (got.length !== Math.min(length, 12) || !even) bad.push(length + ': ' + got);
		}
		return bad;
	}`)
	if len(bad) > 0 {
		t.Errorf("%d lengths, such as %s", len(bad), bad[0])
	}
}
