package texts

import (
	"errors"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A key that comes twice is an error wherever lines of JSON are read: readers
// differ in which of the two counts.
func TestRepeatedKeys(t *testing.T) {
	for _, line := range []string{`{"_id": "1", "text": "a", "text": "b"}`, `{"_id": "1", "text": "a", "metadata": {"label": "x", "label": "y"}}`} {
		if _, err := parseText([]byte(line)); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "occurs twice") {
			t.Errorf("text %s: %v", line, err)
		}
	}
}
