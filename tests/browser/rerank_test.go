package browser

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/perspective"
)

// withEncoder serves the debates with the built-in model's files in /model/.
func withEncoder(t testing.TB) http.Handler {
	t.Helper()
	dir := t.TempDir()
	files := builtin.Builtin()
	for name, content := range map[string][]byte{"tokenizer.json": files.Tokenizer, "model.safetensors": files.Weights, "config.json": files.Config} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.Handle("/model/", http.StripPrefix("/model/", folder(dir)))
	return mux
}

// passages returns passages of the bundled corpus, an empty text, one of
// unknown words, and the first passage again.
func passages(t testing.TB, n int) []string {
	t.Helper()
	c, err := corpus.Open(debatesFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for d, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if len(out) == n {
			break
		}
		out = append(out, d.Text)
	}
	return append(out, "", "日本", out[0])
}

// Texts are ranked as by the Go packages, to the last digit, by created and
// opened instances, with the engine's encoder and the page's.
func TestRerankEqualsGo(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	texts := passages(t, 300) // more than one batch
	var asked []question
	for _, q := range questions() {
		if m, err := perspective.Lookup(q.goes.Method); err == nil && m.Angles > 0 {
			continue // texts have no angles
		}
		if q.goes.Filters == nil {
			asked = append(asked, q)
		}
	}
	queries := make([]map[string]any, len(asked))
	for i, q := range asked {
		queries[i] = q.page
	}
	files := builtin.Builtin()
	native, err := search.Create(context.Background(), search.Options{Encoder: search.InCore{Files: files}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { native.Close() })
	want, hits := make([]string, len(asked)), 0
	for i, q := range asked {
		result, err := native.Rerank(context.Background(), q.goes, texts)
		if err != nil {
			t.Fatal(err)
		}
		want[i], hits = encoded(t, result), hits+len(result.Hits)
	}
	if hits < 5*len(asked) {
		t.Fatalf("%d questions have only %d hits: the test compares too little", len(asked), hits)
	}
	for _, c := range []struct {
		name   string
		make   string // of an instance
		worker bool
	}{
		{"created in a worker", `Vantage.create({ worker, encoder: sources })`, true},
		{"created in the page", `Vantage.create({ worker, encoder: sources })`, false},
		{"opened", `Vantage.open('/collection/', { worker })`, true},
		{"opened with an encoder", `Vantage.open('/collection/', { worker, encoder: '/model' })`, true},
		{"with the page's encoder", `Vantage.create({ worker, encoder: own })`, true},
		{"opened with the page's encoder", `Vantage.open('/collection/', { worker, encoder: own })`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call[[]string](t, page, `async (worker, id, revision, texts, queries) => {
				const { Vantage } = await import('/lib/index.js');
				const weights = await (await fetch('/model/model.safetensors')).arrayBuffer();
				const sources = { tokenizer: '/model/tokenizer.json', weights, config: new URL('/model/config.json', location.href), id };
				const engine = await Vantage.create({ worker: true, encoder: sources });
				const own = { id, revision, dim: engine.info.dim, encode: (texts, role) => Promise.all(texts.map(async (text) => (await engine.encode(text, role)).vector)) };
				const vantage = await `+c.make+`;
				const out = [];
				for (const query of queries) {
					const answer = await vantage.rerank(texts, query).catch((error) => error.code + ': ' + error.message);
					if (typeof answer === 'string') {
						out.push(answer);
						continue;
					}
					const { method, kind, lambda, k, encoder, hits } = answer;
					out.push(JSON.stringify({ method, kind, lambda, k, encoder, hits }));
				}
				vantage.close();
				engine.close();
				return out;
			}`, c.worker, files.ID, files.Revision, texts, queries)
			for i, q := range asked {
				if got[i] != want[i] {
					t.Errorf("%s:\n  page %.600s\n  Go %.600s", q.name, got[i], want[i])
				}
			}
		})
	}
}

func TestRerankFaults(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	page.Expect(`Failed to load resource`)
	got := call[map[string]seenFault](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const { Vantage } = lib;
		const out = {};
		const caught = (name) => (error) => { out[name] = describe(error); };
		await Vantage.create().catch(caught('no encoder'));
		await Vantage.create({ encoder: { tokenizer: '/model/tokenizer.json' } }).catch(caught('a file is missing'));
		await Vantage.create({ encoder: '/nowhere/' }).catch(caught('no folder'));
		await Vantage.create({ encoder: { tokenizer: '/model/config.json', weights: '/model/model.safetensors', config: '/model/config.json' } }).catch(caught('no tokenizer'));
		await Vantage.create({ encoder: { id: 'x', encode: () => [] } }).catch(caught('no dim'));
		await Vantage.open('/collection/', { encoder: { id: 'x', dim: 3, encode: (texts) => texts.map(() => [1, 2, 3]) } }).catch(caught('another dimension'));
		const { dim } = (await Vantage.create({ encoder: '/model/' })).info;
		await Vantage.open('/collection/', { encoder: { id: 'x', dim, encode: (texts) => texts.map(() => new Float32Array(dim).fill(1)) } }).catch(caught('another encoder'));
		let answer = (texts) => texts.map(() => [1, 2, 3]);
		const own = await Vantage.create({ encoder: { id: 'x', dim: 3, encode: (texts, role) => answer(texts, role) } });
		const ask = () => own.rerank(['a', 'b'], { query: 'c', method: 'none' });
		answer = () => [[1, 2, 3]];
		await ask().catch(caught('too few vectors'));
		answer = (texts) => texts.map(() => [1, 2]);
		await ask().catch(caught('vectors too short'));
		answer = (texts) => texts.map(() => [1, NaN, 2]);
		await ask().catch(caught('not a number'));
		answer = () => { throw new TypeError('the model is out'); };
		await ask().catch(caught('its own error'));
		answer = (texts, role) => texts.map(() => [role.length, 2, 3]);
		await own.rerank('a text', { query: 'c' }).catch(caught('no list'));
		await own.rerank([1], { query: 'c' }).catch(caught('no texts'));
		await own.rerank(['a']).catch(caught('no query'));
		await own.rerank(['a'], { query: 'c', filter: { stance: 'oppose' } }).catch(caught('filter'));
		await own.rerank(['a'], { query: 'c', signal: AbortSignal.abort() }).catch(caught('aborted'));
		out.none = { code: String((await own.rerank([], { query: 'c', method: 'none' })).hits.length) };
		out.afterwards = { code: String((await ask()).hits.length) };
		own.close();
		await ask().catch(caught('closed'));
		return out;
	}`, oppose)
	for name, want := range map[string]string{
		"no encoder": "InputError", "a file is missing": "InputError", "no folder": "NetworkError", "no tokenizer": "FormatError", "no dim": "InputError",
		"another dimension": "EncoderMismatchError", "another encoder": "EncoderMismatchError",
		"too few vectors": "FormatError", "vectors too short": "EncoderMismatchError", "not a number": "FormatError", "its own error": "TypeError",
		"no list": "QueryError", "no texts": "QueryError", "no query": "QueryError", "filter": "QueryError", "aborted": "AbortError", "closed": "ClosedError",
	} {
		if got[name].Name != want {
			t.Errorf("%s: %+v, want %s", name, got[name], want)
		}
	}
	if f := got["no query"]; !strings.Contains(f.Message, "rerank(texts, {query") {
		t.Errorf("no query: %+v", f)
	}
	if got["none"].Code != "0" || got["afterwards"].Code != "2" {
		t.Errorf("%+v, %+v", got["none"], got["afterwards"])
	}
}
