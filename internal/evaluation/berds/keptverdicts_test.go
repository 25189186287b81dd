package berds

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
)

// counting counts the pairs that a detector is asked for, and stops the run after some.
type counting struct {
	detector
	asked, most int
	stop        func()
}

func (c *counting) judge(ctx context.Context, pairs []pair, done func(int)) ([]verdict, error) {
	if c.most > 0 && c.asked+len(pairs) > c.most {
		c.stop()
		return nil, context.Cause(ctx)
	}
	c.asked += len(pairs)
	return c.detector.judge(ctx, pairs, done)
}

// A run that was stopped continues where it stopped: the pairs that it had judged are not judged
// again, and the verdicts are the same, whatever became of the end of the file.
func TestKeptVerdicts(t *testing.T) {
	dir, folder := classifierFolder(t, 1, "contradiction", "entailment", "neutral"), filepath.Join(t.TempDir(), "keep")
	plain := openTestDetector(t, dir)
	var pairs []pair
	for i := range 200 {
		pairs = append(pairs, pair{fmt.Sprintf("trains help %d people", i%7), fmt.Sprintf("night trains cost %d", i)})
	}
	want, err := plain.judge(t.Context(), pairs, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	open := func(most int, stop func()) (*keptVerdicts, *counting) {
		inner := &counting{detector: openTestDetector(t, dir), most: most, stop: stop}
		k, err := keep(inner, folder, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		return k, inner
	}
	ctx, cancel := context.WithCancel(t.Context())
	k, inner := open(150, cancel)
	if _, err := k.judge(ctx, pairs, func(int) {}); !errors.Is(err, context.Canceled) || inner.asked != 128 {
		t.Fatalf("%v after %d pairs", err, inner.asked)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	for _, again := range []struct{ cut, known int }{{0, 128}, {3, 199}, {0, 200}} { // before the second of these three, the file is as if the run was killed while it wrote
		if again.cut > 0 {
			files, err := filepath.Glob(filepath.Join(folder, "*.verdicts"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			info, err := os.Stat(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(files[0], info.Size()-int64(again.cut)); err != nil {
				t.Fatal(err)
			}
		}
		k, inner := open(0, nil)
		last := 0
		got, err := k.judge(t.Context(), pairs, func(n int) { last = n })
		if err != nil || !slices.Equal(got, want) || inner.asked != 200-again.known || k.found != again.known || last != 200 {
			t.Errorf("%v, the same %v, %d asked, %d found, progress to %d; want %d found", err, slices.Equal(got, want), inner.asked, k.found, last, again.known)
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Another detector has a file of its own.
	other, err := keep(&counting{detector: openTestDetector(t, classifierFolder(t, 2, "contradiction", "entailment", "neutral"))}, folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.judge(t.Context(), pairs, func(int) {}); err != nil || other.found != 0 {
		t.Errorf("%d found, %v", other.found, err)
	}
	// A folder that cannot be written to is no reason to stop.
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	e := Experiment{Detect: dir, Encoding: retrieve.Encoding{Keep: blocked, Console: console.New(&told)}}
	d, err := e.openDetector(t.Context(), dir)
	if err != nil || !strings.Contains(told.String(), "are not kept") {
		t.Fatal(err, told.String())
	}
	d.Close()
	// Neither is a disk that is full later.
	warned := 0
	k, err = keep(&counting{detector: openTestDetector(t, dir)}, t.TempDir(), func(error) { warned++ })
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.kept.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := k.judge(t.Context(), pairs, func(int) {}); err != nil || !slices.Equal(got, want) || warned != 1 {
		t.Errorf("%d warnings, the same %v, %v", warned, slices.Equal(got, want), err)
	}
}
