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
)

// debates is a folder with a collection: that of ExampleIndex.
var debates string

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
	// 581 documents
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
	// Debates: 581 documents, 256 dimensions, by vantage-static-en
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
	for _, f := range fields {
		if f.Name == "stance" {
			fmt.Println(f.Name, f.Type, f.Values)
		}
	}
	// Output:
	// stance string [{support 245} {oppose 242} {context 94}]
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
	report, err := vantage.Index(context.Background(), documents, dir, vantage.IndexOptions{
		Name:    "Debates",
		Encoder: english.Encoder(),
		Words:   true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Documents, "documents, encoded by", report.Model.ID)
	// Output:
	// 581 documents, encoded by vantage-static-en
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
		Vectors: &vantage.Vectors{Model: vantage.Model{ID: "my-model"}, Dim: 2, Data: []float32{1, 0, 0, 1}},
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

// lengths is an encoder of a program's own: how long a text is, and how loud.
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
	ctx := context.Background()
	reranker, err := vantage.NewReranker(ctx, lengths{}, nil)
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
