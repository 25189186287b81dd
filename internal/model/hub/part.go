package hub

import (
	"errors"
	"os"

	"github.com/vantage-search/vantage/internal/file"
)

// part is a file that is being fetched.
//
// Every byte is written at its final offset, and a download that must begin again uses
// another file. If locks do not work, as on some network disks, two writers thus write
// the same bytes to the same offsets, and neither shortens the other's file.
type part struct {
	name string
	f    *os.File
	have int64 // number of bytes that were written, from the beginning
}

// openPart opens the file of an earlier attempt, or creates it. It replaces a link, which somebody may have put there to
// make us overwrite another file.
func openPart(name string) (*part, error) {
	f, err := file.Own(name, 0o666)
	if errors.Is(err, file.ErrNotRegular) && os.Remove(name) == nil {
		f, err = file.Own(name, 0o666)
	}
	if err != nil {
		return nil, diskError(name, err)
	}
	p := &part{name: name, f: f}
	info, err := f.Stat()
	if err != nil {
		p.close()
		return nil, diskError(name, err)
	}
	p.have = info.Size()
	return p, nil
}

func (p *part) write(b []byte) error {
	n, err := p.f.WriteAt(b, p.have)
	p.have += int64(n)
	if err != nil {
		return diskError(p.name, err)
	}
	return nil
}

// anew replaces the part by an empty file.
func (p *part) anew() error {
	p.close()
	err := os.Remove(p.name)
	if err == nil {
		p.f, err = os.OpenFile(p.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return diskError(p.name, err)
	}
	p.have = 0
	return nil
}

func (p *part) sync() error {
	if err := p.f.Sync(); err != nil {
		return diskError(p.name, err)
	}
	return nil
}

func (p *part) close() { p.f.Close() }
