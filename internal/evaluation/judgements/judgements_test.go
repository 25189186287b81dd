package judgements

import (
	"slices"
	"strings"
	"testing"
)

// Reading any file of judgements gives either an error that begins with the file's name, or
// distinct gold documents of known queries.
func FuzzGold(f *testing.F) {
	f.Add("query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\ta\t-1\n")
	f.Add("\xef\xbb\xbfq1\ta\t1\r\n\r\n")
	f.Add("q1\ta\t1\nq1\ta\t1")
	f.Add("q1 a 1")
	f.Add("q1\t1# 0\xe8\xb6\t1") // TREC's form, whose fields white space of any kind divides
	f.Add("\ufeffq1\ta\t1\r\t1")
	known := map[string]bool{"q1": true, "q2": true}
	f.Fuzz(func(t *testing.T, content string) {
		gold, err := readGold(strings.NewReader(content), "qrels.tsv", known)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "qrels.tsv:") {
				t.Fatalf("%v", err)
			}
			return
		}
		for query, documents := range gold {
			if !known[query] || len(documents) == 0 {
				t.Fatalf("query %q has %q", query, documents)
			}
			for i, id := range documents {
				if id == "" || slices.Contains(documents[:i], id) || !judges(content, query, id) {
					t.Fatalf("query %q has %q", query, documents)
				}
			}
		}
	})
}

// judges reports whether a line has the query and the document, in the form of BEIR or of TREC.
func judges(content, query, document string) bool {
	for line := range strings.Lines(strings.TrimPrefix(content, "\ufeff")) {
		f := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) })
		if strings.Contains(line, query+"\t"+document+"\t") || len(f) == 4 && f[0] == query && f[2] == document {
			return true
		}
	}
	return false
}
