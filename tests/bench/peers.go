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

// grid gives the weights as a pack of 4 bits has them.
type grid struct{ transformer.Tensors }

func (g grid) Tensor(name string) ([]float32, []int, bool) {
	values, shape, ok := g.Tensors.Tensor(name)
	if ok && len(shape) == 2 && (strings.HasSuffix(name, "word_embeddings.weight") || !strings.HasPrefix(name, "embeddings.")) {
		values = quantized.Round4(values)
	}
	return values, shape, ok
}

// benchPeers times our encoder beside ONNX Runtime Web and transformers.js, which run
// the same weights in the same page.
func benchPeers(rounds int) error {
	sides, ok := shared.Find("model/sides")
	if !ok {
		fmt.Println("\nonnxruntime-web and transformers.js are not compared: they need a model of transformers.js's layout, which is made of ../shared/model/sides")
		return nil
	}
	files, err := quantized.SidesPack(sides)
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
	if err := writeTransformersJS(filepath.Join(dir, "model"), sides); err != nil {
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

// writeTransformersJS writes the trunk of the model in a folder in the layout of
// transformers.js, with float32 weights and with ONNX Runtime's dynamic quantization.
func writeTransformersJS(to, sides string) error {
	w, done, err := quantized.Sides(sides, false)
	if err != nil {
		return err
	}
	defer done()
	c := quantized.MiniLM
	config := transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: c.Epsilon, Activation: c.Activation}
	if err := os.MkdirAll(filepath.Join(to, "onnx"), 0o755); err != nil {
		return err
	}
	for name, int8 := range map[string]bool{"model.onnx": false, "model_quantized.onnx": true} {
		config.Int8 = int8
		if err := os.WriteFile(filepath.Join(to, "onnx", name), onnx.BERT(config, grid{w}, false), 0o600); err != nil {
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
