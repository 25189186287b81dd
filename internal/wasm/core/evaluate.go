//go:build wasm

package main

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

var (
	qrels = newHandles[*trec.Qrels]("judgements")
	runs  = newHandles[*trec.Run]("run")
)

//go:wasmexport qrels_open
func qrelsOpen(file, fileLength, name, nameLength, measures, measuresLength uint32) int32 {
	return readFile(qrels, func(r io.Reader, name string) (*trec.Qrels, error) {
		asked, err := readMeasures(measures, measuresLength)
		if err != nil {
			return nil, err
		}
		if trec.NeedSubtopics(asked) {
			return trec.ReadDiversityQrels(r, name)
		}
		return trec.ReadQrels(r, name)
	}, file, fileLength, name, nameLength)
}

//go:wasmexport qrels_close
func qrelsClose(handle uint32) int32 { return qrels.close(handle) }

//go:wasmexport run_open
func runOpen(file, fileLength, name, nameLength uint32) int32 {
	return readFile(runs, trec.ReadRun, file, fileLength, name, nameLength)
}

//go:wasmexport run_close
func runClose(handle uint32) int32 { return runs.close(handle) }

func readFile[T any](h *handles[T], read func(io.Reader, string) (T, error), file, fileLength, name, nameLength uint32) int32 {
	return call(func() (int, error) {
		f, err := bytes(file, fileLength)
		if err != nil {
			return 0, err
		}
		n, err := bytes(name, nameLength)
		if err != nil {
			return 0, err
		}
		content := content(f)
		object, err := read(&content, string(n))
		if err != nil {
			return 0, err
		}
		return h.add(object), nil
	})
}

// content is a reader of a file. It holds the rest of the bytes.
type content []byte

func (c *content) Read(p []byte) (int, error) {
	if len(*c) == 0 {
		return 0, io.EOF
	}
	n := copy(p, *c)
	*c = (*c)[n:]
	return n, nil
}

// evaluated keeps the data of the last Evaluation alive.
var evaluated struct {
	names, queries, run, texts []byte
	values, averages           []float64
	kinds, missing             []uint32
}

//go:wasmexport run_evaluate
func runEvaluate(request, evaluation uint32) int32 {
	return evaluate(request, evaluation, func(e *evaluating) (count int, err error) {
		if len(e.runs) != 1 {
			return 0, fault.New(fault.Input, "run_evaluate: "+strconv.Itoa(len(e.runs))+" runs")
		}
		found, err := trec.Evaluate(e.qrels, e.runs[0], e.measures, e.options)
		if err != nil {
			return 0, err
		}
		queries, texts := make([]string, len(found.Queries)), make([]string, len(found.Queries))
		values := make([]float64, len(found.Averages)*len(queries))
		for i := range found.Queries {
			q := &found.Queries[i]
			queries[i], texts[i] = q.Query, q.Relstring()
			for m, value := range q.Values {
				values[m*len(queries)+i] = value
			}
		}
		evaluated.values, evaluated.averages, evaluated.missing = values, found.Averages, nil
		evaluated.queries, evaluated.texts, evaluated.run = joined(queries), joined(texts), []byte(found.RunID)
		e.queries = len(queries)
		return found.Count, nil
	})
}

//go:wasmexport runs_compare
func runsCompare(request, evaluation uint32) int32 {
	return evaluate(request, evaluation, func(e *evaluating) (count int, err error) {
		compared, missing, err := trec.CompareValues(e.qrels, e.runs, e.measures, e.options)
		if err != nil {
			if _, ok := errors.AsType[*trec.LineError](err); !ok {
				err = queryError(err) // a measure that cannot be compared
			}
			return 0, err
		}
		evaluated.values, evaluated.averages, evaluated.missing = nil, nil, nil
		for _, c := range compared {
			for _, values := range c.Runs {
				evaluated.values = append(evaluated.values, values...)
			}
			e.queries = len(c.Queries)
			evaluated.queries = joined(c.Queries)
		}
		for _, n := range missing {
			evaluated.missing = append(evaluated.missing, uint32(n))
		}
		evaluated.texts, evaluated.run = nil, nil
		return e.queries, nil
	})
}

