package collection

import (
	"sync"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
)

// Kept stores the vectors of texts in a file, under the hashes of the texts, for programs that
// encode the same texts again. The file has the format of an index run's journal, but is never
// removed. Several goroutines may use a Kept.
type Kept struct {
	mu      sync.Mutex
	journal *journal
	most    int64        // bytes of the file
	added   map[key]bool // by this run
}

// OpenKept opens or creates the file at a path. If it has vectors of another model, it is
// emptied. It never grows beyond most bytes. Errors are *TargetError.
func OpenKept(path string, m manifest.Model, most int64) (*Kept, error) {
	j, err := openJournal(path, m, false)
	if err != nil {
		return nil, err
	}
	return &Kept{journal: j, most: most, added: map[key]bool{}}, nil
}

// Take returns the vector that an earlier run has kept for a text, and whether the text was
// longer than the model's limit.
func (k *Kept) Take(text string) (kept encoder.Embedding, ok bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept.Vector, kept.Truncated, _, ok, err = k.journal.take(text)
	return kept, ok, err
}

// Add stores the vectors of texts, unless the file would grow too large. After an error it stores nothing more.
func (k *Kept) Add(texts []string, embeddings []encoder.Embedding) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	var fresh []string
	var vectors []encoder.Embedding
	for i, text := range texts {
		if own := keyOf(text); !k.added[own] {
			k.added[own] = true
			fresh, vectors = append(fresh, text), append(vectors, embeddings[i])
		}
	}
	record := journalHead + 4*k.journal.dim + 4
	if len(fresh) == 0 || k.journal.end+int64(len(fresh)*record) > k.most {
		return nil
	}
	_, err := k.journal.add(fresh, vectors)
	if err != nil {
		k.most = 0
	}
	return err
}

// Close closes the file.
func (k *Kept) Close() error { return k.journal.close() }
