package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/logs"
)

// lightInNode calls a function of testdata/light.js with the built words.js under Node.js.
func lightInNode[T any](t *testing.T, name string, argument any) (answer T) {
	t.Helper()
	given, err := json.Marshal([]any{"file://" + filepath.Join(tools.Root(), "static/lib/words.js"), name, argument})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tools.Node(t), "testdata/light.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(given), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %.200s", err, out)
	}
	return answer
}

// lightInPage does the same in a page.
func lightInPage[T any](t *testing.T, page *harness.Page, name string, argument any) T {
	t.Helper()
	return call[T](t, page, `async (name, argument) => {
		const light = await import('/test/light.js');
		return light[name](await import('/static/lib/words.js'), argument);
	}`, name, argument)
}

// scraps are parts of words that tokenizers get wrong.
var scraps = strings.Fields("a b ba Ba É e\u0301 o\u0308\u0323 ß ẞ İ ı ΣΑΣ ς Ǆ ǅ ﬁ 한 ᄒ ᅡ 東 京 𠮷 \uf900 ひ カ ー ไทย हि \u094d \u302e \U0001d165 \U0001d15e ½ ² Ⅷ ① ٣ 𝒳 𝟘 ' ’ - _ . \u00ad \u200d \u0345 \u0f73 \u0340 \ue000 😀 \u1e9e \u10a0 \u13a0 \ua64a \u212a \u2126 \U0001e900 \u0085 \ufffd")

// oddTexts makes texts of a small vocabulary, so that scores tie and words repeat.
func oddTexts(r *rand.Rand, n int) []string {
	vocabulary := make([]string, 60)
	for i := range vocabulary {
		for range 1 + r.IntN(3) {
			vocabulary[i] += scraps[r.IntN(len(scraps))]
		}
	}
	vocabulary[0] = strings.Repeat("длинное", 20)
	texts := make([]string, n)
	for i := range texts {
		var words []string
		for range r.IntN(40) {
			words = append(words, vocabulary[min(r.IntN(60), r.IntN(60))])
		}
		texts[i] = strings.Join(words, " ")
	}
	return texts
}

func textDocuments(texts []string) iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"even": i%2 == 0}}, nil) {
				return
			}
		}
	}
}

type lightCollection struct {
	URL     string           `json:"url"`
	Queries []map[string]any `json:"queries"`
}

// lightRanking is the ranking of internal/wasm/lexical as light.js writes it.
func lightRanking(t *testing.T, index *lexical.Index, query map[string]any) string {
	t.Helper()
	q := lexical.Query{Text: query["query"].(string), K: query["k"].(int)}
	if query["filter"] != nil {
		q.Keep = func(document uint32) bool { return document%2 == 0 }
	}
	hits, err := index.Search(q)
	if err != nil {
		t.Fatal(err)
	}
	shown := make([]string, len(hits))
	for i, hit := range hits {
		shown[i] = fmt.Sprintf("%d:%x", hit.Document, math.Float64bits(hit.Score))
	}
	return strings.Join(shown, " ")
}

