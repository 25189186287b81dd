package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// site is a published search, and how its page is read. Another page of ours needs
// another adapter here, and nothing else.
type site struct {
	name    string
	dir     string
	own     []string                  // files and folders of dir that the search needs
	address func(query string) string // of the page that answers a query
	adapter string                    // of watch.js
	ready   string                    // is true once the page answers as well as it can
}

// vantageSite is the same pages with what vantage index --site publishes below /search/: the search page, whose results
// by words come before the engine.
func vantageSite(work, pages string) (site, error) {
	s := site{
		name:    "Vantage",
		dir:     filepath.Join(work, "vantage"),
		own:     []string{"search"},
		address: func(query string) string { return "/search/?q=" + url.QueryEscape(query) },
		adapter: `{
			hits: () => document.querySelectorAll('#results .result'),
			page: (hit) => new URL(hit.querySelector('.stop').href).pathname.replace(/.*[/]/, '') || 'index.html',
			input: () => document.getElementById('query'),
		}`,
		ready: `window.vantage && document.getElementById('progress')?.hidden`,
	}
	if err := copyPages(s.dir, pages, s.own...); err != nil {
		return s, err
	}
	return s, run("", filepath.Join(work, "bin", "vantage"), "index", pages, "-o", filepath.Join(s.dir, "search"), "--site", "--name", "Manuals", "--base-url", "/")
}

//go:embed testdata/pagefind.html
var pagefindPage []byte

// pagefindSite is the same pages with Pagefind's index, and a page with its default
// interface. The handbook does not name its language, without which Pagefind would not
// know the stems of words.
func pagefindSite(work, pages, packages string) (site, error) {
	s := site{
		name:    "Pagefind",
		dir:     filepath.Join(work, "pagefind"),
		own:     []string{"pagefind", "search.html"},
		address: func(query string) string { return "/search.html?q=" + url.QueryEscape(query) },
		adapter: `{
			hits: () => document.querySelectorAll('.pagefind-ui__result-link'),
			page: (hit) => new URL(hit.href).pathname.replace(/.*[/]/, '') || 'index.html',
			input: () => document.querySelector('.pagefind-ui__search-input'),
		}`,
		ready: `document.querySelector('.pagefind-ui__search-input')`,
	}
	if err := os.RemoveAll(s.dir); err != nil { // it would index its own search page, too
		return s, err
	}
	if err := os.CopyFS(s.dir, os.DirFS(pages)); err != nil {
		return s, err
	}
	program := filepath.Join(packages, "node_modules", "pagefind", "lib", "runner", "bin.cjs")
	if err := run("", "node", program, "--site", s.dir, "--force-language", "en"); err != nil {
		return s, err
	}
	return s, os.WriteFile(filepath.Join(s.dir, "search.html"), pagefindPage, 0o600)
}

// copyPages puts the pages into a folder, in place of those of an earlier run, which may have been others or not all.
// The folder's own files and folders stay.
func copyPages(dir, pages string, own ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if slices.Contains(own, entry.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return os.CopyFS(dir, os.DirFS(pages))
}

// size counts what a site publishes for its search.
func (s site) size() (files int, bytes int64, err error) {
	for _, name := range s.own {
		err := filepath.WalkDir(filepath.Join(s.dir, name), func(_ string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err == nil {
				files++
				bytes += info.Size()
			}
			return err
		})
		if err != nil {
			return 0, 0, err
		}
	}
	return files, bytes, nil
}

// rankings are those of the command over our collection, by their names.
var rankings = []struct {
	name string
	args []string
}{
	{"vantage search --method none", []string{"--method", "none"}},
	{"vantage search (auto)", nil},
	{"vantage search --method bm25", []string{"--method", "bm25"}},
	{"vantage search --method none --hybrid", []string{"--method", "none", "--hybrid"}},
}

// ranked judges a ranking of the command.
func ranked(work, dir string, queries []query, args []string) (quality, error) {
	var lines strings.Builder
	for _, q := range queries {
		line, err := json.Marshal(map[string]string{"_id": q.ID, "text": q.Text})
		if err != nil {
			return quality{}, err
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	asked, answered := filepath.Join(work, "queries.jsonl"), filepath.Join(work, "run.trec")
	if err := os.WriteFile(asked, []byte(lines.String()), 0o600); err != nil {
		return quality{}, err
	}
	args = append([]string{"search", dir, "--queries", asked, "--run", answered, "-k", "50"}, args...)
	if err := run("", filepath.Join(work, "bin", "vantage"), args...); err != nil {
		return quality{}, err
	}
	content, err := os.ReadFile(answered)
	if err != nil {
		return quality{}, err
	}
	hits, err := parseRun(string(content))
	if err != nil {
		return quality{}, err
	}
	var out quality
	for _, q := range queries {
		out.judge(q, hits[q.ID])
	}
	return out, nil
}

// parseRun reads a run in TREC's format: the pages of each query's passages in their
// order. A passage's id is its page, and # with its anchor.
func parseRun(content string) (map[string][]string, error) {
	out := map[string][]string{}
	for line := range strings.Lines(content) {
		fields := strings.Fields(line)
		if len(fields) != 6 {
			return nil, fmt.Errorf("a line of a run has six fields, not as in %q", line)
		}
		page, _, _ := strings.Cut(fields[2], "#")
		out[fields[0]] = append(out[fields[0]], page)
	}
	return out, nil
}

// run executes a program, whose output goes to standard error, in a folder.
func run(dir, program string, args ...string) error {
	command := exec.Command(program, args...)
	command.Dir, command.Stdout, command.Stderr = dir, os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	return nil
}

// buildCommand puts the command into the work folder.
func buildCommand(work string) error {
	return run(harness.Root(), "go", "build", "-o", filepath.Join(work, "bin")+string(filepath.Separator), "./cmd/vantage")
}
