package extension

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// options opens the options page.
func (s *session) options(t *testing.T) tab {
	t.Helper()
	x := open(t, s, s.origin+"/options/options.html")
	x.waitFor(`document.querySelector('#bundled li')`)
	return x
}

// pressNamed presses the one button whose accessible name begins with a text.
func (x tab) pressNamed(name string) {
	x.t.Helper()
	var named []harness.Node
	wait.Until(x.t, "a button "+name, func() bool {
		named = nil
		for _, node := range x.found("button", "") {
			if strings.HasPrefix(node.Name, name) {
				named = append(named, node)
			}
		}
		return len(named) > 0
	})
	if len(named) > 1 {
		x.t.Fatalf("%d buttons begin with %q", len(named), name)
	}
	x.click(named[0])
}

// says waits until an element of the page says a text.
func (x tab) says(selector, text string) {
	x.t.Helper()
	said := ""
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if said = call[string](x, `(selector) => document.querySelector(selector).textContent`, selector); strings.Contains(said, text) {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("%s says %q, not %q", selector, said, text)
		}
	}
}

// stored is what the extension stores.
func stored[T any](t *testing.T, s *session, part string) T {
	t.Helper()
	value, err := harness.Call[map[string]T](s.worker(t), `(part) => chrome.storage.local.get(part)`, part)
	if err != nil {
		t.Fatal(err)
	}
	return value[part]
}

type rule struct{ ID, Name, Result string }

// All rules of a file are taken, or none and a sentence says why. Rules can be deleted,
// brought back, and saved as a file that can be taken again.
func TestOptionsRules(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}, "off": []any{}})
	x := s.options(t)
	dir := t.TempDir()
	take := func(name, content string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		input, err := x.Find(`document.getElementById('file')`)
		if err != nil {
			t.Fatal(err)
		}
		if err := input.ChooseFiles(file); err != nil {
			t.Fatal(err)
		}
	}
	const forum = `{"id": "forum", "name": "The forum", "matches": ["https://forum.example/*"], "query": {"parameter": "q"}, "result": ".thread", "title": "h3"%s}`
	file := func(rules ...string) string {
		return `{"version": 1, "rules": [` + strings.Join(rules, ", ") + `]}`
	}
	good := fmt.Sprintf(forum, "")
	for name, bad := range map[string]string{
		"not-json.json":     `{"version": 1, `,
		"other.json":        `[1, 2, 3]`,
		"version.json":      `{"version": 99, "rules": []}`,
		"empty.json":        file(),
		"selector.json":     file(good, `{"id": "bad", "name": "Bad", "matches": ["https://forum.example/*"], "query": {"parameter": "q"}, "result": "li[", "title": "h3"}`),
		"everywhere.json":   file(`{"id": "bad", "name": "Bad", "matches": ["javascript:*"], "query": {"parameter": "q"}, "result": "li", "title": "h3"}`),
		"unknown.json":      file(fmt.Sprintf(forum, `, "script": "alert(1)"`)),
		"large.json":        file(fmt.Sprintf(forum, `, "source": "`+strings.Repeat("x", 8_000_000)+`"`)),
		"markup.json":       file(`{"id": "<img src=x onerror=alert(1)>", "name": "<b>", "matches": ["https://forum.example/*"], "query": {"parameter": "q"}, "result": "li", "title": "h3"}`),
		"catastrophic.json": file(fmt.Sprintf(forum, `, "path": "(a+)+$"`)),
	} {
		call[any](x, `() => { document.getElementById('rules-status').textContent = ''; }`)
		take(name, bad)
		x.waitFor(`document.getElementById('rules-status').classList.contains('fault') && document.getElementById('rules-status').textContent.length > 20`)
		if rules := stored[[]rule](t, s, "rules"); len(rules) > 0 {
			t.Errorf("%s: %v are stored", name, rules)
		}
	}
	take("good.json", file(good))
	x.says("#rules-status", label(t, "optionsImported", 1, 0))
	if rules := stored[[]rule](t, s, "rules"); len(rules) != 1 || rules[0] != (rule{"forum", "The forum", ".thread"}) {
		t.Fatalf("stored: %v", rules)
	}

	// The page that the rule is for has the bar now.
	page := open(t, s, pages.Forum.URL(pages.Uniforms, ""))
	page.waitStatus(label(t, "barReady", pages.Many))

	exported := call[string](x, `async () => {
		let blob;
		const create = URL.createObjectURL;
		URL.createObjectURL = (given) => create.call(URL, (blob = given));
		addEventListener('click', (event) => event.target.download && event.preventDefault(), { once: false, capture: true });
		document.getElementById('export').click();
		URL.createObjectURL = create;
		return blob.text();
	}`)
	x.pressNamed(label(t, "optionsDeleteRule", "The forum"))
	x.says("#rules-status", label(t, "optionsDeleted", "The forum"))
	if rules := stored[[]rule](t, s, "rules"); len(rules) != 0 {
		t.Errorf("after deleting: %v", rules)
	}
	take("exported.json", exported)
	x.says("#rules-status", label(t, "optionsImported", 1, 0))
	x.pressNamed(label(t, "optionsDeleteRule", "The forum"))
	call[any](x, `() => document.getElementById('undo').click()`)
	x.says("#rules-status", label(t, "optionsUndone"))
	if rules := stored[[]rule](t, s, "rules"); len(rules) != 1 {
		t.Errorf("after undoing: %v", rules)
	}

	// A bundled rule that is switched off shows no bar, not even in pages that are open.
	ddg, _ := ddg(t, "", 6)
	ddg.bar()
	call[any](x, `(name) => Array.from(document.querySelectorAll('#bundled input')).find(({ ariaLabel }) => ariaLabel === name).click()`, label(t, "optionsUseRule", "DuckDuckGo"))
	x.says("#rules-status", label(t, "optionsOff", "DuckDuckGo"))
	wait.Until(t, "the bar is gone", func() bool { return len(ddg.found("region", label(t, "barLabel"))) == 0 })
}

