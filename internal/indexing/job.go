// Package indexing does the work of `vantage index`: it reads a corpus, finds models by their
// names, and writes a collection, or a site with one.
package indexing

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/judgements"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs/vectors"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Job says what is indexed, and how.
type Job struct {
	Corpus string // file or folder
	Fields corpus.Options
	Output string // folder of the collection, or of the site

	Site            bool   // write pages, too
	Server          string // address of the encode server that the pages ask; "": none
	Queries, Qrels  string // files of judged queries; "": none
	Examples        string // file of queries that the pages offer; "": a few of Queries
	Template        string // file of the search page; "": the built-in one
	NoCredit        bool   // the search page does not say who made it
	Force           bool   // overwrite pages that were changed by hand
	Name, Generator string
	Quantize        string // see vantage.IndexOptions
	Score           perspective.Score
	IDF, Words      bool
	TokenBits       int // of the vectors of tokens, for a ColBERT; 0: DefaultTokenBits, if it is one

	Vectors     string // file of the documents' vectors; "": Encoder or Model makes them
	VectorsID   string // id of the encoder that made Vectors, if Model does not name it; "": the file's name
	Encoder     string // the encoder that the collection carries: Light, Sides, or a pack by its folder or pack.json; "": none but Model
	Model       string // the model that encodes documents, in place of Encoder, or that made Vectors; "": none
	QueryModel  string // the model that encodes queries, if Model encodes only documents; "": Model
	Transformer named.Settings

	Console *console.Console
}

// Report says what was written. Its JSON is what `vantage index --json` prints.
type Report struct {
	Collection    string         `json:"collection"`               // folder
	Site          string         `json:"site,omitempty"`           // folder
	JudgedQueries int            `json:"judged_queries,omitempty"` // on which the lab measures methods
	PagesLeftOut  map[string]int `json:"pages_left_out,omitempty"` // number by reason
	PartsLeftOut  *corpus.Parts  `json:"parts_left_out,omitempty"` // within pages
	Choice        *Choice        `json:"choice,omitempty"`         // what the judged queries say about the default ranking
	*vantage.Report

	skipped int    // number of entries of the corpus's folder that were not read
	note    string // a choice that was made in reading the corpus; "": none
	judged  *judgements.Judgements
}

// Stored says how vectors are stored: those of tokens, if there are any, else as quantize says.
func (r *Report) Stored(quantize string) string {
	if r.TokenBits == 0 {
		return quantize
	}
	return fmt.Sprintf("%d token vectors of %d bits per component (%s)", r.Tokens, r.TokenBits, human.Bytes(r.TokenBytes))
}

// run is a running job.
type run struct {
	*Job
	options vantage.IndexOptions
	judged  *judgements.Judgements
	table   []string       // the encoder's table "auto", if it has one
	close   []func() error // closes the models
	undo    func()         // if the run fails, removes the folder that JournalPath made; or nil
	kept    string         // if the run fails, the new collection that it leaves; or ""
	next    string         // what the same command does to what is kept
}

// Run does the job. If it fails, the vectors that a transformer or a pack has made stay in a
// journal. If a new site fails after its collection is complete, the collection stays if a
// transformer or a pack made its vectors, or if its folder was there before. A site that had a
// collection before keeps its new pages, and its new collection too if only the choice by judged
// queries failed. The console says where a journal or a complete collection is. Nothing else that
// is new remains.
func (j *Job) Run(ctx context.Context) (_ *Report, err error) {
	if j.Vectors != "" && j.Model == "" && j.TokenBits != 0 {
		return nil, fault.New(fault.Query, "--token-bits goes with a ColBERT: --vectors has one vector for a whole text")
	}
	c, err := corpus.Open(j.Corpus, j.Fields)
	if err != nil {
		return nil, err
	}
	r := &run{Job: j}
	if j.Queries != "" {
		if r.judged, err = judgements.Read(ctx, j.Queries, j.Qrels); err != nil {
			return nil, err
		}
	}
	show := j.Console.Progress()
	defer show.Stop()
	if show != nil {
		show.Input = c.Progress
	}
	r.options = vantage.IndexOptions{
		Name: j.Name, Generator: j.Generator, IDF: j.IDF, Words: j.Words, Quantize: j.Quantize, Score: j.Score, SmallFiles: j.Site, Reader: reader.Files,
		Progress: show.Update, Workers: j.Transformer.Threads,
	}
	if j.Vectors != "" {
		if r.options.Vectors, err = vectors.Read(j.Vectors, j.VectorsID); err != nil {
			return nil, err
		}
	}
	defer func() {
		for _, f := range r.close {
			err = errors.Join(err, f())
		}
	}()
	switch {
	case j.Encoder != "":
		err = r.openEncoder(ctx)
	case j.Model != "" || j.Vectors == "":
		err = r.openModels(ctx)
	}
	if err != nil {
		return nil, err
	}
	report, err := r.write(ctx, c)
	if err != nil {
		if r.undo != nil {
			r.undo()
		}
		if fault.Is[*collection.VectorsError](err) {
			err = fault.At(j.Vectors, err)
		}
		show.Stop()
		if errors.Is(err, collection.ErrNoDocuments) {
			j.tellReading(c.Skipped(), c.Note(), c.LeftOut())
		}
		held := errors.Is(err, folders.ErrHeld) // what is kept is the other run's
		if _, none := os.Stat(r.options.Journal); r.options.Journal != "" && none == nil && !held {
			j.Console.Printf("vantage: what has been encoded is kept in %s: the same command goes on from there\n", human.Escape(r.options.Journal))
		}
		if r.kept != "" {
			j.Console.Printf("vantage: the collection is complete in %s: the same command %s\n", human.Escape(r.kept), r.next)
		}
		return nil, err
	}
	show.End()
	if parts := c.PartsLeftOut(); parts.Pages > 0 {
		report.PartsLeftOut = &parts
	}
	report.PagesLeftOut, report.skipped, report.note, report.judged = c.LeftOut(), c.Skipped(), c.Note(), r.judged
	return report, nil
}
