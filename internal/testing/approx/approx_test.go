package approx

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

func TestApart(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		got, want, tolerance float64
		apart                bool
	}{
		{1, 1, 0, false}, {1, 1.5, .5, false}, {1.5, 1, .5, false}, {1, 1.5, .25, true}, {1.5, 1, .25, true}, {1, -1, 1, true},
		{inf, inf, 1, false}, {inf, -inf, 1, true}, {inf, 1, 1, true}, {1, inf, 1, true},
		{nan, 1, 1, true}, {1, nan, 1, true}, {nan, nan, 1, true}, {1, 1.5, nan, true},
	} {
		if got := Apart(c.got, c.want, c.tolerance); got != c.apart {
			t.Errorf("%g and %g with tolerance %g: %v", c.got, c.want, c.tolerance, got)
		}
	}
}

// No test compares a difference in a way that lets NaN pass.
func TestDifferencesThatAreNaNFail(t *testing.T) {
	root := os.DirFS(tools.Root())
	files := 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if base := path.Base(name); err == nil && entry.IsDir() && (base == "build" || base == "node_modules" || base == "testdata" || name != "." && base[0] == '.') {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, content, 0)
		if err != nil {
			return err
		}
		files++
		for _, at := range lenient(file) {
			t.Errorf("%s: NaN passes; use approx.Apart, or !(difference <= tolerance)", set.Position(at))
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

func TestLenient(t *testing.T) {
	for statement, want := range map[string]int{
		"if math.Abs(a-b) > 1 {}":               1,
		"if 1 < math.Abs(a-b) {}":               1,
		"if c := a; math.Abs(c-b)*2 >= 1 {}":    1,
		"if x || math.Abs(float64(a)-b) > 1 {}": 1,
		"if off := math.Abs(a-b); off > 1 {}":   1,
		"if d := math.Abs(a); x && d >= 1 {}":   1,
		"if !(math.Abs(a-b) <= 1) {}":           0,
		"if off := math.Abs(a-b); !(off<=1) {}": 0,
		"if Apart(a, b, 1) {}":                  0,
		"if a > math.Abs(b) {}":                 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+statement+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := lenient(file); len(got) != want {
			t.Errorf("%s: %d places, want %d", statement, len(got), want)
		}
	}
}

// lenient are the comparisons of a file that ask whether an absolute value is too great, so
// that they are false for NaN.
func lenient(file *ast.File) (found []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			greater := n.X
			switch n.Op {
			case token.LSS, token.LEQ:
				greater = n.Y
			case token.GTR, token.GEQ:
			default:
				return true
			}
			if product, ok := greater.(*ast.BinaryExpr); ok && product.Op == token.MUL {
				greater = product.X
			}
			if absolute(greater) {
				found = append(found, n.Pos())
			}
		case *ast.IfStmt:
			set, ok := n.Init.(*ast.AssignStmt)
			if !ok || !absolute(set.Rhs[0]) {
				return true
			}
			difference, ok := set.Lhs[0].(*ast.Ident)
			ast.Inspect(n.Cond, func(n ast.Node) bool {
				if c, is := n.(*ast.BinaryExpr); ok && is && (c.Op == token.GTR || c.Op == token.GEQ) {
					if left, is := c.X.(*ast.Ident); is && left.Name == difference.Name {
						found = append(found, c.Pos())
					}
				}
				return true
			})
		}
		return true
	})
	return found
}

// absolute says whether an expression is a call of math.Abs.
func absolute(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := function.X.(*ast.Ident)
	return ok && of.Name == "math" && function.Sel.Name == "Abs"
}
