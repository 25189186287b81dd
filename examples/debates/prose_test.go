package debates_test

import (
	"strings"
	"testing"
)

const (
	maxOpening  = 4   // texts that begin with the same three words
	maxCrutches = 6   // stock attributions in all texts, such as "critics"
	leakCount   = 20  // a word in at least this many texts with a stance ...
	maxLeak     = 0.8 // ... has at most this share of them on one side
)

type set map[string]struct{}

func trigrams(text string) set {
	w, s := wordsOf(text), set{}
	for i := 0; i+3 <= len(w); i++ {
		s[strings.Join(w[i:i+3], " ")] = struct{}{}
	}
	return s
}

// overlap is the number of shared members over the size of the smaller set.
func overlap(a, b set) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	shared := 0
	for k := range a {
		if _, ok := b[k]; ok {
			shared++
		}
	}
	return float64(shared) / float64(len(a))
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"The cat sat on the mat.", "the CAT, sat on the mat", 1},
		{"the cat sat on the mat", "the cat sat on a mat", 0.5},
		{"the cat sat on", "the cat sat on the mat again", 1}, // contained: the smaller set decides
		{"the cat sat", "a dog stood", 0},
		{"too short", "too short", 0},
	} {
		if got := overlap(trigrams(c.a), trigrams(c.b)); got != c.want {
			t.Errorf("%q, %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// No text is a paraphrase of another one.
func TestTextsDiffer(t *testing.T) {
	documents := readLines[document](t, "corpus.jsonl")
	sets := make([]set, len(documents))
	worst, pair := 0.0, ""
	for i, p := range documents {
		sets[i] = trigrams(p.Text)
		for j := range i {
			o := overlap(sets[i], sets[j])
			if o >= maxOverlap {
				t.Errorf("%s and %s share %.0f%% of their word trigrams", documents[j].ID, p.ID, 100*o)
			}
			if o > worst {
				worst, pair = o, documents[j].ID+" and "+p.ID
			}
		}
	}
	t.Logf("largest share of trigrams: %.1f%%, %s", 100*worst, pair)
}

func TestOpeningsVary(t *testing.T) {
	documents := readLines[document](t, "corpus.jsonl")
	openings := map[string][]string{}
	var crutches []string
	for _, p := range documents {
		if w := wordsOf(p.Text); len(w) >= 3 {
			k := strings.Join(w[:3], " ")
			openings[k] = append(openings[k], p.ID)
		}
		for _, w := range wordsOf(p.Text) {
			switch w {
			case "supporters", "opponents", "critics", "proponents", "advocates", "sceptics":
				crutches = append(crutches, p.ID)
			}
		}
	}
	for k, ids := range openings {
		if len(ids) > maxOpening {
			t.Errorf("%d documents begin %q: %s", len(ids), k, strings.Join(ids, " "))
		}
	}
	if len(crutches) > maxCrutches {
		t.Errorf("%d stock attributions (supporters, critics ...), at most %d: %s", len(crutches), maxCrutches, strings.Join(crutches, " "))
	}
	t.Logf("%d different openings of three words, %d stock attributions", len(openings), len(crutches))
}

// No frequent word reveals the side of a text.
func TestStanceIsNotAWord(t *testing.T) {
	count := map[string]map[string]int{}
	for _, p := range readLines[document](t, "corpus.jsonl") {
		if p.Metadata.Stance == "context" {
			continue
		}
		seen := set{}
		for _, w := range wordsOf(p.Title + " " + p.Text) {
			if _, again := seen[w]; again {
				continue
			}
			seen[w] = struct{}{}
			if count[w] == nil {
				count[w] = map[string]int{}
			}
			count[w][p.Metadata.Stance]++
		}
	}
	worst, word := 0.0, ""
	for w, c := range count {
		n := c["support"] + c["oppose"]
		if n < leakCount {
			continue
		}
		share := float64(max(c["support"], c["oppose"])) / float64(n)
		if share > maxLeak {
			t.Errorf("%q: %d documents support, %d oppose", w, c["support"], c["oppose"])
		}
		if share > worst {
			worst, word = share, w
		}
	}
	t.Logf("most one-sided frequent word: %q, %.0f%% on one side", word, 100*worst)
}
