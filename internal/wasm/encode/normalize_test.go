package encode

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func TestNormalize(t *testing.T) {
	clean := Normalizer{CleanText: true}
	for _, test := range []struct {
		normalizer Normalizer
		text, want string
	}{
		{BertUncased, "Hello, World", "hello, world"},
		{BertUncased, "Ünïcode ÀÉ", "unicode ae"},
		{BertUncased, "a\u0301\u0323b", "ab"},
		{BertUncased, "中文a", " 中  文 a"},
		{BertUncased, "\uf900", " 豈 "},
		{BertUncased, "한", "\u1112\u1161\u11ab"},
		{BertUncased, "İstanbul ΣΑΣ ǅ", "istanbul σασ ǆ"},
		{BertUncased, "x\x00y\x07z\ufffd\u200b", "xyz"},
		{BertUncased, "a\tb\r\nc\u00a0d\u3000e\u2028f", "a b  c d e f"},
		{BertUncased, "bad\xff\xfeutf", "badutf"},
		{Normalizer{Lowercase: true}, "İÉ\x00", "i̇é\x00"},
		{Normalizer{ChineseChars: true}, "A中é", "A 中 é"},
		{clean, "A\u0085B\x0bC\u2003D", "ABC D"},
		{Normalizer{}, "A\x00\tİ\xff", "A\x00\tİ\ufffd"},
	} {
		if got := string(test.normalizer.Append(nil, test.text)); got != test.want {
			t.Errorf("%+v: %+q gives %+q, want %+q", test.normalizer, test.text, got, test.want)
		}
	}
}

// TestStripAccentsOfEveryRune compares with x/text rune by rune, each between
// two marks, so that canonical ordering and stripping both show.
func TestStripAccentsOfEveryRune(t *testing.T) {
	needUnicode(t, norm.Version, "golang.org/x/text")
	strip := Normalizer{StripAccents: true}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s := "a\u302e" + string(r) + "\U0001d165b"
		want := strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(s))
		if got := string(strip.Append(nil, s)); got != want {
			t.Errorf("%U: %+q, want %+q", r, got, want)
		}
	}
}

// TestManyMarks guards against quadratic sorting of adversarial text.
func TestManyMarks(t *testing.T) {
	s := strings.Repeat("\u302e\U0001d165", 200_000)
	got := string(Normalizer{StripAccents: true}.Append(nil, s))
	if want := strings.Repeat("\U0001d165", 200_000) + strings.Repeat("\u302e", 200_000); got != want {
		t.Error("marks are not in canonical order")
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                      nil,
		"  ":                    nil,
		"hello world":           {"hello", "world"},
		" don't  stop! ":        {"don", "'", "t", "stop", "!"},
		"a$b+c=d^e`f|g~":        {"a", "$", "b", "+", "c", "=", "d", "^", "e", "`", "f", "|", "g", "~"},
		"x\u2014y\u3002z":       {"x", "\u2014", "y", "\u3002", "z"},
		"a\u0085b\u00a0c\x0bd":  {"a", "b", "c", "d"},
		"5\u20ac \u00a9 \u0e3f": {"5\u20ac", "\u00a9", "\u0e3f"},
	} {
		var got []string
		for w := range Words([]byte(text)) {
			got = append(got, string(w))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
