package browser

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// wirePage opens an empty page that can import wire.js.
func wirePage(t *testing.T) *harness.Page {
	mux := http.NewServeMux()
	mux.Handle("/", harness.Static())
	mux.HandleFunc("/{$}", harness.Blank)
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	return open(t, serve(t, mux).URL("/"))
}

// checkGolden decodes the server's golden frames, encodes the client's, and
// returns the differences.
const checkGolden = `async (files, want) => {
	const wire = { ...(await import('/src/constants.js')), ...(await import('/src/server/wire.js')) };
	const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
	const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (d) => parseInt(d, 16));
	const name = (table, value) => Object.keys(table).find((key) => table[key] === value);
	const encode = {
		hello: (f) => wire.encodeHello(bytes(f.token)), cancel: (f) => wire.encodeCancel(f.id), ack: (f) => wire.encodeAck(f.id),
		encode: (f) => wire.encodeTexts({ ...f, role: name(wire.ROLE, f.role), dtype: name(wire.DTYPE, f.dtype) }),
		resume: (f) => wire.encodeResume(f.id, f.count, f.have), ping: (f) => wire.encodePing(bytes(f.nonce)),
	};
	const wrong = [];
	let decoded = 0;
	for (const [file, source] of Object.entries(files)) {
		const frame = bytes(source.replace(/#.*/g, '').replace(/\s+/g, ''));
		const expected = want[file];
		if (expected && encode[expected.type]) {
			const got = hex(encode[expected.type](expected));
			if (got !== hex(frame)) wrong.push(file + ' is written as ' + got);
			continue;
		}
		let got;
		try {
			got = wire.decode(frame.buffer);
		} catch (error) {
			if (expected || !(error instanceof wire.WireError)) wrong.push(file + ': ' + error);
			continue;
		}
		if (!expected) {
			wrong.push(file + ' is taken for ' + JSON.stringify(got));
			continue;
		}
		decoded++;
		if (got.components && got.components.buffer !== frame.buffer) wrong.push(file + ': the vector was copied');
		for (const key of ['token', 'nonce']) if (got[key]) got[key] = hex(got[key]);
		if (got.components) {
			got.values = [...wire.floats(got)].map((v) => v + 0);
			delete got.components;
		}
		const sorted = (value) => JSON.stringify(value, (_, v) => (v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v));
		if (sorted(got) !== sorted(expected)) wrong.push(file + ': ' + sorted(got));
		for (let n = 0; n < frame.length; n++) {
			try {
				wire.decode(frame.slice(0, n).buffer);
				wrong.push(n + ' bytes of ' + file + ' are a frame');
			} catch (error) {
				if (!(error instanceof wire.WireError)) wrong.push(n + ' bytes of ' + file + ': ' + error);
			}
		}
	}
	if (decoded < 8) wrong.push(decoded + ' frames decoded');
	return wrong;
}`

func TestWireGoldenFrames(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(harness.Root(), "internal", "server", "wire", "testdata")
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d golden frames (%v)", len(paths), err)
	}
	files := map[string]string{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(path), ".txt")] = string(b)
	}
	b, err := os.ReadFile(filepath.Join(dir, "frames.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range call[[]string](t, wirePage(t), checkGolden, files, json.RawMessage(b)) {
		t.Error(wrong)
	}
}

// Both sides accept or refuse the same damaged frames, and decode all 65,536
// half-precision numbers alike.
func TestWireAgrees(t *testing.T) {
	t.Parallel()
	page := wirePage(t)
	seeds := []wire.Frame{
		wire.NewVector(1, 2, []float32{1, 2, 3}, wire.F32), wire.NewVector(1, 2, []float32{1, 2, 3}, wire.F16), wire.NewVector(1, 2, []float32{1, 2, 3}, wire.Int8),
		&wire.Fault{ID: 3, Index: 1, Code: wire.CodeDeadline, Message: "ü"}, &wire.Done{ID: 4}, &wire.Pong{}, &wire.Goodbye{Retry: 9},
		&wire.Welcome{Facts: []byte(`{"a":[1,"ü"]}`)},
	}
	var messages []string
	var taken []bool
	for _, seed := range seeds {
		whole := seed.Append(nil)
		for at := range whole {
			for _, flip := range []byte{1, 2, 4, 0x80, 0xff} {
				b := append([]byte(nil), whole...)
				b[at] ^= flip
				_, err := wire.Parse(b)
				messages = append(messages, base64.StdEncoding.EncodeToString(b))
				taken = append(taken, err == nil && b[2] >= 0x80) // below are frames of clients
			}
		}
	}
	got := call[[]bool](t, page, `async (messages) => {
		const { decode, WireError } = await import('/src/server/wire.js');
		return messages.map((message) => {
			try {
				decode(Uint8Array.from(atob(message), (c) => c.charCodeAt(0)).buffer);
				return true;
			} catch (error) {
				if (!(error instanceof WireError)) throw error;
				return false;
			}
		});
	}`, messages)
	count := 0
	for i := range messages {
		if got[i] != taken[i] {
			t.Errorf("%s: the page accepts it: %v, Go: %v", messages[i], got[i], taken[i])
		}
		if taken[i] {
			count++
		}
	}
	if count < 100 || count > len(messages)-100 {
		t.Errorf("%d of %d frames are well formed: the test shows too little", count, len(messages))
	}
	halves := call[[]*float64](t, page, `async () => {
		const { floats } = await import('/src/server/wire.js');
		return [...floats({ dtype: 2, scale: 1, components: Uint16Array.from({ length: 65536 }, (_, i) => i) })].map((v) => (Number.isFinite(v) ? v : null));
	}`)
	for i, got := range halves {
		v := &wire.Vector{DType: wire.F16, Scale: 1, Payload: []byte{byte(i), byte(i >> 8)}}
		want := float64(v.Floats()[0])
		if finite := want-want == 0; finite != (got != nil) || finite && *got != want {
			t.Errorf("half %#04x: %v, not %v", i, got, want)
		}
	}
}
