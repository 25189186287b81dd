package retrieve

import (
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/perspective"
)

// Label is the model's name in tables: its id and the options that were given, without
// prefixes. The model must have been open before.
func (m *Model) Label() string {
	var asked []string
	if m.Spec.Pooling != "" {
		asked = append(asked, string(m.Spec.Pooling))
	}
	if m.Spec.Score != "" {
		asked = append(asked, string(m.Spec.Score))
	}
	if m.Spec.TokenBits != 0 {
		asked = append(asked, strconv.Itoa(m.Spec.TokenBits)+" bits")
	}
	if m.documents.options.Int8 {
		asked = append(asked, "int8")
	}
	if m.queries != nil {
		asked = append(asked, "queries: "+m.queries.info.ID)
	}
	return inBrackets(m.documents.info.ID, asked)
}

// Labels are the names of models in tables: their labels or, if two have the same, the names
// that were given. nil is BM25. The models must have been open before.
func Labels(models []*Model) []string {
	labels, given, seen := make([]string, len(models)), make([]string, len(models)), map[string]bool{}
	for i, m := range models {
		labels[i], given[i] = "BM25", "BM25"
		if m != nil {
			labels[i], given[i] = m.Label(), m.Spec.Given
		}
		seen[labels[i]] = true
	}
	if len(seen) < len(models) {
		return given
	}
	return labels
}

// About describes the model. The model must have been open before.
func (m *Model) About() string {
	var asked []string
	if m.Spec.Pooling != "" {
		asked = append(asked, string(m.Spec.Pooling)+" pooling")
	}
	if m.Spec.QueryPrefix != "" {
		asked = append(asked, "queries after "+strconv.Quote(m.Spec.QueryPrefix))
	}
	if m.Spec.DocumentPrefix != "" {
		asked = append(asked, "documents after "+strconv.Quote(m.Spec.DocumentPrefix))
	}
	if m.RanksTokens() {
		asked = append(asked, "by MaxSim")
	}
	if m.Spec.TokenBits != 0 {
		asked = append(asked, strconv.Itoa(m.Spec.TokenBits)+" bits per component")
	}
	if s, _ := m.Score(); s == perspective.Dot { // the cosine goes without saying
		asked = append(asked, "by dot product")
	}
	if m.queries != nil {
		asked = append(asked, "queries by "+Title(m.queries.info))
	}
	return inBrackets(Title(m.documents.info), asked)
}

// inBrackets appends details in brackets to a name.
func inBrackets(name string, more []string) string {
	if len(more) == 0 {
		return name
	}
	return name + " (" + strings.Join(more, ", ") + ")"
}

// Title is the model's name in reports.
func Title(info encoder.Info) string {
	title := info.ID + "@" + info.Revision
	if info.Int8 {
		title += ", weights of 8 bits"
	}
	return title
}
