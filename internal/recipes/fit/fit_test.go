package fit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// topics are sentences of three topics, in English and in German.
var topics = map[string][][]string{
	"en": {
		{
			"The farmer planted wheat in the northern field after the rain.",
			"Wheat and barley need rain before the harvest.",
			"A dry summer ruins the harvest of every farmer in the valley.",
			"Tractors carry the barley from the field to the barn.",
			"The barn is full of wheat when the harvest was good.",
			"Farmers in the valley share their tractors during the harvest.",
		},
		{
			"The orchestra rehearsed the symphony with a new conductor.",
			"A violin and a cello open the second movement of the symphony.",
			"The conductor asked the violins to play the movement softly.",
			"Her cello concerto was performed by the city orchestra.",
			"Critics praised the orchestra for the concerto and the symphony.",
			"The second violin missed the beginning of the concerto.",
		},
		{
			"The ship left the harbour with containers for the islands.",
			"A storm kept every ship in the harbour for two days.",
			"Containers were lost when the storm hit the ship.",
			"The captain steered the ship around the islands.",
			"Sailors load the containers while the captain waits in the harbour.",
			"The captain feared the storm more than the sailors did.",
		},
	},
	"de": {
		{
			"Der Bäcker knetet den Teig für das Brot am frühen Morgen.",
			"Brot und Brötchen liegen im Ofen der Bäckerei.",
			"Der Teig für die Brötchen braucht Hefe und Mehl.",
			"In der Bäckerei riecht es nach Brot und Hefe.",
			"Ohne Mehl und Hefe wird kein Teig daraus.",
			"Der Ofen der Bäckerei ist am Morgen heiß.",
		},
		{
			"Der Stürmer schoss das Tor in der letzten Minute des Spiels.",
			"Der Torwart hielt den Ball kurz vor dem Ende des Spiels.",
			"Die Mannschaft feierte das Tor mit dem Stürmer.",
			"Ein Ball traf den Pfosten, der Torwart war geschlagen.",
			"Der Trainer lobte die Mannschaft nach dem Spiel.",
			"Kurz vor dem Tor verlor der Stürmer den Ball.",
		},
	},
}

// embed returns the vectors of texts.
func embed(t testing.TB, f Files, texts []string) [][]float32 {
	t.Helper()
	s, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, s.Dim())
		s.Encode(out[i], text)
	}
	return out
}

func dot(a, b []float32) float64 { return vek.Dot(vek.FromFloat32(a), vek.FromFloat32(b)) }

// TestTopics checks that documents of one topic are closer to each other than to
// others.
func TestTopics(t *testing.T) {
	for language, sets := range topics {
		corpus := slices.Concat(sets...)
		f, err := Fit(context.Background(), slices.Values(corpus), Options{Dim: 6, VocabSize: 400, Language: language})
		if err != nil {
			t.Fatal(err)
		}
		vectors := embed(t, f, corpus)
		topicOf := func(i int) int { return i / len(sets[0]) }
		var same, across, sameCount, acrossCount float64
		nearest := 0
		for i := range vectors {
			best, at := -2.0, -1
			for j := range vectors {
				if i == j {
					continue
				}
				cosine := dot(vectors[i], vectors[j])
				if cosine > best {
					best, at = cosine, j
				}
				if topicOf(i) == topicOf(j) {
					same, sameCount = same+cosine, sameCount+1
				} else {
					across, acrossCount = across+cosine, acrossCount+1
				}
			}
			if topicOf(at) == topicOf(i) {
				nearest++
			}
		}
		same, across = same/sameCount, across/acrossCount
		t.Logf("%s: mean cosine %.2f within topics, %.2f across, %d of %d nearest neighbours of the same topic", language, same, across, nearest, len(corpus))
		if same < across+0.2 || nearest < len(corpus)*3/4 {
			t.Errorf("%s: topics are not told apart", language)
		}
	}
}

