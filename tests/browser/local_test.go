package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// splitCorpus writes the debates' corpus without its last n documents to a
// file, and returns these documents.
func splitCorpus(t testing.TB, n int) (first string, rest []map[string]any) {
	t.Helper()
	content, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	first = filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(first, []byte(strings.Join(lines[:len(lines)-n], "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[len(lines)-n:] {
		var d map[string]any
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		rest = append(rest, d)
	}
	return first, rest
}

// A collection whose last documents are added in the page gives the same
// answers as the whole collection, including filters, to the last digit. If
// rows are float32, so does an engine to which all documents are added.
func TestAddEqualsWholeCollection(t *testing.T) {
	t.Parallel()
	first, rest := splitCorpus(t, 100)
	_, all := splitCorpus(t, debatesRows)
	for _, dtype := range []shard.DType{shard.I8, shard.F32} {
		t.Run(string(dtype), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "collection"), debatesFile, dtype)
			write(t, filepath.Join(dir, "part"), first, dtype)
			if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
				t.Fatal(err)
			}
			page := open(t, serve(t, bare(dir)).URL("/"))
			var queries []map[string]any
			for _, q := range questions() {
				alone := maps.Clone(q.page)
				alone["hybrid"] = false // a created engine has words, and these collections have none
				queries = append(queries, alone)
			}
			for _, worker := range []bool{true, false} {
				got := call[map[string][]string](t, page, `async (worker, queries, rest, all, created) => {
					const { Vantage } = await import('/lib/index.js');
					const answers = async (vantage) => {
						const out = [];
						for (const query of queries) {
							const { method, hits, coverage } = await vantage.search(query);
							out.push(JSON.stringify({ method, hits, coverage }));
						}
						return out;
					};
					const whole = await Vantage.open('/collection/', { worker });
					await whole.ready;
					const out = { whole: await answers(whole) };
					const part = await Vantage.open('/part/', { worker });
					await part.add(rest.slice(0, 30)); // while its shards arrive
					await part.ready;
					await part.add(rest.slice(30));
					out.part = await answers(part);
					if (created) {
						const dim = whole.info.dim;
						const own = { id: 'x', dim, encode: (texts, role) => Promise.all(texts.map(async (text) => (await whole.encode(text, role)).vector)) };
						const fresh = await Vantage.create({ worker, encoder: own });
						await fresh.add(all);
						out.created = await answers(fresh);
						fresh.close();
					}
					part.close();
					whole.close();
					return out;
				}`, worker, queries, rest, all, dtype == shard.F32)
				for name, answers := range got {
					for i, answer := range answers {
						if answer != got["whole"][i] {
							t.Errorf("worker %v, %s: %v:\n  %.400s\n  %.400s", worker, name, queries[i], answer, got["whole"][i])
						}
					}
				}
				if len(got["whole"]) != len(queries) || strings.Count(strings.Join(got["whole"], ""), `"rank"`) < 5*len(queries) {
					t.Error("the test compares nothing")
				}
			}
		})
	}
}

