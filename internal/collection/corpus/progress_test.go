package corpus

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// The share of a corpus is that of the documents that are done, however far ahead the reader and its buffers are.
func TestProgress(t *testing.T) {
	const documents = 400
	r := rand.New(rand.NewPCG(1, 2))
	var lines, table, feed strings.Builder
	pages := map[string]string{}
	table.WriteString("id,text\n")
	feed.WriteString("<rss><channel>")
	for i := range documents {
		text := make([]byte, 500) // that gzip can halve
		for j := range text {
			text[j] = 'a' + byte(r.IntN(16))
		}
		fmt.Fprintf(&lines, "{\"_id\": \"%03d\", \"text\": \"%s\"}\n", i, text)
		fmt.Fprintf(&table, "%03d,%s\n", i, text)
		fmt.Fprintf(&feed, "<item><link>https://example.org/%03d</link><description>%s</description></item>\n", i, text)
		pages[fmt.Sprintf("%03d.md", i)] = fmt.Sprintf("# Page %d\n\n%s\n", i, text)
	}
	feed.WriteString("</channel></rss>")
	for name, path := range map[string]string{
		"lines": write(t, "c.jsonl", lines.String()), "gzip": write(t, "c.jsonl.gz", gzipped(lines.String())),
		"UTF-16": write(t, "c.jsonl", mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), lines.String())),
		"table":  write(t, "c.csv", table.String()), "feed": write(t, "c.xml", feed.String()), "pages": folder(t, pages),
	} {
		c, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			n := int64(0)
			check := func(documents, of int64) {
				done, total := c.Progress(documents)
				if share, want := float64(done)/float64(total), float64(documents)/float64(of); total == 0 || approx.Apart(share, want, .06) { // decompressors are some kB ahead
					t.Errorf("%s (%s): %d of %d documents are %.2f of it", name, filepath.Base(path), documents, of, share)
				}
			}
			for _, err := range c.Documents() {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n%50 == 0 {
					check(n, documents)
				}
			}
			check(100, n) // the rest waits in a queue
			check(n, n)
		}
	}
}
