// Command icons draws the icons of the page, for devices that do not support SVG, and of
// the browser extension, from static/demo/icon.svg.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// A maskable icon may be cut to any shape that contains the inner four fifths.
var icons = []struct {
	name       string
	size       int64
	scale      float64
	background string
}{
	{"demo/icon-192.png", 192, 1, "none"},
	{"demo/icon-512.png", 512, 1, "none"},
	{"demo/icon-maskable-512.png", 512, 0.9, "#134e4a"},
	{"extension/icons/16.png", 16, 1, "none"},
	{"extension/icons/32.png", 32, 1, "none"},
	{"extension/icons/48.png", 48, 1, "none"},
	{"extension/icons/128.png", 128, 1, "none"},
}

func main() {
	if err := draw(filepath.Join(harness.Root(), "static")); err != nil {
		fmt.Fprintln(os.Stderr, "icons:", err)
		os.Exit(1)
	}
}

func draw(dir string) error {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(filepath.Join(dir, "demo"))))
	mux.HandleFunc("/{$}", harness.Blank)
	server, err := harness.Serve(mux)
	if err != nil {
		return err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return err
	}
	defer browser.Close()
	for _, icon := range icons {
		page, err := browser.Open(server.URL("/"), time.Minute)
		if err != nil {
			return err
		}
		defer page.Close()
		transparent := emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: 0.001}} // 0 would be omitted, and mean opaque
		err = page.Do(chromedp.EmulateViewport(icon.size, icon.size), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetDefaultBackgroundColorOverride, transparent)
			return err
		}))
		if err != nil {
			return err
		}
		if _, err := harness.Call[any](page, `async (size, scale, background) => {
			document.documentElement.style.background = background;
			document.body.style.cssText = 'margin: 0; display: grid; place-content: center; height: 100vh; overflow: hidden';
			const image = new Image();
			image.width = image.height = size * scale;
			image.src = '/icon.svg';
			document.body.append(image);
			await image.decode();
		}`, icon.size, icon.scale, icon.background); err != nil {
			return err
		}
		picture, err := page.Picture()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(icon.name)), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}
