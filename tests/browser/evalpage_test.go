package browser

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/trec"
)

// give hands files to an input of the page, as if they were chosen.
const give = `(id, files) => {
	const transfer = new DataTransfer();
	for (const { name, content } of files) transfer.items.add(new File([content], name));
	const input = document.getElementById(id);
	input.files = transfer.files;
	input.dispatchEvent(new Event('change'));
}`

// given is a file for give.
type given struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// trecFixture returns our judgements and run, and a run of most of its documents
// in another order.
func trecFixture(t *testing.T) (qrels, run, other given) {
	t.Helper()
	dir := filepath.Join(harness.Root(), "trec", "testdata")
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	r := read("run.txt")
	return given{"qrels.txt", string(read("qrels.txt"))}, given{"run.txt", string(r)}, given{"other.txt", string(otherRuns(t, r)[0])}
}

// evalPage opens the evaluation page.
func evalPage(t *testing.T) *harness.Page {
	t.Helper()
	return open(t, serve(t, bare(debates(t))).URL("/eval.html"))
}

// waitEvaluated waits until the page shows results.
func waitEvaluated(t *testing.T, page *harness.Page) {
	t.Helper()
	call[bool](t, page, `async () => {
		const id = (name) => document.getElementById(name);
		for (let i = 0; i < 1200; i++) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			if (!id('fault').hidden) throw new Error('the page says: ' + id('fault').textContent);
			if (id('working').hidden && !id('results').hidden && !id('example').ariaDisabled) return true;
		}
		throw new Error('timed out: ' + id('working-text').textContent);
	}`)
}

// waitFault waits until the page shows an error.
func waitFault(t *testing.T, page *harness.Page) string {
	t.Helper()
	return call[string](t, page, `async () => {
		for (let i = 0; i < 400; i++) {
			const fault = document.getElementById('fault');
			if (!fault.hidden) return fault.textContent;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error('the page shows no error');
	}`)
}

// table reads a table of the page, row by row.
func table(t *testing.T, page *harness.Page, id string) [][]string {
	t.Helper()
	return call[[][]string](t, page, `(id) => Array.from(document.querySelectorAll('#' + id + ' tr'), (row) => Array.from(row.cells, (cell) => cell.innerText.trim()))`, id)
}

// taken returns the text of an exported file.
func taken(t *testing.T, page *harness.Page, file string) string {
	t.Helper()
	return call[string](t, page, `async (file) => {
		const original = URL.createObjectURL;
		let blob;
		URL.createObjectURL = (given) => { blob = given; return '#'; };
		HTMLAnchorElement.prototype.click = function () { this.dataset.clicked = this.download; };
		document.getElementById('take').value = file;
		document.getElementById('download').click();
		URL.createObjectURL = original;
		delete HTMLAnchorElement.prototype.click;
		return blob.text();
	}`, file)
}

