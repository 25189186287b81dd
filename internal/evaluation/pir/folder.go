package pir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

const (
	corpusFile  = "corpus.jsonl"
	queriesFile = "queries.jsonl"

	// publishedPrefix precedes the task's name in the names of the published folders.
	publishedPrefix = "perspective-information-retrieval-"
)

func isTask(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, corpusFile))
	return err == nil && !info.IsDir()
}

// readFolders reads the tasks in the subfolders of a folder.
func readFolders(dir string, p part.Part) ([]Task, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var tasks []Task
	folders := map[string]string{} // by the task's name
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !isTask(path) {
			continue
		}
		name, err := taskName(path)
		if err != nil {
			return nil, err
		}
		if other, taken := folders[name]; taken {
			return nil, fmt.Errorf("%s and %s are both of task %s: keep one of the two, or name the one that you mean", other, path, name)
		}
		folders[name] = path
		task, err := readFolder(path, p)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s: neither %s nor a folder with one: give a task's folder, or the demo file", dir, corpusFile)
	}
	sortTasks(tasks)
	return tasks, nil
}

// ReadFolder reads a task in the published layout, which extends BEIR's: corpus.jsonl,
// queries.jsonl and qrels/test.jsonl or qrels/test.tsv. A query has its root and
// perspective in "meta", a JSON object that is written as a string ({"src_query": …,
// "perspective": …}), or in fields "root" and "perspective" of its own. Its label is
// "label" in its metadata, or else follows from the perspective's wording. If a text
// has a title, the title precedes it.
//
// The task's name is the folder's, without the prefix of the published names. A text's
// location is "location" or "place" in its metadata. A query's location is the "value"
// in its metadata if "field" names one of these. If no text has a location, Task.locate
// finds both.
func ReadFolder(dir string) (Task, error) { return readFolder(dir, part.Part{}) }

// readFolder reads a task without the texts outside a part of its corpus.
func readFolder(dir string, p part.Part) (Task, error) {
	task, err := taskName(dir)
	if err != nil {
		return Task{}, err
	}
	t := Task{Name: task}
	places := map[string]int{}
	located, chosen := false, p.Chooser()
	err = each(filepath.Join(dir, corpusFile), func(d *store.Document) error {
		if !chosen.Has(d) {
			return nil
		}
		places[d.ID] = len(t.Corpus)
		t.Corpus, t.TextIDs = append(t.Corpus, d.EncodedText()), append(t.TextIDs, d.ID)
		place := textOf(d.Metadata, "location", "place")
		t.Locations = append(t.Locations, place)
		located = located || place != ""
		return nil
	})
	if err != nil {
		return t, err
	}
	if err := chosen.Check(); err != nil {
		return t, fmt.Errorf("%s: %w", dir, err)
	}
	judged, err := readGold(dir, places, chosen.LeftOut)
	if err != nil {
		return t, err
	}
	err = each(filepath.Join(dir, queriesFile), func(d *store.Document) error {
		q, err := queryOf(d)
		if err != nil {
			return err
		}
		gold := judged.take(d.ID)
		if len(gold) == 0 {
			t.Unjudged++
			return nil
		}
		t.add(q, gold)
		t.QueryIDs = append(t.QueryIDs, d.ID)
		return nil
	})
	if err == nil {
		err = judged.rest(filepath.Join(dir, queriesFile))
	}
	if err == nil {
		err = t.complete(dir)
	}
	if err != nil {
		return t, err
	}
	if !located {
		t.Locations, t.Desired = nil, nil
		t.locate()
	}
	return t, nil
}

// taskName is the folder's name, without the prefix of the published names.
func taskName(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(filepath.Base(absolute), publishedPrefix), nil
}

// each reads the records of a file of JSON lines.
func each(path string, do func(*store.Document) error) error {
	c, err := corpus.Open(path, corpus.Options{})
	if err != nil {
		return err
	}
	for d, err := range c.Documents() {
		if err != nil {
			return err
		}
		if err := do(&d); err != nil {
			return fmt.Errorf("%s: %.80q: %w", path, d.ID, err)
		}
	}
	return nil
}

// folderQuery is a line of queries.jsonl.
type folderQuery struct {
	text, root, perspective, label, desired string
}

func queryOf(d *store.Document) (folderQuery, error) {
	q := folderQuery{text: d.Text, root: textOf(d.Metadata, "root"), perspective: textOf(d.Metadata, "perspective"), label: textOf(d.Metadata, "label")}
	if field := textOf(d.Metadata, "field"); field == "location" || field == "place" {
		q.desired = textOf(d.Metadata, "value")
	}
	meta, err := metaOf(d.Metadata["meta"])
	if err != nil {
		return q, err
	}
	for field, into := range map[string]*string{"src_query": &q.root, "perspective": &q.perspective, "label": &q.label} {
		if text := textOf(meta, field); text != "" {
			*into = text
		}
	}
	switch {
	case q.text == "":
		return q, fmt.Errorf("the query is empty")
	case q.root == "":
		return q, fmt.Errorf(`no root query: give it as "src_query" in "meta" or as "root"`)
	}
	return q, nil
}

// metaOf is the object in a "meta" field. The published files hold it as a string.
func metaOf(field any) (map[string]any, error) {
	switch meta := field.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return meta, nil
	case string:
		var object map[string]any
		if err := unpack.JSON([]byte(meta), &object); err != nil {
			return nil, fmt.Errorf(`"meta" is not a JSON object: %w`, err)
		}
		if err := jsonlite.Unique([]byte(meta)); err != nil {
			return nil, fmt.Errorf(`"meta": %w: keep one of the two`, err)
		}
		return object, nil
	}
	return nil, fmt.Errorf(`"meta" is neither an object nor a string that holds one`)
}

// textOf is the first of the fields that is a string, or empty.
func textOf(fields map[string]any, names ...string) string {
	for _, name := range names {
		if text, ok := fields[name].(string); ok {
			return text
		}
	}
	return ""
}

func (t *Task) add(q folderQuery, gold []int) {
	if q.label == "" {
		q.label = labelOf(t.Name, q.perspective)
	}
	t.Queries, t.Roots, t.Perspectives = append(t.Queries, q.text), append(t.Roots, q.root), append(t.Perspectives, q.perspective)
	t.Labels, t.Gold, t.Desired = append(t.Labels, q.label), append(t.Gold, gold), append(t.Desired, q.desired)
}

// complete makes the checks that need all queries. If no query has a perspective, each
// query is its own perspective, as in AmbigQA.
func (t *Task) complete(dir string) error {
	if len(t.Queries) == 0 {
		return fmt.Errorf("%s: no query has a gold text: check that qrels and %s use the same ids", dir, queriesFile)
	}
	without := 0
	for _, p := range t.Perspectives {
		if p == "" {
			without++
		}
	}
	switch without {
	case 0:
	case len(t.Queries):
		copy(t.Perspectives, t.Queries)
	default:
		return fmt.Errorf("%s: %d of %d queries have no perspective: give one to each, or to none", filepath.Join(dir, queriesFile), without, len(t.Queries))
	}
	return nil
}
