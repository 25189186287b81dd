package pgra

import (
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// own are the paper's templates (Table 13).
//
//go:embed templates/*.txt
var own embed.FS

// readTemplates returns the templates of the chosen tasks, by the names of their files: the
// paper's, or those in the folder dir. If there is no such folder, it is made and gets the
// paper's templates.
func readTemplates(ctx context.Context, dir string, chosen []int, c *console.Console) (map[string]*Template, error) {
	if dir != "" {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			if err := writeTemplates(dir); err != nil {
				return nil, err
			}
			c.Printf("vantage: %s: the paper's templates, to be changed there\n", human.Escape(dir))
		}
	}
	out := map[string]*Template{}
	for _, i := range chosen {
		name := tasks[i].template
		if out[name] != nil {
			continue
		}
		t, err := readTemplate(ctx, dir, name)
		if err != nil {
			return nil, fault.As(fault.Input, err)
		}
		out[name] = t
	}
	return out, nil
}

func readTemplate(ctx context.Context, dir, name string) (*Template, error) {
	if dir == "" {
		b, err := own.ReadFile(path.Join("templates", name))
		if err != nil {
			return nil, err
		}
		return ParseTemplate(name, b)
	}
	return inputs.Read(ctx, filepath.Join(dir, name), func(r io.Reader, at string) (*Template, error) {
		b, err := io.ReadAll(io.LimitReader(r, maxTemplate+1))
		if err != nil {
			return nil, err
		}
		return ParseTemplate(at, b)
	})
}

func writeTemplates(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return file.Unwritable(dir, err)
	}
	names, err := own.ReadDir("templates")
	if err != nil {
		return err
	}
	for _, entry := range names {
		b, err := own.ReadFile(path.Join("templates", entry.Name()))
		if err != nil {
			return err
		}
		if err := file.Replace(filepath.Join(dir, entry.Name()), func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
	}
	return nil
}
