package trec

import (
	"errors"
	"strconv"
	"strings"
)

// ir_measures' names for what trec_eval computes: NAME, NAME@CUTOFF, NAME(rel=GRADE), NAME(rel=GRADE)@CUTOFF.

// named measures, by the names of ir_measures and its aliases. Where cut is set, the ranking ends at the cutoff, which the
// measure itself knows nothing of.
var irNames = map[string]struct {
	whole string // the measure without a cutoff, "" where there is none
	at    string // with one
	cut   bool
}{
	"AP": {whole: "map", at: "map_cut"}, "MAP": {whole: "map", at: "map_cut"},
	"Bpref": {whole: "bpref"}, "BPref": {whole: "bpref"},
	"F1":     {whole: "set_F", at: "set_F", cut: true},
	"infAP":  {whole: "infAP"},
	"IPrec":  {at: "iprec_at_recall"},
	"nDCG":   {whole: "ndcg", at: "ndcg_cut"},
	"NDCG":   {whole: "ndcg", at: "ndcg_cut"},
	"NumRet": {whole: "num_ret"}, "NumRel": {whole: "num_rel"}, "NumQ": {whole: "num_q"},
	"P": {at: "P"}, "Precision": {at: "P"},
	"R": {at: "recall"}, "Recall": {at: "recall"},
	"RR": {whole: "recip_rank", at: "recip_rank", cut: true}, "MRR": {whole: "recip_rank", at: "recip_rank", cut: true},
	"Rprec": {whole: "Rprec"}, "RPrec": {whole: "Rprec"},
	"SetP": {whole: "set_P"}, "SetR": {whole: "set_recall"}, "SetF": {whole: "set_F"}, "SetAP": {whole: "set_map"},
	"Success": {at: "success"},
}

// parseNamed reads an ir_measures name; nil where it is none.
func parseNamed(text string) (*Measure, error) {
	rest, cutoff, hasCutoff := strings.Cut(text, "@")
	name, arguments, hasArguments := strings.Cut(rest, "(")
	entry, known := irNames[name]
	if !known {
		return nil, nil
	}
	level := int32(0)
	if hasArguments {
		value, ok := strings.CutPrefix(strings.TrimSuffix(arguments, ")"), "rel=")
		n, err := strconv.ParseInt(value, 10, 32)
		if !ok || !strings.HasSuffix(arguments, ")") || err != nil || n < 1 {
			return nil, errors.New("measure " + quote([]byte(text)) + ": what stands in brackets is rel=GRADE, with a grade from 1 on")
		}
		level = int32(n)
	}
	trecName := entry.whole
	if hasCutoff {
		trecName = entry.at
	}
	if trecName == "" {
		return nil, errors.New("measure " + quote([]byte(text)) + ": " + map[bool]string{
			true: name + " takes no cutoff", false: name + " takes a cutoff, as in " + name + "@10"}[hasCutoff])
	}
	m := &Measure{level: level}
	for _, k := range kinds {
		if k.name == trecName {
			m.kind = k
		}
	}
	params := ""
	switch {
	case entry.cut && hasCutoff:
		n, err := parseCutoff(cutoff)
		if err != nil {
			return nil, errors.New("measure " + quote([]byte(text)) + ": " + err.Error())
		}
		m.cut = int(n)
	case hasCutoff:
		if cutoff == "" || strings.Contains(cutoff, ",") {
			return nil, errors.New("measure " + quote([]byte(text)) + ": one cutoff is expected after the @")
		}
		params = cutoff
	}
	if err := m.configure(params); err != nil {
		return nil, errors.New("measure " + quote([]byte(text)) + ": " + err.Error())
	}
	m.names = []string{text}
	return m, nil
}

// view is the ranking as a measure with a level or a cut of its own sees it; the measures' own otherwise.
func (m *Measure) view(j *Judged, spare *Judged) *Judged {
	if m.level == 0 && (m.cut == 0 || m.cut >= len(j.Grades)) {
		return j
	}
	*spare = Judged{Query: j.Query, Grades: j.Grades, Levels: j.Levels, Level: j.Level}
	if m.level != 0 {
		spare.Level = m.level
	}
	if m.cut != 0 && m.cut < len(j.Grades) {
		spare.Grades = j.Grades[:m.cut]
	}
	spare.count()
	return spare
}
