package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

// newWanting writes a small model that declares no prompts, under the name of one that wants some.
func newWanting(t *testing.T, dir string) (path string) {
	t.Helper()
	path = filepath.Join(dir, "e5-small-v2")
	if err := modeltest.Write(path, 1); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(path, "config_sentence_transformers.json")); err != nil {
		t.Fatal(err)
	}
	return path
}

const wants = "e5-small-v2 was trained with prompts before its texts, and its folder declares none"

// The prompts of index are in the manifest. Searches, with either engine and on any device, and
// the server use them of their own accord, even if the folder declares others.
func TestIndexPrompts(t *testing.T) {
	t.Parallel()
	const question, queryPrompt, documentPrompt = "night trains help people", "claim: ", "the argument: "
	for name, folder := range map[string]string{"none of its own": newWanting(t, newCorpus(t)), "others of its own": newTransformer(t, newCorpus(t), 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, named := filepath.Dir(folder), filepath.Base(folder)
			prompts := []string{"--prompt", "query=" + queryPrompt, "--prompt", "passage=" + documentPrompt}
			indexed := append([]string{"index", "corpus.jsonl", "-o", "c", "--quantize", "f32", "--model", named, "--json"}, prompts...)
			if r := must(t, dir, indexed...); strings.Contains(r.stderr, "prompt") {
				t.Errorf("index says: %s", r.stderr)
			}
			var m struct {
				Model struct{ Prompts map[string]string }
			}
			if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "c/manifest.json"))), &m); err != nil || m.Model.Prompts["query"] != queryPrompt || m.Model.Prompts["document"] != documentPrompt || len(m.Model.Prompts) != 2 {
				t.Fatalf("%v, %v", m, err)
			}
			embed := func(prompt, text string) []float32 {
				r := tryWith(t, text+"\n", dir, "embed", "--model", named, "--prompt", prompt)
				if r.code != done || r.stderr != "" {
					t.Fatalf("%q: %d %s", prompt, r.code, r.stderr)
				}
				return embeddedLines(t, r.stdout)[0].Vector
			}
			asked := embed(queryPrompt, question)
			scores := map[string]float64{}
			documents := must(t, dir, "embed", "corpus.jsonl", "--input-format", "corpus", "--model", named, "--prompt", documentPrompt).stdout
			for _, d := range embeddedLines(t, documents) {
				for i, x := range d.Vector {
					scores[d.ID] += float64(x) * float64(asked[i])
				}
			}
			search := []string{"search", "c", question, "--json", "--method", "none", "--model", named}
			var first string
			for _, more := range [][]string{nil, {"--engine", "headless"}, {"--device", "process"}} {
				r := must(t, dir, append(slices.Clone(search), more...)...)
				if first == "" {
					first = r.stdout
				}
				if r.stdout != first || r.stderr != "" {
					t.Errorf("%v: %s %s", more, r.stdout, r.stderr)
				}
			}
			var answer struct {
				Hits []struct {
					ID    string
					Score float64
				}
			}
			if err := json.Unmarshal([]byte(first), &answer); err != nil || len(answer.Hits) != len(scores) {
				t.Fatalf("%s: %v", first, err)
			}
			for _, h := range answer.Hits {
				if want, ok := scores[h.ID]; !ok || approx.Apart(h.Score, want, 1e-5) {
					t.Errorf("%s: %v, want %v", h.ID, h.Score, want)
				}
			}
			// The server beside the collection, and alone with the flag.
			for _, args := range [][]string{{"c"}, prompts} {
				s := serve(t, dir, append(args, "--model", named, "--log", "off")...)
				c, err := client.Dial(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", client.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Encode(t.Context(), []string{question}, client.EncodeOptions{Role: "query"})
				if err != nil || !slices.Equal(got[0].Vector, asked) {
					t.Errorf("%v: another vector of the query: %v", args, err)
				}
				got, err = c.Encode(t.Context(), []string{question}, client.EncodeOptions{Role: "document"})
				if err != nil || !slices.Equal(got[0].Vector, embed(documentPrompt, question)) {
					t.Errorf("%v: another vector of the document: %v", args, err)
				}
				if _, page := s.ask(t, "GET", "/"); args[0] == "c" && !strings.Contains(page, `"server":"./"`) {
					t.Errorf("the page does not ask the server: %.600s", page)
				}
				c.Close()
				s.stop(t, syscall.SIGTERM)
			}
			fails(t, usage, dir, []string{"serve", "c", "--model", named, "--prompt", "query=other: "}, `--prompt query: the collection was made with "claim: "`)
			// A copy of the model under another name gets them by the flag.
			if err := os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			s := serve(t, dir, append([]string{"c", "--model", "copy", "--log", "off"}, prompts...)...)
			if _, page := s.ask(t, "GET", "/"); !strings.Contains(page, `"server":"./"`) {
				t.Errorf("the page does not ask a server with its prompts: %.600s", page)
			}
			s.stop(t, syscall.SIGTERM)
			// Updates: the same prompts keep all rows, others none, and the command says so.
			if r := decode[report](t, must(t, dir, indexed...).stdout); r.Encoded != 0 || r.Reused != 6 {
				t.Errorf("again: %+v", r)
			}
			r := must(t, dir, "index", "corpus.jsonl", "-o", "c", "--quantize", "f32", "--model", named, "--json")
			if now := decode[report](t, r.stdout); now.Encoded != 6 || now.Reused != 0 || !strings.Contains(r.stderr, `the old collection was made with "the argument: " before texts of the role document and "claim: " before texts of the role query, this run has `) ||
				!strings.Contains(r.stderr, "everything is encoded again") {
				t.Errorf("without prompts: %+v %s", now, r.stderr)
			}
		})
	}
}

