package browser

import (
	"slices"
	"testing"
)

// Saved documents survive the page: in the origin's file system, or in
// IndexedDB on plain http, which has no such file system. Damaged ones are
// reported, and the rest stays usable.
func TestSaveAndRestore(t *testing.T) {
	t.Parallel()
	server := serve(t, withEncoder(t))
	for _, c := range []struct {
		name, url string
		files     bool
	}{{"files", server.URL("/"), true}, {"IndexedDB", server.PlainURL("/"), false}} {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, c.url)
			if got := call[bool](t, page, `() => navigator.storage?.getDirectory !== undefined`); got != c.files {
				t.Fatalf("files: %v", got)
			}
			type answer struct {
				Ids    []string
				Hits   string
				Saved  int
				Counts []int
			}
			const ask = `const ask = async () => JSON.stringify((await vantage.search({ query, k: 20 })).hits.map(({ index, ...hit }) => hit)); `
			before := call[answer](t, page, `async (query) => {
				const { Vantage } = await import('/lib/index.js');
				const vantage = await Vantage.open('/collection/');
				await vantage.ready; `+ask+`
				const vector = (await vantage.encode('a ship', 'document')).vector;
				await vantage.add([{ id: 'x', text: 'removed' }, { id: 'note', title: 'Notiz: Züge', text: 'Night trains deserve public subsidy', metadata: { stance: 'mine', deep: { a: [1] } } }, { id: 'given', text: 'of trains', vector }]);
				await vantage.remove(['x']);
				const saved = await vantage.save('notes / 日本');
				await vantage.save(); // default
				const ids = await Vantage.saved();
				const hits = await ask();
				vantage.close();
				return { ids, hits, saved };
			}`, oppose)
			if before.Saved != 2 || !slices.Equal(before.Ids, []string{"default", "notes / 日本"}) {
				t.Errorf("%+v", before)
			}
			if err := page.Navigate(c.url); err != nil {
				t.Fatal(err)
			}
			after := call[struct {
				answer
				Document string
				Faults   map[string]seenFault
				Forgot   []bool
			}](t, page, `async (query) => {
				const lib = await import('/lib/index.js');`+describeFault+`
				const { saved } = await import('/static/src/collection/storage.js');
				const { Vantage } = lib;
				const vantage = await Vantage.open('/collection/');
				await vantage.ready; `+ask+`
				const indexes = await vantage.restore('notes / 日本');
				const hits = await ask();
				const document = JSON.stringify((await vantage.documents([indexes[0]]))[0]);
				const faults = {};
				const caught = (name) => (error) => { faults[name] = describe(error); };
				await vantage.restore('notes / 日本').catch(caught('there already'));
				await vantage.restore('nothing').catch(caught('nothing'));
				await vantage.save('').catch(caught('no name'));
				await vantage.save('\ud800').catch(caught('no text'));
				await vantage.save('x'.repeat(300)).catch(caught('long name'));
				await vantage.remove(['note', 'given']);
				const good = await saved.load('default');
				const spoilt = async (name, change) => {
					const bytes = good.slice();
					await saved.store('spoilt', change(bytes) ?? bytes);
					await vantage.restore('spoilt').catch(caught(name));
				};
				const text = (bytes, from, to) => new TextEncoder().encode(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(10))).replace(from, to) + '\n');
				await spoilt('empty', () => new Uint8Array());
				await spoilt('something else', () => new TextEncoder().encode('{"format":"x"}\n'));
				await spoilt('newer', (bytes) => text(bytes, '"version":1', '"version":3'));
				await spoilt('damaged first line', (bytes) => text(bytes, '"text":', '"text":-'));
				await spoilt('cut off', (bytes) => bytes.subarray(0, bytes.length - 1));
				await spoilt('a bit', (bytes) => { bytes[bytes.length - 9] ^= 1; });
				const other = await Vantage.create({ encoder: { id: 'other', dim: 3, encode: (texts) => texts.map((text) => [text.length, 1, 2]) } });
				await other.restore('default').catch(caught('given vector of another model'));
				await vantage.add([{ id: 'plain', text: 'plain' }]);
				await vantage.save('default');
				const counts = [(await other.restore('default')).length, other.coverage.rows];
				await vantage.remove(['plain']);
				counts.push((await vantage.restore('notes / 日本')).length);
				const forgot = [await Vantage.forget('default'), await Vantage.forget('default')];
				await Vantage.forget('notes / 日本');
				await Vantage.forget('spoilt');
				const ids = await Vantage.saved();
				vantage.close();
				other.close();
				return { ids, hits, document, faults, counts, forgot };
			}`, oppose)
			if after.Hits != before.Hits || len(after.Ids) != 0 || !slices.Equal(after.Counts, []int{1, 1, 2}) || !slices.Equal(after.Forgot, []bool{true, false}) {
				t.Errorf("%+v, want the hits %s", after, before.Hits)
			}
			if want := `{"_id":"note","title":"Notiz: Züge","text":"Night trains deserve public subsidy","metadata":{"stance":"mine","deep":{"a":[1]}}}`; after.Document != want {
				t.Errorf("%s", after.Document)
			}
			for name, want := range map[string]string{
				"there already": "QueryError", "nothing": "StorageError", "no name": "InputError", "no text": "StorageError", "long name": "LimitError", "empty": "FormatError",
				"something else": "FormatError", "newer": "VersionError", "damaged first line": "FormatError", "cut off": "IntegrityError", "a bit": "IntegrityError",
				"given vector of another model": "EncoderMismatchError",
			} {
				if f := after.Faults[name]; f.Name != want {
					t.Errorf("%s: %+v, want %s", name, f, want)
				}
			}
		})
	}
}

// A storage that could not be opened is opened again by the next call.
func TestStorageIsOpenedAgain(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, site()).PlainURL("/")) // where a page has no file system
	got := call[[]string](t, page, `async () => {
		const { Storage } = await import('/static/src/collection/storage.js');
		const storage = new Storage('opened again');
		const open = indexedDB.open.bind(indexedDB);
		const out = [];
		const ask = () => storage.names().then((names) => names.length + ' names', (error) => error.name);
		indexedDB.open = () => {
			const request = {};
			setTimeout(() => {
				request.error = new Error('not now');
				request.onerror();
			});
			return request;
		};
		out.push(await ask());
		indexedDB.open = open;
		out.push(await ask());
		return out;
	}`)
	if want := []string{"StorageError", "0 names"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
