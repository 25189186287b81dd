package browser

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// pirTasks returns tasks in the demo layout: one about sides, with a query of
// unknown words only; one about places; one whose perspectives are its queries.
func pirTasks() map[string]any {
	sides := map[string]any{"key_ref": map[string][]int{}}
	var corpus, queries, roots, perspectives, labels []string
	for i, topic := range []string{"night trains", "school uniforms", "zoos", "nuclear power", "free museums"} {
		corpus = append(corpus, "We should support "+topic+".", topic+" are harmful and should be banned.", "The history of "+topic+".", topic+" are harmful and should be banned.")
		for j, label := range []string{"support", "undermine", "__proto__"} {
			perspective := fmt.Sprintf("a claim that %ss the argument", label)
			queries, roots, perspectives, labels = append(queries, fmt.Sprintf("Find %s: %s", perspective, topic)), append(roots, topic), append(perspectives, perspective), append(labels, label)
			gold := []int{4*i + j}
			if j == 2 {
				gold = []int{4*i + 2, 4*i + 1, 4*i + 3}
			}
			sides["key_ref"].(map[string][]int)[fmt.Sprint(len(queries)-1)] = gold
		}
	}
	queries[4], perspectives[7] = "☃☃☃", "☃☃☃"
	for field, list := range map[string][]string{"corpus": corpus, "queries": queries, "source_queries": roots, "perspectives": perspectives, "query_labels": labels} {
		sides[field] = list
	}
	places := map[string]any{
		"corpus":         []string{"floods in Kenya", "floods in Peru and Kenya", "music of Samoa", "music of Samoa", "a parliament votes"},
		"queries":        []string{"floods in Kenya", "floods in Peru", "votes in Samoa", "floods"},
		"source_queries": []string{"floods", "floods", "votes", "floods"},
		"perspectives":   []string{"a news article happened in Kenya", "a news article happened in Peru ", "a news article happened in Samoa", "a news article relates to water"},
		"query_labels":   []string{"location", "location", "location", "subtopic"},
		"key_ref":        map[string][]int{"0": {0}, "1": {1}, "2": {2}, "3": {0, 1}},
	}
	questions := []string{"who won the cup in 2010", "who won the cup in 2014", "who sang it"}
	whole := map[string]any{
		"corpus": []string{"Spain won it in 2010", "Germany won it in 2014", "nobody sang", "an empty page"}, "queries": questions, "perspectives": questions,
		"source_queries": []string{"who won the cup", "who won the cup", "who sang it"}, "query_labels": []string{"perspective", "perspective", "perspective"},
		"key_ref": map[string][]int{"0": {0}, "1": {1}, "2": {2, 2}},
	}
	return map[string]any{"zoo": sides, "agnews": places, "ambigqa": whole}
}

// pirReport returns the JSON of `vantage eval pir --retriever static` on a file.
func pirReport(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	file, report := filepath.Join(dir, name), filepath.Join(dir, "report")
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program(t), "eval", "pir", file, "--retriever", "static", "--json", report).CombinedOutput(); err != nil {
		t.Fatalf("vantage eval pir: %v\n%s", err, out)
	}
	written, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

// withoutAuto is the report of the command without the system auto, which pages do not have.
func withoutAuto(t *testing.T, report []byte) map[string]any {
	t.Helper()
	out := tree(t, report)
	for name, task := range out["tasks"].(map[string]any) {
		if _, ok := task.(map[string]any)["auto"]; !ok {
			t.Errorf("the command has no auto for %s", name)
		}
		delete(task.(map[string]any), "auto")
	}
	return out
}

func tree(t *testing.T, text []byte) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return out
}

// waitBenchmark waits until the page shows the benchmark's figures, and returns the summary.
func waitBenchmark(t *testing.T, page *harness.Page) string {
	t.Helper()
	return call[string](t, page, `async () => {
		const id = (name) => document.getElementById(name);
		for (let i = 0; i < 2400; i++) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			if (!id('fault').hidden) throw new Error('the page says: ' + id('fault').textContent);
			if (id('working').hidden && !id('benchmark').hidden) return id('benchmark-summary').textContent;
		}
		throw new Error('timed out: ' + id('working-text').textContent);
	}`)
}

