package perspective

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The words of internal/recipes/reader/rows.py are the same: its regular expression gives these lists.
func TestWords(t *testing.T) {
	for query, want := range map[string]string{
		"":                                   "",
		" \t\n\x00\x7f":                      "",
		"night trains":                       "night|trains",
		"  night\ttrains \n":                 "night|trains",
		"Why is X bad?":                      "Why|is|X|bad|?",
		"state-of-the-art":                   "state|-|of|-|the|-|art",
		"don't":                              "don|'|t",
		"don’t":                              "don’t",
		"U.S. policy...":                     "U|.|S|.|policy|.|.|.",
		"C++ and C#":                         "C|+|+|and|C|#",
		"5G in 2024":                         "5G|in|2024",
		"snake_case {x} ~ `y`":               "snake|_|case|{|x|}|~|`|y|`",
		"naïve café":                         "naïve|café",
		"Zürich – why":                       "Zürich|–|why",
		"“quoted”":                           "“quoted”",
		"夜行列車 反対":                            "夜行列車|反対",
		"a\u00a0b":                           "a\u00a0b", // no ASCII space
		"a\x01b\x1fc\x7fd":                   "a|b|c|d",
		"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~": "!|\"|#|$|%|&|'|(|)|*|+|,|-|.|/|:|;|<|=|>|?|@|[|\\|]|^|_|`|{|||}|~",
		"\xff\xfe bytes \x80":                "\xff\xfe|bytes|\x80",
	} {
		var got []string
		for _, w := range Words(query) {
			if w.Root != 0 {
				t.Errorf("%q: a word of the root before a model was asked", query)
			}
			got = append(got, query[w.Start:w.End])
		}
		if joined := strings.Join(got, "|"); joined != want {
			t.Errorf("%q: %q, want %q", query, joined, want)
		}
	}
}

func TestIsLabel(t *testing.T) {
	for _, label := range []string{"", "stance:for", "stance:against", "stance:both", "stance", "audience", "place", "topic", "time", "leaning", "evidence", "analogy", "converse", "free"} {
		if !IsLabel(label) {
			t.Errorf("%q is no label", label)
		}
	}
	for _, label := range []string{"stance:", "stance:neither", "stance:for against", "stance: for", "place:for", ":for", ":", "Stance", "stance ", "none", "place:"} {
		if IsLabel(label) {
			t.Errorf("%q is a label", label)
		}
	}
}

// tagged are the words of a query, those between brackets as words of the root.
func tagged(marked string) (query string, words []Word) {
	var roots [][2]int
	for {
		before, rest, ok := strings.Cut(marked, "⟨")
		query += before
		if !ok {
			break
		}
		root, rest, _ := strings.Cut(rest, "⟩")
		roots = append(roots, [2]int{len(query), len(query) + len(root)})
		query, marked = query+root, rest
	}
	words = Words(query)
	for i, w := range words {
		words[i].Root = -5
		for _, r := range roots {
			if r[0] <= w.Start && w.End <= r[1] {
				words[i].Root = 5
			}
		}
		// A model was not asked about these, so that what it says of them is of no use.
		if !isAsked(query[w.Start:w.End], i == 0) {
			words[i].Root = -words[i].Root
		}
	}
	return query, words
}

