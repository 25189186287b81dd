package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/npy"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// newTransformer writes a small BERT as "bert" into a folder.
func newTransformer(t *testing.T, dir string, seed uint64) (path string) {
	t.Helper()
	path = filepath.Join(dir, "bert")
	if err := modeltest.Write(path, seed); err != nil {
		t.Fatal(err)
	}
	return path
}

// vectorsOf encodes texts directly with the package.
func vectorsOf(t *testing.T, dir string, o model.Options, e encoder.Options, texts ...string) []encoder.Embedding {
	t.Helper()
	encoder, err := model.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	out, err := encoder.Encode(t.Context(), texts, e)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// embedded is a line of `vantage embed`.
type embedded struct {
	ID        string    `json:"_id"`
	Vector    []float32 `json:"vector"`
	Tokens    int       `json:"tokens"`
	Truncated bool      `json:"truncated"`
}

func embeddedLines(t *testing.T, text string) (lines []embedded) {
	t.Helper()
	for line := range strings.Lines(text) {
		lines = append(lines, decode[embedded](t, line))
	}
	return lines
}

// sameVectors compares vectors bit for bit.
func sameVectors(t *testing.T, name string, got []embedded, want []encoder.Embedding) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d vectors, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !slices.Equal(got[i].Vector, want[i].Vector) || got[i].Tokens != want[i].Tokens || got[i].Truncated != want[i].Truncated {
			t.Errorf("%s: text %d: %v, want %v", name, i, got[i], want[i])
		}
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bert := newTransformer(t, dir, 1)
	texts := []string{"night trains", "", "school uniforms cost people", strings.Repeat("work ", 90)}
	input := strings.Join(texts, "\n") + "\n"
	one, none := "claim: ", false
	for _, c := range []struct {
		args []string
		o    model.Options
		e    encoder.Options
	}{
		{nil, model.Options{}, encoder.Options{}},
		{[]string{"--role", "query"}, model.Options{}, encoder.Options{Role: encoder.Query}},
		{[]string{"--role", "passage", "--threads", "1"}, model.Options{}, encoder.Options{Role: encoder.Document}},
		{[]string{"--prompt", one}, model.Options{}, encoder.Options{Prompt: &one}},
		{[]string{"--pooling", "cls", "--max-length", "9"}, model.Options{Pooling: model.CLS, MaxLength: 9}, encoder.Options{}},
		{[]string{"--normalize=false", "--pooling", "max"}, model.Options{Normalize: &none, Pooling: model.Max}, encoder.Options{}},
	} {
		r := tryWith(t, input, dir, append([]string{"embed", "--model", "bert"}, c.args...)...)
		if r.code != done || !strings.Contains(r.stderr, "1 of 4 texts longer") {
			t.Fatalf("%v: %d %s", c.args, r.code, r.stderr)
		}
		sameVectors(t, fmt.Sprint(c.args), embeddedLines(t, r.stdout), vectorsOf(t, bert, c.o, c.e, texts...))
	}
	// The built-in model, and a folder of a static one.
	want := vectorsOf(t, model.Builtin, model.Options{}, encoder.Options{}, texts[:3]...)
	write(t, dir, "texts.txt", "\ufeff"+strings.Join(texts[:3], "\r\n"))
	sameVectors(t, "static", embeddedLines(t, must(t, dir, "embed", "texts.txt").stdout), want)
	f := builtin.Builtin()
	write(t, dir, "own/tokenizer.json", string(f.Tokenizer))
	write(t, dir, "own/model.safetensors", string(f.Weights))
	write(t, dir, "own/config.json", string(f.Config))
	sameVectors(t, "static folder", embeddedLines(t, must(t, dir, "embed", "--input", "texts.txt", "--model", "own").stdout), want)
}

