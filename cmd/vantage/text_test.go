package main

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/vantage-search/vantage/internal/search"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain, π, 東京":      "plain, π, 東京",
		"\x1b[31mred\x07":   `\u001b[31mred\u0007`,
		"a\u202eb\u2066c":   `a\u202eb\u2066c`,
		"\u009b31m\u2028\n": `\u009b31m\u2028\u000a`,
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
	if got := oneLine(" a\n\tb\u00a0 c\x00 "); got != `a b c\u0000` {
		t.Errorf("oneLine: %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("long ", 40), strings.Repeat("東京", 30), strings.Repeat("e\u0301", 50), strings.Repeat("👩‍👩‍👧", 20)} {
		for _, columns := range []int{1, 2, 5, 20, 79} {
			got := cut(text, columns)
			if width := uniseg.StringWidth(got); width > columns {
				t.Errorf("cut(%q, %d) = %q, %d columns", text, columns, got, width)
			}
			if whole := uniseg.StringWidth(text) <= columns; whole != (got == text) || !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
				t.Errorf("cut(%q, %d) = %q", text, columns, got)
			}
		}
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{"1 file": count(1, "file"), "0 files": count(0, "file"), "2 queries": count(int64(2), "query"), "1 query": count(1, "query")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for n, want := range map[int64]string{999: "999 bytes", 1000: "1.0 kB", 4_084_552: "4.1 MB", 12e9: "12.0 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}

// The table fills a wide terminal and does not break on a narrow one.
func TestTableFits(t *testing.T) {
	hits := []search.Hit{
		{Rank: 1, ID: "one", Score: 0.5, Text: strings.Repeat("many words ", 30), Explain: search.Explain{CosineRank: 12}},
		{Rank: 2, ID: strings.Repeat("x", 80), Score: -0.25, Title: strings.Repeat("東京", 60), Explain: search.Explain{CosineRank: 1}},
		{Rank: 3, ID: "three", Title: "Title", Text: "Text", Explain: search.Explain{CosineRank: 3}},
	}
	for _, width := range []int{10, 80, 200} {
		var b strings.Builder
		if err := writeTable(&b, hits, width); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 4 {
			t.Fatalf("%d lines", len(lines))
		}
		for _, line := range lines {
			if n := uniseg.StringWidth(line); n > max(width, 80) {
				t.Errorf("width %d: %d columns in %q", width, n, line)
			}
		}
		for i, part := range []string{"moved", "+11", "-1", "="} {
			if !strings.Contains(lines[i], part) {
				t.Errorf("%q lacks %q", lines[i], part)
			}
		}
	}
}
