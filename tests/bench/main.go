// Command bench times scans, searches and the boot of the core in a real
// Chromium, prints them beside a plain read of the same memory, and measures
// how long a first visitor waits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

func main() {
	rounds := flag.Int("rounds", 25, "rounds of all steps")
	boots := flag.Int("boots", 9, "pages in which the core is booted")
	colds := flag.Int("colds", 5, "fresh browsers in which a collection is ranked")
	pirs := flag.Int("pirs", 3, "evaluations of the PIR benchmark")
	workers := flag.String("workers", "", "time instead whole searches with these numbers of workers, as in 1,2,4")
	rows := flag.Int("rows", 100_000, "rows of the collection for -workers")
	model := flag.Bool("model", false, "time only the encoder of a pack, and others beside it")
	flag.Parse()
	flag.VisitAll(func(f *flag.Flag) {
		if n, ok := f.Value.(flag.Getter).Get().(int); ok && n < 1 {
			fmt.Fprintf(os.Stderr, "bench: -%s %d: it must be 1 or more\n", f.Name, n)
			os.Exit(2)
		}
	})
	run := func() error { return bench(*rounds, *boots, *colds, *pirs) }
	if *workers != "" {
		run = func() error { return benchWorkers(*workers, *rows, *rounds) }
	}
	if *model {
		run = func() error { return errors.Join(benchModel(*rounds), benchPeers(*rounds)) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(rounds, boots, colds, pirs int) error {
	evaluated, tasks, err := benchPIR(pirs)
	if err != nil {
		return err
	}
	ranked, err := cold(colds)
	if err != nil {
		return err
	}
	server, err := harness.Serve(pages(""))
	if err != nil {
		return err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return err
	}
	defer browser.Close()

	var booted []float64
	for range boots {
		page, err := browser.Open(server.URL("/bench/index.html"), time.Minute)
		if err != nil {
			return err
		}
		b, err := harness.Call[struct{ Boot float64 }](page, `() => window.bench.boot()`)
		page.Close()
		if err != nil {
			return err
		}
		booted = append(booted, b.Boot)
	}

	page, err := browser.Open(server.URL("/bench/index.html"), 10*time.Minute)
	if err != nil {
		return err
	}
	defer page.Close()
	m, err := harness.Call[measurement](page, `(rounds) => window.bench.run(rounds)`, rounds)
	if err != nil {
		return err
	}
	m.Boot, m.Cold, m.PIR, m.Tasks = booted, ranked, evaluated, tasks
	m.print(os.Stdout)
	return errors.Join(benchModel(rounds), benchPeers(rounds))
}

// pages serves the library, the benchmark and the collection in a folder. The
// pages are isolated from other origins, so that the browser's clock has steps
// of 5 µs and not 100.
func pages(dir string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", harness.Static())
	if dir != "" {
		mux.Handle("/collection/", http.FileServer(http.Dir(dir)))
	}
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/tokenizer.json", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(harness.Root(), "internal", "model", "builtin", "english", "tokenizer.json"))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		mux.ServeHTTP(w, r)
	})
}
