package berds

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // by name: bm25, okapi, static (or english), or a model
	Expansions string   // file of expansions of the claims; empty means surface forms
	RunOut     string   // file for the test claims' rankings; retriever and ranking are inserted before its extension
	Encoding   retrieve.Encoding
	Detector   fs.FS // files of the pack that detects perspectives by sides; nil: no detector runs
}

// Report is the result of an experiment. Parts without an input file are nil.
type Report struct {
	Perspectrum *Evaluation           `json:"perspectrum,omitempty"`
	Expansions  []ExpansionStatistics `json:"expansion_files,omitempty"`
	Detection   *DetectionStatistics  `json:"detection,omitempty"`

	PerspectrumDetection *DetectionOnPerspectrum `json:"perspectrum_detection,omitempty"`

	tables []report.Table
}

// Tables are the report's tables.
func (r *Report) Tables() []report.Table { return r.tables }

// check refuses invalid experiments.
func (e *Experiment) check() error {
	if e.RunOut == "-" {
		return fault.Errorf(fault.Query, "--run-out needs the name of a file: stdout is for the tables")
	}
	for i, name := range e.Retrievers {
		if name == "english" { // the name of its folder
			e.Retrievers[i] = model.Builtin
		}
		if slices.Contains(e.Retrievers[:i], e.Retrievers[i]) {
			return fault.Errorf(fault.Query, "--retriever %s is given twice", e.Retrievers[i])
		}
	}
	if e.RunOut != "" {
		return runs.CheckTags(e.Retrievers)
	}
	return nil
}

