package trec

import (
	"errors"
	"strconv"
	"strings"
)

// This file parses the names of ir_measures: NAME, NAME@CUTOFF, NAME(key=value, …),
// NAME(key=value, …)@CUTOFF.

// irName is the meaning of a name in ir_measures.
type irName struct {
	name  string
	whole string // measure for the name without a cutoff, "" if there is none
	at    string // measure for the name with a cutoff, "" if there is none
	cut   bool   // the cutoff cuts the ranking and is not a parameter of the measure
	keys  string // settings that are allowed in brackets
}

// Settings in brackets: a key and, in brackets of their own, its values for error messages. gains is not such a key:
// regrade takes it.
const (
	relKey   = "rel (a grade from 1 on)"
	relKeys  = relKey + ", judged_only (True or False)"
	ndcgKeys = "dcg ('log2' or 'exp-log2'), judged_only (True or False), gains={grade:gain,…} (with dcg='log2')"
)

// irNames are ir_measures' own names and its aliases, and F1, which is ours.
var irNames = [...]irName{
	{name: "AP", whole: "map", at: "map_cut", keys: relKeys}, {name: "MAP", whole: "map", at: "map_cut", keys: relKeys},
	{name: "Bpref", whole: "bpref", keys: relKey}, {name: "BPref", whole: "bpref", keys: relKey},
	{name: "ERR", at: "ERR", cut: true},
	{name: "F1", whole: "set_F", at: "set_F", cut: true, keys: relKeys},
	{name: "infAP", whole: "infAP", keys: relKey},
	{name: "IPrec", at: "iprec_at_recall", keys: relKeys},
	{name: "Judged", whole: "Judged", at: "Judged", cut: true},
	{name: "nDCG", whole: "ndcg", at: "ndcg_cut", keys: ndcgKeys},
	{name: "NDCG", whole: "ndcg", at: "ndcg_cut", keys: ndcgKeys},
	{name: "NumQ", whole: "num_q"}, {name: "NumRel", whole: "num_rel", keys: relKey},
	{name: "NumRet", whole: "num_ret", keys: relKey}, {name: "NumRelRet", whole: "num_rel_ret"},
	{name: "P", at: "P", keys: relKeys}, {name: "Precision", at: "P", keys: relKeys},
	{name: "R", at: "recall", keys: relKeys}, {name: "Recall", at: "recall", keys: relKeys},
	{name: "RBP", whole: "RBP", at: "RBP", cut: true, keys: "p (0 to 1), " + relKey},
	{name: "RR", whole: "recip_rank", at: "recip_rank", cut: true, keys: relKeys},
	{name: "MRR", whole: "recip_rank", at: "recip_rank", cut: true, keys: relKeys},
	{name: "Rprec", whole: "Rprec", keys: relKeys}, {name: "RPrec", whole: "Rprec", keys: relKeys},
	{name: "SetAP", whole: "set_map", keys: relKeys},
	{name: "SetF", whole: "set_F", keys: relKeys + ", beta (0 to 1e9)"},
	{name: "SetP", whole: "set_P", keys: relKeys + ", relative (True or False)"}, {name: "SetRelP", whole: "set_relative_P", keys: relKeys},
	{name: "SetR", whole: "set_recall", keys: relKey},
	{name: "Success", at: "success", keys: relKeys},
}

// mostRank is the greatest cutoff of measures over subtopics, because their best
// rankings are computed up to the cutoff.
const mostRank = 1_000_000

