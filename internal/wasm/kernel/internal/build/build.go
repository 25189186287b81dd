// Package build makes the kernel's artefacts: its modules and read.wasm by clang,
// the rest from the list of signatures alone.
package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmfile"
)

// SourceSection is the custom section of a compiled module that ties it to its
// source: lines of a key, a space and a value. Its sha256 is over the C files
// and the flags; its compiler is the version of clang that built it.
const SourceSection = "vantage.source"

// Flags are clang's, apart from input and output.
//
// Relaxed SIMD is off except in kernel-relaxed, since its results may differ from machine to
// machine; grouped.h says why those of kernel-relaxed do not.
// -disable-lsr keeps the pointer arithmetic of the loops as it is written.
var Flags = []string{
	"--target=wasm32", "-std=gnu11", "-O3", "-msimd128", "-mllvm", "-disable-lsr",
	"-ffreestanding", "-fno-builtin", "-fno-math-errno", "-ffp-contract=off",
	"-Wall", "-Wextra", "-Werror", "-nostdlib",
	"-Wl,--no-entry", "-Xlinker", "--import-memory=" + wasmfile.MemoryModule + "," + wasmfile.MemoryName,
	"-Wl,-z,stack-size=0", "-Wl,--strip-all",
}

// Source returns the contents of SourceSection, given the text of the sources and the compiler's version.
func (m Module) Source(source []byte, compiler string) []byte {
	flags := strings.Join(m.flags(), " ")
	h := sha256.New()
	h.Write(source)
	h.Write([]byte("\x00" + flags))
	return fmt.Appendf(nil, "sha256 %x\nflags %s\ncompiler %s\n", h.Sum(nil), flags, compiler)
}

// Compiler returns the compiler that a SourceSection names.
func Compiler(section []byte) string {
	_, rest, _ := bytes.Cut(section, []byte("\ncompiler "))
	return strings.TrimSpace(string(rest))
}

// Module is a module and the files that it is made of.
type Module struct {
	Name    string   // without .wasm
	Sources []string // C files
	Headers []string
	Flags   []string // beside the common ones
}

// Modules are all that have sources in C.
var Modules = []Module{
	{"kernel", []string{"kernel.c", "encode.c"}, []string{"simd.h"}, nil},
	{"kernel-relaxed", []string{"kernel.c", "encode.c"}, []string{"simd.h", "grouped.h"}, []string{"-mrelaxed-simd", "-DRELAXED"}},
	{"read", []string{"read.c"}, nil, nil},
}

func (m Module) flags() []string { return slices.Concat(Flags, m.Flags) }

// Text is the contents of all files of a module in a folder, one after the other.
func (m Module) Text(dir string) ([]byte, error) {
	var text []byte
	for _, name := range append(slices.Clone(m.Sources), m.Headers...) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		text = append(text, b...)
	}
	return text, nil
}

// Clang is an installed clang of version 16 or later, with its linker.
type Clang struct{ Path, Version string }

// ErrNoClang says that no suitable compiler is installed.
var ErrNoClang = errors.New("no clang ≥ 16 with a matching wasm-ld is installed (Debian: clang-16 and lld-16)")

var versionPattern = regexp.MustCompile(`clang version (\d+\.\d+\.\d+)`)

// FindClang returns the installed clang whose version is want, if there is one, else the
// first of clang-16, clang-17 and so on, else clang. An empty want means any.
func FindClang(want string) (Clang, error) {
	var found []Clang
	names := []string{"clang"}
	for v := 16; v <= 25; v++ {
		names = append(names, fmt.Sprintf("clang-%d", v))
	}
	for _, name := range names[1:] {
		found = appendClang(found, name)
	}
	found = appendClang(found, names[0])
	for _, c := range found {
		if c.Version == want {
			return c, nil
		}
	}
	if len(found) == 0 {
		return Clang{}, ErrNoClang
	}
	return found[0], nil
}

func appendClang(found []Clang, name string) []Clang {
	path, err := exec.LookPath(name)
	if err != nil {
		return found
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return found
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return found
	}
	var major int
	fmt.Sscanf(string(match[1]), "%d.", &major)
	// clang-NN runs wasm-ld-NN if there is one, else wasm-ld.
	_, err1 := exec.LookPath(fmt.Sprintf("wasm-ld-%d", major))
	_, err2 := exec.LookPath("wasm-ld")
	if major < 16 || err1 != nil && err2 != nil {
		return found
	}
	return append(found, Clang{path, string(match[1])})
}

// Compile makes a module from the C files in a folder.
func (c Clang) Compile(m Module, from string) ([]byte, error) {
	text, err := m.Text(from)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kernel")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	linked := filepath.Join(dir, "linked.wasm")
	args := append(m.flags(), "-o", linked)
	for _, name := range m.Sources {
		args = append(args, filepath.Join(from, name))
	}
	cmd := exec.Command(c.Path, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", c.Path, err, out)
	}
	module, err := os.ReadFile(linked)
	if err != nil {
		return nil, err
	}
	if module, err = wasmfile.Bare(module); err != nil {
		return nil, err
	}
	tie := wasmfile.Section{ID: wasmfile.Custom, Name: SourceSection, Body: m.Source(text, c.Version)}
	return tie.Append(module), nil
}

// Imports returns the Go file of a package that declares the kernel's functions
// which it calls as imports.
func Imports(pkg string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by kernel/internal/gen from kernel/internal/signature. DO NOT EDIT.\n\npackage " + pkg + "\n")
	for _, f := range signature.Functions {
		if f.Package != pkg {
			continue
		}
		var params []string
		for i, p := range f.Params {
			s := p.Name
			if i+1 == len(f.Params) || f.Params[i+1].Type != p.Type {
				s += " " + p.Type.Go()
			}
			params = append(params, s)
		}
		fmt.Fprintf(&b, "\n//go:wasmimport %s %s\n//go:noescape\nfunc %s(%s) %s\n",
			wasmfile.ShimModule, f.Name, f.Go, strings.Join(params, ", "), f.Result.Go())
	}
	return format.Source(b.Bytes())
}

// ImportFiles are the files of Imports, in the kernel's folder, by their package.
var ImportFiles = map[string]string{"kernel": "imports_wasm.go", "dense": "dense/imports_wasm.go", "pack": "../pack/imports_wasm.go"}
