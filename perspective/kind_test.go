package perspective

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// The kinds by example: what a reader would say that each wording asks for.
func TestKindOf(t *testing.T) {
	for text, want := range map[string]Kind{
		"":                                              KindNone,
		" ":                                             KindNone,
		"a claim that opposes the argument":             KindStance,
		"reasons for":                                   KindStance,
		"why one might agree with the claim":            KindStance,
		"a news article from the left wing":             KindLeaning,
		"a news article biased towards: center":         KindLeaning,
		"a report from conservative media":              KindLeaning,
		"something about the early days":                KindTime,
		"what experts expect later on":                  KindTime, // and not evidence
		"the view in the 1960s":                         KindTime,
		"a forecast":                                    KindTime,
		"how it may be seen one day":                    KindTime,
		"an article relates to protests against taxes":  KindTopic, // and not a stance
		"the theme of money":                            KindTopic,
		"a news article happened in Mexico":             KindPlace,
		"how the Dutch see it":                          KindPlace, // and not an audience
		"what it looks like on a small island":          KindPlace,
		"a story that is an analogy":                    KindAnalogy,
		"similar entities of the story":                 KindAnalogy,
		"survey results or counts":                      KindEvidence,
		"a personal experience that bears on the claim": KindEvidence,
		"a point that matters to employers":             KindAudience,
		"the owner's side":                              KindAudience,
		"what farmers say":                              KindAudience,
		"claim that this sentence supports":             KindConverse, // the root takes the side
		"claim that this sentence refutes":              KindConverse,
		"a statement which this evidence contradicts":   KindConverse,
		"something that the owners care about":          KindFree,
		"news from germany":                             KindPlace, // in lower case
		"pros and cons of":                              KindStance,
		"since 2015":                                    KindTime,
		"for beginners":                                 KindAudience,
		"according to democrats":                        KindLeaning,
		"something funny":                               KindFree,
		"\xff\xfe":                                      KindFree,
	} {
		if got := KindOf(text); got != want {
			t.Errorf("KindOf(%q) = %q, want %q", text, got, want)
		}
	}
}

// Kinds of the bundled queries, whose metadata say what they ask for. A few wordings
// belong to two kinds, or need understanding.
func TestKindOfDebates(t *testing.T) {
	kinds := map[string]Kind{"stance": KindStance, "kind": KindEvidence, "period": KindTime, "place": KindPlace, "audience": KindAudience}
	file, err := os.Open("../examples/debates/queries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	right, all := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var q struct {
			Perspective string
			Metadata    struct{ Field string }
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		all++
		if got := KindOf(q.Perspective); got == kinds[q.Metadata.Field] {
			right++
		} else {
			t.Logf("%q is %q, and asks for %s", q.Perspective, got, q.Metadata.Field)
		}
	}
	if right < all-8 {
		t.Errorf("%d of %d right, want at least all but 8", right, all)
	}
}

// Kinds of the five tasks of PIR whose queries have a perspective text.
func TestKindOfPIR(t *testing.T) {
	b, err := os.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tasks map[string]struct {
		Perspectives []string
		Labels       []string `json:"query_labels"`
	}
	if err := json.Unmarshal(b, &tasks); err != nil {
		t.Fatal(err)
	}
	want := map[string]Kind{
		"perspectrum support": KindStance, "perspectrum undermine": KindStance, "perspectrum general": KindTopic,
		"agnews location": KindPlace, "agnews subtopic": KindTopic, "story analogy": KindAnalogy, "story entity": KindAnalogy,
		"exfever SUPPORT": KindConverse, "exfever REFUTE": KindConverse, "allsides left": KindLeaning, "allsides right": KindLeaning, "allsides center": KindLeaning,
	}
	seen := map[string]bool{}
	for name, task := range tasks {
		for i, p := range task.Perspectives {
			kind, known := want[name+" "+task.Labels[i]]
			seen[name+" "+task.Labels[i]] = known
			if got := KindOf(p); known && got != kind {
				t.Errorf("%s, %s: KindOf(%q) = %q, want %q", name, task.Labels[i], p, got, kind)
			}
		}
	}
	for label := range want {
		if !seen[label] {
			t.Errorf("no query of %s", label)
		}
	}
}

func FuzzKindOf(f *testing.F) {
	for _, s := range []string{"", "I", "'s", "for and against", "that this", "the left", "1999s", "\x00é", "in Paris's"} {
		f.Add(s)
	}
	known := map[Kind]bool{}
	for _, k := range Kinds() {
		known[k] = true
	}
	f.Fuzz(func(t *testing.T, s string) {
		if k := KindOf(s); !known[k] {
			t.Errorf("KindOf(%q) = %q", s, k)
		}
	})
}
