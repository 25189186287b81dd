package perspective

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/everyday"
)

// TestReadEveryday prints how many phrasings are misread and how many ordinary questions
// are touched, of each set. testdata/README.md has the figures of sets whose authors did not know
// the grammar.
func TestReadEveryday(t *testing.T) {
	for _, c := range []struct {
		set, phrasings, questions string
		misread, touched          float64 // the greatest shares allowed
	}{
		{"written with the grammar", "testdata/phrasings.jsonl", "testdata/questions.txt", 0, 0},
		{"unseen, the seventh set", "testdata/seventh-phrasings.jsonl", "testdata/seventh-questions.txt", .10, .02},
		{"unseen, the eighth set", "testdata/eighth-phrasings.jsonl", "testdata/eighth-questions.txt", .24, .03},
		{"unseen, the ninth set", "testdata/ninth-phrasings.jsonl", "testdata/ninth-questions.txt", .25, .04},
		{"unseen, the tenth set", "testdata/tenth-phrasings.jsonl", "testdata/tenth-questions.txt", .38, .02},
		{"unseen, the eleventh set", "testdata/eleventh-phrasings.jsonl", "testdata/eleventh-questions.txt", .29, .05},
		{"unseen, the twelfth set", "testdata/twelfth-phrasings.jsonl", "testdata/twelfth-questions.txt", .27, .01},
		{"unseen, the thirteenth set", "testdata/thirteenth-phrasings.jsonl", "testdata/thirteenth-questions.txt", .18, .03},
		{"unseen, the fourteenth set", "testdata/fourteenth-phrasings.jsonl", "testdata/fourteenth-questions.txt", .21, .02},
		{"unseen, the fifteenth set", "testdata/fifteenth-phrasings.jsonl", "testdata/fifteenth-questions.txt", .34, .01},
		{"unseen, the sixteenth set", "testdata/sixteenth-phrasings.jsonl", "testdata/sixteenth-questions.txt", .33, .01},
		{"unseen, the seventeenth set", "testdata/seventeenth-phrasings.jsonl", "testdata/seventeenth-questions.txt", .4, .02},
		{"unseen, the eighteenth set", "testdata/eighteenth-phrasings.jsonl", "testdata/eighteenth-questions.txt", .41, .01},
		{"unseen, the nineteenth set", "testdata/nineteenth-phrasings.jsonl", "testdata/nineteenth-questions.txt", .43, .03},
		{"unseen, the twentieth set", "testdata/twentieth-phrasings.jsonl", "testdata/twentieth-questions.txt", .4, .01},
		{"unseen, no set", "testdata/blind-phrasings.jsonl", "testdata/blind-questions.txt", .58, .05},
	} {
		phrasings, questions := everyday.Requests(t, c.phrasings), everyday.Lines(t, c.questions)
		if len(phrasings) < 200 || len(questions) < 200 {
			t.Fatalf("%s: %d phrasings and %d questions, want 200 of each", c.set, len(phrasings), len(questions))
		}
		misread, touched := 0, 0
		for _, p := range phrasings {
			if got := Read(p.Query); !isReadAs(p, got) {
				misread++
				t.Logf("%s: %q is read as %+v; want %+v", c.set, p.Query, got, p)
			}
		}
		for _, q := range questions {
			if got := Read(q); got != (Reading{}) {
				touched++
				t.Logf("%s: the ordinary %q is read as %+v", c.set, q, got)
			}
		}
		m, n := float64(misread)/float64(len(phrasings)), float64(touched)/float64(len(questions))
		t.Logf("%s: %d of %d phrasings misread (%.1f %%), %d of %d ordinary questions touched (%.1f %%)",
			c.set, misread, len(phrasings), 100*m, touched, len(questions), 100*n)
		if m > c.misread || n > c.touched {
			t.Errorf("%s: at most %.1f %% may be misread and %.1f %% touched", c.set, 100*c.misread, 100*c.touched)
		}
	}
}

// isReadAs reports whether a reading is the one that a request asks for.
func isReadAs(p everyday.Request, r Reading) bool {
	return p.IsReadAs(r.Root, string(r.Kind), r.Side, r.Both)
}

// TestGrammarExamples reads the examples after the rows of the grammar. Each is read as
// its row says, so that no row before it reads it otherwise.
func TestGrammarExamples(t *testing.T) {
	rows := 0
	files, err := filepath.Glob("grammar*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no grammar: %v", err)
	}
	var lines []string
	for _, file := range files {
		lines = append(lines, everyday.Lines(t, file)...)
	}
	for _, line := range lines {
		line = strings.TrimSpace(line)
		text, ok := strings.CutPrefix(line, `"`)
		asks, _, row := strings.Cut(text, ": ")
		if !ok || !row {
			continue
		}
		rows++
		_, examples, ok := strings.Cut(line, "// ")
		if !ok {
			t.Errorf("%s has no example", line)
			continue
		}
		for _, example := range strings.Split(examples, "; ") {
			if asks == "ordinary" {
				if got := Read(example); got != (Reading{}) {
					t.Errorf("%q is read as %+v, want nothing", example, got)
				}
				continue
			}
			kind := Kind("speaker")
			if asks != "speaker" {
				kind = (&match{}).kind(asks)
			} else if text, name, ok := strings.Cut(strings.TrimSuffix(example, ")"), " ("); ok {
				example, kind = text, Kind(name)
			}
			before, after, ok := strings.Cut(example, "[")
			root, end, _ := strings.Cut(after, "]")
			got := Read(before + root + end)
			side := map[string]int{"for": 1, "against": -1}[asks]
			if !ok || everyday.Plain(got.Root) != everyday.Plain(root) || got.Kind != kind || got.Side != side || got.Both != (asks == "both") {
				t.Errorf("%q is read as %+v", example, got)
			}
		}
	}
	if all := strings.Count(grammar, "\n"); rows != all || rows < 200 {
		t.Errorf("%d of %d rows stand on a line of their own", rows, all)
	}
}

