package mvrag

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// patientsFile has the texts of all patients.
const patientsFile = "PMC-Patients.json"

// openPMC reads a task of PMC-Patients, PPR or PAR, as the authors' evaluation does:
// TASK_corpus.jsonl and TASK_SPLIT_qrels.tsv in the task's folder, and
// queries/SPLIT_queries.jsonl beside it. If the file of queries is missing, they are taken
// from PMC-Patients.json, which is beside the task's folder or one folder above. If the
// corpus of PPR is missing, all patients of that file are the corpus.
func openPMC(ctx context.Context, dir, task, split string) (*beir.Parts, error) {
	p := &beir.Parts{Name: "PMC-Patients " + task}
	above := filepath.Dir(dir)
	all := &patients{path: filepath.Join(above, patientsFile)}
	if !exists(above, patientsFile) && exists(filepath.Dir(above), patientsFile) {
		all.path = filepath.Join(filepath.Dir(above), patientsFile)
	}
	var err error
	if p.Qrels, err = first(filepath.Join(dir, task+"_"+split+"_qrels.tsv")); err != nil {
		return nil, err
	}
	p.File = filepath.Join(dir, task+"_corpus.jsonl")
	switch _, err := os.Stat(p.File); {
	case err == nil:
		documents, err := corpus.Open(p.File, corpus.Options{})
		if err != nil {
			return nil, err
		}
		p.Documents = beir.InTurn{Corpus: documents}
	case task == "PPR" && exists(filepath.Dir(all.path), patientsFile):
		p.File, p.Documents = all.path, all
	default:
		return nil, fault.Errorf(fault.Input, "%s: there is no such file", p.File)
	}
	queries := filepath.Join(above, "queries", split+"_queries.jsonl")
	if _, err := os.Stat(queries); err == nil {
		p.Queries, err = beir.ReadQueries(queries, corpus.Options{})
		return p, err
	}
	p.Queries, err = all.queries(ctx, p.Qrels)
	return p, err
}

// patients are all patients of PMC-Patients.json, a JSON array that is read in pieces.
type patients struct {
	path       string
	read, size atomic.Int64
}

type patient struct {
	UID  string `json:"patient_uid"`
	Text string `json:"patient"`
}

// queries are the patients that a file of judgements asks about, in the order of patients.
func (p *patients) queries(ctx context.Context, qrels string) ([]beir.Query, error) {
	judged, err := inputs.Read(ctx, qrels, func(r io.Reader, name string) (map[string]bool, error) {
		ids := map[string]bool{}
		err := trec.EachJudgement(r, name, func(j *trec.Judgement) error { ids[string(j.Query)] = true; return nil })
		return ids, fault.As(fault.Input, err)
	})
	if err != nil {
		return nil, err
	}
	var queries []beir.Query
	for d, err := range p.Documents() {
		if err != nil {
			return nil, err
		}
		if judged[d.ID] {
			queries = append(queries, beir.Query{ID: d.ID, Text: d.Text})
		}
	}
	return queries, nil
}

// Documents implements beir.Source.
func (p *patients) Documents() iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		stopped := false
		err := p.each(func(d store.Document) bool {
			stopped = !yield(d, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(store.Document{}, err)
		}
	}
}

// Progress implements beir.Source.
func (p *patients) Progress() (read, size int64) { return p.read.Load(), p.size.Load() }

// each visits the patients until visit returns false.
func (p *patients) each(visit func(store.Document) bool) error {
	f, err := os.Open(p.path)
	if err != nil {
		return fault.Errorf(fault.Input, "%s: %w", p.path, fault.Unnamed(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		p.size.Store(info.Size())
	}
	p.read.Store(0)
	bounded := &entryReader{r: f, read: &p.read, left: corpus.MaxRecordBytes}
	d := json.NewDecoder(bounded)
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fault.Errorf(fault.Input, "%s: not a JSON array", p.path)
	}
	seen := map[string]bool{}
	for n := 1; d.More(); n++ {
		var one patient
		err := d.Decode(&one)
		switch {
		case err != nil:
			err = records.Syntax(err)
		case strings.TrimSpace(one.UID) == "" || seen[one.UID]:
			err = fmt.Errorf(`"patient_uid" is missing or there twice: %.80q`, one.UID)
		default:
			err = records.CheckText("patient", one.Text)
		}
		if err != nil {
			return fault.Errorf(fault.Input, "%s: entry %d: %w", p.path, n, err)
		}
		seen[one.UID] = true
		if !visit(store.Document{ID: one.UID, Text: one.Text}) {
			return nil
		}
		bounded.left = corpus.MaxRecordBytes
	}
	if _, err := d.Token(); err != nil {
		return fault.Errorf(fault.Input, "%s: %w", p.path, records.Syntax(err))
	}
	return nil
}

// entryReader bounds how much is read for one entry.
type entryReader struct {
	r    io.Reader
	read *atomic.Int64
	left int
}

func (e *entryReader) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, fmt.Errorf("longer than %d MB", corpus.MaxRecordBytes>>20)
	}
	n, err := e.r.Read(p[:min(len(p), e.left)])
	e.left -= n
	e.read.Add(int64(n))
	return n, err
}