func TestEmbedFiles(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	bert := newTransformer(t, dir, 1)
	var texts, ids []string
	for line := range strings.Lines(smallCorpus) {
		d := decode[map[string]any](t, line)
		texts, ids = append(texts, d["text"].(string)), append(ids, d["_id"].(string))
	}
	want := vectorsOf(t, bert, model.Options{}, encoder.Options{}, texts...)
	var flat []float32
	for _, v := range want {
		flat = append(flat, v.Vector...)
	}
	type summary struct {
		Texts, Tokens, Truncated int
		Model                    encoder.Info
	}
	s := decode[summary](t, must(t, dir, "embed", "corpus.jsonl", "--model", "bert", "-o", "v.npy", "--json").stdout)
	tokens := 0
	for _, v := range want {
		tokens += v.Tokens
	}
	if s.Texts != len(texts) || s.Tokens != tokens || s.Model.ID != "bert" || len(s.Model.Revision) != 16 {
		t.Errorf("%+v", s)
	}
	m, err := npy.Parse([]byte(read(t, filepath.Join(dir, "v.npy"))))
	if err != nil || m.Rows != len(texts) || m.Dim != modeltest.Hidden || !slices.Equal(m.Data, flat) {
		t.Errorf("%d × %d: %v", m.Rows, m.Dim, err)
	}
	must(t, dir, "embed", "corpus.jsonl", "--model", "bert", "--output", "v.safetensors")
	file, err := shard.ParseSafetensors([]byte(read(t, filepath.Join(dir, "v.safetensors"))))
	if err != nil {
		t.Fatal(err)
	}
	vectors, _ := file.Tensor("vectors")
	named, _ := file.Tensor("id_text")
	if data, err := vectors.Float32(); err != nil || !slices.Equal(data, flat) || !slices.Equal(vectors.Shape, []int{len(texts), modeltest.Hidden}) {
		t.Errorf("%v %v", vectors.Shape, err)
	}
	if got := strings.Fields(string(named.Data)); !slices.Equal(got, ids) {
		t.Errorf("ids %v", got)
	}
	// A corpus is encoded as by index, with title and text, and --vectors reads the output.
	must(t, dir, "embed", "corpus.jsonl", "--model", "bert", "--input-format", "corpus", "--role", "document", "-o", "docs.safetensors")
	given := indexJSON(t, dir, "corpus.jsonl", "-o", "given", "--vectors", "docs.safetensors", "--model", "bert", "--quantize", "f32")
	here := indexJSON(t, dir, "corpus.jsonl", "-o", "here", "--model", "bert", "--quantize", "f32")
	if given.Model.ID != "bert" || here.Encoded != len(ids) {
		t.Errorf("%+v", given)
	}
	a, b := searchJSON(t, dir, "given", "--query", "night", "--model", "bert"), searchJSON(t, dir, "here", "--query", "night", "--model", "bert")
	if !slices.Equal(a.ids(), b.ids()) {
		t.Errorf("given %v, encoded %v", a.ids(), b.ids())
	}
	if lines := embeddedLines(t, must(t, dir, "embed", "corpus.jsonl", "--model", "bert").stdout); lines[0].ID != ids[0] {
		t.Errorf("no ids: %+v", lines[0])
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// Vectors may be averaged in another way than the model says: index takes the same --pooling as embed,
// and searches follow it.
func TestGivenVectorsPooling(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	newTransformer(t, dir, 1)
	if err := modeltest.WriteColBERT(filepath.Join(dir, "colbert"), 1, 16); err != nil {
		t.Fatal(err)
	}
	for m, pooling := range map[string]string{"bert": "cls", "colbert": "mean"} {
		as := []string{"--model", m, "--pooling", pooling}
		must(t, dir, slices.Concat([]string{"embed", "corpus.jsonl", "--input-format", "corpus", "--role", "document", "-o", m + ".safetensors"}, as)...)
		given := indexJSON(t, dir, slices.Concat([]string{"corpus.jsonl", "-o", m + "-given", "--vectors", m + ".safetensors", "--quantize", "f32"}, as)...)
		indexJSON(t, dir, slices.Concat([]string{"corpus.jsonl", "-o", m + "-here", "--quantize", "f32"}, as)...)
		if given.Model.Pooling != pooling {
			t.Errorf("the collection says %+v", given.Model)
		}
		a, b := searchJSON(t, dir, m+"-given", "--query", "night", "--model", m), searchJSON(t, dir, m+"-here", "--query", "night", "--model", m)
		if !slices.Equal(a.ids(), b.ids()) || a.Hits[0].Score != b.Hits[0].Score {
			t.Errorf("%s: given %v %v, encoded %v %v", m, a.ids(), a.Hits[0].Score, b.ids(), b.Hits[0].Score)
		}
	}
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--vectors", "colbert.safetensors", "--model", "colbert"}, "--pooling")
}

func TestEmbedErrors(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	newTransformer(t, dir, 1)
	write(t, dir, "instructed.jsonl", `{"text": "a", "instruction": "b"}`+"\n"+`{"text": "a", "instruction": ["b"]}`+"\n")
	write(t, dir, "bad.jsonl", `{"text": "a"}`+"\n{\"tekst\": 1}\n")
	write(t, dir, "latin1.txt", "caf\xe9\n")
	write(t, dir, "long.txt", "a\n"+strings.Repeat("x", 16<<20+1))
	write(t, dir, "empty.txt", "")
	write(t, dir, "break.jsonl", `{"_id": "a\nb", "text": "a"}`)
	write(t, dir, "other/config.json", `{"model_type": "gpt_neox"}`)
	write(t, dir, "v.npy", "before")
	for _, c := range []struct {
		code  int
		args  []string
		parts []string
	}{
		{input, []string{"bad.jsonl"}, []string{"bad.jsonl:2", `"text"`}},
		{input, []string{"latin1.txt"}, []string{"latin1.txt:1", "UTF-8"}},
		{input, []string{"long.txt"}, []string{"long.txt:2", "longer than"}},
		{input, []string{"empty.txt"}, []string{"no texts"}},
		{input, []string{"nowhere.txt"}, []string{"nowhere.txt"}},
		{input, []string{"break.jsonl", "-o", "x.safetensors"}, []string{"line break"}},
		{input, []string{"bad.jsonl", "--model", "nowhere"}, []string{"nowhere", "no such folder"}},
		{input, []string{"bad.jsonl", "--model", "other"}, []string{"gpt_neox", "bert"}},
		{input, []string{"corpus.jsonl", "--model", "bert", "--role", "topic"}, []string{"topic", "query"}},
		{input, []string{"corpus.jsonl", "--model", "bert", "--max-length", "1000"}, []string{"64"}},
		{input, []string{"corpus.jsonl", "--pooling", "cls"}, []string{"static model"}},
		{input, []string{"bad.jsonl", "-o", "v.npy"}, []string{"bad.jsonl:2"}},
		{input, []string{"instructed.jsonl", "-o", "v.npy"}, []string{"instructed.jsonl:2", `"instruction"`, "not a string"}},
		{usage, []string{"corpus.jsonl", "-o", "x.parquet"}, []string{".npy"}},
		{usage, []string{"corpus.jsonl", "--pooling", "median"}, []string{"median", "mean"}},
		{usage, []string{"corpus.jsonl", "--json"}, []string{"--output"}},
		{usage, []string{"corpus.jsonl", "--role", "query", "--prompt", "x"}, []string{"--prompt"}},
	} {
		fails(t, c.code, dir, append([]string{"embed"}, c.args...), c.parts...)
	}
	if left := read(t, filepath.Join(dir, "v.npy")); left != "before" {
		t.Errorf("a failed run has replaced the output: %q", left)
	}
}

// The instruction of a line is the prompt of its text, for every model. A model
// that excludes prompts from the pooling also excludes instructions.
func TestEmbedInstructions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bert := newTransformer(t, dir, 1)
	instructor := filepath.Join(dir, "instructor")
	if err := modeltest.Write(instructor, 2); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(instructor, map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": modeltest.Hidden, "pooling_mode_mean_tokens": true, "include_prompt": false}}); err != nil {
		t.Fatal(err)
	}
	one, two, none, given := "find the claim: ", "help people ", "", "week: "
	lines := []struct {
		text        string
		instruction any
		want        *string // nil: the flags decide
	}{{"night trains", one, &one}, {"school uniforms", nil, nil}, {"school uniforms", two, &two}, {"work", one, &one}, {"night trains", none, &none}, {"night trains", nil, nil}, {"night trains", two, &two}}
	var content strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&content, `{"_id": %d, "text": %q`, i, l.text)
		if l.instruction != nil || i == 1 {
			b, _ := json.Marshal(l.instruction)
			fmt.Fprintf(&content, `, "instruction": %s`, b)
		}
		content.WriteString("}\n")
	}
	write(t, dir, "texts.jsonl", content.String())
	for _, c := range []struct {
		name, path string
		flags      []string
		others     encoder.Options
	}{
		{"bert", bert, nil, encoder.Options{}},
		{"bert", bert, []string{"--role", "query"}, encoder.Options{Role: encoder.Query}},
		{"instructor", instructor, []string{"--prompt", given}, encoder.Options{Prompt: &given}},
		{"instructor", instructor, []string{"--device", "process"}, encoder.Options{}},
		{"static", model.Builtin, nil, encoder.Options{}},
	} {
		var want []encoder.Embedding
		for _, l := range lines {
			o := c.others
			if l.want != nil {
				o = encoder.Options{Prompt: l.want}
			}
			want = append(want, vectorsOf(t, c.path, model.Options{}, o, l.text)...)
		}
		r := must(t, dir, append([]string{"embed", "texts.jsonl", "--model", c.name}, c.flags...)...)
		sameVectors(t, fmt.Sprint(c.name, c.flags), embeddedLines(t, r.stdout), want)
		if slices.Equal(want[0].Vector, want[4].Vector) || slices.Equal(want[4].Vector, want[6].Vector) {
			t.Errorf("%s: instructions make no difference", c.name)
		}
	}
	r := must(t, dir, "embed", "texts.jsonl", "-o", "v.npy", "--json")
	if s := decode[struct{ Texts, Instructed int }](t, r.stdout); s.Texts != 7 || s.Instructed != 5 {
		t.Errorf("%+v", s)
	}
	// `tokenize` prints the ids of the encoded text.
	ids := must(t, dir, "tokenize", "texts.jsonl", "--model", "bert").stdout
	write(t, dir, "joined.jsonl", `{"text": "find the claim: night trains"}`+"\n")
	if joined := must(t, dir, "tokenize", "joined.jsonl", "--model", "bert").stdout; !strings.HasPrefix(ids, joined) {
		t.Errorf("%s are not the ids of an instruction with its text, %s", ids, joined)
	}
}

