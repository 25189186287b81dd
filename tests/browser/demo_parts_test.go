package browser

import (
	"slices"
	"strings"
	"testing"
)

// A fault without a message is told, too.
func TestFaultWords(t *testing.T) {
	t.Parallel()
	got := call[[]string](t, library(t), `async () => {
		const { inWords } = await import('/static/demo/parts/faultwords.js');
		return [{ message: 'é is no query' }, { message: '' }, {}].map(inWords);
	}`)
	const other = "The encode server cannot be asked now."
	if want := []string{"É is no query.", other, other}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The figures in a heat map can be read on each colour, by light and by dark: WCAG asks for 4.5 to 1.
func TestHeatMapContrast(t *testing.T) {
	t.Parallel()
	got := call[map[string]float64](t, library(t), `async () => {
		const { showHeatMap } = await import('/static/demo/eval/heatmap.js');
		const frame = document.createElement('div');
		const columns = Array.from({ length: 1000 }, (_, i) => String(i + 1));
		const shares = new Map(columns.map((column) => [column, Number(column) / 1000]));
		const luminance = (channels) => {
			const [r, g, b] = channels.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const out = {};
		for (const dark of [false, true]) {
			globalThis.matchMedia = () => ({ matches: dark });
			showHeatMap(frame, { title: [''], x: '', y: '', columns, rows: [{ name: 'row', shares }] });
			const inks = [...frame.querySelectorAll('text.inside')];
			const contrasts = inks.map((ink) => {
				const fill = luminance(ink.previousElementSibling.getAttribute('fill').match(/\d+/g).map(Number));
				return ink.getAttribute('fill') === '#000' ? (fill + 0.05) / 0.05 : 1.05 / (fill + 0.05);
			});
			out[dark ? 'dark' : 'light'] = inks.length === 1000 ? Math.min(...contrasts) : 0;
		}
		return out;
	}`)
	for scheme, least := range got {
		if least < 4.5 {
			t.Errorf("%s: a contrast of only %.3f", scheme, least)
		}
	}
	if len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// A key does no harm in a chart that shows nothing yet.
func TestChartWithoutBars(t *testing.T) {
	t.Parallel()
	got := call[string](t, library(t), `async () => {
		document.body.innerHTML = '<div id="chart"></div><p id="cursor"></p>';
		const { Chart } = await import('/static/demo/eval/chart.js');
		const chart = new Chart();
		const press = (key) => chart.frame.dispatchEvent(new KeyboardEvent('keydown', { key }));
		for (const key of ['ArrowRight', 'Home', 'End', 'PageDown', 'x']) press(key);
		chart.show(['a', 'b'], [1, 2], String);
		press('ArrowRight');
		return document.getElementById('cursor').textContent;
	}`)
	if got != "2 of 2, query a: 1" {
		t.Errorf("%q", got)
	}
}

// A pack whose manifest is not stored does not count as kept.
func TestKeptOfAPackThatIsNotStored(t *testing.T) {
	t.Parallel()
	got := call[string](t, library(t), `async () => {
		const { keptOf } = await import('/static/demo/offline/encoders.js');
		const { kept } = await import('/static/src/collection/kept.js');
		kept.storage.names = async () => ['a'];
		const files = [{ sha256: 'a', stored: 5 }, { sha256: 'b', stored: 7 }];
		const sections = [{ name: 'trunk', files: [{ sha256: 'a' }] }, { name: 'branch', files: [{ sha256: 'b' }] }];
		const all = [];
		for (const pack of [undefined, { sections }, { sections: [...sections, sections[1], { name: 'more', files: [{ sha256: 'b' }] }] }]) all.push(await keptOf({ files }, pack));
		return JSON.stringify(all);
	}`)
	if want := `[{"whole":false,"bytes":5},{"whole":true,"bytes":5},{"whole":false,"bytes":5}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// If one query was left out, the verdict says so in the singular.
func TestGoldVerdictCountsQueries(t *testing.T) {
	t.Parallel()
	got := call[[]string](t, library(t), `async () => {
		document.body.innerHTML = ['head', 'rows', 'table', 'run', 'verdict'].map((id) => '<p id="gold-' + id + '"></p>').join('');
		const { Gold } = await import('/static/demo/parts/gold.js');
		const { METHODS } = await import('/static/src/constants.js');
		return [4, 3].map((asked) => {
			const gold = Object.assign(Object.create(Gold.prototype), { measurement: { judged: { length: 5 } } });
			const found = new Proxy({}, { get: () => 0.5 });
			const figures = { recall: { overall: found, per_label: {} }, p_recall: found };
			gold.write({ asked, refused: 0, plain: figures, chosen: figures }, { method: METHODS[0], lambda: 1, strength: null, mmr: null, score: 'cosine' });
			return document.getElementById('gold-verdict').textContent;
		});
	}`)
	for i, want := range []string{" 1 query lacks what the method needs and was left out on both sides.", " 2 queries lack what the method needs and were left out on both sides."} {
		if i >= len(got) || !strings.HasSuffix(got[i], want) {
			t.Errorf("%q, want …%q", got, want)
		}
	}
}
