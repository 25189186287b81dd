// Command screenshots takes the pictures of the search page and of the lab for the
// documentation: on a desktop and on a phone, in light and in dark. It needs a site of
// the bundled corpus with its judgements, such as the one that `make demo` leaves in
// build/demo.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
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

// shot is a page in a state, and the script that waits for it.
type shot struct {
	name, path string
	screens    []screen
	ready      string
}

type screen struct {
	name          string
	width, height int64
}

// query is what the pages answer in the pictures.
const query = "reasons against: Night trains deserve public subsidy"

var shots = []shot{
	{"search", "/?q=" + url.QueryEscape(query), []screen{{"desktop", 1280, 860}, {"phone", 390, 844}}, `async () => {
		const said = document.getElementById('summary');
		while (!document.querySelector('.result') || said.textContent.includes('by words')) {
			if (!document.getElementById('fault').hidden) throw new Error(document.getElementById('fault').textContent);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		document.activeElement.blur();
		await new Promise((resolve) => setTimeout(resolve, 1000)); // until the results have moved
		return true;
	}`},
	{"lab", "/lab.html#q=" + url.QueryEscape(query), []screen{{"desktop", 1280, 1460}, {"phone", 390, 844}}, `async () => {
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
	}`},
}

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
	for _, shot := range shots {
		for _, screen := range shot.screens {
			for _, scheme := range []string{"light", "dark"} {
				picture, err := one(browser, server.URL(shot.path), screen, scheme, shot.ready)
				if err != nil {
					return err
				}
				file := filepath.Join(out, shot.name+"-"+screen.name+"-"+scheme+".png")
				if err := os.WriteFile(file, picture, 0o644); err != nil {
					return err
				}
				fmt.Println(file)
			}
		}
	}
	return nil
}

func one(browser *harness.Browser, address string, on screen, scheme, ready string) ([]byte, error) {
	page, err := browser.NewPage(time.Minute)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	if err := errors.Join(page.Resize(on.width, on.height), page.Prefer("prefers-color-scheme", scheme), page.Navigate(address)); err != nil {
		return nil, err
	}
	_, err = harness.Call[bool](page, ready)
	if err != nil {
		return nil, err
	}
	picture, err := page.Picture()
	if err != nil {
		return nil, err
	}
	return compact(picture)
}
