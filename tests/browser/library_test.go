package browser

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// Lengths around the block and padding boundaries of SHA-256.
var hashLengths = []int{0, 1, 3, 55, 56, 57, 63, 64, 65, 111, 112, 119, 120, 127, 128, 1000, 1 << 20}

func TestSHA256(t *testing.T) {
	t.Parallel()
	r := seeded()
	for _, c := range []struct {
		name   string
		url    func(*harness.Server) string
		secure bool
	}{
		{"secure context", func(s *harness.Server) string { return s.URL("/") }, true},
		{"plain http", func(s *harness.Server) string { return s.PlainURL("/") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, c.url(serve(t, harness.WithPolicy(site()))))
			if got := call[bool](t, page, `() => crypto.subtle !== undefined`); got != c.secure {
				t.Fatalf("crypto.subtle is there: %v, expected %v", got, c.secure)
			}
			for _, n := range hashLengths {
				data := make([]byte, n)
				for i := range data {
					data[i] = byte(r.Uint32())
				}
				sum := sha256.Sum256(data)
				got := call[string](t, page, `async (data) => {
					const { sha256 } = await import('/static/src/collection/sha256.js');
					const { bytes } = await import('/test/base64.js');
					return sha256(bytes(data));
				}`, data)
				if want := hex.EncodeToString(sum[:]); got != want {
					t.Errorf("%d bytes: %s, want %s", n, got, want)
				}
			}
		})
	}
}

func TestGunzip(t *testing.T) {
	t.Parallel()
	page := library(t)
	content := bytes.Repeat([]byte("a perspective is a side to see it from. "), 10000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(content)
	z.Close()
	damaged := bytes.Clone(packed.Bytes())
	damaged[len(damaged)-6] ^= 1 // in the CRC
	for _, c := range []struct {
		name  string
		data  []byte
		limit int
		want  string // error code; "": the content is returned; "free": 16 MB of zeros are
	}{
		{"packed", packed.Bytes(), len(content), ""},
		{"not packed", content, len(content), ""},
		{"one byte over the limit", packed.Bytes(), len(content) - 1, "limit"},
		{"not packed, over the limit", content, 10, "limit"},
		{"cut off", packed.Bytes()[:packed.Len()/2], len(content), "format"},
		{"damaged", damaged, len(content), "format"},
		{"only the mark", []byte{0x1f, 0x8b}, 10, "format"},
		{"empty", nil, 0, ""},
		{"16 MB, to which any file may unpack", zipped(string(make([]byte, 16<<20))), 1 << 30, "free"},
		{"17 MB, too many for its compressed length", zipped(string(make([]byte, 17<<20))), 1 << 30, "limit"},
	} {
		type answer struct {
			Code   string
			SHA256 string
		}
		got := call[answer](t, page, `async (data, limit) => {
			const { gunzip } = await import('/static/src/collection/gunzip.js');
			const { sha256 } = await import('/static/src/collection/sha256.js');
			const { bytes } = await import('/test/base64.js');
			try {
				return { sha256: await sha256(await gunzip(bytes(data ?? ''), limit, 'test')) };
			} catch (error) {
				return { code: error.code ?? String(error) };
			}
		}`, c.data, c.limit)
		sum := sha256.Sum256(content)
		switch {
		case c.data == nil:
			sum = sha256.Sum256(nil)
		case c.want == "free":
			sum, c.want = sha256.Sum256(make([]byte, 16<<20)), ""
		}
		if got.Code != c.want || c.want == "" && got.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: %+v, want code %q", c.name, got, c.want)
		}
	}
}

// What is too long is refused by the length that a collection announced, or else by the one that may be read.
func TestGunzipTooLong(t *testing.T) {
	t.Parallel()
	const some = "test: longer than 10 bytes, packed or unpacked: is it the right file?"
	page := library(t)
	content := bytes.Repeat([]byte("a"), 100)
	for _, c := range []struct {
		data  []byte
		exact bool
		want  string
	}{{content, false, some}, {zipped(string(content)), false, some}, {zipped(string(content)), true, "test: longer than the 10 bytes it was announced with: upload the file again"}} {
		got := call[string](t, page, `async (data, exact) => {
			const { gunzip } = await import('/static/src/collection/gunzip.js');
			const { bytes } = await import('/test/base64.js');
			return gunzip(bytes(data), 10, 'test', exact).then(String, (error) => error.message);
		}`, c.data, c.exact)
		if got != c.want {
			t.Errorf("%t: %s, want %s", c.exact, got, c.want)
		}
	}
}

