// Package frequencies reads lists of how often words occur.
package frequencies

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/model/packer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Read reads a file with a word, white space and its count on each line. An error is the
// last element.
func Read(path string) iter.Seq2[packer.Frequency, error] {
	return func(yield func(packer.Frequency, error) bool) {
		if err := read(path, func(f packer.Frequency) bool { return yield(f, nil) }); err != nil {
			yield(packer.Frequency{}, err)
		}
	}
}

func read(path string, use func(packer.Frequency) bool) error {
	f, _, err := file.Open(path)
	if err != nil {
		if errors.Is(err, file.ErrNotRegular) {
			return err
		}
		return fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
	}
	defer f.Close()
	return lines(f, path, use)
}

func lines(r io.Reader, path string, use func(packer.Frequency) bool) error {
	b := bufio.NewReader(r)
	for number, last := 1, false; !last; number++ {
		line, err := inputs.ReadLine(b)
		if last = err == io.EOF; err != nil && !last {
			return fault.Errorf(fault.Input, "%s:%d: %w", path, number, fault.Unnamed(err))
		}
		if number == 1 {
			line = unpack.Unmarked(line)
		}
		text := strings.TrimSpace(string(line))
		if text == "" {
			continue
		}
		at := strings.LastIndexAny(text, " \t")
		count, err := strconv.ParseFloat(text[at+1:], 64)
		if at < 0 || err != nil || !(count >= 0 && count <= math.MaxUint32) || !utf8.ValidString(text) {
			return fault.Errorf(fault.Input, "%s:%d: not a word, white space and a count from 0 to %d, as in: bicycle 1204", path, number, math.MaxUint32)
		}
		if !use(packer.Frequency{Word: strings.TrimSpace(text[:at]), Count: count}) {
			return nil
		}
	}
	return nil
}
