package fit

import (
	"context"
	"fmt"
	"io"

	input "github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/human"
)

// Job is a call of `vantage fit`.
type Job struct {
	Corpus, Output string // path of the documents, and folder for the model
	Fields         input.Options
	Options        Options
	Console        *console.Console // for progress; nil: none
}

// Report is what `vantage fit --json` prints.
type Report struct {
	Directory string   `json:"directory"`
	ID        string   `json:"id"`
	Revision  string   `json:"revision"`
	Documents int      `json:"documents"`
	VocabSize int      `json:"vocab_size"`
	Dim       int      `json:"dim"`
	Bytes     int      `json:"bytes"` // of all files
	Notes     []string `json:"notes"`
	corpus    string   // path and flags of the documents, for a suggested command
}

// Run learns a model from the documents of a corpus, and writes it.
func (j *Job) Run(ctx context.Context) (*Report, error) {
	if err := checkTarget(j.Output); err != nil {
		return nil, err
	}
	c, err := input.Open(j.Corpus, j.Fields)
	if err != nil {
		return nil, err
	}
	show := j.Console.Progress()
	defer show.Stop()
	if show != nil {
		show.Input = c.Progress
	}
	options := j.Options
	options.Progress = show.Update
	model, err := Documents(ctx, c, options)
	if err != nil {
		return nil, err
	}
	if err := model.WriteDir(j.Output); err != nil {
		return nil, err
	}
	show.End()
	return &Report{
		Directory: j.Output, ID: model.ID, Revision: model.Revision, Documents: model.Documents, VocabSize: model.VocabSize, Dim: model.Dim,
		Bytes:  len(model.Tokenizer) + len(model.Weights) + len(model.Config) + len(model.Card),
		Notes:  append([]string{}, model.Notes...),
		corpus: human.Argument(j.Corpus) + j.Fields.Flags(),
	}, nil
}

// Print prints the report for people.
func (r *Report) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d tokens × %d dimensions from %s, %s\nindex with it: vantage index %s -o DIR --model %s\n",
		r.Directory, r.VocabSize, r.Dim, human.Count(r.Documents, "document"), human.Bytes(int64(r.Bytes)), r.corpus, human.Argument(r.Directory))
	return err
}
