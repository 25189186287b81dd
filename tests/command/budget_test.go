package command

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Bounds of a collection's size, in bytes as downloaded.
const (
	vectorsBudget = 4_200_000 // of 10,000 passages, int8, 384 dimensions
	encoderBudget = 8_000_000
)

// stored adds up the files of a folder.
func stored(t *testing.T, dir string) (total int64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	return total
}

func TestCollectionBudget(t *testing.T) {
	t.Parallel()
	const passages, dim = 10_000, 384
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", longCorpus(passages, "trains"))
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([][]float32, passages)
	for i := range rows {
		rows[i] = make([]float32, dim)
		for j := range rows[i] {
			rows[i][j] = float32(r.NormFloat64()) // random, so that no packing can shrink them
		}
	}
	write(t, dir, "v.npy", npyFile(rows))
	if report := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--vectors", "v.npy"); report.Documents != passages {
		t.Fatalf("%+v", report)
	}
	vectors := stored(t, filepath.Join(dir, "c", "vectors"))
	if vectors < passages*dim || vectors > vectorsBudget {
		t.Errorf("vectors of %d passages take %d bytes, at most %d (and at least a byte for each number)", passages, vectors, vectorsBudget)
	}
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "debates")
	encoder := stored(t, filepath.Join(dir, "debates", "encoder"))
	if encoder == 0 || encoder > encoderBudget {
		t.Errorf("the encoder takes %d bytes, at most %d", encoder, encoderBudget)
	}
	t.Logf("%d bytes for the vectors, %d for the encoder", vectors, encoder)
}
