// Package named opens models by the names that users give: the built-in model, a
// folder, or a model of the hub, which is fetched if necessary.
package named

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/memory"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/child"
	"github.com/vantage-search/vantage/internal/model/hub"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Builtin is the name of the built-in model.
const Builtin = model.Builtin

// Model is a model that was found but not opened.
type Model struct {
	Dir    string // folder, or Builtin
	Static bool   // a static model, which a collection can carry

	id, revision string // if known from elsewhere than the folder
	console      *console.Console
}

// Find finds a model: the built-in one, a folder, or otherwise a model of the hub,
// which is fetched unless the cache has it. The console shows the progress of fetching,
// and later remarks from opening the model.
func Find(ctx context.Context, name string, c *console.Console) (Model, error) {
	if name == Builtin {
		return Model{Dir: Builtin, Static: true, console: c}, nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fetch(ctx, name, c)
	}
	return inFolder(Model{Dir: name, console: c})
}

// fetch finds a model NAME[@REVISION] in the cache, or fetches it.
func fetch(ctx context.Context, name string, c *console.Console) (Model, error) {
	if !strings.Contains(name, "/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") {
		// The hub has models without an organisation, but a misspelt folder is more
		// likely.
		return Model{}, fault.Errorf(fault.Input, "%s: no such folder: check the path, learn a model with: vantage fit CORPUS -o DIR, or name one of the hub as ORGANISATION/NAME", name)
	}
	id, revision := hub.Split(name)
	snapshot, err := Pull(ctx, id, revision, false, c)
	if fault.Is[*hub.NameError](err) {
		err = fault.Errorf(fault.Input, "%s: no such folder, and no name of a model: %w", name, err)
	}
	if err != nil {
		return Model{}, err
	}
	return inFolder(Model{Dir: snapshot.Dir, id: id, revision: snapshot.Commit, console: c})
}

// Pull is hub.Get with its progress and its notices on the console. refresh is Refresh of hub.Options.
func Pull(ctx context.Context, id, revision string, refresh bool, c *console.Console) (hub.Snapshot, error) {
	show := c.Progress()
	defer show.Stop()
	snapshot, err := hub.Get(ctx, id, revision, hub.Options{
		Refresh:  refresh,
		Progress: func(done, total int64) { show.Update(progress.Pull, done, total) },
		Notice: func(text string) {
			show.Stop()
			c.Warnf("%s", text)
		},
	})
	if err == nil {
		show.End()
	}
	return snapshot, err
}

// inFolder returns the model of a folder.
func inFolder(p Model) (_ Model, err error) {
	if err := file.CheckFolder(p.Dir, "learn a model with: vantage fit CORPUS -o DIR"); err != nil {
		return p, err
	}
	if p.Static, err = model.IsStatic(p.Dir); err != nil {
		return p, fault.As(fault.Input, err)
	}
	return p, nil
}

// Name is the id that the model will have, unless it is a static model whose config.json has
// another one.
func (p Model) Name() string {
	if dir, err := filepath.Abs(p.Dir); err == nil && p.id == "" && p.Dir != Builtin {
		return filepath.Base(dir)
	}
	return cmp.Or(p.id, p.Dir)
}

// Open opens the model. A static model always runs in this process, whatever the device.
func (p Model) Open(ctx context.Context, o model.Options, d Device) (e model.Encoder, err error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	o.ID, o.Revision = p.id, p.revision
	if o.Notice == nil {
		o.Notice = func(text string) { p.console.Warnf("%s", text) }
	}
	switch {
	case p.Static:
		e, err = model.Open(ctx, p.Dir, o)
	case d.Here():
		defer memory.BoundGarbage()()
		e, err = model.Open(ctx, p.Dir, o)
	default:
		if e, err = d.open(ctx, p.Dir, o, p.console); !fault.Is[*child.ModelError](err) {
			return e, err // no error, or the process or its device is at fault
		}
	}
	if err != nil && ctx.Err() == nil {
		err = fault.As(fault.Input, err)
	}
	return e, err
}

// OpenSource opens a transformer of type bert in its parts.
func (p Model) OpenSource(ctx context.Context, o model.Options) (*model.Source, error) {
	if p.Static {
		return nil, fault.Errorf(fault.Unsupported, "%s is a static model: collections carry it as it is, without a pack", p.Name())
	}
	defer memory.BoundGarbage()()
	o.ID, o.Revision = p.id, p.revision
	o.Notice = func(text string) { p.console.Warnf("%s", text) }
	s, err := model.OpenSource(ctx, p.Dir, o)
	if err != nil && ctx.Err() == nil && fault.Of(err) == "" {
		err = fault.As(fault.Input, err)
	}
	return s, err
}

// OpenClassifier opens a model with a classification head, on the processor.
func (p Model) OpenClassifier(ctx context.Context, o model.Options) (model.Classifier, error) {
	if p.Static {
		return nil, fault.Errorf(fault.Unsupported, "%s is a static model, which classifies nothing: name a sequence classifier", p.Name())
	}
	defer memory.BoundGarbage()()
	o.ID, o.Revision = p.id, p.revision
	o.Notice = func(text string) { p.console.Warnf("%s", text) }
	c, err := model.OpenClassifier(ctx, p.Dir, o)
	if err != nil && ctx.Err() == nil && fault.Of(err) == "" {
		err = fault.As(fault.Input, err)
	}
	return c, err
}

// Files returns the files of a static model.
func (p Model) Files() (staticmodel.Files, error) {
	files, err := model.LoadStatic(p.Dir)
	if err != nil {
		return files, fault.As(fault.Input, err)
	}
	if p.id != "" { // a folder in the cache has only the commit as its name
		files.ID, files.Revision = p.id, p.revision
	}
	return files, nil
}

// Open finds a model and opens it.
func Open(ctx context.Context, name string, o model.Options, d Device, c *console.Console) (model.Encoder, error) {
	if err := d.Check(); err != nil {
		return nil, err // check before a model is fetched
	}
	p, err := Find(ctx, name, c)
	if err != nil {
		return nil, err
	}
	return p.Open(ctx, o, d)
}

// WarnOfAverages tells the console if a model's vectors are averages of token vectors although
// nobody asked for that: o is what the model was opened with.
func WarnOfAverages(e model.Encoder, o model.Options, c *console.Console) {
	if _, tokens := e.(model.TokenEncoder); tokens && o.Pooling == "" {
		c.Warnf("%s gives a vector for each token (ColBERT): they are averaged", e.Info().ID)
	}
}

// LoadStatic finds a static model and loads its files.
func LoadStatic(ctx context.Context, name string, c *console.Console) (staticmodel.Files, error) {
	p, err := Find(ctx, name, c)
	if err != nil {
		return staticmodel.Files{}, err
	}
	if !p.Static {
		return staticmodel.Files{}, fault.Errorf(fault.Input, "%s is a transformer: this needs a static model, such as %s or one of vantage fit", name, Builtin)
	}
	return p.Files()
}

// Tokenizer finds the tokenizer of a model. A folder need not have more of the model.
func Tokenizer(ctx context.Context, name string, c *console.Console) (tokenizer.Tokenizer, error) {
	if name == Builtin {
		return tokenizer.Parse(builtin.Builtin().Tokenizer)
	}
	dir := name
	if _, err := os.Stat(dir); err != nil {
		place, err := Find(ctx, name, c)
		if err != nil {
			return nil, err
		}
		dir = place.Dir
	}
	t, err := model.OpenTokenizer(dir)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	return t, nil
}
