package extension

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// popup opens the popup over the page with the address, as the extension's button does.
func (s *session) popup(t *testing.T, address string) tab {
	t.Helper()
	find := func() *target.Info {
		infos, err := s.browser.Targets()
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos {
			if strings.HasPrefix(info.URL, s.origin+"/popup/") {
				return info
			}
		}
		return nil
	}
	wait.Until(t, "the last popup is gone", func() bool { return find() == nil })
	if _, err := harness.Call[any](s.worker(t), `async (address) => {
		const { windowId } = (await chrome.tabs.query({})).find(({ url }) => url === address);
		await chrome.action.openPopup({ windowId });
	}`, address); err != nil {
		t.Fatal(err)
	}
	var info *target.Info
	wait.Until(t, "the popup", func() bool {
		info = find()
		return info != nil
	})
	page, err := s.browser.Attach(info.TargetID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range page.Problems() {
			t.Errorf("in the popup: %s", problem)
		}
		page.Close()
	})
	return tab{page, t, &harness.Node{}}
}

// On a page without a rule, the popup finds the list. The rule can be saved, and holds from
// then on; the popup takes the bar away and brings it back.
func TestPopupFindsList(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	address := pages.Forum.URL(pages.Uniforms, "")
	x := open(t, s, address)
	results := pages.Results(pages.Uniforms, 1, pages.Many)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barInferred", pages.Many))
	x.press("barSupporting")
	x.waitTitles(pages.Forum.Result, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(pages.Forum.Result, titles(results))

	s.popup(t, address).pressNamed(label(t, "popupHide"))
	wait.Until(t, "the bar is gone", func() bool { return len(x.found("region", label(t, "barLabel"))) == 0 })
	s.popup(t, address).pressNamed(label(t, "popupShow"))
	x.press("barSaveRule")
	wait.Until(t, "the rule is stored", func() bool { return len(stored[[]rule](t, s, "rules")) == 1 })

	again := open(t, s, pages.Forum.URL(pages.Nuclear, "", "count", "9"))
	again.waitStatus(label(t, "barReady", 9))
	others := pages.Results(pages.Nuclear, 1, 9)
	again.press("barOpposing")
	again.waitTitles(pages.Forum.Result, titlesIn(others, ranked(t, pages.Nuclear, opposes, textsOf(others))))
}

// The bar that says that a rule no longer matches is taken away and brought back like any other.
func TestPopupBrokenRule(t *testing.T) {
	s := chromium(t)
	address := pages.DuckDuckGo.URL(pages.Nuclear, "broken", "count", "9")
	x := open(t, s, address)
	x.waitStatus(label(t, "barRuleBroken", "DuckDuckGo"))
	s.popup(t, address).pressNamed(label(t, "popupHide"))
	wait.Until(t, "the bar is gone", func() bool { return len(x.found("region", label(t, "barLabel"))) == 0 })
	s.popup(t, address).pressNamed(label(t, "popupShow"))
	x.waitStatus(label(t, "barRuleBroken", "DuckDuckGo"))
}

// A list that is saved where a rule of the reader's no longer matches takes that rule's place. One too many is not kept,
// and the bar says why.
func TestPopupSavesAgain(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	rule := func(id, host string) map[string]any {
		return map[string]any{"id": id, "name": id, "matches": []any{"https://" + host + "/*"}, "query": map[string]any{"parameter": "q"}, "result": ".gone", "title": "h3"}
	}
	s.store(t, map[string]any{"rules": []any{rule("other", "other.example"), rule("old", pages.Forum.Host)}})
	x := open(t, s, pages.Forum.URL(pages.Uniforms, ""))
	x.waitStatus(label(t, "barRuleBroken", "old"))
	x.press("barUseFound")
	x.press("barSaveRule")
	x.waitStatus(label(t, "barSaved", pages.Forum.Host))
	open(t, s, pages.Forum.URL(pages.Uniforms, "")).waitStatus(label(t, "barReady", pages.Many))

	var many []any
	for i := range 200 {
		many = append(many, rule(fmt.Sprintf("many-%d", i), "other.example"))
	}
	s.store(t, map[string]any{"rules": many})
	address := pages.Forum.URL(pages.Nuclear, "", "count", "9")
	full := open(t, s, address)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	full.press("barSaveRule")
	full.waitStatus(label(t, "ruleListLong", 201, 200))
	if rules := stored[[]struct{ ID string }](t, s, "rules"); len(rules) != 200 || rules[199].ID != "many-199" {
		t.Errorf("%d rules are stored", len(rules))
	}
}

// A page whose elements hide properties of the document, the window and the results' form has its list found and ranked,
// and stays where the reader has scrolled.
func TestPopupClobbered(t *testing.T) {
	s := chromium(t)
	address := pages.Forum.URL(pages.Uniforms, "clobber")
	x := open(t, s, address)
	results := pages.Results(pages.Uniforms, 1, pages.Many)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barInferred", pages.Many))
	for key, want := range map[string][]string{"barSupporting": supporting(t, results), "barOpposing": opposing(t, results)} {
		before := call[float64](x, `() => scrolled()`)
		x.press(key)
		x.waitTitles(pages.Forum.Result, want)
		if after := call[float64](x, `() => scrolled()`); before < 50 || after != before {
			t.Errorf("%s scrolls from %v to %v", key, before, after)
		}
	}
}

// A list in an open shadow root is found, ranked and kept as a rule like others.
func TestPopupFindsShadow(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}})
	address := pages.Forum.URL(pages.Uniforms, "shadow")
	x := open(t, s, address)
	results := pages.Results(pages.Uniforms, 1, pages.Many)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barInferred", pages.Many))
	x.press("barSupporting")
	x.waitTitles(pages.Forum.Result, supporting(t, results))
	x.press("barSaveRule")
	x.waitStatus(label(t, "barSaved", pages.Forum.Host))
	open(t, s, pages.Forum.URL(pages.Uniforms, "shadow", "count", "9")).waitStatus(label(t, "barReady", 9))
}

