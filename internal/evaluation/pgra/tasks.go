// Package pgra evaluates prompt-guided retrieval augmentation ("Prompt-Guided Retrieval
// Augmentation for Non-Knowledge-Intensive Tasks", Guo et al. 2023). It retrieves evidence for
// texts that are to be classified. In stage 1, an encoder finds candidates. In stage 2, a
// language model reads the text and each candidate after demonstrations of the task, and the
// candidates are reranked by the similarity of its hidden states.
package pgra

import (
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// task is one of the paper's tasks (Table 12), with the files of ../shared/data/nki.
type task struct {
	name        string
	train, test string // files; if test is empty, rows of train are drawn for the test
	columns     bool   // lines have CoLA's columns, not "label text"
	matthews    bool   // measured by Matthews' correlation, the others by accuracy
	template    string // its file
	length      int    // average number of words of a text, by the paper
}

// If a task has no test file, drawnRows of its rows are drawn for the test, as in LM-BFF, whose
// splits the paper uses. If it has fewer than leastRows rows, half of them are drawn.
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

// Names returns the names of the tasks, in the paper's order.
func Names() []string {
	names := make([]string, len(tasks))
	for i := range tasks {
		names[i] = tasks[i].name
	}
	return names
}

// choose returns the numbers of the tasks with the given names, in the paper's order, or of all
// tasks if no name is given. Case does not matter.
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
