package main

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

//go:embed watch.js
var watch string

// pageTimeout bounds a page's life: 120 queries take a second each.
const pageTimeout = 15 * time.Minute

// served is a site behind a slow line.
type served struct {
	site
	line   *line
	origin string
	close  func()
}

func serve(s site) (*served, error) {
	l := &line{rate: lineBits / 8, roundTrip: lineRoundTrip}
	server, err := harness.Serve(&host{dir: s.dir, asked: l.asked})
	if err != nil {
		return nil, err
	}
	listener, err := l.listen(strings.TrimPrefix(server.URL(""), "http://"))
	if err != nil {
		server.Close()
		return nil, err
	}
	return &served{s, l, "http://" + listener.Addr().String(), func() { listener.Close(); server.Close() }}, nil
}

// seen is what watch.js has noted; times are milliseconds from the navigation.
type seen struct {
	Origin    float64 // when it began, in milliseconds since 1970
	First     *float64
	TakesKeys *float64
	Key       float64
	Followed  float64
	Changed   float64
	List      []string
}

// open begins a navigation in a new browser with an empty cache.
func (s *served) open(query string) (*harness.Browser, *harness.Page, error) {
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return nil, nil, err
	}
	tab, err := browser.NewPage(pageTimeout)
	if err != nil {
		browser.Close()
		return nil, nil, err
	}
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: strings.TrimSpace(watch) + "(" + s.adapter + ");"}
	err = tab.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, script)
		return err
	}))
	if err == nil {
		err = tab.Navigate(s.origin + s.address(query))
	}
	if err != nil {
		browser.Close()
		return nil, nil, err
	}
	return browser, tab, nil
}

// wait polls a condition in the page.
func wait(tab *harness.Page, condition string) error {
	_, err := harness.Call[bool](tab, `async () => {
		for (let i = 0; i < 2400; i++) {
			if (`+condition+`) return true;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error('two minutes have not been enough');
	}`)
	return err
}

// look returns what has been noted once nothing has changed for 400 ms, but not before
// `least` has passed. It waits up to three seconds for a first change if `least` is not 0.
func look(tab *harness.Page, least time.Duration) (seen, error) {
	return harness.Call[seen](tab, `async (least) => {
		const { seen } = window.benchsite;
		const begun = performance.now();
		const waits = (now) => now < begun + least || now < seen.touched + 400 || (seen.touched < begun && least && now < begun + 3000);
		while (waits(performance.now())) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		return { origin: performance.timeOrigin, ...seen };
	}`, least.Milliseconds())
}

// start is what a first visitor waits for.
type start struct {
	First     float64 `json:"first_ms"`
	TakesKeys float64 `json:"takes_keys_ms"`
	Bytes     int     `json:"bytes"`
	Requests  int     `json:"requests"`
	Asked     []asked `json:"asked"` // these requests, in their order
}

// asked is when the server heard a request, from the navigation.
type asked struct {
	At   float64 `json:"at_ms"`
	Path string  `json:"path"`
}

// cold opens the page of a query in a browser that has never seen the site.
func (s *served) cold(query string) (start, error) {
	browser, tab, err := s.open(query)
	if err != nil {
		return start{}, err
	}
	defer browser.Close()
	defer tab.Close()
	if err := wait(tab, `window.benchsite.seen.first !== null && window.benchsite.seen.takesKeys !== null`); err != nil {
		return start{}, fmt.Errorf("%s shows nothing for %q: %w", s.name, query, err)
	}
	found, err := look(tab, 0)
	if err != nil {
		return start{}, err
	}
	if problems := tab.Problems(); len(problems) > 0 {
		return start{}, fmt.Errorf("the page of %s: %s", s.name, strings.Join(problems, "; "))
	}
	out := start{First: *found.First, TakesKeys: *found.TakesKeys}
	since := func(ms float64) time.Time { return time.UnixMicro(int64(math.Round((found.Origin + ms) * 1000))) }
	bytes, requests := s.line.until(since(out.First))
	out.Bytes, out.Requests = bytes, len(requests)
	for _, r := range requests {
		out.Asked = append(out.Asked, asked{float64(r.at.Sub(since(0)).Microseconds()) / 1000, r.path})
	}
	return out, nil
}