// A list in a frame is not found, and the bar says that it does not look there.
func TestPopupFrame(t *testing.T) {
	s := chromium(t)
	address := "https://" + pages.Forum.Host + pages.Forum.Path + "?count=0"
	x := open(t, s, address)
	popup := s.popup(t, address)
	popup.pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barNoList"))
	x.noToolbar("barPick", "barClose")
	if said := x.status(); strings.Contains(said, label(t, "barFrames")) {
		t.Errorf("of a page without frames the bar says %q", said)
	}
	call[any](popup, `() => { setTimeout(() => window.close()); }`) // it stays open if nothing was found
	call[any](x, `() => {
		const frame = document.createElement('iframe');
		frame.width = frame.height = 300;
		document.querySelector('main').replaceChildren(frame);
	}`)
	s.popup(t, address).pressNamed(label(t, "popupFind"))
	x.waitStatus(label(t, "barNoList") + " " + label(t, "barFrames"))
}

// The reader points at a result, by mouse or finger, and the list that it belongs to is found.
func TestPopupPicks(t *testing.T) {
	for name, point := range map[string]func(*harness.Page, float64, float64) error{"mouse": (*harness.Page).Click, "finger": (*harness.Page).Tap} {
		t.Run(name, func(t *testing.T) { picks(t, "", point) })
		t.Run(name+" in a shadow root", func(t *testing.T) { picks(t, "shadow", point) })
	}
}

func picks(t *testing.T, shape string, point func(page *harness.Page, x, y float64) error) {
	s := chromium(t)
	address := pages.Forum.URL(pages.Uniforms, shape, "from", "1")
	x := open(t, s, address)
	s.popup(t, address).pressNamed(label(t, "popupPick"))
	// A click on the page closes the popup. Before the shield (content/pick.js) has the focus, that is too early.
	x.waitFor(`document.activeElement !== document.body && document.activeElement?.parentElement === document.documentElement`)
	at := call[struct{ X, Y float64 }](x, `() => { const { x, y, width, height } = (globalThis.listRoot ?? document).querySelector('.thread .excerpt').getBoundingClientRect(); return { x: x + width / 3, y: y + height / 2 }; }`)
	wait.Until(t, "the list of the result", func() bool {
		if err := point(x.Page, at.X, at.Y); err != nil {
			t.Fatal(err)
		}
		return len(x.found("region", label(t, "barLabel"))) > 0
	})
	x.waitStatus(label(t, "barInferred", pages.Many))
	x.press("barOpposing")
	x.waitTitles(pages.Forum.Result, opposing(t, pages.Results(pages.Uniforms, 1, pages.Many)))
}
