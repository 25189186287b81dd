package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
)

// berdsFiles are the files of an evaluation by what they hold.
type berdsFiles struct {
	pool, claims, splits, detection string
	expansions                      []string
}

// How the files are called.
const (
	poolFile       = "perspective_pool*.json"
	claimsFile     = "perspectrum_with_answers*.json"
	splitsFile     = "dataset_split*.json"
	expansionsFile = "*_query_exp*.jsonl"
	detectionFile  = "pers_det*.tsv"
	berdsNames     = poolFile + ", " + claimsFile + ", " + splitsFile + ", " + expansionsFile + " or " + detectionFile
)

// findBERDS sorts files by their names, and those of folders.
func findBERDS(args []string) (*berdsFiles, error) {
	files := &berdsFiles{}
	for _, path := range args {
		info, err := os.Stat(path)
		if err != nil {
			return nil, inputf("%s: %w: check the path", path, unnamed(err))
		}
		if !info.IsDir() {
			known, err := files.add(path)
			if err == nil && !known {
				err = inputf("%s: files are told by their names, and this is none of %s", path, berdsNames)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, inputf("%s: %w", path, unnamed(err))
		}
		found := false
		for _, entry := range entries {
			known, err := files.add(filepath.Join(path, entry.Name()))
			if err != nil {
				return nil, err
			}
			found = found || known
		}
		if !found {
			return nil, inputf("%s holds none of %s", path, berdsNames)
		}
	}
	if files.pool+files.claims+files.splits != "" {
		for _, file := range []struct{ path, name string }{{files.pool, poolFile}, {files.claims, claimsFile}, {files.splits, splitsFile}} {
			if file.path == "" {
				return nil, inputf("Perspectrum's %s is missing: the pool, the claims and the splits go together", file.name)
			}
		}
	}
	return files, nil
}

// add takes a file whose name says what it holds.
func (f *berdsFiles) add(path string) (known bool, err error) {
	name := filepath.Base(path)
	if match(name, expansionsFile) {
		f.expansions = append(f.expansions, path)
		return true, nil
	}
	for _, kind := range []struct {
		pattern string
		path    *string
	}{{poolFile, &f.pool}, {claimsFile, &f.claims}, {splitsFile, &f.splits}, {detectionFile, &f.detection}} {
		if !match(name, kind.pattern) {
			continue
		}
		if *kind.path != "" {
			return true, inputf("%s and %s are both %s: name one", *kind.path, path, kind.pattern)
		}
		*kind.path = path
		return true, nil
	}
	return false, nil
}

func match(name, pattern string) bool {
	matched, err := filepath.Match(pattern, name)
	must(err)
	return matched
}

// read opens and reads Perspectrum's three files.
func (f *berdsFiles) read(ctx context.Context) (*berds.Perspectrum, error) {
	var files [3]berds.PerspectrumFile
	for i, path := range []string{f.pool, f.claims, f.splits} {
		file, err := openInput(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, inputf("%s: %w", path, unnamed(err))
		}
		defer file.Close()
		files[i] = berds.PerspectrumFile{Name: path, Reader: &interruptible{ctx, file}}
	}
	data, err := berds.ReadPerspectrum(files[0], files[1], files[2])
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &inputError{err}
	}
	return data, nil
}