// A rule that the bar or another tab of the options stores meanwhile is shown, and no later change loses it. What was
// changed before it cannot be undone any more, because that would.
func TestOptionsStoredElsewhere(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}, "off": []any{}})
	const rules = `{"version":1,"rules":[{"id":"%s","name":"Rule %[1]s","matches":["https://one.example/*"],"query":{"parameter":"q"},"result":"li","title":"a"}]}`
	ids := func() (all []string) {
		for _, rule := range stored[[]rule](t, s, "rules") {
			all = append(all, rule.ID)
		}
		return all
	}
	shows := func(x tab, want string) {
		t.Helper()
		x.waitFor(`[...document.querySelectorAll('#own strong')].map((name) => name.textContent).join() === ` + strconv.Quote(want))
	}
	one, other := s.options(t), s.options(t)
	call[any](one, choose, "a.json", fmt.Sprintf(rules, "a"))
	shows(one, "Rule a")
	shows(other, "Rule a")
	call[any](other, choose, "b.json", fmt.Sprintf(rules, "b"))
	shows(other, "Rule a,Rule b")
	shows(one, "Rule a,Rule b")
	if !call[bool](one, `() => document.getElementById('undo').hidden`) {
		t.Error("undoing would lose a rule that is stored elsewhere")
	}
	if call[bool](other, `() => document.getElementById('undo').hidden`) {
		t.Error("a change cannot be undone, though nothing was stored since")
	}

	// An editor that is open keeps what is typed, and knows the new rule's id.
	one.pressNamed(label(t, "optionsEditRule", "Rule a"))
	call[any](other, choose, "c.json", fmt.Sprintf(rules, "c"))
	shows(one, "Rule a,Rule b,Rule c")
	call[any](one, fill, "#rule-id", "c")
	call[any](one, click, "#rule [type=submit]")
	one.says("#rule-id-fault", label(t, "ruleIdTwice", "“Rule a”", label(t, "ruleFieldId"), "c"))
	call[any](one, fill, "#rule-id", "d")
	call[any](one, click, "#rule [type=submit]")
	one.says("#rules-status", label(t, "optionsRuleSaved", "Rule a"))
	if got := ids(); !slices.Equal(got, []string{"d", "b", "c"}) {
		t.Errorf("stored: %q", got)
	}

	// Pressed one right after the other, in both tabs.
	for _, x := range []tab{one, other} {
		x.waitFor(`document.querySelectorAll('#own li').length === 3`)
	}
	call[any](one, `() => { for (const button of document.querySelectorAll('#own li:not(:last-child) button:last-child')) button.click(); }`)
	shows(other, "Rule c")
	call[any](one, `() => { for (const at of [0, 1, 2]) document.querySelectorAll('#bundled [role=switch]')[at].click(); }`)
	other.waitFor(`document.querySelectorAll('#bundled [role=switch]:not(:checked)').length === 3`)
	call[any](other, `() => document.querySelectorAll('#bundled [role=switch]')[1].click()`)
	one.waitFor(`document.querySelectorAll('#bundled [role=switch]')[1].checked`)
	if off := stored[[]string](t, s, "off"); len(off) != 2 {
		t.Errorf("off: %q", off)
	}
	if got := ids(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("stored: %q", got)
	}
}

