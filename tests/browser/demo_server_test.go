package browser

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// steps waits until the page says who encoded the query.
func steps(t *testing.T, page *harness.Page, who string) {
	t.Helper()
	waitFor(t, page, fmt.Sprintf(`document.getElementById('steps')?.textContent.startsWith(%q)`, who))
}

// connection waits for the page's message about its server.
func connection(t *testing.T, page *harness.Page, start string) string {
	t.Helper()
	waitFor(t, page, fmt.Sprintf(`document.getElementById('connection')?.textContent.startsWith(%q)`, start))
	return call[string](t, page, `() => document.getElementById('connection').textContent`)
}

// chosen returns the titles in the list of the chosen method.
func chosen(t *testing.T, page *harness.Page) string {
	t.Helper()
	return call[string](t, page, `() => Array.from(document.querySelectorAll('#chosen h3'), (h) => h.textContent).join('\n')`)
}

// noServer matches the browser's messages about an unreachable server.
const noServer = `ERR_CONNECTION|ERR_INTERNET|Failed to load resource|WebSocket connection`

// The page of `vantage serve --model` uses that server. If the server is gone,
// the collection's encoder answers, from the service worker's files. When the
// server is back, the page uses it again.
func TestDemoServer(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	s := serveModel(t, "", dir, "--model", "static")
	page := open(t, s.Lab())
	page.Expect(noServer)
	waitFor(t, page, answered)
	connection(t, page, "Connected to the encode server.")
	steps(t, page, "Encoded by the encode server in ")
	taken := regexp.MustCompile(`^Encoded by the encode server in \d+(\.\d)? ms, including a round trip of \d+(\.\d)? ms · ranked in \d+(\.\d)? ms · passages read in \d+(\.\d)? ms$`)
	if got := call[string](t, page, `() => document.getElementById('steps').textContent`); !taken.MatchString(got) {
		t.Errorf("the page says of the steps: %s", got)
	}
	const scooters = "reasons against: Cities should allow rental e-scooters on their streets"
	before := s.Metric("texts_total")
	call[any](t, page, set, "query", scooters)
	waitFor(t, page, `document.getElementById('chosen').textContent.includes('scooter')`)
	if sent := s.Metric("texts_total") - before; sent < 1 || sent > 3 { // query, root and perspective
		t.Errorf("%d texts were sent for a query", sent)
	}
	if got := call[string](t, page, `() => document.querySelector('.tagline').textContent`); strings.Contains(got, "never leave") || !strings.Contains(got, "this host") {
		t.Errorf("the page says of the queries: %s", got)
	}
	plain := demo(t, dir)
	call[any](t, plain, set, "query", scooters)
	waitFor(t, plain, `document.getElementById('chosen').textContent.includes('scooter')`)
	if got, want := chosen(t, page), chosen(t, plain); got != want || want == "" {
		t.Errorf("through the server\n%s\nwithout it\n%s", got, want)
	}
	if call[bool](t, plain, `() => performance.getEntriesByType('resource').some(({ name }) => /server|wire|socket/.test(name)) || document.getElementById('connection') !== null`) {
		t.Error("a site without a server names one")
	}
	waitFor(t, page, isKept)

	s.Kill()
	call[any](t, page, set, "query", "arguments against: A four-day working week should become the norm")
	steps(t, page, "Encoded by this page in ")
	if got := connection(t, page, "The encode server cannot be reached. The encoder in this page answers."); call[string](t, page, `() => document.getElementById('connection').getAttribute('role')`) != "status" {
		t.Errorf("screen readers are not told %s", got)
	}

	// The stored page starts without a network.
	if err := page.Navigate(s.Lab()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, answered)
	steps(t, page, "Encoded by this page in ")

	s.Start()
	connection(t, page, "Connected to the encode server.")
	steps(t, page, "Encoded by the encode server in ") // without a new query

	// A visitor's file is not sent to the server.
	before = s.Metric("texts_total")
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `!document.getElementById('file-now').hidden`)
	if sent := s.Metric("texts_total") - before; sent > 3 {
		t.Errorf("%d texts of a file were sent", sent)
	}
}