// Vectors that were made with prompts are checked with them, and so are queries.
func TestGivenVectorsPrompts(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	folder := newWanting(t, dir)
	must(t, dir, "embed", "corpus.jsonl", "--model", "e5-small-v2", "--input-format", "corpus", "--prompt", "passage: ", "-o", "v.npy")
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "v.npy", "--model", "e5-small-v2"}, "v.npy")
	must(t, dir, "index", "corpus.jsonl", "-o", "c", "--vectors", "v.npy", "--model", "e5-small-v2", "--prompt", "query=query: ", "--prompt", "document=passage: ", "--quantize", "f32")
	must(t, dir, "index", "corpus.jsonl", "-o", "same", "--model", "e5-small-v2", "--prompt", "query=query: ", "--prompt", "document=passage: ", "--quantize", "f32")
	given, same := searchJSON(t, dir, "c", "--query", "night", "--model", folder), searchJSON(t, dir, "same", "--query", "night", "--model", folder)
	if len(given.Hits) == 0 || !slices.Equal(given.ids(), same.ids()) || given.Hits[0].Score != same.Hits[0].Score {
		t.Errorf("%v, want %v", given, same)
	}
	r := must(t, dir, "index", "corpus.jsonl", "-o", "c", "--vectors", "v.npy", "--model", "e5-small-v2", "--prompt", "document=passage: ")
	if !strings.Contains(r.stderr, `"query: " before texts of the role query, this run has "passage: "`) {
		t.Errorf("a changed prompt: %s", r.stderr)
	}
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "v.npy", "--model", "e5-small-v2", "--prompt", "query="}, "--prompt query=", "--vectors")
}

// A model that wants prompts, and gets none, is told of with the flags that give them.
func TestPromptsWanted(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	newWanting(t, dir)
	write(t, dir, "beir/corpus.jsonl", smallCorpus)
	write(t, dir, "beir/queries.jsonl", `{"_id": "q", "text": "night trains"}`+"\n")
	write(t, dir, "beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tcats\t1\n")
	for _, c := range []struct {
		args []string
		says string // "": nothing
	}{
		{[]string{"index", "corpus.jsonl", "-o", "c", "--model", "e5-small-v2"}, `add --prompt 'query=query: ' --prompt 'document=passage: '`},
		{[]string{"index", "corpus.jsonl", "-o", "c", "--model", "e5-small-v2", "--prompt", "query="}, ""},
		{[]string{"embed", "corpus.jsonl", "--model", "e5-small-v2", "-o", "v.npy"}, `for queries add --prompt 'query: ', for documents add --prompt 'passage: '`},
		{[]string{"embed", "corpus.jsonl", "--model", "e5-small-v2", "-o", "v.npy", "--role", "passage"}, `less; for documents add --prompt 'passage: '`},
		{[]string{"embed", "corpus.jsonl", "--model", "e5-small-v2", "-o", "v.npy", "--prompt", ""}, ""},
		{[]string{"eval", "beir", "beir", "-r", "e5-small-v2"}, `append ',query-prefix=query: ,document-prefix=passage: ' to its name`},
		{[]string{"eval", "beir", "beir", "-r", "e5-small-v2,query-prefix=query: ,document-prefix=passage: "}, ""},
	} {
		r := must(t, dir, c.args...)
		if told := strings.Contains(r.stderr, wants); told != (c.says != "") || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%v: %s", c.args, r.stderr)
		}
	}
}

// Prompts that cannot be used are refused.
func TestPromptsRefused(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	newTransformer(t, dir, 1)
	if err := modeltest.WriteColBERT(filepath.Join(dir, "colbert"), 1, 16); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model", "bert", "--prompt", "query: "}, `--prompt is "query: ", must be ROLE=TEXT`},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model", "bert", "--prompt", "topic=a"}, "roles query and document"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model", "bert", "--prompt", "passage=a", "--prompt", "document=b"}, "give one of them"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--prompt", "query=a"}, "name it with --model"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model", "static", "--prompt", "query=a"}, "static is a static model"},
		{[]string{"index", "corpus.jsonl", "-o", "x", "--model", "colbert", "--prompt", "query=a"}, "leave --prompt out"},
		{[]string{"serve", "--prompt", "query=a", "."}, "add --model MODEL"},
		{[]string{"serve", "--model", "static", "--prompt", "query=a"}, "static is a static model"},
		{[]string{"serve", "--model", "sides", "--prompt", "query=a"}, "its own prompts"},
		{[]string{"serve", "--model", "bert", "--prompt", "topic=a"}, "roles query and document"},
	} {
		fails(t, usage, dir, c.args, c.says)
	}
}
