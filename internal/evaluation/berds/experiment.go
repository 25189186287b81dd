package berds

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // by name: bm25, okapi, static (or english), or a model
	Expansions string   // file of expansions of the claims; empty means surface forms
	RunOut     string   // file for the test claims' rankings; retriever and ranking are inserted before its extension
	Encoding   retrieve.Encoding
	// Detect names what judges whether documents contain perspectives: "sides", the folder
	// of a pack, a sequence classifier, or ChatName; empty: nothing.
	Detect string
	// AlsoDetect names detectors that are measured beside it.
	AlsoDetect []string
	// Expand also expands the test questions, by perspectives that the chat model writes, or
	// by a static list if there is no model.
	Expand bool
	// Chat is the chat model, or none if it has no name.
	Chat chat.Settings
	// Threshold is the least score at which a document contains a perspective; nil: the most
	// probable answer decides.
	Threshold *float64
	// Corpus is the path of a corpus that is searched for BERDS' questions; empty: none.
	Corpus string

	client *chat.Client      // nil without a chat model
	found  []*retrieve.Model // of the retrievers, see models
	steps  []Step
}

// Report is the result of an experiment. Parts without an input file are nil.
type Report struct {
	Perspectrum *Evaluation           `json:"perspectrum,omitempty"`
	Questions   *Evaluation           `json:"questions,omitempty"`
	Expansions  []ExpansionStatistics `json:"expansion_files,omitempty"`
	Detection   *DetectionStatistics  `json:"detection,omitempty"`

	PerspectrumDetection *DetectionOnPerspectrum `json:"perspectrum_detection,omitempty"`

	Steps []Step `json:"chat,omitempty"` // of the chat model

	tables []report.Table
}

// Tables are the report's tables.
func (r *Report) Tables() []report.Table { return r.tables }

// check refuses invalid experiments.
func (e *Experiment) check() error {
	if e.RunOut == "-" {
		return fault.Errorf(fault.Query, "--run-out needs the name of a file: stdout is for the tables")
	}
	if err := retrieve.CheckNames(e.Retrievers); err != nil {
		return err
	}
	if e.RunOut != "" {
		if err := file.CheckReplace(e.RunOut); err != nil {
			return err
		}
	}
	return e.checkDetection()
}

// checkFiles refuses options for files that are not there. asked says that the user chose
// retrievers or their models.
func (e *Experiment) checkFiles(files *Files, asked bool) error {
	asked = asked || e.Encoding.Pooling != "" || e.Encoding.QueryModel != "" || e.RunOut != ""
	switch {
	case e.Corpus != "" && len(files.Expansions) == 0:
		return fault.Errorf(fault.Query, "--corpus is searched for the questions of BERDS' files, %s, and none is given", expansionsFile)
	case e.Corpus != "" && files.Claims != "":
		return fault.Errorf(fault.Query, "--corpus is searched for BERDS' questions, and %s are claims of Perspectrum, which has a pool of its own: evaluate them one at a time", files.Claims)
	case e.Corpus != "" && e.Expansions != "":
		return fault.Errorf(fault.Query, "--expansions belongs to Perspectrum's claims: BERDS' files of questions hold the expansions of theirs")
	case e.Corpus == "" && files.Claims == "" && (asked || e.Expansions != ""):
		return fault.Errorf(fault.Query, "--retriever, its models, --expansions and --run-out need Perspectrum's files, or BERDS' questions and a --corpus, and none is given")
	case e.Detect != "" && e.Corpus == "" && files.Claims == "" && files.Detection == "":
		return fault.Errorf(fault.Query, "--detect needs Perspectrum's files, a test of detection, %s, or a --corpus, and none is given", detectionFile)
	case e.Expand && e.Corpus == "" && files.Claims == "":
		return fault.Errorf(fault.Query, "--expand needs Perspectrum's files, or BERDS' questions and a --corpus, and none is given")
	case e.Threshold != nil && e.Corpus == "" && files.Detection == "":
		return fault.Errorf(fault.Query, "--threshold goes with a test of detection, %s, or a --corpus: on Perspectrum the most probable answer counts", detectionFile)
	}
	return nil
}

