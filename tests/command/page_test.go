package command

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// The page that `vantage serve` serves works under the server's
// Content-Security-Policy, from a site and around a bare collection, and ranks
// like the command.
func TestServedPage(t *testing.T) {
	t.Parallel()
	browser, err := harness.Launch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer browser.Close()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "bare")
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "site", "--site")
	for _, folder := range []string{"site", "bare"} {
		page, err := browser.Open(serve(t, dir, folder).url+"lab.html", 2*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Close()
		got, err := harness.Call[answer](page, `async (query) => {
			while (!window.vantage) await new Promise((next) => setTimeout(next, 20));
			await window.vantage.ready;
			if (!window.vantage.inWorker) throw new Error('no worker');
			return window.vantage.search({ query, k: 20, cosineRank: true });
		}`, opposing)
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		want := searchJSON(t, dir, folder, "--query", opposing, "-k", "20")
		a, errA := json.Marshal(got)
		b, errB := json.Marshal(want)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: the page answers %s, the command %s", folder, a, b)
		}
		for _, problem := range page.Problems() {
			t.Errorf("%s: in the page: %s", folder, problem)
		}
	}
}
