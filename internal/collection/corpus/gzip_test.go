package corpus

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// An error of the disk is not called damage, and a file that is cut off is.
func TestUnreadableGzip(t *testing.T) {
	disk := &fs.PathError{Op: "read", Path: "c.gz", Err: errors.New("input/output error")}
	whole := gzipped(strings.Repeat(`{"_id":"1","text":"x"}`+"\n", 1000))
	c := &Corpus{path: "c.gz"}
	for name, keep := range map[string]int{"header": 5, "content": len(whole) / 2} {
		for _, broken := range []error{disk, io.EOF} {
			file := func() io.Reader { return io.MultiReader(strings.NewReader(whole[:keep]), iotest.ErrReader(broken)) }
			r, plain := Decompressed(file())
			if plain == nil {
				_, plain = io.ReadAll(r)
			}
			z, err := unpack.NewReader(file())
			if err == nil {
				_, err = io.ReadAll(z)
			}
			err = c.damaged(err)
			if broken == io.EOF {
				if !strings.Contains(plain.Error(), "damaged gzip") || !strings.Contains(err.Error(), "c.gz: damaged gzip") {
					t.Errorf("%s, cut off: %v; %v", name, plain, err)
				}
				continue
			}
			if plain != error(disk) || !strings.Contains(err.Error(), "c.gz: cannot be read: input/output error: check the disk") || !errors.Is(err, disk) {
				t.Errorf("%s: %v; %v", name, plain, err)
			}
		}
	}
}

// Decompressed passes data through, and refuses to expand it without end.
func TestDecompressed(t *testing.T) {
	long := strings.Repeat("\n", 17<<20)
	for content, want := range map[string]string{"plain": "plain", "": "", gzipped("packed"): "packed", long: long} {
		r, err := Decompressed(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("%.20q, want %.20q (%v)", got, want, err)
		}
	}
	r, err := Decompressed(strings.NewReader(gzipped(long)))
	if err == nil {
		_, err = io.ReadAll(r)
	}
	for _, part := range []string{"compressed too far", "16 MB", "100 times", "store it uncompressed"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v lacks %q", err, part)
		}
	}
}
