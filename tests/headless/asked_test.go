package headless_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/sides"
)

// A search ranks by the kind and the side that `split` reads, also where the pack's reader sees more in the wording than
// the methods would: in Node.js, under wazero and natively.
func TestSearchAsksAsRead(t *testing.T) {
	type what struct{ Kind, Side string }
	type asked struct {
		Read, Ranked what
		Method       string
		Best         int
	}
	texts := []string{"Naps help memory, as three trials found.", "Naps are a waste of the day.", "Octopuses change colour in their sleep."}
	queries := []string{
		"proof that octopuses dream", "evidence that naps help", "any hard numbers backing up the claim that naps help",
		"How could somebody defend naps?", "make me hate naps", "arguments against naps", "pros and cons of naps",
		"black holes, but for five year olds", "marxist reading of naps", "tax implications of naps", "naps",
	}
	dir := t.TempDir()
	documents := func(yield func(vantage.Document, error) bool) {
		for i, text := range texts {
			if !yield(vantage.Document{ID: strconv.Itoa(i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Encoder: sides.Encoder()}); err != nil {
		t.Fatal(err)
	}
	given, err := json.Marshal(map[string]any{
		"library": "file://" + filepath.Join(tools.Root(), "static/lib/index.js"), "collection": "file://" + dir + "/", "queries": queries,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tools.Node(t), "testdata/asked.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(given), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var inNode []asked
	if err := json.Unmarshal(out, &inNode); err != nil || len(inNode) != len(queries) {
		t.Fatalf("%v: %.200s", err, out)
	}
	wazero, err := headless.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, engine := range map[string]*vantage.Engine{"natively": nil, "under wazero": wazero} {
		c, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Engine: engine})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for i, query := range queries {
			n := inNode[i]
			// A method other than contrast reads the side only for the hits' stances.
			if n.Read.Kind != n.Ranked.Kind || n.Ranked.Side != "" && n.Ranked.Side != n.Read.Side || (n.Method == "contrast") != (n.Read.Side != "") {
				t.Errorf("%q: %+v", query, n)
			}
			got, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: query}})
			if err != nil {
				t.Fatal(err)
			}
			if (what{string(got.Kind), got.Side}) != n.Ranked || got.Method != n.Method || got.Hits[0].Index != n.Best {
				t.Errorf("%q %s: %q, %q, %s, best %d; in Node.js %+v", query, name, got.Kind, got.Side, got.Method, got.Hits[0].Index, n)
			}
		}
	}
}
