package browser

import (
	"slices"
	"strconv"
	"testing"
)

// A killed worker is replaced: calls under way fail, and later queries are
// answered, including documents added before.
func TestKilledWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	type round struct {
		Under, Again    seenFault
		IDs             []string
		Rows, Total     int
		Document, Moved string
	}
	got := call[struct {
		Before []string
		Rounds []round
	}](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const workers = [];
		globalThis.Worker = class extends Worker {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		const vantage = await lib.Vantage.open('/collection/', { patience: 1000 });
		await vantage.ready;
		const [best] = (await vantage.search({ query })).hits;
		const indexes = await vantage.add([{ id: 'gone', text: 'a' }, { id: 'note', text: 'Night trains deserve public subsidy', metadata: { stance: 'unheard of' } }]);
		await vantage.remove(['gone', best.id]);
		const ask = async (rest) => (await vantage.search({ query, k: 30, ...rest })).hits.map((hit) => hit.id);
		const before = await ask();
		const rounds = [];
		for (let i = 0; i < 3; i++) {
			workers.at(-1).terminate();
			const under = await ask().then(() => null, (error) => error);
			const ids = await ask();
			const { coverage } = vantage;
			const [document] = await vantage.documents([indexes[1]]);
			const moved = (await vantage.search({ query, filter: { stance: 'unheard of' } })).hits.map((hit) => hit.id + ' ' + (hit.index - indexes[1]));
			rounds.push({ under: describe(under), ids, rows: coverage.rows, total: coverage.total, document: document._id, moved: moved.join() });
		}
		vantage.close();
		return { before, rounds };
	}`, oppose)
	for i, r := range got.Rounds {
		if r.Under.Name != "LostInstanceError" || !slices.Equal(r.IDs, got.Before) || r.Rows != debatesRows || r.Total != debatesRows || r.Document != "note" || r.Moved != "note 0" {
			t.Errorf("round %d: %+v, want the answer %q", i, r, got.Before)
		}
	}
	if len(got.Rounds) != 3 || !slices.Contains(got.Before, "note") || slices.Contains(got.Before, "gone") {
		t.Errorf("%+v", got)
	}
}

// A crashed engine is replaced. The engine runs in the page, so that the test can
// make one search trap.
func TestCrashedEngineIsReplaced(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	got := call[[]seenFault](t, page, `async (query) => {
		const lib = await import('/static/src/index.js');
		const { Core } = await import('/static/src/engine/core.js');`+describeFault+`
		const out = [];
		const vantage = await lib.Vantage.open('/collection/', { worker: false });
		await vantage.ready;
		await vantage.search({ query });
		const { call } = Core.prototype;
		Core.prototype.call = function (name, ...args) {
			if (name === 'index_search') this.exports = { ...this.exports, index_search: () => { throw new WebAssembly.RuntimeError('unreachable'); } };
			return call.call(this, name, ...args);
		};
		out.push(describe(await vantage.search({ query }).catch((error) => error)));
		Core.prototype.call = call;
		out.push({ code: String((await vantage.search({ query })).coverage.rows) });
		vantage.close();
		return out;
	}`, oppose)
	if got[0].Name != "LostInstanceError" || got[1].Code != strconv.Itoa(debatesRows) {
		t.Errorf("%+v", got)
	}
}

// A crash reports the functions on its stack by number, because the core has no
// names.
func TestCrashNumbersFunctions(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	got := call[[]string](t, page, `async () => {
		const { stack } = await import('/static/src/engine/gojs.js');
		// Function 0 is unreachable; function 1, exported as f, calls it.
		const trap = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 3, 2, 0, 0, 7, 5, 1, 1, 0x66, 0, 1, 10, 10, 2, 3, 0, 0, 0x0b, 4, 0, 0x10, 0, 0x0b]);
		const { instance } = await WebAssembly.instantiate(trap);
		try {
			instance.exports.f();
		} catch (error) {
			return [stack(error), stack(new Error('no'))];
		}
	}`)
	if len(got) != 2 || got[0] != "\nfunctions: 0 1" || got[1] != "" {
		t.Errorf("%q", got)
	}
}
