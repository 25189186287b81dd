package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// bundled is the script of a page, before bundling.
const bundled = `
import { Vantage } from '@vantage-search/vantage';
import '@vantage-search/vantage/vantage-search.js';

window.ask = async (query) => {
	const vantage = await Vantage.open('/collection/');
	await vantage.ready;
	const { hits } = await vantage.search({ query });
	const { recall } = await vantage.judge({ rankings: [[3, 1, 7]], gold: [[1]], roots: ['r'], labels: ['l'], ks: [2] });
	vantage.close();
	return { inWorker: vantage.inWorker, ids: hits.map(({ id }) => id), recall: recall.overall[2], element: Boolean(customElements.get('vantage-search')) };
};
`

const bundledPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bundled</title><script type="module" src="main.js"></script>`

// Bundlers build a page as docs/embed.md says. The page then searches under the
// strict policy, in a worker, and finds all files that it loads later.
func TestBundlers(t *testing.T) {
	t.Parallel()
	dir := project(t, "bundlers")
	path := "PATH=" + filepath.Dir(tools.Node(t)) + ":node_modules/.bin:$PATH; " // the system's Node.js may be too old for Vite
	for name, content := range map[string]string{"main.js": bundled, "index.html": bundledPage} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	docs, err := os.ReadFile(filepath.Join(harness.Root(), "docs", "embed.md"))
	if err != nil {
		t.Fatal(err)
	}
	site := debates(t)
	result, err := native(t, filepath.Join(site, "collection")).Search(t.Context(), search.Query{Query: search.Text{Text: oppose}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, hit := range result.Hits {
		want = append(want, hit.ID)
	}
	for name, commands := range map[string][]string{
		"Vite":    {"vite build"},
		"webpack": {"webpack ./main.js -o dist --mode production"},
		"esbuild": {"esbuild main.js worker=@vantage-search/vantage/worker.js --bundle --minify --splitting --format=esm --outdir=dist", copyModules},
		"Rollup":  {"rollup main.js worker=@vantage-search/vantage/worker.js -p node-resolve -d dist", copyModules},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(dir, name)
			for _, command := range commands {
				if !strings.Contains(string(docs), command) {
					t.Errorf("docs/embed.md does not say %q", command)
				}
				// Each bundler has its own output folder.
				command = strings.ReplaceAll(command, "dist", name)
				if name == "Vite" {
					command += " --outDir " + name
				}
				run(t, dir, "sh", "-c", path+command)
			}
			mux := http.NewServeMux()
			mux.Handle("/collection/", folder(site))
			mux.Handle("/", folder(out))
			mux.HandleFunc("/favicon.ico", harness.NoIcon)
			if name != "Vite" { // Vite also writes the page
				if err := os.WriteFile(filepath.Join(out, "index.html"), []byte(bundledPage), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			page := open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
			got := call[struct {
				InWorker bool
				IDs      []string
				Recall   float64
				Element  bool
			}](t, page, `(query) => window.ask(query)`, oppose)
			if !got.InWorker || !slices.Equal(got.IDs, want) || got.Recall != 1 || !got.Element {
				t.Errorf("%+v, want %q", got, want)
			}
		})
	}
}

// A bundle of vantage.min.js starts no worker, which would run the page's program and start the next one.
func TestBundledMin(t *testing.T) {
	t.Parallel()
	dir := project(t, "bundlers")
	script := `import { Vantage } from '@vantage-search/vantage/vantage.min.js';
const vantage = await Vantage.open(new URL('/collection/', location.href));
const refused = await Vantage.open(new URL('/collection/', location.href), { worker: true }).catch(({ code }) => code);
await fetch('/visit?' + refused);
globalThis.found = (await vantage.search({ query: 'night trains' })).hits.length;`
	if err := os.WriteFile(filepath.Join(dir, "main.js"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "sh", "-c", "node_modules/.bin/esbuild main.js --bundle --format=esm --outdir=dist && "+copyModules)
	if err := os.WriteFile(filepath.Join(dir, "dist", "index.html"), []byte(bundledPage), 0o666); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/collection/", folder(debates(t)))
	mux.Handle("/", folder(filepath.Join(dir, "dist")))
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	var visits, refused atomic.Int32
	mux.HandleFunc("/visit", func(_ http.ResponseWriter, r *http.Request) {
		visits.Add(1)
		if r.URL.RawQuery == "unsupported" {
			refused.Add(1)
		}
	})
	page := open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
	found := call[int](t, page, `async () => {
		for (let i = 0; i < 600 && !globalThis.found; i++) await new Promise((resolve) => setTimeout(resolve, 50));
		await new Promise((resolve) => setTimeout(resolve, 500));
		return globalThis.found ?? 0;
	}`)
	if found != 10 || visits.Load() != 1 || refused.Load() != 1 {
		t.Errorf("%d hits; the program ran %d times, and a worker was refused %d times", found, visits.Load(), refused.Load())
	}
}

// copyModules copies the files that some bundlers do not recognise to the folder
// of the page's script.
const copyModules = "cp node_modules/@vantage-search/vantage/core.wasm.gz node_modules/@vantage-search/vantage/kernel*.wasm dist/"
