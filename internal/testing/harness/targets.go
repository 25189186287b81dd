package harness

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Targets lists what the browser runs: tabs, and the workers and documents of extensions.
func (b *Browser) Targets() ([]*target.Info, error) { return chromedp.Targets(b.ctx) }

// Processes lists the ids of the browser's processes.
func (b *Browser) Processes() (pids []int, err error) {
	info, err := cdp.Call(b.ctx, chromedp.FromContext(b.ctx).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	for _, process := range info.ProcessInfo {
		pids = append(pids, int(process.ID))
	}
	return pids, nil
}

// Attach joins a target that the browser runs already, such as the service worker of an
// extension. The page collects the target's problems from its start; to close the page
// does not end the target.
func (b *Browser) Attach(id target.ID) (*Page, error) {
	joined, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel())
	p := &Page{ctx: joined, cancel: cancel}
	if err := chromedp.Do(joined); err != nil {
		cancel()
		return nil, err
	}
	if err := chromedp.Listen(joined, p.watch); err != nil {
		cancel()
		return nil, err
	}
	// When a domain is enabled, it tells again what has happened so far.
	again := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, command := range []cdp.Command[cdp.Empty, cdp.Empty]{log.Disable, log.Enable, runtime.Disable, runtime.Enable} {
			if _, err := cdp.Call(ctx, t, command, cdp.Empty{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := chromedp.Do(joined, again); err != nil {
		cancel()
		return nil, err
	}
	return p, nil
}

// Discover calls found for each target with an address that the browser runs, now and later,
// once, in a goroutine of its own.
func (b *Browser) Discover(found func(*target.Info)) error {
	var mu sync.Mutex
	known := map[target.ID]bool{}
	see := func(info *target.Info) {
		mu.Lock()
		defer mu.Unlock()
		if info.URL != "" && !known[info.TargetID] {
			known[info.TargetID] = true
			go found(info)
		}
	}
	if err := chromedp.ListenBrowser(b.ctx, func(event any) {
		switch e := event.(type) {
		case *target.EventTargetCreated:
			see(e.TargetInfo)
		case *target.EventTargetInfoChanged:
			see(e.TargetInfo)
		}
	}); err != nil {
		return err
	}
	if _, err := cdp.Call(b.ctx, chromedp.FromContext(b.ctx).Browser, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true}); err != nil {
		return err
	}
	infos, err := b.Targets() // the browser may not report targets again that it has reported before
	for _, info := range infos {
		see(info)
	}
	return err
}

// CloseTarget ends a target.
func (b *Browser) CloseTarget(id target.ID) error {
	_, err := cdp.Call(b.ctx, chromedp.FromContext(b.ctx).Browser, target.CloseTarget, target.CloseTargetParams{TargetID: id})
	return err
}
