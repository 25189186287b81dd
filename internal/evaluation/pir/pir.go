// Package pir reads the PIR benchmark (Beyond Relevance, paper §2) in both published
// layouts: the demo file, which is one JSON object with all tasks, and one folder per
// task (see ReadFolder).
package pir

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Tasks of the demo file, in the paper's order of mention.
var taskOrder = []string{"perspectrum", "agnews", "story", "ambigqa", "allsides", "exfever"}

// Task is one of the benchmark's tasks. Queries, Roots, Perspectives, Labels and
// Gold have one entry per query.
type Task struct {
	Name         string
	Corpus       []string
	Queries      []string // full wording
	Roots        []string // wording without the perspective
	Perspectives []string
	Labels       []string
	Gold         [][]int // indexes into Corpus, at least one per query

	// The next two are nil except for tasks about places (AGNews):
	Locations []string // location of each text in Corpus, empty if unknown
	Desired   []string // location that each query asks for, or empty

	// TextIDs and QueryIDs are nil if the layout has no ids.
	TextIDs, QueryIDs []string

	// Unjudged is the number of queries that were left out because the folder's qrels
	// have no gold text for them.
	Unjudged int
}

// OwnPerspectives reports whether the task's perspectives are separate texts. AmbigQA
// repeats the query instead; its perspective is then the difference of query and root
// (see perspective.Difference).
func (t *Task) OwnPerspectives() bool { return !slices.Equal(t.Perspectives, t.Queries) }

// TextID is the id of a text of the corpus, or its index if the layout has no ids.
func (t *Task) TextID(place int) string { return idOf(t.TextIDs, place) }

// QueryID is the id of a query, or its index if the layout has no ids.
func (t *Task) QueryID(i int) string { return idOf(t.QueryIDs, i) }

func idOf(ids []string, place int) string {
	if ids == nil {
		return strconv.Itoa(place)
	}
	return ids[place]
}

// maxFile is the greatest length in bytes of the demo file, which is read into memory.
const maxFile = 1 << 30

// Open reads the tasks at path: a demo file, the folder of a task, or a folder of such
// folders. Errors name file, task and query.
func Open(path string) ([]Task, error) { return OpenPart(path, part.Part{}) }

// OpenPart reads tasks as Open does, without the texts outside a part and without their
// judgements. A demo file has no metadata to choose by.
func OpenPart(path string, p part.Part) ([]Task, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !p.All() {
		return nil, fault.Errorf(fault.Query, "%s: %s: a demo file has no metadata to choose texts by: name a task's folder", path, p.String())
	}
	if !info.IsDir() {
		return ReadFile(path)
	}
	if isTask(path) {
		task, err := readFolder(path, p)
		return []Task{task}, err
	}
	return readFolders(path, p)
}

// ReadFile reads the demo file. Errors name the task and the query.
func ReadFile(path string) ([]Task, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tasks, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tasks, nil
}

// Read reads the demo layout: a JSON object of tasks. Each task has a corpus, lists with an
// entry for each query, and key_ref with the gold texts of each query.
func Read(r io.Reader) ([]Task, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("more than %d MB: this is not a demo file of PIR", maxFile>>20)
	}
	var raw map[string]rawTask
	if err := unpack.JSON(b, &raw); err != nil {
		return nil, fmt.Errorf("not a demo file of PIR: %w", err)
	}
	if err := jsonlite.Unique(b); err != nil {
		return nil, fmt.Errorf("%w: keep one of the two", err)
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("no tasks: this is not a demo file of PIR")
	}
	var tasks []Task
	for name, t := range raw {
		task, err := t.task(name)
		if err != nil {
			return nil, fmt.Errorf("task %q: %w", name, err)
		}
		tasks = append(tasks, task)
	}
	sortTasks(tasks)
	return tasks, nil
}

func sortTasks(tasks []Task) {
	slices.SortFunc(tasks, func(a, b Task) int { return compareNames(a.Name, b.Name) })
}

type rawTask struct {
	Corpus       []string         `json:"corpus"`
	Queries      []string         `json:"queries"`
	Roots        []string         `json:"source_queries"`
	Perspectives []string         `json:"perspectives"`
	Labels       []string         `json:"query_labels"`
	Gold         map[string][]int `json:"key_ref"`
}

func (r *rawTask) task(name string) (Task, error) {
	t := Task{Name: name, Corpus: r.Corpus, Queries: r.Queries, Roots: r.Roots, Perspectives: r.Perspectives, Labels: r.Labels}
	n := len(t.Queries)
	if n == 0 || len(t.Corpus) == 0 {
		return t, fmt.Errorf("%d queries on %d texts", n, len(t.Corpus))
	}
	for field, length := range map[string]int{"source_queries": len(t.Roots), "perspectives": len(t.Perspectives), "query_labels": len(t.Labels), "key_ref": len(r.Gold)} {
		if length != n {
			return t, fmt.Errorf("%s has %d entries for %d queries", field, length, n)
		}
	}
	t.Gold = make([][]int, n)
	for key, gold := range r.Gold {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= n || key != strconv.Itoa(i) { // "00" would be a second "0"
			return t, fmt.Errorf("key_ref names query %q of %d", key, n)
		}
		for _, g := range gold {
			if g < 0 || g >= len(t.Corpus) {
				return t, fmt.Errorf("query %d: gold text %d of %d", i, g, len(t.Corpus))
			}
		}
		if len(gold) == 0 {
			return t, fmt.Errorf("query %d has no gold text: leave it out", i)
		}
		t.Gold[i] = gold
	}
	t.locate()
	return t, nil
}

// compareNames puts the benchmark's tasks first, in the paper's order, and other tasks
// after them.
func compareNames(a, b string) int {
	place := func(name string) int {
		if i := slices.Index(taskOrder, name); i >= 0 {
			return i
		}
		return len(taskOrder)
	}
	if d := place(a) - place(b); d != 0 {
		return d
	}
	if a < b {
		return -1
	}
	return 1
}
