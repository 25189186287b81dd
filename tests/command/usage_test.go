package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
)

var commands = []string{"index", "embed", "tokenize", "fit", "search", "sides", "other-side", "serve", "inspect", "pull", "version"}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	var methods []string
	for _, m := range search.Methods() {
		methods = append(methods, m.Short())
	}
	for _, c := range []struct {
		args []string
		part string
	}{
		{[]string{"frob"}, `unknown command "frob"`},
		{[]string{"serch"}, `did you mean "search"`},
		{[]string{"--frob"}, "unknown flag: --frob"},
		{[]string{"index"}, "CORPUS is missing"},
		{[]string{"index", "corpus.jsonl"}, "give -o DIR"},
		{[]string{"index", "a", "b", "-o", "x"}, "one CORPUS is expected"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--quantize", "int4"}, "choose one of int8, f16, f32"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--vectors", "v.npy", "--model", "static", "--model-id", "y"}, "--model-id"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--vectors", "v.npy", "--idf"}, "--idf"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--vectors", "v.npy", "--model", "m", "--device", "cpu"}, "--device"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--vectors", "v.npy", "--pooling", "cls"}, "name it with --model"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--vectors", "v.npy", "--token-bits", "8"}, "--token-bits goes with a ColBERT: --vectors has one vector"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model-id", "m"}, "--vectors"},
		{[]string{"index", ".", "-o", "site"}, "lies in the corpus"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--server", "./"}, "give --site, too"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--site", "--server", "ws://a"}, "give https://HOST/"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--encoder", "light", "--model", "static"}, "--encoder and --model exclude each other"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--encoder", "light", "--vectors", "v.npy"}, "encoded already"},
		{[]string{"fit", "corpus.jsonl"}, "give -o MODELDIR"},
		{[]string{"fit", "corpus.jsonl", "-o", "m", "--dim", "0"}, "--dim"},
		{[]string{"fit", "corpus.jsonl", "-o", "m", "--vocab-size", "3"}, "vocab-size"},
		{[]string{"fit", "corpus.jsonl", "-o", "m", "--dim", "x"}, "--dim"},
		{[]string{"search"}, "DIR or URL is missing"},
		{[]string{"search", "c"}, "the query is missing: write it after c, or give --query TEXT"},
		{[]string{"search", "c", ""}, "the query is missing"},
		{[]string{"search", "c", " \t"}, "the query is missing"},
		{[]string{"search", "c", "two", "--query", "two"}, "leave one out"},
		{[]string{"search", "c", "two", "--queries", "q.jsonl", "--run", "out"}, `leave "two" out`},
		{[]string{"help", "serch"}, `no help on "serch", did you mean "search"`},
		{[]string{"help", "nonsense"}, "'vantage --help' lists what there is"},
		{[]string{"help", "eval", "comapre"}, `did you mean "compare"?`},
		{[]string{"help", "search", "c"}, "'vantage search --help'"},
		{[]string{"eval", "trek"}, `did you mean "trec"?`},
		{[]string{"eval", "trec", "--qrels", "q", "--run", "r", "-M", "0"}, "--max-retrieved"},
		{[]string{"embed", "x", "--max-length", "0"}, "leave it out for the default"},
		{[]string{"tokenize", "x", "--max-length", "0"}, "leave it out for the default"},
		{[]string{"embed", "x", "--threads", "-1"}, "--threads"},
		{[]string{"search", "-v"}, "unknown shorthand flag"},
		{[]string{"search", "c", "--query", "x", "--method", "magic"}, "pap+"},
		{[]string{"search", "c", "--query", "x", "--method", "magic"}, "use one of " + strings.Join(methods, ", ")},
		{[]string{"search", "c", "--query", "x", "--method", "BM25"}, "index the corpus again with --terms"},
		{[]string{"search", "c", "--query", "x", "--device", "gpu"}, "none of cpu, process, cuda and cuda:NUMBER"},
		{[]string{"search", "c", "--query", "x", "--device", "process"}, "the encoder that a collection carries"},
		{[]string{"search", "c", "--query", "x", "--bf16"}, "the encoder that a collection carries"},
		{[]string{"search", "c", "--query", "x", "--device", "cuda", "--model", "static"}, "static is a static model"},
		{[]string{"serve", "c", "--device", "process"}, "add --model MODEL"},
		{[]string{"serve", "c", "--int8"}, "add --model MODEL"},
		{[]string{"serve", "c", "--model", "static", "--device", "process"}, "static is a static model"},
		{[]string{"serve", "c", "--model", "sides", "--bf16"}, "computes the pack sides"},
		{[]string{"search", "c", "--query", "x", "--method", "pap"}, "needs a perspective"},
		{[]string{"search", "c", "--query", "x", "--perspective", "y", "--method", "add"}, "needs a root"},
		{[]string{"search", "c", "--query", "x", "--engine", "gpu"}, "native, headless"},
		{[]string{"search", "c", "--query", "x", "--root", ""}, "--root is empty"},
		{[]string{"search", "c", "--query", "x", "--root", " "}, "--root is empty"},
		{[]string{"search", "c", "--query", "x", "--perspective", ""}, "--perspective is empty"},
		{[]string{"search", "c", "--query", "x", "-k", "0"}, "-k is 0"},
		{[]string{"search", "c", "--query", "x", "-k", "ten"}, "-k"},
		{[]string{"search", "c", "--query", "x", "--lambda", "NaN"}, "lambda is NaN"},
		{[]string{"search", "c", "--query", "x", "--lambda", "11"}, "between -10 and 10"},
		{[]string{"search", "c", "--query", "x", "--method", "none", "--lambda", "0.5"}, "--method pap"},
		{[]string{"search", "c", "--query", "x", "--method", "BM25", "--lambda", "0.5"}, "--method pap"},
		{[]string{"search", "c", "--query", "x", "--method", "contrast", "--lambda", "0.5"}, "--method pap"},
		{[]string{"search", "c", "--query", "x", "--strength", "1"}, "--method contrast"},
		{[]string{"search", "c", "--query", "x", "--method", "contrast", "--strength", "NaN"}, "strength is NaN"},
		{[]string{"search", "c", "--query", "x", "--method", "contrast", "--strength", "-11"}, "between -10 and 10"},
		{[]string{"search", "c", "--query", "x", "--method", "aspect"}, "index it with an encoder that tells sides apart"},
		{[]string{"search", "c", "--query", "x", "--mmr", "1.5"}, "from 0 (novelty alone) to 1"},
		{[]string{"search", "c", "--query", "x", "--hybrid"}, "index the corpus again with --terms"},
		{[]string{"search", "c", "--query", "x", "--hybrid=best"}, "rrf, min-max, max, z-score, none"},
		{[]string{"search", "c", "--query", "x", "--hybrid", "--mmr", "0.5"}, "exclude each other"},
		{[]string{"search", "c", "--query", "x", "--hybrid", "--words-weight", "NaN"}, "from 0 (vectors alone) to 1"},
		{[]string{"search", "c", "--query", "x", "--words-weight", "1"}, "goes with --hybrid"},
		{[]string{"search", "c", "--query", "x", "--filter", "kind"}, "write field=value"},
		{[]string{"search", "c", "--query", "x", "--filter", "nosuch=1"}, "it has kind, tame, year"},
		{[]string{"search", "c", "--query", "x", "--filter", "kind>=3"}, "needs a field of numbers"},
		{[]string{"search", "c", "--query", "x", "--tag", "t"}, "--tag"},
		{[]string{"search", "c", "--queries", "q.jsonl"}, "belong together"},
		{[]string{"search", "c", "--run", "out"}, "belong together"},
		{[]string{"search", "c", "--queries", "q.jsonl", "--run", "out", "--query", "x"}, "leave --query"},
		{[]string{"search", "c", "--queries", "q.jsonl", "--run", "out", "--json"}, "--json"},
		{[]string{"search", "c", "--queries", "q.jsonl", "--run", "out", "--tag", "my run"}, "white space"},
		{[]string{"sides"}, "DIR or URL is missing"},
		{[]string{"sides", "c"}, "give --root TEXT"},
		{[]string{"sides", "c", "--root", "x", "-k", "0"}, "-k is 0"},
		{[]string{"sides", "c", "--root", "x", "--strength", "NaN"}, "strength is NaN"},
		{[]string{"sides", "c", "--root", "x", "--filter", "kind"}, "write field=value"},
		{[]string{"sides", "c", "--root", "x"}, "index it with an encoder that tells sides apart"},
		{[]string{"sides", "c", "d", "--root", "x"}, "one DIR or URL is expected"},
		{[]string{"other-side", "c"}, "DIR or URL and the document's ID are expected"},
		{[]string{"other-side", "c", "no-such-id"}, `no document has the id "no-such-id"`},
		{[]string{"other-side", "c", "x", "--strength", "-1"}, "from 0 to 10"},
		{[]string{"other-side", "c", "x", "--root", ""}, "--root is empty"},
		{[]string{"sides", "c", "--root", " "}, "--root is empty"},
		{[]string{"serve"}, "DIR is missing"},
		{[]string{"serve", "c", "--listen", "8080"}, "127.0.0.1:8080"},
		{[]string{"inspect"}, "DIR or URL is missing"},
		{[]string{"pull"}, "NAME is missing"},
		{[]string{"pull", "a/b", "c/d"}, "one NAME is expected"},
		{[]string{"version", "please"}, `"please" is not expected`},
		{[]string{"completion", "tcsh"}, "tcsh"},
	} {
		r := fails(t, usage, dir, c.args, c.part)
		if r.stdout != "" {
			t.Errorf("%v: stdout %q", c.args, r.stdout)
		}
	}
}

