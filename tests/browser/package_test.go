package browser

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/static"
)

// typed is a TypeScript file that uses most of the library. Lines marked with
// @ts-expect-error must not compile.
const typed = `
import { Vantage, METHODS, LostInstanceError, type Encoder, VantageError, shortest, type Comparison, type Evaluation, type Judgement, type SearchResult, type PageEncoder } from '@vantage-search/vantage';
import { VantageSearch } from '@vantage-search/vantage/vantage-search.js';
import { RefusedError, ServerEncoder, type ServerState } from '@vantage-search/vantage/server.js';
import { TransformersEncoder } from '@vantage-search/vantage/transformers.js';

const own: PageEncoder = { id: 'own', dim: 3, encode: async (texts, role) => texts.map((text) => [text.length, role.length, 1]) };
const vantage: Vantage = await Vantage.open('/collection/', { worker: true, encoder: own, maxBytes: 1e9, patience: 1000, onProgress: ({ loaded, total }) => console.log(loaded / total) });
await vantage.ready;
const several = await Vantage.open('/collection/', { workers: 2, worker: [new Worker('a.js'), new Worker('b.js')] });
const bare = (await several.search({ query: 'x', explain: false })).hits[0];
console.log(bare?.explain?.cosine_rank);
const server = new ServerEncoder('/', { key: 'k', dtype: 'int8', deadline: 1000, patience: 500 });
server.addEventListener('state', () => { const state: ServerState = server.state; console.log(state, server.error instanceof RefusedError && server.error.status, server.roundTrip); });
await server.ready;
const [served] = await server.encode(['a'], 'document', { signal: new AbortController().signal });
const pipeline = async (texts: string | string[], options?: { pooling?: 'none' | 'mean' | 'cls'; normalize?: boolean }) => ({ type: 'float32' as const, dims: [texts.length, 3], data: new Float32Array(3), ...options });
const encoders: Encoder[] = [server, '/model/', own, new TransformersEncoder(pipeline, { dim: 3, prompts: { query: 'find: ' } }), await TransformersEncoder.load('m', { transformers: async () => ({ pipeline: async () => pipeline }), pipeline: { dtype: 'fp32' } })];
for (const encoder of encoders) console.log((await (await Vantage.create({ encoder })).search({ query: 'x' })).encodedBy === 'server', served?.length);
// @ts-expect-error: there is no such type of vectors
new ServerEncoder('/', { dtype: 'f64' });
const result: SearchResult = await vantage.search({ query: 'x', root: 'y', perspectives: ['z', new Float32Array(3)], method: 'pap+', lambda: 1, k: 5, mmr: 0.5, filter: { year: { min: 2000, max: undefined }, stance: ['pro', 'con'], domain: undefined }, signal: new AbortController().signal });
const fused: SearchResult = await vantage.search({ query: 'x', hybrid: { fusion: 'max', weight: 0.3 } });
for (const { rank, id, score, explain } of result.hits) console.log(rank + score + (explain?.cosine_rank ?? 0), id.length, shortest(score), METHODS[0]?.aliases);
const { hits, timing } = await vantage.rerank(['a', 'b'], { query: 'c' });
console.log(hits[0]?.text, timing.rank);
const indexes: number[] = await vantage.add([{ id: 'a', text: 'b', metadata: { n: 1 }, vector: [1, 2, 3] }]);
const [document] = await vantage.documents(indexes);
console.log(document?._id, await vantage.save('notes'), (await vantage.restore('notes')).length, await Vantage.saved(), await Vantage.forget());
await vantage.remove(['a']);
const made = await Vantage.create({ encoder: { tokenizer: new ArrayBuffer(1), weights: '/w', config: new URL('https://example.org/') } });
made.close();
const judged: Judgement = await (await Vantage.create({ encoder: null })).judge({ rankings: [[3, 1], new Uint32Array(2)], gold: [[1], [2]], roots: ['r', 'r'], labels: ['pro', 'con'], ks: [1, 5] });
const evaluated: Evaluation = await vantage.evaluate({ qrels: new File([], 'q'), run: { name: 'r', content: 'text' }, measures: ['nDCG@10'], perQuery: true });
const compared: Comparison[] = await vantage.compare({ qrels: new File([], 'q'), runs: [new File([], 'a'), new File([], 'b')], measures: ['map'], rounds: 10, seed: 2, signal: new AbortController().signal });
console.log(evaluated.averages['map'], evaluated.per_query?.values['map']?.[0], compared[0]?.pairs[0]?.p_t_test_holm);
// @ts-expect-error: measures to compare by are named
await vantage.compare({ qrels: new File([], 'q'), runs: [] });
console.log(judged.recall.overall[5], judged.recall.per_label?.['pro']?.n, judged.p_recall?.[1]);
const box: VantageSearch | null = window.document.querySelector('vantage-search');
box?.addEventListener('vantage-results', ({ detail }) => console.log(detail.hits.length));
if (box) box.messages = { label: 'Suche', none: (query) => query };
try { vantage.close(); } catch (error) { if (error instanceof LostInstanceError || error instanceof VantageError) console.log(error.code); }
// @ts-expect-error: the query is missing
await vantage.search({ k: 1 });
console.log((await several.search({ query: 'x', cosineRank: true })).hits[0]?.explain?.cosine_rank);
// @ts-expect-error: it may lack an explanation
console.log(bare?.explain.cosine_rank);
console.log((await vantage.rerank(['a'], { query: 'c' })).hits[0]?.explain.cosine_rank);
console.log(fused.notice ?? fused.hybrid, fused.hits[0]?.lexical?.rank, vantage.info.words);
// @ts-expect-error: there is no such fusion
await vantage.search({ query: 'x', hybrid: 'best' });
// @ts-expect-error: texts given with the query have no fields
await vantage.rerank(['a'], { query: 'c', filter: { a: 1 } });
// @ts-expect-error: an encoder is needed
await Vantage.create({});
// @ts-expect-error: there is open and create
new Vantage();
// @ts-expect-error: a document needs an id
await vantage.add([{ text: 'b' }]);
`