// Without the core, words.js gives the core's scores, to the last bit of a float64, and its order, in Chromium and in
// Node.js, on texts of odd characters and on the bundled debates. It divides a text as Go does around each character of
// the planes that have letters, and around samples of the others.
func TestLightWordsEqualGo(t *testing.T) {
	t.Parallel()
	r := seeded()
	dir := worded(t)
	mux := http.NewServeMux()
	mux.Handle("/", bare(dir))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	page := open(t, serve(t, mux).URL("/"))

	var blocks []int
	var hashes []string
	for block := range 0x110000 / 4096 {
		if block < 0x34 || block == 0xE0 || block == 0xF0 || block == 0x10F {
			var all strings.Builder
			for point := 4096 * block; point < 4096*(block+1); point++ {
				c := string(rune(point)) // U+FFFD for a surrogate
				fmt.Fprintln(&all, strings.Join(lexical.Terms("a\u302e"+c+"\U0001d165b "+c), " "))
			}
			sum := sha256.Sum256([]byte(all.String()))
			blocks, hashes = append(blocks, block), append(hashes, hex.EncodeToString(sum[:]))
		}
	}

	var collections []lightCollection
	var want []string
	add := func(name string, texts []string, odd bool) {
		index, err := lexical.New(lexical.DefaultParameters)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if _, err := index.Add(text); err != nil {
				t.Fatal(err)
			}
		}
		c := lightCollection{URL: name}
		for i, text := range append(oddTexts(r, 10), texts[:40]...) {
			query := map[string]any{"query": text + " night", "k": []int{1, 10, 1000}[i%3]}
			if odd && i%4 == 0 {
				query["filter"] = map[string]any{"even": true}
			}
			c.Queries = append(c.Queries, query)
			want = append(want, lightRanking(t, index, query))
		}
		collections = append(collections, c)
	}
	for i := range 3 {
		texts := oddTexts(r, 40+100*i)
		name := fmt.Sprintf("odd%d", i)
		if _, err := collection.Write(t.Context(), filepath.Join(dir, name), textDocuments(texts), collection.Options{
			Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true, TermBytes: 300,
		}); err != nil {
			t.Fatal(err)
		}
		add(name, texts, true)
	}
	c, err := corpus.Open(debatesFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, d.EncodedText())
	}
	add("collection", texts, false)

	hits := 0
	for _, ranking := range want {
		hits += strings.Count(ranking, ":")
	}
	if hits < 2000 {
		t.Fatalf("the queries have only %d hits", hits)
	}
	local := make([]lightCollection, len(collections))
	for i, c := range collections {
		collections[i].URL = "/" + c.URL + "/"
		local[i] = lightCollection{"file://" + filepath.Join(dir, c.URL), c.Queries}
	}
	for where, got := range map[string][]string{
		"in Node.js": lightInNode[[]string](t, "rankings", local),
		"in a page":  lightInPage[[]string](t, page, "rankings", collections),
	} {
		if len(got) != len(want) {
			t.Fatalf("%s: %d rankings of %d", where, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: query %d: %.300s, want %.300s", where, i, got[i], want[i])
			}
		}
	}
	for where, got := range map[string][]string{
		"in Node.js": lightInNode[[]string](t, "characters", blocks),
		"in a page":  lightInPage[[]string](t, page, "characters", blocks),
	} {
		for i := range hashes {
			if i >= len(got) || got[i] != hashes[i] {
				t.Errorf("%s: the characters from U+%04X are divided otherwise", where, 4096*blocks[i])
			}
		}
	}
	lightLogs(t, r, page)
	lightHits(t, page)
	lightFile(t, page)
	lightFaults(t, dir, page)
}

// lightLogs compares logarithms, of weights that words can have and of others.
func lightLogs(t *testing.T, r *rand.Rand, page *harness.Page) {
	values := []float64{1, 2, 0.5, math.Sqrt2 / 2, math.Nextafter(1, 0), math.Nextafter(1, 2), 0x1p-1022, math.MaxFloat64}
	for range 10_000 {
		values = append(values, float64(1+r.IntN(100_000))/(float64(r.IntN(1000))+0.5), math.Exp(1400*r.Float64()-700))
	}
	got := call[[]float64](t, page, `async (values) => {
		const { log } = await import('/static/src/words/log.js');
		return values.map(log);
	}`, values)
	if len(got) != len(values) {
		t.Fatalf("%d logarithms of %d", len(got), len(values))
	}
	for i, value := range values {
		if want := logs.Log(value); got[i] != want {
			t.Errorf("ln %v = %v, want %v", value, got[i], want)
		}
	}
}

