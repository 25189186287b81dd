package perspective

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ query, root, perspective string }{
		// These are the shapes of the PIR benchmark, in wordings of the paper's Table 1
		// and of its released data.
		{"Find a claim that opposes the argument: Schools should teach chess", "Schools should teach chess", "a claim that opposes the argument"},
		{"Find a claim relates to the argument: chess", "chess", "a claim relates to the argument"},
		{"find a news article from the left wing on the topic: politics", "politics", "a news article from the left wing"},
		{"find a news article that is neutral on the topic: politics", "politics", "a news article that is neutral"},
		{"From Left-wing media, find a news article on the topic: terrorism", "terrorism", "a news article from Left-wing media"},
		{"Find a story that is an analogy to the following story: Fold it. Sign it.", "Fold it. Sign it.", "a story that is an analogy"},
		{"Find a story that is with similar entities with the following story: A. B.", "A. B.", "a story that is with similar entities"},
		{"Find a story that has similar entities with: A.", "A.", "a story that has similar entities with"},
		{"Find a news article relates to Crime and similar the following news: Z: y", "Z: y", "a news article relates to Crime"},
		{"Find a news article happened in Canada and similar to the following news: Z", "Z", "a news article happened in Canada"},
		{"Find a news article that happened in Canada and has the same topic as: Z", "Z", "a news article that happened in Canada"},
		{"Find a claim that this sentence refutes: Water is dry. ", "Water is dry.", "a claim that this sentence refutes"},
		// These are other shapes.
		{"Find arguments against nuclear power : its cost ?", "its cost ?", "arguments against nuclear power"},
		{"A claim that opposes the argument: chess", "chess", "A claim that opposes the argument"},
		{"Find a forecast with regard to the claim: Chess is dying", "Chess is dying", "a forecast"},
		{"Find what happened in Paris concerning this: Chess is dying", "Chess is dying", "what happened in Paris"},
		{"Find figures on the subject of the question: Chess is dying", "Chess is dying", "figures"},
		{"Find a claim related to the argument: chess", "chess", "a claim related to the argument"},
		{"Find an objection to the proposal: chess for all", "chess for all", "an objection to the proposal"},
		{"what a parent would say about this: Chess is dying", "Chess is dying", "what a parent would say"},
		{"how families see it: Chess is dying", "Chess is dying", "how families see it"},
		{"a designer's point of view: Chess is dying", "Chess is dying", "a designer's point of view"},
		{"why one might agree with the claim: chess is dying", "chess is dying", "why one might agree with the claim"},
		{"points in favour of: chess", "chess", "points in favour of"},
		{"an upside of the change: Chess is online", "Chess is online", "an upside of the change"},
		{"what can be said against it: chess", "chess", "what can be said against it"},
		{"Find an argument to resist the ban: no chess", "no chess", "an argument to resist the ban"},
		{"reasons for: chess", "chess", "reasons for"},
		{"arguments against nuclear power", "nuclear power", "arguments against"},
		{"The strongest arguments for nuclear power", "nuclear power", "The strongest arguments for"},
		{"evidence that contradicts a flat earth", "a flat earth", "evidence that contradicts"},
		{"Find evidence that contradicts the claim that the earth is flat", "the earth is flat", "evidence that contradicts the claim"},
		{"evidence against the theory of relativity", "the theory of relativity", "evidence against"},
		{"please show me recent papers that dispute string theory", "string theory", "recent papers that dispute"},
		{"objections to a carbon tax", "a carbon tax", "objections to"},
		{"Find a book by a physicist about time", "time", "a book by a physicist"},
		{"a carbon tax, from the perspective of farmers", "a carbon tax", "the perspective of farmers"},
		{"Is a carbon tax fair from the point of view of farmers?", "Is a carbon tax fair?", "the point of view of farmers"},
		{"a carbon tax from an economic perspective", "a carbon tax", "an economic perspective"},
		{"From the perspective of farmers, is a carbon tax fair?", "is a carbon tax fair?", "the perspective of farmers"},
		{"is coffee healthy according to cardiologists?", "is coffee healthy?", "according to cardiologists"},
	} {
		root, perspective, ok := Split(c.query)
		if !ok || root != c.root || perspective != c.perspective {
			t.Errorf("Split(%q) = %q, %q, %t; want %q, %q", c.query, root, perspective, ok, c.root, c.perspective)
		}
	}
}

func TestSplitCannotTell(t *testing.T) {
	for _, query := range []string{
		"", " ", ":", "find", "find:", "Find a claim that opposes the argument:", "politics", "hotels in Canada",
		"What is the legal age of marriage, without parental consent, in Nebraska?", "Who starred in Barefoot in the Park on Broadway?",
		"find a book about time", "Find a news article: politics", "Interstellar: a review", "against the law: a memoir", "C++: how to sort",
		"flights from a to b", "the case for the defence", "a letter from home", "From Russia, With Love", "according to Jim",
		"study supports vaccine mandate", "show me how teachers support students", "find programs that support old machines", "look at this: a claim", "What We Do in the Shadows: the finale", "how to sort: quick or slow", "The Lord of the Rings: the towers", "arguments against", "from the perspective of farmers",
	} {
		if root, perspective, ok := Split(query); ok || root != "" || perspective != "" {
			t.Errorf("Split(%q) = %q, %q, %t; want false", query, root, perspective, ok)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("the following perspective: chess")
	f.Add("of the following viewpoint: chess")
	f.Add("Find a claim that opposes the argument: X")
	f.Add("From left-wing media, find a news article on the topic: X")
	f.Add("X, from a Y perspective?")
	f.Add("evidence that contradicts the claim that \xff")
	f.Fuzz(func(t *testing.T, query string) {
		root, perspective, ok := Split(query)
		if ok != (root != "") || ok != (perspective != "") {
			t.Fatalf("Split(%q) = %q, %q, %t", query, root, perspective, ok)
		}
		if strings.TrimSpace(root) != root || strings.TrimSpace(perspective) != perspective {
			t.Fatalf("Split(%q) = %q, %q: not trimmed", query, root, perspective)
		}
		if !strings.Contains(query, strings.TrimSuffix(root, "?")) {
			t.Fatalf("Split(%q): the root %q is not part of the query", query, root)
		}
		if utf8.ValidString(query) && !(utf8.ValidString(root) && utf8.ValidString(perspective)) {
			t.Fatalf("Split(%q) = %q, %q: cut inside a character", query, root, perspective)
		}
	})
}

// FuzzRead checks that a reading is that of Split, with the kind, the side and both sides that its perspective has.
func FuzzRead(f *testing.F) {
	f.Add("zoos: what speaks against them?")
	f.Add("both sides: dress codes/uniforms at work, for my debate")
	f.Add("i need arguments for and against anti-war art – please")
	f.Add("pre-2000 articles about women’s \xff football, only")
	f.Fuzz(func(t *testing.T, query string) {
		root, perspective, ok := Split(query)
		got := Read(query)
		if !ok {
			if got != (Reading{}) {
				t.Fatalf("Read(%q) = %+v, but Split finds nothing", query, got)
			}
			return
		}
		if want := (Reading{root, perspective, KindOf(perspective), Stance(perspective), Both(perspective)}); got != want {
			t.Fatalf("Read(%q) = %+v, want %+v", query, got, want)
		}
		if got.Both && got.Side != 0 {
			t.Fatalf("Read(%q) = %+v: both sides, and one", query, got)
		}
	})
}
