package collection

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// The packages that a program links are part of a package's contract. A program that
// reads a collection from a URL or a folder links no encoder, and a program that writes
// one brings its own encoder.
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
		linked := tools.Dependencies(t, pkg)
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
