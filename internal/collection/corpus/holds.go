package corpus

import (
	"path/filepath"
	"strings"
)

// Holds reports whether a corpus that is a folder of pages would include dir: whether dir
// is in that folder and not hidden.
func Holds(folder, dir string) bool {
	a, errA := filepath.Abs(dir)
	b, errB := filepath.Abs(folder)
	if errA != nil || errB != nil {
		return false
	}
	below, err := filepath.Rel(b, a)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return false
	}
	for part := range strings.SplitSeq(below, string(filepath.Separator)) {
		if strings.HasPrefix(part, ".") && part != "." {
			return false
		}
	}
	return true
}
