package answers

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs/contexts"
)

// Widths of the table, in columns of a terminal.
const (
	widestID  = 32
	leastText = 20
)

// Table implements Answer.
func (r Search) Table(w io.Writer, width int) error {
	hits := r.Hits
	if len(hits) == 0 {
		return nil
	}
	rows := [][]string{{"rank", "score", "moved", "id", "title or text"}}
	angled := slices.ContainsFunc(hits, func(h vantage.Hit) bool { return h.Explain.Side != 0 })
	if angled {
		rows[0] = slices.Insert(rows[0], 2, "topic", "side")
	}
	told := slices.ContainsFunc(hits, func(h vantage.Hit) bool { return h.Stance != nil })
	if told {
		at := len(rows[0]) - 2
		rows[0] = slices.Insert(rows[0], at, "stance")
	}
	below := []string{""}
	for _, h := range hits {
		below = append(below, contexts.Reason(&h))
		row := []string{strconv.Itoa(h.Rank), fmt.Sprintf("%.4f", h.Score), moved(h), human.Cut(idText(h.ID), widestID), titleOrText(h)}
		if angled {
			row = slices.Insert(row, 2, fmt.Sprintf("%.4f", h.Explain.Topic), fmt.Sprintf("%+.4f", h.Explain.Side))
		}
		if told {
			row = slices.Insert(row, len(row)-2, stanceText(h.Stance))
		}
		rows = append(rows, row)
	}
	return writeRows(w, rows, below, width)
}

// writeStances writes hits with their stances, if they have any.
func writeStances(w io.Writer, hits []vantage.Hit, width int) error {
	rows := [][]string{{"rank", "score", "id", "title or text"}}
	told := slices.ContainsFunc(hits, func(h vantage.Hit) bool { return h.Stance != nil })
	if told {
		rows[0] = slices.Insert(rows[0], 2, "stance")
	}
	for _, h := range hits {
		row := []string{strconv.Itoa(h.Rank), fmt.Sprintf("%.4f", h.Score), human.Cut(idText(h.ID), widestID), titleOrText(h)}
		if told {
			row = slices.Insert(row, 2, stanceText(h.Stance))
		}
		rows = append(rows, row)
	}
	return writeRows(w, rows, nil, width)
}

// idText writes the id of a document as it is. If that takes more than one line or loses something, such as a tab or a
// space at the end, it is between quotation marks, as in Go and JSON.
func idText(id string) string {
	if human.OneLine(id) == id {
		return id
	}
	return strconv.Quote(id)
}

func titleOrText(h vantage.Hit) string {
	if strings.TrimSpace(h.Title) != "" {
		return human.OneLine(h.Title)
	}
	return human.OneLine(h.Text)
}

// stanceText returns a side and its probability in percent, or "" if s is nil.
func stanceText(s *vantage.Stance) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s %.0f%%", s.Side, 100*s.Probability)
}

// writeRows writes rows as a table. It shortens the last column so that lines fit in width
// columns of a terminal, if the other columns leave room for it. The last two columns are aligned
// left, the others right. below[i] is a line below row i, or "" for none; nil means no lines.
func writeRows(w io.Writer, rows [][]string, below []string, width int) error {
	last := len(rows[0]) - 1
	widths := make([]int, last)
	used := 0
	for column := range widths {
		for _, row := range rows {
			widths[column] = max(widths[column], uniseg.StringWidth(row[column]))
		}
		used += widths[column] + 2
	}
	for i, row := range rows {
		for column, n := range widths {
			row[column] = human.Pad(row[column], n, column < last-1)
		}
		row[last] = human.Cut(row[last], max(leastText, width-used))
		text := strings.Join(row, "  ")
		if below != nil && below[i] != "" {
			text += "\n" + strings.Repeat(" ", widths[0]+2) + human.Cut(below[i], max(leastText, width-widths[0]-2))
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

// moved returns by how many ranks a hit is above (+) or below (-) its rank by the plain cosine
// of the query, or "" if that rank is not known.
func moved(h vantage.Hit) string {
	if h.Explain.CosineRank == 0 {
		return "" // by words alone
	}
	if by := h.Explain.CosineRank - h.Rank; by != 0 {
		return fmt.Sprintf("%+d", by)
	}
	return "="
}