const tsconfig = `{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2022", "module": "MODULE", "moduleResolution": "RESOLUTION", "lib": ["es2022", "dom", "dom.iterable"], "types": [], "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true}, "files": ["main.ts"]}`

// project returns a folder with the package as npm packs it, and the packages of
// scripts/npm/NAME.
func project(t *testing.T, name string) string {
	t.Helper()
	packages, dir := filepath.Join(tools.Packages(t, name), "node_modules"), t.TempDir()
	run(t, filepath.Join(harness.Root(), "static", "lib"), "npm", "pack", "--silent", "--pack-destination", dir)
	packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack made %q (%v)", packed, err)
	}
	own := filepath.Join(dir, "node_modules", "@vantage-search", "vantage")
	if err := os.MkdirAll(own, 0o777); err != nil {
		t.Fatal(err)
	}
	run(t, own, "tar", "-xzf", packed[0], "--strip-components=1")
	installed, err := os.ReadDir(packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range installed {
		if err := os.Symlink(filepath.Join(packages, entry.Name()), filepath.Join(dir, "node_modules", entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a program in a folder; it must succeed.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// The package as npm packs it, installed in another project: its types are
// right, and it runs.
func TestPackage(t *testing.T) {
	t.Parallel()
	dir := project(t, "typescript")
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.ts", typed)
	for module, resolution := range map[string]string{"esnext": "bundler", "nodenext": "nodenext"} {
		write("tsconfig.json", strings.NewReplacer("MODULE", module, "RESOLUTION", resolution).Replace(tsconfig))
		run(t, dir, filepath.Join("node_modules", ".bin", "tsc"))
	}

	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.Handle("/node_modules/", folder(dir))
	page := open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
	got := call[string](t, page, `async (query) => {
		const { Vantage } = await import('/node_modules/@vantage-search/vantage/index.js');
		await import('/node_modules/@vantage-search/vantage/vantage-search.js');
		const vantage = await Vantage.open('/collection/', { worker: true });
		await vantage.ready;
		const { hits } = await vantage.search({ query });
		vantage.close();
		return hits.length + ' ' + (customElements.get('vantage-search') !== undefined);
	}`, oppose)
	if got != "10 true" {
		t.Errorf("%s", got)
	}
}

// budget bounds the gzipped bytes of all pages of a site, the library, core and kernel,
// which are also what the service worker stores for later. The search page has words.js
// and the whole library in one file for itself, 80 KB; the lab loads the library's modules.
// A sixth of the budget is the core's forward pass of a transformer.
const budget = 901 << 10

func TestByteBudget(t *testing.T) {
	t.Parallel()
	total := 0
	sizes := map[string]int{}
	dir := t.TempDir()
	if err := (static.Page{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(dir)
	err := fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch path.Ext(name) {
		case ".html", ".css", ".js", ".svg", ".webmanifest", ".wasm", ".gz":
		default:
			return nil
		}
		content, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		size := len(content)
		if path.Ext(name) != ".gz" {
			var b bytes.Buffer
			z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			if err != nil {
				return err
			}
			z.Write(content)
			z.Close()
			size = min(size, b.Len())
		}
		sizes[name] = size
		total += size
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "lib/index.js", "lib/core.wasm.gz", "lib/kernel.wasm", "lib/kernel-relaxed.wasm", "lib/vantage-search.js"} {
		if sizes[name] == 0 {
			t.Errorf("%s is not counted", name)
		}
	}
	t.Logf("%d bytes, of them %d for the core", total, sizes["lib/core.wasm.gz"])
	if total > budget {
		t.Errorf("page, library, core and kernel take %d bytes, at most %d: %v", total, budget, sizes)
	}
}
