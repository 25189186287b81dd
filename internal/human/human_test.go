package human

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain, π, 東京":      "plain, π, 東京",
		"\x1b[31mred\x07":   `\u001b[31mred\u0007`,
		"a\u202eb\u2066c":   `a\u202eb\u2066c`,
		"\u009b31m\u2028\n": `\u009b31m\u2028\u000a`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
	if got := OneLine(" a\n\tb\u00a0 c\x00 "); got != `a b c\u0000` {
		t.Errorf("OneLine: %q", got)
	}
}

func TestArgument(t *testing.T) {
	for in, want := range map[string]string{
		"site":              "site",
		"/a/b-c_d.e,f":      "/a/b-c_d.e,f",
		"org/name@main":     "org/name@main",
		"Bücher/東京":         "Bücher/東京",
		"":                  "''",
		"my dir":            "'my dir'",
		"-o":                "./-o",
		"- x":               "'./- x'",
		"it's":              `'it'\''s'`,
		"~/$HOME;`ls`":      "'~/$HOME;`ls`'",
		"\x1b[31mred\u202e": `'\u001b[31mred\u202e'`,
	} {
		if got := Argument(in); got != want {
			t.Errorf("Argument(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("long ", 40), strings.Repeat("東京", 30), strings.Repeat("e\u0301", 50), strings.Repeat("👩‍👩‍👧", 20)} {
		for _, columns := range []int{1, 2, 5, 20, 79} {
			got := Cut(text, columns)
			if width := uniseg.StringWidth(got); width > columns {
				t.Errorf("Cut(%q, %d) = %q, %d columns", text, columns, got, width)
			}
			if whole := uniseg.StringWidth(text) <= columns; whole != (got == text) || !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
				t.Errorf("Cut(%q, %d) = %q", text, columns, got)
			}
		}
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{"1 file": Count(1, "file"), "0 files": Count(0, "file"), "2 queries": Count(int64(2), "query"), "1 query": Count(1, "query")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for n, want := range map[int64]string{999: "999 bytes", 1000: "1.0 kB", 4_084_552: "4.1 MB", 12e9: "12.0 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
