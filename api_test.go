package vantage_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write api.txt")

// api.txt lists the public API, so that nobody changes the API without noticing. To write
// the list anew: go test -run TestAPI . -update
func TestAPI(t *testing.T) {
	var lines []string
	for _, path := range public {
		lines = append(lines, exported(t, path)...)
	}
	text := "The public API of Vantage's Go packages, one exported name a line.\nWritten by: go test -run TestAPI . -update\n\n" + strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile("api.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(listed) == text {
		return
	}
	was := strings.Split(string(listed), "\n")
	for _, line := range lines {
		if !slices.Contains(was, line) {
			t.Errorf("not in api.txt: %s", line)
		}
	}
	for _, line := range was {
		if !slices.Contains(strings.Split(text, "\n"), line) {
			t.Errorf("in api.txt only: %s", line)
		}
	}
	t.Error("the public API is not the one that api.txt lists: go test -run TestAPI . -update")
}

// Each public package has examples with checked output. In package vantage, each function, each
// method and each type with methods has an example of its own, and the examples use all other
// names, and the fields of all options.
func TestExamples(t *testing.T) {
	for _, path := range public {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash("."+path), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		examples, used, named, set := 0, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range doc.Examples(f) {
				if e.Output == "" && !e.EmptyOutput {
					t.Errorf("%s: Example%s has no output that is checked", name, e.Name)
				}
				examples++
				named[strings.TrimSuffix(e.Name, "_"+e.Suffix)] = true
				ast.Inspect(e.Code, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.SelectorExpr:
						if of, ok := n.X.(*ast.Ident); ok && of.Name == "vantage" {
							used[n.Sel.Name] = true
						}
					case *ast.KeyValueExpr:
						if key, ok := n.Key.(*ast.Ident); ok {
							set[key.Name] = true
						}
					}
					return true
				})
			}
		}
		if examples == 0 {
			t.Errorf("package %s has no examples", module+path)
		}
		if path != "" {
			continue
		}
		wanted := map[string]bool{}
		for _, line := range exported(t, path) {
			if m := function.FindStringSubmatch(line); m != nil {
				if m[1] != "" {
					wanted[m[1]] = true
					m[2] = m[1] + "_" + m[2]
				}
				wanted[m[2]] = true
			} else if m := field.FindStringSubmatch(line); m != nil {
				if !set[m[2]] {
					t.Errorf("no example sets vantage.%s.%s", m[1], m[2])
				}
			} else if m := name.FindStringSubmatch(line); m != nil && !used[m[1]] {
				used[m[1]] = true // say it once
				t.Errorf("no example uses vantage.%s", m[1])
			}
		}
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			if !named[name] {
				t.Errorf("there is no Example%s", name)
			}
		}
	}
}

// These match lines of exported: a function or method, a field that callers set, and any other name.
var (
	function = regexp.MustCompile(`^pkg vantage, func (?:\(\w+ \*?(\w+)\) )?(\w+)`)
	field    = regexp.MustCompile(`^pkg vantage, type (\w+Options|\w*Query|Filter|Hybrid|Opposites|Text|Vectors) struct, (\w+)`)
	name     = regexp.MustCompile(`^pkg vantage, (?:const|type|var) (\w+)`)
)

// exported lists the exported names of a package. Functions, methods and types must have
// descriptions, and nothing may mention types of internal packages.
func exported(t *testing.T, path string) []string {
	t.Helper()
	dir := filepath.FromSlash("." + path)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	a := &api{t: t, pkg: strings.TrimPrefix(module+path, "github.com/vantage-search/"), files: token.NewFileSet()}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(a.files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		a.internal = map[string]bool{}
		for _, i := range f.Imports {
			if target := strings.Trim(i.Path.Value, `"`); strings.Contains(target+"/", "/internal/") {
				base := filepath.Base(target)
				if i.Name != nil {
					base = i.Name.Name
				}
				a.internal[base] = true
			}
		}
		for _, d := range f.Decls {
			a.declaration(d)
		}
	}
	slices.Sort(a.lines)
	if len(a.lines) == 0 {
		t.Fatalf("package %s exports nothing", a.pkg)
	}
	return a.lines
}

