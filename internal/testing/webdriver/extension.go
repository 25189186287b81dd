package webdriver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
)

// ExtensionBrowser is a Firefox with an extension. It drives the extension's pages too.
type ExtensionBrowser struct {
	*firefox
	aside string // the id of its second tab, if it is open
}

// FirefoxExtension starts a Firefox in which every host name leads to the proxy at the
// address, which understands CONNECT, and installs the extension of a folder. Certificates
// are not checked. id is the extension's, and uuid becomes the host of its pages. Further
// preferences are lines of user.js.
func FirefoxExtension(path, proxy, folder, id, uuid string, further ...string) (*ExtensionBrowser, error) {
	host, port, err := net.SplitHostPort(proxy)
	if err != nil {
		return nil, err
	}
	more := fmt.Sprintf(`user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", %[1]q);
user_pref("network.proxy.http_port", %[2]s);
user_pref("network.proxy.ssl", %[1]q);
user_pref("network.proxy.ssl_port", %[2]s);
user_pref("extensions.webextensions.uuids", %[3]q);
`, host, port, fmt.Sprintf(`{"%s":"%s"}`, id, uuid))
	f, err := launchFirefox(path, preferences+more+strings.Join(further, "\n"), "--remote-allow-system-access")
	if err != nil {
		return nil, err
	}
	b := &ExtensionBrowser{firefox: f}
	if _, err := command[any](f, "session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}); err != nil {
		b.Close()
		return nil, err
	}
	if _, err := command[any](f, "webExtension.install", map[string]any{"extensionData": map[string]any{"type": "path", "path": folder}}); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Aside switches to a second tab, in which pages are loaded and functions called until back
// is called. The first call opens the tab.
func (b *ExtensionBrowser) Aside() (back func(), err error) {
	if b.aside == "" {
		created, err := command[struct{ Context string }](b.firefox, "browsingContext.create", map[string]any{"type": "tab", "background": true})
		if err != nil {
			return nil, err
		}
		b.aside = created.Context
	}
	first := b.context
	b.context = b.aside
	return func() { b.context = first }, nil
}

// Errors lists the errors and exceptions that pages and the extension have logged.
func (b *ExtensionBrowser) Errors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.errors)
}

// CallShadow runs the JavaScript function with the shadow root of an element, which may be
// closed, as its argument, before others that can be JSON. It waits for its promise and decodes
// its result, which can be JSON. element is an expression.
func CallShadow[T any](b *ExtensionBrowser, element, function string, args ...any) (T, error) {
	var zero T
	target := map[string]any{"context": b.context}
	host, err := command[struct {
		Type   string
		Result struct {
			Value struct{ ShadowRoot *struct{ SharedID string } }
		}
		ExceptionDetails struct{ Text string }
	}](b.firefox, "script.evaluate", map[string]any{
		"expression": element, "target": target, "awaitPromise": false,
		"serializationOptions": map[string]any{"includeShadowTree": "all", "maxDomDepth": 1},
	})
	if err != nil {
		return zero, err
	}
	if host.Result.Value.ShadowRoot == nil {
		return zero, fmt.Errorf("%s has no shadow root: %s", element, host.ExceptionDetails.Text)
	}
	arguments := []any{map[string]any{"sharedId": host.Result.Value.ShadowRoot.SharedID}}
	for _, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return zero, err
		}
		arguments = append(arguments, map[string]any{"type": "string", "value": string(text)})
	}
	answer, err := command[struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}](b.firefox, "script.callFunction", map[string]any{
		"functionDeclaration": "async (root, ...args) => JSON.stringify((await (" + function + ")(root, ...args.map(JSON.parse))) ?? null)",
		"target":              target, "awaitPromise": true, "arguments": arguments, "userActivation": true,
	})
	if err != nil {
		return zero, err
	}
	if answer.Type != "success" {
		return zero, errors.New(answer.ExceptionDetails.Text)
	}
	err = json.Unmarshal([]byte(answer.Result.Value), &zero)
	return zero, err
}
