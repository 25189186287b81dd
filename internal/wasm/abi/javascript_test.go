package abi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJavaScriptIsUpToDate(t *testing.T) {
	for name, want := range JavaScript() {
		got, err := os.ReadFile(filepath.Join("../../../static/src/engine", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("static/src/engine/%s differs from internal/wasm/abi: run `make generate`", name)
		}
	}
}

// The layouts must not depend on the architecture: every field is naturally
// aligned and no struct ends in padding.
func TestLayoutsHaveNoPadding(t *testing.T) {
	for _, s := range structs {
		next := uintptr(0)
		for f := range s.Fields() {
			if f.Offset != next {
				t.Errorf("%s.%s is at %d, expected %d", s.Name(), f.Name, f.Offset, next)
			}
			next = f.Offset + f.Type.Size()
		}
		if next != s.Size() {
			t.Errorf("%s has %d bytes of padding at its end", s.Name(), s.Size()-next)
		}
	}
}

func TestCamel(t *testing.T) {
	for in, want := range map[string]string{"MMRCandidates": "mmrCandidates", "MethodLength": "methodLength", "K": "k", "MMR": "mmr", "X": "x"} {
		if got := camel(in); got != want {
			t.Errorf("camel(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestEveryFunctionIsDocumented(t *testing.T) {
	for _, f := range Functions() {
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s has no sentence of documentation", f.Name)
		}
	}
}
