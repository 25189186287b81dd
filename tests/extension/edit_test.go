package extension

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// matches waits until an element of the page says what the pattern describes.
func (x tab) matches(selector, pattern string) {
	x.t.Helper()
	words := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		words = call[string](x, `(selector) => document.querySelector(selector).textContent`, selector)
		if regexp.MustCompile(pattern).MatchString(words) {
			return
		}
	}
	x.t.Fatalf("%s says %q, want %s", selector, words, pattern)
}

const (
	click  = `(selector) => { document.querySelector(selector).click(); }`
	fill   = `(selector, value) => { document.querySelector(selector).value = value; }`
	choose = `(name, text) => {
		const files = new DataTransfer();
		files.items.add(new File([text], name, { type: 'application/json' }));
		const input = document.getElementById('file');
		input.files = files.files;
		input.dispatchEvent(new Event('change'));
	}`
)

type settings struct {
	Rules []struct {
		ID, Name, Result, Source string
		Matches                  []string
		Query                    map[string]string
	}
	Off     []string
	Encoder map[string]string
}

const borderOf = `(selector) => getComputedStyle(document.querySelector(selector)).borderTopColor`

// Rules are edited in each way, and encoders chosen.
func TestOptionsEdit(t *testing.T) {
	s := chromium(t)
	clear := func() {
		t.Helper()
		if _, err := harness.Call[any](s.worker(t), `() => chrome.storage.local.clear()`); err != nil {
			t.Fatal(err)
		}
	}
	clear()
	defer clear()
	base := s.origin
	x := s.options(t)
	x.waitFor(`document.querySelectorAll('#bundled > li').length > 12`)
	if untranslated := call[[]string](x, `() => [...document.querySelectorAll('[data-text]')].filter((e) => e.textContent === e.dataset.text || !e.textContent).map((e) => e.dataset.text)`); len(untranslated) > 0 {
		t.Errorf("no text for %q", untranslated)
	}

	t.Run("a rule by the form", func(t *testing.T) {
		call[any](x, click, "#add")
		call[any](x, fill, "#rule-name", "My site")
		call[any](x, fill, "#rule-result", "li[")
		call[any](x, click, "#rule [type=submit]")
		x.matches("#rule-result-fault", "^“Result” is li\\[, which the browser does not understand")
		x.matches("#rule-matches-fault", "^“Pages” is missing")
		if border, fine := call[string](x, borderOf, "#rule-id"), call[string](x, borderOf, "#rule-name"); border == fine {
			t.Errorf("fields with and without a problem have the border %s", border)
		}
		x.matches("#rule-id-fault", "lower-case")
		x.matches("#rule-status", `: 5\.$`) // id, matches, query, result, title
		if focused := call[string](x, `() => document.activeElement.id`); focused != "rule-id" {
			t.Errorf("the focus is on %q, want the first field with a problem", focused)
		}
		for field, value := range map[string]string{"id": "mine", "matches": "https://my.example/find*\nhttps://other.example/*", "query": "q", "result": "li.hit", "title": "h3"} {
			call[any](x, fill, "#rule-"+field, value)
		}
		call[any](x, click, "#rule [type=submit]")
		x.matches("#rules-status", "Saved: My site")
		got := call[settings](x, `() => chrome.storage.local.get()`)
		if len(got.Rules) != 1 || got.Rules[0].ID != "mine" || len(got.Rules[0].Matches) != 2 || got.Rules[0].Query["parameter"] != "q" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("the same id twice", func(t *testing.T) {
		call[any](x, click, "#bundled button")
		call[any](x, fill, "#rule-id", "mine")
		call[any](x, click, "#rule [type=submit]")
		x.matches("#rule-id-fault", "^“Id” is “mine”, as in another rule")
	})

	t.Run("JSON, and back", func(t *testing.T) {
		call[any](x, click, "[name=as][value=json]")
		x.waitFor(`JSON.parse(document.querySelector('#json').value).source !== undefined`)
		call[any](x, fill, "#json", "{")
		call[any](x, click, "[name=as][value=form]")
		x.matches("#rule-status", "This is not JSON")
		if !call[bool](x, `() => document.querySelector('[name=as][value=json]').checked`) {
			t.Error("the form is shown though the JSON is broken")
		}
		call[any](x, fill, "#json", `{"id":"json","name":"By JSON","matches":["https://json.example/*"],"query":{"selector":"h1"},"result":"li","title":"a","source":"me","colour":1}`)
		call[any](x, click, "#rule [type=submit]")
		x.matches("#rule-status", "^“colour” is not a field")
		call[any](x, fill, "#json", `{"id":"json","name":"By JSON","matches":["https://json.example/*"],"query":{"selector":"h1"},"result":"li","title":"a","source":"me"}`)
		call[any](x, click, "[name=as][value=form]")
		call[any](x, fill, "#rule-result", "ol > li")
		call[any](x, click, "#rule [type=submit]")
		x.matches("#rules-status", "Saved: By JSON")
		if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Rules) != 2 || got.Rules[1].Result != "ol > li" || got.Rules[1].Source != "me" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("another rule after JSON", func(t *testing.T) {
		edit := `(name) => { [...document.querySelectorAll('#own button')].find((b) => b.ariaLabel === name).click(); }`
		call[any](x, edit, label(t, "optionsEditRule", "My site"))
		call[any](x, click, "[name=as][value=json]")
		call[any](x, fill, "#json", "{")
		call[any](x, click, "#cancel")
		call[any](x, edit, label(t, "optionsEditRule", "By JSON"))
		if got := call[string](x, `() => document.querySelector('[name=as]:checked').value + ': ' + document.querySelector('#rule-name').value + document.querySelector('#rule-status').textContent`); got != "form: By JSON" {
			t.Errorf("the editor shows %q", got)
		}
		call[any](x, click, "[name=as][value=json]")
		call[any](x, click, "#cancel")
		call[any](x, edit, label(t, "optionsEditRule", "My site"))
		if got := call[string](x, `() => document.querySelector('#rule-name').value`); got != "My site" {
			t.Errorf("the editor shows %q, not the rule that is edited", got)
		}
		call[any](x, click, "#cancel")
	})

	t.Run("delete and undo", func(t *testing.T) {
		call[any](x, `() => { document.querySelectorAll('#own > li:first-child button')[1].click(); }`)
		x.matches("#rules-status", "Deleted: My site")
		if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Rules) != 1 || got.Rules[0].ID != "json" {
			t.Errorf("stored %+v", got)
		}
		if focused := call[string](x, `() => document.activeElement.id`); focused != "undo" {
			t.Errorf("the focus is on %q", focused)
		}
		call[any](x, click, "#undo")
		x.matches("#rules-status", "as before")
		if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Rules) != 2 || got.Rules[0].ID != "mine" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("import: all or nothing", func(t *testing.T) {
		good := `{"id":"mine","name":"Replaced","matches":["https://my.example/*"],"query":{"parameter":"q"},"result":"li","title":"a"}`
		for text, want := range map[string]string{
			`{"version":1,"rules":[` + good + `,{"id":"bad","name":"Bad one"}]}`: "Nothing was imported from x.json:\nRule “Bad one”",
			`<html>`:                       "This is not JSON",
			`{"version":9,"rules":[]}`:     "version 9",
			strings.Repeat(" ", 8_000_001): "too large: at most 8000 kB",
		} {
			call[any](x, choose, "x.json", text)
			x.matches("#rules-status", want)
			if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Rules) != 2 || got.Rules[0].Name != "My site" {
				t.Fatalf("%.40s: stored %+v", text, got)
			}
		}
		call[any](x, choose, "x.json", `{"version":1,"rules":[`+good+`]}`)
		x.matches("#rules-status", "Imported 1 rules; 1 of yours")
		if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Rules) != 2 || got.Rules[1].Name != "Replaced" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("a bundled rule off", func(t *testing.T) {
		call[any](x, click, "#bundled [role=switch]")
		x.matches("#rules-status", "Off: DuckDuckGo")
		if got := call[settings](x, `() => chrome.storage.local.get()`); len(got.Off) != 1 || got.Off[0] != "duckduckgo" {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("a test on HTML that would run", func(t *testing.T) {
		call[any](x, click, "#bundled > li:nth-child(5) button") // Bing
		call[any](x, fill, "#tab", "https://www.bing.com/search?q=trains")
		call[any](x, fill, "#html", `<ol id="b_results"><li class="b_algo"><h2><a href="/1">One <img src="/x" onerror="document.title='ran'"></a></h2><div class="b_caption"><p>Text</p></div></li><li class="b_algo"><h2><a href="/2">Two</a></h2></li><li class="b_ad"></li></ol><script>document.title='ran'</script>`)
		call[any](x, click, "#test-html")
		x.matches("#test-status", "^2 results: 2 with a title, 1 with a snippet, 2 with a link.\nThe query is “trains”.$")
		call[any](x, fill, "#html", `<p>nothing</p>`)
		call[any](x, fill, "#tab", "https://elsewhere.example/")
		call[any](x, click, "#test-html")
		x.matches("#test-status", "^0 results.*\nThere is nothing to order.*\nNo query was found.*\nThe rule is not for this address")
		call[any](x, click, "#cancel")
		// The browser says of each inline handler that it does not run.
		x.Expect("Executing inline event handler violates")
		if title := call[string](x, `() => document.title`); title == "ran" {
			t.Error("a script of the pasted page ran")
		}
	})

	t.Run("the encoder", func(t *testing.T) {
		call[any](x, click, "[name=kind][value=server]")
		if flag := call[string](x, `() => document.querySelector('#flag').textContent`); flag != "vantage serve --model MODEL --origin "+base {
			t.Errorf("the flag is %q", flag)
		}
		for _, address := range []string{"", "encode.example", "http://encode.example/", "https://user:key@encode.example/"} {
			call[any](x, fill, "#url", address)
			call[any](x, click, "#encoder [type=submit]")
			x.matches("#encoder-status", "not the address of a server")
			if got := call[settings](x, `() => chrome.storage.local.get()`); got.Encoder != nil {
				t.Errorf("%s: stored %+v", address, got)
			}
			call[any](x, `() => { document.querySelector('#encoder-status').textContent = ''; }`)
		}
		address := serveModel(t, base).address
		call[any](x, fill, "#url", "http://"+address+"/")
		x.Expect("status of 401|HTTP Authentication failed") // without the key
		call[any](x, click, "#try")
		x.matches("#encoder-status", "^"+address+" refused: ")
		call[any](x, fill, "#key", " "+serverKey+" ")
		x.waitFor(`!document.querySelector('#try').disabled`)
		call[any](x, click, "#try")
		x.matches("#encoder-status", "^Connected to "+address+"\\. It encodes with the model “.+”")
		nobody, err := harness.Listen()
		if err != nil {
			t.Fatal(err)
		}
		nobody.Close()
		x.Expect("WebSocket connection to .* failed|ERR_CONNECTION_REFUSED")
		call[any](x, fill, "#url", "http://"+nobody.Addr().String()+"/")
		x.waitFor(`!document.querySelector('#try').disabled`)
		call[any](x, click, "#try")
		x.matches("#encoder-status", "^"+nobody.Addr().String()+" does not answer")
		call[any](x, click, "#encoder [type=submit]")
		x.matches("#encoder-status", "Saved. The server ranks")
		if got := call[settings](x, `() => chrome.storage.local.get()`); got.Encoder["url"] != "ws://"+nobody.Addr().String()+"/" || got.Encoder["key"] != serverKey {
			t.Errorf("stored %+v", got)
		}
	})

	t.Run("all of it is there again", func(t *testing.T) {
		again := s.options(t)
		again.waitFor(`document.querySelectorAll('#own > li').length === 2`)
		if !call[bool](again, `(key) => document.querySelector('[value=server]').checked && document.querySelector('#key').value === key && !document.querySelector('#bundled [role=switch]').checked`, serverKey) {
			t.Error("the settings are not shown as they were stored")
		}
	})
}
