package berds

import (
	"cmp"
	"fmt"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// Step is what the chat model was asked for, and what that took.
type Step struct {
	What    string  `json:"what"`
	Seconds float64 `json:"seconds"`
	chat.Usage
}

// step begins a step of the chat model; the returned function ends it.
func (e *Experiment) step(what string, before chat.Usage) (end func()) {
	begun := time.Now()
	return func() {
		e.steps = append(e.steps, Step{what, time.Since(begun).Seconds(), e.client.Usage().Since(before)})
	}
}

// stepTable lays the steps out.
func stepTable(steps []Step) report.Table {
	t := report.Table{
		Name: "chat", Stub: "step",
		Caption: fmt.Sprintf("What the chat model %s was asked for.", human.Escape(steps[0].Model)),
		Columns: []report.Column{{Name: "s", Decimals: 1}, {Name: "requests"}, {Name: "kept"}, {Name: "prompt tokens"}, {Name: "reply tokens"}, {Name: "US $", Decimals: 4}},
		Notes:   []string{"kept: replies from the cache or a recording."},
	}
	var all chat.Usage
	for _, s := range steps {
		all.Cut, all.Refused, all.Uncounted = all.Cut+s.Cut, all.Refused+s.Refused, all.Uncounted+s.Uncounted
		all.Reason = cmp.Or(s.Reason, all.Reason)
		cost := report.Missing()
		if s.Cost > 0 {
			cost = report.Figure(s.Cost)
		}
		t.Rows = append(t.Rows, report.Row{Label: s.What, Cells: []report.Cell{report.Figure(s.Seconds), report.Count(s.Requests), report.Count(s.Kept),
			report.Count(int(s.PromptTokens)), report.Count(int(s.ReplyTokens)), cost}})
	}
	if remark := all.Remark(); remark != "" {
		t.Notes = append(t.Notes, remark+".")
	}
	return t
}