// lightHits compares the hits with those of the library's core, in the same page.
func lightHits(t *testing.T, page *harness.Page) {
	type answer struct{ Light, Core []map[string]any }
	for _, query := range []map[string]any{
		{"query": oppose, "k": 30}, {"query": "night trains", "filter": map[string]any{"stance": "oppose"}},
		{"query": "nights", "filter": map[string]any{"stance": []string{"oppose", "nothing"}}}, {"query": "zyzzyva"},
	} {
		got := call[answer](t, page, `async (query) => {
			const { Words } = await import('/static/lib/words.js');
			const { Vantage } = await import('/lib/index.js');
			const [words, vantage] = await Promise.all([Words.open('/collection/'), globalThis.core ??= Vantage.open('/collection/', { worker: false })]);
			const light = (await words.search(query)).hits;
			const core = (await vantage.search({ ...query, method: 'bm25' })).hits;
			const documents = await vantage.documents(core.map(({ index }) => index));
			return { light, core: core.map(({ lexical, ...hit }, i) => ({ ...hit, metadata: documents[i].metadata })) };
		}`, query)
		if !reflect.DeepEqual(got.Light, got.Core) || len(got.Core) == 0 != (query["query"] == "zyzzyva") {
			t.Errorf("%v: %v, want %v", query, got.Light, got.Core)
		}
	}
}

// lightFile checks that vantage.min.js is the library, and that its worker needs no other script.
func lightFile(t *testing.T, page *harness.Page) {
	type answer struct {
		Same, InWorker, Deaf bool
		Scripts              []string
	}
	got := call[answer](t, page, `async (query) => {
		const before = new Set(performance.getEntriesByType('resource').map(({ name }) => name));
		const { Vantage, QueryError } = await import('/static/lib/vantage.min.js');
		const vantage = await Vantage.open('/collection/');
		await vantage.ready;
		const scripts = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js') && !before.has(name));
		scripts.push(...(await vantage.downloads()).map(({ url }) => url).filter((url) => url.endsWith('.js'))); // by the worker
		const one = await vantage.search({ query });
		const other = await (await globalThis.core).search({ query });
		const refused = await vantage.search({ query, k: 0 }).catch((error) => error);
		let answers = 0; // the page's own messages are not for the engine
		addEventListener('message', () => answers++);
		postMessage({ id: 1, call: 'hello' }, '*');
		await new Promise((resolve) => setTimeout(resolve, 50));
		const { inWorker } = vantage;
		vantage.close();
		return {
			same: JSON.stringify(one.hits) === JSON.stringify(other.hits) && one.hits.length > 0 && refused instanceof QueryError && refused.name === 'QueryError',
			inWorker, deaf: answers === 1, scripts: [...new Set(scripts.map((name) => new URL(name).pathname))],
		};
	}`, oppose)
	if !got.Same || !got.InWorker || !got.Deaf || !reflect.DeepEqual(got.Scripts, []string{"/static/lib/vantage.min.js"}) {
		t.Errorf("%+v", got)
	}
}