func TestAddAndRemove(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	for _, worker := range []bool{true, false} {
		got := call[struct {
			Faults map[string]seenFault
			Values map[string]any
		}](t, page, `async (worker, query) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const { Vantage } = lib;
			const faults = {};
			const values = {};
			const caught = (name) => (error) => { faults[name] = describe(error); };
			const note = { id: 'note', title: 'A note', text: 'Night trains deserve a supplement for bicycles', metadata: { author: 'me', year: 2020, draft: true, nested: [1] } };
			for (const [name, opening] of [['opened', () => Vantage.open('/collection/', { worker })], ['created', () => Vantage.create({ worker, encoder: '/model/' })]]) {
				const vantage = await opening();
				await vantage.ready;
				const { documents } = vantage.info;
				values[name + ' empty'] = (await vantage.search({ query: 'x', method: 'none', k: 2000 })).hits.length - documents;
				values[name + ' indexes'] = (await vantage.add([note, { _id: 'other', text: 'A soup', metadata: { author: 'you', year: 1999, draft: false } }])).map((i) => i - documents).join();
				const ids = async (rest) => (await vantage.search({ query: 'A note: Night trains deserve a supplement for bicycles', method: 'none', ...rest })).hits.map((hit) => hit.id);
				values[name + ' first'] = (await ids())[0];
				values[name + ' author'] = (await ids({ filter: { author: 'you' } })).join();
				values[name + ' year'] = (await ids({ filter: { year: { min: 2000 } } })).join();
				values[name + ' draft'] = (await ids({ filter: { draft: [false] } })).join();
				values[name + ' document'] = JSON.stringify((await vantage.documents([documents]))[0]);
				values[name + ' coverage'] = vantage.coverage.total - documents;
				await vantage.add([{ id: 'a', text: 'a' }, { id: 'note', text: 'b' }]).catch(caught(name + ': duplicate'));
				await vantage.add([{ id: 'a', text: 'a' }, { id: 'a', text: 'b' }]).catch(caught(name + ': twice'));
				await vantage.add([{ text: 'a' }]).catch(caught(name + ': no id'));
				await vantage.add([{ id: 'a' }]).catch(caught(name + ': no text'));
				await vantage.add({ id: 'a', text: 'a' }).catch(caught(name + ': no list'));
				await vantage.add([{ id: 'a', text: 'a', vector: [1, 2] }]).catch(caught(name + ': short vector'));
				await vantage.add([{ id: 'a', text: 'a', vector: new Float32Array(vantage.info.dim).fill(NaN) }]).catch(caught(name + ': no numbers'));
				await vantage.add([{ id: 'a', text: 'a', metadata: { year: 'then' } }]).catch(caught(name + ': another type'));
				await vantage.add([{ id: 'a', text: 'a', metadata: ['year'] }]).catch(caught(name + ': metadata are a list'));
				await vantage.add([{ id: 'a', text: 'a', metadata: { pages: 7n } }]).catch(caught(name + ': not JSON'));
				await vantage.remove(['note', 'nobody']).catch(caught(name + ': unknown'));
				await vantage.remove(['note', 'note']).catch(caught(name + ': removed twice at once'));
				await vantage.remove('note').catch(caught(name + ': no ids'));
				const both = await Promise.allSettled([vantage.add([{ id: 'race', text: 'a' }]), vantage.add([{ id: 'race', text: 'b' }])]);
				values[name + ' race'] = both.map(({ status }) => status).join();
				values[name + ' all or none'] = vantage.coverage.total - documents;
				await vantage.remove(['note']);
				await vantage.remove(['note']).catch(caught(name + ': removed already'));
				await vantage.documents([documents]).catch(caught(name + ': document removed'));
				values[name + ' removed'] = (await ids({ k: 2000 })).includes('note');
				values[name + ' again'] = (await vantage.add([note])).map((i) => i - documents).join();
				if (name === 'opened') {
					const best = (await vantage.search({ query })).hits.find((hit) => hit.index < documents);
					await vantage.remove([best.id]);
					values['best removed'] = (await vantage.search({ query, k: 2000 })).hits.some((hit) => hit.id === best.id);
					await vantage.remove([best.id]).catch(caught(name + ': best removed already'));
					const early = await Vantage.open('/collection/', { worker });
					await early.remove([best.id]); // perhaps before its shard
					await early.ready;
					const { hits, coverage } = await early.search({ query, k: 2000 });
					values['best removed early'] = hits.some((hit) => hit.id === best.id);
					values['coverage without the best'] = [documents - hits.length, documents - coverage.rows, documents - coverage.total].join();
					early.close();
				}
				vantage.close();
				await vantage.add([note]).catch(caught(name + ': closed'));
			}
			return { faults, values };
		}`, worker, oppose)
		for _, name := range []string{"opened", "created"} {
			for key, want := range map[string]any{
				"empty": 0.0, "indexes": "0,1", "first": "note", "author": "other", "year": "note", "draft": "other", "coverage": 2.0,
				"document": `{"_id":"note","title":"A note","text":"Night trains deserve a supplement for bicycles","metadata":{"author":"me","year":2020,"draft":true,"nested":[1]}}`,
				"race":     "fulfilled,rejected", "all or none": 3.0, "removed": false, "again": "3",
			} {
				if got.Values[name+" "+key] != want {
					t.Errorf("worker %v, %s %s: %v, want %v", worker, name, key, got.Values[name+" "+key], want)
				}
			}
			for _, key := range []string{"duplicate", "twice", "no id", "no text", "no list", "short vector", "no numbers", "another type", "metadata are a list", "not JSON", "unknown", "removed twice at once", "no ids", "removed already", "document removed"} {
				if f := got.Faults[name+": "+key]; f.Name != "QueryError" {
					t.Errorf("worker %v, %s %s: %+v", worker, name, key, f)
				}
			}
			if f := got.Faults[name+": closed"]; f.Name != "ClosedError" {
				t.Errorf("worker %v: %+v", worker, f)
			}
		}
		if got.Values["best removed"] != false || got.Values["best removed early"] != false || got.Values["coverage without the best"] != "1,1,1" || got.Faults["opened: best removed already"].Name != "QueryError" {
			t.Errorf("worker %v: %+v", worker, got)
		}
	}
}

