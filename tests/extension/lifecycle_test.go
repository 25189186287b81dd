package extension

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/resident"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// stop ends a part of the extension and waits until it is gone.
func (s *session) stop(t *testing.T, kind string) {
	t.Helper()
	infos, err := s.browser.Targets()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		s.mu.Lock()
		_, ours := s.joined[info.TargetID]
		s.mu.Unlock()
		if !ours || info.Type != kind {
			continue
		}
		if err := s.browser.CloseTarget(info.TargetID); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, kind+" is gone", func() bool {
			now, err := s.browser.Targets()
			for _, other := range now {
				if other.TargetID == info.TargetID {
					return false
				}
			}
			return err == nil
		})
		return
	}
	t.Fatalf("there is no %s", kind)
}

// The service worker and the engine's document may end at any time, in the middle of a
// question too: the answer comes all the same, and what is on the page stays.
func TestPartsEnd(t *testing.T) {
	s := chromium(t)
	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))

	s.stop(t, "service_worker")
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, results))

	s.stop(t, "background_page")
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))

	s.stop(t, "service_worker")
	s.stop(t, "background_page")
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))

	// In the middle: the document ends while it answers.
	x.press("barSupporting")
	s.stop(t, "background_page")
	x.waitTitles(list, supporting(t, results))
	x.waitStatus(label(t, "barRankedSides"))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// What is typed and folded in one tab leaves what was typed in another: the next page has all of it.
func TestTabsKeepWords(t *testing.T) {
	s := chromium(t)
	words := []string{"bar.folded", "bar.place", "bar.time", "bar.audience", "bar.own"}
	forget := func() {
		t.Helper()
		if _, err := harness.Call[any](s.worker(t), `(entries) => chrome.storage.local.remove(entries)`, words); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	defer forget()
	one, _ := ddg(t, "", 6)
	other, _ := ddg(t, "", 6)
	one.bar()
	other.bar()
	one.enter("barPlace", "Norway")
	other.enter("barAudience", "nurses")
	other.enter("barTime", "the 1990s")
	one.press("barFold")
	one.control("button", label(t, "barUnfold"))
	stored := func() map[string]any {
		t.Helper()
		all, err := harness.Call[map[string]any](s.worker(t), `(entries) => chrome.storage.local.get(entries)`, words)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := map[string]any{"bar.folded": true, "bar.place": "Norway", "bar.audience": "nurses", "bar.time": "the 1990s"}
	wait.Until(t, "all is stored", func() bool { return len(stored()) == len(want) })
	if got := stored(); !maps.Equal(got, want) {
		t.Errorf("stored: %v, want %v", got, want)
	}
	next, _ := ddg(t, "", 6)
	next.press("barUnfold")
	for key, want := range map[string]string{"barPlace": "Norway", "barAudience": "nurses", "barTime": "the 1990s"} {
		next.click(next.control("button", label(t, key)+"…"))
		if got := callOn[string](next, next.control("textbox", label(t, key)), `function () { return this.value; }`); got != want {
			t.Errorf("the next page has %q for %s, want %q", got, key, want)
		}
	}
}

// What a test expects also holds for a part that starts later, until the test ends. What went
// wrong with joining a part is reported, once.
func TestReports(t *testing.T) {
	s := chromium(t)
	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	s.expect("^console: .*part of this test")
	s.stop(t, "background_page")
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, results))
	var engine *harness.Page // a new one: Chromium may give a new service worker the target of the last one
	wait.Until(t, "the engine's document", func() bool {
		engine = s.part("background_page")
		return engine != nil
	})
	say := func(text string) {
		t.Helper()
		if _, err := harness.Call[any](engine, `(text) => console.error(text)`, text); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "the error is noted", func() bool {
			return slices.ContainsFunc(engine.All(), func(problem string) bool { return strings.Contains(problem, text) })
		})
	}
	say("part of this test")
	if all := s.unreported(); len(all) > 0 {
		t.Errorf("expected, but reported: %q", all)
	}
	s.mu.Lock()
	s.failed = append(s.failed, "not joined")
	s.mu.Unlock()
	say("of no test")
	if all := s.unreported(); len(all) != 2 || all[0] != "not joined" || !strings.Contains(all[1], "of no test") {
		t.Errorf("reported: %q", all)
	}
	if all := s.unreported(); len(all) > 0 {
		t.Errorf("reported twice: %q", all)
	}
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// If nobody asks for a while, the engine's document is closed and its memory given back; the
// next question starts it again. The five minutes are shortened, by the clock of the document.
func TestIdle(t *testing.T) {
	s := chromium(t)
	open(t, s, s.origin+"/privacy.html") // so that the extension's process stays
	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	var engine *harness.Page
	wait.Until(t, "the engine's document", func() bool {
		engine = s.part("background_page")
		return engine != nil
	})
	// The five minutes pass when the test says so, because the first question may still be under way.
	if _, err := harness.Call[any](engine, `() => {
		const { setTimeout: wait, clearTimeout: stop } = globalThis;
		globalThis.setTimeout = (run, ms) => (ms === 5 * 60_000 ? ((globalThis.rest = run), -1) : wait(run, ms));
		globalThis.clearTimeout = (timer) => (timer === -1 ? delete globalThis.rest : stop(timer));
	}`); err != nil {
		t.Fatal(err)
	}
	before := s.memory(t)
	x.press("barOpposing")
	x.waitTitles(list, opposing(t, results))
	wait.Until(t, "the second question is answered", func() bool {
		rests, err := harness.Call[bool](engine, `() => {
			const { rest } = globalThis;
			if (rest) setTimeout(rest);
			return Boolean(rest);
		}`)
		if err != nil {
			t.Fatal(err)
		}
		return rests
	})
	wait.Until(t, "the engine's document is closed", func() bool { return s.part("background_page") == nil })
	const model = 40 << 20 // an instance of the transformer, of which there is at least one
	wait.Until(t, "the memory is given back", func() bool { return s.memory(t) <= max(0, before-model) })

	x.waitTitles(list, opposing(t, results))
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// memory is what the extension's process has in memory; 0 where the system does not tell.
func (s *session) memory(t *testing.T) (sum int64) {
	t.Helper()
	pids, err := s.browser.Processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && strings.Contains(string(line), "--extension-process") {
			now, _, _ := resident.Of(pid) // 0 if it has just ended
			sum += now
		}
	}
	return sum
}

