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
	// Package is the import path of package shared, which finds files of ../shared.
	Package = module + "/internal/testing/shared"
)

// folder is what the Go files of a folder import and use. It includes test files.
type folder struct {
	imports []string // import paths of the files that are not tests
	// uses has, by the name of each declaration in a test file, the names and the import
	// paths that it mentions. Declarations with the same name share an entry. The worst
	// that can come of it is that too many tests are found.
	uses map[string]map[string]bool
}

// read adds a file to the folder.
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

// mention notes which names and import paths a declaration mentions.
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

// tests lists the tests that use one of the packages, directly or through other
// declarations of the folder.
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
