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

// Set is documents, and questions about them that are divided into two splits.
type Set struct {
	Name       string
	IDs        []string // of the documents
	Documents  []string
	Validation []Question // λ and K are chosen by these
	Test       []Question
	Notes      []string // how the contexts came about
}

// Question is a question of somebody who has contexts.
type Question struct {
	ID, Text string
	Gold     []int // relevant documents, at least one
	Contexts []string
	Right    int // the context that the question is about, -1 if there is none
}

// right is the text of the right context; ok is false if there is none.
func (q *Question) right() (text string, ok bool) {
	if q.Right < 0 {
		return "", false
	}
	return q.Contexts[q.Right], true
}

// Open reads the data set in a folder: OR-ShARC's files, or BEIR's with contexts. seed
// draws the contexts that OR-ShARC lacks.
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
