// Command screenshots takes the pictures of the lab for the documentation: on
// a desktop and on a phone, in light and in dark. It needs a site of the
// bundled corpus with its judgements, such as the one that `make demo` leaves
// in build/demo.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

func main() {
	site := flag.String("site", "build/demo", "folder of the site")
	out := flag.String("o", "docs", "folder for the pictures")
	flag.Parse()
	if err := shoot(*site, *out); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

var screens = []struct {
	name          string
	width, height int64
}{{"desktop", 1280, 1460}, {"phone", 390, 844}}

func shoot(site, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	server, err := harness.Serve(http.FileServer(http.Dir(site)))
	if err != nil {
		return err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return err
	}
	defer browser.Close()
	for _, screen := range screens {
		for _, scheme := range []string{"light", "dark"} {
			picture, err := one(browser, server.Lab(), screen.width, screen.height, scheme)
			if err != nil {
				return err
			}
			file := filepath.Join(out, "page-"+screen.name+"-"+scheme+".png")
			if err := os.WriteFile(file, picture, 0o644); err != nil {
				return err
			}
			fmt.Println(file)
		}
	}
	return nil
}

func one(browser *harness.Browser, url string, width, height int64, scheme string) ([]byte, error) {
	page, err := browser.NewPage(time.Minute)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	if err := errors.Join(page.Resize(width, height), page.Prefer("prefers-color-scheme", scheme), page.Navigate(url)); err != nil {
		return nil, err
	}
	_, err = harness.Call[bool](page, `async () => {
		while (!document.getElementById('loading').hidden || !document.querySelector('#chosen .hit')) {
			if (!document.getElementById('fault').hidden) throw new Error(document.getElementById('fault').textContent);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		while (document.getElementById('gold').hidden) await new Promise((resolve) => setTimeout(resolve, 50));
		document.getElementById('gold-run').click();
		while (document.getElementById('gold-table').hidden) await new Promise((resolve) => setTimeout(resolve, 50));
		document.activeElement.blur();
		await new Promise((resolve) => setTimeout(resolve, 500)); // until the bars have moved
		return true;
	}`)
	if err != nil {
		return nil, err
	}
	picture, err := page.Picture()
	if err != nil {
		return nil, err
	}
	return compact(picture)
}
