package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/kernel/binary"
)

// answer replaces the answer to a request; if it returns false, the folder
// answers.
type answer func(w http.ResponseWriter, r *http.Request, content []byte) bool

// faulty serves the debates site with a faulty collection.
func faulty(t *testing.T, mistake answer) http.Handler {
	dir := debates(t)
	good := bare(dir)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
		if err != nil || !strings.HasPrefix(r.URL.Path, "/collection/") || !mistake(w, r, content) {
			good.ServeHTTP(w, r)
		}
	})
}

func isVectors(r *http.Request) bool  { return strings.Contains(r.URL.Path, "/vectors/") }
func isEncoder(r *http.Request) bool  { return strings.Contains(r.URL.Path, "/encoder/") }
func isDocs(r *http.Request) bool     { return strings.Contains(r.URL.Path, "/docs/") }
func isManifest(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/manifest.json") }

// when returns an answer that changes the content of some requests.
func when(which func(*http.Request) bool, change func(content []byte) []byte) answer {
	return func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if !which(r) {
			return false
		}
		w.Write(change(bytes.Clone(content)))
		return true
	}
}

func flip(content []byte) []byte   { content[len(content)/2] ^= 1; return content }
func halve(content []byte) []byte  { return content[:len(content)/2] }
func double(content []byte) []byte { return append(content, content...) }
func page404([]byte) []byte        { return []byte("<!doctype html><title>404</title>") }

// editManifest changes the decoded manifest.
func editManifest(edit func(m *manifest.Manifest)) answer {
	return when(isManifest, func(content []byte) []byte {
		var m manifest.Manifest
		if err := json.Unmarshal(content, &m); err != nil {
			panic(err)
		}
		edit(&m)
		content, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		return content
	})
}

func notFound(which func(*http.Request) bool) answer {
	return func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if which(r) {
			http.NotFound(w, r)
		}
		return which(r)
	}
}

// breakOff sends half of a file and then closes the connection.
func breakOff(which func(*http.Request) bool) answer {
	return func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if !which(r) {
			return false
		}
		w.Header().Set("Content-Length", "1000000")
		w.Write(halve(content))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// seenFault is an error as the page sees it.
type seenFault struct {
	Name, Code, Message string
	Typed               bool
}

const describeFault = `
	const describe = (error) => ({ name: error?.name ?? '', code: String(error?.code ?? ''), message: String(error?.message ?? ''), typed: error instanceof lib.VantageError });
`

// Each fault of a host has its own error, and if vectors or documents are at
// fault, the rest stays usable.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		mistake answer
		where   string // "open", "ready" or "search" fails
		want    string // class
		message string // what the message must name
	}{
		{"no manifest", notFound(isManifest), "open", "InputError", "404"},
		{"a page for the manifest", when(isManifest, page404), "open", "FormatError", "not JSON"},
		{"newer manifest", editManifest(func(m *manifest.Manifest) { m.Version = 2 }), "open", "VersionError", "upgrade"},
		{"damaged manifest", editManifest(func(m *manifest.Manifest) { m.Vectors[0].Rows++ }), "open", "FormatError", "vectors[1]"},
		{"another encoder", editManifest(func(m *manifest.Manifest) { slices.Reverse(m.Canaries[0].Vector) }), "open", "EncoderMismatchError", "cosine"},
		{"no encoder file", notFound(isEncoder), "open", "IntegrityError", "encoder/"},
		{"damaged encoder file", when(isEncoder, flip), "open", "IntegrityError", "encoder/"},
		{"no vector files", notFound(isVectors), "ready", "IntegrityError", "vectors/"},
		{"damaged vector files", when(isVectors, flip), "ready", "IntegrityError", "SHA-256"},
		{"vector files cut off", when(isVectors, halve), "ready", "IntegrityError", "bytes"},
		{"vector files too long", when(isVectors, double), "ready", "IntegrityError", "bytes"},
		{"pages for vector files", when(isVectors, page404), "ready", "IntegrityError", "HTML page"},
		{"connection lost in vector files", breakOff(isVectors), "ready", "NetworkError", "broke"},
		{"no documents", notFound(isDocs), "search", "IntegrityError", "docs/"},
		{"damaged documents", when(isDocs, flip), "search", "IntegrityError", "docs/"},
		{"unpacked documents cut off", when(isDocs, func([]byte) []byte { return []byte("{}\n") }), "search", "IntegrityError", "docs/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, serve(t, faulty(t, c.mistake)).URL("/"))
			page.Expect(`Failed to load resource`)
			for _, worker := range []bool{true, false} {
				got := call[map[string]seenFault](t, page, `async (worker, query) => {
					const lib = await import('/lib/index.js');`+describeFault+`
					const out = {};
					let vantage;
					try {
						vantage = await lib.Vantage.open('/collection/', { worker });
					} catch (error) {
						return { open: describe(error) };
					}
					await vantage.ready.catch((error) => { out.ready = describe(error); });
					await vantage.search({ query }).catch((error) => { out.search = describe(error); });
					vantage.close();
					return out;
				}`, worker, oppose)
				if len(got) != 1 {
					t.Fatalf("worker %v: %+v fail, expected %s alone", worker, got, c.where)
				}
				if f := got[c.where]; f.Name != c.want || !f.Typed || !strings.Contains(f.Message, c.message) {
					t.Errorf("worker %v: %+v, want %s naming %q", worker, f, c.want, c.message)
				}
			}
		})
	}
}

