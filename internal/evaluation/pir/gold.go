package pir

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// maxQrelLine is the greatest length of a line of qrels in bytes. A line has three
// short fields.
const maxQrelLine = 1 << 20

// qrels are the possible files of judgements in a folder: the published one, and
// BEIR's.
var qrels = []string{"qrels/test.jsonl", "qrels/test.tsv"}

// goldTexts are the gold texts of each query, by the query's id.
type goldTexts struct {
	file string
	gold map[string][]int
	line map[string]int // first line that names a query; take removes the query
}

// readGold reads the judgements of a folder. A text is gold if its grade is above 0.
// places maps the ids of texts to their indexes in the corpus. Judgements of texts for
// which leftOut is true are dropped.
func readGold(dir string, places map[string]int, leftOut func(text string) bool) (*goldTexts, error) {
	for _, name := range qrels {
		path := filepath.Join(dir, filepath.FromSlash(name))
		f, _, err := file.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return parseGold(f, path, places, leftOut)
	}
	return nil, fmt.Errorf("%s: there is neither %s, which say which texts are gold for which query", dir, strings.Join(qrels, " nor "))
}

// parseGold reads judgements as JSON lines if the file's name ends in .jsonl, otherwise
// as columns between tabs, with or without a header line. Errors give file and line.
func parseGold(r io.Reader, path string, places map[string]int, leftOut func(text string) bool) (*goldTexts, error) {
	g := &goldTexts{file: path, gold: map[string][]int{}, line: map[string]int{}}
	parse := parseColumns
	if strings.HasSuffix(path, ".jsonl") {
		parse = parseObject
	}
	type pair struct {
		query string
		text  int
	}
	seen := map[pair]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxQrelLine)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimRight(lines.Bytes(), "\r")
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(line)) == 0 || number == 1 && isHeading(line) {
			continue
		}
		query, text, grade, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if g.line[query] == 0 {
			g.line[query] = number
		}
		if leftOut(text) {
			continue
		}
		place, known := places[text]
		if !known {
			return nil, fmt.Errorf("%s:%d: text %.80q is not in %s", path, number, text, corpusFile)
		}
		if earlier := seen[pair{query, place}]; earlier > 0 {
			return nil, fmt.Errorf("%s:%d: text %.80q is judged twice for query %.80q, first in line %d: keep one", path, number, text, query, earlier)
		}
		seen[pair{query, place}] = number
		if grade > 0 {
			g.gold[query] = append(g.gold[query], place)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: longer than %d MB: this is not a line of judgements", path, number+1, maxQrelLine>>20)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case len(seen) == 0 && len(g.line) > 0:
		return nil, fmt.Errorf("%s: all texts that it judges are left out (--only, --without)", path)
	case len(seen) == 0:
		return nil, fmt.Errorf("%s: no judgements in it", path)
	}
	return g, nil
}

// isHeading reports whether a line is the header line, which BEIR's files have.
func isHeading(line []byte) bool { return bytes.HasPrefix(line, []byte("query-id\t")) }

func parseColumns(line []byte) (query, text string, grade float64, err error) {
	columns := strings.Split(string(line), "\t")
	if len(columns) != 3 || columns[0] == "" || columns[1] == "" {
		return "", "", 0, fmt.Errorf("%d columns between tabs: a judgement is query-id, corpus-id, score", len(columns))
	}
	grade, err = strconv.ParseFloat(strings.TrimSpace(columns[2]), 64)
	if err != nil || grade != grade {
		return "", "", 0, fmt.Errorf("the score %.80q is not a number", columns[2])
	}
	return columns[0], columns[1], grade, nil
}

func parseObject(line []byte) (query, text string, grade float64, err error) {
	var fields struct {
		Query identifier `json:"query-id"`
		Text  identifier `json:"corpus-id"`
		Score *float64   `json:"score"`
	}
	if err := unpack.JSON(line, &fields); err != nil {
		return "", "", 0, fmt.Errorf("no judgement: %w", err)
	}
	if err := jsonlite.Unique(line); err != nil {
		return "", "", 0, fmt.Errorf("%w: keep one of the two", err)
	}
	if fields.Query == "" || fields.Text == "" || fields.Score == nil {
		return "", "", 0, errors.New(`a judgement has "query-id", "corpus-id" and "score"`)
	}
	return string(fields.Query), string(fields.Text), *fields.Score, nil
}

// identifier is an id, given as a string or as a number. A number gives its digits.
type identifier string

func (id *identifier) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err == nil {
		*id = identifier(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(b, &number); err != nil {
		return errors.New("an id must be a string or a number")
	}
	*id = identifier(number)
	return nil
}

// take returns a query's gold texts, perhaps none, and notes that the query exists.
func (g *goldTexts) take(query string) []int {
	delete(g.line, query)
	return g.gold[query]
}

// rest returns an error if there are judgements of queries that take was not called with,
// because they are not in the file of queries.
func (g *goldTexts) rest(queries string) error {
	first, unknown := 0, ""
	for query, line := range g.line {
		if first == 0 || line < first {
			first, unknown = line, query
		}
	}
	if first > 0 {
		return fmt.Errorf("%s:%d: query %.80q is not in %s", g.file, first, unknown, queries)
	}
	return nil
}
