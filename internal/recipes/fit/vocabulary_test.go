package fit

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func vocabularyOf(t *testing.T, size int, texts ...string) []string {
	t.Helper()
	c, err := readCorpus(context.Background(), slices.Values(texts), func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := learnVocabulary(context.Background(), c, size, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// TestMerges checks an example computed by hand. ##u and ##g are neighbours 20 times,
// ##u and ##n 16, h and ##ug 15, p and ##un 12; of the pairs with 5, hug and ##s comes
// before p and ##ug; b and ##un are neighbours 4 times.
func TestMerges(t *testing.T) {
	text := strings.Repeat("hug ", 10) + strings.Repeat("pug ", 5) + strings.Repeat("pun ", 12) + strings.Repeat("bun ", 4) + strings.Repeat("hugs ", 5)
	got := vocabularyOf(t, 100, text, ".")
	want := slices.Concat(specialTokens,
		[]string{"##b", "##g", "##h", "##n", "##p", "##s", "##u", ".", "b", "g", "h", "n", "p", "s", "u"},
		[]string{"##ug", "##un", "hug", "pun", "hugs", "pug", "bun"})
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestRepeatedCharacters checks that overlapping pairs are counted and merged
// consistently.
func TestRepeatedCharacters(t *testing.T) {
	got := vocabularyOf(t, 100, "aaaaa aaaaa aaaaa", "aaa aaaa")
	if want := slices.Concat(specialTokens, []string{"##a", "a", "##aa"}); !slices.Equal(got[:len(want)], want) {
		t.Errorf("%q, want to begin with %q", got, want)
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(strings.TrimPrefix(s, "##"), "#") }) {
		t.Errorf("prefixes inside tokens: %q", got)
	}
	if sorted := slices.Sorted(slices.Values(got)); len(slices.Compact(sorted)) != len(got) {
		t.Errorf("tokens twice: %q", got)
	}
}

// TestCharacterLimit checks that at most half of a vocabulary are characters, the most
// frequent ones.
func TestCharacterLimit(t *testing.T) {
	var b strings.Builder
	for i, r := 0, rune(0x4e00); i < 500; i, r = i+1, r+1 {
		b.WriteString(strings.Repeat(string(r), 1+i/10))
	}
	got := vocabularyOf(t, 64, b.String(), "x")
	if len(got) != len(specialTokens)+(64-len(specialTokens))/2 {
		t.Errorf("%d tokens", len(got))
	}
	for _, s := range got[len(specialTokens):] {
		if s < string(rune(0x4e00+440)) {
			t.Errorf("%q is not one of the most frequent", s)
		}
	}
}