// The page evaluates a file in the benchmark's layout: every figure has the same
// bits as the command's.
func TestEvalPagePIR(t *testing.T) {
	t.Parallel()
	source := axe(t)
	content, err := json.Marshal(pirTasks())
	if err != nil {
		t.Fatal(err)
	}
	want := withoutAuto(t, pirReport(t, "tasks.json", content))
	page := blankPage(t, looks[0].scheme, looks[0].width)
	if err := page.Navigate(serve(t, bare(debates(t))).URL("/eval.html")); err != nil {
		t.Fatal(err)
	}
	call[any](t, page, give, "runs", []given{{"tasks.json", string(content)}})
	if said := waitBenchmark(t, page); !strings.Contains(said, "3 tasks by every scoring method that needs no angles, with ") {
		t.Errorf("the page says %q", said)
	}
	if got := tree(t, []byte(savedBy(t, page, "benchmark", "Download JSON"))); !reflect.DeepEqual(got, want) {
		differ(t, "", got, want)
	}
	call[any](t, page, `() => { document.querySelectorAll('details').forEach((d) => { d.open = true; }); }`)
	checkBenchmark(t, page, want)
	violations(t, page, source, "benchmark", inside)
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}

// checkBenchmark checks the tables and files that the page makes from a report.
func checkBenchmark(t *testing.T, page *harness.Page, report map[string]any) {
	t.Helper()
	at := func(task, method, figure, k string) float64 {
		result := report["tasks"].(map[string]any)[task].(map[string]any)[method].(map[string]any)
		if figure == "recall" {
			result = result["recall"].(map[string]any)
			figure = "overall"
		}
		return result[figure].(map[string]any)[k].(float64)
	}
	check := func(figure, k string) {
		rows := table(t, page, "methods")
		if got := strings.Join(rows[0], " "); got != "Method agnews ambigqa zoo" || len(rows) != 1+len(pireval.VectorMethods()) {
			t.Fatalf("%q over %d rows", got, len(rows))
		}
		for i, method := range pireval.VectorMethods() {
			for j, task := range rows[0][1:] {
				if want := fmt.Sprintf("%.4f", at(task, method.Name, figure, k)); rows[1+i][0] != method.Name || !strings.HasPrefix(rows[1+i][1+j], want) {
					t.Errorf("%s@%s: row %q, want %s of %s on %s", figure, k, rows[1+i], want, method.Name, task)
				}
			}
		}
	}
	check("recall", "5")
	call[any](t, page, `() => {
		const select = document.querySelector('#benchmark select');
		select.value = 'p-Recall@1';
		select.dispatchEvent(new Event('change'));
	}`)
	check("p_recall", "1")
	if rows := table(t, page, "bias"); len(rows) != 1+2+1+3 || rows[1][0] != "agnews" {
		t.Errorf("bias: %q", rows)
	}
	records, err := csv.NewReader(strings.NewReader(savedBy(t, page, "benchmark", "Download CSV"))).ReadAll()
	if err != nil || strings.Join(records[0], " ") != "task method retriever measure label k value" {
		t.Fatalf("pir.csv: %q %v", records, err)
	}
	found := false
	for _, r := range records {
		found = found || strings.Join(r, " ") == fmt.Sprintf("zoo vec_projection %s p-Recall  10 %v", builtin.Builtin().ID, at("zoo", "vec_projection", "p_recall", "10"))
	}
	if !found {
		t.Errorf("pir.csv lacks p-Recall@10 of vec_projection: %d records", len(records))
	}
	picture := savedBy(t, page, "benchmark", "Download SVG")
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("pir.svg: %v\n%s", err, picture)
		}
	}
	if !strings.Contains(picture, "p-Recall@1 by method and task") || !strings.Contains(picture, "vec_dual_concat") || strings.Contains(picture, "asked for") {
		t.Errorf("pir.svg: %s", picture)
	}
	if call[bool](t, page, `() => document.getElementById('locations').hidden`) {
		t.Error("no map of agnews's places")
	}
}

