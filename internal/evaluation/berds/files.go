package berds

import (
	"context"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Files are the paths of an evaluation's files, by content.
type Files struct {
	Pool, Claims, Splits, Detection string
	Expansions                      []string
}

// Names of the files.
const (
	poolFile       = "perspective_pool*.json"
	claimsFile     = "perspectrum_with_answers*.json"
	splitsFile     = "dataset_split*.json"
	expansionsFile = "*_query_exp*.jsonl"
	detectionFile  = "pers_det*.tsv"
	fileNames      = poolFile + ", " + claimsFile + ", " + splitsFile + ", " + expansionsFile + " or " + detectionFile
)

// Find recognises files by their names. A folder stands for the files in it.
func Find(args []string) (*Files, error) {
	files := &Files{}
	for _, path := range args {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
		}
		if !info.IsDir() {
			known, err := files.add(path)
			if err == nil && !known {
				err = fault.Errorf(fault.Input, "%s: files are recognised by their names, and this is none of %s", path, fileNames)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%s: %w", path, fault.Unnamed(err))
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
			return nil, fault.Errorf(fault.Input, "%s holds none of %s", path, fileNames)
		}
	}
	if files.Pool+files.Claims+files.Splits != "" {
		for _, file := range []struct{ path, name string }{{files.Pool, poolFile}, {files.Claims, claimsFile}, {files.Splits, splitsFile}} {
			if file.path == "" {
				return nil, fault.Errorf(fault.Input, "Perspectrum's %s is missing: the pool, the claims and the splits go together", file.name)
			}
		}
	}
	return files, nil
}

// add takes a file if its name says what it holds.
func (f *Files) add(path string) (known bool, err error) {
	name := filepath.Base(path)
	if match(name, expansionsFile) {
		f.Expansions = append(f.Expansions, path)
		return true, nil
	}
	for _, kind := range []struct {
		pattern string
		path    *string
	}{{poolFile, &f.Pool}, {claimsFile, &f.Claims}, {splitsFile, &f.Splits}, {detectionFile, &f.Detection}} {
		if !match(name, kind.pattern) {
			continue
		}
		if *kind.path != "" {
			return true, fault.Errorf(fault.Input, "%s and %s are both %s: name one", *kind.path, path, kind.pattern)
		}
		*kind.path = path
		return true, nil
	}
	return false, nil
}

func match(name, pattern string) bool {
	matched, err := filepath.Match(pattern, name)
	return matched && err == nil
}

// Read opens and reads Perspectrum's three files.
func (f *Files) Read(ctx context.Context) (*Perspectrum, error) {
	var files [3]PerspectrumFile
	for i, path := range []string{f.Pool, f.Claims, f.Splits} {
		file, err := inputs.Open(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%s: %w", path, fault.Unnamed(err))
		}
		defer file.Close()
		files[i] = PerspectrumFile{Name: path, Reader: inputs.Interruptible(ctx, file)}
	}
	data, err := ReadPerspectrum(files[0], files[1], files[2])
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.As(fault.Input, err)
	}
	return data, nil
}
