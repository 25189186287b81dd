package command

import (
	"strings"
	"testing"
)

func TestHybrid(t *testing.T) {
	dir := t.TempDir()
	must(t, dir, "index", debates(t), "-o", "c", "--terms")
	must(t, dir, "inspect", "c", "--verify")
	fused := must(t, dir, "search", "c", "--json", "--query", opposing, "--hybrid", "-k", "4")
	checkNumbers(t, fused.stdout)
	for _, part := range []string{`"hybrid":"rrf"`, `"lexical":{"rank":`} {
		if !strings.Contains(fused.stdout, part) {
			t.Errorf("%s is not in %s", part, fused.stdout)
		}
	}
	headless := must(t, dir, "search", "c", "--json", "--query", opposing, "--hybrid", "-k", "4", "--engine", "headless")
	if headless.stdout != fused.stdout {
		t.Errorf("the engines differ:\n%s\n%s", fused.stdout, headless.stdout)
	}
	table := must(t, dir, "search", "c", "--query", opposing, "--hybrid=min-max", "--words-weight", "1")
	if !strings.Contains(table.stderr, "fused with BM25: min-max") {
		t.Errorf("stderr: %s", table.stderr)
	}
}
