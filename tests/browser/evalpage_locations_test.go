package browser

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// locationsReport returns the report of `vantage eval pir --json` on queries for
// news from three places. The queries for one place find nothing whose place is
// known.
func locationsReport(t *testing.T) (given, pireval.Report) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "news")
	for name, content := range map[string]string{
		"corpus.jsonl": `{"_id":"1","text":"of other things"}
{"_id":"2","text":"of other things"}
{"_id":"3","text":"of other things"}
{"_id":"4","text":"of other things"}
{"_id":"5","text":"of other things"}
{"_id":"6","text":"of other things"}
{"_id":"7","text":"floods in Kenya"}
{"_id":"8","text":"floods in Peru and Kenya"}
{"_id":"9","text":"music of Samoa"}
`,
		"queries.jsonl": `{"_id":"a","text":"floods in Kenya","root":"floods","perspective":"a news article happened in Kenya"}
{"_id":"b","text":"floods in Peru","root":"floods","perspective":"a news article happened in Peru"}
{"_id":"c","text":"gold","root":"gold","perspective":"a news article happened in Samoa & <Tonga>"}
`,
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\na\t7\t1\nb\t8\t1\nc\t9\t1\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tasks, err := pir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	run, err := pireval.Evaluate(context.Background(), tasks, pireval.BM25{}, pireval.BM25{}.Methods(), func(string, int, int) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	report := pireval.NewReport("news", []pireval.Run{run})
	content, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return given{"report.json", "\n" + string(content)}, report
}

// savedBy returns the text of the file that a button of a section downloads.
func savedBy(t *testing.T, page *harness.Page, section, name string) string {
	t.Helper()
	return call[string](t, page, `(section, name) => {
		const original = URL.createObjectURL;
		let blob;
		URL.createObjectURL = (given) => { blob = given; return '#'; };
		HTMLAnchorElement.prototype.click = () => {};
		Array.from(document.querySelectorAll('#' + section + ' button')).find((b) => b.textContent === name).click();
		URL.createObjectURL = original;
		delete HTMLAnchorElement.prototype.click;
		return blob.text();
	}`, section, name)
}

// The command's report becomes a heat map, with a cell for each requested and
// found location: as a picture, as a table and as files.
func TestEvalPageLocations(t *testing.T) {
	t.Parallel()
	source := axe(t)
	file, report := locationsReport(t)
	result := report.Tasks[0].Value[0].Value
	page := blankPage(t, looks[0].scheme, looks[0].width)
	if err := page.Navigate(serve(t, bare(debates(t))).URL("/eval.html")); err != nil {
		t.Fatal(err)
	}
	wrong := regexp.MustCompile(`"documents":\d+,"portions"`).ReplaceAllString(file.Content, `"documents":null,"portions"`)
	call[any](t, page, give, "runs", []given{{"wrong.json", wrong}})
	waitFor(t, page, `document.getElementById('fault').textContent.includes('wrong.json: locations of news, bm25, have something other than numbers')`)
	nowhere := tree(t, []byte(file.Content))
	locations := nowhere["tasks"].(map[string]any)["news"].(map[string]any)["bm25"].(map[string]any)["locations"].(map[string]any)
	locations["desired"], locations["root"] = map[string]any{}, map[string]any{}
	content, err := json.Marshal(nowhere)
	if err != nil {
		t.Fatal(err)
	}
	call[any](t, page, give, "runs", []given{{"nowhere.json", string(content)}})
	waitFor(t, page, `!document.getElementById('benchmark').hidden && document.getElementById('fault').hidden`)
	if call[bool](t, page, `() => !document.getElementById('locations').hidden`) {
		t.Error("a map is drawn of no location")
	}
	call[any](t, page, give, "runs", []given{file})
	waitFor(t, page, `!document.getElementById('locations').hidden && document.getElementById('fault').hidden`)

	type cell struct{ Title, Text string }
	cells := call[[]cell](t, page, `() => Array.from(document.querySelectorAll('#locations .heat title'), (title) => {
		const text = title.parentElement.nextElementSibling;
		return { title: title.textContent, text: text?.classList.contains('inside') ? text.textContent : '' };
	})`)
	shown := map[string]string{}
	for _, c := range cells {
		shown[c.Title] = c.Text
	}
	for _, d := range result.Locations.Desired {
		for _, p := range d.Value.Portions {
			percent := fmt.Sprintf("%.0f", 100*p.Value)
			if title := fmt.Sprintf("%s: %s %% of %d from %s", d.Name, percent, d.Value.Documents, p.Name); shown[title] != percent {
				t.Errorf("cell %q shows %q; there are %v", title, shown[title], shown)
			}
		}
	}
	if got, ok := shown["Kenya: 0 % of 2 from Samoa & <Tonga>"]; !ok || got != "" {
		t.Errorf("no empty cell: %v", shown)
	}
	if got := call[string](t, page, `() => document.querySelector('#locations .heat svg').textContent`); !strings.Contains(got, "none found") || !strings.Contains(got, "Samoa & <Tonga> (0)") || !strings.Contains(got, "root queries (") {
		t.Errorf("the picture says %q", got)
	}
	label := call[string](t, page, `() => document.querySelector('#locations .heat svg').getAttribute('aria-label')`)
	if !strings.HasPrefix(label, "news (news), N = 3 queries. ") || !strings.Contains(label, "top 5 by bm25") {
		t.Errorf("the picture is called %q", label)
	}

	records, err := csv.NewReader(strings.NewReader(savedBy(t, page, "locations", "Download CSV"))).ReadAll()
	if err != nil || len(records) < 6 || strings.Join(records[0], " ") != "asked_for queries documents from portion" {
		t.Errorf("locations.csv: %q %v", records, err)
	}
	portions := 0
	for _, r := range records[1:] {
		if d := result.Locations.Desired.Get(r[0]); d != nil && r[3] != "" {
			portions++
			if p := d.Portions.Get(r[3]); p == nil || r[4] != strconv.FormatFloat(*p, 'g', -1, 64) {
				t.Errorf("locations.csv: %q, want %v", r, p)
			}
		}
	}
	if portions != 4 { // two halves each, for Kenya and for Peru
		t.Errorf("locations.csv: %d portions of %q", portions, records)
	}
	picture := savedBy(t, page, "locations", "Download SVG")
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("locations.svg: %v\n%s", err, picture)
		}
	}
	if !strings.Contains(picture, `fill="rgb(`) || strings.Contains(picture, "NaN") || strings.Contains(picture, "oklab") {
		t.Errorf("locations.svg: %s", picture)
	}

	call[any](t, page, `() => document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	violations(t, page, source, "locations", inside)
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}

// inside lists the percentages with too little contrast on their cells (WCAG 2.2,
// 1.4.3).
const inside = `() => {
	const luminance = (text) => text.match(/[\d.]+/g).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	return Array.from(document.querySelectorAll('.inside'), (text) => {
		const [a, b] = [text, text.previousElementSibling].map((e) => luminance(getComputedStyle(e).fill)).sort((x, y) => y - x);
		return (a + 0.05) / (b + 0.05) < 4.5 ? text.textContent + ' has a contrast of ' + (a + 0.05) / (b + 0.05) : '';
	}).filter(Boolean);
}`
