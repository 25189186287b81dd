package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
	judged, err := texts(filepath.Join(bundled(), "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	t.asked = []list{{"judged queries", judged}}
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
		t.asked = append(t.asked, list{f.name, all})
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
	content, err := os.ReadFile(filepath.Join(dir, "qrels.txt"))
	if err != nil {
		return nil, err
	}
	relevant := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		f := strings.Fields(line)
		if len(f) != 4 {
			return nil, fmt.Errorf("qrels.txt: %q", line)
		}
		document, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, err
		}
		relevant[f[0]] = relevant[f[0]] || document <= most && f[3] != "0" && f[3] != "-1"
	}
	var judged []string
	err = read(filepath.Join(dir, "queries.jsonl"), func(q struct{ ID, Text string }) {
		if relevant[q.ID] {
			judged = append(judged, q.Text)
		}
	})
	t.asked = append([]list{{"judged queries", judged}, {"judged queries of debates", debates.asked[0].queries}}, debates.asked[1:]...)
	return t, err
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
		Perspectrum struct{ Corpus, Queries []string }
	}
	if err := json.Unmarshal(content, &data); err != nil {
		return nil, err
	}
	t := &task{name: "Perspectrum"}
	seen := map[string]bool{}
	for i, text := range data.Perspectrum.Corpus {
		if !seen[text] {
			seen[text] = true
			t.documents = append(t.documents, vantage.Document{ID: strconv.Itoa(i), Text: text})
		}
	}
	judged := list{name: "judged queries"}
	for i := 0; i < len(data.Perspectrum.Queries); i += 4 {
		judged.queries = append(judged.queries, data.Perspectrum.Queries[i])
	}
	t.asked = []list{judged}
	for _, l := range debates.asked {
		if strings.HasSuffix(l.name, " questions") {
			t.asked = append(t.asked, list{l.name + ", no debates", everyday(l.queries)})
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

func texts(path string) (out []string, err error) {
	err = read(path, func(q struct{ Text string }) { out = append(out, q.Text) })
	return out, err
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