// What the browser refuses is said in plain words. A change that is not stored leaves the rules and the undo of the
// change before as they were.
func TestOptionsFailures(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"rules": []any{}, "off": []any{}})
	x := s.options(t)
	const one = `{"id":"%s","name":"%[1]s","matches":["https://one.example/*"],"query":{"parameter":"q"},"result":"li","title":"a"}`
	file := func(ids ...string) string {
		var rules []string
		for _, id := range ids {
			rules = append(rules, fmt.Sprintf(one, id))
		}
		return `{"version":1,"rules":[` + strings.Join(rules, ",") + `]}`
	}
	has := func(when string, ids ...string) {
		t.Helper()
		var got []string
		for _, rule := range stored[[]rule](t, s, "rules") {
			got = append(got, rule.ID)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %q are stored, want %q", when, got, ids)
		}
	}
	call[any](x, choose, "good.json", file("one", "two"))
	x.says("#rules-status", label(t, "optionsImported", 2, 0))
	x.pressNamed(label(t, "optionsDeleteRule", "one"))
	x.says("#rules-status", label(t, "optionsDeleted", "one"))
	has("after deleting", "two")

	call[any](x, `() => { window.set = chrome.storage.local.set; chrome.storage.local.set = () => Promise.reject(new Error('the disk is full')); }`)
	refused := func(what, status, says string, act func()) {
		t.Helper()
		call[any](x, `(status) => { document.querySelector(status).textContent = ''; }`, status)
		act()
		x.says(status, says)
		has(what, "two")
	}
	full := label(t, "optionsNotSaved", "the disk is full")
	refused("importing", "#rules-status", full, func() { call[any](x, choose, "more.json", file("three")) })
	refused("deleting", "#rules-status", full, func() { x.pressNamed(label(t, "optionsDeleteRule", "two")) })
	refused("switching off", "#rules-status", full, func() { call[any](x, click, "#bundled [role=switch]") })
	if !call[bool](x, `() => document.querySelector('#bundled [role=switch]').checked`) {
		t.Error("the rule is shown as off, and that is not stored")
	}
	refused("choosing an encoder", "#encoder-status", full, func() { call[any](x, click, "#encoder [type=submit]") })
	refused("editing", "#rule-status", full, func() {
		x.pressNamed(label(t, "optionsEditRule", "two"))
		call[any](x, click, "#rule [type=submit]")
	})
	call[any](x, click, "#cancel")
	refused("undoing", "#rules-status", full, func() { call[any](x, click, "#undo") })
	call[any](x, `() => { chrome.storage.local.set = window.set; }`)
	call[any](x, click, "#undo")
	x.says("#rules-status", label(t, "optionsUndone"))
	has("the change before is undone", "one", "two")

	many := make([]string, 201)
	for i := range many {
		many[i] = fmt.Sprintf("many-%d", i)
	}
	call[any](x, choose, "many.json", file(many...))
	x.says("#rules-status", label(t, "ruleListLong", 201, 200))
	call[any](x, choose, "many.json", file(many[:199]...))
	x.says("#rules-status", label(t, "ruleListLong", 201, 200))
	has("too many", "one", "two")

	call[any](x, `() => { File.prototype.text = () => Promise.reject(new Error('it was moved')); }`)
	call[any](x, choose, "moved.json", file("three"))
	x.says("#rules-status", label(t, "optionsFileNotRead", "moved.json", "it was moved"))
	call[any](x, `() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no leave')); }`)
	call[any](x, click, "#copy")
	x.says("#encoder-status", label(t, "optionsNotCopied", "no leave"))

	// The scripts are loaded once more, when the browser answers nothing.
	call[any](x, `() => {
		chrome.permissions.getAll = () => Promise.reject(new Error('no sites'));
		chrome.storage.local.get = () => Promise.reject(new Error('no settings'));
		return import('/options/options.js?again');
	}`)
	x.says("#sites-status", label(t, "optionsNotRead", "no sites"))
	x.says("#rules-status", label(t, "optionsNotRead", "no settings"))

	popup := open(t, s, s.origin+"/popup/popup.html")
	popup.waitFor(`document.getElementById('about').textContent`)
	call[any](popup, `() => {
		chrome.tabs.query = () => Promise.reject(new Error('no tabs'));
		chrome.runtime.openOptionsPage = () => Promise.reject(new Error('no options'));
		return import('/popup/popup.js?again');
	}`)
	popup.says("#status", label(t, "popupFailed", "no tabs"))
	call[any](popup, click, "#options")
	popup.says("#status", label(t, "popupFailed", "no options"))
}

