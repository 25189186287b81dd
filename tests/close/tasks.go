package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage"
)

// bundled is the folder of the bundled corpus.
func bundled() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "examples", "debates")
}

// debates is the bundled corpus. Its lists are judged queries, keywords for its topics, and
// questions and keywords on subjects that it lacks. The constants of
// internal/collection/foreign.go were chosen on the judged queries and dev.txt. test.txt was asked
// only afterwards.
func debates() (*task, error) {
	t := &task{name: "debates"}
	var err error
	if t.documents, err = documents(filepath.Join(bundled(), "corpus.jsonl"), 0); err != nil {
		return nil, err
	}
	judged, err := judged(filepath.Join(bundled(), "queries.jsonl"), filepath.Join(bundled(), "qrels", "test.tsv"))
	if err != nil {
		return nil, err
	}
	t.judged, t.asked = judged, []list{judged}
	for _, f := range []struct{ name, file string }{
		{"debates' topics as keywords", "own-keywords.txt"},
		{"development questions", "dev.txt"},
		{"test questions", "test.txt"},
		{"keywords on other subjects", "test-keywords.txt"},
	} {
		all, err := lines(filepath.Join(bundled(), "foreign", f.file))
		if err != nil {
			return nil, err
		}
		t.asked = append(t.asked, list{name: f.name, queries: all})
	}
	return t, nil
}

// cranfield is the first 300 abstracts of Cranfield, and the queries for which one of them
// is relevant. The queries of the bundled corpus are on subjects that Cranfield lacks.
func cranfield(shared string, debates *task) (*task, error) {
	const most = 300
	dir := filepath.Join(shared, "data", "cranfield")
	t := &task{name: "Cranfield"}
	var err error
	if t.documents, err = documents(filepath.Join(dir, "docs.jsonl"), most); err != nil {
		return nil, err
	}
	all, err := judged(filepath.Join(dir, "queries.jsonl"), filepath.Join(dir, "qrels.txt"))
	if err != nil {
		return nil, err
	}
	queries := list{name: all.name}
	for i, relevant := range all.relevant {
		maps.DeleteFunc(relevant, func(id string, _ bool) bool {
			return !slices.ContainsFunc(t.documents, func(d vantage.Document) bool { return d.ID == id })
		})
		if len(relevant) > 0 {
			queries.queries = append(queries.queries, all.queries[i])
			queries.relevant = append(queries.relevant, relevant)
		}
	}
	t.asked = append([]list{queries, {name: "judged queries of debates", queries: debates.asked[0].queries}}, debates.asked[1:]...)
	return t, nil
}

// perspectrum is the test part of Perspectrum in PIR's form, with every fourth query. It
// has debates on most of the subjects that the bundled corpus lacks, so of those questions
// only the ones that are not up for debate are asked.
func perspectrum(shared string, debates *task) (*task, error) {
	content, err := os.ReadFile(filepath.Join(shared, "data", "pir_full", "perspectrum_test_nodedup.json"))
	if err != nil {
		return nil, err
	}
	var data struct {
		Perspectrum struct {
			Corpus, Queries []string
			Relevant        map[string][]int `json:"key_ref"` // by the number of the query: numbers of texts
		}
	}
	if err := json.Unmarshal(content, &data); err != nil {
		return nil, err
	}
	t := &task{name: "Perspectrum"}
	ids := map[string]string{} // by text
	for i, text := range data.Perspectrum.Corpus {
		if ids[text] == "" {
			ids[text] = strconv.Itoa(i)
			t.documents = append(t.documents, vantage.Document{ID: ids[text], Text: text})
		}
	}
	judged := list{name: judgedQueries}
	for i, text := range data.Perspectrum.Queries {
		relevant := map[string]bool{}
		for _, k := range data.Perspectrum.Relevant[strconv.Itoa(i)] {
			if k < 0 || k >= len(data.Perspectrum.Corpus) {
				return nil, fmt.Errorf("query %d: there is no text %d", i, k)
			}
			relevant[ids[data.Perspectrum.Corpus[k]]] = true
		}
		t.judged.queries, t.judged.relevant = append(t.judged.queries, text), append(t.judged.relevant, relevant)
		if i%4 == 0 {
			judged.queries, judged.relevant = append(judged.queries, text), append(judged.relevant, relevant)
		}
	}
	t.asked = []list{judged}
	for _, l := range debates.asked {
		if strings.HasSuffix(l.name, " questions") {
			t.asked = append(t.asked, list{name: l.name + ", no debates", queries: everyday(l.queries)})
		}
	}
	return t, nil
}

// everyday returns the questions that are not up for debate.
func everyday(questions []string) (out []string) {
	for _, q := range questions {
		if !strings.HasPrefix(q, "Should ") && !strings.HasPrefix(q, "Is ") {
			out = append(out, q)
		}
	}
	return out
}

// documents reads the first documents of a corpus, at most the given number. 0 means all.
func documents(path string, most int) (out []vantage.Document, err error) {
	err = read(path, func(d struct {
		ID          string `json:"_id"`
		Other       string `json:"id"`
		Title, Text string
	}) {
		if most == 0 || len(out) < most {
			out = append(out, vantage.Document{ID: d.ID + d.Other, Title: d.Title, Text: d.Text})
		}
	})
	return out, err
}

const judgedQueries = "judged queries"

// judged reads queries, and judgements of them in the form of TREC or BEIR. Documents with a
// positive grade are relevant.
func judged(queries, qrels string) (list, error) {
	l := list{name: judgedQueries}
	judgements := map[string]map[string]bool{}
	all, err := lines(qrels)
	if err != nil {
		return l, err
	}
	for _, line := range all {
		f := strings.Fields(line)
		if len(f) < 3 {
			return l, fmt.Errorf("%s: %q", qrels, line)
		}
		query, document, grade := f[0], f[len(f)-2], f[len(f)-1]
		if judgements[query] == nil {
			judgements[query] = map[string]bool{}
		}
		if n, err := strconv.Atoi(grade); err == nil && n > 0 {
			judgements[query][document] = true
		}
	}
	return l, read(queries, func(q struct {
		ID    string `json:"_id"`
		Other string `json:"id"`
		Text  string
	}) {
		l.queries = append(l.queries, q.Text)
		l.relevant = append(l.relevant, judgements[q.ID+q.Other])
	})
}

// read decodes each line of a file.
func read[T any](path string, each func(T)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		each(v)
	}
	return s.Err()
}

// lines returns the lines of a file that are not blank.
func lines(path string) (out []string, err error) {
	content, err := os.ReadFile(path)
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out, err
}
