package harness

import (
	"context"

	"github.com/chromedp/cdproto/browser"
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

// Print shows the page as it looks on paper.
func (p *Page) Print() error {
	return p.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
}

// Resize gives the page a size in pixels.
func (p *Page) Resize(width, height int64) error {
	return p.Do(chromedp.EmulateViewport(width, height))
}

// Picture returns the visible part of the page as PNG.
func (p *Page) Picture() ([]byte, error) { return chromedp.Run(p.ctx, chromedp.CaptureScreenshot()) }

// AllowClipboard lets pages of an origin read the clipboard and write to it, as a visitor may.
func (p *Page) AllowClipboard(origin string) error {
	return p.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, name := range []string{"clipboard-read", "clipboard-write"} {
			allow := browser.SetPermissionParams{Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted, Origin: origin}
			if _, err := cdp.Call(ctx, t, browser.SetPermission, allow); err != nil {
				return err
			}
		}
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
}

// WithoutServiceWorkers hides service workers from documents that are loaded from now on,
// as over plain http.
func (p *Page) WithoutServiceWorkers() error {
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete Navigator.prototype.serviceWorker"}
	return p.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, script)
		return err
	}))
}
