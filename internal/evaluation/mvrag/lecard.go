package mvrag

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// openLeCaRD reads LeCaRDv2 as its repository has it: query/SPLIT_query.json (or
// query/query.json), label/SPLIT_relevence.trec (or label/relevence.trec, both spelt so),
// and the files of candidate, one for each case. One of the two must name a split other
// than the default.
func openLeCaRD(ctx context.Context, dir, split string) (*beir.Parts, error) {
	named, all := filepath.Join(dir, "query", split+"_query.json"), filepath.Join(dir, "query", "query.json")
	queries, err := first(named, all)
	if err != nil {
		return nil, err
	}
	p := &beir.Parts{Name: layoutLeCaRD, File: filepath.Join(dir, "candidate"), Others: true}
	labels := filepath.Join(dir, "label", split+"_relevence.trec")
	if p.Qrels, err = first(labels, filepath.Join(dir, "label", "relevence.trec")); err != nil {
		return nil, err
	}
	if split != beir.DefaultSplit && queries == all && p.Qrels != labels {
		return nil, fault.Errorf(fault.Input, "%s: there is no such file, nor %s", named, labels)
	}
	if p.Queries, err = inputs.Read(ctx, queries, readLeCaRDQueries); err != nil {
		return nil, err
	}
	p.Documents, err = newCandidates(p.File)
	return p, err
}

// legalCase is a query, or a candidate.
type legalCase struct {
	ID    json.Number `json:"id"`    // of a query
	Query string      `json:"query"` // of a query: the first paragraph and the facts
	PID   json.Number `json:"pid"`   // of a candidate
	Whole string      `json:"qw"`    // of a candidate
	Fact  string      `json:"fact"`
}

// text is the facts of a case or, if it does not give them separately, all of its text.
func (c *legalCase) text() string {
	for _, text := range []string{c.Fact, c.Query, c.Whole} {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

func readLeCaRDQueries(r io.Reader, name string) ([]beir.Query, error) {
	var queries []beir.Query
	seen := map[string]bool{}
	err := records.Lines(r, name, func(_ int, c *legalCase) error {
		id, text := c.ID.String(), c.text()
		if err := records.CheckText("query", text); err != nil {
			return err
		}
		if id == "" || seen[id] {
			return fmt.Errorf("the id %q is missing or there twice", id)
		}
		seen[id] = true
		queries = append(queries, beir.Query{ID: id, Text: text})
		return nil
	})
	return queries, fault.As(fault.Input, err)
}

// candidates are the cases of a folder, in files of JSON in any folder below it, in the
// order of filepath.WalkDir.
type candidates struct {
	files []string
	size  int64
	read  atomic.Int64
}

func newCandidates(dir string) (*candidates, error) {
	c := &candidates{}
	// With the separator at its end, the folder may be a symbolic link.
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() || filepath.Ext(path) != ".json" {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			c.files, c.size = append(c.files, path), c.size+info.Size()
		}
		return err
	})
	switch {
	case err != nil && os.IsNotExist(err) || err == nil && len(c.files) == 0:
		return nil, fault.Errorf(fault.Input, "%s: no candidate is there: unpack LeCaRDv2's candidate cases, a .json file for each, into it", dir)
	case err != nil:
		return nil, fault.Errorf(fault.Input, "%s: %w", dir, fault.Unnamed(err))
	}
	return c, nil
}

// Documents implements beir.Source.
func (c *candidates) Documents() iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		c.read.Store(0)
		for _, path := range c.files {
			doc, err := readCandidate(path, &c.read)
			if !yield(doc, err) || err != nil {
				return
			}
		}
	}
}

// Progress implements beir.Source.
func (c *candidates) Progress() (read, size int64) { return c.read.Load(), c.size }

func readCandidate(path string, read *atomic.Int64) (store.Document, error) {
	text, err := file.Read(path, corpus.MaxRecordBytes, "candidate")
	if err != nil {
		return store.Document{}, fault.As(fault.Input, err)
	}
	read.Add(int64(len(text)))
	var c legalCase
	if err := unpack.JSON(text, &c); err != nil {
		return store.Document{}, fault.Errorf(fault.Input, "%s: not a candidate case as JSON: %w", path, records.Syntax(err))
	}
	switch stem := strings.TrimSuffix(filepath.Base(path), ".json"); {
	case c.PID.String() != stem:
		return store.Document{}, fault.Errorf(fault.Input, `%s: its "pid" is %q, must be the file's name`, path, c.PID.String())
	case c.text() == "":
		return store.Document{}, fault.Errorf(fault.Input, `%s: no "fact" and no "qw"`, path)
	}
	return store.Document{ID: c.PID.String(), Text: c.text()}, nil
}
