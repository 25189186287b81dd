package mvrag

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// data names what was evaluated.
func (r *Report) data() string {
	queries := human.Count(r.Queries, "query")
	if r.Queries < r.Of {
		queries += fmt.Sprintf(" drawn from %d (seed %d)", r.Of, r.Seed)
	}
	return fmt.Sprintf("%s, %s: %s, %s", r.Dataset, r.Judgements, queries, human.Count(r.Documents, "document"))
}

// table has the layout of Tables 1 and 2, with the rows of Figure 5.
func (r *Report) table() report.Table {
	t := report.Table{Name: "mvrag", Stub: "retriever, system",
		Caption: fmt.Sprintf("%s; domain %s, θ %g, K %d; relevant from grade %d on; in percent", r.data(), r.Domain, r.Threshold, r.K, r.Relevant),
		Columns: []report.Column{{Name: fmt.Sprintf("Recall@%d", r.K), Decimals: 3}, {Name: fmt.Sprintf("Precision@%d", r.K), Decimals: 3}, {Name: "F1", Decimals: 3}, {Name: "documents", Decimals: 1}}}
	heading := ""
	for _, s := range r.Systems {
		if s.Retriever != heading {
			heading = s.Retriever
			t.Rows = append(t.Rows, report.Row{Label: heading})
		}
		t.Rows = append(t.Rows, report.Row{Label: s.Name, Cells: []report.Cell{
			report.Figure(100 * s.Means[r.measures[0]]), report.Figure(100 * s.Means[r.measures[1]]), report.Figure(100 * s.F1), report.Figure(s.Found)}})
	}
	t.Notes = append(t.Notes, r.by(), fmt.Sprintf("F1 is of the mean recall and the mean precision, as in the paper. documents: per query, at most %d; fewer if perspectives share them.", r.K))
	if r.Unanswered > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Without a document of grade %d or above: %s. Recall and precision of these are 0, and count in the means.", r.Relevant, human.Count(r.Unanswered, "query")))
	}
	t.Notes = append(t.Notes, r.about...)
	if rows := paperRows(r.Layout); rows != nil {
		t.Rows = append(t.Rows, rows...)
		t.Notes = append(t.Notes, "The paper's rows are of 90 queries, which were not published: uncommon cases of LeCaRDv2, and cases of PMC-Patients that its baseline did badly on.")
	}
	return t
}

// by says what has weighed the perspectives and rewritten the queries.
func (r *Report) by() string {
	if r.NoModel {
		return "No chat model was asked: all perspectives weigh the same, and each query was joined with their descriptions."
	}
	return fmt.Sprintf("Weights and rewritten queries by %s; %s refused; %s without a perspective to ask for, asked as they are.", human.Escape(r.By), human.Count(r.Refused, "reply"), human.Count(r.Plain, "query"))
}

// perspectives has how much each perspective mattered.
func (r *Report) perspectives() report.Table {
	t := report.Table{Name: "mvrag-perspectives", Stub: "perspective", Caption: fmt.Sprintf("Perspectives of %s for the queries of %s", r.Domain, r.data()),
		Columns: []report.Column{{Name: "mean score", Decimals: 3}, {Group: "asked for", Name: "queries"}, {Group: "asked for", Name: "mean k", Decimals: 1}},
		Notes:   []string{"A perspective is asked for if its score is above θ and the query could be rewritten for it. k: documents that it retrieves. The scores of each query are in --json."}}
	for _, v := range r.Views {
		k := report.Missing()
		if v.Weighted > 0 {
			k = report.Figure(v.Documents)
		}
		t.Rows = append(t.Rows, report.Row{Label: v.Perspective, Cells: []report.Cell{report.Figure(v.Score), report.Count(v.Weighted), k}})
	}
	return t
}

// costs has what each step took.
func (r *Report) costs() report.Table {
	t := report.Table{Name: "mvrag-steps", Stub: "step", Caption: "What each step took in this run",
		Columns: []report.Column{{Name: "seconds", Decimals: 2}, {Group: "chat model", Name: "requests"}, {Group: "chat model", Name: "kept replies"}, {Group: "tokens", Name: "prompts"}, {Group: "tokens", Name: "replies"}, {Name: "US dollars", Decimals: 4}}}
	for _, s := range r.Steps {
		row := report.Row{Label: s.Name, Cells: []report.Cell{report.Figure(s.Seconds)}}
		if u := s.Chat; u != nil {
			row.Cells = append(row.Cells, report.Count(u.Requests), report.Count(u.Kept), report.Count(int(u.PromptTokens)), report.Count(int(u.ReplyTokens)))
			if r.Chat.Cost > 0 || u.Requests == 0 {
				row.Cells = append(row.Cells, report.Figure(u.Cost))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if r.Chat != nil && r.Chat.Remark() != "" {
		t.Notes = append(t.Notes, r.Chat.Remark()+".")
	}
	if n := len(r.Answers); n > 0 {
		refused := 0
		for _, a := range r.Answers {
			if a.Refused {
				refused++
			}
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%s are in --json; %s refused.", human.Count(n-refused, "answer"), human.Count(refused, "reply")))
	}
	return t
}
