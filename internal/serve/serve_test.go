package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/sides"
)

func options(change func(*Options)) *Options {
	o := &Options{Dir: "site", Listen: "127.0.0.1:0", Encoding: Encoding{Log: "off", Limits: server.DefaultLimits()}}
	change(o)
	return o
}

func TestCheck(t *testing.T) {
	if err := options(func(*Options) {}).Check(); err != nil {
		t.Error(err)
	}
	for part, change := range map[string]func(o *Options){
		"DIR is missing":       func(o *Options) { o.Dir = "" },
		"--listen":             func(o *Options) { o.Listen = "here" },
		"--host":               func(o *Options) { o.Hosts = []string{"https://a.example"} },
		"--texts 0":            func(o *Options) { o.Encoding.Limits.Texts = 0 },
		"must not be negative": func(o *Options) { o.Encoding.Limits.Rate = -1 },
		"--tls-key":            func(o *Options) { o.Encoding.Certificate = "x" },
		"--otlp":               func(o *Options) { o.Encoding.Collector = "localhost" },
		`"https://a.net:443"`:  func(o *Options) { o.Encoding.Origins = []string{"https://a.net:443"} },
		`"http://a.net:80"`:    func(o *Options) { o.Encoding.Origins = []string{"http://a.net:80"} },
		`"https://ü.net"`:      func(o *Options) { o.Encoding.Origins = []string{"https://b.net:8443", "https://ü.net"} },
		"--origin":             func(o *Options) { o.Encoding.Origins = []string{"https://a.example/"} },
		"--trusted-proxy":      func(o *Options) { o.Encoding.Proxies = []string{"10.0.0.1"} },
		"--otlp: give":         func(o *Options) { o.Encoding.Collector = "http://user:secret@localhost" },
		"without a user name":  func(o *Options) { o.Encoding.Collector = "http://localhost?key=secret" },
		"--keys is for":        func(o *Options) { o.Encoding.Keys = "keys" },
		"--queue-tokens -100":  func(o *Options) { o.Encoding.Limits.QueueTokens = -100 },
	} {
		if err := options(change).Check(); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", part, err)
		}
	}
}