// Of a site with several subdomains, one that has the search is suggested.
func TestOptionsSuggestions(t *testing.T) {
	x := chromium(t).options(t)
	suggested := call[[]string](x, `() => [...document.querySelectorAll('#known-sites option')].map(({ value }) => value)`)
	for _, want := range []string{"https://www.startpage.com/", "https://en.wikipedia.org/", "https://stackoverflow.com/"} {
		if !slices.Contains(suggested, want) {
			t.Errorf("%s is not among %q", want, suggested)
		}
	}
}

// A site may be typed as an address or as a host, each with or without a port. The browser is asked for the origin
// without the port. It refuses, because no reader has clicked, and the page names the origin that it asked for.
func TestOptionsSite(t *testing.T) {
	x := chromium(t).options(t)
	allow := func(typed, says string) {
		t.Helper()
		call[any](x, `(typed) => {
			document.getElementById('sites-status').textContent = '';
			document.getElementById('origin').value = typed;
			document.getElementById('site').requestSubmit();
		}`, typed)
		x.says("#sites-status", says)
	}
	for typed, origin := range map[string]string{
		"forum.test":                     "https://forum.test/*",
		"forum.test:8443/search":         "https://forum.test/*",
		"intranet":                       "https://intranet/*",
		"localhost:8080":                 "https://localhost/*",
		"localhost:8080/search?q=a:b":    "https://localhost/*",
		"localhost:8080?q=http://b.test": "https://localhost/*",
		"http://localhost:8080/":         "http://localhost/*",
		"HTTPS://forum.test:8443":        "https://forum.test/*",
		"127.0.0.1:8080":                 "https://127.0.0.1/*",
		"[::1]:8080":                     "https://[::1]/*",
	} {
		allow(typed, label(t, "optionsSiteKept", origin, ""))
	}
	for _, bad := range []string{"", "https://", "localhost:80a", "localhost:99999", "file:///etc", "mailto:me@forum.test", "javascript:alert(1)"} {
		allow(bad, label(t, "optionsSiteInvalid"))
	}
}

// An address of a server is checked before it is stored.
func TestOptionsServer(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"encoder": map[string]any{"kind": "builtin"}})
	server := serveModel(t, s.origin)
	x := s.options(t)
	set := func(url, key string) {
		t.Helper()
		call[any](x, `(url, key) => {
			document.querySelector('input[value="server"]').click();
			document.getElementById('url').value = url;
			document.getElementById('key').value = key;
			document.getElementById('encoder').requestSubmit();
		}`, url, key)
	}
	for _, bad := range []string{"", "not an address", "http://example.org/", "ftp://example.org/", "https://me:secret@example.org/", "javascript:alert(1)"} {
		call[any](x, `() => { document.getElementById('encoder-status').textContent = ''; }`)
		set(bad, "")
		x.says("#encoder-status", label(t, "optionsUrlInvalid"))
		if got := stored[map[string]string](t, s, "encoder"); got["kind"] == "server" {
			t.Errorf("%q: stored %v", bad, got)
		}
	}
	set("http://"+server.address+"/", serverKey)
	x.says("#encoder-status", label(t, "optionsSavedServer"))
	if got := stored[map[string]string](t, s, "encoder"); got["url"] != "ws://"+server.address+"/" || got["key"] != serverKey {
		t.Errorf("stored: %v", got)
	}
	call[any](x, `() => document.getElementById('try').click()`)
	x.says("#encoder-status", label(t, "optionsConnected", server.address, server.model.Info().ID))
	x.Expect(`WebSocket connection|net::ERR|Failed to load resource`)
	set("http://"+server.address+"/", "another key")
	call[any](x, `() => document.getElementById('try').click()`)
	x.says("#encoder-status", server.address+" refused")
}
