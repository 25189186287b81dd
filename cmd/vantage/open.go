package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/remote"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/search"
)

// collectionDir is where a site has its collection.
const collectionDir = "collection"

// openStore opens a collection by its folder or address, or by those of a site
// that holds it. The place returned is where it was found.
func openStore(ctx context.Context, where string) (st *store.Store, place string, err error) {
	open := func(place string) (*store.Store, error) { return store.Open(ctx, os.DirFS(place)) }
	inside := filepath.Join(where, collectionDir)
	if isURL(where) {
		open = func(place string) (*store.Store, error) { return store.Open(ctx, remote.FS(place, nil)) }
		if inside, err = url.JoinPath(where, collectionDir); err != nil {
			return nil, "", usagef("%q is no address: %w", where, err)
		}
	} else if err := file.CheckFolder(where, "make a collection with: vantage index CORPUS -o DIR"); err != nil {
		return nil, "", err
	}
	st, err = open(where)
	if err != nil && (otherManifest(err) || is[*store.CorruptError](err)) { // some hosts answer with a page whatever is asked for
		other, otherErr := open(inside)
		if otherErr == nil || otherManifest(err) && !otherManifest(otherErr) {
			return other, inside, wrap(inside, otherErr)
		}
	}
	return st, where, wrap(where, err)
}

// otherManifest reports whether a folder holds no collection, be it without a
// manifest.json or with that of a web app.
func otherManifest(err error) bool {
	return is[*store.MissingError](err) || errors.Is(err, manifest.ErrNotCollection)
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// located is wrap for errors about files, which need to be found.
func located(place string, err error) error {
	if is[*store.MissingError](err) || is[*store.CorruptError](err) || is[*search.FileError](err) {
		return wrap(place, err)
	}
	return err
}

// encoderOf is a model as the searching side takes it.
func encoderOf(f staticmodel.Files) *search.EncoderFiles {
	return &search.EncoderFiles{
		EncoderRef: search.EncoderRef{ID: f.ID, Revision: f.Revision},
		Tokenizer:  f.Tokenizer, Weights: f.Weights, Config: f.Config,
	}
}

// languageOf says in words what texts an encoder is for, as "English only".
func languageOf(tag string) string {
	switch {
	case tag == "":
		return "its language is not stated"
	case tag == "en" || strings.HasPrefix(tag, "en-"):
		return "English only"
	}
	return "made for language " + tag
}
