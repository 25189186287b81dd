package hub

import (
	"context"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/file"
)

// Report is what `vantage pull --json` prints about a snapshot.
type Report struct {
	Name     string   `json:"name"`
	Revision string   `json:"revision"` // as it was asked for
	Commit   string   `json:"commit"`   // what it is
	Dir      string   `json:"dir"`
	Files    []Listed `json:"files"`
}

// Listed is a file of a Report.
type Listed struct {
	Path   string `json:"path"` // below Dir, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal digits
}

// Report describes the snapshot of a name and a revision. It reads all its files, for their hashes.
func (s Snapshot) Report(ctx context.Context, name, revision string) (*Report, error) {
	r := &Report{Name: name, Revision: revision, Commit: s.Commit, Dir: s.Dir}
	for _, path := range s.Files {
		bytes, sum, err := file.SHA256(ctx, filepath.Join(s.Dir, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		r.Files = append(r.Files, Listed{Path: path, Bytes: bytes, SHA256: sum})
	}
	return r, nil
}
