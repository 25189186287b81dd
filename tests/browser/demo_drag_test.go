package browser

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/search"
)

// frame has what the page shows in one frame of the screen.
type frame struct {
	At     string // settings beside the method's name, as the page writes them
	Chosen []int
	Plain  []int
}

// drag moves a slider to a new value in every frame, and records what each
// frame shows until the page is idle.
const drag = `async (name, values) => {
	const { vantage } = window;
	const { search } = vantage;
	let inFlight = 0;
	let most = 0;
	let searches = 0;
	vantage.search = async (query) => {
		searches++;
		most = Math.max(most, ++inFlight);
		try {
			return await search.call(vantage, query);
		} finally {
			inFlight--;
		}
	};
	const control = document.getElementById('form').elements[name];
	const indexes = (id) => Array.from(document.querySelectorAll('#' + id + ' .hit'), (hit) => Number(hit.dataset.index));
	const frames = [];
	const started = performance.now();
	let moved = 0;
	for (let i = 0, rest = 0; rest < 30; i++) {
		await new Promise(requestAnimationFrame);
		frames.push({ at: document.getElementById('chosen-at').textContent, chosen: indexes('chosen'), plain: indexes('plain') });
		if (i < values.length) {
			control.value = values[i];
			control.dispatchEvent(new Event('input', { bubbles: true }));
			if (i === values.length - 1) moved = performance.now() - started;
		} else {
			rest = inFlight === 0 ? rest + 1 : 0;
		}
	}
	delete vantage.search;
	return { frames, most, searches, moved };
}`

type dragged struct {
	Frames   []frame
	Most     int
	Searches int
	Moved    float64
}

