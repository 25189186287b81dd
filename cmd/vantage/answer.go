package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/human"
)

// fileWidth is the width of a table that is not printed to a terminal.
const fileWidth = 120

// printAnswer prints the method and the encoder on stderr, and the hits as a
// table on stdout.
func printAnswer(r *vantage.Result) error {
	if r.Method == vantage.MethodWords {
		fmt.Fprintln(stderr, "method bm25, words alone")
	} else {
		fmt.Fprintf(stderr, "method %s, λ %s, encoder %s@%s\n", r.Method, shortest(r.Lambda), human.Escape(r.Encoder.ID), human.Escape(r.Encoder.Revision))
	}
	if r.Hybrid != "" {
		fmt.Fprintf(stderr, "fused with BM25: %s\n", r.Hybrid)
	}
	sides := 0
	root := false
	for _, t := range r.Texts {
		switch t.Role {
		case "root":
			root = true
		case "perspective":
			sides++
		default:
			continue
		}
		fmt.Fprintf(stderr, "%s: %s\n", t.Role, human.OneLine(t.Text))
	}
	if root && sides == 0 {
		fmt.Fprintln(stderr, "perspective: what the query has beyond the root")
	}
	if len(r.Hits) == 0 {
		fmt.Fprintln(stderr, "no document fits")
		return nil
	}
	width := fileWidth
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && columns > 0 {
		width = columns
	}
	return printText(func(w io.Writer) error { return writeTable(w, r.Hits, width) })
}

func shortest(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

// Widths of the table.
const (
	widestID  = 32
	leastText = 20
)

// writeTable writes hits in rows of at most width columns, as far as the other
// columns leave room for the text.
func writeTable(w io.Writer, hits []vantage.Hit, width int) error {
	rows := [][]string{{"rank", "score", "moved", "id", "title or text"}}
	for _, h := range hits {
		text := h.Title
		if strings.TrimSpace(text) == "" {
			text = h.Text
		}
		rows = append(rows, []string{strconv.Itoa(h.Rank), fmt.Sprintf("%.4f", h.Score), moved(h), human.Cut(human.OneLine(h.ID), widestID), human.OneLine(text)})
	}
	last := len(rows[0]) - 1
	widths := make([]int, last)
	used := 0
	for column := range widths {
		for _, row := range rows {
			widths[column] = max(widths[column], uniseg.StringWidth(row[column]))
		}
		used += widths[column] + 2
	}
	for _, row := range rows {
		for column, n := range widths {
			row[column] = human.Pad(row[column], n, column < 3)
		}
		row[last] = human.Cut(row[last], max(leastText, width-used))
		if _, err := fmt.Fprintln(w, strings.Join(row, "  ")); err != nil {
			return err
		}
	}
	return nil
}

// moved says how many ranks a hit is above (+) or below (-) its rank under the
// plain cosine of the query.
func moved(h vantage.Hit) string {
	if h.Explain.CosineRank == 0 {
		return "" // by words alone
	}
	if by := h.Explain.CosineRank - h.Rank; by != 0 {
		return fmt.Sprintf("%+d", by)
	}
	return "="
}
