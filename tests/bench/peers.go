package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/onnx"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// The texts of the race, in tokens.
var raceLengths = []int{16, 64}

// raced is what the page measured of one encoder; times are in milliseconds.
type raced struct {
	Times  map[int][]float64
	Cosine float64 // least cosine of its vectors with ours
}

// trunkFloats returns the weights of a pack's trunk as float32. The pack loses its matrices, because whoever asks for
// one owns it.
func trunkFloats(p *pack.Pack) (quantized.Floats, error) {
	all := quantized.Floats{}
	for _, t := range p.Manifest.Section(pack.Trunk).Tensors {
		if t.Encoding == pack.F16 || t.Encoding == pack.F32 {
			size := 1
			for _, n := range t.Shape {
				size *= n
			}
			values, err := p.Vector(t.Name, size)
			if err != nil {
				return nil, err
			}
			all[t.Name] = quantized.Float{Values: values, Shape: t.Shape}
			continue
		}
		m, err := p.Matrix(t.Name, t.Shape[0], t.Shape[1])
		if err != nil {
			return nil, err
		}
		values := make([]float32, len(m.Values))
		for i, v := range m.Values {
			values[i] = float32(v) * m.Scales[i/m.In]
		}
		all[t.Name] = quantized.Float{Values: values, Shape: t.Shape}
	}
	return all, nil
}

// benchPeers times our encoder beside ONNX Runtime Web and transformers.js, which run
// the same weights in the same page.
func benchPeers(rounds int) error {
	folder, ok := shared.Find("model/sides")
	if !ok {
		fmt.Println("\nonnxruntime-web and transformers.js are not compared: they need a tokenizer in a file of its own, which is in ../shared/model/sides")
		return nil
	}
	files, err := modelPack()
	if err != nil {
		return err
	}
	p, err := packfile.Read(files.Get)
	if err != nil {
		return err
	}
	const word = "the"
	ids := p.Tokenizer().EncodeSpecial(nil, word, quantized.MiniLM.Limit)
	if len(ids) != 3 {
		return fmt.Errorf("%q is %d tokens, not one and the two special ones", word, len(ids))
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeTransformersJS(filepath.Join(dir, "model"), folder, p); err != nil {
		return err
	}
	out, err := exec.Command(filepath.Join(harness.Root(), "scripts", "npm.sh"), "transformers").Output()
	if err != nil {
		return fmt.Errorf("scripts/npm.sh: %w", err)
	}
	packages := filepath.Join(strings.TrimSpace(string(out)), "node_modules")
	mux := modelServer(files)
	for at, folder := range map[string]string{"/models/": dir, "/onnxruntime/": filepath.Join(packages, "onnxruntime-web", "dist"), "/transformers/": filepath.Join(packages, "@huggingface", "transformers", "dist")} {
		mux.Handle(at, http.StripPrefix(at, http.FileServer(http.Dir(folder))))
	}
	found, err := onBenchPage[map[string]raced](mux, `(work) => window.peers('/model/', work)`,
		map[string]any{"word": word, "ids": ids, "lengths": raceLengths, "rounds": rounds})
	if err != nil {
		return err
	}
	printRace(os.Stdout, found, rounds)
	return nil
}

// writeTransformersJS writes the trunk of a pack in a folder in the layout of
// transformers.js, with float32 weights and with ONNX Runtime's dynamic quantization.
func writeTransformersJS(to, sides string, p *pack.Pack) error {
	c := quantized.MiniLM
	config := transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: c.Epsilon, Activation: c.Activation}
	if err := os.MkdirAll(filepath.Join(to, "onnx"), 0o755); err != nil {
		return err
	}
	w, err := trunkFloats(p)
	if err != nil {
		return err
	}
	for name, int8 := range map[string]bool{"model.onnx": false, "model_quantized.onnx": true} {
		config.Int8 = int8
		if err := os.WriteFile(filepath.Join(to, "onnx", name), onnx.BERT(config, w, false), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{"config.json", "tokenizer.json", "tokenizer_config.json"} {
		content, err := os.ReadFile(filepath.Join(sides, "topic", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), content, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printRace(w io.Writer, found map[string]raced, rounds int) {
	const ours = "Vantage"
	fmt.Fprintf(w, "\nencoders of the same weights, Chromium, one thread, %d rounds in turns; milliseconds, times as long as ours\n\n", rounds)
	fmt.Fprintf(w, "%-28s", "")
	for _, n := range raceLengths {
		fmt.Fprintf(w, " %8s %8s %6s %6s", fmt.Sprintf("%d tok.", n), "median", "least", "median")
	}
	fmt.Fprintf(w, "  %s\n", "cosine")
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Min(found[a].Times[raceLengths[0]]), slices.Min(found[b].Times[raceLengths[0]])), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(w, "%-28s", name)
		for _, n := range raceLengths {
			times, base := found[name].Times[n], found[ours].Times[n]
			fmt.Fprintf(w, " %8.2f %8.2f %6.2f %6.2f", slices.Min(times), median(times), slices.Min(times)/slices.Min(base), median(times)/median(base))
		}
		fmt.Fprintf(w, "  %.4f\n", found[name].Cosine)
	}
}
