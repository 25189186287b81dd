// Command gpubench measures the engine on a GPU against PyTorch with
// sentence-transformers, if Python has them: the same files with random weights
// and the same texts, alternating within one run. It first checks that the
// vectors agree with the processor's.
//
//	go run ./tests/gpubench build/gpu/vantage
//
// The argument is a vantage that was built with -tags cuda. The program
// measures what `vantage serve --device cuda` does, including tokenizer and
// process.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/child"
	"github.com/vantage-search/vantage/internal/testing/peer"
)

// Number of rounds, in each of which both have a turn, and the length of a turn.
const (
	rounds = 8
	turn   = time.Second / 2
)

// loads lists numbers of texts, and of tokens in each.
var loads = [][2]int{{1, 16}, {32, 64}, {1024, 128}, {128, 512}}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gpubench VANTAGE, a program that was built with -tags cuda")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gpubench:", err)
		os.Exit(1)
	}
}

func run(program string) error {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "gpubench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var other *peer.Process
	for i, s := range shapes {
		folder := filepath.Join(dir, s.name)
		if err := s.write(folder); err != nil {
			return err
		}
		for _, bf16 := range []bool{false, true} {
			ours, err := child.Start(ctx, child.Options{Command: []string{program, "engine"},
				Config: map[string]any{"Dir": folder, "CUDA": true, "BF16": bf16}, Log: func(line string) { fmt.Println("engine:", line) }})
			if err != nil {
				return err
			}
			if i == 0 && !bf16 { // now it is certain that there is a GPU
				if other, err = startPython(); err != nil {
					return err
				}
				if other != nil {
					defer other.Stop()
				}
				fmt.Printf("texts a second, tokenizer included: median of the calls in %d turns of %v\n\n%-10s %-5s %-10s %12s %12s %6s\n", rounds, turn, "model", "type", "batch", "vantage", "PyTorch", "ratio")
			}
			err = measure(ctx, s, folder, bf16, ours, other)
			ours.Close()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// measure compares and races one model in one type.
func measure(ctx context.Context, s shape, folder string, bf16 bool, ours model.Encoder, other *peer.Process) error {
	kind := "f32"
	if bf16 {
		kind = "bf16"
	}
	if other != nil {
		var answer struct{ About string }
		if err := other.Ask(map[string]any{"model": folder, "bf16": bf16}, &answer); err != nil {
			return err
		}
	}
	if err := agree(ctx, folder, kind, ours, other); err != nil {
		return err
	}
	for _, load := range loads {
		texts := texts(load[0], load[1])
		var mine, theirs []float64
		for round := range rounds + 1 {
			first, err := race(ctx, ours, texts)
			if err != nil {
				return err
			}
			var answer struct{ Times []float64 }
			if other != nil {
				if err := other.Ask(map[string]any{"texts": texts, "seconds": turn.Seconds()}, &answer); err != nil {
					return err
				}
			}
			if round > 0 { // the first round compiles and warms up
				mine, theirs = append(mine, first...), append(theirs, answer.Times...)
			}
		}
		theirRate, ratio := "missing", ""
		if len(theirs) > 0 {
			theirRate, ratio = fmt.Sprintf("%.1f", float64(load[0])/median(theirs)), fmt.Sprintf("%.2f", median(theirs)/median(mine))
		}
		fmt.Printf("%-10s %-5s %-10s %12.1f %12s %6s\n", s.name, kind, fmt.Sprintf("%dx%d", load[0], load[1]), float64(load[0])/median(mine), theirRate, ratio)
	}
	return nil
}

// agree compares the GPU's vectors, and then Python's, with the processor's: by their
// cosine, and in f32 also by their largest difference, which may be up to 1e-4.
func agree(ctx context.Context, folder, kind string, ours model.Encoder, other *peer.Process) error {
	reference, err := model.Open(ctx, folder, model.Options{})
	if err != nil {
		return err
	}
	defer reference.Close()
	texts := slices.Concat(texts(3, 9), texts(2, 40), texts(1, 300))
	want, err := reference.Encode(ctx, texts, encoder.Options{})
	if err != nil {
		return err
	}
	got, err := ours.Encode(ctx, texts, encoder.Options{})
	if err != nil {
		return err
	}
	var theirs struct{ Vectors [][]float32 }
	if other != nil {
		if err := other.Ask(map[string]any{"texts": texts, "output": true}, &theirs); err != nil {
			return err
		}
	}
	apart, least := 0.0, 1.0
	compare := func(got, want []float32) {
		for j, v := range want {
			apart = max(apart, math.Abs(float64(got[j])-float64(v)))
		}
		least = min(least, vek.Dot(vek.FromFloat32(got), vek.FromFloat32(want)))
	}
	for i := range texts {
		compare(got[i].Vector, want[i].Vector)
	}
	fmt.Printf("%s: largest difference to the processor's vectors %.1e, least cosine %.6f\n", kind, apart, least)
	if kind == "f32" && !(apart <= 1e-4) || !(least >= .999) {
		return fmt.Errorf("the GPU's vectors differ from the processor's")
	}
	for i, v := range theirs.Vectors {
		compare(v, want[i].Vector)
	}
	if other != nil && (len(theirs.Vectors) != len(texts) || kind == "f32" && !(apart <= 1e-4) || !(least >= .99)) {
		return fmt.Errorf("sentence-transformers' vectors differ by %.1e, least cosine %.6f: the comparison is not fair", apart, least)
	}
	return nil
}

// race encodes texts for a turn and returns the seconds of each call.
func race(ctx context.Context, e model.Encoder, texts []string) (times []float64, err error) {
	for end := time.Now().Add(turn); ; {
		began := time.Now()
		if _, err := e.Encode(ctx, texts, encoder.Options{}); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began).Seconds())
		if time.Now().After(end) {
			return times, nil
		}
	}
}

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}