// TestGrammarNames finds names in patterns that no class has, classes that no pattern uses,
// and rows that ask for something that no reading can say.
func TestGrammarNames(t *testing.T) {
	known, used := map[string]bool{}, map[string]bool{}
	for _, name := range []string{"X", "T", "C", "A", "ADJ", "WHO", "WHOSE", "REST", "ANY", ","} {
		known[name] = true
	}
	patterns := strings.Split(openers, "; ")
	for line := range strings.Lines(strings.TrimSuffix(classes, "\n")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if known[name] {
			t.Errorf("two classes have the name %s", name)
		}
		known[name] = true
		forms := strings.Split(rest, "; ")
		if words := strings.TrimSuffix(forms[0], ";"); words != lower(words) || strings.ContainsAny(words, "_|") {
			t.Errorf("the class %s lists words that no text has: %q", name, words)
		}
		patterns = append(patterns, forms[1:]...)
	}
	for line := range strings.Lines(strings.TrimSuffix(grammar, "\n")) {
		asks, pattern, _ := strings.Cut(strings.TrimSpace(line), ": ")
		patterns = append(patterns, pattern)
		switch asks {
		case "ordinary", "for", "against", "both", "speaker":
		default:
			if !slices.Contains(Kinds(), Kind(asks)) {
				t.Errorf("a row asks for %q", asks)
			}
		}
	}
	for _, pattern := range patterns {
		for _, item := range strings.Split(pattern, " ") {
			for _, choice := range strings.Split(strings.Trim(item, "[]?"), "|") {
				switch {
				case choice == "":
					t.Errorf("%q has an empty choice", pattern)
				case choice != lower(choice) || choice == ",":
					if used[choice] = true; !known[choice] {
						t.Errorf("no class has the name %s", choice)
					}
				case strings.ContainsAny(choice, "[]; ?"):
					t.Errorf("%q has a choice that no text has", pattern)
				}
			}
		}
	}
	for name := range known {
		if !used[name] && name != "IDEA" && name != "AGENT" && name != "PRONOUN" && name != "LEAD" && name != "TAIL" && name != "FILL" && name != "SUBJECT" { // lexicon.go, pattern.go, request.go
			t.Errorf("no pattern uses the class %s", name)
		}
	}
}

// TestReadDebates reads the side of the bundled queries that ask for one.
func TestReadDebates(t *testing.T) {
	asked, right := 0, 0
	for text, side := range everyday.Sides(t, "../examples/debates/queries.jsonl") {
		asked++
		if r := Read(text); r.Side == side {
			right++
		} else {
			t.Logf("%q is read as %+v", text, r)
		}
	}
	t.Logf("%d of %d sides", right, asked)
	if asked < 90 || right < asked-1 {
		t.Errorf("%d of %d sides, want all but one", right, asked)
	}
}

// TestReadLong reads no everyday wording from a text that is longer than one.
func TestReadLong(t *testing.T) {
	long := strings.Repeat("very ", maxRead)
	if got := Read("against " + long + "long queries"); got != (Reading{}) {
		t.Errorf("%d words are read as %+v", maxRead+3, got)
	}
	if got := Read("against " + long[:len(long)/2] + "long queries"); got.Side != -1 {
		t.Errorf("%d words are read as %+v", maxRead/2+3, got)
	}
}

// BenchmarkRead reads the requests and the ordinary questions in turn.
func BenchmarkRead(b *testing.B) {
	var t testing.T
	queries := everyday.Lines(&t, "testdata/questions.txt")
	for _, p := range everyday.Requests(&t, "testdata/phrasings.jsonl") {
		queries = append(queries, p.Query)
	}
	for i := 0; b.Loop(); i++ {
		Read(queries[i%len(queries)])
	}
}

// TestReadAnyWords reads random sequences of the words that the test files have, and of marks. They
// reach the ends of far more rules than random bytes do. A text that ended with "according to"
// once panicked.
func TestReadAnyWords(t *testing.T) {
	seen := map[string]bool{}
	words := []string{"?", ":", ",", "-", "–", ".", "…", "“", "\u00a0", "ſ", "İ"}
	for _, line := range everyday.Lines(t, "testdata/questions.txt") {
		words = appendWords(words, seen, line)
	}
	for _, p := range everyday.Requests(t, "testdata/phrasings.jsonl") {
		words = appendWords(words, seen, p.Query)
	}
	common := []string{"according", "to", "for", "and", "against", "the", "a", "of", "pros", "cons", "from", "in", "point", "view", "as", "seen", "by", "please", "that", "claim", "find", "news", "why", "is", "not"}
	r := rand.New(rand.NewPCG(11, 12))
	for range 30_000 {
		var text []string
		for range 1 + r.IntN(9) {
			if r.IntN(3) == 0 {
				text = append(text, common[r.IntN(len(common))])
			} else {
				text = append(text, words[r.IntN(len(words))])
			}
		}
		query := strings.Join(text, " ")
		func() {
			defer func() {
				if fault := recover(); fault != nil {
					t.Errorf("%q: %v", query, fault)
				}
			}()
			if root := Read(query).Root; len(root) > len(query)+1 {
				t.Errorf("%q: the root %q is longer", query, root)
			}
		}()
	}
}

func appendWords(words []string, seen map[string]bool, text string) []string {
	for _, w := range strings.Fields(text) {
		if !seen[w] {
			seen[w], words = true, append(words, w)
		}
	}
	return words
}
