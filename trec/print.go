package trec

import "strconv"

// Lines says which lines of an evaluation to print.
type Lines struct {
	Queries bool // lines for each query
	Summary bool // lines for the averages; a measure that no query has a value of has none
}

// AppendLines appends an evaluation in trec_eval's format. Each value is a line of
// three columns between tabs: its name padded to 22 bytes, the query or "all", and
// the value, with four decimals unless it is a text or a count.
func (e *Evaluation) AppendLines(out []byte, l Lines) []byte {
	if l.Queries {
		for i := range e.Queries {
			out = e.AppendQuery(out, i)
		}
	}
	if l.Summary {
		out = e.appendSummary(out)
	}
	return out
}

// AppendQuery appends the lines of the i-th query. Measures without a value for the
// query have no line.
func (e *Evaluation) AppendQuery(out []byte, i int) []byte {
	r := &e.Queries[i]
	at := 0
	for _, m := range e.measures {
		for _, name := range m.names {
			if v := r.Values[at]; !m.kind.hidden && v == v {
				out = appendLabel(out, name, r.Query)
				if m.kind.name == "relstring" {
					out = append(append(append(out, '\''), r.relstring...), '\'', '\n')
				} else {
					out = m.appendValue(out, r.Values[at])
				}
			}
			at++
		}
	}
	return out
}

func (e *Evaluation) appendSummary(out []byte) []byte {
	at := 0
	for _, m := range e.measures {
		for _, name := range m.names {
			switch v := e.Averages[at]; {
			case m.kind.name == "runid":
				out = append(append(appendLabel(out, name, "all"), e.RunID...), '\n')
			case m.kind.average != none && v == v:
				out = m.appendValue(appendLabel(out, name, "all"), v)
			}
			at++
		}
	}
	return out
}

func appendLabel(out []byte, name, query string) []byte {
	out = append(out, name...)
	for n := len(name); n < 22; n++ {
		out = append(out, ' ')
	}
	return append(append(append(out, '\t'), query...), '\t')
}

func (m *Measure) appendValue(out []byte, value float64) []byte {
	decimals := 4
	if m.kind.whole {
		decimals = 0
	}
	return append(strconv.AppendFloat(out, value, 'f', decimals, 64), '\n')
}