func evaluateText(t *testing.T, qrels, run given, measures []string, o trec.Options) *trec.Evaluation {
	t.Helper()
	q, err := trec.ReadQrels(strings.NewReader(qrels.Content), qrels.Name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trec.ReadRun(strings.NewReader(run.Content), run.Name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := trec.ParseMeasures(measures)
	if err != nil {
		t.Fatal(err)
	}
	e, err := trec.Evaluate(q, r, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// offered lists the measures that the page ticks at first.
var offered = []string{"nDCG@10", "AP", "RR", "P@5", "R@100"}

func TestEvalPage(t *testing.T) {
	t.Parallel()
	page := evalPage(t)
	qrels, run, other := trecFixture(t)
	call[any](t, page, give, "runs", []given{run}) // before the judgements
	call[any](t, page, give, "runs", []given{qrels, other})
	waitEvaluated(t, page)

	// The means equal the command's.
	first, second := evaluateText(t, qrels, run, offered, trec.Options{}), evaluateText(t, qrels, other, offered, trec.Options{})
	means := table(t, page, "means")
	if got := strings.Join(means[0], " "); got != "Measure run.txt other.txt" || len(means) != 1+len(offered) {
		t.Fatalf("%q over %d rows", got, len(means))
	}
	for i, name := range offered {
		row := means[i+1]
		for j, e := range []*trec.Evaluation{first, second} {
			if want := fmt.Sprintf("%.4f", e.Averages[i]); row[0] != name || !strings.HasPrefix(row[1+j], want) {
				t.Errorf("row %q, want %s %s at %d", row, name, want, j)
			}
		}
	}

	// The comparison does too, also in the exported file.
	call[any](t, page, `() => Array.from(document.querySelectorAll('#means .chooser')).find((b) => b.textContent === 'AP').click()`)
	waitFor(t, page, `document.getElementById('chart-summary').textContent.startsWith('AP of other.txt minus that of run.txt')`)
	var everything struct {
		Evaluations []struct {
			Run      string
			Averages map[string]float64
		}
		Comparison struct {
			Measure string
			Rounds  int
			Pairs   []struct {
				A, B       string
				Difference float64
				Low, High  float64
				PT         float64 `json:"p_t_test"`
				PR         float64 `json:"p_randomization"`
			}
			PerQuery struct {
				Queries []string
				Values  [][]float64
			} `json:"per_query"`
		}
	}
	if err := json.Unmarshal([]byte(taken(t, page, "evaluation.json")), &everything); err != nil {
		t.Fatal(err)
	}
	values := everything.Comparison.PerQuery.Values
	pair, err := significance.ComparePair(values[0], values[1], 10_000, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := everything.Comparison.Pairs[0]
	if everything.Comparison.Measure != "AP" || got.A != "run.txt" || got.Difference != pair.Difference || got.Low != pair.Interval.Low || got.High != pair.Interval.High || got.PT != pair.P || got.PR != pair.Randomization {
		t.Errorf("%+v, want %+v", got, pair)
	}
	if everything.Evaluations[1].Averages["AP"] != second.Averages[1] {
		t.Errorf("AP %v, want %v", everything.Evaluations[1].Averages["AP"], second.Averages[1])
	}
	if row := table(t, page, "pairs")[1]; row[0] != "other.txt − run.txt" || strings.NewReplacer("−", "-", "+", "").Replace(row[1]) != fmt.Sprintf("%.4f", pair.Difference) {
		t.Errorf("pair %q, want a difference of %v", row, pair.Difference)
	}

	// A table of every query, sorted by any column.
	rows := table(t, page, "rows")
	if len(rows) != 1+len(everything.Comparison.PerQuery.Queries) || len(rows[0]) != 4 {
		t.Errorf("%d rows of %q", len(rows), rows[0])
	}
	sorted := call[[]string](t, page, `() => {
		document.querySelector('#per-query').open = true;
		document.querySelector('#rows thead th button').click();
		return [document.activeElement.textContent, document.querySelector('#rows thead th').getAttribute('aria-sort'), ...Array.from(document.querySelectorAll('#rows tbody th'), (th) => th.textContent)];
	}`)
	if want := append([]string{"Query ▲", "ascending"}, everything.Comparison.PerQuery.Queries...); strings.Join(sorted, " ") != strings.Join(want, " ") {
		t.Errorf("sorted by query: %q, want %q", sorted, want)
	}

	// The keyboard moves through the chart's queries.
	spoken := call[[]string](t, page, `() => {
		const chart = document.getElementById('chart');
		const press = (key) => { chart.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); return chart.getAttribute('aria-valuetext'); };
		return [chart.getAttribute('aria-valuetext'), press('ArrowRight'), press('End'), press('ArrowRight'), press('Home')];
	}`)
	if spoken[0] != spoken[4] || spoken[2] != spoken[3] || spoken[0] == spoken[2] || !strings.HasPrefix(spoken[1], "query ") {
		t.Errorf("the chart says %q", spoken)
	}

	// Tables and the picture can be exported.
	records, err := csv.NewReader(strings.NewReader(taken(t, page, "means.csv"))).ReadAll()
	if err != nil || len(records) != 1+len(offered) || records[2][2] != strconv.FormatFloat(second.Averages[1], 'g', -1, 64) {
		t.Errorf("means.csv: %q %v, want AP %v", records, err, second.Averages[1])
	}
	records, err = csv.NewReader(strings.NewReader(taken(t, page, "queries.csv"))).ReadAll()
	if err != nil || len(records) != 1+len(first.Queries)+len(second.Queries) || records[1][1] != first.Queries[0].Query {
		t.Errorf("queries.csv: %d records, %v", len(records), err)
	}
	if records, err = csv.NewReader(strings.NewReader(taken(t, page, "differences.csv"))).ReadAll(); err != nil || len(records) != 2 {
		t.Errorf("differences.csv: %q %v", records, err)
	}
	picture := taken(t, page, "queries.svg")
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("queries.svg: %v\n%s", err, picture)
		}
	}
	if !strings.Contains(picture, `fill="rgb(`) || strings.Contains(picture, "NaN") {
		t.Errorf("queries.svg: %s", picture)
	}

	// Other measures and options.
	call[any](t, page, `() => {
		document.querySelectorAll('#checks input').forEach((box) => { box.checked = false; });
		document.getElementById('complete').checked = true;
		document.getElementById('level').value = '2';
		const more = document.getElementById('more');
		more.value = ' all_trec P(rel=2)@5 ';
		more.dispatchEvent(new Event('change'));
	}`)
	waitFor(t, page, `document.querySelectorAll('#means tr').length > 50`)
	waitEvaluated(t, page)
	want := evaluateText(t, qrels, run, []string{"all_trec", "P(rel=2)@5"}, trec.Options{Complete: true, Level: 2})
	for _, line := range strings.Split(strings.TrimSpace(string(want.AppendLines(nil, trec.Lines{Summary: true}))), "\n") {
		f := strings.Fields(line) // name, "all", value
		shown := ""
		for _, row := range table(t, page, "means") {
			if row[0] == f[0] {
				shown = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(strings.ReplaceAll(row[1], "−", "-"), "(best)")), "\n")
			}
		}
		if shown != f[2] && f[2] != shown+".0000" {
			t.Errorf("%s: the page shows %q, the command prints %s", f[0], shown, f[2])
		}
	}

	// With one run left there is nothing to compare; with none, there are no
	// results.
	call[any](t, page, `() => document.querySelector('#runs-list li:last-child .remove').click()`)
	waitFor(t, page, `document.getElementById('differences').hidden && document.getElementById('chart-summary').textContent.includes(' of run.txt, from')`)
	if got := call[string](t, page, `() => document.activeElement.id`); got != "runs" {
		t.Errorf("after a run was removed the focus is at %q", got)
	}
	call[any](t, page, `() => document.querySelector('#runs-list .remove').click()`)
	waitFor(t, page, `document.getElementById('results').hidden && document.getElementById('fault').hidden`)
}

// Faults in files are reported with file and line, and another file corrects
// them.
func TestEvalPageFaults(t *testing.T) {
	t.Parallel()
	page := evalPage(t)
	qrels, run, _ := trecFixture(t)
	call[any](t, page, give, "qrels", []given{{"table.csv", "a,b\n1,2\n"}})
	if got := waitFault(t, page); !strings.Contains(got, "table.csv: its first line has 1 field.") {
		t.Errorf("a table: %s", got)
	}
	// Dropped anywhere on the page.
	call[any](t, page, `(files) => {
		const transfer = new DataTransfer();
		for (const { name, content } of files) transfer.items.add(new File([content], name));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
	}`, []given{qrels, {"bad.txt", run.Content + "1 Q0 last 1 1..5 x\n"}})
	waitFor(t, page, `document.getElementById('fault').textContent.includes('bad.txt')`)
	if got, want := waitFault(t, page), fmt.Sprintf("bad.txt, line %d: ", strings.Count(run.Content, "\n")+1); !strings.HasPrefix(got, want) || !strings.Contains(got, `the score "1..5" is not a number`) {
		t.Errorf("%s, want %s…", got, want)
	}
	if call[bool](t, page, `() => !document.getElementById('results').hidden`) {
		t.Error("there are results of a bad file")
	}
	call[any](t, page, `() => document.querySelector('#runs-list .remove').click()`)
	call[any](t, page, give, "runs", []given{run, run})
	waitEvaluated(t, page)
	if got := table(t, page, "means")[0]; got[2] != "run.txt (2)" {
		t.Errorf("two files of one name: %q", got)
	}
	call[any](t, page, `() => {
		const more = document.getElementById('more');
		more.value = 'nDGC@10';
		more.dispatchEvent(new Event('change'));
	}`)
	if got := waitFault(t, page); !strings.Contains(got, `unknown measure "nDGC@10"`) {
		t.Errorf("a misspelt measure: %s", got)
	}

	// Of several files, those that can be used are.
	page = evalPage(t)
	again := given{"again.txt", qrels.Content}
	call[any](t, page, give, "runs", []given{{"notes.txt", "hello world\n"}, qrels, run, again})
	waitFor(t, page, `document.getElementById('summary').textContent.startsWith('1 run evaluated')`)
	if got := waitFault(t, page); !strings.Contains(got, "notes.txt: its first line has 2 fields.") || !strings.Contains(got, "again.txt is left out: qrels.txt is of the same kind.") {
		t.Errorf("files that are left out: %s", got)
	}
}

// A site's queries may have neither a root nor a perspective, and ids may have spaces.
func TestEvalPageExampleOfPlainQueries(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", bare(lighthouseSite(t)))
	mux.HandleFunc("/judgements.json", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"format": "vantage-judgements", "version": 1, "queries": [{"id": "my query", "text": "lantern", "gold": ["my page 100%", "keeper0"]}, {"id": "other", "text": "harbour", "gold": ["harbour3"]}]}`)
	})
	page := open(t, serve(t, mux).URL("/eval.html"))
	waitFor(t, page, `!document.getElementById('example-offer').hidden`)
	call[any](t, page, `() => document.getElementById('example').click()`)
	waitEvaluated(t, page)
	if got := strings.Join(table(t, page, "means")[0], " "); got != "Measure none bm25" {
		t.Errorf("runs %q", got)
	}
	queries := call[[]string](t, page, `() => Array.from(document.querySelectorAll('#rows tbody th'), (th) => th.textContent).sort()`)
	if strings.Join(queries, " ") != "my%20query other" {
		t.Errorf("queries %q", queries)
	}
}

// The example uses the site's collection: its figures equal those of package trec for the
// native engine's runs of the same queries.
func TestEvalPageExample(t *testing.T) {
	t.Parallel()
	dir := judgedSite(t)
	page := open(t, serve(t, bare(dir)).URL("/eval.html"))
	waitFor(t, page, `!document.getElementById('example-offer').hidden`)
	call[any](t, page, `() => document.getElementById('example').click()`)
	waitEvaluated(t, page)
	collection := native(t, filepath.Join(dir, "collection"))

	var qrels strings.Builder
	judged, err := os.ReadFile(filepath.Join(harness.Root(), "examples", "debates", "qrels", "test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(judged)), "\n")[1:] {
		f := strings.Fields(line)
		fmt.Fprintf(&qrels, "%s 0 %s %s\n", f[0], f[1], f[2])
	}
	queries, err := os.ReadFile(filepath.Join(harness.Root(), "examples", "debates", "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	means := table(t, page, "means")
	for m, method := range means[0][1:] {
		var run strings.Builder
		for line := range bytes.Lines(queries) {
			var q struct {
				ID                string `json:"_id"`
				Text              string
				Root, Perspective string
			}
			if err := json.Unmarshal(line, &q); err != nil {
				t.Fatal(err)
			}
			result, err := collection.Search(context.Background(), search.Query{Query: search.Text{Text: q.Text}, Root: &search.Text{Text: q.Root}, Perspectives: []search.Text{{Text: q.Perspective}}, Method: method, K: 20})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range result.Hits {
				fmt.Fprintf(&run, "%s Q0 %s %d %v %s\n", q.ID, h.ID, h.Rank, h.Score, method)
			}
		}
		e := evaluateText(t, given{"qrels", qrels.String()}, given{method, run.String()}, offered, trec.Options{})
		for i, name := range offered {
			if got, want := means[1+i], fmt.Sprintf("%.4f", e.Averages[i]); got[0] != name || !strings.HasPrefix(got[1+m], want) {
				t.Errorf("%s of %s: the page shows %q, want %s", name, method, got, want)
			}
		}
	}
	if len(means[0]) != 4 {
		t.Errorf("runs of %q", means[0])
	}
}

func TestEvalPageLayout(t *testing.T) {
	t.Parallel()
	qrels, run, other := trecFixture(t)
	page := evalPage(t)
	run.Name = strings.Repeat("run_of_pap_plus_", 10)
	call[any](t, page, give, "runs", []given{qrels, run, other})
	waitEvaluated(t, page)
	call[any](t, page, `() => document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 768, 1280} {
			show(t, page, scheme, width)
			if got := call[int64](t, page, `() => document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s, %d px: the page is %d px wide", scheme, width, got)
			}
			for _, pale := range call[[]string](t, page, contrast) {
				t.Errorf("%s, %d px: %s", scheme, width, pale)
			}
		}
	}
}
