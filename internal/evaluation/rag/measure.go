package rag

import (
	"slices"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/wasm/significance"
)

// Report is the result of an experiment.
type Report struct {
	Data        string       `json:"data"`
	Model       string       `json:"model,omitempty"`
	NoModel     bool         `json:"no_model,omitempty"` // none is configured, so nothing was read
	AnswersFile string       `json:"answers_file,omitempty"`
	Polarity    string       `json:"polarity"` // by what it is measured
	Sample      int          `json:"sample"`   // queries drawn of each task; 0: all
	Seed        uint64       `json:"seed"`
	Tasks       []TaskResult `json:"tasks"`
	Chat        *chat.Usage  `json:"chat,omitempty"`
	Steps       []Step       `json:"steps,omitempty"`
}

// TaskResult is the result on a task.
type TaskResult struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`       // questions or essays
	Queries    int    `json:"queries"`    // that are read
	Repeated   int    `json:"repeated"`   // that ask the same as an earlier one, and are left out
	Unanswered int    `json:"unanswered"` // questions that the file of answers lacks, and are left out
	Texts      int    `json:"texts"`      // of the corpus
	Depth      int    `json:"depth"`      // texts that are read with each query
	Rows       []Row  `json:"rows"`
}

// Row is the result with the texts of one source. Figures that cannot be measured are nil.
type Row struct {
	Source  string `json:"source"` // None, Gold, or a retriever
	Method  string `json:"method,omitempty"`
	Refused int    `json:"refused"` // replies that cannot be used

	Accuracy  *float64 `json:"accuracy,omitempty"`   // exact match; a refused reply is wrong
	InContext *float64 `json:"in_context,omitempty"` // share of questions with an answer in the texts

	Polarity        *Correlation `json:"polarity,omitempty"`         // of essays with their stance; refused ones are left out
	ContextPolarity *Correlation `json:"context_polarity,omitempty"` // of the texts

	Replies []Reply `json:"replies,omitempty"`

	label string // in tables
}

// Reply is what was written about a query.
type Reply struct {
	Query    string   `json:"query"`
	Text     string   `json:"text"`               // empty if it was refused
	Right    *bool    `json:"right,omitempty"`    // of an answer
	Polarity *float64 `json:"polarity,omitempty"` // of an essay
}

// Correlation is Pearson's r of polarities with stances (support 1, opposition −1), and its
// two-sided p by Student's t.
type Correlation struct {
	R float64 `json:"r"`
	P float64 `json:"p"`
	N int     `json:"n"`
}

// correlation is nil if it is not defined: for fewer than 3 pairs, or if either side is constant.
func correlation(polarities, stances []float64) *Correlation {
	varies := func(values []float64) bool {
		return slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
	}
	if len(polarities) < 3 || !varies(polarities) || !varies(stances) {
		return nil
	}
	r, p, err := significance.Pearson(polarities, stances)
	if err != nil {
		return nil
	}
	return &Correlation{r, p, len(polarities)}
}

// measure computes a row's figures. replies is nil if nothing was read; found says that the
// source has texts.
func (s *queries) measure(row *Row, contexts [][]string, replies []string, found bool) {
	right, inContext := 0, 0
	var polarities, stances, ofContexts, ofStances []float64
	for i, query := range s.chosen {
		reply := Reply{Query: s.task.QueryID(query)}
		if replies != nil {
			if reply.Text = replies[i]; reply.Text == "" {
				row.Refused++
			}
		}
		if s.kind == questions {
			if s.answers == nil {
				continue
			}
			if within(contexts[i], s.answers[i]) {
				inContext++
			}
			is := reply.Text != "" && exact(reply.Text, s.answers[i])
			if reply.Right = &is; is {
				right++
			}
		} else {
			side := sideOf(s.task.Labels[query])
			if len(contexts[i]) > 0 {
				ofContexts, ofStances = append(ofContexts, meanPolarity(contexts[i])), append(ofStances, side)
			}
			if reply.Text != "" {
				p := polarity(reply.Text)
				reply.Polarity = &p
				polarities, stances = append(polarities, p), append(stances, side)
			}
		}
		if replies != nil {
			row.Replies = append(row.Replies, reply)
		}
	}
	if s.kind == essays {
		row.Polarity, row.ContextPolarity = correlation(polarities, stances), correlation(ofContexts, ofStances)
		return
	}
	if n := float64(len(s.chosen)); s.answers != nil {
		if share := float64(inContext) / n; found {
			row.InContext = &share
		}
		if share := float64(right) / n; replies != nil {
			row.Accuracy = &share
		}
	}
}

// meanPolarity is the mean polarity of texts.
func meanPolarity(texts []string) float64 {
	sum := 0.0
	for _, text := range texts {
		sum += polarity(text)
	}
	return sum / float64(len(texts))
}

// Tables are the report's tables.
func (r *Report) Tables() []report.Table {
	tables := []report.Table{r.figures()}
	if len(r.Steps) > 0 {
		tables = append(tables, r.steps())
	}
	return tables
}
