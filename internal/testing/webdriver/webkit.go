package webdriver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// webkit speaks the protocol of https://w3c.github.io/webdriver/.
type webkit struct {
	*process
	dir     string
	driver  string // address of WebKitWebDriver
	session string // address of the browser behind it
	version string
}

// WebKit starts WebKitGTK's browser with its WebKitWebDriver, on a virtual
// screen.
func WebKit(path string) (Browser, error) {
	dir, err := os.MkdirTemp("", "vantage-webkit-")
	if err != nil {
		return nil, err
	}
	w := &webkit{dir: dir}
	if err := w.launch(path); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *webkit) launch(path string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // finds a free port
	if err != nil {
		return err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	w.driver = fmt.Sprintf("http://127.0.0.1:%d", port)
	if w.process, err = start(w.dir, "xvfb-run", "--auto-servernum", path, "--host=127.0.0.1", "--port="+strconv.Itoa(port)); err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err = request[any](http.MethodGet, w.driver+"/status", nil); err == nil {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not start (%w); its output:\n%s", path, err, w.lines.all())
		}
	}
	session, err := request[struct {
		SessionID    string
		Capabilities struct{ BrowserName, BrowserVersion string }
	}](http.MethodPost, w.driver+"/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"timeouts": map[string]any{"script": patience.Milliseconds(), "pageLoad": patience.Milliseconds()},
	}}})
	if err != nil {
		return err
	}
	w.session = w.driver + "/session/" + session.SessionID
	w.version = session.Capabilities.BrowserName + " " + session.Capabilities.BrowserVersion
	return nil
}

// request sends one command and decodes its value.
func request[T any](method, url string, body any) (T, error) {
	var answer struct {
		Value T `json:"value"`
	}
	content, err := json.Marshal(body)
	if err != nil {
		return answer.Value, err
	}
	r, err := http.NewRequest(method, url, bytes.NewReader(content))
	if err != nil {
		return answer.Value, err
	}
	response, err := (&http.Client{Timeout: patience}).Do(r)
	if err != nil {
		return answer.Value, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var fault struct {
			Value struct{ Error, Message string }
		}
		err := json.NewDecoder(response.Body).Decode(&fault)
		return answer.Value, errors.Join(fmt.Errorf("%s %s: %s: %s", method, url, fault.Value.Error, fault.Value.Message), err)
	}
	return answer.Value, json.NewDecoder(response.Body).Decode(&answer)
}

func (w *webkit) Version() string { return w.version }

func (w *webkit) Navigate(url string) error {
	_, err := request[any](http.MethodPost, w.session+"/url", map[string]string{"url": url})
	return err
}

func (w *webkit) call(expression string) (string, error) {
	// The last argument is the callback for the result.
	script := "const done = arguments[0]; (" + expression + ").then((value) => done({ value }), (error) => done({ error: String(error) }));"
	result, err := request[struct{ Value, Error string }](http.MethodPost, w.session+"/execute/async", map[string]any{"script": script, "args": []any{}})
	if err == nil && result.Error != "" {
		err = errors.New(result.Error)
	}
	return result.Value, err
}

func (w *webkit) Close() error {
	var err error
	if w.session != "" {
		_, err = request[any](http.MethodDelete, w.session, nil)
	}
	if w.process != nil {
		w.stop()
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}
