package packmodel

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

const remedy = "make a pack with vantage model pack"

// IsFolder reports whether a path is that of a pack: a folder with a pack.json, or the
// pack.json itself.
func IsFolder(dir string) bool {
	if filepath.Base(dir) != pack.FileName {
		dir = filepath.Join(dir, pack.FileName)
	}
	info, err := os.Stat(dir)
	return err == nil && info.Mode().IsRegular()
}

// Model is the encoder of any pack: an *Encoder, or a *TokenEncoder.
type Model interface {
	packencoder.Encoder
	Close() error
}

// OpenFolder is Open for a folder of the operating system, or the pack.json in it.
func OpenFolder(ctx context.Context, dir string, threads int) (*Encoder, error) {
	return fromFolder(ctx, dir, func(files fs.FS) (*Encoder, error) { return Open(ctx, files, threads) })
}

// OpenAnyFolder is OpenAny for a folder of the operating system, or the pack.json in it.
func OpenAnyFolder(ctx context.Context, dir string, threads int) (Model, error) {
	return fromFolder(ctx, dir, func(files fs.FS) (Model, error) { return OpenAny(ctx, files, threads) })
}

// fromFolder opens a pack, and names the folder in an error.
func fromFolder[M any](ctx context.Context, dir string, open func(files fs.FS) (M, error)) (none M, err error) {
	if filepath.Base(dir) == pack.FileName {
		dir = filepath.Dir(dir)
	}
	if err := file.CheckFolder(dir, remedy); err != nil {
		return none, err
	}
	e, err := open(os.DirFS(dir))
	if err != nil && ctx.Err() == nil {
		err = fault.At(dir, err)
	}
	return e, err
}

// Open is OpenAny for a pack with one vector for a whole text. Others are errors.
func Open(ctx context.Context, files fs.FS, threads int) (*Encoder, error) {
	m, err := OpenAny(ctx, files, threads)
	if err != nil {
		return nil, err
	}
	e, ok := m.(*Encoder)
	if !ok {
		return nil, errors.Join(fault.Errorf(fault.Unsupported, "the pack %s gives each token a vector (ColBERT), and none to a whole text: %s of another model, or use this one with vantage index", m.Info().ID, remedy), m.Close())
	}
	return e, nil
}

// OpenBeside is Open, with another pack that reads queries for it.
func OpenBeside(ctx context.Context, files, reader fs.FS, threads int) (*Encoder, error) {
	e, err := Open(ctx, files, threads)
	if err != nil {
		return nil, err
	}
	e.beside = reader
	if e.reader, err = Open(ctx, reader, 1); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// OpenAny reads the pack in a file system, its branch too if it has one, and compares the
// hashes of all files. threads is the number of workers, 0 for one per processor; the
// vectors do not depend on it.
func OpenAny(ctx context.Context, files fs.FS, threads int) (Model, error) {
	var json []byte
	p, err := packfile.Read(func(path string) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		content, err := read(files, path)
		if path == pack.FileName {
			json = content
		}
		return content, err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	e, err := newEncoder(p, threads)
	if err != nil {
		return nil, err
	}
	e.files, e.json = files, json
	if p.Manifest.Config.Tokens != nil {
		return &TokenEncoder{e}, nil
	}
	return e, nil
}

// read reads a file of a pack.
func read(files fs.FS, path string) ([]byte, error) {
	limit := int64(pack.MaxFile)
	if path == pack.FileName {
		limit = pack.MaxManifest
	}
	content, err := file.ReadFS(files, path, limit, "file of a pack")
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == pack.FileName:
		return nil, fault.Errorf(fault.Input, "there is no %s, so it is no pack: %s", path, remedy)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Errorf(fault.Integrity, "%s is missing: copy the pack again", path)
	case err != nil:
		return nil, fault.As(fault.Input, err)
	}
	return content, nil
}
