package pireval

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/model/npy"
)

// Encoded embeds tasks with an encoder. Texts are encoded in their roles, because many
// models put another prompt before queries than before documents. A query of a model that
// takes instructions is its root as the text, and its perspective with ": " as the
// instruction (INSTRUCTOR; §A.9 of the paper).
type Encoded struct {
	encoder.Encoder
	// Queries encodes queries, roots and perspectives, for models with two encoders
	// such as DPR. If it is nil, Encoder encodes them, too.
	Queries encoder.Encoder
}

func (e Encoded) Name() string {
	if info := e.Info(); info.Int8 {
		return info.ID + " (int8)"
	}
	return e.Info().ID
}

// batchTexts is the number of texts per call of the encoder.
const batchTexts = 64

func (e Encoded) Embed(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Embedding, error) {
	out := &Embedding{Dim: e.Info().Dim}
	queries := e.Encoder
	if e.Queries != nil {
		if queries = e.Queries; queries.Info().Dim != out.Dim {
			return nil, fmt.Errorf("queries have %d dimensions by %s, and the corpus has %d by %s: the encoders do not belong together",
				queries.Info().Dim, queries.Info().ID, out.Dim, e.Info().ID)
		}
	}
	lists := []struct {
		encoder encoder.Encoder
		role    encoder.Role
		texts   []string
		prompts []string // nil: those of the role
		into    *[]float32
	}{
		{e.Encoder, encoder.Document, task.Corpus, nil, &out.Corpus},
		{queries, encoder.Query, task.Queries, nil, &out.Queries},
		{queries, encoder.Query, task.Roots, nil, &out.Roots},
		{queries, encoder.Query, task.Perspectives, nil, &out.Perspectives},
	}
	if queries.Info().Instructed {
		lists[1].texts, lists[1].prompts = task.Roots, make([]string, len(task.Roots))
		for i, p := range task.Perspectives {
			lists[1].prompts[i] = p + ": "
		}
	}
	for _, l := range lists {
		*l.into = make([]float32, len(l.texts)*out.Dim)
		for at := 0; at < len(l.texts); at += batchTexts {
			end := min(at+batchTexts, len(l.texts))
			batch, options := l.texts[at:end], encoder.Options{Role: l.role}
			if l.prompts != nil {
				options.Prompts = l.prompts[at:end]
			}
			embeddings, err := encoder.Encode(ctx, l.encoder, batch, options)
			if err != nil {
				return nil, err
			}
			for i, embedding := range embeddings {
				copy((*l.into)[(at+i)*out.Dim:], embedding.Vector)
			}
			encoded(len(batch))
		}
	}
	return out, e.embedAngles(ctx, task, out)
}

// VectorFiles reads the vectors of tasks from a folder of .npy files, one for each list
// of texts in the demo file: TASK_corpus.npy, TASK_queries.npy,
// TASK_source_queries.npy, TASK_perspectives.npy. Errors are *corpus.InputError or
// those of npy.
type VectorFiles struct{ Dir string }

func (v VectorFiles) Name() string {
	dir := v.Dir
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return "vectors:" + filepath.Base(dir)
}

func (v VectorFiles) Embed(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Embedding, error) {
	out := &Embedding{}
	lists := []struct {
		name  string
		texts []string
		into  *[]float32
	}{{"corpus", task.Corpus, &out.Corpus}, {"queries", task.Queries, &out.Queries}, {"source_queries", task.Roots, &out.Roots}, {"perspectives", task.Perspectives, &out.Perspectives}}
	for _, l := range lists {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := filepath.Join(v.Dir, task.Name+"_"+l.name+".npy")
		m, err := readMatrix(path)
		if err != nil {
			return nil, err
		}
		if m.Rows != len(l.texts) {
			return nil, &corpus.InputError{File: path, Problem: fmt.Sprintf("%d vectors for the %d texts of task %s", m.Rows, len(l.texts), task.Name),
				Remedy: "encode the very list that is evaluated"}
		}
		if out.Dim == 0 {
			out.Dim = m.Dim
		}
		if m.Dim != out.Dim {
			return nil, &corpus.InputError{File: path, Problem: fmt.Sprintf("vectors of %d numbers, those of the corpus have %d", m.Dim, out.Dim),
				Remedy: "encode all lists with one model"}
		}
		*l.into = m.Data
		encoded(len(l.texts))
	}
	return out, nil
}

func readMatrix(path string) (npy.Matrix, error) {
	f, size, err := file.Open(path)
	if err != nil {
		problem := "cannot be read"
		switch {
		case errors.Is(err, fs.ErrNotExist):
			problem = "no such file"
		case errors.Is(err, file.ErrNotRegular):
			return npy.Matrix{}, &corpus.InputError{File: path, Problem: "not a file", Remedy: "put a file of vectors there", Err: err}
		}
		return npy.Matrix{}, &corpus.InputError{File: path, Problem: problem, Remedy: "check the folder, which needs four files for each task", Err: err}
	}
	defer f.Close()
	m, err := npy.Read(bufio.NewReader(f), size)
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