// Collections of a transformer: their description of it, searches, and models that are refused.
func TestIndexTransformer(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	bert := newTransformer(t, dir, 1)
	r := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--model", "bert", "--pooling", "max", "--max-length", "24", "--threads", "1", "--terms")
	if r.Encoded != 6 || r.Model.ID != "bert" || r.Model.Kind != "external" || r.Model.Architecture != "bert" || r.Model.Pooling != "max" || r.Model.MaxLength != 24 || !r.Model.Normalize {
		t.Errorf("%+v", r)
	}
	first := list(t, filepath.Join(dir, "c"))
	must(t, dir, "index", "corpus.jsonl", "-o", "d", "--model", bert, "--pooling", "max", "--max-length", "24", "--threads", "3", "--terms")
	if !maps.Equal(first, list(t, filepath.Join(dir, "d"))) {
		t.Error("other threads, other bytes")
	}
	if again := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--model", "bert", "--pooling", "max", "--max-length", "24", "--terms"); again.Reused != 6 {
		t.Errorf("%+v", again)
	}
	for _, part := range []string{"bert@" + r.Model.Revision, "max pooling", "24 tokens", `"find: "`} {
		if text := must(t, dir, "inspect", "c", "--verify").stdout; !strings.Contains(text, part) {
			t.Errorf("inspect does not print %q: %s", part, text)
		}
	}
	// Queries are encoded with the prompt for queries, and the collection's pooling and length.
	query := "night trains"
	a := searchJSON(t, dir, "c", "--query", query, "--model", "bert", "--method", "none")
	q := vectorsOf(t, bert, model.Options{Pooling: model.Max, MaxLength: 24}, encoder.Options{Role: encoder.Query}, query)[0].Vector
	d := vectorsOf(t, bert, model.Options{Pooling: model.Max, MaxLength: 24}, encoder.Options{}, a.Hits[0].Title+" "+a.Hits[0].Text)[0].Vector
	dot := inner(q, d)
	if approx.Apart(dot, float64(a.Hits[0].Score), .01) { // rows have 8 bits
		t.Errorf("score %v, the cosine is %v", a.Hits[0].Score, dot)
	}
	write(t, dir, "q.jsonl", `{"_id": "1", "text": "night trains"}`+"\n")
	must(t, dir, "search", "c", "--queries", "q.jsonl", "--run", "r.trec", "--model", "bert")
	// Without the model, words answer; without words, the error says what to do.
	if r := must(t, dir, "search", "c", "--query", "night"); !strings.Contains(r.stderr, "--model bert") {
		t.Errorf("no hint: %s", r.stderr)
	}
	must(t, dir, "index", "corpus.jsonl", "-o", "plain", "--model", "bert")
	fails(t, usage, dir, []string{"search", "plain", "--query", "night"}, "--model", "bert")
	if err := modeltest.Write(filepath.Join(dir, "other", "bert"), 2); err != nil {
		t.Fatal(err)
	}
	fails(t, input, dir, []string{"search", "plain", "--query", "night", "--model", "other/bert"}, "does not match")
	fails(t, input, dir, []string{"search", "plain", "--query", "night", "--model", "static"}, "does not match")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--model", "bert", "--idf"}, "--idf")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--max-length", "9"}, "are for --model")
	fails(t, input, dir, []string{"bench", "quantize", ".", "--model", "bert"}, "static model")
	write(t, dir, "long.jsonl", fmt.Sprintf(`{"_id": "1", "text": %q}`, strings.Repeat("work ", 90)))
	if r := must(t, dir, "index", "long.jsonl", "-o", "x", "--model", "bert"); !strings.Contains(r.stderr, "1 document encoded is longer than the 48 tokens") {
		t.Errorf("%s", r.stderr)
	}
}