func TestPartsOf(t *testing.T) {
	for _, c := range []struct{ marked, root, rest string }{
		{"arguments against ⟨night trains⟩", "night trains", "arguments against"},
		{"⟨night trains⟩: pros and cons", "night trains", "pros and cons"},
		{"why is ⟨nuclear power⟩ bad?", "nuclear power", "why is bad"},
		{"  why\tis  ⟨nuclear\tpower⟩\x00bad ?\n", "nuclear\tpower", "why\tis bad"},
		{"⟨night trains⟩", "night trains", ""},
		{"pros and cons", "", "pros and cons"},
		{"", "", ""},
		{"?!", "", ""},
		// Roots in two parts.
		{"⟨ban⟩ maybe ⟨cars⟩ says who", "ban cars", "maybe says who"},
		{"should we not ⟨ban⟩ ever ⟨cars in cities⟩", "ban cars in cities", "should we not ever"},
		{"⟨schools⟩ do not, ever, ⟨need uniforms⟩ says who", "schools need uniforms", "do not, ever says who"},
		// Articles go with the word after them, and without one with the word before.
		{"what does the ⟨EU⟩ do wrong", "the EU", "what does do wrong"},
		{"⟨ban the car⟩ for a reason", "ban the car", "for a reason"},
		{"The ⟨Beatles⟩, as the critics saw them", "The Beatles", "as the critics saw them"},
		{"arguments against ⟨vitamin A⟩", "vitamin A", "arguments against"},
		{"⟨vitamin A⟩, pro and con", "vitamin A", "pro and con"},
		{"⟨vitamin A⟩?", "vitamin A", ""},
		{"what is wrong with the", "", "what is wrong with the"},
		// Marks between two words of the root.
		{"reasons for ⟨cats & dogs⟩", "cats & dogs", "reasons for"},
		{"reasons for ⟨cats - and, really ... dogs⟩!", "cats - and, really ... dogs", "reasons for"},
		{"against ⟨state-of-the-art weapons⟩", "state-of-the-art weapons", "against"},
		{"against ⟨a U.S. base⟩", "a U.S. base", "against"},
		{"⟨trains – at night⟩ – why", "trains – at night", "why"},
		{"⟨don't ban it⟩: why not", "don't ban it", "why not"},
		// Marks beside words of the root alone.
		{"arguments against ⟨C++⟩", "C++", "arguments against"},
		{"why ⟨C#⟩ is better", "C#", "why is better"},
		{"is ⟨a tax of 50%⟩ fair?", "a tax of 50%", "is fair"},
		{"who opposed ⟨NATO (1949)⟩ then", "NATO (1949)", "who opposed then"},
		{`what does the ⟨"green party"⟩ say`, `the "green party"`, "what does say"},
		{"⟨#metoo⟩ in the eyes of men", "#metoo", "in the eyes of men"},
		// Marks that touch other words.
		{"anti-⟨nuclear⟩ views", "nuclear", "anti views"},
		{"⟨Macron⟩'s critics", "Macron", "'s critics"},
		{"pro/con ⟨tax⟩", "tax", "pro/con"},
		{"what farmers (in France) say: ⟨the wolf⟩", "the wolf", "what farmers (in France) say"},
		{"⟨Ärzte⟩ – dagegen", "Ärzte", "dagegen"},
	} {
		query, words := tagged(c.marked)
		if root, rest := partsOf(query, words); root != c.root || rest != c.rest {
			t.Errorf("%q: %q | %q, want %q | %q", c.marked, root, rest, c.root, c.rest)
		}
	}
}

func TestReadTagged(t *testing.T) {
	for _, c := range []struct {
		marked, label string
		want          Reading
	}{
		{"what nurses think of ⟨night shifts⟩", "audience", Reading{"night shifts", "what nurses think of", KindAudience, 0, false}},
		{"arguments against ⟨night shifts⟩", "stance:against", Reading{"night shifts", "arguments against", KindStance, -1, false}},
		{"pros and cons of ⟨night shifts⟩", "stance:both", Reading{"night shifts", "pros and cons of", KindStance, 0, true}},
		{"⟨night shifts⟩ in Norway", "place", Reading{"night shifts", "in Norway", KindPlace, 0, false}},
		// A side that the wording does not say, or another, is said in words that the methods know.
		{"make me hate ⟨night shifts⟩", "stance:against", Reading{"night shifts", "arguments against", KindStance, -1, false}},
		{"sell me ⟨night shifts⟩", "stance:for", Reading{"night shifts", "arguments for", KindStance, 1, false}},
		{"arguments against ⟨night shifts⟩", "stance:for", Reading{"night shifts", "arguments for", KindStance, 1, false}},
		{"⟨night shifts⟩, thumbs up and down", "stance:both", Reading{"night shifts", "arguments for and against", KindStance, 0, true}},
		{"pros and cons of ⟨night shifts⟩", "stance:against", Reading{"night shifts", "arguments against", KindStance, -1, false}},
		// No perspective, or not both parts.
		{"arguments against ⟨night shifts⟩", "", Reading{}},
		{"⟨arguments against night shifts⟩", "stance:against", Reading{}},
		{"arguments against night shifts", "stance:against", Reading{}},
		{"⟨night shifts⟩ ?!", "stance:for", Reading{}},
		{"", "stance:for", Reading{}},
		{" ?", "stance:for", Reading{}},
		// Requests in the forms of benchmarks are read by these, whatever the model says.
		{"⟨Find⟩ a claim that opposes the argument: night shifts are fine", "", Read("Find a claim that opposes the argument: night shifts are fine")},
		{"⟨Find⟩ a claim that opposes the argument: night shifts are fine", "place", Read("Find a claim that opposes the argument: night shifts are fine")},
		{"⟨night shifts, from the perspective of⟩ nurses", "stance:for", Read("night shifts, from the perspective of nurses")},
		// The root is still to come.
		{"⟨claims⟩ that oppose:", "stance:against", Reading{}},
	} {
		query, words := tagged(c.marked)
		if got := ReadTagged(query, words, c.label); got != c.want {
			t.Errorf("%q as %q: %+v, want %+v", c.marked, c.label, got, c.want)
		}
	}
	if r := Read("Find a claim that opposes the argument: night shifts are fine"); r.Root != "night shifts are fine" || r.Side != -1 {
		t.Errorf("%+v", r)
	}
}

