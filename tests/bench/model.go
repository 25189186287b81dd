package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
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
	{"16 topic", "a query of 16 tokens, topic", 6},
	{"16 both", "a query of 16 tokens, topic and angle", 0},
	{"16 angle", "a query of 16 tokens, angle", 0},
	{"64 topic", "a text of 64 tokens, topic", 20},
	{"64 both", "a text of 64 tokens, topic and angle", 0},
	{"256 topic", "a text of 256 tokens, topic", 0},
}

// benchModel times the encoder of the shape of the bundled model, with its weights if
// ../shared/model/sides is there, else with random ones.
func benchModel(rounds int) error {
	files, what, err := modelPack()
	if err != nil {
		return err
	}
	m, err := onBenchPage[encoded](modelServer(files), `(rounds) => window.model('/model/', 'the', rounds)`, rounds)
	if err != nil {
		return err
	}
	m.print(os.Stdout, what, rounds)
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

func modelPack() (files packfile.Files, what string, err error) {
	if dir, ok := shared.Find("model/sides"); ok {
		files, err = quantized.SidesPack(dir)
		return files, "the model of ../shared/model/sides", err
	}
	files, err = quantized.FourBitPack(quantized.MiniLM, 1)
	return files, "random weights in the shape of the bundled model", err
}

func (m *encoded) print(w io.Writer, what string, rounds int) {
	fmt.Fprintf(w, "\n%s, Chromium, one thread, %d rounds\n\n", what, rounds)
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