// warm opens the page without the line, until it answers as well as it can.
func (s *served) warm() (*harness.Browser, *harness.Page, error) {
	s.line.setOpen(true)
	browser, tab, err := s.open("handbook")
	if err != nil {
		return nil, nil, err
	}
	if err := wait(tab, s.ready); err != nil {
		browser.Close()
		return nil, nil, fmt.Errorf("%s is not ready: %w", s.name, err)
	}
	if _, err := look(tab, time.Second); err != nil {
		browser.Close()
		return nil, nil, err
	}
	return browser, tab, nil
}

// answerTime is longer than a page waits for more keys and then searches.
const answerTime = 500 * time.Millisecond

// judge types each query into the page at once and judges what it shows.
func (s *served) judge(tab *harness.Page, queries []query, isPage func(string) bool) (quality, error) {
	var out quality
	for _, q := range queries {
		if err := enter(tab, q.Text); err != nil {
			return out, err
		}
		found, err := look(tab, answerTime)
		if err != nil {
			return out, err
		}
		for _, page := range found.List {
			if !isPage(page) {
				return out, fmt.Errorf("%s shows %q for %q, which is no page", s.name, page, q.Text)
			}
		}
		out.judge(q, found.List)
	}
	return out, nil
}

// enter replaces the text of the input.
func enter(tab *harness.Page, text string) error {
	_, err := harness.Call[any](tab, `(text) => {
		const input = window.benchsite.input();
		input.focus();
		input.value = text;
		input.dispatchEvent(new Event('input', { bubbles: true }));
	}`, text)
	return err
}

// keys is how fast the page follows keys.
type keys struct {
	First    float64 `json:"first_median_ms"` // until other results are shown
	Median   float64 `json:"last_median_ms"`  // until the results stay
	Longest  float64 `json:"last_longest_ms"`
	Keys     int     `json:"keys"`     // after which other results were shown
	Requests int     `json:"requests"` // while the keys were typed
}

// typing types the texts letter by letter, twice. The second time, with the line as slow
// as for a first visitor and everything in the cache, it times the first so many keys
// after which the results are others: from the key to the first and to the last change on
// screen.
func (s *served) typing(tab *harness.Page, texts []string, wanted int) (keys, error) {
	var firsts, times []float64
	var before []request
	for _, timed := range []bool{false, true} {
		s.line.setOpen(!timed)
		_, before = s.line.until(time.Now())
		pressed := 0
		for _, text := range texts {
			if err := enter(tab, ""); err != nil {
				return keys{}, err
			}
			if _, err := look(tab, answerTime); err != nil {
				return keys{}, err
			}
			for _, key := range text {
				if err := tab.Do(chromedp.KeyEvent(string(key))); err != nil {
					return keys{}, err
				}
				found, err := look(tab, answerTime)
				if err != nil {
					return keys{}, err
				}
				if found.Changed > found.Key {
					if timed {
						firsts = append(firsts, found.Followed-found.Key)
						times = append(times, found.Changed-found.Key)
					}
					pressed++
				}
				if pressed == wanted {
					break
				}
			}
			if pressed == wanted {
				break
			}
		}
	}
	s.line.setOpen(false)
	if len(times) < wanted {
		return keys{}, fmt.Errorf("only %d of %d keys changed what %s shows: type more texts", len(times), wanted, s.name)
	}
	_, after := s.line.until(time.Now())
	longest := 0.0
	for _, t := range times {
		longest = max(longest, t)
	}
	return keys{median(firsts), median(times), longest, len(times), len(after) - len(before)}, nil
}