// If a slider moves in every frame, each frame shows the ranking that a new
// search gives for the value beside it, one search runs at a time, and the last
// value wins.
func TestDemoDrag(t *testing.T) {
	dir := debates(t)
	page := demo(t, dir)
	collection := native(t, filepath.Join(dir, "collection"))
	call[any](t, page, set, "method", "pap+")
	call[any](t, page, set, "query", oppose)
	text := search.Text{Text: oppose}
	plain := indexes(t, collection, search.Query{Query: text, Method: "none"})
	chosen := indexes(t, collection, search.Query{Query: text, Method: "pap+"})
	for deadline := time.Now().Add(10 * time.Second); !(slices.Equal(shown(t, page, "plain"), plain) && slices.Equal(shown(t, page, "chosen"), chosen)) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	sweep := func(low, high float64) (values []string) {
		for v := low; v <= high+1e-9; v += 0.05 {
			values = append(values, strconv.FormatFloat(v, 'f', 2, 64))
		}
		return values
	}
	lambdas := sweep(-1, 2)
	back := slices.Clone(lambdas)
	slices.Reverse(back)
	for _, c := range []struct {
		control string
		values  []string
		mmr     bool
	}{{"lambda", append(lambdas, back[:25]...), false}, {"mmr", sweep(0, 0.95), true}} {
		call[any](t, page, set, "diversify", c.mmr)
		call[any](t, page, set, "lambda", "1")
		first := "λ 1"
		if c.mmr {
			first += " · MMR 0.75"
		}
		waitFor(t, page, `document.getElementById('chosen-at').textContent === '`+first+`'`)
		got := call[dragged](t, page, drag, c.control, c.values)
		shown := map[string]bool{}
		for i, f := range got.Frames {
			q := search.Query{Query: text, Method: "pap+"}
			parts := slices.Collect(splitAt(f.At))
			lambda, err := strconv.ParseFloat(parts[0], 64)
			if err != nil {
				t.Fatalf("frame %d says %q", i, f.At)
			}
			q.Lambda = &lambda
			if c.mmr {
				mmr, err := strconv.ParseFloat(parts[1], 64)
				if err != nil {
					t.Fatalf("frame %d says %q", i, f.At)
				}
				q.MMR = &mmr
			}
			shown[f.At] = true
			if want := indexes(t, collection, q); !slices.Equal(f.Chosen, want) || !slices.Equal(f.Plain, plain) {
				t.Fatalf("frame %d, %s:\nchosen %v\n  want %v\nplain  %v\n  want %v", i, f.At, f.Chosen, want, f.Plain, plain)
			}
		}
		last, err := strconv.ParseFloat(c.values[len(c.values)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		parts := slices.Collect(splitAt(got.Frames[len(got.Frames)-1].At))
		if at := parts[len(parts)-1]; at != strconv.FormatFloat(last, 'g', -1, 64) {
			t.Errorf("%s: the page ends at %s, the slider at %v", c.control, at, last)
		}
		if got.Most != 1 || got.Searches > len(c.values) {
			t.Errorf("%s: %d searches under way at a time, %d for %d moves", c.control, got.Most, got.Searches, len(c.values))
		}
		if len(shown) < 3 {
			t.Errorf("%s: only %d values were ever shown", c.control, len(shown))
		}
		t.Logf("%s: %d moves in %.0f ms (%.1f frames a second), %d searches, %d values shown", c.control, len(c.values), got.Moved, 1000*float64(len(c.values)-1)/got.Moved, got.Searches, len(shown))
	}
}

// splitAt returns the numbers in "λ −0.5 · MMR 0.75".
func splitAt(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(text, " · ") {
			_, value, _ := strings.Cut(part, " ")
			if !yield(strings.ReplaceAll(value, "−", "-")) {
				return
			}
		}
	}
}

// A passage that remains keeps its element: an open explanation stays open with
// new numbers, and the focus does not move.
func TestDemoKeepsElements(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	call[any](t, page, set, "method", "pap+")
	waitFor(t, page, `document.getElementById('chosen-at').textContent === 'λ 1'`)
	got := call[[]string](t, page, `async () => {
		const item = document.querySelector('#chosen .hit');
		const { index } = item.dataset;
		item.querySelector('details').open = true;
		item.querySelector('summary').focus();
		await new Promise((resolve) => setTimeout(resolve, 50));
		const out = [item.querySelector('.equation').textContent];
		const lambda = document.getElementById('lambda');
		lambda.value = '0.5';
		lambda.dispatchEvent(new Event('input', { bubbles: true }));
		while (document.getElementById('chosen-at').textContent !== 'λ 0.5') await new Promise((resolve) => setTimeout(resolve, 20));
		const same = document.querySelector('#chosen [data-index="' + index + '"]') === item;
		return [...out, item.querySelector('.equation').textContent, String(same && item.contains(document.activeElement)), String(item.querySelectorAll('.explanation').length)];
	}`)
	if got[0] == got[1] || got[2] != "true" || got[3] != "1" {
		t.Errorf("%q", got)
	}
}

// Passages glide to their places, unless the visitor prefers reduced motion.
func TestDemoMotion(t *testing.T) {
	dir := debates(t)
	for preference, want := range map[string]bool{"no-preference": true, "reduce": false} {
		page, err := chromium(t).NewPage(pageTimeout)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Close()
		if err := page.Prefer("prefers-reduced-motion", preference); err != nil {
			t.Fatal(err)
		}
		if err := page.Navigate(serve(t, folder(dir)).Lab()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`)
		call[any](t, page, set, "method", "pap+")
		if got := call[bool](t, page, `async () => {
			let moved = false;
			const watch = new MutationObserver(() => { moved ||= document.getElementById('chosen').getAnimations({ subtree: true }).length > 0; });
			watch.observe(document.getElementById('chosen'), { childList: true });
			const lambda = document.getElementById('lambda');
			for (const value of ['-1', '2', '0']) {
				lambda.value = value;
				lambda.dispatchEvent(new Event('input', { bubbles: true }));
				const text = 'λ ' + value.replace('-', '−');
				while (document.getElementById('chosen-at').textContent !== text) await new Promise((resolve) => setTimeout(resolve, 20));
			}
			return moved;
		}`); got != want {
			t.Errorf("%s: passages glide: %v", preference, got)
		}
	}
}
