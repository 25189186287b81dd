package contexts

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "about.txt")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	got, err := Read(t.Context(), []string{"I am 74."}, write(t, "\ufeff\n I live alone. \r\n\nI rent"))
	if err != nil || len(got) != 3 || got[0].Text != "I am 74." || got[1].Text != "I live alone." || got[2].Text != "I rent" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Read(t.Context(), nil, ""); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// Errors never say what a context says.
func TestReadRefused(t *testing.T) {
	const secret = "secret"
	for name, c := range map[string]struct {
		given      []string
		file, want string
		kind       fault.Kind
	}{
		"an empty context": {[]string{secret, " "}, "", "number 1 has no text", fault.Query},
		"not UTF-8":        {[]string{secret, secret + "\xff"}, "", "number 1 is not UTF-8", fault.Query},
		"too many":         {strings.Split(strings.Repeat(secret+" ", 65)+secret, " "), "", "there are 66", fault.Query},
		"too many lines":   {nil, write(t, strings.Repeat(secret+"\n", 70)), ":65: more than 64 contexts", fault.Input},
		"a long line":      {nil, write(t, strings.Repeat(secret, 3<<20)), ":1: the line is longer", fault.Input},
		"no line":          {[]string{secret}, write(t, " \n\n"), "no line has text", fault.Input},
		"no file":          {[]string{secret}, filepath.Join(t.TempDir(), "none"), "none", fault.Input},
	} {
		_, err := Read(t.Context(), c.given, c.file)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestReason(t *testing.T) {
	if got := Reason(&vantage.Hit{}); got != "" {
		t.Errorf("%q", got)
	}
	got := Reason(&vantage.Hit{Because: &vantage.Because{Text: "I am\x1b[1m\nold", Fit: .5, Relevance: .25}})
	if !strings.HasPrefix(got, "because: I am") || strings.ContainsAny(got, "\x1b\n") || !strings.HasSuffix(got, "old (fit 0.5000, relevance 0.2500)") {
		t.Errorf("%q", got)
	}
}
