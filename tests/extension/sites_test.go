package extension

import (
	"slices"
	"testing"

	"github.com/vantage-search/vantage/tests/extension/pages"
)

// The pages show the results of results.json in their order, under their host names.
func TestPages(t *testing.T) {
	t.Parallel()
	s := chromium(t)
	for _, site := range append(slices.Clone(pages.Sites), pages.Forum) {
		t.Run(site.Host, func(t *testing.T) {
			t.Parallel()
			x := open(t, s, site.URL(pages.Uniforms, ""))
			var want []string
			for _, r := range pages.Results(pages.Uniforms, 1, pages.Many) {
				want = append(want, r.Title)
			}
			if got := x.titles(site); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
