// Package extension tests the browser extension in a real Chromium and a real Firefox, on
// pages of our own (see package pages) under the host names of the sites that it is for.
package extension

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/static/extension"
)

// started is the one browser of all tests: to start it and to compile the engine takes
// longer than most tests.
var started struct {
	sync.Once
	*session
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if started.session != nil {
		started.close()
	}
	os.Exit(code)
}

// session is a Chromium with the extension, and a server for every host.
type session struct {
	browser *harness.Browser
	web     *web
	dir     string // the unpacked extension
	origin  string // chrome-extension://…

	mu       sync.Mutex
	joined   map[target.ID]*harness.Page // the extension's own workers and documents
	failed   []string                    // what went wrong with joining them, until it is reported
	expected []string                    // patterns of the running test, for the parts that start meanwhile
}

// chromium returns the session of all tests. The test fails if anything goes wrong in the
// extension meanwhile.
func chromium(t *testing.T) *session {
	t.Helper()
	path, err := harness.Full()
	if err != nil {
		t.Skipf("%v", err)
	}
	react := tools.Packages(t, "react")
	started.Do(func() { started.session, started.err = launch(path, react) })
	if started.err != nil {
		t.Fatal(started.err)
	}
	t.Cleanup(func() { started.report(t) })
	return started.session
}

func launch(path, react string) (*session, error) {
	s := &session{joined: map[target.ID]*harness.Page{}}
	var err error
	if s.dir, err = os.MkdirTemp("", "vantage-extension-"); err != nil {
		return nil, err
	}
	if err := unpack(s.dir, extension.Chrome); err != nil {
		return nil, err
	}
	if s.web, err = serveWeb(pages.Handler(react)); err != nil {
		return nil, err
	}
	if s.browser, err = harness.LaunchExtension(context.Background(), path, s.dir, s.web.flags()...); err != nil {
		return nil, err
	}
	if err := s.browser.Discover(s.join); err != nil {
		return nil, err
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if worker := s.part("service_worker"); worker != nil {
			ready, err := harness.Call[bool](worker, `async () => (await chrome.scripting.getRegisteredContentScripts()).length > 0`)
			if err == nil && ready {
				break
			}
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("the extension does not register its content script within a minute: %v", s.problems())
		}
	}
	return s, nil
}

// join joins a worker or document of the extension.
func (s *session) join(info *target.Info) {
	address, err := url.Parse(info.URL)
	if err != nil || address.Scheme != "chrome-extension" || info.Type != "service_worker" && info.Type != "background_page" {
		return
	}
	page, err := s.browser.Attach(info.TargetID)
	if err != nil && !s.runs(info.TargetID) {
		return // it has ended meanwhile
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failed = append(s.failed, fmt.Sprintf("%s %s: %v", info.Type, info.URL, err))
		return
	}
	s.origin = "chrome-extension://" + address.Host
	s.joined[info.TargetID] = page
	for _, pattern := range s.expected {
		page.Expect(pattern)
	}
}

// runs reports whether the browser has a target, or does not say.
func (s *session) runs(id target.ID) bool {
	infos, err := s.browser.Targets()
	return err != nil || slices.ContainsFunc(infos, func(info *target.Info) bool { return info.TargetID == id })
}

// part returns a running part of the extension by its type: service_worker, or
// background_page for the offscreen document. It is nil if there is none.
func (s *session) part(kind string) *harness.Page {
	infos, err := s.browser.Targets()
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, info := range infos {
		if page := s.joined[info.TargetID]; page != nil && info.Type == kind {
			return page
		}
	}
	return nil
}

// problems lists what went wrong in the extension's parts so far.
func (s *session) problems() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all = slices.Clone(s.failed)
	for _, page := range s.joined {
		all = append(all, page.Problems()...)
	}
	return all
}

// expect marks problems of the extension that match as part of the test, also those of parts
// that start before the test ends.
func (s *session) expect(pattern string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = append(s.expected, pattern)
	for _, page := range s.joined {
		page.Expect(pattern)
	}
}

// report fails the test for problems of the extension that no test has reported.
func (s *session) report(t *testing.T) {
	for _, problem := range s.unreported() {
		t.Errorf("in the extension: %s", problem)
	}
}

// unreported returns the problems that it has not returned before, and ends what the test expects.
func (s *session) unreported() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, s.failed, s.expected = s.failed, nil, nil
	for _, page := range s.joined {
		for _, problem := range page.Problems() {
			all = append(all, problem)
			page.Expect("^" + regexp.QuoteMeta(problem) + "$")
		}
	}
	return all
}

func (s *session) close() {
	s.browser.Close()
	s.web.close()
	os.RemoveAll(s.dir)
}

// built are the files of the extension, made once.
var built = map[extension.Browser]func() (map[string][]byte, error){}

func init() {
	for _, browser := range extension.Browsers {
		built[browser] = sync.OnceValues(func() (map[string][]byte, error) { return extension.Files(harness.Root(), browser) })
	}
}

// unpack writes the extension of a browser into a folder, with the permissions that tests need.
func unpack(dir string, browser extension.Browser) error {
	files, err := built[browser]()
	if err != nil {
		return err
	}
	files = maps.Clone(files)
	if files["manifest.json"], err = allow(files["manifest.json"]); err != nil {
		return err
	}
	return extension.WriteFolder(dir, files)
}
