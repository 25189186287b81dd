package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// benefits returns a site of the corpus in examples/benefits with words, in many small
// files.
func benefits(t *testing.T) string {
	t.Helper()
	c, err := corpus.Open("../../examples/benefits/corpus.jsonl", corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = collection.Write(context.Background(), filepath.Join(dir, "collection"), c.Documents(), collection.Options{
		Name: "Benefits", Rows: collection.Carried{Model: builtin.Builtin()}, DType: shard.I8, ShardBytes: 3000, BlockDocuments: 3, Terms: true, TermBytes: 500,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return dir
}

var aboutMe = []string{"I use a wheelchair.", "I own the small house that I live in.", "I have diabetes.", "日本", "I collect stamps."}

func contextQuestions() []question {
	contexts := []search.Text{}
	for _, c := range aboutMe {
		contexts = append(contexts, search.Text{Text: c})
	}
	vector := make([]float32, 256) // of the built-in model
	vector[3], vector[5] = 1, -0.25
	ask := func(name, text string, page map[string]any, goes search.Query) question {
		goes.Query = search.Text{Text: text}
		page["query"] = text
		if goes.Contexts == nil {
			page["contexts"], goes.Contexts = aboutMe, contexts
		}
		return question{name, page, goes}
	}
	const costs = "Can I get help with the costs of my home?"
	return []question{
		ask("as chosen", costs, map[string]any{}, search.Query{}),
		ask("cosine", costs, map[string]any{"method": "none", "k": 5}, search.Query{Method: "none", K: 5}),
		ask("λ", costs, map[string]any{"method": "none", "k": 60, "contextLambda": 0.15}, search.Query{Method: "none", K: 60, ContextLambda: ptr(0.15)}),
		ask("hybrid", "Which medical costs are paid?", map[string]any{"hybrid": "max", "method": "none", "contextLambda": 0.4}, search.Query{Hybrid: &search.Hybrid{Fusion: "max"}, Method: "none", ContextLambda: ptr(0.4)}),
		ask("perspective", "Find a claim that opposes the argument: fares are fair", map[string]any{"cosineRank": true}, search.Query{CosineRank: true}),
		ask("filtered", costs, map[string]any{"filter": map[string]any{"benefit": "medical"}}, search.Query{Filters: []search.Filter{{Field: "benefit", Values: []string{"medical"}}}}),
		ask("a vector", costs, map[string]any{"contexts": []any{"I have a dog.", vector}}, search.Query{Contexts: []search.Text{{Text: "I have a dog."}, {Vector: vector}}}),
		ask("twice the same", costs, map[string]any{"contexts": []any{"I have a dog.", "I have a dog."}}, search.Query{Contexts: []search.Text{{Text: "I have a dog."}, {Text: "I have a dog."}}}),
		ask("no text", costs, map[string]any{"contexts": []any{"a", " "}}, search.Query{Contexts: []search.Text{{Text: "a"}, {Text: " "}}}),
		ask("λ of 0", costs, map[string]any{"contextLambda": 0}, search.Query{ContextLambda: ptr(0.0)}),
		ask("λ of 1", costs, map[string]any{"contextLambda": 1}, search.Query{ContextLambda: ptr(1.0)}),
		ask("diversified", costs, map[string]any{"mmr": 0.5}, search.Query{MMR: ptr(0.5)}),
		ask("words", costs, map[string]any{"method": "bm25"}, search.Query{Method: "bm25"}),
		ask("a short vector", costs, map[string]any{"contexts": []any{[]float32{1, 2}}}, search.Query{Contexts: []search.Text{{Vector: []float32{1, 2}}}}),
	}
}

// Pages order hits with contexts as Go does, to the last digit, with one engine and with
// several.
func TestContextsEqualGo(t *testing.T) {
	t.Parallel()
	e := expect(t, benefits(t), contextQuestions())
	if n := strings.Count(strings.Join(e.answers["native"], ""), `"because":{"context"`); n < 80 {
		t.Errorf("only %d hits have a reason", n)
	}
	for _, options := range []map[string]any{{"worker": true}, {"workers": 3}, {"worker": false}} {
		t.Run(fmt.Sprint(options), func(t *testing.T) { e.compare(t, options) })
	}
}

// visits records the requests that a server receives, whole.
type visits struct {
	http.Handler
	mu  sync.Mutex
	log []string
}

func (v *visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = []byte(err.Error())
	}
	var headers strings.Builder
	if err := r.Header.Write(&headers); err != nil {
		headers.WriteString(err.Error())
	}
	line := fmt.Sprintf("%s %s\n%s\n%s", r.Method, r.RequestURI, &headers, body)
	v.mu.Lock()
	v.log = append(v.log, strings.ReplaceAll(line, r.Host, "HOST"))
	v.mu.Unlock()
	v.Handler.ServeHTTP(w, r)
}

// A server receives the same requests from a visit with contexts as from one without, byte
// for byte, although the contexts change the answers, and the page asks for them in the same
// order. No request, message or error has a word of them. Requests that are under way
// together reach the server in any order, so the order is that of the page's calls, from the
// first search on: nobody has given contexts before.
func TestContextsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	dir := benefits(t)
	type answers struct {
		Orders, Reasons, Errors, Asked []string
	}
	visit := func(worker bool, contexts []string) (answers, []string) {
		v := &visits{Handler: bare(dir)}
		page := open(t, serve(t, v).URL("/"))
		got := call[answers](t, page, `async (worker, contexts) => {
			const { Vantage } = await import('/lib/index.js');
			const vantage = await Vantage.open('/collection/', { worker });
			await vantage.ready;
			const out = { orders: [], reasons: [], errors: [], asked: [] };
			const { fetch } = globalThis;
			globalThis.fetch = (...call) => {
				const [at, { signal, ...options } = {}] = call;
				out.asked.push(JSON.stringify([at.url ?? String(at), options]).replaceAll(location.host, 'HOST'));
				return fetch(...call);
			};
			for (const query of ['Can I get help with the costs of my home?', 'Which medical costs are paid?', 'a claim that opposes the argument: fares are fair']) {
				const { hits } = await vantage.search({ query, k: 6, contexts });
				out.orders.push(JSON.stringify(hits.map(({ id }) => id)));
				out.reasons.push(...hits.flatMap(({ because }) => because?.text ?? []));
			}
			for (const wrong of [{ contextLambda: 7 }, { mmr: 0.5 }, { explain: false }, { method: 'bm25' }]) {
				try {
					if (contexts.length > 0) await vantage.search({ query: 'costs', contexts, ...wrong });
				} catch (error) {
					out.errors.push(error.name + ': ' + error.message + error.stack);
				}
			}
			vantage.close();
			return out;
		}`, worker, contexts)
		got.Errors = append(got.Errors, page.All()...)
		v.mu.Lock()
		defer v.mu.Unlock()
		log := slices.Clone(v.log)
		slices.Sort(log)
		return got, log
	}
	for _, worker := range []bool{false, true} {
		without, plain := visit(worker, []string{})
		with, private := visit(worker, aboutMe)
		if len(without.Reasons) > 0 || len(with.Reasons) != 18 || len(with.Errors) < 4 {
			t.Fatalf("%d and %d reasons, errors %q", len(without.Reasons), len(with.Reasons), with.Errors)
		}
		if slices.Equal(without.Orders, with.Orders) {
			t.Error("the contexts change no answer: this compares nothing")
		}
		if !slices.Equal(plain, private) {
			for i := range min(len(plain), len(private)) {
				if plain[i] != private[i] {
					t.Errorf("worker %v, request %d:\nwithout %s\nwith    %s", worker, i, plain[i], private[i])
					break
				}
			}
			t.Errorf("%d requests without contexts, %d with", len(plain), len(private))
		}
		if !slices.Equal(without.Asked, with.Asked) || !worker && len(with.Asked) < 4 {
			t.Errorf("worker %v: the page asks for %q without contexts, and for %q with them", worker, without.Asked, with.Asked)
		}
		documents := 0
		for _, request := range private {
			if strings.HasPrefix(request, "GET /collection/docs/") {
				documents++
			}
		}
		if documents < 4 {
			t.Errorf("only %d requests for documents", documents)
		}
		for _, text := range slices.Concat(private, with.Errors, with.Asked) {
			for _, word := range []string{"wheelchair", "diabetes", "stamps", "日本", "%E6%97%A5"} {
				if strings.Contains(text, word) {
					t.Errorf("%q is in %s", word, text)
				}
			}
		}
	}
}

// Contexts go only to an encoder that is in the page. Others are refused before they see
// one.
func TestContextsStayInThePage(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	got := call[map[string]string](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const own = await Vantage.open('/collection/', { worker: true });
		const { dim, model } = own.info;
		const seen = [];
		const encode = (texts) => {
			seen.push(...texts);
			return Promise.all(texts.map(async (text) => (await own.encode(text)).vector));
		};
		const somewhere = { id: model.id, revision: model.revision, dim, encode };
		const out = {};
		const ask = async (name, encoder) => {
			seen.length = 0;
			const vantage = await Vantage.open('/collection/', { worker: true, encoder });
			await vantage.ready;
			try {
				const { hits } = await vantage.search({ query: 'night trains', contexts: ['I have a secret'] });
				out[name] = hits.map(({ because }) => because.text).join();
			} catch (error) {
				out[name] = error.name + (error.message.includes('secret') ? ' tells it' : '');
			}
			out[name] += seen.some((text) => text.includes('secret')) ? ', seen' : ', not seen';
			const vector = (await own.encode('I have a secret')).vector;
			const { hits } = await vantage.search({ query: 'night trains', k: 1, contexts: [vector] });
			out[name] += ', ' + JSON.stringify(hits[0].because.text);
			vantage.close();
			return vantage;
		};
		await ask('somewhere', somewhere);
		await ask('here', { ...somewhere, local: true });
		await ask('shared', own);
		const outside = await Vantage.open('/collection/', { worker: true, encoder: somewhere });
		await ask('shared from somewhere', outside);
		const texts = await own.rerank(['a'], { query: 'x', contexts: ['I have a secret'] }).catch(({ name }) => name);
		return { ...out, texts };
	}`)
	ten := strings.TrimSuffix(strings.Repeat("I have a secret,", 10), ",")
	want := map[string]string{
		"somewhere": `UnsupportedError, not seen, ""`, "here": ten + `, seen, ""`, "shared": ten + `, not seen, ""`,
		"shared from somewhere": `UnsupportedError, not seen, ""`, "texts": "QueryError",
	}
	for name, want := range want {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
}

// While the encoder is under way, words answer without contexts, and a query by its vector
// refuses those that would wait for the encoder.
func TestContextsWhileTheEncoderLoads(t *testing.T) {
	t.Parallel()
	g := &gate{Handler: bare(benefits(t)), held: isEncoder, opened: make(chan struct{})}
	page := open(t, serve(t, g).URL("/"))
	got := call[[]string](t, page, `async (contexts) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/', { worker: true });
		while (vantage.coverage.rows < vantage.coverage.total) await new Promise((resolve) => setTimeout(resolve, 20));
		const vector = Float32Array.from({ length: 256 }, (_, i) => Math.cos(i));
		const ask = async (query) => {
			try {
				const { method, hits } = await vantage.search(query);
				return method + ' ' + hits.filter(({ because }) => because).length + ' of ' + hits.length;
			} catch (error) {
				return error.name;
			}
		};
		const out = [
			await ask({ query: 'medical costs', k: 3, contexts }),
			await ask({ query: vector, k: 3, method: 'none', contexts }),
			await ask({ query: vector, k: 3, method: 'none', contexts: [vector] }),
		];
		await fetch('/open');
		await vantage.ready;
		out.push(await ask({ query: vector, k: 3, method: 'none', contexts }));
		vantage.close();
		return out;
	}`, aboutMe)
	if want := []string{"bm25 0 of 3", "UnavailableError", "none 3 of 3", "none 3 of 3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
