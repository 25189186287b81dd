package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// query is a line of testdata: a text, and the pages that answer it.
type query struct {
	ID    string   `json:"_id"`
	Text  string   `json:"text"`
	Pages []string `json:"pages"`
}

// readQueries reads judged queries, whose pages must be among those that exist.
func readQueries(path string, exists func(page string) bool) ([]query, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []query
	seen := map[string]bool{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var q query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(out)+1, err)
		}
		if q.ID == "" || q.Text == "" || len(q.Pages) == 0 || seen[q.ID] || seen[q.Text] {
			return nil, fmt.Errorf("%s, line %d: it needs an _id and a text that no other line has, and pages", path, len(out)+1)
		}
		seen[q.ID], seen[q.Text] = true, true
		for _, page := range q.Pages {
			if !exists(page) {
				return nil, fmt.Errorf("%s, line %d: there is no page %s", path, len(out)+1, page)
			}
		}
		out = append(out, q)
	}
	return out, lines.Err()
}

// quality counts the queries whose right page is first, and among the first five.
type quality struct {
	Queries int `json:"queries"`
	First   int `json:"first"`
	Five    int `json:"five"`
}

// judge counts one answer: the pages of its hits, best first. Several hits in one page
// count as the page at the place of the best of them.
func (c *quality) judge(q query, hits []string) {
	var pages []string
	for _, page := range hits {
		if !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	c.Queries++
	at := slices.IndexFunc(pages, func(page string) bool { return slices.Contains(q.Pages, page) })
	if at == 0 {
		c.First++
	}
	if at >= 0 && at < 5 {
		c.Five++
	}
}

// median is the middle of some numbers, or the mean of the two in the middle.
func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
