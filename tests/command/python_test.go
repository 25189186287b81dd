package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// encoderModule replaces the package sentence_transformers, whose encoders
// would have to be downloaded. Its vectors depend on the words of a text.
const encoderModule = `
import zlib
import numpy as np

class SentenceTransformer:
    def __init__(self, name):
        self.name = name

    def encode(self, texts):
        return np.array([sum(np.random.default_rng(zlib.crc32(word.encode())).normal(size=32) for word in text.split()) for text in texts])
`

// pythonDriver runs the code blocks of a document one after the other and
// prints the resulting variables.
const pythonDriver = `
import json, subprocess, sys

here = {"queries": [("against night trains", "night trains", "a taxpayer"), ("for night trains", "night trains", "a passenger")]}
library = None
if sys.argv[1] == "safetensors":
    from safetensors.numpy import load, save
    library = {"load": load, "save": save}
for kind, text in json.load(sys.stdin):
    if kind == "sh":
        subprocess.run(["sh", "-e", "-c", text], check=True, stdout=sys.stderr)
        continue
    exec(compile(text, text.strip().splitlines()[0], "exec"), here)
    here.update(library or {})
np = here["np"]
print(json.dumps({
    "shape": here["vectors"].shape,
    "off": float(np.abs(here["vectors"] - np.load("vectors.npy")).max() / np.abs(here["vectors"]).max()),
    "docs": len(here["docs"]), "first": here["docs"][0]["_id"],
    "fields": {name: len(values) for name, values in here["fields"].items()},
}))
`

// python returns the path of an interpreter with numpy and safetensors.
func python(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("sh", filepath.Join(root(t), "scripts", "python.sh"))
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no Python, so docs/python.md is not tested: %v: %s", err, problems.String())
	}
	return strings.TrimSpace(string(out))
}

var block = regexp.MustCompile("(?ms)^```(python|sh)\n(.*?)^```$")

// The code of docs/python.md works from top to bottom: vectors made in Python
// are indexed and searched, the collection is read back, and a vector file
// written in Python is valid.
func TestPythonDocument(t *testing.T) {
	t.Parallel()
	interpreter := python(t)
	text := read(t, filepath.Join(root(t), "docs", "python.md"))
	var blocks [][]string
	kinds := map[string]int{}
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1:])
		kinds[m[1]]++
	}
	if kinds["python"] < 5 || kinds["sh"] < 2 {
		t.Fatalf("only %v blocks found in docs/python.md", kinds)
	}
	for _, library := range []string{"numpy", "safetensors"} {
		t.Run(library, func(t *testing.T) {
			runPythonDocument(t, interpreter, library, blocks)
		})
	}
}

func runPythonDocument(t *testing.T, interpreter, library string, blocks [][]string) {
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", read(t, debates(t)))
	write(t, dir, "sentence_transformers.py", encoderModule)
	write(t, dir, "driver.py", pythonDriver)
	if err := os.Symlink(command(dir).Path, filepath.Join(dir, "vantage")); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(blocks)
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command(interpreter, "driver.py", library)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cacheDir, "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(input)), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	got := decode[struct {
		Shape  []int
		Off    float64
		Docs   int
		First  string
		Fields map[string]int
	}](t, string(out))
	if !slices.Equal(got.Shape, []int{1157, 32}) || got.Off > 1.0/127 || got.Docs != 1157 || got.First != "four-day-week-01" || got.Fields["stance"] != 1157 {
		t.Errorf("read back: %+v", got)
	}
	if lines := strings.Count(read(t, filepath.Join(dir, "run.trec")), "\n"); lines == 0 {
		t.Error("nothing was found with the vectors of the queries")
	}

	// The file written in Python has the collection's vectors.
	rows, err := shard.DecodeRows([]byte(read(t, filepath.Join(dir, "part.safetensors"))))
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := filepath.Glob(filepath.Join(dir, "collection", "vectors", "*"))
	if err != nil || len(vectors) != 1 {
		t.Fatalf("%q (%v)", vectors, err)
	}
	want, err := shard.DecodeRows([]byte(read(t, vectors[0])))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows.I8, want.I8) {
		t.Error("the vectors differ from the collection's")
	}
	for i := range rows.Scales {
		if approx.Apart(float64(rows.Scales[i]), float64(want.Scales[i]), 1e-6*float64(want.Scales[i])) {
			t.Fatalf("scale %d is %g, the collection has %g", i, rows.Scales[i], want.Scales[i])
		}
	}
}
