package indexing

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkSides indexes the 581 passages of the bundled corpus, which are long, with
// the bundled pack: topic and angle of each, and the files of the collection.
func BenchmarkSides(b *testing.B) {
	all, err := os.Open("../../examples/debates/corpus.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	defer all.Close()
	var passages []byte
	n := 0
	for lines := bufio.NewScanner(all); lines.Scan(); {
		if !bytes.Contains(lines.Bytes(), []byte(`"kind": "point"`)) {
			passages = append(append(passages, lines.Bytes()...), '\n')
			n++
		}
	}
	if n != 581 {
		b.Fatalf("%d passages", n)
	}
	corpus := filepath.Join(b.TempDir(), "passages.jsonl")
	if err := os.WriteFile(corpus, passages, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		j := Job{Corpus: corpus, Output: filepath.Join(b.TempDir(), "c"), Encoder: Sides, Words: true}
		if r, err := j.Run(b.Context()); err != nil || r.Encoded != n {
			b.Fatalf("%+v, %v", r, err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "documents/s")
}
