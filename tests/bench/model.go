package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/sides"
)

// encoded is what the page measured of a model; times are in milliseconds, one per
// round.
type encoded struct {
	Ready, FirstQuery, Memory float64
	Times                     map[string][]float64
}

// modelSteps are the figures of the page, in the order of the table, with the most
// that they may take.
var modelSteps = []struct {
	name, label string
	limit       float64 // 0: none
}{
	{"16 read", "reading a query of 16 tokens", 0},
	{"16 topic", "a query of 16 tokens, topic", 6},
	{"16 both", "a query of 16 tokens, topic and angle", 0},
	{"16 angle", "a query of 16 tokens, angle", 0},
	{"64 topic", "a text of 64 tokens, topic", 20},
	{"64 both", "a text of 64 tokens, topic and angle", 0},
	{"256 topic", "a text of 256 tokens, topic", 0},
}

// benchModel times the encoder of the bundled pack.
func benchModel(rounds int) error {
	files, err := modelPack()
	if err != nil {
		return err
	}
	m, err := onBenchPage[encoded](modelServer(files), `(rounds) => window.model('/model/', 'the', rounds)`, rounds)
	if err != nil {
		return err
	}
	m.print(os.Stdout, rounds)
	return nil
}

// modelServer serves the pages and a pack.
func modelServer(files packfile.Files) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/", pages(""))
	mux.HandleFunc("/model/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/model/")
		http.ServeContent(w, r, path.Base(name), time.Time{}, bytes.NewReader(files[name]))
	})
	return mux
}

// onBenchPage calls a function in the page of benchmarks, in a browser of its own.
func onBenchPage[T any](handler http.Handler, function string, args ...any) (result T, err error) {
	server, err := harness.Serve(handler)
	if err != nil {
		return result, err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return result, err
	}
	defer browser.Close()
	page, err := browser.Open(server.URL("/bench/index.html"), 10*time.Minute)
	if err != nil {
		return result, err
	}
	defer page.Close()
	return harness.Call[T](page, function, args...)
}

// modelPack has the files of the bundled pack.
func modelPack() (packfile.Files, error) {
	files := packfile.Files{}
	err := fs.WalkDir(sides.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[name], err = fs.ReadFile(sides.Files(), name)
		}
		return err
	})
	return files, err
}

func (m *encoded) print(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\nthe bundled pack, Chromium, one thread, %d rounds\n\n", rounds)
	fmt.Fprintf(w, "%-50s %8s %8s   %s\n", "milliseconds", "least", "median", "limit")
	for _, s := range modelSteps {
		least, middle := slices.Min(m.Times[s.name]), median(m.Times[s.name])
		if s.limit == 0 {
			fmt.Fprintf(w, "%-50s %8.2f %8.2f\n", s.label, least, middle)
			continue
		}
		line(w, s.label, least, middle, "≤", s.limit)
	}
	line(w, "from the bytes to a model that is ready", m.Ready, m.Ready, "≤", 200)
	fmt.Fprintf(w, "%-50s %8.2f\n", "the first query after that", m.FirstQuery)
	line(w, "memory of the core with the model, MB", m.Memory/1e6, m.Memory/1e6, "≤", 45)
}
