package webdriver

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// firefox speaks the protocol of https://w3c.github.io/webdriver-bidi/.
type firefox struct {
	*process
	dir     string
	socket  *websocket.Conn
	version string
	context string        // the id of its page
	ended   chan struct{} // closed when the socket is

	mu     sync.Mutex
	id     int         // of the last command
	answer chan answer // to that command; it has room for one
	errors []string    // that pages and extensions have logged, once watched
}

// answer is the result of a command, or an event.
type answer struct {
	Type    string          `json:"type"`
	ID      *int            `json:"id"` // of the command; null if Firefox could not read it
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Params  struct {
		Level, Text string
		StackTrace  struct{ CallFrames []struct{ URL string } }
	} `json:"params"`
}

// preferences prevent requests to other hosts.
const preferences = `user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
`

// Firefox starts a Firefox without a window.
func Firefox(path string) (Browser, error) { return launchFirefox(path, preferences) }

// launchFirefox starts a Firefox with preferences, as the text of user.js, and arguments
// beside the usual ones.
func launchFirefox(path, preferences string, arguments ...string) (*firefox, error) {
	dir, err := os.MkdirTemp("", "vantage-firefox-")
	if err != nil {
		return nil, err
	}
	f := &firefox{dir: dir, ended: make(chan struct{})}
	if err := f.launch(path, preferences, arguments); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *firefox) launch(path, preferences string, arguments []string) (err error) {
	if err := os.WriteFile(filepath.Join(f.dir, "user.js"), []byte(preferences), 0o600); err != nil {
		return err
	}
	arguments = append([]string{"--headless", "--no-remote", "--profile", f.dir, "--remote-debugging-port", "0"}, arguments...)
	if f.process, err = start(f.dir, path, append(arguments, "about:blank")...); err != nil {
		return err
	}
	address, err := f.lines.wait("WebDriver BiDi listening on ")
	if err != nil {
		return err
	}
	if f.socket, _, err = websocket.DefaultDialer.Dial(address+"/session", nil); err != nil {
		return err
	}
	go f.listen()
	session, err := command[struct {
		Capabilities struct{ BrowserName, BrowserVersion string }
	}](f, "session.new", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"acceptInsecureCerts": true}}})
	if err != nil {
		return err
	}
	f.version = session.Capabilities.BrowserName + " " + session.Capabilities.BrowserVersion
	tree, err := command[struct{ Contexts []struct{ Context string } }](f, "browsingContext.getTree", map[string]any{})
	if err != nil {
		return err
	}
	f.context = tree.Contexts[0].Context
	return nil
}

// listen forwards the answer to the last command, and keeps errors, until the socket is closed. It waits for
// nobody, and drops late answers to commands that have timed out.
func (f *firefox) listen() {
	defer close(f.ended)
	for {
		var a answer
		if err := f.socket.ReadJSON(&a); err != nil {
			return
		}
		f.mu.Lock()
		switch {
		case a.Type == "event" && a.Params.Level == "error":
			f.errors = append(f.errors, fmt.Sprintf("%s %v", a.Params.Text, a.Params.StackTrace.CallFrames))
		case a.Type != "event" && (a.ID == nil || *a.ID == f.id):
			select {
			case f.answer <- a:
			default: // a second answer
			}
		}
		f.mu.Unlock()
	}
}

// command sends one command and waits for its result.
func command[T any](f *firefox, method string, params any) (T, error) {
	var result T
	answered := make(chan answer, 1)
	f.mu.Lock()
	f.id++
	id := f.id
	f.answer = answered
	f.mu.Unlock()
	if err := f.socket.WriteJSON(map[string]any{"id": id, "method": method, "params": params}); err != nil {
		return result, err
	}
	select {
	case a := <-answered:
		if a.Type == "error" {
			return result, fmt.Errorf("%s: %s: %s", method, a.Error, a.Message)
		}
		return result, json.Unmarshal(a.Result, &result)
	case <-f.ended:
		return result, fmt.Errorf("%s: Firefox has ended", method)
	case <-time.After(patience):
		return result, fmt.Errorf("%s: no answer for %v", method, patience)
	}
}

func (f *firefox) Version() string { return f.version }

func (f *firefox) Navigate(url string) error {
	_, err := command[any](f, "browsingContext.navigate", map[string]any{"context": f.context, "url": url, "wait": "complete"})
	return err
}

func (f *firefox) call(expression string) (string, error) {
	result, err := command[struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}](f, "script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": f.context}, "awaitPromise": true})
	if err == nil && result.Type != "success" {
		err = errors.New(result.ExceptionDetails.Text)
	}
	return result.Result.Value, err
}

func (f *firefox) Close() error {
	if f.socket != nil {
		f.socket.Close()
	}
	if f.process != nil {
		f.stop()
	}
	return os.RemoveAll(f.dir)
}
