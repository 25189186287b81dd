// Package everyday reads the sets of requests and ordinary questions in perspective/testdata, and the sides that judged
// queries ask for.
package everyday

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Reading is what a query asks for: a perspective on a root.
type Reading struct {
	Root        string
	Perspective string // its kind, as package perspective names it
	Side        string // "for", "against", "both" or ""
}

// Request is a query in everyday wording, with the reading that its author meant. Also has other readings of it that two
// judges, who did not know whose they were, found right as well.
type Request struct {
	Query string
	Reading
	Also []Reading
}

// Requests reads a file of requests, one JSON object on each line.
func Requests(t testing.TB, path string) (list []Request) {
	t.Helper()
	for i, line := range Lines(t, path) {
		var r Request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: line %d: %v", path, i+1, err)
		}
		list = append(list, r)
	}
	return list
}

// Sides reads a file of judged queries. It gives those that ask for a side of the root, with the side: 1 for it, −1
// against it.
func Sides(t testing.TB, path string) map[string]int {
	t.Helper()
	sides := map[string]int{}
	for i, line := range Lines(t, path) {
		var q struct {
			Text     string
			Metadata struct{ Field, Value string }
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatalf("%s: line %d: %v", path, i+1, err)
		}
		if q.Metadata.Field == "stance" {
			sides[q.Text] = map[string]int{"support": 1, "oppose": -1}[q.Metadata.Value]
		}
	}
	return sides
}

// Lines reads the lines of a file that are not empty, such as ordinary questions.
func Lines(t testing.TB, path string) (lines []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v: the figures need this file", err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
		if s.Text() != "" {
			lines = append(lines, s.Text())
		}
	}
	if err := s.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return lines
}

// IsReadAs reports whether a reading has the root, the kind and the side of the author's. side is 1 for
// "for" and −1 for "against".
func (r Request) IsReadAs(root, kind string, side int, both bool) bool {
	return r.Reading.is(root, kind, side, both)
}

// IsUnderstoodAs reports whether a reading is the author's or another that is right.
func (r Request) IsUnderstoodAs(root, kind string, side int, both bool) bool {
	return r.IsReadAs(root, kind, side, both) ||
		slices.ContainsFunc(r.Also, func(other Reading) bool { return other.is(root, kind, side, both) })
}

func (r Reading) is(root, kind string, side int, both bool) bool {
	want := map[int]string{1: "for", -1: "against"}[side]
	if both {
		want = "both"
	}
	return Plain(root) == Plain(r.Root) && kind == r.Perspective && want == r.Side
}

// Plain is a text without case, punctuation and articles.
func Plain(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}
