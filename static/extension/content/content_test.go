// Package content_test tests parts of the content script in a real Chromium, without the extension.
package content_test

import (
	"os"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

var modules harness.Modules

func TestMain(m *testing.M) {
	code := m.Run()
	modules.Close()
	os.Exit(code)
}

// open returns an empty page on a server that serves static/.
func open(t *testing.T) *harness.Page {
	t.Helper()
	page, err := modules.Open(5 * time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range page.Problems() {
			t.Errorf("in the page: %s", problem)
		}
		page.Close()
	})
	return page
}

func call[T any](t *testing.T, page *harness.Page, function string, args ...any) T {
	t.Helper()
	value, err := harness.Call[T](page, function, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// random is a small generator with a seed, for scripts that shall be repeatable.
const random = `const random = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
	const next = random(20261124);
	const below = (n) => Math.floor(next() * n);
	const shuffled = (list) => { const a = [...list]; for (let i = a.length - 1; i > 0; i--) { const j = below(i + 1); [a[i], a[j]] = [a[j], a[i]]; } return a; };`

// No smaller set of moves would do: all subsets of what stays are tried.
func TestLeastMoves(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { leastMoves } = await import('/extension/content/least.js');
		`+random+`
		let pinnedRuns = 0;
		for (let run = 0; run < 3000; run++) {
			const n = below(9);
			const wanted = shuffled(Array.from({ length: n }, (_, i) => i));
			let pinned = wanted.map(() => next() < 0.25);
			if (run % 2) { // pins that keep their order, as those of a page do
				const at = wanted.flatMap((_, i) => pinned[i] ? [i] : []);
				const places = at.map((i) => wanted[i]).sort((a, b) => a - b);
				at.forEach((i, k) => { wanted[i] = places[k]; });
			}
			const holds = wanted.filter((_, i) => pinned[i]).every((place, i, all) => i === 0 || all[i - 1] < place);
			if (holds && pinned.some(Boolean)) pinnedRuns++;
			const moves = leastMoves(wanted, pinned);
			let most = 0;
			for (let set = 0; set < 1 << n; set++) {
				const stays = wanted.filter((_, i) => set >> i & 1);
				if (holds && pinned.some((pin, i) => pin && !(set >> i & 1))) continue;
				if (stays.every((place, i) => i === 0 || stays[i - 1] < place)) most = Math.max(most, stays.length);
			}
			const stays = wanted.filter((_, i) => !moves[i]);
			const what = JSON.stringify({ wanted, pinned, moves });
			if (moves.length !== n) return 'length: ' + what;
			if (stays.length !== most) return most + ' could stay: ' + what;
			if (!stays.every((place, i) => i === 0 || stays[i - 1] < place)) return 'what stays is not in order: ' + what;
			if (holds && pinned.some((pin, i) => pin && moves[i])) return 'a pin moves: ' + what;
		}
		return pinnedRuns < 500 ? 'only ' + pinnedRuns + ' runs with pins' : '';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// A page that knows nothing of us goes on to remove children, and to insert and move others before
// nodes of its own, while results stand in other orders. Undoing gives exactly the list that the page
// would have had without us, white space, comments and advertisements included.
func TestOrderFollowsThePage(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { Order } = await import('/extension/content/order.js');
		`+random+`
		let moved = 0, appended = 0, prepended = 0;
		for (let run = 0; run < 150; run++) {
			const parent = document.createElement('div');
			document.body.append(parent);
			const made = { dt: 0 };
			const make = () => {
				const kind = next();
				if (kind < 0.15) return [document.createComment('marker')];
				if (kind < 0.25) return [document.createElement('aside')];
				const result = document.createElement('dt');
				result.textContent = 'r' + made.dt++;
				const nodes = [result];
				if (next() < 0.4) nodes.push(...(next() < 0.3 ? [document.createTextNode(' ')] : []), document.createElement('dd'));
				if (next() < 0.5) nodes.push(document.createTextNode('\n '));
				return nodes;
			};
			const model = Array.from({ length: 3 + below(12) }, make).flat(); // what the page believes
			parent.append(...model);
			const observer = new MutationObserver(() => {});
			observer.observe(parent, { childList: true });
			const order = new Order();
			const read = () => Array.from(parent.querySelectorAll('dt'), (element) => {
				const companions = element.nextElementSibling?.localName === 'dd' ? [element.nextElementSibling] : [];
				return { element, companions, mover: element };
			});
			for (let step = 0; step < 12; step++) {
				let results = read();
				order.adopt(results);
				const own = order.own(results).map(({ element }) => element);
				const believed = model.filter((node) => node.localName === 'dt');
				if (own.some((element, i) => element !== believed[i])) return 'run ' + run + ': the order of the page is not known';
				const ranked = shuffled(results);
				// What is no result stands where the page wants it: behind the same number of results.
				const places = (nodes) => {
					let before = 0;
					return nodes.flatMap((node) => node.localName === 'dt' ? (before++, []) : node.localName === 'aside' || node.nodeType === 8 ? [[node, before]] : []);
				};
				const fixed = places(model);
				const applied = order.apply(results, ranked);
				moved += results.length;
				const stands = read();
				if (stands.some(({ element }, i) => element !== ranked[i].element)) return 'run ' + run + ': not in the order of the ranking';
				if (applied.results.some(({ element }, i) => element !== ranked[i].element)) return 'run ' + run + ': told another order';
				if (ranked.some((result, at) => applied.up.get(result) !== believed.indexOf(result.element) - at)) return 'run ' + run + ': places told wrongly';
				if (stands.some(({ companions }, i) => companions[0] !== ranked[i].companions[0])) return 'run ' + run + ': a companion was left behind';
				if (places([...parent.childNodes]).some(([node, before], i) => node !== fixed[i][0] || before !== fixed[i][1])) return 'run ' + run + ': something else moved';
				observer.takeRecords();
				const follow = () => order.follow(observer.takeRecords());
				// What the page inserts before the result that is shown first, or behind its own last one, is taken for
				// news at the start or the end: see TestOrderFollowsPlaces.
				const shownFirst = ranked[0].element;
				const ownLast = results.find(({ element }) => element === believed.at(-1));
				const unclear = (before) => before && (
					before === shownFirst && model.find((node) => node.localName === 'dt') !== before ||
					before.previousSibling === (ownLast.companions[0] ?? ownLast.element) && before.previousSibling !== model[model.indexOf(before) - 1]);
				// A page that finds its last result in the document appends right behind it, which is before the white space
				// that belongs to that result.
				const ends = (nodes) => {
					const at = nodes.findLastIndex((node) => node.localName === 'dt');
					const companion = nodes[at + 1]?.nodeType === 3 ? at + 2 : at + 1;
					return nodes[companion]?.localName === 'dd' ? companion : at;
				};
				const shown = [...parent.childNodes];
				if (next() < 0.3 && shown[ends(shown) + 1]?.nodeType === 3) {
					const nodes = make();
					shown[ends(shown)].after(...nodes);
					model.splice(ends(model) + 1, 0, ...nodes);
					appended++;
					follow();
				}
				// A page that inserts before its first child means the beginning.
				if (next() < 0.3) {
					const nodes = make();
					if (next() < 0.5) parent.prepend(...nodes);
					else nodes.toReversed().forEach((node) => parent.insertBefore(node, parent.firstChild));
					model.unshift(...nodes);
					prepended++;
					follow();
				}
				for (let change = below(4); change > 0; change--) {
					// A result with its companion, or another node: frameworks insert before the next node that they know.
					const heads = model.flatMap((node, at) => node.localName === 'dd' || node.nodeType === 3 ? [] : [at]);
					const unit = (at) => { let end = at + 1; while (model[end]?.localName === 'dd' || model[end]?.nodeType === 3) end++; return [at, end]; };
					const kind = next();
					let nodes;
					if (kind < 0.4 || heads.length < 4) nodes = make();
					else {
						const [from, to] = unit(heads[below(heads.length)]);
						nodes = model.splice(from, to - from);
						if (kind < 0.65) { nodes.forEach((node) => node.remove()); follow(); continue; }
					}
					const starts = [...model.flatMap((node, at) => node.localName === 'dd' || node.nodeType === 3 || unclear(node) ? [] : [at]), model.length];
					const at = starts[below(starts.length)];
					const before = model[at] ?? null;
					nodes.forEach((node) => parent.insertBefore(node, before));
					model.splice(at, 0, ...nodes);
					follow();
				}
			}
			order.adopt(read());
			order.undo();
			const left = [...parent.childNodes];
			if (left.length !== model.length || left.some((node, i) => node !== model[i])) {
				const show = (nodes) => nodes.map((node) => node.localName ? node.localName + node.textContent : node.nodeName).join(' ');
				return 'run ' + run + ': undone to ' + show(left) + ', want ' + show(model);
			}
			parent.remove();
		}
		return moved < 5000 || appended < 100 || prepended < 100 ? 'only ' + [moved, appended, prepended] : '';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// While results stand in another order, a page that knows nothing of it adds, removes and replaces some, at places that
// it means as places. Undoing gives the list that it would have had without us, with white space between results or
// without, and with something before and behind them or without.
func TestOrderFollowsPlaces(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { Order } = await import('/extension/content/order.js');
		let made = 0;
		const item = (title) => { const li = document.createElement('li'); li.textContent = title; return li; };
		const fresh = (n = 1) => Array.from({ length: n }, () => item('n' + made++));
		const all = (list) => [...list.querySelectorAll('li')];
		const of = (list, title) => all(list).find((li) => li.textContent === title);
		// What a page does. b stands for the result that is shown first, c for the page's last one: see below.
		const pages = {
			'prepend': (list) => list.prepend(...fresh(2)),
			'prepend one by one': (list) => { for (const li of fresh(3)) list.prepend(li); },
			'insert before the first child': (list) => { for (const li of fresh(2)) list.insertBefore(li, list.firstChild); },
			'insert before the first result': (list) => { for (const li of fresh(2)) list.insertBefore(li, all(list)[0]); },
			'insert before what was the first result': (list) => { const [first] = all(list); for (const li of fresh(2)) first.before(li); },
			'insert HTML at the beginning': (list) => list.insertAdjacentHTML('afterbegin', '<li>x</li>'),
			'append': (list) => list.append(...fresh(2)),
			'append behind the last result': (list) => all(list).at(-1).after(...fresh(2)),
			'append behind the last result again and again': (list) => { for (const li of fresh(3)) all(list).at(-1).after(li); },
			'append behind a last result that it remembers': (list) => of(list, 'd').after(...fresh(2)),
			'append HTML': (list) => list.insertAdjacentHTML('beforeend', '<li>y</li>'),
			'prepend and append': (list) => { list.prepend(...fresh()); list.append(...fresh()); },
			'remove the first': (list) => of(list, 'a').remove(),
			'remove the last and append': (list) => { of(list, 'd').remove(); list.append(...fresh(2)); },
			'remove one and prepend': (list) => { of(list, 'b').remove(); list.prepend(...fresh()); },
			'remove all and append': (list) => { for (const li of all(list)) li.remove(); list.append(...fresh(3)); },
			'replace all children': (list) => list.replaceChildren(...fresh(3)),
			'write HTML': (list) => { list.innerHTML = '<li>x</li><li>y</li>'; },
			'sort by prepending': (list) => { for (const li of all(list).toSorted((x, y) => x.textContent < y.textContent ? -1 : 1)) list.prepend(li); },
			'sort by appending': (list) => list.append(...all(list).toSorted((x, y) => x.textContent < y.textContent ? 1 : -1)),
			'move the last to the beginning': (list) => list.prepend(of(list, 'd')),
		};
		for (const title of 'abcd') {
			const each = (name, replace) => { pages['replace ' + title + ': ' + name] = (list) => replace(of(list, title), list); };
			each('replaceWith', (old) => old.replaceWith(...fresh()));
			each('replaceWith two', (old) => old.replaceWith(...fresh(2)));
			each('before and remove', (old) => { old.before(...fresh()); old.remove(); });
			each('after and remove', (old) => { old.after(...fresh()); old.remove(); });
			each('after, twice, and remove', (old) => { old.after(...fresh()); old.after(...fresh()); old.remove(); });
			each('remove and insert where it was', (old, list) => { const next = old.nextSibling; old.remove(); list.insertBefore(...fresh(), next); });
			each('HTML', (old) => { old.outerHTML = '<li>z</li>'; });
		}
		for (const [name, change] of Object.entries(pages)) for (const space of ['', ' ']) for (const around of ['', '<hr>']) for (const shown of ['badc', 'dcba', 'cdab', 'bcda']) {
			// What is inserted behind all results is behind them, even if the one that stood there has just gone.
			if (name.endsWith('where it was') && name.startsWith('replace ' + shown.at(-1))) continue;
			const lists = [0, 1].map(() => {
				const list = document.createElement('ul');
				list.innerHTML = [around, ...[...'abcd'].map((title) => '<li>' + title + '</li>'), around].filter(Boolean).join(space);
				document.body.append(list);
				return list;
			});
			const observer = new MutationObserver(() => {});
			observer.observe(lists[0], { childList: true });
			const order = new Order();
			const read = () => all(lists[0]).map((element) => ({ element, companions: [], mover: element }));
			const results = read();
			order.adopt(results);
			order.apply(results, [...shown].map((title) => results.find(({ element }) => element.textContent === title)));
			const stands = all(lists[0]).map((li) => li.textContent).join('');
			observer.takeRecords();
			const titles = (list) => [...list.children].map((child) => child.textContent || child.localName).join(' ');
			const undone = lists.map((list, i) => {
				made = 0;
				change(list);
				if (i === 0) {
					order.follow(observer.takeRecords());
					order.adopt(read());
					order.undo();
				}
				return titles(list);
			});
			if (stands !== shown) return name + ': shown as ' + stands;
			const empty = [...lists[0].childNodes].filter((node) => node.nodeType === 3 && node.data === '').length;
			if (undone[0] !== undone[1] || empty) return [name, 'shown as ' + shown, space && 'with space', around, 'undone to ' + undone[0], 'want ' + undone[1], empty].filter(Boolean).join(', ');
			lists.forEach((list) => list.remove());
		}
		return '';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// Each parent's results are ordered among themselves, and the only nodes that are touched are
// the two that climb, one past nine others and one past two.
func TestOrderMovesLittle(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { Order } = await import('/extension/content/order.js');
		document.body.innerHTML = '<ul id="a">' + '<li></li>'.repeat(10) + '</ul><h2></h2><ul id="b">' + '<li></li>'.repeat(3) + '</ul>';
		const results = Array.from(document.querySelectorAll('li'), (element) => ({ element, companions: [], mover: element }));
		const order = new Order();
		order.adopt(results);
		const observer = new MutationObserver(() => {});
		observer.observe(document.body, { childList: true, subtree: true });
		const ranked = [results[12], results[9], ...results.slice(0, 9), results[10], results[11]];
		const { up } = order.apply(results, ranked);
		const touched = new Set(observer.takeRecords().flatMap(({ addedNodes }) => [...addedNodes].filter((node) => node.localName)));
		if (touched.size !== 2 || !touched.has(results[9].element) || !touched.has(results[12].element)) return touched.size + ' nodes were moved';
		if (up.get(results[9]) !== 9 || up.get(results[12]) !== 2 || up.get(results[0]) !== -1) return 'places told wrongly';
		if (document.querySelector('#b').children.length !== 3 || document.querySelector('#b').firstElementChild !== results[12].element) return 'a result left its parent';
		return '';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// What has come among the results since they were adopted, and was not told, keeps nobody from moving them.
func TestOrderAmongStrangers(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { Order } = await import('/extension/content/order.js');
		document.body.innerHTML = '<section><p>a</p><p>b</p><p>c</p></section>';
		const list = document.querySelector('section');
		const results = Array.from(list.children, (element) => ({ element, companions: [], mover: element }));
		const order = new Order();
		order.adopt(results);
		list.prepend(document.createElement('div'));
		order.apply(results, results.toReversed());
		if (list.innerHTML !== '<div></div><p>c</p><p>b</p><p>a</p>') return 'ordered as ' + list.innerHTML;
		list.children[1].after(document.createElement('hr'));
		order.undo();
		return list.innerHTML.replace('<hr>', '') === '<div></div><p>a</p><p>b</p><p>c</p>' ? '' : 'undone to ' + list.innerHTML;
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// An order stands if results that were there keep it, whatever comes and goes and whichever
// elements show them. The third loss within a while is the last.
func TestContest(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { Contest, stands } = await import('/extension/content/contest.js');
		const result = (title, element = document.createElement('li')) => ({ title, link: '/' + title, element, mover: element, companions: [], heading: null, snippet: '' });
		const [a, b, c] = ['a', 'b', 'c'].map((title) => result(title));
		const cases = [
			['as left', [a, b, c], [a, b, c], true],
			['one gone', [a, b, c], [a, c], true],
			['one new', [a, b, c], [result('n'), a, b, c, result('m')], true],
			['all new', [a, b, c], [result('x'), result('y')], true],
			['sorted', [b, a, c], [a, b, c], false],
			['built anew as left', [b, a, c], [result('b'), result('a'), result('c')], true],
			['built anew and sorted', [b, a, c], [result('a'), result('b'), result('c')], false],
			['the same elements with other texts', [b, a, c], [result('x', b.element), result('y', a.element), result('z', c.element)], true],
			['elements reused for sorting', [b, a, c], [result('a', b.element), result('b', a.element), result('c', c.element)], false],
			['sorted, with a new one', [b, a, c], [result('n'), a, b, c], false],
			['another list with some of the same', [b, a, c], [result('a'), result('n'), result('b')], true],
			['some removed, and the others sorted', [b, a, c], [a, b], true],
			['titles twice', [b, a, result('t'), result('t')], [b, a, result('t'), result('t')], true],
		];
		for (const [name, applied, found, want] of cases) if (stands(applied, found) !== want) return name;
		const contest = new Contest();
		const fight = (times) => times.map((time) => { contest.applied(time - 200); return contest.lost(time); }).join();
		if (fight([1000, 2000, 3000]) !== 'false,false,true') return 'three tries';
		contest.reset();
		if (fight([4000, 5000]) !== 'false,false') return 'asked anew';
		contest.reset();
		contest.applied(0);
		if ([20000, 40000, 60000].map((time) => { const lost = contest.lost(time); contest.applied(time); return lost; }).some(Boolean)) return 'orders that had stood';
		contest.reset();
		contest.applied(0);
		if ([20000, 20200, 20400, 20600].map((time) => { const lost = contest.lost(time); contest.applied(time); return lost; }).join() !== 'false,false,false,true') return 'a slow change and quick ones';
		return '';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// A result whose fields hide the properties of its elements is read and moved like others.
func TestClobbered(t *testing.T) {
	t.Parallel()
	fault := call[string](t, open(t), `async () => {
		const { read } = await import('/extension/content/read.js');
		const { Order } = await import('/extension/content/order.js');
		const { spotAbove } = await import('/extension/content/spot.js');
		const names = ['parentNode', 'nextSibling', 'firstChild', 'nodeType', 'textContent', 'querySelector', 'matches', 'insertBefore', 'remove', 'contains', 'childElementCount'];
		const fields = names.map((name) => '<input name="' + name + '">').join('');
		document.body.innerHTML = ['body', 'querySelectorAll', 'documentElement', 'activeElement'].map((name) => '<img name="' + name + '">').join('');
		const parent = document.createElement('section');
		for (const title of ['one', 'two', 'three']) {
			const form = document.createElement('form');
			form.className = 'result';
			form.innerHTML = '<h3><a href="/' + title + '">' + title + '<script>bad()<' + '/script></a></h3><p>About ' + title + '</p>' + fields;
			Node.prototype.appendChild.call(parent, form);
		}
		document.getElementsByTagName('body')[0].append(parent);
		const rule = { id: 'x', name: 'x', matches: [], query: { parameter: 'q' }, result: '.result', title: 'h3', snippet: 'p' };
		const results = read(rule);
		const texts = results.map(({ title, snippet, link }) => [title, snippet, link].join('|')).join(';');
		if (texts !== 'one|About one|/one;two|About two|/two;three|About three|/three') return texts;
		const order = new Order();
		order.adopt(results);
		order.apply(results, [results[2], results[0], results[1]]);
		const shown = () => Array.from(parent.getElementsByTagName('p'), (p) => p.textContent).join();
		if (shown() !== 'About three,About one,About two') return 'moved: ' + shown();
		order.undo();
		if (shown() !== 'About one,About two,About three') return 'undone: ' + shown();
		const spot = spotAbove(results[0].mover);
		return spot.parent === parent && spot.before === results[0].element ? '' : 'the bar would stand elsewhere';
	}`)
	if fault != "" {
		t.Error(fault)
	}
}

// The scheme is that of the background, whatever the reader prefers. On a gradient, the color of the text tells it.
// Without a background it is the page's color-scheme, which may follow the preference.
func TestScheme(t *testing.T) {
	t.Parallel()
	page := open(t)
	for _, preferred := range []string{"light", "dark"} {
		if err := page.Prefer("prefers-color-scheme", preferred); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct{ style, want string }{
			{"background: #111", "dark"},
			{"background: white", "light"},
			{"background: rgb(20 20 20 / 0.9)", "dark"},
			{"background: oklch(0.2 0.02 260)", "dark"},
			{"background: color(srgb 0.9 0.9 0.9)", "light"},
			{"background: linear-gradient(#000, #222); color: #eee", "dark"},
			{"background: linear-gradient(#fff, #eee); color: #222", "light"},
			{"", "light"},
			{"color-scheme: light dark", preferred},
			{"color-scheme: dark", "dark"},
		} {
			got := call[string](t, page, `async (style) => {
				const { schemeAt } = await import('/extension/content/scheme.js');
				document.documentElement.style.cssText = style;
				document.body.innerHTML = '<div><p></p></div>';
				return schemeAt(document.querySelector('p'));
			}`, test.style)
			if got != test.want {
				t.Errorf("%q in a browser that prefers %s is %s, want %s", test.style, preferred, got, test.want)
			}
		}
	}
}
