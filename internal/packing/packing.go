// Package packing does the work of `vantage model pack`: it finds a model by its name, reads
// the files that a pack needs, and writes the pack.
package packing

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/examples/debates"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs/frequencies"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/model/packer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Job says which model becomes a pack, and how.
type Job struct {
	Model, Output string   // the model's name or folder; the pack's folder
	Samples       string   // file of texts that resemble those to be encoded later; "": the bundled corpus
	Corpora       []string // files of texts whose words the vocabulary should cover
	Frequencies   string   // file of words with their counts; "": none
	Tables        string   // JSON file of tables that travel in the pack; "": none
	MaxLength     int      // in tokens; 0: as the model says

	// Options are those of the packer. Run fills in the ones that come from the files above.
	Options packer.Options
	Console *console.Console
}

// maxTables bounds the file of tables.
const maxTables = 1 << 20

// read reads the files that the job names.
func (j *Job) read(ctx context.Context) (err error) {
	o := &j.Options
	if j.Tables != "" {
		b, err := file.Read(j.Tables, maxTables, "file of tables")
		if err != nil {
			return fault.At(j.Tables, fault.As(fault.Input, fault.Unnamed(err)))
		}
		var t struct {
			Numbers map[string][]float64 `json:"numbers"`
			Texts   map[string][]string  `json:"texts"`
		}
		if err := unpack.JSON(b, &t); err != nil {
			return fault.At(j.Tables, fault.As(fault.Input, err))
		}
		o.Numbers, o.Texts = t.Numbers, t.Texts
	}
	if j.Corpora != nil {
		o.Corpus = func(yield func(string, error) bool) {
			for _, path := range j.Corpora {
				for text, err := range texts.All(ctx, path) {
					if !yield(text, err) {
						return
					}
				}
			}
		}
	}
	if j.Frequencies != "" {
		o.Frequencies = frequencies.Read(j.Frequencies)
	}
	if j.Samples == "" {
		o.Samples, err = debates.Texts()
		return err
	}
	for text, err := range texts.All(ctx, j.Samples) {
		if err != nil {
			return err
		}
		if len(o.Samples) == packer.MaxSamples {
			j.Console.Warnf("%s: more than %d texts: the rest is not looked at", j.Samples, packer.MaxSamples)
			break
		}
		o.Samples = append(o.Samples, text)
	}
	return nil
}

// Run makes the pack, and reports what rounding costs. If the pack must not replace what is
// in the folder Output, Run says so before it looks for the model.
func (j *Job) Run(ctx context.Context) (_ *packer.Report, err error) {
	if err := errors.Join(packer.CheckTarget(j.Output), j.read(ctx)); err != nil {
		return nil, err
	}
	found, err := named.Find(ctx, j.Model, j.Console)
	if err != nil {
		return nil, err
	}
	source, err := found.OpenSource(ctx, model.Options{MaxLength: j.MaxLength})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if j.Options.Prompts == nil && source.Tokens == nil && source.Labels == nil {
		found.WarnOfPrompts(source.Info, j.Console, nil)
	}
	show := j.Console.Progress()
	defer show.Stop()
	j.Options.Progress = show.Update
	result, err := packer.Pack(ctx, source, j.Options)
	if err != nil {
		return nil, err
	}
	if err := packer.Write(j.Output, result.Files); err != nil {
		return nil, err
	}
	show.End()
	return &result.Report, nil
}
