package headless_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Another module imports the headless host, as a CI user would, and gets the
// native engine's results.
func TestExampleModule(t *testing.T) {
	c, err := corpus.Open("../../examples/debates/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, c.Documents(), shard.I8)
	const source = "../../examples/headless"
	if _, err := os.ReadDir(source); err != nil { // go test does not take its result from its cache if that changes
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "perspective-ci")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = source
	build.Env = append(build.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	const query = "Find a claim that supports the argument: Primary schools should set homework"
	out, err := exec.Command(program, dir, query).Output()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	st, err := store.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	native, err := search.Open(ctx, st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := native.Search(ctx, search.Query{Query: text(query), K: 3})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(want.Hits) {
		t.Fatalf("the example printed %q", out)
	}
	for i, hit := range want.Hits {
		if !strings.HasSuffix(lines[i], " "+hit.ID) {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], hit.ID)
		}
	}
}