// Collections record weights of 8 bits. An update reuses only rows that were made with
// them, and searches use them.
func TestIndexInt8(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	bert := newTransformer(t, dir, 1)
	must(t, dir, "index", "corpus.jsonl", "-o", "c", "--model", "bert", "--quantize", "f32")
	r := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--model", "bert", "--quantize", "f32", "--int8")
	if r.Encoded != 6 || !r.Model.Int8 {
		t.Errorf("%+v", r)
	}
	if again := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--model", "bert", "--quantize", "f32", "--int8"); again.Reused != 6 {
		t.Errorf("%+v", again)
	}
	if text := must(t, dir, "inspect", "c", "--verify").stdout; !strings.Contains(text, "weights of 8 bits") {
		t.Errorf("%s", text)
	}
	const query = "night trains"
	hit := searchJSON(t, dir, "c", "--query", query, "--model", "bert", "--method", "none").Hits[0]
	var score [2]float64
	for i, int8 := range []bool{true, false} {
		q := vectorsOf(t, bert, model.Options{Int8: int8}, encoder.Options{Role: encoder.Query}, query)[0].Vector
		d := vectorsOf(t, bert, model.Options{Int8: int8}, encoder.Options{Role: encoder.Document}, hit.Title+" "+hit.Text)[0].Vector
		score[i] = inner(q, d)
	}
	if approx.Apart(score[0], float64(hit.Score), 1e-6) || math.Abs(score[0]-score[1]) < 1e-5 {
		t.Errorf("score %v, by weights of 8 bits %v, of 32 %v", hit.Score, score[0], score[1])
	}
	text := tryWith(t, query+"\n", dir, "embed", "--model", "bert", "--int8").stdout
	sameVectors(t, "embed --int8", embeddedLines(t, text), vectorsOf(t, bert, model.Options{Int8: true}, encoder.Options{}, query))
	if _, facts := serve(t, dir, "c", "--model", "bert", "--log", "off").ask(t, "GET", "/v1/models"); !strings.Contains(facts, `"int8":true`) {
		t.Errorf("served beside the collection: %s", facts)
	}
	must(t, dir, "index", "corpus.jsonl", "-o", "plain", "--model", "bert")
	fails(t, usage, dir, []string{"serve", "plain", "--model", "bert", "--int8"}, "without it")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--int8"}, "are for --model")
	fails(t, input, dir, []string{"embed", "corpus.jsonl", "--int8"}, "static model")
}

