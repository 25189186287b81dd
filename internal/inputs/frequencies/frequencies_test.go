package frequencies

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/packer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestRead(t *testing.T) {
	read := func(text string) (list []packer.Frequency, err error) {
		path := filepath.Join(t.TempDir(), "words.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for f, err := range Read(path) {
			if err != nil {
				return list, err
			}
			list = append(list, f)
		}
		return list, nil
	}
	list, err := read("\ufeffthe 100\r\n\nnight train\t7.5\nbike 0")
	if err != nil || !slices.Equal(list, []packer.Frequency{{Word: "the", Count: 100}, {Word: "night train", Count: 7.5}, {Word: "bike"}}) {
		t.Errorf("%v (%v)", list, err)
	}
	for _, bad := range []string{"the", "the -1", "the NaN", "the 1e300", "the many", "the \xff 1"} {
		if _, err := read("a 1\n" + bad); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "words.txt:2: not a word") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for range Read(filepath.Join(t.TempDir(), "none")) {
		return
	}
	t.Error("a file that is not there has no error")
}

// Any file is a list of words with counts that can be added up, or an error.
func FuzzLines(f *testing.F) {
	f.Add("the 100\r\nnight train\t7.5")
	f.Add("the NaN")
	f.Fuzz(func(t *testing.T, text string) {
		err := lines(strings.NewReader(text), "f", func(f packer.Frequency) bool {
			if f.Word == "" || !(f.Count >= 0 && f.Count <= 1<<32) {
				t.Fatalf("%+v", f)
			}
			return true
		})
		if err != nil && fault.Of(err) != fault.Input {
			t.Fatal(err)
		}
	})
}
