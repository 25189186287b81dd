package bundle

import (
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

const folder = "../.." // static

// copies are built files with code that others have, too.
var copies = []string{"lib/words.js", "lib/vantage.min.js"}

// The committed files have the bytes that the sources give, in any folder.
func TestBuiltFilesAreUpToDate(t *testing.T) {
	copied := t.TempDir()
	for _, sources := range []string{"src", "demo", "search", "about"} {
		if err := os.CopyFS(filepath.Join(copied, sources), os.DirFS(filepath.Join(folder, sources))); err != nil {
			t.Fatal(err)
		}
	}
	want, err := Build(copied)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%v: run `make scripts` and commit what it writes", err)
		} else if !bytes.Equal(got, content) {
			t.Errorf("static/%s does not match its sources: run `make scripts` and commit what it writes", name)
		}
	}
	there, err := Built(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range there {
		if want[name] == nil {
			t.Errorf("static/%s has no source: run `make scripts`", name)
		}
	}
}

// Built files have no comments and little white space, begin with the banner, and
// keep the names that stacks show.
func TestBuiltFilesAreStripped(t *testing.T) {
	files, err := Build(folder)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for _, sources := range []string{"src", "demo", "search", "about"} {
		err := filepath.WalkDir(filepath.Join(folder, sources), func(name string, entry os.DirEntry, err error) error {
			if err == nil && filepath.Ext(name) == ".js" {
				content, err := os.ReadFile(name)
				before += len(content)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	after := 0
	comment := regexp.MustCompile(`(?m)^\s*(//|/\*|\*[\s/])`)
	styleComment := regexp.MustCompile(`/\*`) // a line of a style may begin with the star of a product
	for name, content := range files {
		rest, found := bytes.CutPrefix(content, []byte(banner+"\n"))
		if !found {
			t.Errorf("%s does not begin with its banner", name)
		}
		comment := comment
		if filepath.Ext(name) == ".css" {
			comment = styleComment
		}
		if at := comment.FindIndex(rest); at != nil {
			t.Errorf("%s has a comment: %.80s", name, rest[at[0]:])
		}
		if filepath.Ext(name) == ".js" && !slices.Contains(copies, name) {
			after += len(content)
		}
	}
	if before < 400_000 || after*10 > before*7 {
		t.Errorf("%d bytes of scripts become %d", before, after)
	}
	for name, want := range map[string]string{
		"lib/index.js":  "async function openEngine(url,options,remote)",
		"lib/worker.js": "async function operate(name,args,signal,of)",
		"site/demo.js":  "async function answerByWords(",
	} {
		if !bytes.Contains(files[name], []byte(want)) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}

// There is one copy of each error class and of the engine, so that catching an error
// by its class always works. The service worker runs apart from the page, so its copies
// meet no others. words.js and vantage.min.js are one file each on purpose.
func TestClassesAreThereOnce(t *testing.T) {
	files, err := Build(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{"VantageError", "LimitError", "Collection", "Core", "Vantage"} {
		var in []string
		for name, content := range files {
			if name == "site/sw.js" || slices.Contains(copies, name) {
				continue
			}
			for range regexp.MustCompile(`\b`+class+`\d*=class|\bclass `+class+`\b`).FindAll(content, -1) {
				in = append(in, name)
			}
		}
		if len(in) != 1 || !strings.HasPrefix(in[0], "lib/") {
			t.Errorf("class %s is in %q", class, in)
		}
	}
}

// The search by words alone is one file of at most 25 KB, compressed.
func TestWordsAreSmall(t *testing.T) {
	files, err := Build(folder)
	if err != nil {
		t.Fatal(err)
	}
	words := files["lib/words.js"]
	t.Logf("lib/words.js: %d bytes, %d compressed", len(words), packed(words))
	if len(words) == 0 || packed(words) > 25_000 || regexp.MustCompile(`\bimport\b *[("{*]`).Match(words) {
		t.Errorf("lib/words.js has %d bytes, compressed %d, at most 25,000 are expected in one file", len(words), packed(words))
	}
}

// The library in one file is smaller than the files that it stands for.
func TestOneFileIsSmaller(t *testing.T) {
	files, err := Build(folder)
	if err != nil {
		t.Fatal(err)
	}
	one, others := packed(files["lib/vantage.min.js"]), 0
	for name, content := range files {
		if base := path.Base(name); path.Dir(name) == "lib" && (base == "index.js" || base == "worker.js" || strings.HasPrefix(base, "engine-")) {
			others += packed(content)
		}
	}
	t.Logf("compressed: lib/vantage.min.js %d bytes, index.js, worker.js and what they share %d", one, others)
	if one >= others || bytes.Contains(files["lib/vantage.min.js"], []byte("worker.js")) {
		t.Errorf("lib/vantage.min.js has %d bytes, the files it stands for %d", one, others)
	}
}

// packed returns the length of a file as hosts compress it.
func packed(content []byte) int {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(content)
	z.Close()
	return packed.Len()
}

// Files that scripts name are built, at their addresses in a site.
func TestBuiltFilesNameEachOther(t *testing.T) {
	files, err := Build(folder)
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:from|import\(|import|new URL\()"(\.[^"]+)"`)
	for name, content := range files {
		for _, match := range named.FindAllSubmatch(content, -1) {
			target := filepath.ToSlash(filepath.Join(filepath.Dir(name), string(match[1])))
			target = strings.Replace(target, "site/lib/", "lib/", 1)
			_, err := os.Stat(filepath.Join(folder, target))
			if files[target] == nil && (err != nil || !strings.Contains(target, ".wasm")) {
				t.Errorf("%s names %s, which nothing builds; there are %q", name, match[1], slices.Sorted(maps.Keys(files)))
			}
		}
	}
}

// A fault in a source is reported with its place, and nothing is written.
func TestFaultySource(t *testing.T) {
	dir := t.TempDir()
	for _, sources := range []string{"src", "demo", "search", "about"} {
		if err := os.CopyFS(filepath.Join(dir, sources), os.DirFS(filepath.Join(folder, sources))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "start.js"), []byte("export function newWorker() {\n  return new;\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir); err == nil || !strings.Contains(err.Error(), "src/start.js:2:") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "lib")); err == nil {
		t.Error("something was written")
	}
}

// Programs that only serve the built files do not link the bundler.
func TestCommandLinksNoBundler(t *testing.T) {
	linked := tools.Dependencies(t, "cmd/vantage")
	if !slices.Contains(linked, "github.com/vantage-search/vantage/static") {
		t.Fatalf("go list names %d packages, and static is not among them", len(linked))
	}
	for _, pkg := range linked {
		if strings.Contains(pkg, "esbuild") || strings.Contains(pkg, "static/internal/bundle") {
			t.Errorf("cmd/vantage links %s", pkg)
		}
	}
}
