package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

const (
	module = "github.com/vantage-search/vantage"
	// Package is the one that names ../shared.
	Package = module + "/internal/testing/shared"
)

// folder has what the Go files of a folder say, those of its test packages included.
type folder struct {
	imports []string // by files that are no tests
	// uses has the names and the imports that each declaration of a test file mentions,
	// by its own name. Declarations of one name count as one: that can only find too
	// many tests.
	uses map[string]map[string]bool
}

// read reads a file.
func (f *folder) read(path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	names := map[string]string{} // import paths by their names in this file
	for _, i := range file.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		name := imported[strings.LastIndexByte(imported, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = imported
		if !strings.HasSuffix(path, "_test.go") {
			f.imports = append(f.imports, imported)
		}
	}
	if !strings.HasSuffix(path, "_test.go") {
		return nil
	}
	for _, d := range file.Decls {
		if function, ok := d.(*ast.FuncDecl); ok {
			f.mention(function.Name.Name, function, names)
			continue
		}
		for _, s := range d.(*ast.GenDecl).Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					f.mention(name.Name, s, names)
				}
			case *ast.TypeSpec:
				f.mention(s.Name.Name, s, names)
			}
		}
	}
	return nil
}

// mention notes what a declaration mentions.
func (f *folder) mention(name string, declaration ast.Node, imports map[string]string) {
	uses := f.uses[name]
	if uses == nil {
		uses = map[string]bool{}
		f.uses[name] = uses
	}
	ast.Inspect(declaration, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			uses[id.Name] = true
			if path, ok := imports[id.Name]; ok {
				uses[path] = true
			}
		}
		return true
	})
}

// tests lists the tests that reach one of the packages.
func (f *folder) tests(packages map[string]bool) (found []string) {
	reaches := map[string]bool{}
	for more := true; more; {
		more = false
		for name, uses := range f.uses {
			for used := range uses {
				if !reaches[name] && (packages[used] || reaches[used]) {
					reaches[name], more = true, true
				}
			}
		}
	}
	for name := range reaches {
		if strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz") {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}
