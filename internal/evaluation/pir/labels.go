package pir

import "strings"

// The folders of the benchmark do not state the kind of a perspective. It is derived
// from the wording, as in the benchmark's own conversion to the demo layout. The last
// phrase of the list that occurs decides; if none occurs, the label is the first one.
var labelPhrases = map[string][]struct{ phrase, label string }{
	"perspectrum": {{"", "support"}, {"support", "support"}, {"oppose", "undermine"}, {"relates to", "general"}},
	"agnews":      {{"", "subtopic"}, {"relates to", "subtopic"}, {"happened in", "location"}},
	"story":       {{"", "analogy"}, {"entities", "entity"}, {"analogy", "analogy"}},
	"ambigqa":     {{"", "perspective"}},
	"allsides":    {{"", "left"}, {"left", "left"}, {"right", "right"}, {"center", "center"}},
	"exfever":     {{"", "NOT ENOUGH INFO"}, {"supports", "SUPPORT"}, {"refutes", "REFUTE"}, {"no information", "NOT ENOUGH INFO"}},
}

// noLabel is the label of unlabelled queries in other tasks.
const noLabel = "none"

func labelOf(task, perspective string) string {
	label := noLabel
	for _, l := range labelPhrases[task] {
		if strings.Contains(perspective, l.phrase) {
			label = l.label
		}
	}
	return label
}
