package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// CheckResult refuses an output of an evaluation that would replace one of the inputs. If an input is a folder of data,
// that is any file in it that no evaluation has written.
func CheckResult(output string, inputs ...string) error {
	if err := CheckOther(output, inputs...); err != nil {
		return err
	}
	written, err := os.Stat(output)
	if _, stream := Stream(output); err != nil || stream || !written.Mode().IsRegular() {
		return nil
	}
	for _, input := range inputs {
		if read, err := os.Stat(input); err == nil && read.IsDir() && within(output, input) && !isResult(output) {
			return fault.Errorf(fault.Query, "%s is in %s, which is read, and is no result of an evaluation: name another file for the output", output, input)
		}
	}
	return nil
}

// within reports whether a file lies in a folder. Both exist.
func within(path, dir string) bool {
	for _, p := range []*string{&path, &dir} {
		absolute, err := filepath.Abs(*p)
		if err == nil {
			*p, err = filepath.EvalSymlinks(absolute)
		}
		if err != nil {
			return false
		}
	}
	inside, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(inside)
}

// results are the beginnings of what evaluations write: figures, tables, charts, and the replies of a chat model.
var results = []string{"{\n  \"", "table,caption,", "task,method,lambda,", "% \\usepackage{booktabs}", "**", "<svg ", `{"key":`}

// isResult reports whether a file is empty or looks like what an evaluation writes, such as a run.
func isResult(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 4096)
	n, err := io.ReadFull(f, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	text := string(begin[:n])
	line, _, _ := strings.Cut(text, "\n")
	columns := strings.Fields(line)
	return n == 0 || len(columns) >= 6 && columns[1] == "Q0" || slices.ContainsFunc(results, func(r string) bool { return strings.HasPrefix(text, r) })
}
