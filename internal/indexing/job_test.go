package indexing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// corpusIn writes a corpus of three documents into a folder.
func corpusIn(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "corpus.jsonl")
	var lines strings.Builder
	for _, id := range []string{"a", "b", "c"} {
		lines.WriteString(`{"_id":"` + id + `","text":"the red document ` + id + `","metadata":{"n":1}}` + "\n")
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// modelsIn writes a static model and two transformers, of 32 and 64 dimensions.
func modelsIn(t *testing.T, dir string) (static, bert, wide string) {
	t.Helper()
	static, bert, wide = filepath.Join(dir, "static"), filepath.Join(dir, "bert"), filepath.Join(dir, "wide")
	tiny := staticmodeltest.Tiny(t)
	if err := os.Mkdir(static, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{staticmodel.TokenizerFile: tiny.Tokenizer, staticmodel.WeightsFile: tiny.Weights, staticmodel.ConfigFile: tiny.Config} {
		if err := os.WriteFile(filepath.Join(static, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shape := modeltest.Small
	shape.Hidden *= 2
	if err := errors.Join(modeltest.Write(bert, 1), shape.Write(wide, 1)); err != nil {
		t.Fatal(err)
	}
	return static, bert, wide
}

// packIn writes a pack.
func packIn(t *testing.T, dir string) string {
	t.Helper()
	files, err := quantized.TinyFS(1, true)
	dir = filepath.Join(dir, "pack")
	if err := errors.Join(err, os.CopyFS(dir, files)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func manifestOf(t *testing.T, dir string) (kind, queries string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Model      struct{ Kind string }
		QueryModel struct{ ID string } `json:"query_model"`
	}
	if err := json.Unmarshal(content, &m); err != nil {
		t.Fatal(err)
	}
	return m.Model.Kind, m.QueryModel.ID
}

// The given models decide how the documents and the queries are encoded.
func TestModels(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	static, bert, wide := modelsIn(t, dir)
	other := filepath.Join(dir, "other")
	if err := modeltest.Write(other, 2); err != nil {
		t.Fatal(err)
	}
	pack := packIn(t, dir)
	for name, want := range map[string]struct {
		change        func(j *Job)
		kind, queries string
		fails         error
		says          string
	}{
		"static":               {func(j *Job) {}, "static", "", nil, ""},
		"weighted":             {func(j *Job) { j.IDF = true }, "static", "", nil, ""},
		"a transformer":        {func(j *Job) { j.Model = bert }, "external", "", nil, ""},
		"two of them":          {func(j *Job) { j.Model, j.QueryModel = bert, other }, "external", "other", nil, ""},
		"of two sizes":         {func(j *Job) { j.Model, j.QueryModel = bert, wide }, "", "", fault.Input, "do not belong together"},
		"idf of a transformer": {func(j *Job) { j.Model, j.IDF = bert, true }, "", "", fault.Query, "is a transformer"},
		"static with queries":  {func(j *Job) { j.QueryModel = bert }, "", "", fault.Query, "--query-model"},
		"static with settings": {func(j *Job) { j.Transformer.MaxLength = 9 }, "", "", fault.Query, "--max-length"},
		"an unknown pooling":   {func(j *Job) { j.Model, j.Transformer.Pooling = bert, "best" }, "", "", fault.Query, "best"},
		"no model":             {func(j *Job) { j.Model = filepath.Join(dir, "none") }, "", "", fault.Input, "no such folder"},
		"nothing named":        {func(j *Job) { j.Model = "" }, "", "", fault.Input, "no such folder"},
		"no corpus":            {func(j *Job) { j.Corpus = filepath.Join(dir, "none.jsonl") }, "", "", fault.Input, "none.jsonl"},
		"no vectors":           {func(j *Job) { j.Vectors, j.Model = c, "" }, "", "", nil, "corpus.jsonl"},
		"light":                {func(j *Job) { j.Encoder = Light }, "static", "", nil, ""},
		"light, weighted":      {func(j *Job) { j.Encoder, j.IDF = Light, true }, "static", "", nil, ""},
		"sides":                {func(j *Job) { j.Encoder, j.Transformer.Threads = Sides, 1 }, "pack", "", nil, ""},
		"a pack":               {func(j *Job) { j.Encoder = pack }, "pack", "", nil, ""},
		"a pack.json":          {func(j *Job) { j.Encoder = filepath.Join(pack, "pack.json") }, "pack", "", nil, ""},
		"idf of a pack":        {func(j *Job) { j.Encoder, j.IDF = pack, true }, "", "", fault.Query, "is a pack"},
		"a pack with settings": {func(j *Job) { j.Encoder, j.Transformer.MaxLength = pack, 9 }, "", "", fault.Query, "--max-length"},
		"no pack":              {func(j *Job) { j.Encoder = filepath.Join(dir, "none") }, "", "", fault.Input, "--encoder takes light, sides, or the folder"},
		"a model for a pack":   {func(j *Job) { j.Encoder = bert }, "", "", fault.Input, "vantage model pack"},
	} {
		t.Run(name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "a", "c")
			j := Job{Corpus: c, Output: output, Model: static}
			want.change(&j)
			r, err := j.Run(t.Context())
			if want.says != "" {
				if err == nil || want.fails != nil && !errors.Is(err, want.fails) || !strings.Contains(err.Error(), want.says) {
					t.Errorf("%v", err)
				}
				if _, err := os.Stat(filepath.Dir(output)); err == nil {
					t.Error("a folder is left")
				}
				return
			}
			if err != nil || r.Documents != 3 || r.Collection != output || r.Site != "" {
				t.Fatalf("%+v, %v", r, err)
			}
			if kind, queries := manifestOf(t, output); kind != want.kind || queries != want.queries {
				t.Errorf("the vectors are of a model %q, queries of %q", kind, queries)
			}
			if left, err := os.ReadDir(filepath.Dir(output)); err != nil || len(left) != 1 {
				t.Errorf("%v beside the collection (%v)", left, err)
			}
		})
	}
}

// The model says how its vectors are compared, unless the job says otherwise. If the model
// says something that cannot be done, the job must decide.
func TestScore(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	_, bert, _ := modelsIn(t, dir)
	for _, of := range []struct {
		says       any
		asked      perspective.Score
		want, told string
	}{
		{nil, "", "", ""}, {"cosine", "", "", ""}, {"dot", "", "dot", ""}, {"dot", "cosine", "", ""}, {nil, "dot", "dot", ""},
		{"euclidean", "dot", "dot", ""}, {"euclidean", "", "", `score "euclidean" is not one of cosine, dot`},
	} {
		if err := modeltest.WriteJSON(bert, map[string]any{"config_sentence_transformers.json": map[string]any{"similarity_fn_name": of.says}}); err != nil {
			t.Fatal(err)
		}
		output := filepath.Join(t.TempDir(), "c")
		j := Job{Corpus: c, Output: output, Model: bert, Score: of.asked}
		if _, err := j.Run(t.Context()); of.told != "" {
			if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), of.told) {
				t.Errorf("%v: %v", of, err)
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(output, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m struct{ Score string }
		if err := json.Unmarshal(content, &m); err != nil || m.Score != of.want || strings.Contains(string(content), `"score"`) != (of.want != "") {
			t.Errorf("%v: compared by %q (%v)", of, m.Score, err)
		}
	}
}

// If a broken corpus ends a run, the run keeps the vectors that a transformer has made,
// and says where. The next run continues from there.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	_, bert, _ := modelsIn(t, dir)
	var many strings.Builder // enough that some are encoded before the corpus breaks
	for i := range 3000 {
		fmt.Fprintf(&many, `{"_id":"%d","text":"a claim"}`+"\n", i)
	}
	if err := os.WriteFile(c, []byte(many.String()+"{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	j := Job{Corpus: c, Output: filepath.Join(dir, "c"), Model: bert, Console: console.New(&told)}
	if _, err := j.Run(t.Context()); !errors.Is(err, fault.Input) {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "what has been encoded is kept in "+filepath.Join(dir, ".c.vantage-encoded")) {
		t.Errorf("told %q", told.String())
	}
	if err := os.WriteFile(c, []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := collection.Lock(filepath.Join(dir, ".c.vantage-encoded")) // as another run
	if err != nil {
		t.Fatal(err)
	}
	told.Reset()
	if _, err := j.Run(t.Context()); !errors.Is(err, fault.Unavailable) || strings.Contains(told.String(), "goes on from there") {
		t.Errorf("beside another run: %v, told %q", err, told.String())
	}
	held.Close()
	if r, err := j.Run(t.Context()); err != nil || r.Resumed == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Another encoder encodes all documents again, and the report says so.
func TestEncoderChanges(t *testing.T) {
	dir := t.TempDir()
	j := Job{Corpus: corpusIn(t, dir), Output: filepath.Join(dir, "c")}
	for i, encoder := range []string{Light, packIn(t, dir), Sides, Light} {
		j.Encoder = encoder
		r, err := j.Run(t.Context())
		if err != nil || r.Encoded != 3 || r.Reused != 0 || (len(r.Notes) == 1) != (i > 0) || i > 0 && !strings.Contains(r.Notes[0], "everything is encoded again") {
			t.Fatalf("%s: %+v, %v", encoder, r, err)
		}
		if r, err := j.Run(t.Context()); err != nil || r.Reused != 3 || r.FilesWritten != 1 {
			t.Fatalf("%s, again: %+v, %v", encoder, r, err)
		}
	}
}

// If the pages of a new site cannot be placed, nothing is left of it, except a collection whose
// vectors a transformer made, or whose folder was there before. Then the same command adds the pages.
func TestSiteFails(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	static, bert, _ := modelsIn(t, dir)
	for _, test := range []struct {
		model        string
		folder, kept bool
	}{{static, false, false}, {bert, false, true}, {static, true, true}} {
		model, kept := test.model, test.kept
		site := filepath.Join(dir, "site")
		inTheWay := filepath.Join(site, "offline") // the folder of the file that is placed last
		if err := errors.Join(os.RemoveAll(site), os.Mkdir(site, 0o700), os.WriteFile(inTheWay, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if test.folder {
			if err := os.Mkdir(filepath.Join(site, "collection"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		var told strings.Builder
		j := Job{Corpus: c, Output: site, Model: model, Site: true, Console: console.New(&told)}
		if _, err := j.Run(t.Context()); err == nil {
			t.Fatal("a file where a folder has to be")
		}
		collection := filepath.Join(site, "collection")
		want := []string{"offline"}
		if kept {
			want = []string{"collection", "offline"}
		}
		var left []string
		entries, err := os.ReadDir(site)
		for _, e := range entries {
			left = append(left, e.Name())
		}
		if err != nil || !slices.Equal(left, want) {
			t.Errorf("%s: left %q, want %q (%v)", model, left, want, err)
		}
		if said := strings.Contains(told.String(), "the collection is complete in "+collection+": the same command adds the pages"); said != kept {
			t.Errorf("%s: told %q", model, told.String())
		}
		if err := os.Remove(inTheWay); err != nil {
			t.Fatal(err)
		}
		if r, err := j.Run(t.Context()); err != nil || kept && r.Reused != 3 {
			t.Errorf("%s, again: %+v, %v", model, r, err)
		}
	}
}

// renewed is a context that is cancelled once a file has another size.
type renewed struct {
	context.Context
	cancel context.CancelFunc
	file   string
	size   int64
}

func (r renewed) Err() error {
	if info, err := os.Stat(r.file); err == nil && info.Size() != r.size {
		r.cancel()
	}
	return r.Context.Err()
}

// If an update fails while it chooses the ranking, the console says that the collection is new.
func TestUpdateFailsToChoose(t *testing.T) {
	dir := t.TempDir()
	static, _, _ := modelsIn(t, dir)
	queries, qrels, site := filepath.Join(dir, "queries.jsonl"), filepath.Join(dir, "qrels.tsv"), filepath.Join(dir, "site")
	if err := errors.Join(
		os.WriteFile(queries, []byte(`{"_id":"1","text":"red"}`+"\n"), 0o600),
		os.WriteFile(qrels, []byte("query-id\tcorpus-id\tscore\n1\ta\t1\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	j := Job{Corpus: corpusIn(t, dir), Output: site, Model: static, Site: true, Queries: queries, Qrels: qrels, Console: console.New(&told)}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	manifest := filepath.Join(site, "collection", "manifest.json")
	info, err := os.Stat(manifest)
	if err != nil {
		t.Fatal(err)
	}
	j.Name = "A longer name"
	if _, err := j.Run(renewed{ctx, cancel, manifest, info.Size()}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "the collection is complete in "+filepath.Join(site, "collection")+": the same command chooses its default ranking") {
		t.Errorf("told %q", told.String())
	}
	if r, err := j.Run(t.Context()); err != nil || r.FilesWritten > 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A site is a page around a collection, and the next run recognises it.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	c := corpusIn(t, dir)
	static, _, _ := modelsIn(t, dir)
	queries, qrels := filepath.Join(dir, "queries.jsonl"), filepath.Join(dir, "qrels.tsv")
	if err := errors.Join(
		os.WriteFile(queries, []byte(`{"_id":"1","text":"red"}`+"\n"), 0o600),
		os.WriteFile(qrels, []byte("query-id\tcorpus-id\tscore\n1\ta\t1\n1\tz\t1\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	j := Job{Corpus: c, Output: filepath.Join(dir, "site"), Model: static, Site: true, Server: "./", Queries: queries, Qrels: qrels, Console: console.New(&told)}
	for i, reused := range []int{0, 3} {
		r, err := j.Run(t.Context())
		if err != nil || r.Site != j.Output || r.Collection != filepath.Join(j.Output, "collection") || r.JudgedQueries != 1 || r.Reused != reused {
			t.Fatalf("run %d: %+v, %v", i, r, err)
		}
		j.Warn(r)
		if want := "the corpus lacks 1 document"; !strings.Contains(told.String(), want) {
			t.Errorf("told %q", told.String())
		}
		home, err := os.ReadFile(filepath.Join(j.Output, "index.html"))
		if err != nil || !strings.Contains(string(home), `"server":"./"`) {
			t.Errorf("the page does not name its server (%v)", err)
		}
	}
	j.Site, j.Queries, j.Qrels = false, "", ""
	if _, err := j.Run(t.Context()); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "is a site") {
		t.Errorf("a collection in place of a site: %v", err)
	}
	j.Output = filepath.Join(j.Output, "collection")
	if _, err := j.Run(t.Context()); err != nil {
		t.Errorf("the collection of a site: %v", err)
	}
	j.Site = true
	if _, err := j.Run(t.Context()); !errors.Is(err, fault.Query) {
		t.Errorf("a site in place of a collection: %v", err)
	}
}

// Warn prints what a user should know, and bounds it.
func TestWarnings(t *testing.T) {
	fields := map[string]string{}
	for i := range 13 {
		fields["f"+string(rune('a'+i))] = "why"
	}
	model := vantage.Model{ID: "m", Language: "en", MaxLength: 9}
	for _, c := range []struct {
		report vantage.Report
		skips  int
		want   []string
	}{
		{vantage.Report{Encoded: 100, MostlyUnknown: 4}, 0, nil},
		{vantage.Report{Encoded: 100, MostlyUnknown: 5}, 0, []string{"5 of 100 documents encoded are mostly unknown to the encoder m (English only): searches will often miss them; learn a model from the corpus with: vantage fit 'my corpus.jsonl' --text-field=body -o MODELDIR"}},
		{vantage.Report{Encoded: 50, Resumed: 50, MostlyUnknown: 4}, 0, nil},
		{vantage.Report{Encoded: 2, Resumed: 98, MostlyUnknown: 99}, 0, []string{"99 of 100 documents encoded are mostly unknown"}},
		{vantage.Report{Truncated: 1}, 0, []string{"1 document encoded is longer than the 9 tokens"}},
		{vantage.Report{Empty: 2}, 0, []string{"2 documents with neither title nor text: no query matches such documents, but searches by vectors may list them, with score 0"}},
		{vantage.Report{Notes: []string{"one", "two"}}, 0, []string{"one", "two"}},
		{vantage.Report{}, 1, []string{"1 entry of the folder passed over"}},
		{vantage.Report{LeftOut: fields}, 0, append(slices.Repeat([]string{"cannot be filtered by: why"}, 10), "and 3 more fields")},
	} {
		var told strings.Builder
		j := Job{Corpus: "my corpus.jsonl", Console: console.New(&told)}
		j.Fields.TextField = "body"
		c.report.Model = model
		j.Warn(&Report{Report: &c.report, skipped: c.skips})
		lines := slices.Collect(strings.Lines(told.String()))
		if len(lines) != len(c.want) {
			t.Errorf("%+v: told %q", c.report, lines)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("told %q, want %q", lines[i], want)
			}
		}
	}
	first := slices.Sorted(maps.Keys(fields))[0]
	var told strings.Builder
	j := Job{Console: console.New(&told)}
	if j.Warn(&Report{Report: &vantage.Report{LeftOut: fields}}); !strings.Contains(strings.SplitN(told.String(), "\n", 2)[0], first) {
		t.Errorf("the first field is not told first: %q", told.String())
	}
}
