package retrieve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
)

// mostKept bounds the file of a model's vectors, in bytes.
const mostKept = 1 << 30

// KeptFolder is the folder in which evaluations keep vectors. It is in the user's cache. If there
// is no cache, it is "".
func KeptFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "vantage", "embeddings")
}

// keeping is an encoder whose vectors are kept in a file, under the hash of the text with
// its role and its prompt. If a run is stopped, its vectors remain for the next one.
type keeping struct {
	model.Encoder
	kept  *collection.Kept
	found atomic.Int64 // texts
	tell  func(found int64)
	warn  func(err error) // vectors cannot be kept any longer
}

// keep keeps the vectors of a transformer, or also of a pack, in a folder. If that is not
// possible, it warns and returns the encoder as it is.
func (e *modelEncoder) keep(folder string, packs bool, opened model.Encoder) model.Encoder {
	if e.model.Static || e.pack != nil && !packs {
		return opened // static models are as fast as the file, and packs also make angles
	}
	return Keep(folder, opened, e.name, e.console)
}

// Keep keeps an encoder's vectors in a folder, by the hash of a text with its role and its
// prompt, and takes from there those that an earlier run has kept. If folder is "", it
// returns the encoder as it is; if the folder cannot be used, it also warns. name is for
// messages.
func Keep(folder string, opened model.Encoder, name string, c *console.Console) model.Encoder {
	if folder == "" {
		return opened
	}
	kept, err := openKept(folder, opened.Info())
	if err != nil {
		c.Warnf("vectors of %s are not kept: %v", name, err)
		return opened
	}
	return &keeping{Encoder: opened, kept: kept, tell: func(found int64) {
		c.Printf("vantage: %s: vectors of %s from an earlier run\n", human.Escape(name), human.Count(found, "text"))
	}, warn: func(err error) { c.Warnf("vectors of %s are not kept from here on: %v", name, err) }}
}

// Decoder is the language model behind an encoder that Open returned, or nil.
func Decoder(opened model.Encoder) model.Decoder {
	switch e := opened.(type) {
	case *keeping:
		return Decoder(e.Encoder)
	case *prefixed:
		return Decoder(e.Encoder)
	case model.Decoder:
		return e
	}
	return nil
}

func openKept(folder string, info encoder.Info) (*collection.Kept, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	about, err := json.Marshal(info) // info has all that determines the vectors
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(about)
	m := manifest.Model{ID: info.ID, Revision: info.Revision, Dim: info.Dim}
	return collection.OpenKept(filepath.Join(folder, hex.EncodeToString(sum[:8])+".vectors"), m, mostKept)
}

// Encode returns the kept vectors of texts, and encodes the other texts.
func (k *keeping) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	info := k.Info()
	before, err := info.Before(len(texts), o)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(texts))
	var missing, keys []string
	var places []int
	for i, text := range texts {
		own := strconv.Quote(string(o.Role)) + strconv.Quote(before(i)) + text
		found, ok, err := k.kept.Take(own)
		if err != nil {
			return nil, err
		}
		if ok {
			out[i] = found
			k.found.Add(1)
			continue
		}
		missing, keys, places = append(missing, text), append(keys, own), append(places, i)
	}
	if len(missing) == 0 {
		return out, nil
	}
	if o.Prompts != nil {
		o.Prompts = make([]string, len(missing))
		for i, place := range places {
			o.Prompts[i] = before(place)
		}
	}
	encoded, err := encoder.Encode(ctx, k.Encoder, missing, o)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		out[place] = encoded[i]
	}
	if err := k.kept.Add(keys, encoded); err != nil { // the disk may be full: the evaluation goes on
		k.warn(err)
	}
	return out, nil
}

// Close closes the model and the file, and says for how many texts an earlier run had kept the vector.
func (k *keeping) Close() error {
	if n := k.found.Load(); n > 0 {
		k.tell(n)
	}
	return errors.Join(k.Encoder.Close(), k.kept.Close())
}
