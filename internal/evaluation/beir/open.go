package beir

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/evaluation/part"
)

// DefaultSplit is the split that BEIR reports.
const DefaultSplit = "test"

// Options are the options of Open.
type Options struct {
	Split string // split of qrels/SPLIT.tsv; empty means DefaultSplit, which may be qrels.txt in a plain folder
	Qrels string // a file of judgements to use instead of the folder's
	Part  part.Part
}

// Open reads the queries and judgements of a folder: BEIR's corpus.jsonl, queries.jsonl
// and qrels/test.tsv, or a plain one with docs.jsonl, queries.jsonl and TREC judgements
// in qrels.txt, as Cranfield is often distributed (SameID is then Keep). The JSON lines
// may be compressed (.jsonl.gz). A query without a judgement is left out, and so are
// documents outside the part and their judgements. Errors in a file are
// *corpus.InputError or *trec.LineError, which name file and line.
func Open(dir string, o Options) (*Set, error) {
	p := Parts{Folder: dir, Qrels: o.Qrels, Part: o.Part}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p.Name = filepath.Base(absolute)
	if p.File, err = find(dir, "corpus.jsonl", "corpus.jsonl.gz", "docs.jsonl", "docs.jsonl.gz"); err != nil {
		return nil, err
	}
	plain := strings.HasPrefix(filepath.Base(p.File), "docs.")
	documents, err := corpus.Open(p.File, corpus.Options{})
	if err != nil {
		return nil, err
	}
	p.Documents = InTurn{documents}
	queries, err := find(dir, "queries.jsonl", "queries.jsonl.gz")
	if err != nil {
		return nil, err
	}
	if p.Queries, err = ReadQueries(queries, corpus.Options{}); err != nil {
		return nil, err
	}
	if p.Qrels == "" {
		if o.Split == "" {
			o.Split = DefaultSplit
		}
		candidates := []string{filepath.Join("qrels", o.Split+".tsv")}
		if plain && o.Split == DefaultSplit { // qrels.txt is no other split
			candidates = append(candidates, "qrels.txt")
		}
		if p.Qrels, err = find(dir, candidates...); err != nil {
			return nil, err
		}
	}
	s, err := New(p)
	if err == nil && plain {
		s.SameID = Keep
	}
	return s, err
}

// find returns the first of the named files that exists in a folder.
func find(dir string, names ...string) (string, error) {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return "", &corpus.InputError{File: path, Problem: "not a regular file", Remedy: "check the folder"}
		} else if err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", &corpus.InputError{File: path, Problem: "cannot be read: " + err.Error(), Remedy: "check the folder", Err: err}
		}
	}
	return "", &corpus.InputError{File: filepath.Join(dir, names[0]), Problem: "there is no such file",
		Remedy: "a BEIR folder has corpus.jsonl, queries.jsonl and qrels/" + DefaultSplit + ".tsv", Err: fs.ErrNotExist}
}

// InTurn is a corpus of which each document is done before the next one is read.
type InTurn struct{ *corpus.Corpus }

// Progress implements Source.
func (c InTurn) Progress() (read, size int64) { return c.Corpus.Progress(math.MaxInt64) }
