package collection

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// The packages that a program links are part of a package's contract. A program that
// reads a collection from a URL or a folder links no encoder. A program that searches or
// writes one links the static encoder and the reader of packs, because collections carry
// static encoders and packs. Other models, and what runs a pack, it must import itself.
func TestDependencies(t *testing.T) {
	const module = "github.com/vantage-search/vantage/"
	own := []string{"internal/model", "internal/model/builtin", "sides", "internal/wasm/transformer", "internal/wasm/kernel/dense", "internal/wasm/packed", "internal/encoder/packmodel"}
	models := append([]string{"internal/wasm/pack"}, own...)
	encoders := append([]string{"internal/encoder", "internal/encoder/staticmodel", "internal/wasm/encode", "internal/wasm/index", "internal/search", "internal/collection"}, models...)
	for pkg, banned := range map[string][]string{
		"internal/collection/manifest": append([]string{"net/http"}, encoders...),
		"internal/collection/store":    append([]string{"net/http"}, encoders...),
		"internal/collection/remote":   encoders,
		"internal/collection/corpus":   append([]string{"net/http", "github.com/xuri/excelize/v2"}, encoders...),
		"internal/collection":          append([]string{"net/http", "internal/search"}, own...),
		"internal/encoder":             encoders[1:],
		"internal/search":              append([]string{"net/http"}, own...),
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
