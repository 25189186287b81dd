// Command encodebench measures the encoders' forward pass against ONNX Runtime:
// the same random weights, batches and number of threads, alternating within one
// run. It first checks that the vectors of both agree.
//
//	go run ./tests/encodebench build/npm/onnxruntime
package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/testing/onnx"
	"github.com/vantage-search/vantage/internal/testing/peer"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Number of rounds, in each of which all three have a turn (see race), and the length of a turn.
const (
	rounds = 12
	turn   = 500 * time.Millisecond
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: encodebench FOLDER, where onnxruntime-node is installed")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "encodebench:", err)
		os.Exit(1)
	}
}

func run(installed string) error {
	threads := runtime.GOMAXPROCS(0)
	other, err := start(installed)
	if err != nil {
		return err
	}
	defer other.Stop()
	dir, err := os.MkdirTemp("", "encodebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("%d threads, texts a second: median, and best in brackets, of the batches in %d turns of %v\n\n", threads, rounds, turn)
	fmt.Printf("%-10s %-6s %18s %18s %6s %6s %18s\n", "model", "batch", "vantage", "ONNX Runtime", "ratio", "best", "vantage, int8")
	for _, s := range shapes {
		weights := random(s.config)
		m, err := transformer.NewBERT(s.config, weights)
		if err != nil {
			return err
		}
		eight := s.config
		eight.Int8 = true
		rounded, err := transformer.NewBERT(eight, weights)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, s.name+".onnx")
		if err := os.WriteFile(path, onnx.BERT(s.config, weights, true), 0o600); err != nil {
			return err
		}
		if err := other.Ask(map[string]any{"model": path, "threads": threads}, new(any)); err != nil {
			return err
		}
		pool := dense.NewPool(threads)
		scratch := &transformer.Scratch{Pool: pool}
		cosine, err := agree(m, rounded, scratch, other)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, size := range [][2]int{{1, 16}, {1, 64}, {32, 64}} {
			ours, bytes, theirs, err := race(m, rounded, scratch, other, size[0], size[1])
			if err != nil {
				return err
			}
			rate := func(times []float64) string {
				return fmt.Sprintf("%.1f (%.1f)", float64(size[0])*1000/median(times), float64(size[0])*1000/slices.Min(times))
			}
			fmt.Printf("%-10s %-6s %18s %18s %6.2f %6.2f %18s\n", s.name, fmt.Sprintf("%dx%d", size[0], size[1]),
				rate(ours), rate(theirs), median(theirs)/median(ours), slices.Min(theirs)/slices.Min(ours), rate(bytes))
		}
		fmt.Printf("%-10s int8: least cosine with the float32 vectors of tokens %.5f\n\n", s.name, cosine)
		pool.Close()
	}
	fmt.Printf("weights and activations of 8 bits\n\n%-10s %-6s %18s %18s %6s %6s\n", "model", "batch", "vantage", "ONNX Runtime", "ratio", "best")
	for _, s := range shapes {
		if err := benchInt8(s, dir, threads, other); err != nil {
			return fmt.Errorf("%s, 8 bits: %w", s.name, err)
		}
	}
	return nil
}

// batch makes the same ids as ort.mjs.
func batch(n, tokens int) *transformer.Batch {
	b := &transformer.Batch{}
	for i := range n * tokens {
		b.IDs = append(b.IDs, uint32(1000+i*37%20000))
	}
	for range n {
		b.Lengths = append(b.Lengths, tokens)
	}
	return b
}

// agree compares the output of a batch with ONNX Runtime's, and returns the least
// cosine between a token's vectors with float32 weights and with 8-bit weights.
func agree(m, rounded transformer.Model, s *transformer.Scratch, other *peer.Process) (float64, error) {
	b := batch(3, 21)
	out, near := make([]float32, len(b.IDs)*m.Hidden()), make([]float32, len(b.IDs)*m.Hidden())
	if err := m.Forward(out, b, s); err != nil {
		return 0, err
	}
	if err := rounded.Forward(near, b, s); err != nil {
		return 0, err
	}
	var answer struct{ Output []float64 }
	if err := other.Ask(map[string]any{"batch": 3, "tokens": 21, "output": true}, &answer); err != nil {
		return 0, err
	}
	if len(answer.Output) != len(out) {
		return 0, fmt.Errorf("ONNX Runtime gives %d numbers, not %d", len(answer.Output), len(out))
	}
	for i, v := range out {
		if math.Abs(float64(v)-answer.Output[i]) > 1e-4 {
			return 0, fmt.Errorf("number %d is %v, ONNX Runtime has %v", i, v, answer.Output[i])
		}
	}
	least := 1.0
	for ; len(out) > 0; out, near = out[m.Hidden():], near[m.Hidden():] {
		least = min(least, vek.CosineSimilarity(vek.FromFloat32(out[:m.Hidden()]), vek.FromFloat32(near[:m.Hidden()])))
	}
	return least, nil
}

// race runs the three in turns, and returns the times of their batches in
// milliseconds.
func race(m, rounded transformer.Model, s *transformer.Scratch, other *peer.Process, n, tokens int) (ours, bytes, theirs []float64, err error) {
	b := batch(n, tokens)
	out := make([]float32, len(b.IDs)*m.Hidden())
	run := func(m transformer.Model) (times []float64, err error) {
		for end := time.Now().Add(turn); ; {
			began := time.Now()
			if err := m.Forward(out, b, s); err != nil {
				return nil, err
			}
			times = append(times, float64(time.Since(began).Nanoseconds())/1e6)
			if time.Now().After(end) {
				return times, nil
			}
		}
	}
	for round := range rounds + 1 {
		first, err := run(m)
		if err != nil {
			return nil, nil, nil, err
		}
		second, err := run(rounded)
		if err != nil {
			return nil, nil, nil, err
		}
		var answer struct{ Times []float64 }
		if err := other.Ask(map[string]any{"batch": n, "tokens": tokens, "milliseconds": turn.Milliseconds()}, &answer); err != nil {
			return nil, nil, nil, err
		}
		if round == 0 { // the first round only warms them up
			continue
		}
		ours, bytes, theirs = append(ours, first...), append(bytes, second...), append(theirs, answer.Times...)
	}
	return ours, bytes, theirs, nil
}

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

// start starts a Node process with ONNX Runtime.
func start(installed string) (*peer.Process, error) {
	absolute, err := filepath.Abs(installed)
	if err != nil {
		return nil, err
	}
	return peer.Start(exec.Command("node", "tests/encodebench/ort.mjs", absolute))
}
