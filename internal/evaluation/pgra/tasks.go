// Package pgra evaluates prompt-guided retrieval augmentation ("Prompt-Guided Retrieval
// Augmentation for Non-Knowledge-Intensive Tasks", Guo et al. 2023): evidence for texts that
// are to be classified, found by an encoder and reranked by what a language model makes of
// it behind demonstrations of the task.
package pgra

import (
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// task is one of the paper's tasks (Table 12), with the files of ../shared/data/nki.
type task struct {
	name        string
	train, test string // files; without test, rows of train are drawn
	columns     bool   // CoLA's columns in place of "label text"
	matthews    bool   // measured by Matthews' correlation, the others by accuracy
	template    string // its file
	length      int    // average number of words as the paper has it
}

// drawnRows of a task without a test file are tested, as in LM-BFF, whose splits the paper
// has; of fewer than leastRows, it is half.
const (
	drawnRows = 2000
	leastRows = 3000
)

var tasks = []task{
	{"SST-2", "stsa.binary.train.txt", "stsa.binary.dev.txt", false, false, "sentiment.txt", 19},
	{"SST-5", "stsa.fine.train.txt", "stsa.fine.test.txt", false, false, "sst-5.txt", 18},
	{"CoLA", "cola_in_domain_train.tsv", "cola_in_domain_dev.tsv", true, true, "cola.txt", 8},
	{"TREC", "TREC.train.all.txt", "TREC.test.all.txt", false, false, "trec.txt", 10},
	{"CR", "custrev.all.txt", "", false, false, "sentiment.txt", 19},
	{"MR", "rt-polarity.all.txt", "", false, false, "sentiment.txt", 20},
	{"MPQA", "mpqa.all.txt", "", false, false, "sentiment.txt", 3},
	{"Subj", "subj.all.txt", "", false, false, "subj.txt", 23},
}

// Names are the names of the tasks, in the paper's order.
func Names() []string {
	names := make([]string, len(tasks))
	for i := range tasks {
		names[i] = tasks[i].name
	}
	return names
}

// choose finds tasks by their names, of any case, in the paper's order; without names, all.
func choose(names []string) (out []int, err error) {
	asked := map[string]bool{}
	for _, name := range names {
		found := false
		for i := range tasks {
			if strings.EqualFold(tasks[i].name, name) {
				if asked[tasks[i].name] {
					return nil, fault.Errorf(fault.Query, "--task %s is given twice", name)
				}
				asked[tasks[i].name], found = true, true
			}
		}
		if !found {
			return nil, fault.Errorf(fault.Query, "--task %s is not known: the tasks are %s", name, strings.Join(Names(), ", "))
		}
	}
	for i := range tasks {
		if len(names) == 0 || asked[tasks[i].name] {
			out = append(out, i)
		}
	}
	return out, nil
}

func (t *task) metric() string {
	if t.matthews {
		return "Matthews correlation"
	}
	return "accuracy"
}
