package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// smallCorpus is a corpus with fields of every type, some of which are missing
// in places.
const smallCorpus = `{"_id": "cats", "title": "Cats", "text": "Cats sleep for most of the day and hunt at night.", "metadata": {"kind": "animal", "year": 2001, "tame": true}}
{"_id": "dogs", "title": "Dogs", "text": "Dogs guard the house and fetch sticks from the river.", "metadata": {"kind": "animal", "year": 2005, "tame": true}}
{"_id": "wolves", "title": "Wolves", "text": "Wolves live in packs and avoid people where they can.", "metadata": {"kind": "animal", "year": 2010, "tame": false}}
{"_id": "trains", "title": "Night trains", "text": "A night train saves a hotel and a flight.", "metadata": {"kind": "transport", "year": 2015}}
{"_id": "planes", "text": "Planes are fast, loud and bad for the climate.", "metadata": {"kind": "transport", "year": 2020}}
{"_id": "bread", "title": "Bread", "text": "Bread needs flour, water, salt and a night of patience."}
`

// newCorpus writes smallCorpus into a new folder.
func newCorpus(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, "corpus.jsonl", smallCorpus)
	return dir
}

// newCollection indexes smallCorpus as "c" in a new folder.
func newCollection(t *testing.T, flags ...string) (dir string) {
	t.Helper()
	dir = newCorpus(t)
	must(t, dir, append([]string{"index", "--encoder", "light", "corpus.jsonl", "-o", "c"}, flags...)...)
	return dir
}

// root is the repository's folder.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// debates returns the path of the bundled corpus.
func debates(t *testing.T) string {
	t.Helper()
	return filepath.Join(root(t), "examples", "debates", "corpus.jsonl")
}

// longCorpus returns a corpus of many documents, which the command takes a while to index.
func longCorpus(documents int, word string) string {
	var b strings.Builder
	for i := range documents {
		fmt.Fprintf(&b, `{"_id": "d%d", "title": "%s %d", "text": "%s"}`+"\n", i, word, i,
			strings.Repeat(fmt.Sprintf("%s number %d tells of rivers, schools and markets. ", word, i%97), 12))
	}
	return b.String()
}

// The error for a missing column names the flag for another column, and the existing columns.
func TestMissingColumnNamesTheFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "c.csv", "id,body\n1,5\n")
	write(t, dir, "c.jsonl", `{"key": "1", "text": "x"}`+"\n")
	fails(t, input, dir, []string{"index", "--encoder", "light", "c.csv", "-o", "c"}, `no column "text"`, `"id", "body"`, "--text-field")
	fails(t, input, dir, []string{"fit", "c.jsonl", "-o", "m"}, `no "_id"`, `"key", "text"`, "--id-field")
	must(t, dir, "index", "--encoder", "light", "c.csv", "-o", "c", "--text-field", "body")
}
