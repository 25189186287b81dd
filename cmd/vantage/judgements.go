package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/wasm/search"
	"github.com/vantage-search/vantage/wasm/store"
)

// Limits of what a page measures itself on. It asks every query twice.
const (
	maxJudgedQueries   = 10_000
	maxJudgements      = 1_000_000
	maxJudgementsBytes = 16 << 20 // of the file that the page loads
	maxQrelsLine       = 1 << 20
)

// judgements are queries with the documents that answer them, as the page reads
// them.
type judgements struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Queries []judgedQuery `json:"queries"`

	unjudged int             // queries left out
	unseen   map[string]bool // gold documents that the corpus has not shown yet
}

type judgedQuery struct {
	ID           string   `json:"id"`
	Text         string   `json:"text"`
	Root         string   `json:"root,omitempty"`
	Perspectives []string `json:"perspectives,omitempty"`
	Label        string   `json:"label,omitempty"`
	Gold         []string `json:"gold"`
}

// readJudgements reads queries and BEIR's judgements of them. Queries without a
// document that answers them are left out: no ranking could find it.
func readJudgements(ctx context.Context, queriesPath, qrelsPath string) (*judgements, error) {
	queries, err := readQueries(ctx, queriesPath, search.Query{})
	if err != nil {
		return nil, err
	}
	if len(queries) > maxJudgedQueries {
		return nil, inputf("%s: %d queries, a page measures itself on at most %d: give fewer", queriesPath, len(queries), maxJudgedQueries)
	}
	known := map[string]bool{}
	for _, q := range queries {
		known[q.id] = true
	}
	gold, err := readFile(ctx, qrelsPath, func(r io.Reader, name string) (map[string][]string, error) { return readGold(r, name, known) })
	if err != nil {
		return nil, err
	}
	j := &judgements{Format: "vantage-judgements", Version: 1, Queries: []judgedQuery{}, unseen: map[string]bool{}}
	for _, q := range queries {
		if len(gold[q.id]) == 0 {
			j.unjudged++
			continue
		}
		if q.Query.Query.Text == "" {
			return nil, inputf(`%s:%d: query %.80q has no "text": a page encodes words`, queriesPath, q.line, q.id)
		}
		judged := judgedQuery{ID: q.id, Text: q.Query.Query.Text, Label: q.label, Gold: gold[q.id]}
		if q.Root != nil {
			judged.Root = q.Root.Text
		}
		for _, p := range q.Perspectives {
			judged.Perspectives = append(judged.Perspectives, p.Text)
		}
		for _, id := range judged.Gold {
			j.unseen[id] = true
		}
		j.Queries = append(j.Queries, judged)
	}
	if len(j.Queries) == 0 {
		return nil, inputf("%s: it names no document that answers a query: scores above 0 do", qrelsPath)
	}
	return j, nil
}

// readGold reads lines of query-id, corpus-id and score between tabs, below a
// heading, and keeps the documents with a score above 0 by query.
func readGold(r io.Reader, name string, known map[string]bool) (map[string][]string, error) {
	gold := map[string][]string{}
	taken := map[[2]string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxQrelsLine)
	number := 0
	fault := func(format string, args ...any) error {
		return fmt.Errorf("%s:%d: %w", name, number, fmt.Errorf(format, args...))
	}
	for lines.Scan() {
		number++
		line := lines.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		fields := strings.Split(string(line), "\t")
		if len(fields) != 3 {
			return nil, fault("%d columns between tabs, a judgement has 3: write query-id, corpus-id and score", len(fields))
		}
		query, document := fields[0], fields[1]
		score, err := strconv.Atoi(strings.TrimSpace(fields[2]))
		switch pair := [2]string{query, document}; {
		case err != nil && number == 1:
			continue // the heading
		case err != nil:
			return nil, fault("the score %.40q is no whole number: write 1 for a document that answers the query, else 0", fields[2])
		case !known[query]:
			return nil, fault("there is no query %.80q: give the queries that these judgements are of", query)
		case document == "":
			return nil, fault("the corpus-id is empty: name the document")
		case taken[pair]:
			return nil, fault("document %.80q is judged twice for query %.80q: keep one line", document, query)
		case len(taken) == maxJudgements:
			return nil, fault("more than %d judgements: give the page fewer queries", maxJudgements)
		default:
			taken[pair] = true
			if score > 0 {
				gold[query] = append(gold[query], document)
			}
		}
	}
	if err := lines.Err(); err == bufio.ErrTooLong {
		number++
		return nil, fault("longer than %s: put every judgement on a line of its own", bytesText(maxQrelsLine))
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unnamed(err))
	}
	return gold, nil
}

// watch notes which judged documents the corpus has.
func (j *judgements) watch(documents iter.Seq2[store.Document, error]) iter.Seq2[store.Document, error] {
	if j == nil {
		return documents
	}
	return func(yield func(store.Document, error) bool) {
		for d, err := range documents {
			delete(j.unseen, d.ID)
			if !yield(d, err) {
				return
			}
		}
	}
}

func (j *judgements) warn(queries, qrels string) {
	if j == nil {
		return
	}
	if j.unjudged > 0 {
		warn(stderr, "%s: %s left out: no document answers them in %s", queries, count(j.unjudged, "query"), qrels)
	}
	if len(j.unseen) > 0 {
		warn(stderr, "%s: the corpus lacks %s that it names, such as %.80q: they count as never found", qrels, count(len(j.unseen), "document"), j.missing())
	}
}

// missing is the first judged document that the corpus lacks.
func (j *judgements) missing() string {
	for _, q := range j.Queries {
		for _, id := range q.Gold {
			if j.unseen[id] {
				return id
			}
		}
	}
	return ""
}

func (j *judgements) write(path string) error {
	content, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if len(content) > maxJudgementsBytes {
		return inputf("the judged queries take %s, a page loads at most %s: give fewer queries", bytesText(int64(len(content))), bytesText(maxJudgementsBytes))
	}
	return os.WriteFile(path, append(content, '\n'), 0o644)
}
