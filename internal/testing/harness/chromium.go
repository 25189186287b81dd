// Package harness drives a real headless Chromium for tests and benchmarks.
package harness

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/chromedp/chromedp"
)

// Browser is a running Chromium with its own profile.
type Browser struct {
	ctx    context.Context
	cancel context.CancelFunc
	dir    string
}

// Root is the repository's root folder.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Path finds a Chromium with scripts/chromium.sh, which installs one if
// necessary.
func Path() (string, error) { return script() }

// Full is like Path, for a Chromium that can load extensions.
func Full() (string, error) { return script("full") }

func script(args ...string) (string, error) {
	cmd := exec.Command("sh", append([]string{filepath.Join(Root(), "scripts", "chromium.sh")}, args...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("no Chromium (%w):\n%s", err, problems.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// LocalName is a host name of this machine that browsers do not trust, unlike
// localhost: pages under it are insecure contexts over plain http.
const LocalName = "vantage.test"

// Launch starts a Chromium. Further flags may be given as "name" or
// "name=value".
func Launch(ctx context.Context, flags ...string) (*Browser, error) {
	path, err := Path()
	if err != nil {
		return nil, err
	}
	return launch(ctx, path, append([]string{"disable-extensions"}, flags...))
}

// LaunchExtension starts the Chromium of path, which Full returns, with the extension that
// is unpacked in the folder.
func LaunchExtension(ctx context.Context, path, folder string, flags ...string) (*Browser, error) {
	return launch(ctx, path, append([]string{
		"load-extension=" + folder, "disable-extensions-except=" + folder,
		// The suggestions below the address bar are pages that are loaded ahead for each window, and the window's own controls
		// move when they change. Together they take a fifth of the tests' processor time.
		"disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", "animation-duration-scale=0",
	}, flags...))
}

// ExtensionOrigin is the origin of the pages of an unpacked extension without a key, whose id
// Chromium makes of the folder's path.
func ExtensionOrigin(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	id := make([]byte, 0, 32)
	for _, b := range sum[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return "chrome-extension://" + string(id)
}

func launch(ctx context.Context, path string, flags []string) (*Browser, error) {
	dir, err := os.MkdirTemp("", "vantage-chromium-")
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(dir),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("host-resolver-rules", "MAP "+LocalName+" 127.0.0.1"),
		chromedp.Flag("hide-scrollbars", true),
	}
	for _, name := range []string{
		"disable-gpu", "disable-quic", "disable-sync", "disable-dev-shm-usage", "disable-breakpad",
		"disable-background-networking", "disable-component-update", "disable-default-apps", "disable-client-side-phishing-detection",
		"disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding",
		"metrics-recording-only", "mute-audio", "no-default-browser-check", "no-first-run", "no-pings",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // otherwise Chromium refuses to start as root
	}
	for _, flag := range flags {
		name, value, valued := strings.Cut(flag, "=")
		if valued {
			options = append(options, chromedp.Flag(name, value))
		} else {
			options = append(options, chromedp.Flag(name, true))
		}
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(ctx, options...)
	browser, cancelBrowser := chromedp.NewContext(allocator)
	b := &Browser{ctx: browser, dir: dir, cancel: func() { cancelBrowser(); cancelAllocator() }}
	if err := chromedp.Do(browser); err != nil { // starts it
		return nil, errors.Join(fmt.Errorf("start %s: %w", path, err), b.Close())
	}
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	b.cancel()
	return os.RemoveAll(b.dir)
}
