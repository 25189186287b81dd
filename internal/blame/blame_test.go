package blame

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"
)

// The kind and the cause of an error stay known behind a place.
func TestKinds(t *testing.T) {
	_, missing := os.Open("no-such-file")
	for _, err := range []error{Inputf("%s: %w", "no-such-file", Unnamed(missing)), At("there", &Input{missing})} {
		if !Is[*Input](err) || Is[*Usage](err) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
	if err := fmt.Errorf("twice: %w", Usagef("-k is %d", 0)); !Is[*Usage](err) || Is[*Input](err) || err.Error() != "twice: -k is 0" {
		t.Errorf("%v", err)
	}
	if err := At("there", nil); err != nil {
		t.Errorf("%v", err)
	}
	if err := Inputf("x: %w", Unnamed(missing)); err.Error() != "x: "+errors.Unwrap(missing).Error() {
		t.Errorf("%q", err)
	}
}
