package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// dim is the dimension of the vectors, as in the page's own benchmark.
const dim = 384

// fleet has the page's measurements for a number of workers; times are in
// milliseconds.
type fleet struct {
	Ready, Memory float64
	Times         map[string][]float64
}

// benchWorkers times searches of a collection of random int8 rows, opened with
// each number of workers.
func benchWorkers(list string, rows, rounds int) error {
	var counts []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("-workers: %w", err)
		}
		counts = append(counts, n)
	}
	dir, err := os.MkdirTemp("", "vantage-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := randomCollection(dir, rows); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", pages(""))
	mux.Handle("/collection/", http.StripPrefix("/collection/", http.FileServer(http.Dir(dir))))
	server, err := harness.Serve(mux)
	if err != nil {
		return err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return err
	}
	defer browser.Close()
	page, err := browser.Open(server.URL("/bench/index.html"), 10*time.Minute)
	if err != nil {
		return err
	}
	defer page.Close()
	fleets, err := harness.Call[[]fleet](page, `(counts, rounds) => window.workers('/collection/', counts, rounds)`, counts, rounds)
	if err != nil {
		return err
	}
	printFleets(os.Stdout, counts, rows, rounds, fleets)
	return nil
}

func randomCollection(dir string, rows int) error {
	rng := rand.New(rand.NewPCG(1, 2))
	vectors := collection.Given{Model: manifest.Model{ID: "random"}, Dim: dim, Data: make([]float32, rows*dim)}
	for i := range vectors.Data {
		vectors.Data[i] = rng.Float32() - 0.5
	}
	documents := func(yield func(store.Document, error) bool) {
		for i := range rows {
			id := strconv.Itoa(i)
			if !yield(store.Document{ID: id, Text: "passage " + id}, nil) {
				return
			}
		}
	}
	_, err := collection.Write(context.Background(), dir, documents, collection.Options{Rows: vectors, DType: shard.I8})
	return err
}

func printFleets(w io.Writer, counts []int, rows, rounds int, fleets []fleet) {
	fmt.Fprintf(w, "Chromium, n = %d int8 rows, d = %d, %d rounds; least milliseconds of a search from vectors to hits\n\n", rows, dim, rounds)
	fmt.Fprintf(w, "%-30s", "workers")
	for _, n := range counts {
		fmt.Fprintf(w, " %8d", n)
	}
	row := func(name string, value func(f fleet) float64) {
		fmt.Fprintf(w, "\n%-30s", name)
		for _, f := range fleets {
			fmt.Fprintf(w, " %8.2f", value(f))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fleets[0].Times)) {
		row(name, func(f fleet) float64 { return slices.Min(f.Times[name]) })
	}
	row("until all vectors are loaded", func(f fleet) float64 { return f.Ready })
	row("memory of the engines, MB", func(f fleet) float64 { return f.Memory / (1 << 20) })
	fmt.Fprintln(w)
}
