package main

import (
	"fmt"
	"io"
	"strings"
)

// comparison is all that was measured.
type comparison struct {
	Pages    int        `json:"pages"`
	Rounds   int        `json:"rounds"`
	Sites    []measured `json:"sites"`
	Rankings []ranking  `json:"rankings"`
}

// measured is one site.
type measured struct {
	Name      string  `json:"name"`
	Files     int     `json:"files"`
	Published int64   `json:"published_bytes"`
	Start     start   `json:"start"`
	Keys      keys    `json:"keys"`
	Questions quality `json:"questions"`
	Keywords  quality `json:"keywords"`
}

// ranking is one way to rank our collection, without a page.
type ranking struct {
	Name      string  `json:"name"`
	Questions quality `json:"questions"`
	Keywords  quality `json:"keywords"`
}

// print writes a table with a column for each site.
func (c *comparison) print(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%d pages; %.1f Mbit/s, round trip %d ms; Chromium, empty cache, median of %d\n\n",
		c.Pages, lineBits/1e6, lineRoundTrip.Milliseconds(), c.Rounds)
	row := func(name string, cell func(measured) string) {
		fmt.Fprintf(&out, "%-44s", name)
		for _, m := range c.Sites {
			fmt.Fprintf(&out, " %12s", cell(m))
		}
		out.WriteByte('\n')
	}
	row("", func(m measured) string { return m.Name })
	row("published, KB", func(m measured) string { return fmt.Sprintf("%.0f", float64(m.Published)/1000) })
	row("published, files", func(m measured) string { return fmt.Sprint(m.Files) })
	row("until the first result: KB", func(m measured) string { return fmt.Sprintf("%.0f", float64(m.Start.Bytes)/1000) })
	row("until the first result: requests", func(m measured) string { return fmt.Sprint(m.Start.Requests) })
	row("until the first result: s", func(m measured) string { return fmt.Sprintf("%.2f", m.Start.First/1000) })
	row("until the input takes keys: s", func(m measured) string { return fmt.Sprintf("%.2f", m.Start.TakesKeys/1000) })
	row("from a key to results: median, ms", func(m measured) string { return fmt.Sprintf("%.0f", m.Keys.First) })
	row("from a key to the last results: median, ms", func(m measured) string { return fmt.Sprintf("%.0f", m.Keys.Median) })
	row("from a key to the last results: longest", func(m measured) string { return fmt.Sprintf("%.0f", m.Keys.Longest) })
	row("requests while typing", func(m measured) string { return fmt.Sprint(m.Keys.Requests) })
	row("questions: right page first", func(m measured) string { return m.Questions.first() })
	row("questions: in the first five", func(m measured) string { return m.Questions.five() })
	row("keywords: right page first", func(m measured) string { return m.Keywords.first() })
	row("keywords: in the first five", func(m measured) string { return m.Keywords.five() })

	fmt.Fprintf(&out, "\n%-44s %12s %12s %12s %12s\n", "the same collection, without a page", "questions: 1", "1 to 5", "keywords: 1", "1 to 5")
	for _, r := range c.Rankings {
		fmt.Fprintf(&out, "%-44s %12s %12s %12s %12s\n", r.Name, r.Questions.first(), r.Questions.five(), r.Keywords.first(), r.Keywords.five())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (c quality) first() string { return fmt.Sprintf("%d of %d", c.First, c.Queries) }
func (c quality) five() string  { return fmt.Sprintf("%d of %d", c.Five, c.Queries) }
