package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is one tab. It collects problems: exceptions, errors on the console,
// violations of the security policy, failed requests.
type Page struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	problems []string
	expected []*regexp.Regexp
	requests []string
}

// Open loads a page and waits for its load event. timeout bounds the whole life
// of the page.
func (b *Browser) Open(url string, timeout time.Duration) (*Page, error) {
	p, err := b.NewPage(timeout)
	if err != nil {
		return nil, err
	}
	if err := p.Navigate(url); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// NewPage opens an empty tab.
func (b *Browser) NewPage(timeout time.Duration) (*Page, error) {
	tab, cancelTab := chromedp.NewContext(b.ctx)
	if err := chromedp.Do(tab); err != nil {
		cancelTab()
		return nil, fmt.Errorf("new tab: %w", err)
	}
	ctx, cancelTimeout := context.WithTimeout(tab, timeout)
	p := &Page{ctx: ctx, cancel: func() { cancelTimeout(); cancelTab() }}
	enableLog := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		return err
	})
	if err := chromedp.Listen(tab, p.watch); err != nil {
		p.Close()
		return nil, err
	}
	if err := chromedp.Do(tab, enableLog); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Page) watch(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.note((&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		var parts []string
		for _, arg := range e.Args {
			parts = append(parts, strings.TrimSpace(string(arg.Value)+" "+arg.Description))
		}
		p.note("console: " + strings.Join(parts, " "))
	case *network.EventRequestWillBeSent:
		p.mu.Lock()
		p.requests = append(p.requests, e.Request.URL)
		p.mu.Unlock()
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.note(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

func (p *Page) note(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, problem)
}

// Expect marks problems that match a regular expression as part of the test.
func (p *Page) Expect(pattern string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, regexp.MustCompile(pattern))
}

// All returns all problems, including expected ones.
func (p *Page) All() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Problems returns the problems that were not expected.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, problem := range p.problems {
		wanted := false
		for _, pattern := range p.expected {
			wanted = wanted || pattern.MatchString(problem)
		}
		if !wanted {
			out = append(out, problem)
		}
	}
	return out
}

// Requests lists the addresses that the page, or the target that Attach has joined, has asked for.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Navigate loads another page in the tab.
func (p *Page) Navigate(url string) error {
	if err := chromedp.Do(p.ctx, chromedp.Navigate(url)); err != nil {
		return fmt.Errorf("open %s: %w", url, err)
	}
	return nil
}

// Do runs chromedp actions in the tab.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) error { return chromedp.Do(p.ctx, steps...) }

// Context returns the tab's context, for chromedp.Run.
func (p *Page) Context() context.Context { return p.ctx }

// Call evaluates the JavaScript function in the page with arguments that can
// be JSON, waits for its promise, and decodes its result, which can be JSON.
func Call[T any](p *Page, function string, args ...any) (T, error) {
	var zero T
	encoded := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return zero, err
		}
		encoded[i] = string(text)
	}
	// JSON.stringify, because the protocol has its own forms of -0, NaN and
	// undefined.
	expression := fmt.Sprintf("Promise.resolve((%s)(%s)).then((value) => JSON.stringify(value ?? null))", function, strings.Join(encoded, ", "))
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		return zero, err
	}
	err = json.Unmarshal([]byte(text), &zero)
	return zero, err
}

// Close closes the tab.
func (p *Page) Close() { p.cancel() }