// What only removed documents had is no longer among the fields, whose values a page may offer. It can come back.
func TestRemovedFields(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	got := call[[]string](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const found = [];
		for (const opening of [() => Vantage.open('/collection/'), () => Vantage.create({ encoder: '/model/' })]) {
			const vantage = await opening();
			await vantage.ready;
			const before = JSON.stringify(vantage.info.fields);
			const own = vantage.info.fields.length;
			const say = () => {
				const { fields } = vantage.info;
				found.push(JSON.stringify(fields.slice(own)));
				if (own > 0) found.push(fields.find(({ name }) => name === 'stance').values.join());
			};
			await vantage.add([
				{ id: 'a', text: 'a', metadata: { who: 'me', year: 2020, draft: true, stance: 'pro', toString: 'x' } },
				{ id: 'b', text: 'b', metadata: { who: 7, year: null, nested: ['me'] } },
			]);
			say();
			await vantage.remove(['a']);
			say();
			found.push((await vantage.search({ query: 'b', method: 'none', k: 9, filter: { who: ['me', 7] } })).hits.map(({ id }) => id).join());
			await vantage.add([{ id: 'c', text: 'c', metadata: { who: 'me' } }]);
			say();
			found.push((await vantage.search({ query: 'b', method: 'none', k: 9, filter: { who: 'me' } })).hits.map(({ id }) => id).join());
			await vantage.remove(['b', 'c']);
			say();
			if (JSON.stringify(vantage.info.fields) !== before) found.push('not as before');
			vantage.close();
		}
		return found;
	}`)
	text, me, both := `{"name":"toString","type":"string","values":["x"]}`, `{"name":"who","type":"string","values":["7"]}`, `{"name":"who","type":"string","values":["me","7"]}`
	rest := `,{"name":"year","type":"number","values":[]},{"name":"draft","type":"bool","values":[]},`
	const stances = "context,oppose,support"
	want := []string{
		"[" + both + rest + text + "]", stances + ",pro", "[" + me + "]", stances, "b", "[" + both + "]", stances, "c", "[]", stances,
		"[" + both + rest + `{"name":"stance","type":"string","values":["pro"]},` + text + "]", "[" + me + "]", "b", "[" + both + "]", "c", "[]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A number under which there is no document is an error that says which there are.
func TestDocumentsThatAreNotThere(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	for _, worker := range []bool{true, false} {
		got := call[[]string](t, page, `async (worker) => {
			const { Vantage } = await import('/lib/index.js');
			const said = [];
			const vantage = await Vantage.open('/collection/', { worker });
			const { documents } = vantage.info;
			for (const given of [5, undefined, '0']) await vantage.documents(given).catch(({ name, message }) => said.push(name + ': ' + message));
		for (const index of [documents, -1]) await vantage.documents([index]).catch(({ name, message }) => said.push(name + ': ' + message));
			vantage.close();
			const empty = await Vantage.create({ encoder: null, worker });
			for (const index of [0, -1]) await empty.documents([index]).catch(({ name, message }) => said.push(name + ': ' + message));
			empty.close();
			return said;
		}`, worker)
		has := fmt.Sprintf("documents 0 to %d", debatesRows-1)
		const list = "QueryError: documents takes a list of indexes: documents([0, 1])"
		want := []string{list, list, list}
		for _, c := range []struct {
			index int
			has   string
		}{{debatesRows, has}, {-1, has}, {0, "no documents of its own"}, {-1, "no documents of its own"}} {
			want = append(want, fmt.Sprintf("QueryError: document %d: the collection has %s, and none was added under this number", c.index, c.has))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