// The wordings that stand for a side say it to the methods.
func TestTaggedWordings(t *testing.T) {
	for wording, side := range map[string]int{"arguments for": 1, "arguments against": -1, "arguments for and against": 0} {
		if Stance(wording) != side || Both(wording) != (side == 0) || KindOf(wording) != KindStance {
			t.Errorf("%q: %d, %v, %q", wording, Stance(wording), Both(wording), KindOf(wording))
		}
	}
}

// Any query and any tags give words in order, and a root and a perspective of these words.
func FuzzReadTagged(f *testing.F) {
	labels := []string{"", "stance:for", "stance:against", "stance:both", "audience", "place", "free"}
	for i, marked := range []string{
		"arguments against ⟨night trains⟩", "⟨vitamin A⟩, yay or nay?", "what does the ⟨\"EU\"⟩ do", "⟨state-of-the-art C++⟩ (1949) – why", "Find a claim that opposes the argument: X",
		"From left-wing media, find: X", "X according to the critics", "a: b: c:", "\xff⟨\x80\xfe⟩ \x00 a", "  ?!  ",
	} {
		query, words := tagged(marked)
		var tags []byte
		for _, w := range words {
			tags = append(tags, byte(max(0, w.Root)))
		}
		f.Add(query, tags, byte(i))
	}
	f.Fuzz(func(t *testing.T, query string, tags []byte, label byte) {
		words, end := Words(query), 0
		if len(words) > 200 {
			return
		}
		for i := range words {
			w := &words[i]
			if w.Start < end || w.End <= w.Start || w.End > len(query) || strings.TrimFunc(query[end:w.Start], func(r rune) bool { return r <= ' ' || r == 0x7f }) != "" {
				t.Fatalf("%q has the words %+v", query, words)
			}
			if end = w.End; len(tags) > 0 {
				w.Root = float32(tags[i%len(tags)]&1) - .5
			}
		}
		asked := labels[int(label)%len(labels)]
		r := ReadTagged(query, slices.Clone(words), asked)
		if r == (Reading{}) {
			return
		}
		if r.Root == "" || r.Perspective == "" {
			t.Fatalf("%q: %+v", query, r)
		}
		known := " " + strings.Join(strings.Fields(query), " ") + " arguments for and against from "
		for _, part := range []string{r.Root, r.Perspective} {
			for _, word := range strings.Fields(part) {
				if !strings.Contains(known, word) {
					t.Fatalf("%q: %+v has the word %q", query, r, word)
				}
			}
		}
		if form := Read(query); r == form {
			return
		}
		if kind, _, _ := strings.Cut(asked, ":"); string(r.Kind) != kind || asked == "" {
			t.Fatalf("%q as %q: %+v", query, asked, r)
		}
		if r.Kind == KindStance && (Stance(r.Perspective) != r.Side || Both(r.Perspective) != r.Both) {
			t.Fatalf("%q as %q: %+v, but the wording has side %d, both %v", query, asked, r, Stance(r.Perspective), Both(r.Perspective))
		}
	})
}

// Of all choices of words, decode takes one for which the sum of the numbers in the root, less apart for each part of the root,
// is the greatest.
func TestDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worth := func(numbers []float32, in func(i int) bool) (sum float32) {
		for i, v := range numbers {
			if in(i) {
				if sum += v; i == 0 || !in(i-1) {
					sum -= apart
				}
			}
		}
		return sum
	}
	for n := range 12 {
		for range 50 {
			numbers, words := make([]float32, n), make([]Word, n)
			for i := range numbers {
				numbers[i] = float32(r.IntN(17)-8) / 2
				words[i].Root = numbers[i]
			}
			decode(words)
			got, best := worth(numbers, func(i int) bool { return words[i].Root > 0 }), float32(0)
			for choice := range 1 << n {
				best = max(best, worth(numbers, func(i int) bool { return choice>>i&1 == 1 }))
			}
			if got != best {
				t.Fatalf("%v: %+v is worth %v, the best %v", numbers, words, got, best)
			}
		}
	}
}
