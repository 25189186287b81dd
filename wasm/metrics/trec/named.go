package trec

import (
	"strconv"
	"strings"
)

// ir_measures' names for what trec_eval computes: NAME, NAME@CUTOFF, NAME(rel=GRADE), NAME(rel=GRADE)@CUTOFF.

// named measures, by the names of ir_measures and its aliases. Where cut is set, the ranking ends at the cutoff, which the
// measure itself knows nothing of.
var irNames = [...]struct {
	name  string
	whole string // the measure without a cutoff, "" where there is none
	at    string // with one
	cut   bool
}{
	{name: "AP", whole: "map", at: "map_cut"}, {name: "MAP", whole: "map", at: "map_cut"},
	{name: "Bpref", whole: "bpref"}, {name: "BPref", whole: "bpref"},
	{name: "F1", whole: "set_F", at: "set_F", cut: true},
	{name: "infAP", whole: "infAP"},
	{name: "IPrec", at: "iprec_at_recall"},
	{name: "nDCG", whole: "ndcg", at: "ndcg_cut"}, {name: "NDCG", whole: "ndcg", at: "ndcg_cut"},
	{name: "NumRet", whole: "num_ret"}, {name: "NumRel", whole: "num_rel"}, {name: "NumQ", whole: "num_q"},
	{name: "P", at: "P"}, {name: "Precision", at: "P"},
	{name: "R", at: "recall"}, {name: "Recall", at: "recall"},
	{name: "RR", whole: "recip_rank", at: "recip_rank", cut: true}, {name: "MRR", whole: "recip_rank", at: "recip_rank", cut: true},
	{name: "Rprec", whole: "Rprec"}, {name: "RPrec", whole: "Rprec"},
	{name: "SetP", whole: "set_P"}, {name: "SetR", whole: "set_recall"}, {name: "SetF", whole: "set_F"}, {name: "SetAP", whole: "set_map"},
	{name: "Success", at: "success"},
}

// parseNamed reads an ir_measures name; nil where it is none.
func parseNamed(text string) (*Measure, error) {
	rest, cutoff, hasCutoff := strings.Cut(text, "@")
	name, arguments, hasArguments := strings.Cut(rest, "(")
	i := 0
	for i < len(irNames) && irNames[i].name != name {
		i++
	}
	if i == len(irNames) {
		return nil, nil
	}
	entry := &irNames[i]
	m := &Measure{}
	if hasArguments {
		value, ok := strings.CutPrefix(arguments, "rel=")
		value, closed := strings.CutSuffix(value, ")")
		n, err := strconv.ParseInt(value, 10, 32)
		if !ok || !closed || err != nil || n < 1 {
			return nil, measureError(text, "what stands in brackets is rel=GRADE, with a grade from 1 on")
		}
		m.level = int32(n)
	}
	trecName := entry.whole
	if hasCutoff {
		trecName = entry.at
	}
	switch {
	case trecName == "" && hasCutoff:
		return nil, measureError(text, name+" takes no cutoff")
	case trecName == "":
		return nil, measureError(text, name+" takes a cutoff, as in "+name+"@10")
	}
	m.kind = kinds[kindOf(trecName)]
	params := ""
	switch {
	case entry.cut && hasCutoff:
		n, err := parseCutoff(cutoff)
		if err != nil {
			return nil, measureError(text, err.Error())
		}
		m.cut = int(n)
	case hasCutoff:
		if cutoff == "" || strings.Contains(cutoff, ",") {
			return nil, measureError(text, "one cutoff is expected after the @")
		}
		params = cutoff
	}
	if err := m.configure(params); err != nil {
		return nil, measureError(text, err.Error())
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
