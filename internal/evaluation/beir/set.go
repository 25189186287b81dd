// Package beir runs retrievers on test collections in the layout of BEIR (Thakur et
// al., NeurIPS 2021) and returns TREC runs.
//
//	set, err := beir.Open("scifact", beir.Options{})
//	bm25, err := retrieve.NewBM25(lexical.DefaultParameters)
//	err = set.Index(ctx, []retrieve.Index{bm25}, nil)
//	run, empty, err := set.Retrieve(ctx, bm25, "bm25", beir.DefaultDepth, nil)
//	evaluation, err := trec.Evaluate(set.Qrels, run, measures, trec.Options{Complete: true})
package beir

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/trec"
)

// Set is a test collection: documents, the queries that are judged, and their
// judgements.
type Set struct {
	Name       string // the folder's name
	Judgements string // the file of the judgements, such as qrels/test.tsv
	Part       string // which documents and judgements are considered; "" if all
	Documents  int    // number of documents, 0 before Index
	Queries    []Query
	Qrels      *trec.Qrels

	// SameID says what to do with a document whose id is the query's.
	SameID SameID

	corpus    Source
	chosen    *part.Chooser
	documents string          // file of the corpus
	qrels     string          // file of the judgements
	asked     map[string]bool // ids of all queries, judged or not
	judged    map[string]int  // line of the first judgement of each document
	ids       []string
	number    map[string]uint32
}

// SameID says whether a document with the query's id is dropped from the query's
// ranking.
type SameID uint8

const (
	// Drop is BEIR's rule: in its sets, a document with the query's id is the query
	// itself.
	Drop SameID = iota
	// Keep is for collections in which queries and documents are numbered
	// independently.
	Keep
)

// Source gives a set its documents, the same ones each time.
type Source interface {
	Documents() iter.Seq2[store.Document, error]
	// Progress returns how many bytes have been read, and how many there are.
	Progress() (read, size int64)
}

// Parts are what a set is made of.
type Parts struct {
	Name      string
	Documents Source
	File      string // of the documents, for errors
	Queries   []Query
	Folder    string // in which Qrels is, for the name of the judgements in reports
	Qrels     string // file of judgements, BEIR's or TREC's
	Others    bool   // Qrels may judge other queries, too, which are left out
	Part      part.Part
}

// New makes a set of its parts, and reads the judgements. Errors are as those of Open.
func New(p Parts) (*Set, error) {
	s := &Set{Name: p.Name, Judgements: p.Qrels, Part: p.Part.String(), corpus: p.Documents, chosen: p.Part.Chooser(), documents: p.File, qrels: p.Qrels, number: map[string]uint32{}}
	if !p.Part.All() {
		if err := s.choose(); err != nil {
			return nil, err
		}
	}
	if inside, err := filepath.Rel(p.Folder, s.qrels); err == nil && filepath.IsLocal(inside) {
		s.Judgements = filepath.ToSlash(inside)
	}
	s.asked = make(map[string]bool, len(p.Queries))
	for _, q := range p.Queries {
		s.asked[q.ID] = true
	}
	var err error
	if s.Qrels, s.judged, err = readQrelsFile(s.qrels, s.asked, p.Others, s.chosen.LeftOut); err != nil {
		return nil, err
	}
	judged := map[string]bool{}
	for _, id := range s.Qrels.Queries() {
		judged[id] = true
	}
	for _, q := range p.Queries {
		if judged[q.ID] {
			s.Queries = append(s.Queries, q)
		}
	}
	return s, nil
}

// Keep keeps some of the queries, and the judgements of these.
func (s *Set) Keep(queries []Query) error {
	asked := make(map[string]bool, len(queries))
	for _, q := range queries {
		asked[q.ID] = true
	}
	qrels, judged, err := readQrelsFile(s.qrels, asked, true, s.chosen.LeftOut)
	if err != nil {
		return err
	}
	s.Queries, s.Qrels, s.judged = queries, qrels, judged
	return nil
}

// Texts reads the encoded texts of some documents by their numbers, after Index.
func (s *Set) Texts(ctx context.Context, documents map[uint32]bool) (map[uint32]string, error) {
	texts := make(map[uint32]string, len(documents))
	for doc, err := range s.corpus.Documents() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if n, there := s.number[doc.ID]; there && documents[n] {
			texts[n] = doc.EncodedText()
		}
	}
	return texts, nil
}

// ID is the id of a document by its number, after Index.
func (s *Set) ID(document uint32) string { return s.ids[document] }

// Dropped returns the document that is left out of a query's ranking, if there is one (see
// SameID), after Index.
func (s *Set) Dropped(q Query) (document uint32, ok bool) {
	document, ok = s.number[q.ID]
	return document, ok && s.SameID == Drop
}

// choose reads which documents are in the part.
func (s *Set) choose() error {
	for doc, err := range s.corpus.Documents() {
		if err != nil {
			return err
		}
		s.chosen.Has(&doc)
	}
	return s.chosen.Check()
}

// Index gives every document of the collection to each of the indexes, in one pass. It must be
// called at least once, even without indexes, because it reads the documents' ids. Further
// calls read the collection again for other indexes, so that not all indexes need to be in
// memory together. progress, which may be nil, receives the number of indexed documents. It is
// an error if a judged document is missing, or if the documents have changed between two
// calls.
func (s *Set) Index(ctx context.Context, indexes []retrieve.Index, progress func(done int64)) error {
	again := s.ids != nil
	done := 0
	texts := make([]string, 0, retrieve.Batch)
	flush := func() error {
		for _, x := range indexes {
			if err := x.Add(ctx, texts); err != nil {
				return fmt.Errorf("documents %d to %d: %w", done-len(texts), done-1, err)
			}
		}
		texts = texts[:0]
		if progress != nil {
			progress(int64(done))
		}
		return ctx.Err()
	}
	changed := &corpus.InputError{File: s.documents, Problem: "the documents have changed since they were first read", Remedy: "leave the file alone during an evaluation, and run it again"}
	for doc, err := range s.corpus.Documents() {
		switch {
		case err != nil:
			return err
		case s.chosen.LeftOut(doc.ID):
			continue
		case !again:
			s.number[doc.ID] = uint32(len(s.ids))
			s.ids = append(s.ids, doc.ID)
		case done == len(s.ids) || s.ids[done] != doc.ID:
			return changed
		}
		done++
		if texts = append(texts, doc.EncodedText()); len(texts) == retrieve.Batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if again && done < len(s.ids) {
		return changed
	}
	if s.Documents = len(s.ids); s.Documents == 0 {
		return &corpus.InputError{File: s.documents, Problem: "no documents in it", Remedy: "check that it is the right file"}
	}
	return s.checkJudged()
}

// checkJudged refuses judgements of documents that are not in the corpus.
func (s *Set) checkJudged() error {
	first, missing := 0, ""
	for id, line := range s.judged {
		if _, known := s.number[id]; !known && (first == 0 || line < first) {
			first, missing = line, id
		}
	}
	if first == 0 {
		return nil
	}
	return &trec.LineError{File: s.qrels, Line: first, Problem: fmt.Sprintf("there is no document %.80q in the corpus", missing)}
}

// Progress returns how many bytes of the corpus Index has read, and the size of the
// corpus in bytes, as a progress.Bar asks for it.
func (s *Set) Progress(int64) (read, size int64) { return s.corpus.Progress() }
