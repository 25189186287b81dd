package corpus

import (
	"bytes"
	"io"
)

// oldMac reports whether lines end as on old Macs, and in the "CSV (Macintosh)" of spreadsheets: with a carriage return alone.
func oldMac(head []byte) bool {
	return bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0
}

// lineFeeds reads a line feed for each carriage return.
type lineFeeds struct{ r io.Reader }

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
