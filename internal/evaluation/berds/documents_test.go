package berds

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// The documents say of which pack the figures of `--detect sides` are, which must be the bundled
// one, and both have the same figures. To compute them takes minutes: whoever changes the pack
// runs the commands that the documents name.
func TestDocumentedDetection(t *testing.T) {
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(tools.Root(), "docs", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(b)), " ")
	}
	page, manual := text("papers/berds.md"), text("evaluate.md")
	about := openTestDetector(t, "sides").(*sidesDetector).model.Info()
	if name := about.ID + "@" + about.Revision; !strings.Contains(page, name) {
		t.Errorf("papers/berds.md has figures of another pack than %s: renew them, and those in evaluate.md", name)
	}
	for _, c := range []struct{ page, manual string }{
		{`sides, most probable answer \| (\S+) \| (\S+) \|`, `F1 $1 and accuracy $2 %, with thresholds`},
		{`sides, threshold by leave-one-question-out \| (\S+) \| (\S+) \|`, `with thresholds $1 and $2 %`},
		{`--detect sides. prints F1 (\S+) and accuracy (\S+) `, `F1 $1, accuracy $2 %`},
	} {
		pattern := regexp.MustCompile(c.page)
		found := pattern.FindStringSubmatchIndex(page)
		if found == nil {
			t.Errorf("papers/berds.md has no %s", c.page)
			continue
		}
		if want := string(pattern.ExpandString(nil, c.manual, page, found)); !strings.Contains(manual, want) {
			t.Errorf("evaluate.md has no %q, as papers/berds.md says", want)
		}
	}
}
