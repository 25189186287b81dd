// Package contexts reads private contexts, and says in words how they ranked a hit. Errors
// name a context by its number, because what it says is private.
package contexts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// Read returns contexts that were given, and after them those of a file: one on each line,
// empty lines left out. The file may be "", for none.
func Read(ctx context.Context, given []string, file string) ([]vantage.Text, error) {
	all := given
	if file != "" {
		lines, err := inputs.Read(ctx, file, readLines)
		if err != nil {
			return nil, err
		}
		all = append(all[:len(all):len(all)], lines...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	if err := joint.CheckCount(len(all)); err != nil {
		return nil, err
	}
	out := make([]vantage.Text, len(all))
	for i, text := range all {
		if err := joint.CheckText(i, text); err != nil {
			return nil, err
		}
		if !utf8.ValidString(text) {
			return nil, fault.Errorf(fault.Query, "contexts: number %d is not UTF-8: convert it, for example with iconv -t UTF-8", i)
		}
		out[i].Text = text
	}
	return out, nil
}

// readLines reads lines with text, and stops when there are more than a search takes.
func readLines(r io.Reader, name string) (lines []string, err error) {
	buffered := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := inputs.ReadLine(buffered)
		if err != nil && err != io.EOF {
			if errors.Is(err, inputs.ErrLongLine) {
				err = fmt.Errorf("the line is longer than %d MB: a context is a sentence or two", inputs.MaxLine>>20)
			}
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if number == 1 {
			line = unpack.Unmarked(line)
		}
		if text := strings.TrimSpace(string(line)); text != "" {
			lines = append(lines, text)
		}
		if len(lines) > joint.MaxContexts {
			return nil, fmt.Errorf("%s:%d: more than %d contexts: a search takes no more", name, number, joint.MaxContexts)
		}
		if err == io.EOF {
			break
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: no line has text: write a context on each, such as: I am self-employed", name)
	}
	return lines, nil
}

// Reason is the line that says why a hit is where it is; "" without contexts.
func Reason(h *vantage.Hit) string {
	if h.Because == nil {
		return ""
	}
	return fmt.Sprintf("because: %s (fit %.4f, relevance %.4f)", human.OneLine(h.Because.Text), h.Because.Fit, h.Because.Relevance)
}
