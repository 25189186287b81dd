package reader

import (
	"testing"

	"github.com/vantage-search/vantage/internal/testing/reads"
)

// TestReads prints how many everyday requests the reader misreads, and how many ordinary questions it touches, of sets
// whose authors had seen no row that it was trained on. perspective/testdata/README.md has the figures.
func TestReads(t *testing.T) {
	reads.Measure(t, reads.Open(t, Files), []reads.Set{
		{Name: "eighth"},
		{Name: "ninth", Misread: 3, Otherwise: 3},
		{Name: "tenth", Misread: 2, Otherwise: 2, Touched: 1},
		{Name: "eleventh", Misread: 1, Otherwise: 1},
		{Name: "twelfth"},
		{Name: "thirteenth", Misread: 2, Otherwise: 2, Touched: 1},
		{Name: "fourteenth", Misread: 1, Otherwise: 1},
		{Name: "fifteenth", Misread: 1, Otherwise: 6},
		{Name: "sixteenth", Misread: 7, Otherwise: 11},
		{Name: "seventeenth", Misread: 8, Otherwise: 9, Touched: 1},
		{Name: "eighteenth", Misread: 2, Otherwise: 6},
		{Name: "nineteenth", Misread: 2, Otherwise: 7},
		{Name: "twentieth", Misread: 3, Otherwise: 6},
	})
}

// TestReadsDebates prints how many sides the reader finds in the queries of the bundled corpus that ask for one.
func TestReadsDebates(t *testing.T) { reads.Debates(t, reads.Open(t, Files), 1) }

// The reader takes few queries of sets for other purposes for requests: scholars' questions, claims and trivia.
func TestReadsOrdinary(t *testing.T) {
	reads.Ordinary(t, reads.Open(t, Files), []reads.Queries{
		{Path: "data/cranfield/queries.jsonl", Field: "text", Number: 225, Touched: 13},
		{Path: "data/climate_fever/climate-fever.jsonl", Field: "claim", Number: 500, Touched: 11},
		{Path: "data/ambigqa/dev_light.json", Field: "question", Number: 1000, Touched: 1},
	})
}

// It takes few queries for a site of manuals for requests.
func TestReadsSite(t *testing.T) {
	reads.Ordinary(t, reads.Open(t, Files), []reads.Queries{
		{Path: "tests/benchsite/testdata/keywords.jsonl", Field: "text", Number: 60},
		{Path: "tests/benchsite/testdata/questions.jsonl", Field: "text", Number: 60},
	})
}
