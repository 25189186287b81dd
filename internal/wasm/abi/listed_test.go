package abi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"
)

// What abi.go declares is in the lists of javascript.go, from which the scripts' side is generated. Fields are as wide
// on every processor.
func TestDeclarationsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range constants {
		listed[c.name] = true
	}
	for _, s := range structs {
		listed[s.Name()] = true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "abi.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					found++
					if !listed[screaming(name.Name)] {
						t.Errorf("constants of javascript.go lacks %s for %s", screaming(name.Name), name.Name)
					}
				}
			case *ast.TypeSpec:
				found++
				if !listed[s.Name.Name] {
					t.Errorf("structs of javascript.go lacks %s", s.Name.Name)
				}
			}
		}
	}
	if found != len(listed) {
		t.Errorf("abi.go declares %d constants and structures, javascript.go lists %d", found, len(listed))
	}
	for _, s := range structs {
		for f := range s.Fields() {
			switch f.Type.Name() {
			case "uint32", "int32", "float32", "float64":
			default:
				t.Errorf("%s.%s is a %s, want uint32, int32, float32 or float64", s.Name(), f.Name, f.Type)
			}
		}
	}
}

// screaming turns FlagCosineRank into FLAG_COSINE_RANK.
func screaming(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
