package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/child"
	"github.com/vantage-search/vantage/internal/model/hub"
)

// builtinName is the name of the built-in model.
const builtinName = model.Builtin

// modelPlace is where the model that --model names lies.
type modelPlace struct {
	dir          string // or builtinName
	static       bool   // of the kind that a collection can carry
	id, revision string // where they are known better than from the folder
}

// findModel finds the model that --model names: the built-in one, a folder, or
// else one of the hub, which is fetched unless the cache has it.
func findModel(ctx context.Context, name string) (modelPlace, error) {
	if name == builtinName {
		return modelPlace{dir: builtinName, static: true}, nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fetchModel(ctx, name)
	}
	return folderModel(modelPlace{dir: name})
}

// fetchModel finds a model NAME[@REVISION] in the cache, or fetches it.
func fetchModel(ctx context.Context, name string) (modelPlace, error) {
	if !strings.Contains(name, "/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") {
		// The hub has models without an organisation, but a folder that is mistyped is likelier.
		return modelPlace{}, inputf("%s: no such folder: check the path, learn a model with: vantage fit CORPUS -o DIR, or name one of the hub as ORGANISATION/NAME", name)
	}
	show := newProgress()
	defer show.stop()
	id, revision := hub.Split(name)
	snapshot, err := hub.Get(ctx, id, revision, hub.Options{
		Progress: func(done, total int64) { show.update(pullStage, done, total) },
		Notice: func(text string) {
			show.stop()
			warn(stderr, "%s", text)
		},
	})
	if is[*hub.NameError](err) {
		err = inputf("%s: no such folder, and no name of a model: %w", name, err)
	}
	if err != nil {
		return modelPlace{}, err
	}
	show.end()
	return folderModel(modelPlace{dir: snapshot.Dir, id: id, revision: snapshot.Commit})
}

// folderModel completes what is known of a folder.
func folderModel(p modelPlace) (_ modelPlace, err error) {
	if err := checkFolder(p.dir, "learn a model with: vantage fit CORPUS -o DIR"); err != nil {
		return p, err
	}
	if p.static, err = model.IsStatic(p.dir); err != nil {
		return p, &inputError{err}
	}
	return p, nil
}

// name is the id that the model opens by.
func (p modelPlace) name() string {
	if dir, err := filepath.Abs(p.dir); err == nil && p.id == "" && p.dir != builtinName {
		return filepath.Base(dir)
	}
	return cmp.Or(p.id, p.dir)
}

// open opens the model, whatever its kind; a static one is always computed here.
func (p modelPlace) open(ctx context.Context, o model.Options, d deviceFlags) (e model.Encoder, err error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	o.ID, o.Revision = p.id, p.revision
	if o.Notice == nil {
		o.Notice = func(text string) { warn(stderr, "%s", text) }
	}
	switch {
	case p.static:
		e, err = model.Open(ctx, p.dir, o)
	case d.here():
		defer boundGarbage()()
		e, err = model.Open(ctx, p.dir, o)
	default:
		if e, err = d.open(ctx, p.dir, o); !is[*child.ModelError](err) {
			return e, err // or it is the process's fault, or its device's
		}
	}
	if err != nil && ctx.Err() == nil {
		err = &inputError{err}
	}
	return e, err
}

// files returns the files of a static model.
func (p modelPlace) files() (builtin.Files, error) {
	files, err := model.LoadStatic(p.dir)
	if err != nil {
		return files, &inputError{err}
	}
	if p.id != "" { // the folder of the cache is named by the commit alone
		files.ID, files.Revision = p.id, p.revision
	}
	return files, nil
}

// openModel opens the model that --model names.
func openModel(ctx context.Context, name string, o model.Options, d deviceFlags) (model.Encoder, error) {
	if err := d.check(); err != nil {
		return nil, err // before a model is fetched
	}
	p, err := findModel(ctx, name)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, o, d)
}

// loadStatic loads the model that --model names, which has to be a static one.
func loadStatic(ctx context.Context, name string) (builtin.Files, error) {
	p, err := findModel(ctx, name)
	if err != nil {
		return builtin.Files{}, err
	}
	if !p.static {
		return builtin.Files{}, inputf("%s is a transformer: this needs a static model, such as %s or one of vantage fit", name, builtinName)
	}
	return p.files()
}
