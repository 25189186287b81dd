package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/resident"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/hostile"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Pages and Go refuse the same JSON texts: those with too many values, or nested too deep.
func TestJSONBounds(t *testing.T) {
	t.Parallel()
	texts := []string{"1", `""`, "[]", "{}", "[ ]", "{\n}", "[1]", `{"a": [1, {"b": "],\"[{\\"}], "c\\": {}}`, `["\\\"[", [[]], {"a":{"b":[]}}]`, "", "[", `"`, `{"a`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat(`{"a":`, 65), strings.Repeat("[", 65),
		"[" + strings.Repeat("{},", jsonlite.MaxValues-2) + "0]", "[" + strings.Repeat("{},", jsonlite.MaxValues-1) + "0]",
		"[" + strings.Repeat(`"[,",`, jsonlite.MaxValues-2) + "0]", "[" + strings.Repeat(`"[,",`, jsonlite.MaxValues-1) + "0]",
		"[" + strings.Repeat(`{"a":0},`, jsonlite.MaxValues/2-1) + "0]", "[" + strings.Repeat(`{"a":0},`, jsonlite.MaxValues/2) + "0]",
	}
	problems := call[[]bool](t, library(t), `async (texts) => {
		const { measure } = await import('/static/src/collection/bounds.js');
		return texts.map((text) => measure(text).problem !== null);
	}`, texts)
	for i, text := range texts {
		if beyond := jsonlite.Check([]byte(text)) != nil; problems[i] != beyond {
			t.Errorf("%.60q of %d bytes: page %v, Go %v", text, len(text), problems[i], beyond)
		}
	}
}

// maxHostile bounds the bytes of memory that a collection of a megabyte may take beyond an ordinary one, in all
// processes of the browser.
const maxHostile = 300 << 20

// Whatever a small collection contains, a page that opens and searches it does not take much memory.
func TestHostileCollections(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the system does not report a process's peak memory")
	}
	dir := t.TempDir()
	base := filepath.Join(dir, "base")
	_, err := collection.Write(context.Background(), base, func(yield func(store.Document, error) bool) {
		for i := range 10 {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: "school lunches are free in town"}, nil) {
				return
			}
		}
	}, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, DType: shard.I8, Terms: true})
	if err != nil {
		t.Fatal(err)
	}
	mux := site()
	mux.Handle("/collections/", http.StripPrefix("/collections/", folder(dir)))
	server := serve(t, harness.WithPolicy(mux))
	// openAndSearch returns the number of hits or the error, and the peak of the memory.
	openAndSearch := func(name string) (message string, peak int64) {
		page := open(t, server.URL("/"))
		defer page.Close()
		resetPeaks(t)
		message = call[string](t, page, `async (url) => {
			const { Vantage } = await import('/static/lib/index.js');
			let vantage;
			try {
				vantage = await Vantage.open(url);
				await vantage.ready;
				const { hits } = await vantage.search({ query: 'school 00000 10000 20000 30000 40000 50000', hybrid: true });
				return hits.length + ' hits';
			} catch (error) {
				return error.code + ': ' + error.message;
			} finally {
				vantage?.close();
			}
		}`, "/collections/"+name+"/")
		return message, peaks(t)
	}
	message, ordinary := openAndSearch("base")
	if message != "10 hits" {
		t.Fatal(message)
	}
	for i, c := range hostile.Collections {
		if c.Refused != nil && i > 2 {
			continue // refused by the manifest or the core, as in the command
		}
		t.Run(c.Name, func(t *testing.T) {
			name := strings.ReplaceAll(c.Name, " ", "-")
			if err := c.Write(base, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			message, peak := openAndSearch(name)
			t.Logf("%d MB more: %.200s", (peak-ordinary)>>20, message)
			if more := peak - ordinary; more > maxHostile {
				t.Errorf("%d MB more than an ordinary collection", more>>20)
			}
			for _, part := range c.Refused {
				if !strings.HasPrefix(message, "format: ") || !strings.Contains(message, part) {
					t.Errorf("%q lacks %q", message, part)
				}
			}
		})
	}
}

// descendants returns the processes that this one has started, directly or indirectly.
func descendants(t *testing.T) (pids []int) {
	t.Helper()
	parents := map[int]int{}
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(folder))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		parents[pid], _ = strconv.Atoi(fields[1])
	}
	found := map[int]bool{os.Getpid(): true}
	for grown := true; grown; {
		grown = false
		for pid, parent := range parents {
			if found[parent] && !found[pid] {
				found[pid], grown = true, true
				pids = append(pids, pid)
			}
		}
	}
	slices.Sort(pids)
	return pids
}

// resetPeaks resets the peak memory of the browser's processes.
func resetPeaks(t *testing.T) {
	for _, pid := range descendants(t) {
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Skipf("the system does not let the peak of memory be reset: %v", err)
		}
	}
}

// peaks returns the sum of the peak memories of the browser's processes.
func peaks(t *testing.T) (sum int64) {
	for _, pid := range descendants(t) {
		_, most, _ := resident.Of(pid) // 0 if it has ended
		sum += most
	}
	return sum
}
