package inputs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func text(r io.Reader, _ string) (string, error) {
	b, err := io.ReadAll(r)
	return string(b), err
}

// A file is read as it is or decompressed. Errors in it are faults of the input.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"plain": []byte("text"), "packed": packed.Bytes(), "cut": packed.Bytes()[:packed.Len()-6]} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(context.Background(), filepath.Join(dir, name), text)
		if name == "cut" {
			if !errors.Is(err, fault.Input) {
				t.Errorf("%s: %v", name, err)
			}
		} else if err != nil || got != "text" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "none"), text); !errors.Is(err, fault.Input) {
		t.Error(err)
	}
}

func TestReadLine(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("a\n"+strings.Repeat("b", 100)+"\nend"), 16)
	for _, want := range []string{"a\n", strings.Repeat("b", 100) + "\n"} {
		if line, err := ReadLine(r); err != nil || string(line) != want {
			t.Errorf("%q, %v", line, err)
		}
	}
	if line, err := ReadLine(r); err != io.EOF || string(line) != "end" {
		t.Errorf("%q, %v", line, err)
	}
	long := bufio.NewReader(io.LimitReader(endless{}, MaxLine+1))
	if _, err := ReadLine(long); err != ErrLongLine {
		t.Error(err)
	}
}

// endless is a reader of an endless line.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestBadWord(t *testing.T) {
	for word, want := range map[string]string{"a-1": "", "東京": "", "": "is empty", "a b": "has white space in it", "a\u00a0b": "has white space in it", "\xff": "is not UTF-8", "\x00": "has a control character in it"} {
		if got := BadWord(word); got != want {
			t.Errorf("%q %s, want %q", word, got, want)
		}
	}
}