// lightFaults checks the kinds of the errors for queries that cannot be answered, and for files that are not what they
// should be.
func lightFaults(t *testing.T, dir string, page *harness.Page) {
	manifest, err := os.ReadFile(filepath.Join(dir, "collection/manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	same := filepath.Join(dir, "same")
	if err := os.CopyFS(same, os.DirFS(filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"damaged": manifest, "wordless": bytes.Replace(manifest, []byte(`"terms"`), []byte(`"nothing"`), 1), "same": lengthsAsTerms(t, manifest),
	} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "manifest.json"), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page.Expect("404")
	got := call[map[string]string](t, page, `async () => {
		const { Words } = await import('/static/lib/words.js');
		const { readLengths, readTerms } = await import('/static/src/words/reader.js');
		const told = {};
		const attempt = async (name, body) => {
			try {
				await body();
				told[name] = 'no error';
			} catch (error) {
				told[name] = (error.kind ?? error.name) + ': ' + error.message;
			}
		};
		const words = await Words.open('/collection/');
		await attempt('no text', () => words.search({ query: '' }));
		await attempt('no object', () => words.search('night'));
		await attempt('no object to rank', () => words.rank('night'));
		await attempt('k', () => words.search({ query: 'a', k: 1.5 }));
		await attempt('field', () => words.search({ query: 'a', filter: { unknown: 1 } }));
		await attempt('cancelled', () => words.search({ query: 'night', signal: AbortSignal.abort() }));
		await attempt('no collection', () => Words.open('/nowhere/'));
		await attempt('no words', () => Words.open('/wordless/'));
		await attempt('lengths as terms', async () => (await Words.open('/same/')).search({ query: 'night' }));
		await attempt('missing', async () => (await Words.open('/damaged/')).search({ query: 'night' }));
		const bytes = (text, ...more) => new Uint8Array([...new TextEncoder().encode(text), ...more]);
		const lengths = readLengths(bytes('VLL1', 2, 3, 1), 'x', 2);
		for (const [name, file] of Object.entries({
			'other magic': bytes('VLT2', 2, 0),
			'other documents': bytes('VLT1', 3, 0),
			'cut off': bytes('VLT1', 2, 1, 0, 1),
			'more behind': bytes('VLT1', 2, 0, 0),
			'long number': bytes('VLT1', 0x82, 0),
			'great number': bytes('VLT1', ...new Array(9).fill(0xff), 1),
			'endless number': bytes('VLT1', 2, 1, 0, 1, 98, 1, 0x96, 1, 0, ...new Array(148).fill(0x80), 1),
			'empty term': bytes('VLT1', 2, 1, 0, 0, 1, 1, 1),
			'long term': bytes('VLT1', 2, 1, 0, 0x81, 1, ...new Array(129).fill(97), 1, 1, 1),
			'no UTF-8': bytes('VLT1', 2, 1, 0, 1, 0xff, 1, 1, 1),
			'out of order': bytes('VLT1', 2, 2, 0, 1, 98, 1, 1, 1, 0, 1, 97, 1, 1, 1),
			'prefix too long': bytes('VLT1', 2, 1, 1, 1, 98, 1, 1, 1),
			'no postings': bytes('VLT1', 2, 1, 0, 1, 98, 0, 0),
			'other postings': bytes('VLT1', 2, 1, 0, 1, 98, 2, 1, 1),
			'beyond the last': bytes('VLT1', 2, 1, 0, 1, 98, 1, 1, 5),
			'too frequent': bytes('VLT1', 2, 1, 0, 1, 98, 1, 2, 2, 0),
		})) {
			await attempt(name, () => readTerms(file, 'x', lengths));
		}
		await attempt('frequent enough', () => readTerms(bytes('VLT1', 2, 1, 0, 1, 98, 1, 2, 0, 1), 'x', lengths));
		await attempt('lengths', () => readLengths(bytes('VLL1', 2, 3), 'x', 2));
		await attempt('other lengths', () => readLengths(bytes('VLL1', 2, 3, 1), 'x', 3));
		return told;
	}`)
	for name, want := range map[string]string{
		"no text": "query: query:", "no object": "query: search takes an object", "no object to rank": "query: rank takes an object", "k": "query: k: 1.5 is not a whole number",
		"field": "query: filter: no field", "cancelled": "AbortError: ", "no collection": "input: manifest.json: ",
		"no words": "unsupported: the collection has no inverted index", "missing": "integrity: terms/", "lengths as terms": "input: terms/",
		"other magic": "input: x: it does not begin with VLT1", "other documents": "input: x: it is of a collection of 3 documents",
		"cut off": "input: x: it ends too early", "more behind": "input: x: something follows its end",
		"long number": "input: x: a number is not written", "great number": "input: x: a number is not written",
		"endless number": "input: x: a number is not written",
		"empty term":     "input: x: a term is out of order", "long term": "input: x: a term is too long", "no UTF-8": "input: x: a term is not UTF-8",
		"out of order": "input: x: a term is out of order", "prefix too long": "input: x: a term is too long, or shares more",
		"no postings": "input: x: postings are empty", "other postings": "input: x: postings are empty",
		"beyond the last": "input: x: postings name a document beyond", "too frequent": "input: x: a term occurs more often",
		"frequent enough": "no error", "lengths": "input: x: it ends too early", "other lengths": "input: x: 2 documents, the manifest says 3",
	} {
		if !strings.HasPrefix(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// lengthsAsTerms names the file of lengths as a term file, too.
func lengthsAsTerms(t *testing.T, content []byte) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(content, &m); err != nil {
		t.Fatal(err)
	}
	terms := m["terms"].(map[string]any)
	file := maps.Clone(terms["lengths"].(map[string]any))
	file["first"], file["last"] = "a", "z"
	terms["files"] = []any{file}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// madeUpPages are the passages of a site: pages with headings, of made-up words that are as frequent as those of a
// language.
func madeUpPages(r *rand.Rand, pages int) (docs []store.Document) {
	syllables := strings.Fields("ba co du fe gi ha jo ku le mi no pa ro su te vi wa zo ther ing tion ment est and for con per sta")
	vocabulary := make([]string, 12_000)
	for i := range vocabulary {
		for range 1 + i%4 {
			vocabulary[i] += syllables[r.IntN(len(syllables))]
		}
		vocabulary[i] += fmt.Sprint(i % 7)
	}
	words := func(n int) string { // the frequency of the word of rank i is proportional to 1/i
		out := make([]string, n)
		for i := range out {
			out[i] = vocabulary[int(math.Exp(r.Float64()*math.Log(float64(len(vocabulary)))))-1]
		}
		return strings.Join(out, " ")
	}
	for page := range pages {
		title := words(4)
		for part := range 2 + r.IntN(6) {
			address := fmt.Sprintf("%d.md#%s", page, strings.ReplaceAll(words(2), " ", "-"))
			docs = append(docs, store.Document{
				ID: fmt.Sprintf("%s-%d", address, part), Title: title + ": " + words(3), Text: words(60 + r.IntN(140)),
				Metadata: map[string]any{"url": address, "path": fmt.Sprintf("%d.md", page)},
			})
		}
	}
	return docs
}

// The first hit by words over a site of 300 pages costs well below the 250 KB that a page may load in all, with the
// script and with one block of documents: for each query, the bytes that a host with compression sends.
func TestLightBytes(t *testing.T) {
	t.Parallel()
	r := seeded()
	docs := madeUpPages(r, 300)
	dir := t.TempDir()
	if _, err := collection.Write(t.Context(), dir, func(yield func(store.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}, collection.Options{
		Rows: collection.Carried{Model: builtin.Builtin()}, Terms: true,
		BlockBytes: collection.SmallBlockBytes, TermBytes: collection.SmallTermBytes,
	}); err != nil {
		t.Fatal(err)
	}
	const queries = 20
	var mu sync.Mutex
	var sent [queries]map[string]int // bytes by the kind of file
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var query int
		var name string
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%s", &query, &name); err != nil {
			t.Error(err)
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		}
		kind, _, _ := strings.Cut(name, "/")
		bytes := len(content)
		if kind == "manifest.json" { // the others are compressed as they are
			bytes = len(zipped(string(content)))
		}
		mu.Lock()
		sent[query][kind] += bytes
		mu.Unlock()
		w.Write(content)
	}))
	var asked []map[string]any
	for i := range sent {
		sent[i] = map[string]int{}
		text := strings.Fields(docs[r.IntN(len(docs))].Text)
		query := strings.Join(text[i:i+1+i%4], " ") // one to four words
		asked = append(asked, map[string]any{"url": server.URL(fmt.Sprintf("/%d/", i)), "query": query})
	}
	for i, hits := range lightInNode[[]int](t, "first", asked) {
		if hits != 1 {
			t.Fatalf("%v: %d hits", asked[i], hits)
		}
	}
	script, err := os.ReadFile(filepath.Join(tools.Root(), "static/lib/words.js"))
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	fixed, most, sum := len(zipped(string(script))), 0, map[string]int{}
	for _, kinds := range sent {
		total := fixed
		for kind, bytes := range kinds {
			total += bytes
			sum[kind] += bytes
		}
		most = max(most, total)
	}
	t.Logf("words.js %d, and for a query on average: manifest %d, terms %d, documents %d; at most %d in all",
		fixed, sum["manifest.json"]/queries, sum["terms"]/queries, sum["docs"]/queries, most)
	if sum["docs"] == 0 || sum["docs"]/queries > collection.SmallBlockBytes || most > 160_000 {
		t.Errorf("%d bytes for a query, at most 160,000 are expected", most)
	}
}
