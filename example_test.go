package vantage_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/corpus"
	"github.com/vantage-search/vantage/english"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/packs"
)

// These are folders with collections for the examples.
var (
	debates string // the bundled corpus, indexed as in ExampleIndex, with an index of words
	zoos    string // three documents, by an encoder that tells sides apart
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "vantage")
	if err != nil {
		log.Fatal(err)
	}
	debates = filepath.Join(dir, "debates")
	documents, err := corpus.Read("examples/debates/corpus.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := vantage.Index(context.Background(), documents, debates, vantage.IndexOptions{Name: "Debates", Encoder: english.Encoder(), Words: true}); err != nil {
		log.Fatal(err)
	}
	zoos = filepath.Join(dir, "zoos")
	if err := indexZoos(zoos); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func Example() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{
		Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"},
		K:     3,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Printf("%d. %s\n", hit.Rank, hit.Title)
	}
	// Output:
	// 1. Night trains: Wagons that nobody builds
	// 2. Night trains: The same euros could run commuter trains
	// 3. Night trains: Four people and one snorer
}

func ExampleOpen() {
	collection, err := vantage.Open(context.Background(), "no/such/folder", nil)
	if errors.Is(err, vantage.ErrInput) {
		fmt.Println(err)
		return
	}
	defer collection.Close()
	// Output:
	// no/such/folder: no such folder: check the path, or make a collection with: vantage index CORPUS -o DIR
}

func ExampleOpen_fileSystem() {
	site := os.DirFS(debates) // or an embed.FS
	collection, err := vantage.Open(context.Background(), ".", &vantage.OpenOptions{FS: site})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	fmt.Println(collection.Describe().Documents, "documents")
	// Output:
	// 1157 documents
}

func ExampleOpenOptions() {
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	about := collection.Describe()
	fmt.Printf("%s: %d documents, %d dimensions, by %s\n", about.Name, about.Documents, about.Dim, about.Model.ID)
	fmt.Println("carries its encoder:", about.CarriesEncoder())
	fmt.Println("can be searched by words:", about.HasWords())
	// Output:
	// Debates: 1157 documents, 256 dimensions, by vantage-static-en
	// carries its encoder: true
	// can be searched by words: true
}

func ExampleOpenOptions_progress() {
	var loaded int64
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Progress: func(stage string, done, total int64) {
		if stage == "load" {
			loaded = 100 * done / total
		}
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	fmt.Println(loaded, "%")
	// Output:
	// 100 %
}

func ExampleCollection_Search() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	lambda := 0.8
	result, err := collection.Search(ctx, vantage.Query{
		Query:        vantage.Text{Text: "night trains"},
		Root:         &vantage.Text{Text: "night trains"},
		Perspectives: []vantage.Text{{Text: "people who have to pay for them"}},
		Method:       "pap",
		Lambda:       &lambda,
		K:            2,
		Filters:      []vantage.Filter{{Field: "stance", Values: []string{"oppose"}}},
		Hybrid:       &vantage.Hybrid{},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Printf("%d. %s: cosine %.2f, by words place %d\n", hit.Rank, hit.Title, hit.Explain.Cosine, hit.Lexical.Rank)
	}
	// Output:
	// 1. Night trains: The same euros could run commuter trains: cosine 0.60, by words place 1
	// 2. Night trains: Wagons that nobody builds: cosine 0.56, by words place 2
}

// MethodWords ranks by words alone and needs no encoder; Hybrid ranks by vectors and words.
func ExampleCollection_Search_words() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "sleeper wagons"}, Method: vantage.MethodWords, K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].ID)
	// Output:
	// night-trains-point-04
}

// Without a method, the kind of perspective decides.
func ExampleCollection_Search_auto() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	query := vantage.Query{Query: vantage.Text{Text: "what Dutch viewers report about this: Foreign films should be shown with subtitles"}, Method: vantage.MethodAuto, K: 1}
	result, err := collection.Search(ctx, query)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Kind, result.Method)
	// Output:
	// place tri-sum
}