type api struct {
	t        *testing.T
	pkg      string
	files    *token.FileSet
	internal map[string]bool // names of internal packages in the file
	lines    []string
}

func (a *api) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() || d.Recv != nil && !exportedReceiver(d.Recv) {
			return
		}
		if d.Doc == nil && d.Name.Name != "Error" {
			a.t.Errorf("%s.%s has no description", a.pkg, d.Name)
		}
		a.add(d.Type, "%s", a.text(&ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type}))
	case *ast.GenDecl:
		var last ast.Expr // type of a constant in a list
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					if d.Doc == nil && s.Doc == nil {
						a.t.Errorf("%s.%s has no description", a.pkg, s.Name)
					}
					a.typeSpec(s)
				}
			case *ast.ValueSpec:
				if s.Type != nil || len(s.Values) > 0 {
					last = s.Type
				}
				for i, name := range s.Names {
					if !name.IsExported() {
						continue
					}
					line := d.Tok.String() + " " + name.Name
					if last != nil {
						line += " " + a.text(last)
						a.check(last)
					}
					if d.Tok == token.CONST && i < len(s.Values) {
						line += " = " + a.text(s.Values[i])
					}
					a.add(nil, "%s", line)
				}
			}
		}
	}
}

func exportedReceiver(r *ast.FieldList) bool {
	of := r.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

func (a *api) typeSpec(s *ast.TypeSpec) {
	name := s.Name.Name
	if s.TypeParams != nil {
		name += a.text(s.TypeParams)
	}
	var list *ast.FieldList
	kind := ""
	switch of := s.Type.(type) {
	case *ast.StructType:
		list, kind = of.Fields, "struct"
	case *ast.InterfaceType:
		list, kind = of.Methods, "interface"
	default:
		equals := ""
		if s.Assign.IsValid() {
			equals = "= "
		}
		a.add(s.Type, "type %s %s%s", name, equals, a.text(s.Type))
		return
	}
	a.add(nil, "type %s %s", name, kind)
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.IsExported() {
				member := a.text(f.Type)
				if kind == "struct" {
					member = " " + member
				} else {
					member = strings.TrimPrefix(member, "func")
				}
				tag := ""
				if f.Tag != nil {
					tag = " " + f.Tag.Value
				}
				a.add(f.Type, "type %s %s, %s%s%s", name, kind, n.Name, member, tag)
			}
		}
		if len(f.Names) == 0 {
			a.add(f.Type, "type %s %s, %s", name, kind, a.text(f.Type))
		}
	}
}

// add adds a line, and checks node, the types that the line mentions; nil: none.
func (a *api) add(node ast.Node, format string, args ...any) {
	if node != nil {
		a.check(node)
	}
	a.lines = append(a.lines, "pkg "+a.pkg+", "+fmt.Sprintf(format, args...))
}

// check refuses types of internal packages.
func (a *api) check(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && a.internal[of.Name] {
				a.t.Errorf("%s: %s mentions %s.%s, which no program can import", a.files.Position(s.Pos()), a.pkg, of.Name, s.Sel)
			}
		}
		return true
	})
}

var space = regexp.MustCompile(`\s+`)

// text is a piece of Go in one line, with the comments inside it.
func (a *api) text(node any) string {
	var b bytes.Buffer
	if list, ok := node.(*ast.FieldList); ok { // type parameters
		var parts []string
		for _, f := range list.List {
			for _, n := range f.Names {
				parts = append(parts, n.Name+" "+a.text(f.Type))
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		a.t.Fatal(err)
	}
	return space.ReplaceAllString(b.String(), " ")
}
