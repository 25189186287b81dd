package rules_test

import "testing"

// TestRuleFor checks which rule is for an address: the user's come first, then the bundled ones that are switched on.
func TestRuleFor(t *testing.T) {
	page := open(t)
	for _, test := range []struct{ address, id string }{
		{"https://duckduckgo.com/?q=night+trains&ia=web", "duckduckgo"},
		{"https://duckduckgo.com/?t=h_&q=night+trains", "duckduckgo"},
		{"https://duckduckgo.com/?q=night+trains&iax=images&ia=images", ""},
		{"https://duckduckgo.com/", ""},
		{"https://duckduckgo.com/html/?q=x", "duckduckgo-html"},
		{"https://html.duckduckgo.com/html/", "duckduckgo-html"},
		{"https://lite.duckduckgo.com/lite/", "duckduckgo-lite"},
		{"https://www.google.com/search?q=trains", "google"},
		{"https://www.google.co.uk/search?q=trains&udm=14", "google"},
		{"https://www.google.de/search?q=trains&udm=2", ""},
		{"https://www.google.com/search?q=trains&tbm=isch", ""},
		{"https://www.google.com.evil.example/search?q=trains", ""},
		{"https://evil.example/?https://www.google.com/search?q=trains", ""},
		{"https://www.bing.com/search?q=trains", "bing"},
		{"https://www.bing.com/images/search?q=trains", ""},
		{"https://search.brave.com/search?q=trains&source=web", "brave"},
		{"https://en.wikipedia.org/w/index.php?search=trains&title=Special:Search", "wikipedia"},
		{"https://de.wikipedia.org/wiki/Spezial:Suche?search=z%C3%BCge", "wikipedia"},
		{"https://en.wikipedia.org/wiki/Train", ""},
		{"https://evilwikipedia.org/w/index.php?search=trains", ""},
		{"https://hn.algolia.com/?query=trains", "hacker-news"},
		{"https://arxiv.org/list/cs.CL/recent", "arxiv-listing"},
		{"https://arxiv.org/search/?query=trains&searchtype=all", "arxiv-search"},
		{"https://arxiv.org/search/advanced?terms-0-term=trains", "arxiv-advanced"},
		{"https://www.semanticscholar.org/search?q=trains", "semantic-scholar"},
		{"https://www.startpage.com/do/search", "startpage"},
		{"https://www.ecosia.org/search?q=trains", "ecosia"},
		{"https://scholar.google.com/scholar?q=trains", "google-scholar"},
		{"https://pubmed.ncbi.nlm.nih.gov/?term=sleep", "pubmed"},
		{"https://cooking.stackexchange.com/search?q=salt", "stack-exchange"},
		{"http://www.bing.com/search?q=trains", ""},
		{"file:///search?q=trains", ""},
		{"no address", ""},
	} {
		got := call[string](t, page, `async (address) => {
			const { ruleFor } = await import('/extension/rules/match.js');
			return ruleFor(address, { rules: [], off: [] })?.rule.id ?? '';
		}`, test.address)
		if got != test.id {
			t.Errorf("%s: rule %q, want %q", test.address, got, test.id)
		}
	}
	got := call[[]any](t, page, `async () => {
		const { ruleFor, originsOf } = await import('/extension/rules/match.js');
		const mine = { id: 'mine', name: 'Mine', matches: ['https://*.bing.com/search*', '*://bing.com/*'], query: { parameter: 'q' }, result: 'li', title: 'a' };
		const at = (settings) => { const found = ruleFor('https://www.bing.com/search?q=x', settings); return found && [found.rule.id, found.bundled].join(); };
		const broken = [null, 7, { id: 'x' }, { ...mine, matches: 'https://www.bing.com/*' }, { ...mine, result: 'li[' }];
		return [at({ rules: [mine], off: [] }), at({ rules: [], off: ['bing'] }), at({ rules: [...broken, mine], off: ['bing'] }), at({ rules: broken, off: [] }), originsOf(mine).join()];
	}`)
	for i, want := range []any{"mine,false", nil, "mine,false", "bing,true", "https://*.bing.com/*,*://bing.com/*"} {
		if got[i] != want {
			t.Errorf("case %d: %v, want %v", i, got[i], want)
		}
	}
}

// TestManySlowPaths checks that the paths of all rules for an address together take no more steps than one may. Of three rules, the
// second would take too many after the first, so the third is found.
func TestManySlowPaths(t *testing.T) {
	got := call[[]any](t, open(t), `async () => {
		const { ruleFor } = await import('/extension/rules/match.js');
		const rule = (id, path) => ({ id, name: id, matches: ['https://a.example/*'], query: { parameter: 'q' }, result: 'li', title: 'a', path });
		const slow = 'x?'.repeat(25); // 67 million steps
		const at = (...rules) => ruleFor('https://a.example/page?q=x', { rules, off: [] })?.rule.id;
		const first = rule('first', '^/b' + slow), second = rule('second', '^/page' + slow), third = rule('third', '^/page');
		return [at(first, second, third), at(second, third), at(first, first, first), at(first, third)];
	}`)
	for i, want := range []any{"third", "second", nil, "third"} {
		if got[i] != want {
			t.Errorf("case %d: rule %v, want %v", i, got[i], want)
		}
	}
}
