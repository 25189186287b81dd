package berds

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/trec"
)

// runSet holds the retrievers' rankings as TREC runs. Query ids are ids of claims,
// document ids those of perspectives or of the corpus. Scores only reflect ranks, because some of the
// rankings have no scores.
type runSet struct {
	names []string
	runs  map[string]*trec.Run
}

func (b *runSet) add(data *Perspectrum, retriever, ranking string, c *Claim, documents []uint32) error {
	name := retriever
	if ranking != AsRetrieved {
		name += "-" + ranking
	}
	run := b.runs[name]
	if run == nil {
		if b.runs == nil {
			b.runs = map[string]*trec.Run{}
		}
		run = trec.NewRun(name, name)
		b.runs[name], b.names = run, append(b.names, name)
	}
	for i, document := range documents {
		if err := run.Add(c.Name, data.IDs[document], float32(len(documents)-i)); err != nil {
			return err
		}
	}
	return nil
}

// sideName names a perspective in judgements.
func (c *Claim) sideName(side int) string {
	if len(c.Documents) != Perspectives {
		return strconv.Itoa(side + 1)
	}
	return []string{"support", "oppose"}[side]
}

// write writes each run to a file of its own, and a file of judgements. Each document
// of a claim has one judgement per side: 1 if it is on that side, otherwise 0.
func (b *runSet) write(path string, data *Perspectrum, console *console.Console) error {
	if path == "" {
		return nil
	}
	qrels := strings.TrimSuffix(path, filepath.Ext(path)) + ".qrels"
	err := file.Replace(qrels, func(w io.Writer) error {
		for _, c := range data.Split(Test) {
			documents := slices.Concat(c.Documents[:]...)
			slices.Sort(documents)
			for _, document := range slices.Compact(documents) {
				for side := range c.Documents {
					grade := 0
					if slices.Contains(c.Documents[side], document) {
						grade = 1
					}
					if _, err := fmt.Fprintf(w, "%s %s %s %d\n", c.Name, c.sideName(side), data.IDs[document], grade); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	console.Printf("%s: judgements by side\n", human.Escape(qrels))
	for _, name := range b.names {
		if err := runs.Write(path, true, b.runs[name], name, console); err != nil {
			return err
		}
	}
	return nil
}
