package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/static"
)

// The page of a collection that is compared by dot products calls them by their name, and
// writes the formulas with them.
func TestDemoDotProduct(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "collection")
	write(t, folder, debatesFile, shard.I8)
	path := filepath.Join(folder, manifest.FileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	m.Score = manifest.ScoreDot
	if content, err = m.Marshal(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := pages.Write(dir); err != nil {
		t.Fatal(err)
	}
	judged := `{"format": "vantage-judgements", "version": 1, "queries": [{"id": "1", "text": "against homework", "root": "homework", "perspectives": ["against"], "label": "oppose", "gold": ["homework-02"]}]}`
	if err := os.WriteFile(filepath.Join(dir, static.JudgementsFile), []byte(judged), 0o600); err != nil {
		t.Fatal(err)
	}
	page := demo(t, dir)
	call[any](t, page, set, "query", oppose)
	call[any](t, page, set, "method", "pap+")
	waitFor(t, page, `document.getElementById('plain-title').textContent === 'Plain dot product' && document.getElementById('chosen-title').textContent === 'pap+'`)
	said := call[[]string](t, page, `async () => {
		const details = document.querySelector('#chosen details');
		details.open = true;
		await new Promise((resolve) => { details.ontoggle = () => setTimeout(resolve); });
		return [document.getElementById('plain-formula'), document.getElementById('chosen-formula'), details].map((e) => e.textContent);
	}`)
	for i, want := range []string{"q·c", "qλ·cλ", "Plain dot product:"} {
		if !strings.Contains(said[i], want) || strings.Contains(said[i], "cos") {
			t.Errorf("the page says %q, want %q", said[i], want)
		}
	}
	if !strings.Contains(said[2], "the perspective changes the query alone") || strings.Contains(said[2], "along the perspective") {
		t.Errorf("explanation: %s", said[2])
	}
	waitFor(t, page, `!document.getElementById('gold').hidden`)
	call[any](t, page, `() => document.getElementById('gold-run').click()`)
	waitFor(t, page, `document.getElementById('gold-busy').hidden && document.getElementById('gold-verdict').textContent`)
	if verdict := call[string](t, page, `() => document.getElementById('gold-verdict').textContent`); !strings.Contains(verdict, "than the plain dot product: p-Recall") && !strings.Contains(verdict, "as often as the plain dot product: p-Recall") {
		t.Errorf("the verdict: %s", verdict)
	}

	// The visitor chooses the other score, which is then in links; the collection's own is in
	// none.
	choose := `(score) => {
		const control = document.getElementById('score');
		control.value = score;
		for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
	}`
	figures := `() => [...document.querySelectorAll('#plain .score')].map((e) => e.textContent).join(' ')`
	dots := call[string](t, page, figures)
	call[any](t, page, choose, "cosine")
	waitFor(t, page, `document.getElementById('plain-title').textContent === 'Plain cosine' && document.getElementById('chosen-formula').textContent.includes('cos')`)
	if cosines := call[string](t, page, figures); cosines == dots || cosines == "" {
		t.Errorf("cosines %s, dot products %s", cosines, dots)
	}
	waitFor(t, page, `document.getElementById('gold-busy').hidden && document.getElementById('gold-verdict').textContent.includes('plain cosine')`)
	waitFor(t, page, `location.hash.includes('score=cosine')`)
	call[any](t, page, choose, "dot")
	waitFor(t, page, `document.getElementById('plain-title').textContent === 'Plain dot product' && !location.hash.includes('score=')`)
	call[any](t, page, `() => history.back()`)
	waitFor(t, page, `document.getElementById('plain-title').textContent === 'Plain cosine' && document.getElementById('score').value === 'cosine'`)
}