// differ reports the differences of two JSON trees.
func differ(t *testing.T, at string, got, want any) {
	t.Helper()
	g, isObject := got.(map[string]any)
	w, both := want.(map[string]any)
	if !isObject || !both {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the page has %v, the command %v", at, got, want)
		}
		return
	}
	for name := range g {
		if _, known := w[name]; !known {
			t.Errorf("%s.%s is only in the page's report", at, name)
		}
	}
	for name := range w {
		differ(t, at+"."+name, g[name], w[name])
	}
}

// The same with the released file, if it is available.
func TestEvalPagePIRDemoFile(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	page := evalPage(t)
	call[any](t, page, give, "runs", []given{{"demo_pir_dataset.json", string(content)}})
	t.Log(waitBenchmark(t, page))
	got, want := tree(t, []byte(savedBy(t, page, "benchmark", "Download JSON"))), withoutAuto(t, pirReport(t, "demo_pir_dataset.json", content))
	if len(want["tasks"].(map[string]any)) != 6 || !reflect.DeepEqual(got, want) {
		differ(t, "", got, want)
	}
}

// Runs and a file of the benchmark are evaluated side by side, whichever comes first.
func TestEvalPagePIRAndRuns(t *testing.T) {
	t.Parallel()
	content, err := json.Marshal(pirTasks())
	if err != nil {
		t.Fatal(err)
	}
	qrels, run, other := trecFixture(t)
	page := evalPage(t)
	both := func(runs string) {
		t.Helper()
		waitFor(t, page, `document.getElementById('working').hidden && !document.getElementById('benchmark').hidden && document.getElementById('summary').textContent.startsWith('`+runs+` evaluated')`)
	}
	tasks := given{"tasks.json", string(content)}
	call[any](t, page, give, "runs", []given{qrels, run, tasks})
	both("1 run")
	// What is given up says nothing any more.
	for _, files := range [][]given{{tasks}, {tasks}, {other}} {
		call[any](t, page, give, "runs", files)
	}
	both("2 runs")
	call[any](t, page, `() => new Promise((resolve) => setTimeout(resolve, 1000))`)
	both("2 runs")
}

// A gzipped file is read as the file itself is; a broken one is said to be broken.
func TestEvalPagePIRGzipped(t *testing.T) {
	t.Parallel()
	content, err := json.Marshal(pirTasks())
	if err != nil {
		t.Fatal(err)
	}
	page := evalPage(t)
	const pack = `async (name, content, cut) => {
		const packed = await new Response(new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
		const transfer = new DataTransfer();
		transfer.items.add(new File([packed.slice(0, packed.size - cut)], name));
		const input = document.getElementById('runs');
		input.files = transfer.files;
		input.dispatchEvent(new Event('change'));
	}`
	call[any](t, page, pack, "tasks.json.gz", string(content), 0)
	t.Log(waitBenchmark(t, page))
	packed := tree(t, []byte(savedBy(t, page, "benchmark", "Download JSON")))
	call[any](t, page, give, "runs", []given{{"tasks.json.gz", string(content)}})
	waitFor(t, page, `document.getElementById('benchmark').hidden`)
	t.Log(waitBenchmark(t, page))
	if plain := tree(t, []byte(savedBy(t, page, "benchmark", "Download JSON"))); !reflect.DeepEqual(packed, plain) {
		differ(t, "", packed, plain)
	}
	long := strings.Repeat(" ", 1<<17) // what tells the kind of a file is whole
	call[any](t, page, pack, "cut.json.gz", string(content)+long, 4)
	waitFor(t, page, `document.getElementById('fault').textContent.startsWith('cut.json.gz: broken gzip data')`)
}

