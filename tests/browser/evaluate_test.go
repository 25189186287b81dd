package browser

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/trec"
)

// judgements is a folder with qrels.txt and run.txt, and options for the
// evaluation.
type judgements struct {
	name, dir string
	measures  []string
	options   trec.Options
}

// evaluations returns our own files, with ties, grades, and queries that one
// file lacks, and trec_eval's reference run if it is available.
func evaluations(t *testing.T) []judgements {
	t.Helper()
	ours := filepath.Join(harness.Root(), "trec", "testdata")
	out := []judgements{
		{"ours", ours, nil, trec.Options{}},
		{"complete", ours, []string{"all_trec", "nDCG@10", "P(rel=2)@5", "RR@3", "F1@5", "AP"}, trec.Options{Complete: true}},
		{"options", ours, []string{"official", "utility.1,-0.5,-0.25,0", "ndcg.1=3.5,2=9.0,11=7.0", "relstring.20"}, trec.Options{Level: 2, JudgedOnly: true, MaxRetrieved: 7, Collection: 1000}},
	}
	subtopics := t.TempDir()
	for from, to := range map[string]string{"diversity-qrels.txt": "qrels.txt", "diversity-run.txt": "run.txt"} {
		content, err := os.ReadFile(filepath.Join(ours, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(subtopics, to), content, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out = append(out, judgements{"subtopics", subtopics, []string{"alpha_nDCG@10", "alpha_DCG(alpha=0.3)@5", "ERR_IA@10", "nERR_IA@5", "NRBP", "nNRBP(beta=0.7)", "AP_IA", "P_IA@5",
		"StRecall@5", "MRecall@3", "CoverageSize", "Sycophancy(side=2)@5", "Leaning(side=1)@2", "map", "INST(max_rel=3)", "INSQ(T=2,max_rel=2)", "BPM(T=2,max_rel=2)@10",
		"SDCG(max_rel=2)@10", "NERR8(max_rel=3)@5", "NERR9(max_rel=3)@5", "NERR10(p=0.7,max_rel=3)", "NERR11(max_rel=3)", "Compat", "Accuracy@5", "nDCG(gains={1:2,2:7})@5"}, trec.Options{}})
	reference, ok := shared.Find("data/trec")
	if !ok {
		t.Log("trec_eval's reference run is not in ../shared/data/trec")
		return out
	}
	return append(out, judgements{"reference", reference, []string{"all_trec", "nDCG@10"}, trec.Options{}})
}

func (j *judgements) read(t *testing.T) (*trec.Qrels, *trec.Run, []*trec.Measure) {
	t.Helper()
	measures, err := trec.ParseMeasures(j.measures)
	if err != nil {
		t.Fatal(err)
	}
	readQrels := trec.ReadQrels
	if trec.NeedSubtopics(measures) {
		readQrels = trec.ReadDiversityQrels
	}
	return readTrec(t, filepath.Join(j.dir, "qrels.txt"), readQrels), readTrec(t, filepath.Join(j.dir, "run.txt"), trec.ReadRun), measures
}

func readTrec[T any](t *testing.T, path string, read func(r io.Reader, name string) (T, error)) T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	value, err := read(f, filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// evaluatorPage opens a blank page with the library, which can fetch folders of
// files.
func evaluatorPage(t *testing.T, folders map[string]string) *harness.Page {
	t.Helper()
	mux := site()
	for name, dir := range folders {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name+"/", http.FileServer(http.Dir(dir))))
	}
	return open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
}

// withEvaluator is the beginning of a script in the page: it fetches files,
// makes an engine, and converts numbers to bits.
const withEvaluator = `
	const lib = await import('/static/lib/index.js');
	const file = async (url) => new File([await (await fetch(url)).blob()], url.split('/').pop());
	const vantage = await lib.Vantage.create({ encoder: null, worker });
	const bits = (values) => typeof values[0] === 'string' ? [...values] : Array.from(new BigUint64Array(Float64Array.from(values).buffer), (b, i) => Number.isNaN(values[i]) ? 'NaN' : String(b));
`

// evaluation is the page's result of `evaluate`, with numbers as bits.
type evaluation struct {
	RunID    string
	Count    int
	Measures []string
	Averages map[string][]string
	Queries  []string
	Values   map[string][]string
}

func bitsOf(values ...float64) []string {
	out := []string{}
	for _, v := range values {
		if math.IsNaN(v) { // any NaN counts as the same
			out = append(out, "NaN")
			continue
		}
		out = append(out, fmt.Sprint(math.Float64bits(v)))
	}
	return out
}

// nativeEvaluation returns the same from package trec.
func nativeEvaluation(e *trec.Evaluation, measures []*trec.Measure) evaluation {
	out := evaluation{RunID: e.RunID, Count: e.Count, Averages: map[string][]string{}, Queries: []string{}, Values: map[string][]string{}}
	for _, q := range e.Queries {
		out.Queries = append(out.Queries, q.Query)
	}
	at := 0
	for _, m := range measures {
		for _, name := range m.Names() {
			out.Measures = append(out.Measures, name)
			switch {
			case m.Name() == "runid":
				out.Averages[name] = []string{e.RunID}
			case m.Averaged():
				out.Averages[name] = bitsOf(e.Averages[at])
			}
			if m.PerQuery() {
				values := []string{}
				for _, q := range e.Queries {
					if m.IsText() {
						values = append(values, q.Relstring())
					} else {
						values = append(values, bitsOf(q.Values[at])...)
					}
				}
				out.Values[name] = values
			}
			at++
		}
	}
	return out
}

// Every value of every measure has the same bits as in Go, whose tests compare
// with trec_eval itself.
func TestEvaluate(t *testing.T) {
	t.Parallel()
	all := evaluations(t)
	folders := map[string]string{}
	for _, j := range all {
		folders[j.name] = j.dir
	}
	for _, worker := range []bool{true, false} {
		page := evaluatorPage(t, folders)
		for _, j := range all {
			qrels, run, measures := j.read(t)
			e, err := trec.Evaluate(qrels, run, measures, j.options)
			if err != nil {
				t.Fatal(err)
			}
			got := call[evaluation](t, page, `async (worker, name, measures, o) => {`+withEvaluator+`
				const e = await vantage.evaluate({
					qrels: await file('/' + name + '/qrels.txt'), run: await file('/' + name + '/run.txt'), measures: measures ?? undefined, perQuery: true,
					level: o.Level || 1, complete: o.Complete, judgedOnly: o.JudgedOnly, maxRetrieved: o.MaxRetrieved, collection: o.Collection,
				});
				vantage.close();
				const of = (object, list) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, bits(list(value))]));
				return { runID: e.run_id, count: e.queries, measures: e.measures, averages: of(e.averages, (v) => [v]), queries: e.per_query.queries, values: of(e.per_query.values, (v) => v) };
			}`, worker, j.name, j.measures, j.options)
			if want := nativeEvaluation(e, measures); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, worker %v:\n%+v\nwant\n%+v", j.name, worker, got, want)
			}
		}
	}
}

// otherRuns returns two variants of a run: the documents of each query are in another
// order, and some are left out, in one variant also the first 51 of every 1,000 lines and the whole first query.
func otherRuns(t *testing.T, run []byte) [][]byte {
	r := seeded()
	out := make([][]byte, 2)
	first, _, _ := strings.Cut(string(run), " ")
	for i, line := range bytes.Split(bytes.TrimSpace(run), []byte("\n")) {
		f := strings.Fields(string(line))
		if r.IntN(10) > 0 {
			out[0] = fmt.Appendf(out[0], "%s Q0 %s 0 %d shuffled\n", f[0], f[2], r.IntN(1000))
		}
		if i%1000 > 50 && r.IntN(20) > 0 && f[0] != first {
			out[1] = fmt.Appendf(out[1], "%s Q0 %s 0 %g noisy\n", f[0], f[2], -float64(i)+5*r.NormFloat64())
		}
	}
	return out
}

// Comparisons equal those of `vantage eval compare`, to the bit.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, j := range evaluations(t) {
		if j.name == "ours" || j.name == "reference" {
			t.Run(j.name, func(t *testing.T) { compareRuns(t, j) })
		}
	}
}