// The help and the error for an unknown method list all methods.
func TestUnknownMethodListsAll(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	r := try(t, dir, "search", "c", "--query", "x", "--method", "magic")
	help := must(t, dir, "search", "--help").stdout
	methods := []string{"none", "root", "add", "concat", "cast", "dual-sum", "tri-sum", "pap", "pap+", "rerank", "rerank-aug", "contrast", "aspect", "bm25"}
	for _, m := range search.Methods() {
		methods = append(methods, m.Short())
	}
	for _, method := range methods {
		if !strings.Contains(r.stderr, method) || !strings.Contains(help, "  "+method+" ") {
			t.Errorf("method %s is not in the error or not in the help", method)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{nil, {"help"}, {"--help"}} {
		r := must(t, dir, args...)
		for _, c := range commands {
			if !strings.Contains(r.stdout, "\n  "+c+" ") {
				t.Errorf("%v: no %s in\n%s", args, c, r.stdout)
			}
		}
	}
	for _, c := range commands {
		help := must(t, dir, c, "--help").stdout
		if same := must(t, dir, "help", c).stdout; same != help {
			t.Errorf("help %s and %s --help differ", c, c)
		}
		first, _, _ := strings.Cut(help, "\n\n")
		if len(first) < 40 {
			t.Errorf("%s: purpose %q", c, first)
		}
		if n := len(examplesOf(help)); n < 2 || n > 4 {
			t.Errorf("%s has %d examples, want 2 to 4", c, n)
		}
	}
	serve := must(t, dir, "serve", "--help").stdout
	for _, part := range []string{"VANTAGE_QUEUE_TOKENS", "YAML file that --config names", `"queue-tokens: 100000"`} {
		if !strings.Contains(serve, part) {
			t.Errorf("serve --help does not have %q", part)
		}
	}
	searchHelp := must(t, dir, "search", "--help").stdout
	for _, part := range []string{"(default 10)", "(default 1)", "(default native)", `(default "vantage")`, "(default auto,", "k - rank + 1"} {
		if !strings.Contains(searchHelp, part) {
			t.Errorf("search --help lacks %s", part)
		}
	}
	strengths := fmt.Sprintf("(default %g with --root, %g without)", search.OtherSideStrength, search.FarStrength)
	if otherSide := must(t, dir, "other-side", "--help").stdout; !strings.Contains(otherSide, strengths) {
		t.Errorf("other-side --help lacks %s", strengths)
	}
}

// examplesOf returns the command lines in a help text.
func examplesOf(help string) (lines []string) {
	_, after, _ := strings.Cut(help, "Examples:\n")
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "vantage ") {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// The examples in the help of these commands work unchanged on a part of the bundled corpus.
func TestExamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	partOfDebates(t, filepath.Join(dir, "examples", "debates"))
	words := regexp.MustCompile(`"([^"]*)"|(\S+)`)
	for _, c := range []string{"index", "embed", "tokenize", "fit", "search", "inspect", "version"} {
		for _, line := range examplesOf(must(t, dir, c, "--help").stdout) {
			var args []string
			for _, m := range words.FindAllStringSubmatch(line, -1)[1:] {
				args = append(args, m[1]+m[2])
			}
			must(t, dir, args...)
		}
	}
}

// partOfDebates writes the bundled corpus with one document of eight, and the judgements
// of these.
func partOfDebates(t *testing.T, dir string) {
	t.Helper()
	source := filepath.Join(root(t), "examples", "debates")
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	var corpus, judgements strings.Builder
	for i, line := range slices.Collect(strings.Lines(read(t, filepath.Join(source, "corpus.jsonl")))) {
		var document struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(line), &document); err != nil {
			t.Fatal(err)
		}
		if i%8 == 0 {
			kept[document.ID] = true
			corpus.WriteString(line)
		}
	}
	for i, line := range slices.Collect(strings.Lines(read(t, filepath.Join(source, "qrels", "test.tsv")))) {
		if i == 0 || kept[strings.Split(line, "\t")[1]] {
			judgements.WriteString(line)
		}
	}
	write(t, dir, "corpus.jsonl", corpus.String())
	write(t, filepath.Join(dir, "qrels"), "test.tsv", judgements.String())
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if r := must(t, dir, "completion", shell); len(r.stdout) < 1000 || !strings.Contains(r.stdout, "vantage") {
			t.Errorf("%s: a script of %d bytes", shell, len(r.stdout))
		}
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"__complete", "ser"}, []string{"serve\t"}},
		{[]string{"__complete", "pu"}, []string{"pull\t"}},
		{[]string{"__complete", "pull", "a/b", "--"}, []string{"--json\t"}},
		{[]string{"__complete", "search", "c", "--method", ""}, []string{"pap+\t", "none\t", "rerank-aug\t"}},
		{[]string{"__complete", "search", "c", "--engine", ""}, []string{"native\n", "headless\n"}},
		{[]string{"__complete", "index", "x", "--quantize", ""}, []string{"int8\n", "f16\n", "f32\n"}},
		{[]string{"__complete", "index", "x", "--model", ""}, []string{"static\t"}},
		{[]string{"__complete", "eval", "beir", "x", "--retriever", ""}, []string{"bm25\n", "okapi\n", "static\n", "hybrid\n", ":0\n"}}, // folders are completed, too
		{[]string{"__complete", "eval", "pir", "x", "--retriever", "m,pooling=max,"}, []string{"m,pooling=max,pooling=cls\n", "m,pooling=max,query-model=\n"}},
		{[]string{"__complete", "eval", "pir", "x", "--pooling", ""}, []string{"cls\n", "weighted\n"}},
		{[]string{"__complete", "search", "c", "--method", "bm"}, []string{"bm25\t"}},
		{[]string{"__complete", "index", "x", "--pooling", ""}, []string{"cls\n", "pooler\n"}},
		{[]string{"__complete", "embed", "x", "--role", ""}, []string{"query\n", "document\n"}},
		{[]string{"__complete", "eval", "pir", "x", "--methods", ""}, []string{"all\t", "pap+\t"}},
		{[]string{"__complete", "eval", "trec", "-m", ""}, []string{"nDCG@10\n", "map\n"}},
		{[]string{"__complete", "help", "ser"}, []string{"serve\t"}},
	} {
		out, err := command(dir, c.args...).Output() // cobra prints hints for the shell on stderr
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v: %q lacks %q", c.args, out, want)
			}
		}
	}
}

