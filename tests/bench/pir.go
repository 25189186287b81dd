package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/static"
)

// pirDrop drops a file of the PIR benchmark on the evaluation page, and returns
// the seconds that the page reports for ranking and judging.
const pirDrop = `async (content) => {
	const id = (name) => document.getElementById(name);
	const transfer = new DataTransfer();
	transfer.items.add(new File([content], 'pir.json'));
	id('benchmark').hidden = true;
	dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		if (!id('fault').hidden) throw new Error('the page says: ' + id('fault').textContent);
		if (!id('benchmark').hidden) return id('benchmark-summary').textContent.match(/ in ([0-9.]+) s/)[1];
	}
}`

// pirTasks returns the demo file and the number of its tasks, or the bundled
// debates in the same layout if the file is missing.
func pirTasks() (content []byte, tasks int, err error) {
	file := filepath.Join(harness.Root(), "..", "shared", "data", "pir", "demo_pir_dataset.json")
	content, err = os.ReadFile(file)
	if err == nil {
		read, err := pir.ReadFile(file)
		return content, len(read), err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	fmt.Printf("the PIR benchmark is not at %s: evaluating the bundled debates instead\n", file)
	t, err := pir.ReadFolder(filepath.Join(harness.Root(), "examples", "debates"))
	if err != nil {
		return nil, 0, err
	}
	gold := map[string][]int{}
	for i, places := range t.Gold {
		gold[strconv.Itoa(i)] = places
	}
	content, err = json.Marshal(map[string]any{t.Name: map[string]any{
		"corpus": t.Corpus, "queries": t.Queries, "source_queries": t.Roots, "perspectives": t.Perspectives, "query_labels": t.Labels, "key_ref": gold,
	}})
	return content, 1, err
}

// benchPIR times the page's evaluation of every task by every method, once it
// has the vectors.
func benchPIR(rounds int) (ms []float64, tasks int, err error) {
	content, tasks, err := pirTasks()
	if err != nil {
		return nil, 0, err
	}
	dir, err := os.MkdirTemp("", "vantage-pir-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	docs, err := passages(10)
	if err != nil {
		return nil, 0, err
	}
	if _, err := collection.Write(context.Background(), filepath.Join(dir, "collection"), docs, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Reader: reader.Files}); err != nil {
		return nil, 0, err
	}
	if err := (static.Page{}).Write(dir); err != nil {
		return nil, 0, err
	}
	server, err := harness.Serve(http.FileServer(http.Dir(dir)))
	if err != nil {
		return nil, 0, err
	}
	defer server.Close()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return nil, 0, err
	}
	defer browser.Close()
	page, err := browser.Open(server.URL("/eval.html"), 5*time.Minute)
	if err != nil {
		return nil, 0, err
	}
	defer page.Close()
	for range rounds {
		said, err := harness.Call[string](page, pirDrop, string(content))
		if err != nil {
			return nil, 0, err
		}
		seconds, err := strconv.ParseFloat(said, 64)
		if err != nil {
			return nil, 0, err
		}
		ms = append(ms, 1000*seconds)
	}
	return ms, tasks, nil
}