func compareRuns(t *testing.T, j judgements) {
	run, err := os.ReadFile(filepath.Join(j.dir, "run.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	names := []string{"run.txt"}
	for i, other := range append(otherRuns(t, run), run) {
		name := []string{"shuffled.txt", "noisy.txt", "run.txt"}[i]
		if i < 2 {
			names = append(names, name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), other, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page := evaluatorPage(t, map[string]string{"q": j.dir, "runs": dir})
	for _, c := range []struct {
		complete bool
		rounds   int
		seed     uint64
	}{{false, 500, 1}, {true, 300, 1<<53 - 1}} {
		got := call[[]struct {
			Measure string
			Queries int
			Runs    []struct {
				Run     string
				Missing int
				Bits    []string
			}
			Pairs []struct {
				A, B          string
				Better, Worse int
				Infinite      bool
				Bits          []string
			}
			Values [][]string
		}](t, page, `async (worker, names, complete, rounds, seed) => {`+withEvaluator+`
			const found = await vantage.compare({
				qrels: await file('/q/qrels.txt'), runs: await Promise.all(names.map((name) => file('/runs/' + name))), measures: ['map', 'P.5,10', 'nDCG@10'],
				complete, rounds, seed: Number(seed), perQuery: true,
			});
			vantage.close();
			return found.map(({ measure, queries, runs, pairs, per_query }) => ({
				measure, queries,
				runs: runs.map(({ run, missing, mean, low, high }) => ({ run, missing, bits: bits([mean, low, high]) })),
				pairs: pairs.map(({ a, b, better, worse, t, ...p }) => ({ a, b, better, worse, infinite: t === null,
					bits: bits([p.difference, p.low, p.high, t ?? 0, p.p_t_test, p.p_t_test_holm, p.p_randomization, p.p_randomization_holm]) })),
				values: per_query.values.map(bits),
			}));
		}`, true, names, c.complete, c.rounds, fmt.Sprint(c.seed))

		qrels, _, _ := j.read(t)
		var runs []*trec.Run
		for _, name := range names {
			runs = append(runs, readTrec(t, filepath.Join(dir, name), trec.ReadRun))
		}
		measures, err := trec.ParseMeasures([]string{"map", "P.5,10", "nDCG@10"})
		if err != nil {
			t.Fatal(err)
		}
		want, missing, err := trec.CompareValues(qrels, runs, measures, trec.Options{Complete: c.complete})
		if err != nil {
			t.Fatal(err)
		}
		if missing[2] != missing[0]+1 {
			t.Errorf("the runs lack %d queries; the last, one more than the first", missing)
		}
		if len(got) != len(want) || len(got) != 4 {
			t.Fatalf("%d comparisons, want %d", len(got), len(want))
		}
		for m, w := range want {
			g := got[m]
			if g.Measure != w.Measure || g.Queries != len(w.Queries) || len(g.Pairs) != 3 {
				t.Errorf("%s over %d queries, %d pairs, want %s over %d", g.Measure, g.Queries, len(g.Pairs), w.Measure, len(w.Queries))
			}
			for i, values := range w.Runs {
				mean, interval, err := significance.Mean(values, c.rounds, c.seed)
				if err != nil {
					t.Fatal(err)
				}
				if r := g.Runs[i]; r.Run != names[i] || r.Missing != missing[i] || !slices.Equal(r.Bits, bitsOf(mean, interval.Low, interval.High)) || !slices.Equal(g.Values[i], bitsOf(values...)) {
					t.Errorf("%s of %s: %+v, want %v %v, %d missing", w.Measure, names[i], r, mean, interval, missing[i])
				}
			}
			var ts, rs []float64
			var pairs []significance.Pair
			for a := range runs {
				for b := a + 1; b < len(runs); b++ {
					p, err := significance.ComparePair(w.Runs[a], w.Runs[b], c.rounds, c.seed)
					if err != nil {
						t.Fatal(err)
					}
					pairs, ts, rs = append(pairs, p), append(ts, p.P), append(rs, p.Randomization)
				}
			}
			ts2, rs2 := significance.Holm(ts), significance.Holm(rs)
			for i, p := range pairs {
				want := bitsOf(p.Difference, p.Interval.Low, p.Interval.High, p.T, p.P, ts2[i], p.Randomization, rs2[i])
				if g := g.Pairs[i]; g.Better != p.Better || g.Worse != p.Worse || g.Infinite || !slices.Equal(g.Bits, want) {
					t.Errorf("%s, pair %d: %+v, want %+v", w.Measure, i, g, p)
				}
			}
		}
	}
}

// Faults in a file are reported with the line, as by the command; faults in the
// options have another class.
func TestEvaluateRefuses(t *testing.T) {
	t.Parallel()
	page := library(t)
	const qrels = "1 0 a 1\n2 0 b 0\n"
	const run = "1 Q0 a 1 2.5 x\n2 Q0 b 1 1.5 x\n"
	type problem struct {
		Name, Message, File string
		Line                int
	}
	for name, c := range map[string]struct {
		qrels, run string
		options    string
		want       problem
	}{
		"a short line":             {qrels, "1 Q0 a 1 2.5 x\n\n1 Q0 b\n", "", problem{"FormatError", "r.txt:3: a line of a run has 6 fields", "r.txt", 3}},
		"a malformed score":        {qrels, "1 Q0 a 1 two x\n", "", problem{"FormatError", `r.txt:1: the score "two" is not a number`, "r.txt", 1}},
		"NaN":                      {qrels, "1 Q0 a 1 NaN x\n", "", problem{"FormatError", "r.txt:1: the score is NaN", "r.txt", 1}},
		"a document twice":         {qrels, "1 Q0 a 1 2 x\n1 Q0 a 1 1 x\n", "", problem{"FormatError", "r.txt:2: document", "r.txt", 2}},
		"an empty run":             {qrels, " \n", "", problem{"FormatError", "r.txt: the run is empty", "r.txt", 0}},
		"a malformed grade":        {"1 0 a high\n", run, "", problem{"FormatError", `q.txt:1: the grade "high"`, "q.txt", 1}},
		"judged twice":             {"1 0 a 1\n1 0 a 0\n", run, "", problem{"FormatError", "q.txt:2: document", "q.txt", 2}},
		"no judgements":            {"", run, "", problem{"FormatError", "q.txt: no judgements", "q.txt", 0}},
		"binary":                   {"1 0 a\x00 1\n", run, "", problem{"FormatError", "q.txt:1: the line has a NUL byte", "q.txt", 1}},
		"other queries":            {"7 0 a 1\n", run, "", problem{"FormatError", "r.txt against q.txt: no query has both", "", 0}},
		"an unknown measure":       {qrels, run, "measures: ['nope']", problem{"QueryError", `unknown measure "nope"`, "", 0}},
		"subtopics twice":          {"1 0 a 1\n1 0 a 0\n", run, "measures: ['StRecall@5']", problem{"FormatError", "q.txt:2: document", "q.txt", 2}},
		"an unknown side":          {qrels, run, "measures: ['Leaning(side=x)@5']", problem{"FormatError", `no query has a subtopic "x"`, "", 0}},
		"a cutoff of 0":            {qrels, run, "measures: ['P.0']", problem{"QueryError", "not a positive integer", "", 0}},
		"measures as a text":       {qrels, run, "measures: 'map'", problem{"QueryError", "measures must be a list", "", 0}},
		"a level of 0":             {qrels, run, "level: 0", problem{"QueryError", "level: 0 is not a whole number", "", 0}},
		"no file":                  {qrels, run, "run: 'r.txt'", problem{"QueryError", "evaluate: run: a File", "", 0}},
		"one run to compare":       {qrels, run, "runs: [], measures: ['map']", problem{"QueryError", "runs must be a list of two or more", "", 0}},
		"no measure to compare by": {qrels, run, "runs: [1, 2]", problem{"QueryError", "name a measure", "", 0}},
		"no values by query":       {qrels, run, "runs: 'same', measures: ['gm_map']", problem{"QueryError", "gm_map has no value for each query", "", 0}},
		"too many rounds":          {qrels, run, "runs: 'same', measures: ['map'], rounds: 1e8", problem{"QueryError", "rounds: 100000000 is not a whole number", "", 0}},
		"a seed of half":           {qrels, run, "runs: 'same', measures: ['map'], seed: 0.5", problem{"QueryError", "seed: 0.5", "", 0}},
		"nothing of one run":       {qrels, run, "runs: 'other', measures: ['map']", problem{"FormatError", "o.txt: no query has both", "", 0}},
		"one query":                {"1 0 a 1\n", run, "runs: 'same', measures: ['map']", problem{"QueryError", "a test needs at least two queries", "", 0}},
	} {
		for _, worker := range []bool{true, false} {
			got := call[problem](t, page, `async (worker, qrels, run) => {`+withEvaluator+`
				const files = { qrels: { name: 'q.txt', content: qrels }, run: new File([run], 'r.txt') };
				const given = { ...files, `+c.options+` };
				if (given.runs === 'same') given.runs = [files.run, files.run];
				if (given.runs === 'other') given.runs = [files.run, { name: 'o.txt', content: '9 Q0 a 1 1 x' }];
				try {
					await (given.runs ? vantage.compare(given) : vantage.evaluate(given));
					return {};
				} catch (error) {
					return { name: error.name, message: error.message, file: error.file, line: error.line };
				} finally {
					vantage.close();
				}
			}`, worker, c.qrels, c.run)
			if got.Name != c.want.Name || !strings.Contains(got.Message, c.want.Message) || got.Line != c.want.Line || c.want.File != "" && got.File != c.want.File {
				t.Errorf("%s, worker %v: %+v, want %+v", name, worker, got, c.want)
			}
		}
	}
}

// A run of 10 MB is read and evaluated in the worker while the page stays
// responsive. A long evaluation can be cancelled, and the next call is
// answered.
func TestEvaluateLarge(t *testing.T) {
	t.Parallel()
	page := library(t)
	type outcome struct {
		Bytes, Queries   int
		LongestGap, Took float64
		Aborted          string
		After            float64
	}
	got := call[outcome](t, page, `async () => {
		const worker = true;`+withEvaluator+`
		const qrels = [], run = [];
		for (let q = 0; q < 1000; q++) {
			for (let d = 0; d < 300; d++) {
				if (d % 30 === 0) qrels.push(q + ' 0 document-' + d + ' 1\n');
				run.push(q + ' Q0 document-' + d + ' ' + d + ' ' + (1000 - (d * 7919) % 300) + '.25 large\n');
			}
		}
		const files = { qrels: new File(qrels, 'q.txt'), run: new File(run, 'r.txt') };
		const out = { bytes: files.run.size, longestGap: 0 };
		let last = performance.now(), going = true;
		const tick = () => {
			const now = performance.now();
			out.longestGap = Math.max(out.longestGap, now - last);
			last = now;
			if (going) setTimeout(tick);
		};
		const started = performance.now();
		tick();
		const { queries, averages } = await vantage.evaluate({ ...files, perQuery: true });
		out.took = performance.now() - started;
		going = false;
		out.queries = queries;
		const stop = new AbortController();
		const comparing = vantage.compare({ qrels: files.qrels, runs: Array(6).fill(files.run), measures: ['map', 'P', 'recall'], rounds: 100000, signal: stop.signal });
		setTimeout(() => stop.abort(new DOMException('enough', 'AbortError')), 500);
		out.aborted = await comparing.then(() => 'it finished', (error) => error.name);
		out.after = (await vantage.evaluate({ ...files, measures: ['map'] })).averages.map === averages.map ? 1 : 0;
		vantage.close();
		return out;
	}`)
	// On a busy machine, timings are noisy. But a page that waited for the
	// engine would be blocked for nearly all of the time.
	if got.Bytes < 10<<20 || got.Queries != 1000 || got.LongestGap > got.Took/2 || got.Aborted != "AbortError" || got.After != 1 {
		t.Errorf("%+v", got)
	}
}

// A file that is too large has another error than a malformed one, and other
// files are evaluated afterwards.
func TestEvaluateTooLarge(t *testing.T) {
	t.Parallel()
	got := call[seenFault](t, library(t), `async () => {
		const lib = await import('/static/lib/index.js');`+describeFault+`
		const vantage = await lib.Vantage.create({ encoder: null, maxBytes: 12e6 });
		const qrels = new File(['1 0 a 1'], 'q.txt');
		const error = await vantage.evaluate({ qrels, run: new File([new Uint8Array(20e6)], 'large.txt') }).then(() => ({}), describe);
		await vantage.evaluate({ qrels, run: new File(['1 Q0 a 1 1 x'], 'small.txt') });
		vantage.close();
		return error;
	}`)
	if got.Name != "LimitError" || !strings.HasPrefix(got.Message, "large.txt: too large for the engine's memory (20 MB more on top of the ") || !strings.HasSuffix(got.Message, ": split it by queries, or use the vantage command") {
		t.Errorf("%+v", got)
	}
}

// Whatever numbers a host passes, exports return an error and the engine keeps
// working.
func TestEvaluationExportsRefuse(t *testing.T) {
	t.Parallel()
	got := call[map[string]string](t, library(t), `async () => {
		const abi = await import('/static/src/engine/abi.js');
		const { Core } = await import('/static/src/engine/core.js');
		const { loadModules } = await import('/static/src/engine/modules.js');
		const core = await Core.boot(await loadModules());
		const buffer = core.allocate(1024);
		const most = 0xFFFFFFFF;
		const request = (struct, fields) => {
			const view = core.view(buffer, struct.size);
			for (const [name, at] of Object.entries(struct)) if (name !== 'size') view.setUint32(at, fields[name] ?? 0, true);
			return buffer;
		};
		const judge = (fields) => core.checked('metrics_judge', request(abi.JudgeRequest, fields), buffer + 512, buffer + 512);
		const evaluate = (call, fields) => core.checked(call, request(abi.EvaluateRequest, fields), buffer + 512);
		const file = (call, ...texts) => core.scoped((scope) => core.checked(call, ...texts.flatMap((text) => scope.text(text))));
		const portions = (fields) => core.checked('metrics_portions', request(abi.PortionsRequest, fields), buffer + 512);
		const qrels = file('qrels_open', '1 0 a 1', 'name', 'map');
		const run = file('run_open', '1 Q0 a 1 1 x', 'name');
		core.view(buffer, 1024).setUint32(768, run, true);
		const runs = buffer + 768;
		const out = {};
		for (const [name, attempt] of Object.entries({
			'judge at 0': () => core.checked('metrics_judge', 0, 0, 0),
			'judge out of line': () => core.checked('metrics_judge', buffer + 1, buffer, buffer),
			'judge too many': () => judge({ queries: most, rankings: buffer, rankingEnds: buffer, gold: buffer, goldEnds: buffer }),
			'judge too many labels': () => judge({ labelCount: most, ks: buffer, kCount: 2 }),
			'judge too many ks': () => judge({ ks: buffer, kCount: most }),
			'judge ends beyond': () => judge({ queries: 2, rankings: buffer, rankingEnds: buffer + 900, gold: buffer, goldEnds: buffer + 1023 }),
			'judge ends backwards': () => { new Uint32Array(core.exports.mem.buffer, buffer + 800, 2).set([2, 1]); return judge({ queries: 2, rankings: buffer, rankingEnds: buffer + 800, gold: buffer, goldEnds: buffer + 800 }); },
			'judge an unknown label': () => { new Uint32Array(core.exports.mem.buffer, buffer + 800, 2).set([0, 7]); return judge({ queries: 1, rankings: buffer, rankingEnds: buffer + 800, gold: buffer, goldEnds: buffer + 800, labels: buffer + 804, labelCount: 7 }); },
			'qrels nowhere': () => core.checked('qrels_open', 8, 100, buffer, 1, buffer, 1),
			'qrels for measures nowhere': () => core.checked('qrels_open', buffer, 1, buffer, 1, 8, 100),
			'portions at 0': () => core.checked('metrics_portions', 0, 0),
			'portions of too many labels': () => portions({ labelCount: most, rowCount: most }),
			'portions of an unknown row': () => { new Uint32Array(core.exports.mem.buffer, buffer + 800, 2).set([0, 7]); return portions({ queries: 1, found: buffer, foundEnds: buffer + 800, rows: buffer + 804, rowCount: 7 }); },
			'portions of an unknown label': () => { new Uint32Array(core.exports.mem.buffer, buffer + 800, 3).set([1, 0, 3]); return portions({ queries: 1, found: buffer + 808, foundEnds: buffer + 800, rows: buffer + 804, rowCount: 1, labelCount: 3 }); },
			'run without a name': () => core.checked('run_open', buffer, 1, most, most),
			'evaluate nothing': () => evaluate('run_evaluate', {}),
			'evaluate no run': () => evaluate('run_evaluate', { qrels, measures: buffer }),
			'evaluate other handles': () => evaluate('run_evaluate', { qrels: 99, runs, runCount: 1, measures: buffer }),
			'evaluate too many runs': () => evaluate('run_evaluate', { qrels, runs, runCount: most, measures: buffer }),
			'compare measures nowhere': () => evaluate('runs_compare', { qrels, runs, runCount: 1, measures: 4, measuresLength: 5 }),
			'a closed run': () => { core.checked('run_close', run); return evaluate('run_evaluate', { qrels, runs, runCount: 1, measures: buffer }); },
			'mean of too many': () => core.checked('significance_mean', buffer, most, 1, buffer, 1),
			'mean of nothing': () => core.checked('significance_mean', buffer, 0, 10, buffer, 1),
			'mean without rounds': () => core.checked('significance_mean', buffer, 3, 0, buffer, 1),
			'mean, seed -1': () => core.checked('significance_mean', buffer, 3, 10, buffer, -1),
			'mean, seed NaN': () => core.checked('significance_mean', buffer, 3, 10, buffer, NaN),
			'mean, seed 2^53': () => core.checked('significance_mean', buffer, 3, 10, buffer, 2 ** 53),
			'pair of ones': () => core.checked('significance_pair', buffer, buffer, 1, 10, buffer, 1),
			'too many draws': () => core.checked('significance_pair', buffer, buffer, 100, 100_000_000, buffer, 1),
			'too many rounds': () => core.checked('significance_mean', buffer, 1, 10_000_001, buffer, 1),
			'mean of NaN': () => { core.view(buffer, 8).setFloat64(0, NaN, true); return core.checked('significance_mean', buffer, 1, 1, buffer, 1); },
			'holm of infinity': () => { core.view(buffer, 8).setFloat64(0, Infinity, true); return core.checked('significance_holm', buffer, 1); },
			'holm nowhere': () => core.checked('significance_holm', 16, 5),
		})) {
			try {
				attempt();
				out[name] = 'nothing is wrong';
			} catch (error) {
				out[name] = core.lost ? 'lost: ' + error.message : error.name;
			}
			if (core.lost) break;
		}
		return out;
	}`)
	if len(got) != 33 {
		t.Errorf("%d attempts", len(got))
	}
	for name, outcome := range got {
		switch {
		case strings.HasPrefix(outcome, "lost") || strings.HasPrefix(outcome, "nothing") || strings.HasPrefix(outcome, "TypeError"):
			t.Errorf("%s: %s", name, outcome)
		case (name == "too many draws" || name == "too many rounds") && outcome != "LimitError":
			t.Errorf("%s: %s, want a LimitError", name, outcome)
		}
	}
}

// Lists of more entries than a call of a function may have arguments are ranked and removed like others.
func TestListsLongerThanArguments(t *testing.T) {
	t.Parallel()
	got := call[[]int](t, library(t), `async () => {
		const worker = false;`+withEvaluator+`
		const most = 200000;
		const queries = new Array(most).fill(new Float32Array([1, 0]));
		const { none } = await vantage.rankings({ vectors: [[1, 0]], queries, methods: ['none'], k: 1 });
		vantage.close();
		const encoder = { id: 'own', dim: 1, encode: (texts) => texts.map(() => [1]) };
		const own = await lib.Vantage.create({ worker, encoder });
		const ids = queries.map((_, i) => String(i));
		await own.add(ids.map((id) => ({ id, text: '', vector: [1] })));
		await own.remove(ids);
		const left = own.coverage.rows;
		own.close();
		return [none.length, none.at(-1)[0], left];
	}`)
	if want := []int{200_000, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
