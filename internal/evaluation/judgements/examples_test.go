package judgements

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
)

// A page offers a few short queries: of each label one, then more, on other roots if there
// are any.
func TestExamples(t *testing.T) {
	long := strings.Repeat("x", ShortExample+1)
	for name, c := range map[string]struct {
		queries []Query
		want    []string
	}{
		"none":       {nil, nil},
		"too long":   {[]Query{{Text: long}}, nil},
		"unlabelled": {[]Query{{Text: "three"}, {Text: "one"}, {Text: "two"}, {Text: "one"}, {Text: "four"}, {Text: "five!"}, {Text: "six"}}, []string{"one", "two", "six", "four", "three"}},
		"labels first": {[]Query{
			{Text: "for the trains", Label: "for", Root: "trains"}, {Text: "for cars", Label: "for", Root: "cars"},
			{Text: "not cars", Label: "against", Root: "cars"}, {Text: "against trains", Label: "against", Root: "trains"}, {Text: long, Label: "long"},
		}, []string{"for cars", "against trains", "for the trains", "not cars"}},
	} {
		j := &Judgements{Queries: c.queries}
		if got := j.Examples(ShortExample); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := (&Judgements{Queries: []Query{{Text: long}}}).Examples(len(long)); !slices.Equal(got, []string{long}) {
		t.Errorf("with room for a longer one: %q", got)
	}
	const debates = "../../../examples/debates/"
	if _, err := os.Stat(debates); err != nil {
		t.Fatal(err)
	}
	j, err := Read(context.Background(), debates+"queries.jsonl", debates+"qrels/test.tsv")
	if err != nil {
		t.Fatal(err)
	}
	got := j.Examples(ShortExample)
	if t.Logf("%q", got); len(got) != maxExamples || !slices.Equal(got, j.Examples(ShortExample)) {
		t.Errorf("of the bundled corpus %q", got)
	}
}
