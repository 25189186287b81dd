package harness

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Prefer sets a media feature of the visitor's preferences, such as
// prefers-color-scheme.
func (p *Page) Prefer(feature, value string) error {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}}
	return p.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	}))
}

// Resize gives the page a size in pixels.
func (p *Page) Resize(width, height int64) error {
	return p.Do(chromedp.EmulateViewport(width, height))
}

// Picture returns the visible part of the page as PNG.
func (p *Page) Picture() ([]byte, error) { return chromedp.Run(p.ctx, chromedp.CaptureScreenshot()) }

// WithoutServiceWorkers makes the documents that are loaded from now on see none, as over
// plain http.
func (p *Page) WithoutServiceWorkers() error {
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete Navigator.prototype.serviceWorker"}
	return p.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, script)
		return err
	}))
}
