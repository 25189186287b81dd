package berds

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// keptVerdicts keeps the verdicts of a detector in a file, by a hash of both texts. So a run
// can continue where an interrupted one stopped.
type keptVerdicts struct {
	detector
	kept  *collection.Kept
	found int             // pairs that an earlier run has judged
	warn  func(err error) // verdicts cannot be kept any longer
}

const (
	mostKept       = 1 << 30 // bytes of the file
	verdictVersion = 2       // must be increased if a change makes the same detector judge differently
)

// keep keeps the verdicts of a detector in a folder. If that fails later, it warns.
func keep(d detector, folder string, warn func(err error)) (*keptVerdicts, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	identity, err := json.Marshal([]any{verdictVersion, d.about().identity})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(identity)
	name := hex.EncodeToString(sum[:8])
	kept, err := collection.OpenKept(filepath.Join(folder, name+".verdicts"), manifest.Model{ID: d.about().Model, Revision: name, Dim: 3}, mostKept)
	if err != nil {
		return nil, err
	}
	return &keptVerdicts{detector: d, kept: kept, warn: warn}, nil
}

// judge judges the pairs that no earlier run has judged. It keeps the verdicts after every
// portion of them.
func (k *keptVerdicts) judge(ctx context.Context, pairs []pair, done func(pairs int)) ([]verdict, error) {
	out := make([]verdict, len(pairs))
	var fresh []pair
	var places []int
	for i, p := range pairs {
		numbers, ok, err := k.kept.Take(keyOf(p))
		if err != nil {
			return nil, err
		}
		if !ok {
			fresh, places = append(fresh, p), append(places, i)
			continue
		}
		k.found++
		if out[i], err = verdictOf(numbers.Vector); err != nil {
			return nil, err
		}
	}
	known := len(pairs) - len(fresh)
	done(known)
	for first := 0; first < len(fresh); first += judgedAtOnce {
		some := fresh[first:min(first+judgedAtOnce, len(fresh))]
		found, err := k.detector.judge(ctx, some, func(n int) { done(known + first + n) })
		if err != nil {
			return nil, err
		}
		keys, numbers := make([]string, len(some)), make([]encoder.Embedding, len(some))
		for i, v := range found {
			out[places[first+i]] = v
			keys[i], numbers[i].Vector = keyOf(some[i]), []float32{v.score, number(v.supports), number(v.opposes)}
		}
		if err := k.kept.Add(keys, numbers); err != nil {
			k.warn(err)
		}
	}
	return out, nil
}

func keyOf(p pair) string { return strconv.Quote(p.perspective) + p.document }

// number is an answer in a file.
func number(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}

func verdictOf(numbers []float32) (verdict, error) {
	v := verdict{numbers[0], numbers[1] == 1, numbers[2] == 1}
	if number(v.supports) != numbers[1] || number(v.opposes) != numbers[2] {
		return verdict{}, fault.Errorf(fault.Integrity, "a kept verdict is %v: delete the folder vantage/embeddings of your cache", numbers)
	}
	return v, nil
}

// Close closes the detector and the file.
func (k *keptVerdicts) Close() error {
	err := k.detector.Close()
	if closing := k.kept.Close(); err == nil {
		err = closing
	}
	return err
}