// A folder and a model are served at one address until the context ends.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o600), os.WriteFile(filepath.Join(dir, "keys"), []byte("# none\n\n one \n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	o := options(func(o *Options) {
		o.Dir, o.Encoding.Model, o.Encoding.Keys, o.Console = dir, model.Builtin, filepath.Join(dir, "keys"), console.New(io.Discard)
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err := o.Run(ctx, func(what, address string) error {
		defer stop()
		if want := dir + " and " + model.Builtin; what != want {
			t.Errorf("%s is served, not %s", what, want)
		}
		for path, want := range map[string]int{"": 200, "none": 404, "healthz": 200, "v1/models": 401} {
			r, err := http.Get(address + path)
			if err != nil {
				return err
			}
			if r.Body.Close(); r.StatusCode != want {
				t.Errorf("/%s: %d, want %d", path, r.StatusCode, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A file of keys may come from an editor that writes a byte order mark.
func TestKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("\ufeffalpha\r\n# none\r\n\r\n beta gamma \r\ndelta"), 0o600); err != nil {
		t.Fatal(err)
	}
	if keys, err := readKeys(t.Context(), file); err != nil || !slices.Equal(keys, []string{"alpha", "beta gamma", "delta"}) {
		t.Errorf("%q, %v", keys, err)
	}
}

// Files and models that cannot be used are input errors, and nothing is served.
func TestRunRefuses(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, []byte("# no key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(o *Options){
		"no folder":      func(o *Options) { o.Dir = filepath.Join(dir, "none") },
		"a file":         func(o *Options) { o.Dir = empty },
		"no keys":        func(o *Options) { o.Encoding.Model, o.Encoding.Keys = model.Builtin, empty },
		"no file":        func(o *Options) { o.Encoding.Model, o.Encoding.Keys = model.Builtin, filepath.Join(dir, "none") },
		"no model":       func(o *Options) { o.Encoding.Model = "nowhere" },
		"no certificate": func(o *Options) { o.Encoding.Certificate, o.Encoding.PrivateKey = empty, empty },
	} {
		o := options(func(o *Options) { o.Dir = dir; change(o) })
		err := o.Run(t.Context(), func(string, string) error { return errors.New("it is served") })
		if !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If the server cannot be made, nothing of what was started for it is left.
func TestRunLeavesNoTracing(t *testing.T) {
	o := options(func(o *Options) {
		o.Dir, o.Encoding.Model, o.Encoding.Collector = t.TempDir(), model.Builtin, "http://127.0.0.1:9"
		o.Encoding.Chat = chat.Settings{Model: "m", URL: "nowhere"}
	})
	err := o.Run(t.Context(), func(string, string) error { return errors.New("it is served") })
	if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "the chat model's address") {
		t.Errorf("%v", err)
	}
	wait.Until(t, "no goroutine sends spans", func() bool {
		stacks := make([]byte, 1<<20)
		return !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("opentelemetry.io/otel/sdk/trace"))
	})
}

// If nothing can be served with a model, its encode server has ended, too.
func TestRunLeavesNoServer(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	threads := runtime.GOMAXPROCS(0)
	for name, change := range map[string]func(o *Options){
		"the certificate is none": func(o *Options) { o.Encoding.Certificate, o.Encoding.PrivateKey = empty, empty },
		"no such address":         func(o *Options) { o.Listen = "192.0.2.1:0" },
		"the caller fails":        func(*Options) {},
	} {
		o := options(func(o *Options) {
			o.Dir, o.Encoding.Model, o.Console = "", model.Builtin, console.New(io.Discard)
			change(o)
		})
		if err := o.Run(t.Context(), func(string, string) error { return errors.New("the caller fails") }); err == nil {
			t.Errorf("%s: no error", name)
		}
		stacks := make([]byte, 1<<20)
		if bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("server.(*queue).next")) {
			t.Errorf("%s: the server's goroutines wait for texts", name)
		}
		if now := runtime.GOMAXPROCS(0); now != threads {
			t.Errorf("%s: there were %d threads, and now there are %d", name, threads, now)
		}
	}
}

// A bare collection gets a page, and so does a site without one. Damage is reported, and
// other files are served as they are.
func TestFiles(t *testing.T) {
	ctx := t.Context()
	bare := filepath.Join(t.TempDir(), "c")
	document := func(yield func(vantage.Document, error) bool) { yield(vantage.Document{ID: "1", Text: "one"}, nil) }
	model := vantage.Model{ID: "mine", Revision: "1"}
	if _, err := vantage.Index(ctx, document, bare, vantage.IndexOptions{Vectors: &vantage.Vectors{Model: model, Dim: 2, Data: []float32{1, 0}}}); err != nil {
		t.Fatal(err)
	}
	site, torn, damaged, other := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	if err := errors.Join(
		os.CopyFS(filepath.Join(site, "collection"), os.DirFS(bare)),
		os.WriteFile(filepath.Join(site, "manifest.json"), []byte(`{"name":"an app"}`), 0o600),
		os.WriteFile(filepath.Join(torn, "manifest.json"), []byte(`{"format":"vantage-coll`), 0o600),
		os.Mkdir(filepath.Join(damaged, "collection"), 0o700),
		os.WriteFile(filepath.Join(damaged, "collection", "manifest.json"), []byte(`{"format":"vantage-coll`), 0o600),
		os.WriteFile(filepath.Join(other, "a.txt"), []byte("a"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	served := &encoder.Info{ID: "mine", Revision: "1"}
	for name, c := range map[string]struct {
		dir, read, has, warns string
		fails                 error
	}{
		"a collection":        {dir: bare, read: "index.html", has: `"server":"./"`},
		"its lab":             {dir: bare, read: "lab.html", has: `"server":"./"`},
		"its manifest":        {dir: bare, read: "collection/manifest.json", has: `"mine"`},
		"a site without page": {dir: site, read: "index.html", has: `"server":"./"`},
		"its own manifest":    {dir: site, read: "collection/manifest.json", has: `"mine"`},
		"something else":      {dir: other, read: "a.txt", has: "a", warns: "neither a page"},
		"a torn manifest":     {dir: torn, fails: fault.Input},
		"one inside":          {dir: damaged, fails: fault.Input},
	} {
		var told strings.Builder
		o := options(func(o *Options) { o.Dir, o.Console = c.dir, console.New(&told) })
		files, err := o.files(ctx, os.DirFS(c.dir), served)
		if c.fails != nil {
			if !errors.Is(err, c.fails) || !strings.Contains(err.Error(), c.dir) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		content, err := fs.ReadFile(files, c.read)
		if err != nil || !strings.Contains(string(content), c.has) || !strings.Contains(told.String(), c.warns) || c.warns == "" && told.Len() > 0 {
			t.Errorf("%s: %v, %q; told %q", name, err, content[:min(len(content), 200)], told.String())
		}
	}
}

// A folder with a ColBERT is served with a warning, because a text gets one vector.
func TestAveragesAreTold(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.WriteColBERT(dir, 1, 16); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	o := options(func(o *Options) {
		o.Dir, o.Encoding.Model, o.Encoding.Log, o.Console = "", dir, "off", console.New(&told)
	})
	ctx, stop := context.WithCancel(t.Context())
	if err := o.Run(ctx, func(string, string) error { stop(); return nil }); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "warning: "+filepath.Base(dir)+" gives a vector for each token (ColBERT): they are averaged") {
		t.Errorf("told %q", told.String())
	}
}

// A server gives a text one vector. So a pack that gives each token one is refused, and the page of
// a collection of such vectors does not ask the server, even if that has the same model.
func TestVectorsOfTokens(t *testing.T) {
	pack := late.Pack(t)
	o := options(func(o *Options) { o.Dir, o.Encoding.Model, o.Console = "", pack, console.New(io.Discard) })
	err := o.Run(t.Context(), func(string, string) error { return errors.New("it is served") })
	if !errors.Is(err, fault.Unsupported) || !strings.HasPrefix(err.Error(), pack+": the pack ") || !strings.Contains(err.Error(), "gives each token a vector (ColBERT), and none to a whole text") {
		t.Error(err)
	}
	dir := t.TempDir()
	e, _ := late.Packed(t, dir, 4)
	var told strings.Builder
	o = options(func(o *Options) { o.Dir, o.Console = dir, console.New(&told) })
	served := &encoder.Info{ID: e.Info().ID, Revision: e.Info().Revision}
	files, err := o.files(t.Context(), os.DirFS(dir), served)
	if err != nil {
		t.Fatal(err)
	}
	page, err := fs.ReadFile(files, "index.html")
	if err != nil || len(page) == 0 || strings.Contains(string(page), `"server":"./"`) || !strings.Contains(told.String(), "ranked by the vectors of tokens (maxsim)") {
		t.Errorf("%d bytes, %v, told %q", len(page), err, told.String())
	}
}

// A page does not ask a server whose prompt for queries is another than the collection's.
func TestPageNeedsPrompts(t *testing.T) {
	served := &encoder.Info{ID: "m", Revision: "r", Prompts: map[string]string{"query": "q: "}}
	for name, c := range map[string]struct {
		of   vantage.Model
		asks bool
	}{
		"the same":             {vantage.Model{Architecture: "bert", Prompts: map[string]string{"query": "q: ", "document": "d: "}}, true},
		"another":              {vantage.Model{Architecture: "bert", Prompts: map[string]string{"query": "Q: "}}, false},
		"none":                 {vantage.Model{Architecture: "bert"}, false},
		"not stated":           {vantage.Model{Architecture: manifest.Unstated}, true},
		"of an unknown maker":  {vantage.Model{}, true},
		"another of that kind": {vantage.Model{Prompts: map[string]string{"query": "Q: "}}, false},
	} {
		c.of.ID, c.of.Revision = "m", "r"
		var told strings.Builder
		page := (&Encoding{}).page(served, &vantage.Description{Model: c.of}, console.New(&told))
		if (page.Server == "./") != c.asks || strings.Contains(told.String(), "give the collection's with --prompt") == c.asks {
			t.Errorf("%s: %+v, told %q", name, page, told.String())
		}
	}
}

// The bundled pack is served by its name, a copy of it by its folder, and both tell sides.
func TestRunPack(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, sides.Files()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Sides, folder} {
		o := options(func(o *Options) { o.Dir, o.Encoding.Model, o.Console = "", name, console.New(io.Discard) })
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		err := o.Run(ctx, func(_, address string) error {
			defer stop()
			r, err := http.Post(address+"v1/sides", "application/json", strings.NewReader(`{"root": "Zoos should be closed", "texts": ["Zoos are cruel: animals suffer in cages."]}`))
			if err != nil {
				return err
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			if !strings.Contains(string(body), `"side":"for"`) || !strings.Contains(string(body), `"model":"vantage-sides"`) {
				t.Errorf("%s: %s", name, body)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	o := options(func(o *Options) { o.Dir, o.Encoding.Model, o.Encoding.Int8 = "", Sides, true })
	if err := o.Run(t.Context(), nil); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "--int8") {
		t.Error(err)
	}
}