// With different models for queries and documents, the collection names both, and
// is searched with the query model.
func TestIndexTwoModels(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	ctx := newTransformer(t, dir, 1)
	for name, seed := range map[string]uint64{"question": 2, "other": 3} {
		if err := modeltest.Write(filepath.Join(dir, name), seed); err != nil {
			t.Fatal(err)
		}
	}
	index := []string{"index", "corpus.jsonl", "-o", "c", "--model", "bert", "--quantize", "f32", "--terms"}
	must(t, dir, index...)
	if r := must(t, dir, append(index, "--query-model", "question")...); !strings.Contains(r.stdout, "6 unchanged") || !strings.Contains(r.stdout, "--model question") {
		t.Errorf("%s", r.stdout)
	}
	if text := must(t, dir, "inspect", "c", "--verify").stdout; !strings.Contains(text, "question@") || !strings.Contains(text, "bert@") {
		t.Errorf("%s", text)
	}
	const query = "night trains"
	hit := searchJSON(t, dir, "c", "--query", query, "--model", "question", "--method", "none").Hits[0]
	q := vectorsOf(t, filepath.Join(dir, "question"), model.Options{}, encoder.Options{Role: encoder.Query}, query)[0].Vector
	d := vectorsOf(t, ctx, model.Options{}, encoder.Options{Role: encoder.Document}, hit.Title+" "+hit.Text)[0].Vector
	dot := inner(q, d)
	if approx.Apart(dot, float64(hit.Score), 1e-6) {
		t.Errorf("score %v, the cosine is %v", hit.Score, dot)
	}
	if r := must(t, dir, "search", "c", "--query", query, "--model", "question"); !strings.Contains(r.stderr, "encoder question@") {
		t.Errorf("%s", r.stderr)
	}
	for _, wrong := range []string{"bert", "other", "static"} {
		fails(t, input, dir, []string{"search", "c", "--query", query, "--model", wrong}, "question@")
	}
	if r := must(t, dir, "search", "c", "--query", "night"); !strings.Contains(r.stderr, "--model question") {
		t.Errorf("no hint: %s", r.stderr)
	}
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--query-model", "question"}, "--model")
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--model", "static", "--query-model", "question"}, "static model")
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "x", "--model", "bert", "--query-model", "static"}, "dimensions")
	config := modeltest.Config()
	config["model_type"] = "dpr"
	if err := modeltest.WriteJSON(filepath.Join(dir, "other"), map[string]any{"config.json": config}); err != nil {
		t.Fatal(err)
	}
	fails(t, usage, dir, []string{"index", "corpus.jsonl", "-o", "x", "--model", "other"}, "--query-model")
}

