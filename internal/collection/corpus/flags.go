package corpus

import (
	"encoding/csv"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/human"
)

// Flags are the options on how a corpus is read as a suggested command repeats them, each with a space before it.
func (o *Options) Flags() string {
	var b strings.Builder
	for _, f := range []struct{ name, value string }{
		{"id-field", o.IDField}, {"title-field", o.TitleField}, {"text-field", o.TextField}, {"columns", o.columnsFlag()},
		{"delimiter", o.Delimiter}, {"quote", o.Quote}, {"base", o.Base}, {"charset", o.Charset},
	} {
		if f.value != "" {
			b.WriteString(" --" + f.name + "=" + human.Value(f.value))
		}
	}
	return b.String()
}

// columnsFlag is the value of --columns, which is a record of CSV.
func (o *Options) columnsFlag() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(o.Columns)) {
		parts = append(parts, name+"="+o.Columns[name])
	}
	if len(parts) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(parts) // a strings.Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
