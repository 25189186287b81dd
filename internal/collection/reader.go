package collection

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// readerPack is the pack that reads queries.
type readerPack struct {
	json     []byte
	manifest *pack.Manifest
	payload  map[string][]byte // by path
}

// openReader reads the pack before a run begins, which may take hours.
func openReader(files fs.FS) (*readerPack, error) {
	unread := func(err error) error {
		return fault.Errorf(fault.Input, "the pack that is to read queries: %v: give a whole pack with a reader, such as that of package english", err)
	}
	json, err := file.ReadFS(files, pack.FileName, pack.MaxManifest, "file of a pack")
	if err != nil {
		return nil, unread(err)
	}
	p := &readerPack{json: json, payload: map[string][]byte{}}
	if p.manifest, err = pack.Parse(json); err != nil {
		return nil, unread(err)
	}
	if p.manifest.Config.Reader == nil {
		return nil, unread(errors.New("it has no reader"))
	}
	for _, f := range packfile.Payload(p.manifest) {
		if p.payload[f.Path], err = file.ReadFS(files, f.Path, pack.MaxFile, "file of a pack"); err != nil {
			return nil, unread(err)
		}
		if digest(p.payload[f.Path]) != f.SHA256 {
			return nil, unread(fmt.Errorf("%s is not the file that %s names", f.Path, pack.FileName))
		}
	}
	return p, nil
}

// add adds the pack to the files of the encoder.
func (p *readerPack) add(s *stage) (*manifest.PackFiles, error) {
	files, err := addPackFiles(s, p.json, p.manifest, func(f pack.File) ([]byte, error) { return p.payload[f.Path], nil })
	return &files, err
}