// If a run is killed at any moment, the same command continues it, and gives the bytes of an
// uninterrupted run.
func TestKillIndexTransformer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newTransformer(t, dir, 1)
	const documents = 6000
	write(t, dir, "long.jsonl", longCorpus(documents, "Lisbon"))
	index := []string{"index", "long.jsonl", "-o", "c", "--model", "bert", "--json"}
	journal := filepath.Join(dir, ".c.vantage-encoded")
	size := func() int64 {
		info, err := os.Stat(journal)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for kills := range 3 {
		before := size()
		cmd := command(dir, index...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "texts are encoded", func() bool { return size() > before+100_000 })
		time.Sleep(time.Duration(kills) * 7 * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() == nil {
			t.Fatal("the run had ended already")
		}
	}
	// A signal ends a run as well, and the run says where its work is stored.
	before := size()
	cmd := command(dir, index...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "texts are encoded", func() bool { return size() > before+100_000 })
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if text := stderr.String(); cmd.ProcessState.ExitCode() != failed || !strings.Contains(text, ".c.vantage-encoded") || !strings.HasSuffix(text, "vantage: interrupted\n") {
		t.Errorf("interrupted: %s", text)
	}
	kept := int(size()-44) / (16 + 12 + 4*modeltest.Hidden)
	r := indexJSON(t, dir, index[1:6]...)
	if r.Resumed < kept || kept < 1000 || r.Encoded != documents-r.Resumed {
		t.Errorf("%d texts were in the journal: %d resumed, %d encoded", kept, r.Resumed, r.Encoded)
	}
	if size() > 0 {
		t.Error("the journal is still there")
	}
	must(t, dir, "index", "long.jsonl", "-o", "fresh", "--model", "bert", "--threads", "1")
	if !maps.Equal(list(t, filepath.Join(dir, "c")), list(t, filepath.Join(dir, "fresh"))) {
		t.Error("the bytes differ from those of an uninterrupted run")
	}
}

// The same with a ColBERT, whose token vectors wait in the journal until their centroids can
// be learned.
func TestKillIndexColBERT(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.WriteColBERT(filepath.Join(dir, "colbert"), 1, 16); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "long.jsonl", longCorpus(2500, "Lisbon"))
	index := []string{"index", "long.jsonl", "-o", "c", "--model", "colbert", "--token-bits", "8", "--json"}
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, ".c.vantage-encoded"))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	before := size()
	cmd := command(dir, index...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "texts are encoded", func() bool { return size() > before+100_000 })
	cmd.Process.Kill()
	if cmd.Wait() == nil {
		t.Fatal("the run had ended already")
	}
	if left := list(t, filepath.Join(dir, "c")); left["manifest.json"] != "" {
		t.Error("a killed run leaves a manifest")
	}
	if r := indexJSON(t, dir, index[1:8]...); r.Resumed == 0 || r.Encoded != 2500-r.Resumed {
		t.Errorf("%d resumed, %d encoded", r.Resumed, r.Encoded)
	}
	if size() > 0 {
		t.Error("the journal is still there")
	}
	must(t, dir, "index", "long.jsonl", "-o", "fresh", "--model", "colbert", "--token-bits", "8", "--threads", "1")
	if !maps.Equal(list(t, filepath.Join(dir, "c")), list(t, filepath.Join(dir, "fresh"))) {
		t.Error("the bytes differ from those of an uninterrupted run")
	}
	if r := must(t, dir, "inspect", "c", "--verify"); !strings.Contains(r.stdout, "of 8 bits") || !strings.Contains(r.stdout, "every file is as it should be") {
		t.Errorf("%s", r.stdout)
	}
	if r := must(t, dir, "search", "c", "--query", "Lisbon", "--model", "colbert", "--json"); !strings.Contains(r.stdout, `"score":"maxsim"`) {
		t.Errorf("%s", r.stdout)
	}
	// A text's token vectors can be given, too. There are no kinds of perspective to choose by.
	two := strings.Trim(strings.Repeat("0.25,", 32), ",")
	write(t, dir, "vectors.jsonl", `{"_id": "1", "query_vector": [`+two+`]}`+"\n")
	if r := must(t, dir, "search", "c", "--queries", "vectors.jsonl", "--model", "colbert", "--run", "-", "-k", "2"); strings.Count(r.stdout, "\n") != 2 || strings.Contains(r.stderr, "chosen") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	write(t, dir, "vectors.jsonl", `{"_id": "1", "query_vector": [0.5, `+two+`]}`+"\n")
	fails(t, input, dir, []string{"search", "c", "--queries", "vectors.jsonl", "--model", "colbert", "--run", "-"}, "query_vector", "33")
	again := []string{"search", "c", "--query", "Lisbon", "--model", "colbert", "--rescore", "20", "--json"}
	if native, headless := must(t, dir, again...).stdout, must(t, dir, append(again, "--engine", "headless")...).stdout; !strings.Contains(native, `"score":"maxsim"`) || headless != native {
		t.Errorf("encoded again:\nnative   %s\nheadless %s", native, headless)
	}
	fails(t, usage, dir, []string{"search", "c", "--query", "Lisbon", "--model", "colbert", "--rescore", "257"}, "rescore is 257, must be from 1 to 256")
	fails(t, usage, dir, []string{"search", "c", "--query", "Lisbon", "--perspective", "x", "--model", "colbert", "--method", "pap+"}, "method pap+ compares vectors of whole texts")
	fails(t, usage, dir, []string{"index", "long.jsonl", "-o", "x", "--model", "colbert", "--token-bits", "3"}, "8, 4 or 2")
	fails(t, usage, dir, []string{"index", "long.jsonl", "-o", "x", "--encoder", "light", "--token-bits", "4"}, "--token-bits goes with a ColBERT: light is a static model")
}