// The values of --device are in the help and the completion of commands that have the
// flag.
func TestDeviceIsDocumented(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range [][]string{{"index"}, {"search"}, {"embed"}, {"serve"}, {"eval", "beir"}, {"eval", "pir"}, {"eval", "berds"}} {
		help := must(t, dir, append(c, "--help")...).stdout
		if !strings.Contains(help, "--device cpu|process|cuda[:NUMBER] ") || !strings.Contains(help, "cuda:NUMBER, the first GPU or another") {
			t.Errorf("%v: --device in\n%s", c, help)
		}
		out, err := command(dir, append(append([]string{"__complete"}, c...), "--device", "")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"cpu\t", "process\t", "cuda\t", "cuda:1\t"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v: %q lacks %q", c, out, want)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := decode[map[string]any](t, must(t, dir, "version", "--json").stdout)
	for _, key := range []string{"version", "go", "platform", "format", "abi", "model"} {
		if v[key] == nil {
			t.Errorf("no %q in %v", key, v)
		}
	}
	if text := must(t, dir, "version").stdout; !strings.HasPrefix(text, "vantage "+v["version"].(string)) {
		t.Errorf("version says %q, --json %v", text, v["version"])
	}
	line := regexp.MustCompile(`^vantage ` + regexp.QuoteMeta(v["version"].(string)) + ` \(([0-9a-f]+, )?` + regexp.QuoteMeta(v["go"].(string)) + `\)\n$`)
	for _, flag := range []string{"--version", "-v"} {
		if text := must(t, dir, flag).stdout; !line.MatchString(text) {
			t.Errorf("%s says %q", flag, text)
		}
	}
}

// An answer that cannot be written is an error, also if it is help.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--help"}, {"search", "-h"}, {"help", "search"}, {"model"}, {"completion", "bash"}, {"version"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := command(t.TempDir(), args...)
		cmd.Stdout = full
		var stderr strings.Builder
		cmd.Stderr = &stderr
		err = cmd.Run()
		full.Close()
		if code := cmd.ProcessState.ExitCode(); code != failed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q: %v, %q", args, err, stderr.String())
		}
	}
}