// Evaluate runs the experiments on files, which it recognises by their names; a folder
// stands for the files in it. asked says that the user chose retrievers or their
// models, which is an error if nothing is retrieved.
func (e *Experiment) Evaluate(ctx context.Context, paths []string, asked bool) (_ *Report, err error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	files, err := Find(paths)
	if err != nil {
		return nil, err
	}
	if err := e.checkFiles(files, asked); err != nil {
		return nil, err
	}
	if err := e.checkPlaces(files); err != nil {
		return nil, err
	}
	if e.client, err = e.openChat(slices.Concat(paths, []string{e.Corpus})); err != nil {
		return nil, err
	}
	if e.client != nil {
		defer func() { err = e.client.Close(err, e.Encoding.Console.Warnf) }()
	}
	by, err := e.openDetectors(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, d := range by {
			e.tellKept(d)
		}
		err = errors.Join(err, closeAll(by))
	}()
	if files.Claims != "" || e.Corpus != "" {
		if e.found, err = e.models(ctx); err != nil { // before the chat model is asked anything
			return nil, err
		}
	}
	out := &Report{}
	if files.Claims != "" {
		if err := e.onPerspectrum(ctx, files, by, out); err != nil {
			return nil, err
		}
	}
	if e.Corpus != "" {
		if out.Questions, err = e.questions(ctx, files, by[0]); err != nil {
			return nil, err
		}
		out.tables = append(out.tables, out.Questions.Tables()...)
	}
	if err := e.describe(ctx, files, by, out); err != nil {
		return nil, err
	}
	if out.Steps = e.steps; len(e.steps) > 0 {
		out.tables = append(out.tables, stepTable(e.steps))
	}
	return out, nil
}

// onPerspectrum runs the experiments on Perspectrum, and the detector if there is one.
func (e *Experiment) onPerspectrum(ctx context.Context, files *Files, by []detector, out *Report) error {
	data, err := files.Read(ctx)
	if err != nil {
		return err
	}
	if err := data.checkSplits(); err != nil { // before the chat model is asked anything
		return fault.Errorf(fault.Input, "%s: %w", files.Splits, err)
	}
	var o Options
	if e.Expansions != "" {
		if o.Expansions, err = e.readExpansions(ctx, data); err != nil {
			return err
		}
	}
	if e.Expand {
		if o.Generated, err = e.generate(ctx, data.Split(Test)); err != nil {
			return err
		}
	}
	if out.Perspectrum, err = e.retrieve(ctx, data, o); err != nil {
		return err
	}
	out.tables = out.Perspectrum.Tables()
	if len(by) == 0 {
		return nil
	}
	if out.PerspectrumDetection, err = e.detectOnPerspectrum(ctx, by, data); err == nil && out.PerspectrumDetection != nil {
		out.tables = append(out.tables, out.PerspectrumDetection.table())
	}
	return err
}

// questions runs the experiments on BERDS' questions and the corpus. The detector judges
// what is retrieved.
func (e *Experiment) questions(ctx context.Context, files *Files, by detector) (*Evaluation, error) {
	info := by.about()
	if !info.Decides && e.Threshold == nil {
		return nil, fault.Errorf(fault.Query, "%s has a single class, whose score is no answer: give a --threshold, such as the one that this finds: vantage eval berds pers_det.test.tsv --detect %s", e.Detect, human.Argument(e.Detect))
	}
	claims, sets, halved, err := readQuestions(ctx, files.Expansions)
	if err != nil {
		return nil, err
	}
	for _, name := range halved {
		e.Encoding.Console.Warnf("%s has questions of one split only: every second one, from the first on, chooses λ, and the others are measured", name)
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	data := &Perspectrum{Claims: claims}
	if err := data.checkSplits(); err != nil { // before the chat model is asked anything
		return nil, fault.Errorf(fault.Input, "%s hold too few questions: %w", strings.Join(files.Expansions, ", "), err)
	}
	if data.Pool, data.IDs, err = readCorpus(ctx, e.Corpus, show); err != nil {
		return nil, err
	}
	show.End()
	j := newJudging(by, data.Pool, e.Threshold)
	o := Options{Judge: j.judge, Datasets: sets}
	if e.Expand {
		if o.Generated, err = e.generate(ctx, data.Split(Test)); err != nil {
			return nil, err
		}
	}
	if info.ByPrompt {
		defer e.step("judging what was found", e.client.Usage())()
	}
	found, err := e.retrieve(ctx, data, o)
	if err != nil {
		return nil, err
	}
	found.Corpus, found.Detector, found.Threshold, found.Judged, found.Refused = filepath.Base(e.Corpus), info, e.Threshold, j.pairs, j.refused
	return found, nil
}

// describe counts BERDS' own files, and runs the detector on its test.
func (e *Experiment) describe(ctx context.Context, files *Files, by []detector, out *Report) error {
	for _, path := range files.Expansions {
		expansions, err := inputs.Read(ctx, path, ReadExpansions)
		if err != nil {
			return err
		}
		out.Expansions = append(out.Expansions, Describe(filepath.Base(path), expansions))
	}
	if len(out.Expansions) > 0 {
		out.tables = append(out.tables, ExpansionTable(out.Expansions))
	}
	if files.Detection == "" {
		return nil
	}
	judgements, err := inputs.Read(ctx, files.Detection, ReadDetection)
	if err != nil {
		return err
	}
	s := DescribeDetection(filepath.Base(files.Detection), judgements)
	for i, d := range by {
		found, err := e.detect(ctx, d, judgements)
		if err != nil {
			return err
		}
		if i == 0 {
			s.Detector = found
		} else {
			s.Also = append(s.Also, found)
		}
	}
	out.Detection = &s
	out.tables = append(out.tables, DetectionTable(s))
	return nil
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
