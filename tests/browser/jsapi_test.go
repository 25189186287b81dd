package browser

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// hosted is a script for Node.js: it imports the library and can hold back files of a collection.
const hosted = `
import fs from 'node:fs';
import http from 'node:http';
const [lib, site] = process.argv.slice(2);
const { Vantage } = await import(lib);
let held = () => false;
const server = http.createServer((request, response) => {
	if (held(request.url)) return;
	fs.readFile(site + decodeURI(request.url), (error, content) => response.writeHead(error ? 404 : 200).end(content));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = 'http://127.0.0.1:' + server.address().port + '/collection/';
const out = {};
const kept = async (name, made) => { out[name] = await made().catch((error) => error.code + ': ' + error.message); };
`

const hostedEnd = `
server.closeAllConnections();
server.close();
console.log(JSON.stringify(out));
`

// inNode runs a script between hosted and hostedEnd.
func inNode(t *testing.T, site, script string) map[string]any {
	t.Helper()
	lib := "file://" + filepath.Join(tools.Root(), "static/lib/index.js")
	main := filepath.Join(t.TempDir(), "main.mjs")
	if err := os.WriteFile(main, []byte(hosted+script+hostedEnd), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tools.Node(t), main, lib, site)
	var faults bytes.Buffer
	cmd.Stderr = &faults
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, faults.String())
	}
	var out map[string]any
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return out
}

// The signal of open ends the loading of the encoder, and no later search: words answer, and what a query needs is fetched.
func TestOpenCancelled(t *testing.T) {
	t.Parallel()
	got := inNode(t, worded(t), `
for (const worker of [false, true]) for (const pending of ['encoder', 'nothing']) {
	const stop = new AbortController();
	held = (path) => path.includes('/' + pending + '/');
	const vantage = await Vantage.open(url, { worker, signal: stop.signal });
	if (pending === 'nothing') await vantage.ready;
	else while (vantage.coverage.rows < vantage.coverage.total) await new Promise((resolve) => setTimeout(resolve, 20));
	stop.abort();
	held = () => false;
	await vantage.ready.catch(() => {});
	const name = pending + (worker ? ' in a worker: ' : ': ');
	await kept(name + 'search', async () => { const { method, notice = '', hits } = await vantage.search({ query: 'night trains' }); return (method === 'bm25') + notice.slice(0, 41) + hits.length; });
	await kept(name + 'words', async () => (await vantage.search({ query: 'homework', method: 'bm25' })).hits.length > 0);
	await kept(name + 'encode', async () => (await vantage.encode('x')).encodedBy);
	vantage.close();
}`)
	const cancelled = "the loading of the encoder was cancelled"
	for _, where := range []string{": ", " in a worker: "} {
		for name, want := range map[string]any{
			"encoder" + where + "search": "true" + cancelled + ":10", "encoder" + where + "words": true, "encoder" + where + "encode": "unavailable: " + cancelled,
			"nothing" + where + "search": "false10", "nothing" + where + "words": true, "nothing" + where + "encode": "engine",
		} {
			if got[name] != want {
				t.Errorf("%s: %v, want %v", name, got[name], want)
			}
		}
	}
}

// Encoding in the calling thread lets timers run, so that signals cancel it; threads take Files; and options that would be
// ignored are refused.
func TestCallsInNode(t *testing.T) {
	t.Parallel()
	got := inNode(t, debates(t), `
const vantage = await Vantage.open(url, { worker: false });
await vantage.ready;
let ticks = 0;
const timer = setInterval(() => ticks++, 10);
const texts = Array.from({ length: 20_000 }, (_, i) => 'a text about trains and subsidies '.repeat(20) + i);
const cancelled = { signal: AbortSignal.timeout(300) };
await kept('add', () => vantage.add(texts.map((text, i) => ({ id: 'q' + i, text })), cancelled).then(() => 'added', (error) => error.name));
cancelled.signal = AbortSignal.timeout(300);
await kept('rerank', () => vantage.rerank(texts, { query: 'x', ...cancelled }).then(() => 'ranked', (error) => error.name));
clearInterval(timer);
out.ticks = ticks > 0;
await kept('rescore', () => vantage.rerank(['a'], { query: 'x', rescore: 3 }));
await kept('contextLambda', () => vantage.rerank(['a'], { query: 'x', contextLambda: 0.5 }));
vantage.close();
for (const worker of [false, true]) {
	const engine = await Vantage.create({ encoder: null, worker });
	const [qrels, run] = [new File(['1 0 a 1\n2 0 a 1\n'], 'q'), new File(['1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n'], 'r')];
	await kept('evaluate ' + worker, async () => (await engine.evaluate({ qrels, run, measures: ['map'] })).run);
	await kept('compare ' + worker, async () => (await engine.compare({ qrels, runs: [run, run], measures: ['map'] })).length);
	const questions = { vectors: [[9, 0], [0, 1]], queries: [[1, 4]], methods: ['none'] };
	await kept('dot ' + worker, async () => (await engine.rankings({ ...questions, score: 'dot' })).none.join());
	await kept('maxsim ' + worker, () => engine.rankings({ ...questions, score: 'maxsim' }));
	engine.close();
}`)
	want := map[string]any{"add": "TimeoutError", "rerank": "TimeoutError", "ticks": true}
	for _, in := range []string{"false", "true"} {
		want["evaluate "+in], want["compare "+in], want["dot "+in] = "r", 1.0, "0,1"
	}
	for name, prefix := range map[string]string{"rescore": "query: rescore: ", "contextLambda": "query: rerank: contexts ", "maxsim false": "query: score ", "maxsim true": "query: score "} {
		if message, _ := got[name].(string); !strings.HasPrefix(message, prefix) {
			t.Errorf("%s: %v", name, got[name])
		}
		delete(got, name)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
