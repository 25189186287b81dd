package encode

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// needUnicode skips a comparison with the tables of another package if they have
// another Unicode version than the generated ones.
func needUnicode(t *testing.T, version, whose string) {
	t.Helper()
	if version != unicodeVersion {
		t.Skipf("%s has Unicode %s, the generated tables %s: run under the toolchain that go.mod names", whose, version, unicodeVersion)
	}
}

// nfd is only the normaliser's decomposition. It keeps marks.
func nfd(s string) string {
	t := properties()
	var out []rune
	var marks []combiningMark
	state := normalization{tables: t}
	flush := func() {
		state.pending, state.dst = marks, nil
		state.flush()
		out = append(out, []rune(string(state.dst))...)
		marks = marks[:0]
	}
	for _, r := range s {
		var buffer [3]rune
		parts := t.decompose(r, &buffer)
		if parts == nil {
			parts = []rune{r}
		}
		for _, p := range parts {
			if c := t.combiningClass(p); c != 0 {
				marks = append(marks, combiningMark{p, c})
				continue
			}
			flush()
			out = append(out, p)
		}
	}
	flush()
	return string(out)
}

func TestDecompositionOfEveryRune(t *testing.T) {
	needUnicode(t, norm.Version, "golang.org/x/text")
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if s := string(r); nfd(s) != norm.NFD.String(s) {
			t.Errorf("%U: NFD %+q, want %+q", r, nfd(s), norm.NFD.String(s))
		}
	}
}

func TestDecompositionOfRandomStrings(t *testing.T) {
	needUnicode(t, norm.Version, "golang.org/x/text")
	random := rand.New(rand.NewPCG(1, 2))
	var marks, starters []rune
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if p := norm.NFD.PropertiesString(string(r)); p.CCC() != 0 {
			marks = append(marks, r)
		} else if p.Decomposition() != nil {
			starters = append(starters, r)
		}
	}
	for range 20000 {
		var b strings.Builder
		for range 1 + random.IntN(20) {
			b.WriteRune([]rune{'a', ' ', 0xAC01, starters[random.IntN(len(starters))]}[random.IntN(4)])
			for range random.IntN(5) { // x/text breaks up more than 30 marks in a row
				b.WriteRune(marks[random.IntN(len(marks))])
			}
		}
		if s := b.String(); nfd(s) != norm.NFD.String(s) {
			t.Fatalf("%+q: NFD %+q, want %+q", s, nfd(s), norm.NFD.String(s))
		}
	}
}

func TestClassAndCaseOfEveryRune(t *testing.T) {
	needUnicode(t, unicode.Version, "package unicode")
	p := properties()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := classOther
		switch {
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
			want = classControl
		case unicode.Is(unicode.Mn, r):
			want = classMark
		case unicode.Is(unicode.P, r):
			want = classPunctuation
		case unicode.Is(unicode.White_Space, r):
			want = classSpace
		}
		if got := p.class(r); got != want {
			t.Errorf("%U: class %d, want %d", r, got, want)
		}
		if got := p.lower(r); got != unicode.ToLower(r) {
			t.Errorf("%U: lower case %U, want %U", r, got, unicode.ToLower(r))
		}
	}
}