// Numbers in JSON must have exactly the digits that the command prints.
func TestShortestFloat32(t *testing.T) {
	t.Parallel()
	page := library(t)
	var bits []uint32
	for exponent := range uint32(255) { // every power of two and its neighbours
		for _, mantissa := range []uint32{0, 1, 2, 0x7fffff, 0x7ffffe} {
			bits = append(bits, exponent<<23|mantissa)
		}
	}
	for i := range uint32(23) { // denormal powers of two
		bits = append(bits, 1<<i)
	}
	r := seeded()
	for range 10000 {
		b := r.Uint32()
		if b&0x7f800000 != 0x7f800000 {
			bits = append(bits, b)
		}
	}
	for range 2000 { // typical scores
		bits = append(bits, math.Float32bits(2*r.Float32()-1))
	}
	for _, v := range []float32{0, 1, -1, 10, 0.1, 1e6, 1e21, 1e-6, 1e-7, 16777216, 16777218, 123456.7, 999999.9} {
		bits = append(bits, math.Float32bits(v))
	}
	got := call[[]string](t, page, `async (bits) => {
		const { shortest } = await import('/static/src/query/float32.js');
		const floats = new Float32Array(Uint32Array.from(bits).buffer);
		return Array.from(floats, (f) => JSON.stringify(shortest(f)));
	}`, bits)
	for i, b := range bits {
		v := math.Float32frombits(b)
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if v == 0 || v == 0x1p-12 || v == -0x1p-12 {
			// JSON.stringify drops the sign of zero. 2⁻¹² is half-way between
			// two shortest decimals, and Go's versions differ in which they
			// choose.
			continue
		}
		if got[i] != string(want) {
			t.Errorf("%08x: %s, Go prints %s", b, got[i], want)
		}
	}
}

func TestMethodsAgreeWithGo(t *testing.T) {
	t.Parallel()
	type method struct {
		Name    string
		Aliases []string
		Summary string
		Formula string
		Needs   []string
		Lambda  bool

		Angles   int
		Strength float64
	}
	var want []method
	for _, m := range perspective.Methods() {
		needs := []string{}
		if m.NeedsRoot {
			needs = append(needs, "root")
		}
		if m.NeedsPerspective {
			needs = append(needs, "perspective")
		}
		want = append(want, method{m.Name, append([]string{}, m.Aliases...), m.Summary, m.Formula, needs, m.Lambda, m.Angles, m.Strength})
	}
	got := call[[]method](t, library(t), `async () => (await import('/static/src/index.js')).METHODS`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("METHODS differs from perspective:\n%+v\nwant\n%+v", got, want)
	}
}

