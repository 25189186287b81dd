// Command benchsite publishes the same pages with Vantage and with Pagefind, and compares
// the two sites as their visitors see them: bytes and time until the first result over a
// slow line, time after each key, and how often the right page comes first.
//
//	go run ./tests/benchsite PAGES PACKAGES
//
// PAGES is a folder of HTML pages (scripts/manuals.sh), PACKAGES one in which npm has
// installed Pagefind (scripts/npm.sh pagefind).
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// The line of a phone with poor reception.
const (
	lineBits      = 1.6e6 // a second
	lineRoundTrip = 150 * time.Millisecond
)

// coldQuery is what a first visitor asks for, and typed are the texts that are typed key by
// key. Each finds pages with either engine.
const coldQuery = "backup"

var typed = []string{"printer", "kernel module", "encrypt a disk", "share files", "mail server"}

func main() {
	asJSON := flag.Bool("json", false, "print JSON instead of a table")
	rounds := flag.Int("rounds", 3, "fresh browsers for each site")
	coldOnly := flag.Bool("cold", false, "measure nothing but the first results")
	keep := flag.String("work", "", "folder that keeps the sites, so that the next run need not encode the same pages again")
	count := flag.Int("keys", 30, "keys that are timed")
	flag.Parse()
	if *rounds < 1 || *count < 1 {
		fmt.Fprintf(os.Stderr, "benchsite: --rounds %d and --keys %d: each must be 1 or more\n", *rounds, *count)
		os.Exit(2)
	}
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: benchsite [--json] [--rounds N] [--cold] [--work FOLDER] [--keys N] PAGES PACKAGES")
		os.Exit(2)
	}
	found, err := compare(flag.Arg(0), flag.Arg(1), *rounds, *count, *coldOnly, *keep)
	if err == nil && *asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(found)
	} else if err == nil {
		err = found.print(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchsite:", err)
		os.Exit(1)
	}
}

func compare(pages, packages string, rounds, count int, coldOnly bool, keep string) (*comparison, error) {
	exists := func(page string) bool {
		info, err := os.Stat(filepath.Join(pages, page))
		return filepath.Base(page) == page && err == nil && info.Mode().IsRegular()
	}
	testdata := filepath.Join(harness.Root(), "tests", "benchsite", "testdata")
	questions, err := readQueries(filepath.Join(testdata, "questions.jsonl"), exists)
	if err != nil {
		return nil, err
	}
	keywords, err := readQueries(filepath.Join(testdata, "keywords.jsonl"), exists)
	if err != nil {
		return nil, err
	}
	all, err := filepath.Glob(filepath.Join(pages, "*.html"))
	if err != nil {
		return nil, err
	}
	work := keep
	if keep == "" {
		if work, err = os.MkdirTemp("", "benchsite-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(work)
	}
	if err := buildCommand(work); err != nil {
		return nil, err
	}
	ours, err := vantageSite(work, pages)
	if err != nil {
		return nil, err
	}
	theirs, err := pagefindSite(work, pages, packages)
	if err != nil {
		return nil, err
	}

	out := &comparison{Pages: len(all), Rounds: rounds}
	colds := make([][]start, 2)
	for range rounds {
		for i, s := range []site{ours, theirs} {
			got, err := coldOnce(s)
			if err != nil {
				return nil, err
			}
			colds[i] = append(colds[i], got)
		}
	}
	for i, s := range []site{ours, theirs} {
		row := measured{Name: s.name, Start: middle(colds[i])}
		if row.Files, row.Published, err = s.size(); err != nil {
			return nil, err
		}
		if !coldOnly {
			if err := row.warm(s, questions, keywords, exists, count); err != nil {
				return nil, err
			}
		}
		out.Sites = append(out.Sites, row)
	}
	if coldOnly {
		return out, nil
	}
	for _, r := range rankings {
		row := ranking{Name: r.name}
		row.Questions, err = ranked(work, filepath.Join(ours.dir, "search"), questions, r.args)
		if err == nil {
			row.Keywords, err = ranked(work, filepath.Join(ours.dir, "search"), keywords, r.args)
		}
		if err != nil {
			return nil, err
		}
		out.Rankings = append(out.Rankings, row)
	}
	return out, nil
}

// coldOnce serves a site anew, so that neither server nor browser has anything left.
func coldOnce(s site) (start, error) {
	at, err := serve(s)
	if err != nil {
		return start{}, err
	}
	defer at.close()
	return at.cold(coldQuery)
}

// middle is a start with the medians of all, and with the requests of the first of them.
func middle(of []start) start {
	pick := func(value func(start) float64) float64 {
		values := make([]float64, len(of))
		for i, s := range of {
			values[i] = value(s)
		}
		return median(values)
	}
	return start{
		First:     pick(func(s start) float64 { return s.First }),
		TakesKeys: pick(func(s start) float64 { return s.TakesKeys }),
		Bytes:     int(pick(func(s start) float64 { return float64(s.Bytes) })),
		Requests:  int(pick(func(s start) float64 { return float64(s.Requests) })),
		Asked:     of[0].Asked,
	}
}

// warm measures what needs the whole site in the browser.
func (m *measured) warm(s site, questions, keywords []query, isPage func(string) bool, count int) error {
	at, err := serve(s)
	if err != nil {
		return err
	}
	defer at.close()
	browser, tab, err := at.warm()
	if err != nil {
		return err
	}
	defer browser.Close()
	defer tab.Close()
	if m.Questions, err = at.judge(tab, questions, isPage); err != nil {
		return err
	}
	if m.Keywords, err = at.judge(tab, keywords, isPage); err != nil {
		return err
	}
	m.Keys, err = at.typing(tab, typed, count)
	return err
}
