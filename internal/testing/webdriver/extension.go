package webdriver

import (
	"fmt"
	"net"
)

// ExtensionBrowser is a Firefox with an extension. It drives the extension's pages too.
type ExtensionBrowser struct{ *firefox }

// FirefoxExtension starts a Firefox in which every host name leads to the proxy at the
// address, which understands CONNECT, and installs the extension of a folder. Certificates
// are not checked. uuid becomes the host of the extension's pages, whose id is given.
func FirefoxExtension(path, proxy, folder, id, uuid string) (*ExtensionBrowser, error) {
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
	f, err := launchFirefox(path, preferences+more, "--remote-allow-system-access")
	if err != nil {
		return nil, err
	}
	b := &ExtensionBrowser{f}
	if _, err := command[any](f, "webExtension.install", map[string]any{"extensionData": map[string]any{"type": "path", "path": folder}}); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}