// Nothing needs the network.
func TestOffline(t *testing.T) {
	s := chromium(t)
	x, results := ddg(t, "", 12)
	off := func(offline bool) {
		t.Helper()
		for _, p := range []*harness.Page{x.Page, s.part("service_worker"), s.part("background_page")} {
			if p == nil {
				continue
			}
			err := p.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
				if _, err := cdp.Call(ctx, target, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: offline, DownloadThroughput: -1, UploadThroughput: -1}); err != nil {
					return err
				}
				params := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{}}
				if offline {
					params.MatchedNetworkConditions = []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}
				}
				_, err := cdp.Call(ctx, target, network.EmulateNetworkConditionsByRule, params)
				return err
			}))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	off(true)
	defer off(false)
	if fetched := call[string](x, `() => fetch('/page/page.css').then(() => 'fetched', () => 'failed')`); fetched != "failed" {
		t.Fatalf("the page is not offline: %s", fetched)
	}
	x.Expect(`net::ERR_INTERNET_DISCONNECTED`) // of that request
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
}

// chromiums are requests of Chromium itself: for accounts of the user's, for help with forms, and, a few minutes after
// its start, for updates.
var chromiums = regexp.MustCompile(`^https?://(accounts\.google\.com/ListAccounts|content-autofill\.googleapis\.com/|update\.googleapis\.com/service/update2/)`)

// A whole session without a server sends nothing anywhere: the requests of all parts are
// those of the page itself.
func TestSilence(t *testing.T) {
	s := chromium(t)
	before := len(s.web.requests())
	address := pages.DuckDuckGo.URL(pages.Nuclear, "", "count", "9")
	x := open(t, s, address)
	results := pages.Results(pages.Nuclear, 1, 9)
	for _, side := range []string{supports, opposes} {
		x.press(map[string]string{supports: "barSupporting", opposes: "barOpposing"}[side])
		x.waitTitles(list, titlesIn(results, ranked(t, pages.Nuclear, side, textsOf(results))))
	}
	x.enter("barPlace", "Germany")
	x.waitStatus(label(t, "barRankedSides"))
	x.press("barSpread")
	x.waitStatus(label(t, "barRankedSides"))
	x.press("barUndo")
	x.waitTitles(list, titles(results))
	options := open(t, s, s.origin+"/options/options.html")
	call[any](options, `() => document.readyState`)
	popup := open(t, s, s.origin+"/popup/popup.html")
	call[any](popup, `() => document.readyState`)

	const icon = "https://duckduckgo.com/page/icon.svg" // the browser may have it already
	want := map[string]int{address: 1, "https://duckduckgo.com/page/page.css": 1, "https://duckduckgo.com/page/page.js": 1, icon: 1}
	for _, url := range s.web.requests()[before:] {
		if chromiums.MatchString(url) {
			continue
		}
		if want[url]--; want[url] < 0 {
			t.Errorf("a request that is not the page's own: %s", url)
		}
	}
	for url, left := range want {
		if left > 0 && url != icon {
			t.Errorf("the page did not ask for %s: this test would not see requests", url)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := []*harness.Page{options.Page, popup.Page}
	for _, part := range s.joined {
		parts = append(parts, part)
	}
	for _, part := range parts {
		for _, url := range part.Requests() {
			if !strings.HasPrefix(url, s.origin+"/") {
				t.Errorf("the extension asked for %s", url)
			}
		}
	}
}