// If one shard of many is damaged, the others answer, and the answer says how
// many rows it covers.
func TestDamagedShardLeavesTheRest(t *testing.T) {
	t.Parallel()
	var bad atomic.Value // the path of the first shard that was asked for
	page := open(t, serve(t, faulty(t, func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if !isVectors(r) || !bad.CompareAndSwap(nil, r.URL.Path) && bad.Load() != r.URL.Path {
			return false
		}
		w.Write(flip(content))
		return true
	})).URL("/"))
	type result struct {
		Error string
		Hits  int
		Rows  int
		Total int
	}
	got := call[result](t, page, `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/');
		const error = await vantage.ready.then(() => '', (error) => error.message);
		const { hits, coverage } = await vantage.search({ query });
		vantage.close();
		return { error, hits: hits.length, rows: coverage.rows, total: coverage.total };
	}`, oppose)
	name, _ := bad.Load().(string)
	if name == "" || !strings.Contains(got.Error, filepath.Base(name)) || got.Hits != 10 || got.Rows == 0 || got.Rows >= got.Total {
		t.Errorf("%+v; the bad shard is %q", got, name)
	}
}

// The library gives up on a host that falls silent, before or within an answer,
// after half a minute. Here the clock runs a hundred times as fast. It does not
// give up on a slow host.
func TestSilentHost(t *testing.T) {
	t.Parallel()
	silent := func(which func(*http.Request) bool, sent int) answer {
		return func(w http.ResponseWriter, r *http.Request, content []byte) bool {
			if which(r) {
				if sent > 0 {
					w.Header().Set("Content-Length", strconv.Itoa(len(content)))
					w.Write(content[:sent])
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
			}
			return which(r)
		}
	}
	slow := func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		if !isManifest(r) {
			return false
		}
		for part := range slices.Chunk(content, len(content)/4) {
			w.Write(part)
			w.(http.Flusher).Flush()
			time.Sleep(150 * time.Millisecond)
		}
		return true
	}
	for _, c := range []struct {
		name    string
		mistake answer
		where   string
		message string
	}{
		{"no answer", silent(isManifest, 0), "open", "manifest.json: cannot be fetched"},
		{"half a file", silent(isVectors, 100), "ready", "after 100 bytes"},
		{"slow", slow, "", ""},
	} {
		page := open(t, serve(t, faulty(t, c.mistake)).URL("/"))
		page.Expect(`Failed to load resource`)
		got := call[map[string]seenFault](t, page, `async () => {
			const [now, wait] = [performance.now.bind(performance), setTimeout];
			performance.now = () => 100 * now();
			globalThis.setTimeout = (f, milliseconds, ...rest) => wait(f, milliseconds / 100, ...rest);
			const lib = await import('/lib/index.js');`+describeFault+`
			try {
				const vantage = await lib.Vantage.open('/collection/');
				return await vantage.ready.then(() => ({}), (error) => ({ ready: describe(error) }));
			} catch (error) {
				return { open: describe(error) };
			}
		}`)
		f, failed := got[c.where]
		if len(got) > 1 || failed != (c.where != "") || failed && (f.Name != "NetworkError" || !strings.Contains(f.Message, c.message) || !strings.Contains(f.Message, "nothing came from the host for 30 seconds")) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// shimURL is the shim as a data: address, which needs no request.
var shimURL = "data:application/wasm;base64," + base64.StdEncoding.EncodeToString(binary.Shim)

func TestEngineFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options map[string]any
		want    string
	}{
		{"no core", map[string]any{"core": "/lib/nowhere.wasm"}, "NetworkError"},
		{"core is a page", map[string]any{"core": "/"}, "FormatError"},
		{"core is another module", map[string]any{"core": "/lib/kernel.wasm"}, "VersionError"},
		{"core lacks everything", map[string]any{"core": shimURL}, "VersionError"},
		{"kernel lacks everything", map[string]any{"kernel": "/lib/core.wasm.gz"}, "VersionError"},
		{"too little memory", map[string]any{"maxBytes": 3 << 20}, "LimitError"},
		{"memory that is no number", map[string]any{"maxBytes": "1 GB"}, "InputError"},
		// With the shim in place of the kernel, calls go through a table that
		// is never filled: the first dot product traps in the middle of Go.
		{"kernel traps", map[string]any{"kernel": shimURL}, "LostInstanceError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, serve(t, bare(debates(t))).URL("/"))
			page.Expect(`Failed to load resource`)
			for _, worker := range []bool{true, false} {
				got := call[[]seenFault](t, page, `async (options, query) => {
					const lib = await import('/lib/index.js');`+describeFault+`
					try {
						const vantage = await lib.Vantage.open('/collection/', options);
						const first = await vantage.ready.then(() => vantage.search({ query })).catch((error) => error);
						const second = await vantage.search({ query }).catch((error) => error);
						vantage.close();
						return [first, second].map(describe);
					} catch (error) {
						return [describe(error)];
					}
				}`, merge(c.options, map[string]any{"worker": worker}), oppose)
				for _, f := range got {
					if f.Name != c.want || !f.Typed {
						t.Errorf("worker %v: %+v, want %s", worker, got, c.want)
						break
					}
				}
			}
		})
	}
}

func merge(a, b map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range []map[string]any{a, b} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}
