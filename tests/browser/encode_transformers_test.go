package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/onnx"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// exported writes the model of a folder in the layout of transformers.js.
func exported(t *testing.T, folder, to string) {
	t.Helper()
	checkpoint, err := weights.OpenFile(filepath.Join(folder, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer checkpoint.Close()
	graph := onnx.BERT(transformer.BERTConfig{Vocabulary: len(modeltest.Vocabulary()), Hidden: modeltest.Hidden, Layers: modeltest.Layers, Heads: modeltest.Heads,
		Intermediate: 4 * modeltest.Hidden, Positions: modeltest.Positions, Types: 2, Epsilon: 1e-12, Activation: dense.GELU}, checkpoint, false)
	if err := os.MkdirAll(filepath.Join(to, "onnx"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "onnx", "model.onnx"), graph, 0o644); err != nil {
		t.Fatal(err)
	}
	tokenizer := modeltest.Tokenizer() // with fields for which transformers.js has no default
	tokenizer["decoder"] = modeltest.Object{"type": "WordPiece", "prefix": "##", "cleanup": true}
	wordPiece := tokenizer["model"].(modeltest.Object)
	wordPiece["continuing_subword_prefix"], wordPiece["max_input_chars_per_word"] = "##", 100
	if err := modeltest.WriteJSON(to, map[string]any{"config.json": modeltest.Config(), "tokenizer.json": tokenizer,
		"tokenizer_config.json": modeltest.Object{"tokenizer_class": "BertTokenizer", "model_max_length": 48, "pad_token": "[PAD]", "unk_token": "[UNK]"}}); err != nil {
		t.Fatal(err)
	}
}

// A collection made in Go is searched with the same model under transformers.js
// and ONNX Runtime's WebAssembly. Prompts follow roles, and the vectors equal
// Go's up to rounding.
func TestTransformersEncoder(t *testing.T) {
	t.Parallel()
	packages := filepath.Join(tools.Packages(t, "transformers"), "node_modules")
	dir := outside(t, false, 1)
	exported(t, filepath.Join(dir, "bert"), filepath.Join(dir, "models", "bert"))
	e, err := model.Open(t.Context(), filepath.Join(dir, "bert"), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// transformers.js also cuts off the closing token of a truncated text. A
	// model with a limit of 48 tokens truncates canaries, so these are removed.
	rewrite(t, dir, func(m *manifest.Manifest) {
		m.Canaries = slices.DeleteFunc(m.Canaries, func(c manifest.Canary) bool {
			out, err := e.Encode(t.Context(), []string{c.Text}, encoder.Options{Role: encoder.Document})
			return err != nil || out[0].Truncated
		})
		if len(m.Canaries) == 0 {
			t.Error("no canaries are left")
		}
	})
	mux := http.NewServeMux()
	mux.Handle("/collection/", folder(dir))
	mux.Handle("/models/", folder(dir))
	mux.Handle("/transformers/", http.StripPrefix("/transformers/", folder(filepath.Join(packages, "@huggingface/transformers/dist"))))
	mux.Handle("/onnxruntime/", http.StripPrefix("/onnxruntime/", folder(filepath.Join(packages, "onnxruntime-web/dist"))))
	mux.Handle("/lib/", harness.Static())
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/{$}", harness.Blank)
	texts := []string{"night trains help people", "school", "the cost of a week, the argument that opposes: work - and work - and work, which people find", ""}
	page := open(t, serve(t, mux).URL("/"))
	got := call[struct {
		Vectors map[string][][]float32
		Faults  []string
		By      string
		Hits    int
		Model   string
	}](t, page, `async (texts, query) => {
		const { Vantage } = await import('/lib/index.js');
		const { TransformersEncoder } = await import('/lib/transformers.js');
		const transformers = async () => {
			const module = await import('/transformers/transformers.min.js');
			Object.assign(module.env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: '/models/', useBrowserCache: false });
			Object.assign(module.env.backends.onnx.wasm, { wasmPaths: new URL('/onnxruntime/', location.href).href, numThreads: 1 });
			return module;
		};
		const options = { transformers, pipeline: { dtype: 'fp32', device: 'wasm' }, batch: 3 };
		const prompts = { query: 'find: ' };
		const encoder = await TransformersEncoder.load('bert', { ...options, prompts });
		const vantage = await Vantage.open('/collection/', { encoder });
		await vantage.ready;
		const { encodedBy: by, hits } = await vantage.search({ query });
		const vectors = {};
		for (const role of ['query', 'root', 'document']) vectors[role] = (await encoder.encode(texts, role)).map((v) => [...v]);
		vantage.close();
		const { pipeline } = await transformers();
		const extractor = await pipeline('feature-extraction', 'bert', options.pipeline);
		const told = (error) => (error.name === 'AbortError' ? error.name : error.message.includes('prompt') ? error.code + ': ' + error.message : error.code);
		const faults = [];
		for (const wrong of [{ pooling: 'none' }, { dim: 31 }]) faults.push(await new TransformersEncoder(extractor, wrong).encode(texts).catch(told));
		for (const wrong of [{ pooling: 'cls', prompts }, { prompts: { ...prompts, document: 'find: ' } }, {}, { prompts: { query: 'seek: ' } }]) faults.push(await Vantage.open('/collection/', { encoder: new TransformersEncoder(extractor, wrong) }).then(() => 'opened', told));
		for (const [value, wrong] of [[null], [extractor, { batch: 0 }], [() => {}]]) {
			try {
				new TransformersEncoder(value, wrong);
			} catch (error) {
				faults.push(error.code);
			}
		}
		const stop = new AbortController();
		const [first, second] = [encoder.encode(texts), encoder.encode(texts, 'query', { signal: stop.signal }).catch(told)];
		stop.abort();
		faults.push(await second);
		if (JSON.stringify((await first).map((v) => [...v])) !== JSON.stringify(vectors.query)) faults.push('another answer after an abort');
		return { vectors, faults, by, hits: hits.length, model: encoder.id + " " + encoder.dim };
	}`, texts, oppose)
	for role, vectors := range got.Vectors {
		of := map[string]encoder.Role{"query": encoder.Query, "root": encoder.Query, "document": encoder.Document}[role]
		want, err := e.Encode(t.Context(), texts, encoder.Options{Role: of})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			for j := range v {
				if approx.Apart(float64(v[j]), float64(want[i].Vector[j]), 1e-5) {
					t.Fatalf("%s %q: component %d is %g, in Go %g", role, texts[i], j, v[j], want[i].Vector[j])
				}
			}
		}
	}
	if len(got.Vectors) != 3 || got.By != "page" || got.Hits != 10 || got.Model != "bert 32" {
		t.Errorf("%s, %d hits, %s", got.By, got.Hits, got.Model)
	}
	// Canaries are documents, and do not show the prompt of queries.
	refused := func(prompt string) string {
		return fmt.Sprintf(`encoder-mismatch: the encoder transformers.js has the prompt "%s" for queries, the collection "find: ": load it with prompts: {"query":"find: "}`, prompt)
	}
	if want := []string{"format", "format", "encoder-mismatch", "encoder-mismatch", refused(""), refused("seek: "), "input", "input", "input", "AbortError"}; !slices.Equal(got.Faults, want) {
		t.Errorf("%q, want %q", got.Faults, want)
	}
}