// The types list each kind of perspective, and the page has words for it.
func TestKindsAgreeWithGo(t *testing.T) {
	t.Parallel()
	for file, form := range map[string]string{"lib/index.d.ts": "  | '%s'", "demo/parts/kinds.js": "\n  %s: '"} {
		content, err := os.ReadFile(filepath.Join(harness.Root(), "static", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range perspective.Kinds()[1:] {
			if line := fmt.Sprintf(form, kind); !strings.Contains(string(content), line) {
				t.Errorf("static/%s has no line %q", file, line)
			}
		}
	}
}

// The hand-written types of modules declare what these export, no less and no more.
func TestTypesMatchExports(t *testing.T) {
	t.Parallel()
	page := library(t)
	var declarations func(module string) []string
	declarations = func(module string) (declared []string) {
		types, err := os.ReadFile(filepath.Join(harness.Root(), "static", "lib", module+".d.ts"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^export (?:class|function|const|\{) ?(\w+)`).FindAllStringSubmatch(string(types), -1) {
			declared = append(declared, m[1])
		}
		for _, m := range regexp.MustCompile(`(?m)^export \* from '\./(.+)\.js'`).FindAllStringSubmatch(string(types), -1) {
			declared = append(declared, declarations(m[1])...)
		}
		return declared
	}
	files, err := filepath.Glob(filepath.Join(harness.Root(), "static", "lib", "*.d.ts"))
	if err != nil || len(files) < 6 {
		t.Fatalf("only %q: %v", files, err)
	}
	for _, file := range files {
		module := strings.TrimSuffix(filepath.Base(file), ".d.ts")
		declared := declarations(module)
		exported := call[[]string](t, page, `async (module) => Object.keys(await import('/static/lib/' + module + '.js'))`, module)
		slices.Sort(declared)
		slices.Sort(exported)
		if !slices.Equal(declared, exported) {
			t.Errorf("%s: declared %v, exported %v", module, declared, exported)
		}
	}
}

// The library has a class for each kind of fault, and every other class of errors
// extends one of these.
func TestKindsOfFaults(t *testing.T) {
	t.Parallel()
	type class struct{ Code, Kind, Extends string }
	got := call[map[string]class](t, library(t), `async () => {
		const [lib, server] = await Promise.all(['index', 'server'].map((name) => import('/static/lib/' + name + '.js')));
		const classes = Object.entries({ ...lib, ...server }).filter(([, value]) => value.prototype instanceof lib.VantageError);
		return Object.fromEntries(classes.map(([name, type]) => {
			const error = new type('text');
			return [name, { code: error.code, kind: error.kind, extends: Object.getPrototypeOf(type).label }];
		}));
	}`)
	kinds := map[fault.Kind]string{}
	for _, f := range fault.Table {
		kinds[f.Kind] = f.Class
		if want := (class{string(f.Kind), string(f.Kind), "VantageError"}); got[f.Class] != want {
			t.Errorf("%s is %v, want %v", f.Class, got[f.Class], want)
		}
		delete(got, f.Class)
	}
	for name, c := range got {
		if kinds[fault.Kind(c.Kind)] != c.Extends {
			t.Errorf("%s extends %s and is of the kind %q", name, c.Extends, c.Kind)
		}
	}
	if len(got) < 6 {
		t.Errorf("only %d classes beside those of kinds: the test reads something else", len(got))
	}
}

// A query's text is encoded once, in whichever part of a query it comes, until newer ones take
// its room. Documents are encoded each time. What the page gets is its own.
func TestQueriesAreRemembered(t *testing.T) {
	t.Parallel()
	type answer struct {
		Firsts []float32
		Asked  [][]string
	}
	got := call[answer](t, library(t), `async () => {
		const { remembering } = await import('/static/src/collection/asked.js');
		const asked = [];
		const encode = remembering(async (texts, role) => {
			asked.push([role, ...texts]);
			return texts.map((text) => ({ vector: Float32Array.of(text.length) }));
		});
		await encode([], 'query');
		const [a] = await encode(['one'], 'query');
		a.vector[0] = 7;
		const more = await encode(['three', 'one', 'seventh'], 'root');
		const same = await encode(['seventh', 'three'], 'perspective');
		await encode(['one'], 'document');
		await encode(['x'.repeat(600_000)], 'query');
		const late = await encode(['one'], 'query');
		const firsts = [...more, ...same, ...late].map(({ vector }) => vector[0]);
		return { firsts, asked: asked.map((list) => list.map((text) => text.slice(0, 8))) };
	}`)
	want := answer{[]float32{5, 3, 7, 7, 5, 3}, [][]string{
		{"query"}, {"query", "one"}, {"root", "three", "seventh"}, {"document", "one"}, {"query", "xxxxxxxx"}, {"query", "one"},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// null in a document is what Go takes it for: a field that is missing.
func TestNullInADocument(t *testing.T) {
	t.Parallel()
	got := call[string](t, library(t), `async () => {
		const { Store } = await import('/static/src/collection/store.js');
		const store = new Store(new URL(location), { documents: 2, docs: [{ path: 'x', first: 0, count: 2 }] });
		store.blocks.set(0, ['{}', '{"_id":null,"title":null,"text":null,"metadata":null}'], 1);
		return JSON.stringify(await store.documents([0, 1]));
	}`)
	const one = `{"_id":"","title":"","text":"","metadata":{}}`
	if want := "[" + one + "," + one + "]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A file of columns with a header of other JSON has an error that names the file.
func TestColumnsHeader(t *testing.T) {
	t.Parallel()
	headers := map[string]string{
		"good":             `{"__metadata__": {}, "0": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}, "1": {"dtype": "U32", "shape": [2], "data_offsets": [8, 16]}}`,
		"null":             `null`,
		"no tensor":        `{"0": null}`,
		"no shape":         `{"0": {"dtype": "F64", "data_offsets": [0, 8]}}`,
		"no offsets":       `{"0": {"dtype": "F64", "shape": [1]}}`,
		"offsets 5":        `{"0": {"dtype": "F64", "shape": [1], "data_offsets": 5}}`,
		"shape 5":          `{"0": {"dtype": "F64", "shape": 5, "data_offsets": [0, 8]}}`,
		"shape of text":    `{"0": {"dtype": "F64", "shape": "1", "data_offsets": [0, 8]}}`,
		"end in between":   `{"0": {"dtype": "F64", "shape": [0.9375], "data_offsets": [0, 7.5]}}`,
		"begin in between": `{"0": {"dtype": "F64", "shape": [1], "data_offsets": [0.5, 8.5]}}`,
		"negative":         `{"0": {"dtype": "F64", "shape": [-1], "data_offsets": [8, 0]}}`,
		"before the data":  `{"0": {"dtype": "F64", "shape": [1], "data_offsets": [-8, 0]}}`,
		"behind the data":  `{"0": {"dtype": "F64", "shape": [1], "data_offsets": [9, 17]}}`,
		"two shapes":       `{"0": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8]}}`,
		"overlap":          `{"0": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}, "1": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}}`,
	}
	got := call[map[string]string](t, library(t), `async (headers) => {
		const { readColumns } = await import('/static/src/collection/safetensors.js');
		const told = {};
		for (const [name, header] of Object.entries(headers)) {
			const length = new Uint8Array(8);
			new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true);
			try {
				told[name] = String([...readColumns(new Uint8Array([...length, ...new TextEncoder().encode(header), ...new Uint8Array(16)]), 'x')]);
			} catch (error) {
				told[name] = error.name + ': ' + error.message;
			}
		}
		return told;
	}`, headers)
	for name := range headers {
		if name == "good" {
			if got[name] != "0,0,1,0,0" {
				t.Errorf("%s: %q", name, got[name])
			}
		} else if !strings.HasPrefix(got[name], "FormatError: x: ") {
			t.Errorf("%s: %q is not a FormatError that names the file", name, got[name])
		}
	}
}