// A result describes the encoded texts and explains each hit.
func ExampleResult() {
	ctx := context.Background()
	var collection *vantage.Collection
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	text := func(t vantage.EncodedText) { fmt.Printf("%s: %d tokens, %d unknown\n", t.Role, t.Tokens, t.Unknown) }
	why := func(e vantage.Explanation, words *vantage.Lexical) {
		fmt.Printf("  %.3f / %.3f, rank %d by the plain cosine, %d by words\n", e.Numerator, e.Denominator, e.CosineRank, words.Rank)
	}
	hit := func(h vantage.Hit) {
		fmt.Printf("%d. %s %s\n", h.Rank, h.ID, h.Title)
		why(h.Explain, h.Lexical)
	}
	answer := func(r *vantage.Result) {
		fmt.Println(r.Method, r.Hybrid, "by", r.Encoder.ID)
		for _, t := range r.Texts {
			text(t)
		}
		for _, h := range r.Hits {
			hit(h)
		}
	}
	result, err := collection.Search(ctx, vantage.Query{
		Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"}, Method: "pap+", K: 2, Hybrid: &vantage.Hybrid{Fusion: "min-max"}, CosineRank: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	answer(result)
	// Output:
	// pap+ min-max by vantage-static-en
	// query: 13 tokens, 0 unknown
	// root: 5 tokens, 0 unknown
	// perspective: 6 tokens, 0 unknown
	// 1. night-trains-04 Night trains: Four people and one snorer
	//   0.505 / 0.999, rank 3 by the plain cosine, 1 by words
	// 2. night-trains-11 Night trains: Wagons that nobody builds
	//   0.541 / 1.000, rank 1 by the plain cosine, 5 by words
}

// The kind of an error says what can be done about it.
func Example_errors() {
	advice := func(err error) string {
		switch {
		case errors.Is(err, vantage.ErrClosed): // of kind ErrUnavailable
			return "open it again"
		case errors.Is(err, vantage.ErrQuery):
			return "ask something else"
		case errors.Is(err, vantage.ErrInput):
			return "give something else"
		case errors.Is(err, vantage.ErrLimit):
			return "give less"
		case errors.Is(err, vantage.ErrIntegrity):
			return "upload the collection again"
		case errors.Is(err, vantage.ErrVersion), errors.Is(err, vantage.ErrUnsupported):
			return "use another version of Vantage"
		case errors.Is(err, vantage.ErrUnavailable):
			return "try again later"
		case errors.Is(err, vantage.ErrInternal):
			return "report a fault of Vantage"
		}
		return "see what the file system, the network or the context says"
	}
	ctx := context.Background()
	_, err := vantage.Open(ctx, "no/such/folder", nil)
	fmt.Println(advice(err))
	collection, err := vantage.Open(ctx, debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	_, err = collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}, Method: "astrology"})
	fmt.Println(advice(err))
	if err := collection.Close(); err != nil {
		log.Fatal(err)
	}
	_, err = collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}})
	fmt.Println(advice(err))
	// Output:
	// give something else
	// ask something else
	// open it again
}

func ExampleCollection_Describe() {
	collection, err := vantage.Open(context.Background(), debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	count := func(f vantage.FileKind) { fmt.Println(f.Kind, f.Files) }
	tell := func(about *vantage.Description) {
		fmt.Println(about.Documents, "documents, queries encoded by", about.Queries().ID)
		for _, f := range about.Files {
			count(f)
		}
	}
	tell(collection.Describe())
	// Output:
	// 1157 documents, queries encoded by vantage-static-en
	// encoder 3
	// reader 8
	// vectors 1
	// documents 5
	// columns 1
	// terms 3
}

func ExampleEngine() {
	ctx := context.Background()
	var engine *vantage.Engine
	engine, err := headless.New(ctx, headless.WithInstances(1))
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	collection, err := vantage.Open(ctx, debates, &vantage.OpenOptions{Engine: engine})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"}, K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Title) // as in the first example
	// Output:
	// Night trains: Wagons that nobody builds
}

func ExampleCollection_Rerank() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Rerank(ctx, vantage.Query{Query: vantage.Text{Text: "sleeping in a train"}}, []string{"A soup of leeks.", "The sleeping car left at ten."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// The sleeping car left at ten.
}

func ExampleCollection_Encode() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	encoded, err := collection.Encode(ctx, []string{"night trains"}, vantage.RoleQuery)
	if err != nil {
		log.Fatal(err)
	}
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Vector: encoded[0].Vector}, K: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(encoded[0].Vector), result.Hits[0].Title)
	// Output:
	// 256 Night trains: The same euros could run commuter trains
}