// The evaluations accept transformers by the same names.
func TestEvalTransformer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newTransformer(t, dir, 1)
	data := filepath.Join(root(t), "examples", "debates")
	r := must(t, dir, "eval", "beir", data, "--retriever", "bert")
	if !strings.Contains(r.stdout, "bert") {
		t.Errorf("%s", r.stdout)
	}
	if r := must(t, dir, "eval", "pir", data, "--retriever", "bert"); !strings.Contains(r.stdout, "bert") {
		t.Errorf("%s", r.stdout)
	}
}

// A model of the hub is fetched once, by its name, and recorded with that name and its commit.
func TestModelOfHub(t *testing.T) {
	t.Parallel()
	h := newHubServer(t)
	dir := newCorpus(t)
	bert := newTransformer(t, dir, 1)
	for name := range h.files {
		if name != "onnx/model.onnx" {
			h.files[name] = []byte(read(t, filepath.Join(bert, name)))
		}
	}
	run := func(offline string, args ...string) result {
		cmd := command(dir, args...)
		cmd.Env = append(cmd.Env, "HF_ENDPOINT="+h.URL, "HF_HUB_CACHE="+filepath.Join(dir, "models"), "HF_HOME="+dir, "HF_TOKEN=", "HF_HUB_OFFLINE="+offline)
		return finish(t, cmd)
	}
	if r := run("1", "index", "corpus.jsonl", "-o", "c", "--model", "org/tiny"); r.code != input || !strings.Contains(r.stderr, "HF_HUB_OFFLINE") {
		t.Fatalf("offline: %d %s", r.code, r.stderr)
	}
	r := run("0", "index", "corpus.jsonl", "-o", "c", "--model", "org/tiny", "--json")
	if r.code != done || !strings.Contains(r.stderr, "pull: ") || !strings.Contains(r.stderr, "org/tiny has no modules.json") {
		t.Fatalf("%d %s", r.code, r.stderr)
	}
	if m := decode[report](t, r.stdout).Model; m.ID != "org/tiny" || m.Revision != pullCommit {
		t.Errorf("%+v", m)
	}
	asked := h.requests.Load()
	if r := run("1", "search", "c", "--query", "night", "--model", "org/tiny@main"); r.code != done || h.requests.Load() != asked {
		t.Errorf("from the cache: %d %s", r.code, r.stderr)
	}
	if r := run("1", "index", "corpus.jsonl", "-o", "c", "--model", "org/tiny@"+pullCommit, "--json"); decode[report](t, r.stdout).Reused != 6 {
		t.Errorf("by its commit: %d %s", r.code, r.stderr)
	}
	if r := run("0", "embed", "corpus.jsonl", "--model", "org/no//name"); r.code != input {
		t.Errorf("no name: %d %s", r.code, r.stderr)
	}
}