func TestFiles(t *testing.T) {
	var stages []string
	corpus := slices.Concat(topics["en"]...)
	o := Options{Name: "mine", Language: "en", Dim: 8, VocabSize: 300, MaxLength: 77, Progress: func(stage string, done, total int64) {
		if !slices.Contains(stages, stage) {
			stages = append(stages, stage)
		}
		if done < 0 || total != 0 && done > total {
			t.Errorf("%s: %d of %d", stage, done, total)
		}
	}}
	f, err := Fit(context.Background(), slices.Values(corpus), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"read", "vocabulary", "vectors"}; !slices.Equal(stages, want) {
		t.Errorf("stages %q, want %q", stages, want)
	}
	s, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	if f.ID != "mine" || f.Language != "en" || f.Dim != 8 || s.Dim() != 8 || s.MaxLength() != 77 || !s.Normalize() ||
		f.Documents != 18 || f.VocabSize > 300 || s.Tokenizer().VocabSize() != f.VocabSize || len(f.Notes) > 0 {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(string(f.Card), f.Revision) || !strings.Contains(string(f.Card), "18 documents") {
		t.Errorf("card:\n%s", f.Card)
	}
	var tokenizer struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(f.Tokenizer, &tokenizer); err != nil {
		t.Fatal(err)
	}
	for i, token := range specialTokens {
		if tokenizer.Model.Vocab[token] != i {
			t.Errorf("%s has id %d, want %d", token, tokenizer.Model.Vocab[token], i)
		}
	}
}

// TestDeterminism checks that another run and another number of processors give the
// same bytes.
func TestDeterminism(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var corpus []string
	for range 300 {
		var words []string
		for range 5 + random.IntN(30) {
			words = append(words, fmt.Sprintf("w%c%cx", 'a'+random.IntN(26), 'a'+random.IntN(1+random.IntN(26))))
		}
		corpus = append(corpus, strings.Join(words, " "))
	}
	fit := func() Files {
		f, err := Fit(context.Background(), slices.Values(corpus), Options{Dim: 32, VocabSize: 500})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := fit()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	second := fit()
	if first.VocabSize != 500 {
		t.Errorf("%d tokens, want 500", first.VocabSize)
	}
	if first.ID != second.ID || first.Revision != second.Revision || !bytes.Equal(first.Card, second.Card) {
		t.Errorf("%s %s, then %s %s", first.ID, first.Revision, second.ID, second.Revision)
	}
}

// TestSmallCorpora checks that the dimension is lowered to what a corpus supports, with
// a note.
func TestSmallCorpora(t *testing.T) {
	f, err := Fit(context.Background(), slices.Values([]string{"one fish", "two fish", "red fish", "blue fish"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Dim != 4 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "4 dimensions instead of 256: the corpus") { // no text is long enough for passages
		t.Errorf("dim %d, notes %q", f.Dim, f.Notes)
	}
	if !strings.Contains(string(f.Card), f.Notes[0]) {
		t.Error("the card lacks the note")
	}

	// Few long documents are split into passages, which support more dimensions.
	var long []string
	random := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		var words []string
		for range 3000 {
			words = append(words, fmt.Sprintf("w%d", random.IntN(400)))
		}
		long = append(long, strings.Join(words, " "))
	}
	f, err = Fit(context.Background(), slices.Values(long), Options{Dim: 64, VocabSize: 500})
	if err != nil {
		t.Fatal(err)
	}
	if f.Dim != 64 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "passages") {
		t.Errorf("dim %d, notes %q", f.Dim, f.Notes)
	}

	// If the vocabulary is the bound, a larger one is the remedy.
	f, err = Fit(context.Background(), slices.Values(long), Options{Dim: 128, VocabSize: 64})
	if err != nil {
		t.Fatal(err)
	}
	if f.Dim >= 64 || len(f.Notes) != 2 || !strings.Contains(f.Notes[0], "a vocabulary of 64 tokens") || !strings.Contains(f.Notes[0], "--vocab-size") {
		t.Errorf("dim %d, notes %q", f.Dim, f.Notes)
	}
}

// TestScripts checks that texts in four scripts other than Latin can be learnt.
func TestScripts(t *testing.T) {
	for name, corpus := range map[string][]string{
		"Chinese": {"小麦在田里", "农民收获小麦", "船在港口", "船长在船上"},
		"Russian": {"пшеница растёт в поле", "крестьянин убирает пшеницу", "корабль в порту", "капитан на корабле"},
		"Korean":  {"밀이 밭에서 자란다", "농부가 밀을 거둔다", "배가 항구에 있다", "선장이 배에 있다"},
		"Arabic":  {"القمح ينمو في الحقل", "الفلاح يحصد القمح", "السفينة في الميناء", "القبطان على السفينة"},
	} {
		f, err := Fit(context.Background(), slices.Values(corpus), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range corpus {
			if _, info := s.Tokens(nil, text); info.Unknown > 0 || info.Tokens == 0 {
				t.Errorf("%s: %q: %+v", name, text, info)
			}
		}
	}
}

func TestFitErrors(t *testing.T) {
	two := []string{"one fish", "two fish"}
	for name, test := range map[string]struct {
		texts []string
		o     Options
		want  string
	}{
		"nothing":      {nil, Options{}, "at least 2 documents"},
		"one document": {two[:1], Options{}, "at least 2 documents"},
		"no words":     {[]string{"", " \n", "\x00", "one"}, Options{}, "at least 2 documents"},
		"dim":          {two, Options{Dim: 5000}, "dim is 5000, not from 1 to 1024"},
		"negative dim": {two, Options{Dim: -1}, "dim is -1"},
		"vocabulary":   {two, Options{VocabSize: 10}, "vocab-size is 10, not from 64"},
		"memory":       {two, Options{Dim: 1000, VocabSize: 200_000}, "too much memory"},
		"length":       {two, Options{MaxLength: -5}, "max-length is -5"},
		"only unknown": {[]string{strings.Repeat("x", 101), strings.Repeat("y", 200)}, Options{}, "at least 2 documents"},
		"no error":     {two, Options{}, ""},
	} {
		_, err := Fit(context.Background(), slices.Values(test.texts), test.o)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, slices.Values(two), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPerspectrum fits on the corpus of the PIR benchmark's Perspectrum task and
// searches it: plain cosine has a gold document among the first five for 0.39 of
// the queries (LSA on whole words, measured elsewhere: 0.41).
func TestPerspectrum(t *testing.T) {
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	task := tasks[slices.IndexFunc(tasks, func(t pir.Task) bool { return t.Name == "perspectrum" })]
	f, err := Fit(context.Background(), slices.Values(task.Corpus), Options{})
	if err != nil {
		t.Fatal(err)
	}
	documents, hits := embed(t, f, task.Corpus), 0
	for i, q := range embed(t, f, task.Queries) {
		order := make([]int, len(documents))
		scores := make([]float64, len(documents))
		for j, d := range documents {
			order[j], scores[j] = j, dot(q, d)
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case scores[a] > scores[b]:
				return -1
			case scores[a] < scores[b]:
				return 1
			}
			return 0
		})
		if slices.ContainsFunc(order[:5], func(j int) bool { return slices.Contains(task.Gold[i], j) }) {
			hits++
		}
	}
	recall := float64(hits) / float64(len(task.Queries))
	t.Logf("Recall@5 %.2f with %d tokens × %d", recall, f.VocabSize, f.Dim)
	if recall < 0.35 {
		t.Errorf("Recall@5 is %.2f, want at least 0.35", recall)
	}
}

// BenchmarkFit learns 8,000 × 256 from 10,000 documents of 100 words.
func BenchmarkFit(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 8))
	zipf := rand.NewZipf(random, 1.1, 5, 40_000)
	var corpus []string
	for range 10_000 {
		var words []string
		for range 100 {
			w := zipf.Uint64()
			word := ""
			for x := w*2654435761%4_000_037 + 27; x > 0; x /= 26 {
				word += string(rune('a' + x%26))
			}
			words = append(words, word)
		}
		corpus = append(corpus, strings.Join(words, " "))
	}
	for b.Loop() {
		f, err := Fit(context.Background(), slices.Values(corpus), Options{})
		if err != nil {
			b.Fatal(err)
		}
		if f.Dim != 256 || f.VocabSize != 8000 {
			b.Fatalf("%d × %d", f.VocabSize, f.Dim)
		}
	}
}
