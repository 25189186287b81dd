package sides

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// healthVerColumns are the columns that are read.
var healthVerColumns = []string{"id", "evidence", "claim", "label"}

var healthVerSides = map[string]Side{"supports": For, "refutes": Against, "neutral": Neither}

// ReadHealthVer reads a file of HealthVer (Sarrouti et al. 2021): CSV with a header. It uses
// the columns id, evidence, claim and label. Labels are Supports, Refutes and Neutral. Claims
// are roots, pieces of evidence are texts.
func ReadHealthVer(r io.Reader, name string) (*Set, error) {
	content, err := records.ReadAll(r, name)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(content))
	header, err := rows.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: empty: a header with the columns %s is expected", name, strings.Join(healthVerColumns, ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, records.Located(err))
	}
	at := make([]int, len(healthVerColumns))
	for i, column := range healthVerColumns {
		if at[i] = slices.Index(header, column); at[i] < 0 || slices.Contains(header[at[i]+1:], column) {
			return nil, fmt.Errorf("%s:1: the header is %.200q: it must have the column %s once", name, header, column)
		}
	}
	rows.ReuseRecord = true
	b := newBuilder()
	roots := map[string]int{} // by claim
	for {
		record, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, records.Located(err))
		}
		line, _ := rows.FieldPos(0)
		evidence, claim, label := record[at[1]], record[at[2]], record[at[3]]
		for i, column := range healthVerColumns {
			if err := records.CheckText(column, record[at[i]]); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
		}
		side, known := healthVerSides[strings.ToLower(label)]
		if !known {
			return nil, fmt.Errorf("%s:%d: the label is %.60q, must be Supports, Refutes or Neutral", name, line, label)
		}
		root, known := roots[claim]
		if !known {
			root = b.root(strings.Clone(claim))
			roots[b.set.Roots[root].Text] = root
		}
		if err := b.add(root, strings.Clone(evidence), side); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return b.built(name, "a row with the label Supports or Refutes is expected")
}