// parseNamed parses a name of ir_measures. It returns nil if the name is unknown.
func parseNamed(text string) (*Measure, error) {
	text = withoutSpaces(text)
	rest, cutoff, hasCutoff := strings.Cut(text, "@")
	name, arguments, hasArguments := strings.Cut(rest, "(")
	entry := lookup(name)
	if entry == nil {
		return nil, nil
	}
	wanted := entry.whole
	if hasCutoff {
		wanted = entry.at
	}
	switch {
	case wanted == "" && hasCutoff:
		return nil, measureError(text, name+" takes no cutoff")
	case wanted == "":
		return nil, measureError(text, name+" takes a cutoff, as in "+name+"@10")
	}
	m := &Measure{}
	var settings settings
	if hasArguments {
		list, closed := strings.CutSuffix(arguments, ")")
		if !closed {
			return nil, measureError(text, "the bracket is not closed")
		}
		var err error
		if list, err = m.regrade(entry, list); err == nil && (list != "" || m.regraded == nil) {
			settings, err = parseSettings(entry, list)
		}
		if err != nil {
			return nil, measureError(text, err.Error())
		}
		m.level, m.judgedOnly = settings.rel, settings.judgedOnly
	}
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
	switch {
	case settings.exponential: // these measures take the cutoff as the end of the ranking
		wanted = "nDCG-exp"
		if hasCutoff {
			n, err := parseCutoff(cutoff)
			if err != nil {
				return nil, measureError(text, err.Error())
			}
			m.cut, params = int(n), ""
		}
	case settings.relative:
		wanted = "set_relative_P"
	case wanted == "num_ret" && m.level != 0:
		wanted = "num_rel_ret"
	}
	m.kind = find(wanted)
	if m.kind.intents && m.cut > mostRank {
		return nil, measureError(text, "the cutoff is at most "+strconv.Itoa(mostRank))
	}
	if err := m.configure(params); err != nil {
		return nil, measureError(text, err.Error())
	}
	if settings.given != [3]bool{} {
		m.params = settings.apply(m.params)
	}
	if err := m.checkSettings(&settings); err != nil {
		return nil, measureError(text, err.Error())
	}
	m.side, m.names = settings.side, []string{text}
	return m, nil
}

func lookup(name string) *irName {
	for _, list := range [][]irName{irNames[:], subtopicNames, scaleNames} {
		for i := range list {
			if list[i].name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// find finds a measure by its name in any of the lists of kinds.
func find(name string) *kind {
	if i := kindOf(name); i >= 0 {
		return kinds[i]
	}
	for _, list := range [][]*kind{others, subtopicKinds, scaleKinds} {
		for _, k := range list {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

func withoutSpaces(text string) string {
	kept := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] != ' ' {
			kept = append(kept, text[i])
		}
	}
	return string(kept)
}

// unknown is the error for an unknown name. It lists the known names.
func unknown(asked string) error {
	base, _, _ := strings.Cut(asked, "@")
	base, _, _ = strings.Cut(base, "(")
	base, _, _ = strings.Cut(base, ".")
	hint, ours, theirs := "", "", ""
	note := func(list *string, name string) {
		*list += name + ", "
		if hint == "" && sameLetters(name, base) {
			hint = ", did you mean " + name + asked[len(base):] + "?"
		}
	}
	for _, k := range kinds {
		note(&ours, k.name)
	}
	for _, list := range [][]irName{irNames[:], subtopicNames, scaleNames} {
		for i := range list {
			note(&theirs, list[i].name)
		}
	}
	return errors.New("unknown measure " + quote([]byte(asked)) + hint + "; trec_eval's are " + ours +
		"official, set, all_trec (parameters after a dot: P.5,10); ir_measures' are " + theirs[:len(theirs)-2] +
		" (as in nDCG@10, P(rel=2)@5, RBP(p=0.8)@10)")
}

// sameLetters reports whether names differ in their case alone.
func sameLetters(a, b string) bool {
	same := len(a) == len(b) && a != b
	for i := 0; same && i < len(a); i++ {
		same = a[i]|0x20 == b[i]|0x20
	}
	return same
}

// view is the ranking for a measure with a level, a cutoff or other grades of its own, or
// for judged documents only. For other measures it is the ranking itself.
func (m *Measure) view(j *Judged, spare *Judged) *Judged {
	if m.level == 0 && !m.judgedOnly && m.regraded == nil && (m.cut == 0 || m.cut >= len(j.Grades)) {
		return j
	}
	grades, aspects := spare.Grades[:0], spare.aspects[:0]
	*spare = *j
	if m.level != 0 {
		spare.Level = m.level
	}
	if m.judgedOnly {
		for rank, grade := range j.Grades {
			if grade < 0 {
				continue
			}
			grades = append(grades, grade)
			if j.intents != nil {
				aspects = append(aspects, j.aspects[rank])
			}
		}
	} else {
		grades, aspects = append(grades, j.Grades...), append(aspects, j.aspects...)
	}
	end := len(grades)
	if m.cut != 0 {
		end = min(end, m.cut)
	}
	spare.Grades, spare.aspects = grades[:end], aspects[:min(end, len(aspects))]
	spare.regrade(m.regraded)
	spare.count()
	return spare
}