func TestTokenize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bert := newTransformer(t, dir, 1)
	write(t, dir, "only/tokenizer.json", read(t, filepath.Join(bert, "tokenizer.json")))
	ids := map[string]uint32{}
	for i, token := range modeltest.Vocabulary() {
		ids[token] = uint32(i)
	}
	type line struct {
		IDs       []uint32
		Truncated bool
	}
	texts := `{"text": "night trains"}` + "\n" + `{"text": ""}` + "\n" + `{"text": "School uniforms cost people!"}` + "\n"
	for _, c := range []struct {
		flags []string
		want  [][]string
		cut   bool
	}{
		{nil, [][]string{{"[CLS]", "night", "trains", "[SEP]"}, {"[CLS]", "[SEP]"}, {"[CLS]", "school", "uniforms", "cost", "people", "!", "[SEP]"}}, false},
		{[]string{"--max-length", "4"}, [][]string{{"[CLS]", "night", "trains", "[SEP]"}, {"[CLS]", "[SEP]"}, {"[CLS]", "school", "uniforms", "[SEP]"}}, true},
	} {
		r := tryWith(t, texts, dir, append([]string{"tokenize", "--model", "only"}, c.flags...)...)
		if r.code != done {
			t.Fatal(r.stderr)
		}
		i := 0
		for text := range strings.Lines(r.stdout) {
			got := decode[line](t, text)
			var want []uint32
			for _, token := range c.want[i] {
				want = append(want, ids[token])
			}
			if !slices.Equal(got.IDs, want) || got.Truncated != (c.cut && i == 2) {
				t.Errorf("%v: line %d: %+v, want %v", c.flags, i+1, got, want)
			}
			i++
		}
		if i != 3 {
			t.Errorf("%v: %d lines", c.flags, i)
		}
	}
	fails(t, input, dir, []string{"tokenize", "--model", "nowhere", "x.jsonl"}, "x.jsonl")
	write(t, dir, "bad.jsonl", "{")
	fails(t, input, dir, []string{"tokenize", "bad.jsonl"}, "bad.jsonl:1")
}
