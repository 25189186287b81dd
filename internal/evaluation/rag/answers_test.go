package rag

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

func TestReadAnswers(t *testing.T) {
	const published = `[
{"id": "1", "question": "Who sang?", "annotations": [{"type": "singleAnswer", "answer": ["Ann", "–"]}, {"type": "multipleQAs", "qaPairs": [{"question": "Who sang first?", "answer": ["Bob"]}, {"question": "Who sang never?", "answer": ["…"]}]}]},
{"id": "2", "question": "When?", "annotations": [{"type": "singleAnswer", "answer": ["1950"]}, {"type": "singleAnswer", "answer": ["in 1950"]}]}]`
	a, err := ReadAnswers(strings.NewReader(published), "f")
	if err != nil || len(a) != 3 || !slices.Equal(a.Of(" WHO  sang? "), []string{"Ann"}) || !slices.Equal(a.Of("who sang first?"), []string{"Bob"}) || !slices.Equal(a.Of("When?"), []string{"1950", "in 1950"}) {
		t.Errorf("%v %v", a, err)
	}
	a, err = ReadAnswers(strings.NewReader("{\"question\": \"Q\", \"answers\": [\"a b\"], \"id\": 1}\n\n{\"question\": \"q\", \"answers\": [\"c\"]}\n"), "f")
	if err != nil || !slices.Equal(a.Of("Q"), []string{"a b", "c"}) || a.Of("other") != nil {
		t.Errorf("%v %v", a, err)
	}
	for text, want := range map[string]string{
		"":                                    "no answers",
		"[]":                                  "no answers",
		`{"question": "Q", "answers": []}`:    "f:1: the question has no answers",
		`{"question": "Q", "answers": ["!"]}`: "no words besides English articles",
		`{"question": " ", "answers": ["a"]}`: `no "question"`,
		`{"question": "Q", "answers": "a"}`:   "f:1",
		`{"question": "Q", "question": "R", "answers": ["a"]}`:                                   "f:1",
		`[{"question": "Q", "annotations": [{"answer": "a"}]}]`:                                  `entry 1: "answer" is no list`,
		`[{"question": "Q", "annotations": [{"answer": ["a"]}]}`:                                 "f",
		`[{"question": "", "annotations": [{"answer": ["x"]}]}]`:                                 "entry 1",
		`[{"question": "Q", "annotations": [{"qaPairs": [{"question": "", "answer": ["x"]}]}]}]`: "entry 1",
	} {
		if _, err := ReadAnswers(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The published file of AmbigNQ is read, with the readings of its questions.
func TestReadPublishedAnswers(t *testing.T) {
	a, err := inputs.Read(t.Context(), shared.Path(t, "data/ambigqa/dev_light.json"), ReadAnswers)
	if err != nil || len(a) < 5000 || !slices.Contains(a.Of("Who plays the doctor in dexter season 1?"), "Tony Goldwyn") {
		t.Errorf("%d questions, %v", len(a), err)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		text, answer  string
		exact, within bool
	}{
		{"The Moon.", "moon", true, true},
		{"an apple", "The apple!", true, true},
		{"21", "21 years", false, false},
		{"It is 21 years old", "21 Years", false, true},
		{"twenty-one", "twentyone", true, true},
		{"121 years", "21 years", false, false},
		{"U.S.", "us", true, true},
		{"", "x", false, false},
		{"naïve  ", "Naïve", true, true},
	} {
		if exact(c.text, []string{"zzz", c.answer}) != c.exact || within([]string{c.text}, []string{c.answer}) != c.within {
			t.Errorf("%+v", c)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		" \n ":                      nil,
		"One. Two! Three?":          {"One.", "Two!", "Three?"},
		"A value of 3.5 is\nfine":   {"A value of 3.5 is fine"},
		"He said “no.” Then\n\nEnd": {"He said “no.”", "Then", "End"},
		"... !":                     {"...", "!"},
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Polarity has a sign, is bounded, and takes any text.
func TestPolarity(t *testing.T) {
	if polarity("This is wonderful. I love it.") < .3 || polarity("This is awful. People hate it.") > -.3 || polarity("The bridge is long.") != 0 || polarity("") != 0 {
		t.Error(polarity("This is wonderful. I love it."), polarity("This is awful. People hate it."))
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"good", "no", "but", "not", "never so", "least", "kind of", "!", "?", ".", " ", "\n", "VERY", "😀", "\xff", "\"", "without doubt", "é"}
	for range 5_000 {
		var text strings.Builder
		for range random.IntN(30) {
			text.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(2) == 0 {
				text.WriteString(" ")
			}
		}
		if p := polarity(text.String()); !(p >= -1 && p <= 1) {
			t.Fatalf("%q: %v", text.String(), p)
		}
	}
}

func TestCorrelationUndefined(t *testing.T) {
	for _, c := range [][2][]float64{{{1, 2}, {1, -1}}, {{.5, .5, .5}, {1, -1, 1}}, {{.1, .2, .3}, {1, 1, 1}}, {nil, nil}} {
		if got := correlation(c[0], c[1]); got != nil {
			t.Errorf("%v: %+v", c, got)
		}
	}
}

// A draw depends on its seed alone, takes no query twice, and keeps the order.
func TestSample(t *testing.T) {
	task := &pir.Task{Name: "t", Labels: make([]string, 40), Gold: make([][]int, 40)}
	for i := range 40 {
		task.Queries, task.Roots = append(task.Queries, strings.Repeat("q", i+1)), append(task.Roots, strings.Repeat("r", i+1))
		task.Labels[i], task.Gold[i] = []string{"support", "oppose"}[i%2], []int{i}
	}
	task.Perspectives = task.Labels
	a, b, c := chooseQueries(task, nil, 10, 1), chooseQueries(task, nil, 10, 1), chooseQueries(task, nil, 10, 2)
	if !slices.Equal(a.chosen, b.chosen) || slices.Equal(a.chosen, c.chosen) || len(a.chosen) != 10 || !slices.IsSorted(a.chosen) || len(slices.Compact(slices.Clone(a.chosen))) != 10 {
		t.Errorf("%v %v %v", a.chosen, b.chosen, c.chosen)
	}
	if all := chooseQueries(task, nil, 40, 1); len(all.chosen) != 40 || all.kind != essays {
		t.Errorf("%v", all.chosen)
	}
}
