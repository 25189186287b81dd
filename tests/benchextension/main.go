// Command benchextension times the browser extension in Chromium: from the message with the results, as a content script
// sends it, to the order by the light encoder and to that by the bundled transformer.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/static/extension"
)

//go:embed ask.js
var ask string

// steps are what is measured, with the most milliseconds that they may take.
var steps = []struct {
	name, label string
	limit       float64
}{
	{"light 30", "30 results by the light encoder", 30},
	{"light 100", "100 results by the light encoder", 80},
	{"sides 30", "then 30 by the transformer, with their sides", 450},
	{"again 30", "the same 30 for the other side: texts are cached", 0},
	{"auto 30", "30 by the transformer, for a place", 450},
	{"bare 30", "for comparison: 30 texts encoded by one engine", 0},
}

// measured is what the page measured, in milliseconds, one per round.
type measured struct {
	Cores int
	Words float64 // of a result, in the mean
	Cold  float64 // the first answer of the transformer, with all that has to be loaded
	Times map[string][]float64
}

func main() {
	rounds := flag.Int("rounds", 15, "`N` rounds, each with results that the engine has not seen")
	flag.Parse()
	if *rounds < 1 {
		fmt.Fprintf(os.Stderr, "benchextension: -rounds %d: it must be 1 or more\n", *rounds)
		os.Exit(2)
	}
	if err := run(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "benchextension:", err)
		os.Exit(1)
	}
}

func run(rounds int) error {
	dir, err := os.MkdirTemp("", "vantage-extension-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := extension.Write(harness.Root(), dir); err != nil {
		return err
	}
	path, err := harness.Full()
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, string(extension.Chrome))
	browser, err := harness.LaunchExtension(context.Background(), path, folder)
	if err != nil {
		return err
	}
	defer browser.Close()
	page, err := browser.Open(harness.ExtensionOrigin(folder)+"/privacy.html", 10*time.Minute)
	if err != nil {
		return err
	}
	defer page.Close()
	m, err := harness.Call[measured](page, ask, rounds)
	if err != nil {
		return err
	}
	if problems := page.Problems(); len(problems) > 0 {
		return fmt.Errorf("the page reports %q", problems)
	}
	return m.print(rounds)
}

func (m measured) print(rounds int) error {
	fmt.Printf("the extension, Chromium, %d processors, %d rounds, %.0f words a result\n\n", m.Cores, rounds, m.Words)
	fmt.Printf("%-52s %7s %8s   limit\n", "milliseconds", "least", "median")
	var slow []error
	for _, step := range steps {
		times := slices.Sorted(slices.Values(m.Times[step.name]))
		if len(times) == 0 {
			return fmt.Errorf("%s was not measured", step.label)
		}
		median, verdict := times[len(times)/2], ""
		if step.limit > 0 {
			verdict = fmt.Sprintf("≤ %-4.0f holds", step.limit)
			if median > step.limit {
				verdict = fmt.Sprintf("≤ %-4.0f MISSED", step.limit)
				slow = append(slow, fmt.Errorf("%s: %.0f ms", step.label, median))
			}
		}
		fmt.Printf("%-52s %7.1f %8.1f   %s\n", step.label, times[0], median, verdict)
	}
	fmt.Printf("%-52s %7s %8.1f\n", "the transformer's first answer, with what it loads", "", m.Cold)
	return errors.Join(slow...)
}
