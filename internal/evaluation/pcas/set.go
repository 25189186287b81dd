// Package pcas evaluates the joint retrieval of documents and private contexts ("How Can
// Context Help?", Wan et al. 2023): PCAS and the systems OR, B1, B2 and B3, which package
// joint computes.
package pcas

import (
	"context"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Set has documents, and two splits of questions about them.
type Set struct {
	Name       string
	IDs        []string // of the documents
	Documents  []string
	Validation []Question // λ and K are chosen on these
	Test       []Question
	Notes      []string // where the contexts come from, as sentences for the report
}

// Question is a question, with the contexts of the user who asks it.
type Question struct {
	ID, Text string
	Gold     []int // indexes of the relevant documents, at least one
	Contexts []string
	Right    int // index of the context that the question is about, or -1
}

// right returns the text of the right context. ok is false if there is none.
func (q *Question) right() (text string, ok bool) {
	if q.Right < 0 {
		return "", false
	}
	return q.Contexts[q.Right], true
}

// Open reads the data set in a folder: OR-ShARC's files, or BEIR's with contexts.jsonl.
// OR-ShARC has only the right contexts, so the others are drawn at random, from seed.
func Open(ctx context.Context, dir string, seed uint64) (*Set, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(absolute)
	if exists(dir, snippetsFile) {
		return openShARC(ctx, dir, name, seed)
	}
	if exists(dir, contextsFile) {
		return openBEIR(ctx, dir, name)
	}
	return nil, fault.Errorf(fault.Input, "%s: neither %s of OR-ShARC nor %s beside BEIR's corpus.jsonl and queries.jsonl is there: name the folder that holds one", dir, snippetsFile, contextsFile)
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
