//go:build otherbrowsers

package extension

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/testing/webdriver"
	"github.com/vantage-search/vantage/static/extension"
)

// The id of Firefox's extension, and the host of its pages in the tests' profile.
const (
	geckoID = "extension@vantage-search.example"
	uuid    = "5d0e4f4c-7f0a-4c5e-9d55-0c3a4c5b6d7e"

	optionsPage = "moz-extension://" + uuid + "/options/options.html"
)

// The extension orders, undoes, keeps what the options say, and falls back from a server that
// is down, in Firefox too.
func TestFirefox(t *testing.T) {
	f := launchFox(t)

	results := pages.Results(pages.Uniforms, 1, 12)
	for _, shape := range []string{"", "strict", "react"} {
		f.open(pages.DuckDuckGo.URL(pages.Uniforms, shape))
		f.wait("the bar", func() bool { return f.says(label(t, "barReady", 12)) })
		foxCall[any](f, `() => { globalThis.kept = Array.from(document.querySelectorAll('`+list+`')); }`)
		f.press("barSupporting")
		f.titles(supporting(t, results))
		f.press("barOpposing")
		f.titles(opposing(t, results))
		f.press("barUndo")
		f.titles(titles(results))
		if !foxCall[bool](f, `() => Array.from(document.querySelectorAll('`+list+`')).every((result, i) => result === kept[i])`) {
			t.Errorf("%q: the results are other elements", shape)
		}
	}

	// A server that is down: the built-in encoder ranks, and the bar says so.
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	f.open(optionsPage)
	foxCall[any](f, `(url) => browser.storage.local.set({ encoder: { kind: 'server', url, key: '' } })`, "ws://"+address+"/")
	f.open(optionsPage)
	f.wait("the options show the server", func() bool {
		return strings.Contains(foxCall[string](f, `() => Array.from(document.querySelectorAll('input[type="url"]'), ({ value }) => value).join(' ')`), address)
	})
	f.open(pages.DuckDuckGo.URL(pages.Uniforms, ""))
	f.enter("barPlace", "Germany")
	f.wait("the built-in encoder ranks", func() bool {
		return f.says(label(t, "engineServerDown")) && f.says(label(t, "barRankedSides"))
	})
}

// Firefox unloads the event page, and the engine in it, when nothing has happened for a while,
// though a page with the bar is open. What is in the page stays, and the next question starts
// the engine again; settings and the registration of the content script are kept elsewhere.
// While a question is answered the event page stays, however long that takes.
func TestFirefoxUnloads(t *testing.T) {
	const idle = 3 * time.Second // thirty, in a reader's Firefox
	f := launchFox(t, fmt.Sprintf(`user_pref("extensions.background.idle.timeout", %d);`, idle.Milliseconds()))
	address := pages.DuckDuckGo.URL(pages.Uniforms, "")
	results := pages.Results(pages.Uniforms, 1, 12)
	// aside does something in one of the extension's own pages, which sees the event page.
	aside := func(do func()) {
		t.Helper()
		back, err := f.browser.Aside()
		if err != nil {
			t.Fatal(err)
		}
		defer back()
		do()
	}
	aside(func() { f.open(optionsPage) })
	marked := func() bool { return foxCall[bool](f, `() => browser.extension.getBackgroundPage()?.marked === true`) }
	mark := func() {
		t.Helper()
		aside(func() {
			foxCall[any](f, `async () => { (await browser.runtime.getBackgroundPage()).marked = true; }`)
		})
	}
	unloaded := func() {
		t.Helper()
		aside(func() {
			f.wait("the event page is unloaded", func() bool { return foxCall[bool](f, `() => browser.extension.getBackgroundPage() === null`) })
		})
	}

	f.open(address)
	f.press("barSupporting")
	f.titles(supporting(t, results))
	mark()
	unloaded()
	f.titles(supporting(t, results))
	f.press("barOpposing")
	f.titles(opposing(t, results))
	aside(func() {
		if marked() {
			t.Error("the event page is the one that was unloaded")
		}
	})
	unloaded()
	f.press("barUndo")
	f.titles(titles(results))
	f.enter("barPlace", "Germany")
	f.wait("the transformer ranks", func() bool { return f.says(label(t, "barRankedSides")) })

	// Another page of the site has the bar, with the words of before.
	unloaded()
	f.open(address)
	f.press("barPlace")
	if words := foxShadow[string](f, `(root) => root.querySelector('input[type="text"]').value`); words != "Germany" {
		t.Errorf("the field has %q", words)
	}
	f.press("barSupporting")
	f.titles(supporting(t, results))

	// A server that takes connections and says nothing, so that a question lasts longer than
	// Firefox would wait.
	silent, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	aside(func() {
		foxCall[any](f, `(url) => browser.storage.local.set({ encoder: { kind: 'server', url, key: '' } })`, "ws://"+silent.Addr().String()+"/")
	})
	unloaded()
	f.enter("barPlace", "Germany")
	asked := time.Now()
	mark()
	aside(func() {
		f.wait("the event page is unloaded after the answer", func() bool { return !marked() })
	})
	if lived := time.Since(asked); lived < idle+time.Second {
		t.Errorf("the event page was unloaded %v after the question", lived)
	}
	f.wait("the built-in encoder ranks", func() bool {
		return f.says(label(t, "engineServerDown")) && f.says(label(t, "barRankedSides"))
	})
}

