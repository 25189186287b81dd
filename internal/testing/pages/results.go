// Package pages serves result pages with the structure of some of the search pages that the
// browser extension has rules for, under their host names. Texts and markup are ours;
// static/extension/rules/STRUCTURE.md says what is known of the real pages.
package pages

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
)

// Result is one result of a page.
type Result struct {
	Rank           int
	Title, Snippet string
	Link           template.URL
	// Side is "for" or "against" what the query states, or "neither". Pages do not show it.
	Side string `json:"-"`
}

// Host is the host of the result's link.
func (r Result) Host() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(string(r.Link), "https://"), "/")
	return host
}

//go:embed results.json
var texts []byte

// Questions are the queries that have results of their own.
const (
	Uniforms = "school uniforms should be compulsory"
	Nuclear  = "nuclear power should be expanded"
	Trains   = "Nachtzüge sollten gefördert werden" // German, in pages that call themselves English
)

// Results returns n results for a query, from the rank first on; ranks begin at 1. Those of
// results.json are followed by pages of an archive on no side, as many as are asked for.
func Results(query string, first, n int) []Result {
	var questions []struct {
		Query   string
		Results []struct{ Side, Title, Snippet string }
	}
	if err := json.Unmarshal(texts, &questions); err != nil {
		panic(err) // the file is ours
	}
	var all []Result
	for _, q := range questions {
		if q.Query != query {
			continue
		}
		for i, r := range q.Results {
			all = append(all, Result{Rank: i + 1, Title: r.Title, Snippet: r.Snippet, Side: r.Side, Link: template.URL(fmt.Sprintf("https://site%d.example/%d", i%5, i+1))})
		}
	}
	var out []Result
	for rank := first; rank < first+n; rank++ {
		if rank <= len(all) {
			out = append(out, all[rank-1])
			continue
		}
		out = append(out, Result{
			Rank: rank, Side: "neither", Link: template.URL(fmt.Sprintf("https://archive.example/%d", rank)),
			Title:   fmt.Sprintf("Archive, page %d", rank),
			Snippet: fmt.Sprintf("Entries %d to %d of the catalogue, by the date on which they were received.", 10*rank, 10*rank+9),
		})
	}
	return out
}

// hostile gives results texts that would do harm if a program took them for markup or code.
func hostile(results []Result) []Result {
	for i := range results {
		r := &results[i]
		switch i % 4 {
		case 0:
			r.Title += ` <script>window.stolen = 'title'</script>`
		case 1:
			r.Snippet += ` <img src="x" onerror="window.stolen = 'snippet'">`
		case 2:
			r.Title += "\u202egnipoc rof\u202c \x1b[31m ${constructor.constructor('stolen=1')()} {{stolen}}"
		case 3:
			r.Link = `javascript:window.stolen='link'`
		}
	}
	return results
}