func ExampleCollection_Warning() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "Nachtzüge sind teuer und langsam"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(collection.Warning(ctx, result))
	// Output:
	// the words of the query "Nachtzüge sind teuer und langsam" are mostly unknown to the encoder (English only): the ranking means little
}

func ExampleCollection_Fields() {
	ctx := context.Background()
	collection, err := vantage.Open(ctx, debates, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	fields, err := collection.Fields(ctx)
	if err != nil {
		log.Fatal(err)
	}
	show := func(f vantage.Field) { fmt.Println(f.Name, f.Type, f.Values) }
	for _, f := range fields {
		if f.Name == "stance" {
			show(f)
		}
	}
	// Output:
	// stance string [{support 533} {oppose 530} {context 94}]
}

func ExampleCollection_Verify() {
	ctx := context.Background()
	damaged := fstest.MapFS{}
	if err := copyTo(damaged, debates); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, ".", &vantage.OpenOptions{FS: damaged, Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	for name, file := range damaged {
		if filepath.Dir(name) == "vectors" {
			file.Data = file.Data[:len(file.Data)/2]
		}
	}
	faults, err := collection.Verify(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, fault := range faults {
		fmt.Println("a damaged file:", errors.Is(fault, vantage.ErrIntegrity))
	}
	// Output:
	// a damaged file: true
}

func ExampleNewReranker() {
	ctx := context.Background()
	var reranker *vantage.Reranker
	reranker, err := vantage.NewReranker(ctx, english.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	claims := []string{
		"Children play again in streets without cars.",
		"Without cars in cities, shops lose money.",
		"Cities without cars have cleaner air and fewer patients.",
		"The soup was cold.",
	}
	for _, side := range []string{"health", "money", "children"} {
		result, err := reranker.Rerank(ctx, vantage.Query{
			Query:        vantage.Text{Text: "banning cars from cities"},
			Root:         &vantage.Text{Text: "banning cars from cities"},
			Perspectives: []vantage.Text{{Text: side}},
			Method:       "add",
		}, claims)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", side, result.Hits[0].Text)
	}
	// Output:
	// health: Cities without cars have cleaner air and fewer patients.
	// money: Without cars in cities, shops lose money.
	// children: Children play again in streets without cars.
}

func ExampleIndex() {
	documents, err := corpus.Read("examples/debates/corpus.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "debates")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var report *vantage.Report
	report, err = vantage.Index(context.Background(), documents, dir, vantage.IndexOptions{
		Name:    "Debates",
		Encoder: english.Encoder(),
		Words:   true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, "documents, encoded by", report.Model.ID)
	// Output:
	// 1157 documents, encoded by vantage-static-en
}

func ExampleIndex_vectors() {
	ctx := context.Background()
	documents := func(yield func(vantage.Document, error) bool) {
		_ = yield(vantage.Document{ID: "for", Text: "Night trains spare a hotel."}, nil) &&
			yield(vantage.Document{ID: "against", Text: "Night trains are dear.", Metadata: map[string]any{"year": 2024}}, nil)
	}
	dir, err := os.MkdirTemp("", "trains")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{
		Vectors: &vantage.Vectors{Model: vantage.Model{ID: "my-model", Language: "en"}, Dim: 2, Data: []float32{1, 0, 0, 1}},
		Reader:  english.Reader(),
	}); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	result, err := collection.Search(ctx, vantage.Query{Query: vantage.Text{Vector: []float32{0.6, 0.8}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Printf("%s %.1f\n", hit.ID, hit.Score)
	}
	_, err = collection.Search(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}})
	fmt.Println(errors.Is(err, vantage.ErrQuery), err)
	// Output:
	// against 0.8
	// for 0.6
	// true the collection carries no encoder: give one, or give the query as vectors
}

// lengths is a program's own encoder. A vector has the length of the text and ten times
// its number of exclamation marks.
type lengths struct{}

func (lengths) Model() vantage.Model { return vantage.Model{ID: "lengths", Dim: 2} }

func (lengths) Encode(_ context.Context, texts []string, _ vantage.Role) ([]vantage.Encoding, error) {
	out := make([]vantage.Encoding, len(texts))
	for i, text := range texts {
		loud := 0
		for _, r := range text {
			if r == '!' {
				loud++
			}
		}
		out[i] = vantage.Encoding{Vector: []float32{float32(len(text)), float32(10 * loud)}, Tokens: 1}
	}
	return out, nil
}

func ExampleEncoder() {
	// type lengths struct{} has the methods Model and Encode.
	var encoder vantage.Encoder = lengths{}
	ctx := context.Background()
	for _, role := range []vantage.Role{vantage.RoleQuery, vantage.RoleDocument} {
		var encoded []vantage.Encoding
		encoded, err := encoder.Encode(ctx, []string{"Listen!!!!"}, role)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(role, encoded[0].Vector)
	}
	reranker, err := vantage.NewReranker(ctx, encoder, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(ctx, vantage.Query{Query: vantage.Text{Text: "Listen!!!!"}}, []string{"A calm word.", "Never!!!"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Text)
	// Output:
	// query [10 40]
	// document [10 40]
	// Never!!!
}

func ExampleParseFilter() {
	f, err := vantage.ParseFilter("year=2000..2010")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Field, *f.Low, *f.High)
	// Output:
	// year 2000 2010
}

// Texts about one subject in the order of how much they look back rather than ahead.
func ExampleOpposites() {
	encoder, err := packs.Open(os.DirFS("sides/pack")) // sides.Encoder() is the same
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, encoder, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(ctx, vantage.Query{
		Query: vantage.Text{Text: "night trains"},
		Root:  &vantage.Text{Text: "night trains"},
		Opposites: &vantage.Opposites{
			Wanted: vantage.Text{Text: "Find a text about the past of: "},
			Other:  vantage.Text{Text: "Find a text about the future of: "},
		},
	}, []string{
		"By 2050, night trains will link every capital.",
		"In 1900, night trains crossed the continent.",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.Text)
	}
	// Output:
	// In 1900, night trains crossed the continent.
	// By 2050, night trains will link every capital.
}

func ExampleMethods() {
	for _, m := range vantage.Methods()[:3] {
		fmt.Printf("%s: %s\n", m.Name, m.Summary)
	}
	// Output:
	// query_cosine: Plain cosine of the whole query; the perspective counts only as far as the query names it.
	// source_cosine: Plain cosine of the root query, without any perspective.
	// vec_add: Sum of root and perspective.
}

func ExampleNewStaticEncoder() {
	files := os.DirFS("internal/model/builtin/english") // or an embed.FS, or a folder of `vantage fit`
	encoder, err := vantage.NewStaticEncoder("mine", files)
	if err != nil {
		log.Fatal(err)
	}
	encoded, err := encoder.Encode(context.Background(), []string{"night trains"}, vantage.RoleDocument)
	if err != nil {
		log.Fatal(err)
	}
	m := encoder.Model()
	fmt.Println(m.ID, m.Revision, m.Dim, m.Kind)
	fmt.Println(encoded[0].Tokens, "tokens")
	// Output:
	// mine 0a2a21925a97f291 256 static
	// 2 tokens
}

func ExampleCollection_Pack() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "packed")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	encoder, err := packs.Open(os.DirFS("sides/pack"))
	if err != nil {
		log.Fatal(err)
	}
	documents := func(yield func(vantage.Document, error) bool) {
		yield(vantage.Document{ID: "1", Text: "Night trains are back."}, nil)
	}
	if _, err := vantage.Index(ctx, documents, dir, vantage.IndexOptions{Encoder: encoder}); err != nil {
		log.Fatal(err)
	}
	collection, err := vantage.Open(ctx, dir, &vantage.OpenOptions{Lazy: true})
	if err != nil {
		log.Fatal(err)
	}
	defer collection.Close()
	var pack *vantage.Pack
	if pack, err = collection.Pack(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %s: %.1f MB, and %.1f MB for angles\n", pack.ID, pack.License, float64(pack.Bytes)/1e6, float64(pack.AngleBytes)/1e6)
	// Output:
	// vantage-sides, Apache-2.0: 9.8 MB, and 4.0 MB for angles
}

// copyTo copies the files of a folder.
func copyTo(to fstest.MapFS, dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		to[filepath.ToSlash(name)] = &fstest.MapFile{Data: content}
		return err
	})
}