// launchFox starts a Firefox with the extension, for the length of the test. Its profile has
// these preferences beside the usual ones.
func launchFox(t *testing.T, preferences ...string) fox {
	t.Helper()
	path := os.Getenv("VANTAGE_FIREFOX")
	if path == "" {
		t.Fatal("VANTAGE_FIREFOX does not name a browser: `make test-full` installs one")
	}
	dir := t.TempDir()
	if err := unpack(dir, extension.Firefox); err != nil {
		t.Fatal(err)
	}
	w, err := serveWeb(pages.Handler(tools.Packages(t, "react")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	proxy, err := harness.Serve(w.proxy())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { proxy.Close() })
	browser, err := webdriver.FirefoxExtension(path, proxy.Address(), dir, geckoID, uuid, preferences...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, fault := range browser.Errors() {
			t.Errorf("logged: %s", fault)
		}
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Log(browser.Version())
	return fox{t, browser}
}

// fox is a Firefox with a page of results.
type fox struct {
	t       *testing.T
	browser *webdriver.ExtensionBrowser
}

func (f fox) open(url string) {
	f.t.Helper()
	if err := f.browser.Navigate(url); err != nil {
		f.t.Fatal(err)
	}
}

func foxCall[T any](f fox, function string, args ...any) T {
	f.t.Helper()
	value, err := webdriver.Call[T](f.browser, function, args...)
	if err != nil {
		f.t.Fatalf("%v\n%s", err, function)
	}
	return value
}

// foxShadow calls a function with the bar's shadow root.
func foxShadow[T any](f fox, function string, args ...any) T {
	f.t.Helper()
	f.wait("the bar", func() bool { return foxCall[bool](f, `() => `+host+` !== undefined`) })
	value, err := webdriver.CallShadow[T](f.browser, host, function, args...)
	if err != nil {
		f.t.Fatalf("%v\n%s", err, function)
	}
	return value
}

func (f fox) wait(what string, condition func() bool) {
	f.t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("%s: not within a minute; logged: %q", what, f.browser.Errors())
		}
	}
}

// says tells whether the bar says a text.
func (f fox) says(text string) bool {
	f.t.Helper()
	return strings.Contains(foxShadow[string](f, `(root) => root.querySelector('[role="status"]').textContent`), text)
}

// press presses a button of the bar, by the key of its name.
func (f fox) press(key string) {
	f.t.Helper()
	f.wait("the button "+key, func() bool {
		return foxShadow[bool](f, `(root, name) => {
			const button = Array.from(root.querySelectorAll('button')).find((one) => [name, name + '…'].includes(one.ariaLabel ?? one.textContent) && !one.disabled);
			button?.click();
			return button !== undefined;
		}`, label(f.t, key))
	})
}

// enter types words into the field of a chip.
func (f fox) enter(key, words string) {
	f.t.Helper()
	f.press(key)
	foxShadow[any](f, `(root, words) => { const input = root.querySelector('input[type="text"]'); input.value = words; input.form.requestSubmit(); }`, words)
}

// titles waits until the results stand in an order.
func (f fox) titles(want []string) {
	f.t.Helper()
	var got []string
	for end := time.Now().Add(time.Minute); !slices.Equal(got, want); time.Sleep(50 * time.Millisecond) {
		if got = foxCall[[]string](f, titlesOf, list); time.Now().After(end) {
			f.t.Fatalf("the results are\n%s\nwant\n%s\nlogged: %q", strings.Join(got, "\n"), strings.Join(want, "\n"), f.browser.Errors())
		}
	}
}

// web-ext, which looks through extensions as Firefox's add-on site does, finds nothing to say.
func TestFirefoxLint(t *testing.T) {
	dir := t.TempDir()
	files, err := built[extension.Firefox]()
	if err != nil {
		t.Fatal(err)
	}
	if err := extension.WriteFolder(dir, files); err != nil {
		t.Fatal(err)
	}
	lint := exec.Command(filepath.Join(tools.Packages(t, "web-ext"), "node_modules", ".bin", "web-ext"), "lint", "--source-dir", dir, "--output", "json", "--no-config-discovery")
	lint.Env = append(os.Environ(), "PATH="+filepath.Dir(tools.Node(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := lint.Output()
	var found struct {
		Errors, Notices, Warnings []struct{ Code, Message, File string }
		Metadata                  struct{ ManifestVersion int }
	}
	if json.Unmarshal(out, &found) != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if found.Metadata.ManifestVersion != 3 {
		t.Errorf("it looked at something else: %s", out)
	}
	for _, one := range slices.Concat(found.Errors, found.Warnings, found.Notices) {
		t.Errorf("%s: %s: %s", one.File, one.Code, one.Message)
	}
}

// proxy leads every connection to the web.
func (w *web) proxy() http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			w.plainRequests.ServeHTTP(out, r)
			return
		}
		there, err := net.Dial("tcp", w.secure.Address())
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		out.WriteHeader(http.StatusOK)
		here, buffered, err := http.NewResponseController(out).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		go func() {
			io.Copy(there, buffered)
			there.Close()
		}()
		io.Copy(here, there)
	})
}