// A site on a static host names a server elsewhere, and only that server has the
// model of the vectors. Without it words answer, and the page connects to no
// other host.
func TestDemoServerElsewhere(t *testing.T) {
	t.Parallel()
	source := axe(t)
	dir := t.TempDir()
	if err := modeltest.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	host := serve(t, folder(filepath.Join(dir, "site")))
	s := serveModel(t, host.URL(""), "--model", filepath.Join(dir, "model"))
	index := exec.Command(program(t), "index", debatesFile, "-o", filepath.Join(dir, "site"), "--site", "--model", filepath.Join(dir, "model"), "--server", s.URL(), "--examples", examplesFile)
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page := blankPage(t, looks[0].scheme, looks[0].width)
	page.Expect(noServer + `|Content Security Policy`)
	if err := page.Navigate(host.Lab()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, answered)
	steps(t, page, "Encoded by the encode server in ")
	if got := call[string](t, page, `() => new Promise((resolve) => {
		document.addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI), { once: true });
		new WebSocket('ws://127.0.0.1:9/').onopen = () => resolve('connected');
	})`); !strings.HasPrefix(got, "ws://127.0.0.1:9") {
		t.Errorf("another host: %q", got)
	}
	check := func(state string) {
		t.Helper()
		violations(t, page, source, "server "+state, contrast)
	}
	call[any](t, page, `() => document.getElementById('results').scrollIntoView()`)
	check("there")
	s.Kill()
	call[any](t, page, set, "query", "night trains deserve subsidy")
	steps(t, page, "Only by words")
	connection(t, page, "The encode server cannot be reached. Queries are answered by their words.")
	waitFor(t, page, `document.querySelector('#chosen .hit') && document.getElementById('summary').textContent.includes('the words of the query rank alone')`)
	call[any](t, page, `() => document.getElementById('results').scrollIntoView()`)
	check("gone")
	s.Start()
	steps(t, page, "Encoded by the encode server in ")
	if got := call[bool](t, page, `() => document.getElementById('file').disabled`); !got {
		t.Error("a file of one's own would be sent to the server")
	}
	before := s.Metric("texts_total")
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-fault').textContent === 'garden.csv is not searched: its texts would have to be sent to the encode server.'`)
	if sent := s.Metric("texts_total") - before; sent > 0 {
		t.Errorf("%d texts of a dropped file were sent", sent)
	}
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
	page.Close()
}

// The page works without a server that refuses it or has another model.
func TestDemoServerOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := modeltest.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	if err := os.CopyFS(site, os.DirFS(debates(t))); err != nil {
		t.Fatal(err)
	}
	s := serveModel(t, "", site, "--model", filepath.Join(dir, "model"))
	if r, err := http.Get(s.Lab()); err != nil {
		t.Fatal(err)
	} else if b, err := io.ReadAll(r.Body); err != nil || r.Body.Close() != nil || !strings.Contains(string(b), "demo.js") || !strings.Contains(string(b), `"server":""`) {
		t.Errorf("the page uses a server with another model: %v\n%s", err, b)
	}
	if s.Kill(); !strings.Contains(s.stderr.String(), "the page does not ask it") {
		t.Errorf("the server says %q", s.stderr.String())
	}
	out, err := exec.Command(program(t), "index", debatesFile, "-o", site, "--site", "--server", "./", "--encoder", "light", "--examples", examplesFile).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page := open(t, serve(t, http.FileServer(http.Dir(site))).Lab()) // not an encode server
	page.Expect(noServer)
	waitFor(t, page, answered)
	connection(t, page, "The encode server refuses this page (404)")
	steps(t, page, "Encoded by this page in ")
}

// A pack is an encoder of the collection, too: without its server the page encodes, and takes files.
func TestDemoServerPack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	content, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(content), "\n", 61)
	writeFile(t, filepath.Join(dir, "corpus.jsonl"), []byte(strings.Join(lines[:60], "")))
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	listener.Close() // nobody listens there
	index := exec.Command(program(t), "index", filepath.Join(dir, "corpus.jsonl"), "-o", site, "--site", "--encoder", filepath.Join(carryingPacks(t).dir, "pack"),
		"--server", "http://"+listener.Addr().String()+"/", "--examples", examplesFile)
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page := open(t, serve(t, folder(site)).Lab())
	page.Expect(noServer)
	waitFor(t, page, answered)
	steps(t, page, "Encoded by this page in ")
	if got := connection(t, page, "The encode server cannot be reached."); got != "The encode server cannot be reached. The encoder in this page answers." {
		t.Errorf("the page says %q", got)
	}
	if call[bool](t, page, `() => document.getElementById('file').disabled`) {
		t.Fatalf("the page takes no file: %s", call[string](t, page, `() => document.getElementById('file-hint').textContent`))
	}
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('garden.csv: 4 documents') && document.querySelectorAll('#plain .hit').length === 4`)
}

// If neither a server nor the collection can encode, words answer.
func TestDemoWithoutEncoder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := modeltest.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	if out, err := exec.Command(program(t), "index", debatesFile, "-o", site, "--site", "--model", filepath.Join(dir, "model"), "--examples", examplesFile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page := open(t, serve(t, folder(site)).Lab())
	waitFor(t, page, answered)
	const said = `() => document.getElementById('chosen-title').textContent + ': ' + document.getElementById('summary').textContent`
	got := ""
	for _, query := range []string{"night trains", "trains at night", "day trains", "slow trains"} {
		call[any](t, page, set, "query", query)
		waitFor(t, page, `document.getElementById('chosen').textContent.includes('rains')`)
		if got = call[string](t, page, said); !strings.Contains(got, "No vectors have arrived yet") { // on a busy machine
			break
		}
		time.Sleep(time.Second)
	}
	if got != "Words: The collection carries no encoder: the words of the query rank alone (BM25), whatever its side." {
		t.Errorf("the page says %q", got)
	}
}
