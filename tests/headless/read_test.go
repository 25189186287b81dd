package headless_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/perspective"
)

// TestReadInNode compares what the core reads in everyday wordings with what Go reads:
// root, perspective, kind, side and both.
func TestReadInNode(t *testing.T) {
	node := tools.Node(t)
	queries := []string{"", "?", "\ufffd", strings.Repeat("news from ", 100), "why “zoos” are bad’s"}
	for _, name := range []string{"phrasings.jsonl", "questions.txt"} {
		b, err := os.ReadFile(filepath.Join(tools.Root(), "perspective/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var p struct{ Query string }
			if json.Unmarshal([]byte(line), &p) != nil {
				p.Query = strings.TrimSpace(line)
			}
			queries = append(queries, p.Query)
		}
	}
	given, err := json.Marshal(map[string]any{"library": "file://" + filepath.Join(tools.Root(), "static/lib/index.js"), "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/read.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(given), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []struct { // null is the zero reading
		Root, Perspective, Side string
		Kind                    perspective.Kind
		Both                    bool
	}
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(queries) {
		t.Fatalf("%v: %.200s", err, out)
	}
	sides := map[perspective.Reading]bool{}
	for i, query := range queries {
		g := perspective.Reading{
			Root: got[i].Root, Perspective: got[i].Perspective, Kind: got[i].Kind,
			Side: map[string]int{"for": 1, "against": -1}[got[i].Side], Both: got[i].Both,
		}
		if want := perspective.Read(query); g != want {
			t.Errorf("%q: %+v in Node.js, %+v in Go", query, got[i], want)
		}
		sides[perspective.Reading{Kind: g.Kind, Side: g.Side, Both: g.Both}] = true
	}
	if len(sides) < 10 { // no perspective; for, against and both; six other kinds
		t.Errorf("only %d different readings: the test compares too little", len(sides))
	}
}
