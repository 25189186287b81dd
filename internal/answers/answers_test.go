package answers

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/vantage-search/vantage"
)

// Lines of the table fit in a wide terminal, and in 80 columns if the terminal is narrower.
func TestTableFits(t *testing.T) {
	hits := []vantage.Hit{
		{Rank: 1, ID: "one", Score: 0.5, Text: strings.Repeat("many words ", 30), Explain: vantage.Explanation{CosineRank: 12}},
		{Rank: 2, ID: strings.Repeat("x", 80), Score: -0.25, Title: strings.Repeat("東京", 60), Explain: vantage.Explanation{CosineRank: 1}},
		{Rank: 3, ID: "three", Title: "Title", Text: "Text", Explain: vantage.Explanation{CosineRank: 3}, Because: &vantage.Because{Text: strings.Repeat("I work at night. ", 20), Fit: .5}},
	}
	for _, width := range []int{10, 80, 200} {
		var b strings.Builder
		if err := (Search{&vantage.Result{Hits: hits}}).Table(&b, width); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 5 || !strings.HasPrefix(lines[4], "      because: I work") {
			t.Fatalf("%d lines: %s", len(lines), b.String())
		}
		for _, line := range lines {
			if n := uniseg.StringWidth(line); n > max(width, 80) {
				t.Errorf("width %d: %d columns in %q", width, n, line)
			}
		}
		for i, part := range []string{"moved", "+11", "-1", "="} {
			if !strings.Contains(lines[i], part) {
				t.Errorf("%q lacks %q", lines[i], part)
			}
		}
	}
}

// The first remark names the score if it is not the cosine.
func TestAboutNamesTheScore(t *testing.T) {
	for score, want := range map[string]string{
		"":       "method query_cosine, encoder m@r\n",
		"dot":    "method query_cosine, dot product, encoder m@r\n",
		"maxsim": "method query_cosine, MaxSim, encoder m@r\n",
	} {
		var b strings.Builder
		r := &vantage.Result{Method: "query_cosine", Lambda: 1, Score: score, Hits: []vantage.Hit{{}}}
		r.Encoder.ID, r.Encoder.Revision = "m", "r"
		Search{r}.About(&b)
		if b.String() != want {
			t.Errorf("%q: %q, want %q", score, b.String(), want)
		}
	}
}

// Every id can be read off the table exactly: one that a line would not show as it is comes quoted.
func TestIDs(t *testing.T) {
	for id, want := range map[string]string{
		"night-trains_3.a": "night-trains_3.a", "two words": "two words", "«夜行»": "«夜行»", `"q"`: `"q"`, "": "",
		"a\tb": `"a\tb"`, "a\x1b[2J": `"a\x1b[2J"`, " a": `" a"`, "a\u00a0": `"a\u00a0"`, "a  b": `"a  b"`, "a\n": `"a\n"`, "a\u202eb": `"a\u202eb"`,
	} {
		hit := vantage.Hit{Rank: 1, ID: id, Title: "Title"}
		var search, sides, other strings.Builder
		if err := (Search{&vantage.Result{Hits: []vantage.Hit{hit}}}).Table(&search, 80); err != nil {
			t.Fatal(err)
		}
		if err := (OtherSide{&vantage.OtherSide{Hits: []vantage.Hit{hit}}}).Table(&sides, 80); err != nil {
			t.Fatal(err)
		}
		OtherSide{&vantage.OtherSide{Of: hit}}.About(&other)
		for _, text := range []string{search.String(), sides.String()} {
			if !strings.Contains(text, "  "+want+"  ") {
				t.Errorf("%q: no %s in %q", id, want, text)
			}
		}
		if !strings.Contains(other.String(), "of "+want+": Title\n") {
			t.Errorf("%q: no %s in %q", id, want, other.String())
		}
	}
}
