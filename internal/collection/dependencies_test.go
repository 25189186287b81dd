package collection

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What a program links with a package is part of its contract: who reads a collection by its address or from a folder
// need carry no encoder, and who writes one brings the encoder along.
func TestDependencies(t *testing.T) {
	const module = "github.com/vantage-search/vantage/"
	models := []string{"internal/model", "internal/model/builtin", "internal/wasm/transformer", "internal/wasm/kernel/dense"}
	encoders := append([]string{"internal/encoder", "internal/encoder/staticmodel", "internal/wasm/encode", "internal/wasm/index", "internal/search", "internal/collection"}, models...)
	for pkg, banned := range map[string][]string{
		"internal/collection/manifest": append([]string{"net/http"}, encoders...),
		"internal/collection/store":    append([]string{"net/http"}, encoders...),
		"internal/collection/remote":   encoders,
		"internal/collection/corpus":   append([]string{"net/http"}, encoders...),
		"internal/collection":          append([]string{"net/http", "internal/search"}, models...),
		"internal/encoder":             encoders[1:],
		"internal/search":              append([]string{"net/http"}, models...),
		"internal/server":              append([]string{"internal/search"}, models...),
	} {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}}", module+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		var linked []string
		for line := range strings.Lines(string(out)) {
			name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
			linked = append(linked, name)
			if strings.HasPrefix(name, module) {
				if _, err := os.ReadDir(dir); err != nil { // so that go test runs this again when a file there changes
					t.Fatal(err)
				}
			}
		}
		if !slices.Contains(linked, module+pkg) {
			t.Fatalf("go list -deps of %s does not name it", pkg)
		}
		for _, b := range banned {
			if slices.Contains(linked, b) || slices.Contains(linked, module+b) {
				t.Errorf("%s links %s", pkg, b)
			}
		}
	}
}
