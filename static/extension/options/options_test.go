// Package options_test tests the options page in Debian's Chromium, with the extension loaded.
package options_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/static/extension"
)

// browser starts Chromium with the extension, and returns the address of its pages.
func browser(t *testing.T) (*harness.Browser, string) {
	t.Helper()
	path, err := harness.Full()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	files, err := extension.Files(harness.Root(), extension.Chrome)
	if err != nil {
		t.Fatal(err)
	}
	if err := extension.WriteFolder(dir, files); err != nil {
		t.Fatal(err)
	}
	b, err := harness.LaunchExtension(context.Background(), path, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, harness.ExtensionOrigin(dir)
}

// open loads a page for the length of the test, which fails if anything unexpected goes wrong in it.
func open(t *testing.T, b *harness.Browser, url string) *harness.Page {
	t.Helper()
	page, err := b.Open(url, 3*time.Minute)
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
	got, err := harness.Call[T](page, function, args...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// until waits for the function to return true.
func until(t *testing.T, page *harness.Page, function string, args ...any) {
	t.Helper()
	for range 200 {
		if call[bool](t, page, function, args...) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("not within ten seconds: %s %v", function, args)
}

// says waits until a status line matches.
func says(t *testing.T, page *harness.Page, id, pattern string) {
	t.Helper()
	words := ""
	for range 240 {
		words = call[string](t, page, `(id) => document.getElementById(id).textContent`, id)
		if regexp.MustCompile(pattern).MatchString(words) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("#%s says %q, want %s", id, words, pattern)
}

const (
	click  = `(selector) => { document.querySelector(selector).click(); }`
	fill   = `(selector, value) => { document.querySelector(selector).value = value; }`
	stored = `async () => (await chrome.storage.local.get())`
	choose = `(name, text) => {
		const files = new DataTransfer();
		files.items.add(new File([text], name, { type: 'application/json' }));
		const input = document.getElementById('file');
		input.files = files.files;
		input.dispatchEvent(new Event('change'));
	}`
)

// serveModel starts an encode server with a small real model, which the extension may use with the key "secret".
func serveModel(t *testing.T, origin string) (address string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	opened, err := model.Open(context.Background(), dir, model.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	running, err := server.New(opened, server.Options{Limits: server.DefaultLimits(), Keys: []string{"secret"}, Origins: []string{origin}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: running}
	go web.Serve(listener)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // it waits for nobody
		running.Close(ended)
		web.Close()
	})
	return listener.Addr().String()
}

type settings struct {
	Rules []struct {
		ID, Name, Result, Source string
		Matches                  []string
		Query                    map[string]string
	}
	Off     []string
	Encoder map[string]string
}

// TestOptions edits rules in each way, and chooses encoders.
func TestOptions(t *testing.T) {
	b, base := browser(t)
	page := open(t, b, base+"/options/options.html")
	until(t, page, `() => document.querySelectorAll('#bundled > li').length > 12`)
	if untranslated := call[[]string](t, page, `() => [...document.querySelectorAll('[data-text]')].filter((e) => e.textContent === e.dataset.text || !e.textContent).map((e) => e.dataset.text)`); len(untranslated) > 0 {
		t.Errorf("no text for %q", untranslated)
	}

	t.Run("a rule by the form", func(t *testing.T) {
		call[any](t, page, click, "#add")
		call[any](t, page, fill, "#rule-name", "My site")
		call[any](t, page, fill, "#rule-result", "li[")
		call[any](t, page, click, "#rule [type=submit]")
		says(t, page, "rule-result-fault", "“My site”, “result”: the browser does not understand li")
		says(t, page, "rule-id-fault", "lower-case")
		says(t, page, "rule-status", `: 5\.$`) // id, matches, query, result, title
		if focused := call[string](t, page, `() => document.activeElement.id`); focused != "rule-id" {
			t.Errorf("the focus is on %q, want the first field with a problem", focused)
		}
		for field, value := range map[string]string{"id": "mine", "matches": "https://my.example/find*\nhttps://other.example/*", "query": "q", "result": "li.hit", "title": "h3"} {
			call[any](t, page, fill, "#rule-"+field, value)
		}
		call[any](t, page, click, "#rule [type=submit]")
		says(t, page, "rules-status", "Saved: My site")
		got := call[settings](t, page, stored)
		if len(got.Rules) != 1 || got.Rules[0].ID != "mine" || len(got.Rules[0].Matches) != 2 || got.Rules[0].Query["parameter"] != "q" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("the same id twice", func(t *testing.T) {
		call[any](t, page, click, "#bundled button")
		call[any](t, page, fill, "#rule-id", "mine")
		call[any](t, page, click, "#rule [type=submit]")
		says(t, page, "rule-id-fault", "another rule has the id “mine”")
	})

	t.Run("JSON, and back", func(t *testing.T) {
		call[any](t, page, click, "[name=as][value=json]")
		until(t, page, `() => JSON.parse(document.querySelector('#json').value).source !== undefined`)
		call[any](t, page, fill, "#json", "{")
		call[any](t, page, click, "[name=as][value=form]")
		says(t, page, "rule-status", "This is not JSON")
		if !call[bool](t, page, `() => document.querySelector('[name=as][value=json]').checked`) {
			t.Error("the form is shown though the JSON is broken")
		}
		call[any](t, page, fill, "#json", `{"id":"json","name":"By JSON","matches":["https://json.example/*"],"query":{"selector":"h1"},"result":"li","title":"a","source":"me","colour":1}`)
		call[any](t, page, click, "#rule [type=submit]")
		says(t, page, "rule-status", "no field “colour”")
		call[any](t, page, fill, "#json", `{"id":"json","name":"By JSON","matches":["https://json.example/*"],"query":{"selector":"h1"},"result":"li","title":"a","source":"me"}`)
		call[any](t, page, click, "[name=as][value=form]")
		call[any](t, page, fill, "#rule-result", "ol > li")
		call[any](t, page, click, "#rule [type=submit]")
		says(t, page, "rules-status", "Saved: By JSON")
		if got := call[settings](t, page, stored); len(got.Rules) != 2 || got.Rules[1].Result != "ol > li" || got.Rules[1].Source != "me" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("delete and undo", func(t *testing.T) {
		call[any](t, page, `() => { document.querySelectorAll('#own > li:first-child button')[1].click(); }`)
		says(t, page, "rules-status", "Deleted: My site")
		if got := call[settings](t, page, stored); len(got.Rules) != 1 || got.Rules[0].ID != "json" {
			t.Errorf("stored %+v", got)
		}
		if focused := call[string](t, page, `() => document.activeElement.id`); focused != "undo" {
			t.Errorf("the focus is on %q", focused)
		}
		call[any](t, page, click, "#undo")
		says(t, page, "rules-status", "as before")
		if got := call[settings](t, page, stored); len(got.Rules) != 2 || got.Rules[0].ID != "mine" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("import: all or nothing", func(t *testing.T) {
		good := `{"id":"mine","name":"Replaced","matches":["https://my.example/*"],"query":{"parameter":"q"},"result":"li","title":"a"}`
		for text, want := range map[string]string{
			`{"version":1,"rules":[` + good + `,{"id":"bad","name":"Bad one"}]}`: "Nothing was imported from x.json:\nRule “Bad one”",
			`<html>`:                       "This is not JSON",
			`{"version":9,"rules":[]}`:     "version 9",
			strings.Repeat(" ", 1_000_001): "too large: at most 1000 kB",
		} {
			call[any](t, page, choose, "x.json", text)
			says(t, page, "rules-status", want)
			if got := call[settings](t, page, stored); len(got.Rules) != 2 || got.Rules[0].Name != "My site" {
				t.Fatalf("%.40s: stored %+v", text, got)
			}
		}
		call[any](t, page, choose, "x.json", `{"version":1,"rules":[`+good+`]}`)
		says(t, page, "rules-status", "Imported 1 rules; 1 of yours")
		if got := call[settings](t, page, stored); len(got.Rules) != 2 || got.Rules[1].Name != "Replaced" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("a bundled rule off", func(t *testing.T) {
		call[any](t, page, click, "#bundled [role=switch]")
		says(t, page, "rules-status", "Off: DuckDuckGo")
		if got := call[settings](t, page, stored); len(got.Off) != 1 || got.Off[0] != "duckduckgo" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("a test on HTML that would run", func(t *testing.T) {
		call[any](t, page, click, "#bundled > li:nth-child(5) button") // Bing
		call[any](t, page, fill, "#tab", "https://www.bing.com/search?q=trains")
		call[any](t, page, fill, "#html", `<ol id="b_results"><li class="b_algo"><h2><a href="/1">One <img src="/x" onerror="document.title='ran'"></a></h2><div class="b_caption"><p>Text</p></div></li><li class="b_algo"><h2><a href="/2">Two</a></h2></li><li class="b_ad"></li></ol><script>document.title='ran'</script>`)
		call[any](t, page, click, "#test-html")
		says(t, page, "test-status", "^2 results: 2 with a title, 1 with a snippet, 2 with a link.\nThe query is “trains”.$")
		call[any](t, page, fill, "#html", `<p>nothing</p>`)
		call[any](t, page, fill, "#tab", "https://elsewhere.example/")
		call[any](t, page, click, "#test-html")
		says(t, page, "test-status", "^0 results.*\nThere is nothing to order.*\nNo query was found.*\nThe rule is not for this address")
		call[any](t, page, click, "#cancel")
		// The browser says of each that it does not run.
		page.Expect("Executing inline event handler violates")
		if title := call[string](t, page, `() => document.title`); title == "ran" {
			t.Error("a script of the pasted page ran")
		}
	})

	t.Run("the encoder", func(t *testing.T) {
		call[any](t, page, click, "[name=kind][value=server]")
		if flag := call[string](t, page, `() => document.querySelector('#flag').textContent`); flag != "vantage serve --origin "+base {
			t.Errorf("the flag is %q", flag)
		}
		for _, address := range []string{"", "encode.example", "http://encode.example/", "https://user:key@encode.example/"} {
			call[any](t, page, fill, "#url", address)
			call[any](t, page, click, "#encoder [type=submit]")
			says(t, page, "encoder-status", "not the address of a server")
			if got := call[settings](t, page, stored); got.Encoder != nil {
				t.Errorf("%s: stored %+v", address, got)
			}
			call[any](t, page, `() => { document.querySelector('#encoder-status').textContent = ''; }`)
		}
		address := serveModel(t, base)
		call[any](t, page, fill, "#url", "http://"+address+"/")
		page.Expect("status of 401|HTTP Authentication failed") // without the key
		call[any](t, page, click, "#try")
		says(t, page, "encoder-status", "^"+address+" refused: ")
		call[any](t, page, fill, "#key", " secret ")
		until(t, page, `() => !document.querySelector('#try').disabled`)
		call[any](t, page, click, "#try")
		says(t, page, "encoder-status", "^Connected to "+address+"\\. It encodes with the model “.+”")
		nobody, err := harness.Listen()
		if err != nil {
			t.Fatal(err)
		}
		nobody.Close()
		page.Expect("WebSocket connection to .* failed|ERR_CONNECTION_REFUSED")
		call[any](t, page, fill, "#url", "http://"+nobody.Addr().String()+"/")
		until(t, page, `() => !document.querySelector('#try').disabled`)
		call[any](t, page, click, "#try")
		says(t, page, "encoder-status", "^"+nobody.Addr().String()+" does not answer")
		call[any](t, page, click, "#encoder [type=submit]")
		says(t, page, "encoder-status", "Saved. The server ranks")
		if got := call[settings](t, page, stored); got.Encoder["url"] != "ws://"+nobody.Addr().String()+"/" || got.Encoder["key"] != "secret" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("all of it is there again", func(t *testing.T) {
		again := open(t, b, base+"/options/options.html")
		until(t, again, `() => document.querySelectorAll('#own > li').length === 2`)
		if !call[bool](t, again, `() => document.querySelector('[value=server]').checked && document.querySelector('#key').value === 'secret' && !document.querySelector('#bundled [role=switch]').checked`) {
			t.Error("the settings are not shown as they were stored")
		}
	})
}

// TestPagesAreAccessible has axe find nothing on the options page, its editor and the popup, in both schemes, on a
// wide window and on a phone's; and no page is wider than its window.
func TestPagesAreAccessible(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(tools.Packages(t, "axe"), "node_modules/axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	b, base := browser(t)
	for name, state := range map[string]struct{ path, script string }{
		"options": {"/options/options.html", `() => { document.querySelector('[value=server]').click(); }`},
		"editor":  {"/options/options.html", `() => { document.querySelector('#add').click(); document.querySelector('#test').open = true; document.querySelector('#rule [type=submit]').click(); }`},
		"popup":   {"/popup/popup.html", `() => {}`},
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 360} {
				page := open(t, b, base+state.path)
				if err := page.Prefer("prefers-color-scheme", scheme); err != nil {
					t.Fatal(err)
				}
				if err := page.Resize(width, 900); err != nil {
					t.Fatal(err)
				}
				until(t, page, `() => document.querySelector('#about, #bundled > li')?.textContent.length > 5`)
				call[any](t, page, state.script)
				if _, err := chromedp.Run(page.Context(), chromedp.Evaluate[any](string(source)+";null")); err != nil {
					t.Fatal(err)
				}
				got := call[struct {
					Width, Passes int64
					Violations    []string
				}](t, page, `async () => {
					const { passes, violations } = await axe.run(document, { resultTypes: ['violations'] });
					return { width: document.documentElement.scrollWidth, passes: passes.length, violations: violations.flatMap(({ id, help, nodes }) => nodes.map((node) => id + ': ' + help + ': ' + node.target)) };
				}`)
				for _, violation := range got.Violations {
					t.Errorf("%s, %s, %d px: %s", name, scheme, width, violation)
				}
				if got.Width > width || got.Passes < 10 {
					t.Errorf("%s, %s: %d px wide in %d, %d rules of axe apply", name, scheme, got.Width, width, got.Passes)
				}
			}
		}
	}
}