// Evaluate runs the experiments on files, which it recognises by their names; a folder
// stands for the files in it. asked says that the user chose retrievers or their
// models, which is an error without Perspectrum's files.
func (e *Experiment) Evaluate(ctx context.Context, paths []string, asked bool) (_ *Report, err error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	files, err := Find(paths)
	if err != nil {
		return nil, err
	}
	if files.Claims == "" && (asked || e.Encoding.Pooling != "" || e.Encoding.QueryModel != "" || e.Expansions != "" || e.RunOut != "") {
		return nil, fault.Errorf(fault.Query, "--retriever, its models, --expansions and --run-out need Perspectrum's files, and none is given")
	}
	var by *detector
	if e.Detector != nil {
		if files.Claims == "" && files.Detection == "" {
			return nil, fault.Errorf(fault.Query, "--detect needs Perspectrum's files or a test of detection, %s, and none is given", detectionFile)
		}
		var end func() error
		if by, end, err = e.detector(ctx); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	out := &Report{}
	if files.Claims != "" {
		if out.Perspectrum, err = e.perspectrum(ctx, files); err != nil {
			return nil, err
		}
		out.tables = out.Perspectrum.Tables()
		if by != nil {
			data, err := files.Read(ctx)
			if err != nil {
				return nil, err
			}
			if out.PerspectrumDetection, err = by.perspectrum(ctx, data); err != nil {
				return nil, err
			}
			out.tables = append(out.tables, out.PerspectrumDetection.table())
		}
	}
	for _, path := range files.Expansions {
		expansions, err := inputs.Read(ctx, path, ReadExpansions)
		if err != nil {
			return nil, err
		}
		out.Expansions = append(out.Expansions, Describe(filepath.Base(path), expansions))
	}
	if len(out.Expansions) > 0 {
		out.tables = append(out.tables, ExpansionTable(out.Expansions))
	}
	if files.Detection != "" {
		judgements, err := inputs.Read(ctx, files.Detection, ReadDetection)
		if err != nil {
			return nil, err
		}
		s := DescribeDetection(filepath.Base(files.Detection), judgements)
		if by != nil {
			if s.Sides, err = by.detect(ctx, judgements); err != nil {
				return nil, err
			}
		}
		out.Detection = &s
		out.tables = append(out.tables, DetectionTable(s))
	}
	return out, nil
}

// detector opens the detector by sides.
func (e *Experiment) detector(ctx context.Context) (_ *detector, end func() error, err error) {
	model, err := packmodel.Open(ctx, e.Detector, 0)
	if err != nil {
		return nil, nil, err
	}
	show := e.Encoding.Console.Progress()
	by, err := newDetector(model, func(done, total int) { show.Update(progress.Embed, int64(done), int64(total)) })
	if err != nil {
		show.Stop()
		return nil, nil, errors.Join(err, model.Close())
	}
	return by, func() error { show.End(); show.Stop(); return model.Close() }, nil
}

// perspectrum runs the experiments on Perspectrum.
func (e *Experiment) perspectrum(ctx context.Context, files *Files) (_ *Evaluation, err error) {
	data, err := files.Read(ctx)
	if err != nil {
		return nil, err
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	o := Options{Progress: func(done, total int64) { show.Update(progress.Search, done, total) }}
	if e.Expansions != "" {
		if o.Expansions, err = e.readExpansions(ctx, data); err != nil {
			return nil, err
		}
	}
	fill := func(x retrieve.Index) error {
		return retrieve.Fill(ctx, x, data.Pool, func(done int) { show.Update(progress.Index, int64(done), int64(len(data.Pool))) })
	}
	encoded := func(encoder model.Encoder) (*retrieve.Dense, error) {
		vectors, err := retrieve.NewDense(encoder)
		if err != nil {
			return nil, err
		}
		return vectors, fill(vectors)
	}
	standard, err := named.Open(ctx, named.Builtin, model.Options{}, e.Encoding.Device, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	similarity, err := encoded(standard)
	if err != nil {
		return nil, err
	}
	o.Similarity = similarity.Similarity
	models, err := e.models(ctx)
	if err != nil {
		return nil, err
	}
	for i, name := range e.Retrievers {
		entry := Named{Name: name}
		switch {
		case name == retrieve.BM25Name:
			entry.Description = "BM25 of lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75"
			var words retrieve.Index
			if words, err = retrieve.NewBM25(lexical.DefaultParameters); err == nil {
				entry.Retriever, err = words, fill(words)
			}
		case name == retrieve.OkapiName:
			entry.Description = "BM25 as rank_bm25's Okapi, split at single spaces"
			words := retrieve.NewOkapi()
			entry.Retriever, err = words, fill(words)
		case models[i] == nil:
			entry.Retriever, entry.Description = similarity, "cosine of "+retrieve.Title(standard.Info())
		default:
			var encoder model.Encoder
			if entry.Retriever, encoder, err = models[i].Index(ctx, fill); err == nil {
				defer func() { err = errors.Join(err, encoder.Close()) }()
			}
			entry.Description = "cosine of " + models[i].About()
		}
		if err != nil {
			return nil, err
		}
		o.Retrievers = append(o.Retrievers, entry)
	}
	var written runSet
	if e.RunOut != "" {
		o.Ranked = func(retriever, ranking string, c *Claim, documents []uint32) error {
			return written.add(data, retriever, ranking, c, documents)
		}
	}
	evaluation, err := Evaluate(ctx, data, o)
	if err == ErrSplits {
		return nil, fault.Errorf(fault.Input, "%s: %w", files.Splits, err)
	}
	if err != nil {
		return nil, err
	}
	show.End()
	return evaluation, written.write(e.RunOut, data, e.Encoding.Console)
}

// models finds the models of the retrievers and tries to open them. The result has one
// entry per retriever: nil for retrievers by words, and for the built-in model, which
// is open already.
func (e *Experiment) models(ctx context.Context) ([]*retrieve.Model, error) {
	models := make([]*retrieve.Model, len(e.Retrievers))
	var all []*retrieve.Model
	for i, name := range e.Retrievers {
		spec, err := retrieve.ParseSpec(name)
		if err != nil {
			return nil, err
		}
		if spec.Name == retrieve.BM25Name || spec.Name == retrieve.OkapiName || name == named.Builtin {
			if err := spec.Bare(); err != nil {
				return nil, err
			}
			continue
		}
		if models[i], err = e.Encoding.Find(ctx, spec); err != nil {
			return nil, err
		}
		all = append(all, models[i])
	}
	if err := e.Encoding.Bind(ctx, all); err != nil {
		return nil, err
	}
	return models, retrieve.Try(ctx, all)
}

// readExpansions reads the expansions of claims. It is an error if none is of a test
// claim; it warns if some test claims have none.
func (e *Experiment) readExpansions(ctx context.Context, data *Perspectrum) (map[string][]string, error) {
	expansions, err := inputs.Read(ctx, e.Expansions, ReadExpansions)
	if err != nil {
		return nil, err
	}
	queries := Queries(expansions)
	test := data.Split(Test)
	missing := 0
	for _, claim := range test {
		if len(queries[strings.TrimSpace(claim.Text)]) == 0 {
			missing++
		}
	}
	switch missing {
	case 0:
	case len(test):
		return nil, fault.Errorf(fault.Input, "%s: no expansion is of a test claim: org_q must be the claim's text", e.Expansions)
	default:
		e.Encoding.Console.Warnf("%s has no expansions for %d of %d test claims: they keep their unexpanded rankings", e.Expansions, missing, len(test))
	}
	return queries, nil
}
