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
	first map[string]uint32 // by query: a document that some ranking has, the first one seen
}

func (b *runSet) add(data *Perspectrum, retriever, ranking string, c *Claim, documents []uint32) error {
	name := runName(retriever, ranking)
	run := b.runs[name]
	if run == nil {
		if b.runs == nil {
			b.runs, b.first = map[string]*trec.Run{}, map[string]uint32{}
		}
		run = trec.NewRun(name, name)
		b.runs[name], b.names = run, append(b.names, name)
	}
	if _, ok := b.first[c.Name]; !ok && len(documents) > 0 {
		b.first[c.Name] = documents[0]
	}
	for i, document := range documents {
		if err := run.Add(c.Name, data.IDs[document], float32(len(documents)-i)); err != nil {
			return err
		}
	}
	return nil
}

// runName is the name of the run of a retriever's ranking.
func runName(retriever, ranking string) string {
	if ranking == AsRetrieved {
		return retriever
	}
	return retriever + "-" + ranking
}

// judgementsPlace is the path of the judgements beside the runs.
func judgementsPlace(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".qrels"
}

// checkPlaces refuses a --run-out if one of its files could not be written, or would replace a file that is read.
func (e *Experiment) checkPlaces(files *Files) error {
	if e.RunOut == "" {
		return nil
	}
	read := slices.Concat(files.Expansions, []string{files.Pool, files.Claims, files.Splits, files.Detection, e.Corpus, e.Expansions, e.Chat.Replay, e.Chat.KeyFile})
	qrels := judgementsPlace(e.RunOut)
	if err := file.CheckOther(qrels, read...); err != nil {
		return err
	}
	if err := file.CheckReplace(qrels); err != nil {
		return err
	}
	var names []string
	for _, retriever := range e.Retrievers {
		for _, ranking := range []string{AsRetrieved, Diversified, Expanded, ByModel} {
			names = append(names, runName(retriever, ranking))
		}
	}
	return runs.CheckPlaces(e.RunOut, true, names, read...)
}

// sideName names a perspective in judgements.
func (c *Claim) sideName(side int) string {
	if len(c.Documents) != Perspectives {
		return strconv.Itoa(side + 1)
	}
	return []string{"support", "oppose"}[side]
}

// write writes each run to a file of its own, and a file of judgements. Each document
// of a claim has one judgement per side: 1 if it is on that side, otherwise 0. A claim
// without documents has a retrieved one with judgements of 0, or else the first of all: a
// query that is missing from the judgements would be left out of their means, and count 0 in ours.
func (b *runSet) write(path string, data *Perspectrum, console *console.Console) error {
	if path == "" {
		return nil
	}
	qrels := judgementsPlace(path)
	err := file.Replace(qrels, func(w io.Writer) error {
		for _, c := range data.Split(Test) {
			documents := slices.Concat(c.Documents...)
			if len(documents) == 0 {
				documents = append(documents, b.first[c.Name])
			}
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