// A report of several retrievers that have the same methods has a row for each.
func TestEvalPagePIRSeveralRetrievers(t *testing.T) {
	t.Parallel()
	_, report := locationsReport(t)
	var runs []pireval.Run
	for _, retriever := range []string{"bert", "bert (cls)"} {
		runs = append(runs, pireval.Run{Retriever: retriever, Methods: pireval.BM25{}.Methods(), Tasks: report.Tasks})
	}
	content, err := json.Marshal(pireval.NewReport("news", runs))
	if err != nil {
		t.Fatal(err)
	}
	page := evalPage(t)
	call[any](t, page, give, "runs", []given{{"several.json", string(content)}})
	waitFor(t, page, `!document.getElementById('benchmark').hidden && document.getElementById('fault').hidden`)
	rows := call[[]string](t, page, `() => Array.from(document.querySelectorAll('#methods tbody th'), (th) => th.textContent)`)
	leanings := call[[]string](t, page, `() => Array.from(document.querySelectorAll('#bias tbody tr td:nth-child(2)'), (td) => td.textContent)`)
	if want := []string{"bm25 of bert", "bm25 of bert (cls)"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if !slices.Contains(leanings, "bert") || !slices.Contains(leanings, "bert (cls)") {
		t.Errorf("leanings of %q", leanings)
	}
}

// A fault in a file is reported with its task and field.
func TestEvalPagePIRFaults(t *testing.T) {
	t.Parallel()
	page := evalPage(t)
	complain := func(name, content, want string) {
		t.Helper()
		name += ".json" // each has its own name, so that an earlier fault is not mistaken for it
		call[any](t, page, give, "runs", []given{{name, content}})
		waitFor(t, page, fmt.Sprintf(`document.getElementById('fault').textContent.startsWith(%q) && document.getElementById('fault').textContent.includes(%q)`, name+": ", want))
	}
	for name, c := range map[string]struct {
		change func(zoo map[string]any)
		want   string
	}{
		"no list":          {func(zoo map[string]any) { zoo["queries"] = "x" }, "queries is not a list of texts"},
		"no text":          {func(zoo map[string]any) { zoo["corpus"] = []any{"a", 1} }, "corpus[1] is not a text"},
		"no corpus":        {func(zoo map[string]any) { zoo["corpus"] = []any{} }, "15 queries on 0 texts"},
		"short":            {func(zoo map[string]any) { zoo["query_labels"] = []string{"a"} }, "query_labels has 1 entries for 15 queries"},
		"no gold":          {func(zoo map[string]any) { delete(zoo, "key_ref") }, "key_ref is not an object"},
		"an empty gold":    {func(zoo map[string]any) { zoo["key_ref"].(map[string][]int)["3"] = nil }, "key_ref: query 3 has no list of gold texts"},
		"a gold beyond":    {func(zoo map[string]any) { zoo["key_ref"].(map[string][]int)["3"] = []int{20} }, "key_ref: query 3: gold text 20 of 20"},
		"an unknown query": {func(zoo map[string]any) { g := zoo["key_ref"].(map[string][]int); delete(g, "0"); g["15"] = []int{0} }, `key_ref names query "15" of 15`},
	} {
		tasks := pirTasks()
		c.change(tasks["zoo"].(map[string]any))
		content, err := json.Marshal(tasks)
		if err != nil {
			t.Fatal(err)
		}
		complain(name, string(content), `task "zoo": `+c.want)
	}
	many := pirTasks()
	many["agnews"].(map[string]any)["corpus"] = make([]string, 200_000)
	content, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		string(content):              "texts, at most 200000 are encoded here: use `vantage eval pir`",
		`{"corpus": `:                "this is not JSON",
		`{"tasks":{"a":{"m":{}}}}`:   "Recall of a, m lacks a share",
		`{"tasks":{}}`:               "it has no tasks",
		`{"zoo":{"queries":["a"]}}`:  `"tasks" is not an object`,
		`{"zoo":{"corpus":["a"]}}`:   `task "zoo": queries is not a list of texts`,
		`{"a":1,"b":{"corpus":[1]}}`: `task "a": this is not an object`,
	} {
		complain("bad", content, want)
	}
}
