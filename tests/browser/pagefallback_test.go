package browser

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/static"
)

// If a file of the encoder is damaged, both pages answer by words, and by topics alone if one of
// the angles is. They show what Go finds, and say which file is damaged.
func TestPagesSayWhatIsDamaged(t *testing.T) {
	t.Parallel()
	site, _ := sidesSite(t)
	whole := filepath.Join(site, "collection")
	content, err := os.ReadFile(filepath.Join(whole, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	const against = "Find a claim that opposes the argument: the king walked to the city"
	for name, c := range map[string]struct{ path, says, summary string }{
		"encoder": {m.Encoder.Files[0].Path, "the encoder that the collection carries cannot be used", "by words"},
		"angles":  {m.Angles.Files[0].Path, "topics alone rank", "by meaning"},
	} {
		dir := t.TempDir()
		if err := errors.Join((static.Page{Name: "Kings"}).Write(dir), os.CopyFS(filepath.Join(dir, "collection"), os.DirFS(whole))); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "collection", c.path)
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file[len(file)/2] ^= 0x40
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		result, err := native(t, filepath.Join(dir, "collection")).Search(t.Context(), search.Query{Query: search.Text{Text: against}, K: 10})
		if err != nil {
			t.Fatal(err)
		}
		says, _, _ := strings.Cut(result.Notice, " (")
		if !strings.Contains(says, c.says) || len(result.Hits) != 10 {
			t.Fatalf("%s: Go finds %d and says %q", name, len(result.Hits), result.Notice)
		}
		var want []int
		for _, h := range result.Hits {
			want = append(want, h.Index)
		}
		server := serve(t, folder(dir)) // an origin of its own, see TestFallbacksEqualGo
		page := openUnkept(t, server.URL("/?q="+url.QueryEscape(against)))
		if name == "encoder" { // a fact about the visitor, which would order the results if the encoder worked
			call[any](t, page, `() => { localStorage['vantage-about-me'] = '["I am a king."]'; }`)
			reload(t, page)
		}
		waitFor(t, page, `!document.getElementById('notice').hidden`)
		finds(t, page, "list", want)
		got := call[[]string](t, page, `() => ['notice', 'summary'].map((id) => document.getElementById(id).textContent)`)
		if !strings.HasPrefix(strings.ToLower(got[0]), strings.ToLower(says)) || !strings.Contains(got[0], c.path) || !strings.Contains(got[1], c.summary) {
			t.Errorf("%s: the search page says %q, Go %q", name, got, says)
		}
		if unused := strings.Contains(got[0], " What you say about yourself cannot be used."); unused != (name == "encoder") {
			t.Errorf("%s: about the private contexts it says %q", name, got[0])
		}
		if visible := call[string](t, page, `() => document.getElementById('notice').innerText`); strings.Contains(visible, c.path) {
			t.Errorf("%s: visitors read what is for the owner: %s", name, visible)
		}
		violations(t, page, axe(t), fmt.Sprintf("search page with damaged %s", name), contrast)

		lab := openUnkept(t, server.Lab()+"#q="+url.QueryEscape(against))
		waitFor(t, lab, fmt.Sprintf(`(document.getElementById('summary').textContent + document.getElementById('chosen-why').textContent).includes(%q)`, c.path))
		said := call[string](t, lab, `() => document.getElementById('summary').textContent + document.getElementById('chosen-why').textContent`)
		if !strings.Contains(strings.ToLower(said), strings.ToLower(says)) {
			t.Errorf("%s: the lab says %q, Go %q", name, said, says)
		}
		if got := shown(t, lab, "chosen"); !slices.Equal(got, want) {
			t.Errorf("%s: the lab shows %v, want %v", name, got, want)
		}
	}
}
