package extension

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// In a private window the extension ranks, if the reader lets it run there, and stores nothing: what is typed there must
// not be found in other windows, or on the disk.
func TestPrivateWindow(t *testing.T) {
	path, err := harness.Full()
	if err != nil {
		t.Skipf("%v", err)
	}
	s, err := launch(path, tools.Packages(t, "react")) // of its own, because the extension is loaded anew
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	settings := open(t, s, "chrome://extensions/")
	settings.waitFor(`chrome.developerPrivate`)
	call[any](settings, `async (id) => {
		await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
		await chrome.developerPrivate.updateExtensionConfiguration({ extensionId: id, incognitoAccess: true });
	}`, strings.TrimPrefix(s.origin, "chrome-extension://"))
	page, err := s.browser.NewPage(pageTimeout)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	options := tab{page, t, &harness.Node{}}
	wait.Until(t, "the extension is loaded anew", func() bool { return page.Navigate(s.origin+"/options/options.html") == nil })
	wait.Until(t, "the content script is registered", func() bool {
		return call[int](options, `async () => (await chrome.scripting.getRegisteredContentScripts()).length`) > 0
	})

	address := pages.DuckDuckGo.URL(pages.Uniforms, "", "count", "6")
	call[any](options, `async (url) => { await chrome.windows.create({ url, incognito: true }); }`, address)
	var info *target.Info
	wait.Until(t, "the private window", func() bool {
		infos, err := s.browser.Targets()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range infos {
			if one.Type == "page" && one.URL == address {
				info = one
			}
		}
		return info != nil
	})
	private, err := s.browser.Attach(info.TargetID)
	if err != nil {
		t.Fatal(err)
	}
	x := tab{private, t, &harness.Node{}}
	x.enter("barOwn", "words of a private window")
	x.waitStatus(label(t, "barRankedSides"))
	x.press("barFold")
	x.control("button", label(t, "barUnfold"))

	// What another window stores comes later.
	open(t, s, address).enter("barPlace", "Germany")
	var all map[string]any
	wait.Until(t, "another window's words are stored", func() bool {
		all = call[map[string]any](options, `() => chrome.storage.local.get()`)
		return all["bar.place"] == "Germany"
	})
	if all["bar.own"] != nil || all["bar.folded"] != nil {
		t.Errorf("stored: %v", all)
	}
}
