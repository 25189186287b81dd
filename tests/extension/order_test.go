package extension

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/pages"
)

// readings are the texts of a result as the rule of a site reads them, where the page adds
// words of its own.
var readings = map[string]func(pages.Result) string{
	"www.bing.com":            func(r pages.Result) string { return r.Title + " Web" + r.Snippet },
	"arxiv.org":               func(r pages.Result) string { return "Title: " + r.Title + " " + r.Snippet },
	"www.semanticscholar.org": func(r pages.Result) string { return r.Title + " TLDR" + r.Snippet },
}

// orders returns the titles as the Go packages rank them, from both sides.
func orders(t testing.TB, host, query string, results []pages.Result) (supporting, opposing []string) {
	t.Helper()
	texts := textsOf(results)
	if read := readings[host]; read != nil {
		for i, r := range results {
			texts[i] = read(r)
		}
	}
	return titlesIn(results, ranked(t, query, supports, texts)), titlesIn(results, ranked(t, query, opposes, texts))
}

// On every site of pages.Sites, the results take the order in which Go ranks them, first from
// one side, then from the other, and undoing puts everything back. They stay the same
// elements, with the page's handlers; what is between them stays where it is.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := chromium(t)
	for _, site := range pages.Sites {
		t.Run(site.Host, func(t *testing.T) {
			t.Parallel()
			x := open(t, s, site.URL(pages.Uniforms, ""))
			results := pages.Results(pages.Uniforms, 1, pages.Many)
			original := titlesIn(results, inOrder(pages.Many))
			if got := x.titles(site.Result); !slices.Equal(got, original) {
				t.Fatalf("the page shows %q, want %q", got, original)
			}
			supporting, opposing := orders(t, site.Host, pages.Uniforms, results)
			x.keep(site.Result)
			before := call[string](x, whole)
			x.press("barSupporting")
			x.waitTitles(site.Result, supporting)
			x.same(site.Result)
			x.press("barOpposing")
			x.waitTitles(site.Result, opposing)
			x.same(site.Result)
			x.press("barUndo")
			x.waitTitles(site.Result, original)
			x.same(site.Result)
			if after := call[string](x, whole); after != before {
				t.Errorf("after undoing, the results are\n%s\nthey were\n%s", after, before)
			}
		})
	}
}

// whole is the markup of the parent of the results, without the bar's element.
const whole = `() => kept[0].parentElement.innerHTML.replace(/<div( style="[^"]*")?><\/div>/g, '')`

// Each badge begins with how far its result has moved.
func TestBadges(t *testing.T) {
	t.Parallel()
	site := pages.DuckDuckGo
	x := open(t, chromium(t), site.URL(pages.Uniforms, ""))
	results := pages.Results(pages.Uniforms, 1, pages.Many)
	if badges := x.badges(); len(badges) > 0 {
		t.Errorf("before anything is asked: %q", badges)
	}
	order := ranked(t, pages.Uniforms, supports, textsOf(results))
	x.press("barSupporting")
	x.waitTitles(site.Result, titlesIn(results, order))
	var want []string
	for at, index := range order {
		switch up := index - at; {
		case up > 0:
			want = append(want, label(t, "barMovedUp", up))
		case up < 0:
			want = append(want, label(t, "barMovedDown", -up))
		default:
			want = append(want, label(t, "barNotMoved"))
		}
	}
	x.waitBadges(want)
	x.press("barUndo")
	x.waitBadges(nil)

	// Without a point of view, the badges tell the nearness to the subject alone.
	x.press("barSpread")
	x.waitStatus(label(t, "barRankedSides"))
	subject, _, _ := strings.Cut(label(t, "barNearSubjectLong"), "$1")
	view, _, _ := strings.Cut(label(t, "barNearLong"), "$1")
	view = label(t, "barNearLong")[len(view)+len("$1"):]
	view, _, _ = strings.Cut(view, "$2")
	badges := x.badges()
	for _, said := range badges {
		if !strings.Contains(said, subject) || strings.Contains(said, view) {
			t.Errorf("spread without a point of view: %q", said)
		}
	}
	if len(badges) != len(results) {
		t.Errorf("%d badges for %d results", len(badges), len(results))
	}
	x.enter("barPlace", "Germany")
	for end := time.Now().Add(time.Minute); !strings.Contains(strings.Join(x.badges(), " "), view); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no badge tells the nearness to %q: %q", view, x.badges())
		}
	}
}