// evaluating is an EvaluateRequest.
type evaluating struct {
	qrels    *trec.Qrels
	runs     []*trec.Run
	measures []*trec.Measure
	options  trec.Options
	queries  int // number of queries in the result
}

// evaluate runs the body, which sets evaluated and returns the number of queries in the
// averages, and then fills in the Evaluation.
//
//go:noinline
func evaluate(request, evaluation uint32, body func(e *evaluating) (int, error)) int32 {
	return call(func() (int, error) {
		out, err := view[abi.Evaluation](evaluation, 1)
		if err != nil {
			return 0, err
		}
		e, err := readEvaluateRequest(request)
		if err != nil {
			return 0, err
		}
		count, err := body(e)
		if err != nil {
			return 0, err
		}
		var names []string
		evaluated.kinds = nil
		for _, m := range e.measures {
			names = append(names, m.Names()...)
			for range m.Names() {
				evaluated.kinds = append(evaluated.kinds, kinds(m))
			}
		}
		evaluated.names = joined(names)
		out[0] = abi.Evaluation{
			Names: address(evaluated.names), NamesLength: uint32(len(evaluated.names)), NameCount: uint32(len(names)),
			Kinds:   pointer(evaluated.kinds),
			Queries: address(evaluated.queries), QueriesLength: uint32(len(evaluated.queries)), QueryCount: uint32(e.queries),
			Values: pointer(evaluated.values), Averages: pointer(evaluated.averages), Count: uint32(count),
			RunID: address(evaluated.run), RunIDLength: uint32(len(evaluated.run)),
			Texts: address(evaluated.texts), TextsLength: uint32(len(evaluated.texts)),
			Missing: pointer(evaluated.missing),
		}
		return 0, nil
	})
}

func readEvaluateRequest(request uint32) (*evaluating, error) {
	raw, err := view[abi.EvaluateRequest](request, 1)
	if err != nil {
		return nil, err
	}
	r := raw[0]
	e := &evaluating{options: trec.Options{
		Level:        int32(r.Level),
		Complete:     r.Flags&abi.EvaluateComplete != 0,
		JudgedOnly:   r.Flags&abi.EvaluateJudgedOnly != 0,
		MaxRetrieved: int(r.MaxRetrieved),
		Collection:   int(r.Collection),
	}}
	if e.qrels, err = qrels.get(r.Qrels); err != nil {
		return nil, err
	}
	numbers, err := view[uint32](r.Runs, r.RunCount)
	if err != nil {
		return nil, err
	}
	for _, handle := range numbers {
		run, err := runs.get(handle)
		if err != nil {
			return nil, err
		}
		e.runs = append(e.runs, run)
	}
	e.measures, err = readMeasures(r.Measures, r.MeasuresLength)
	return e, err
}

func readMeasures(pointer, length uint32) ([]*trec.Measure, error) {
	text, err := bytes(pointer, length)
	if err != nil {
		return nil, err
	}
	var asked []string
	for rest, more := string(text), len(text) > 0; more; {
		var name string
		name, rest, more = strings.Cut(rest, "\n")
		asked = append(asked, name)
	}
	measures, err := trec.ParseMeasures(asked)
	return measures, queryError(err)
}

func kinds(m *trec.Measure) uint32 {
	var kind uint32
	if m.PerQuery() {
		kind |= abi.ValuePerQuery
	}
	if m.Averaged() {
		kind |= abi.ValueAveraged
	}
	if m.IsText() {
		kind |= abi.ValueText
	}
	return kind
}

// joined are texts separated by newlines.
func joined(texts []string) []byte {
	var out []byte
	for i, text := range texts {
		if i > 0 {
			out = append(out, '\n')
		}
		out = append(out, text...)
	}
	return out
}
