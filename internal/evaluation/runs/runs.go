// Package runs reads and writes the files of evaluations: runs and judgements in
// TREC's format.
package runs

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Tag is a name in the form used as a run's id and in names of files.
func Tag(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '-'
	}, name)
}

// CheckTags refuses retrievers whose files would have the same name.
func CheckTags(retrievers []string) error {
	names := map[string]string{}
	for _, name := range retrievers {
		tag := Tag(name)
		if other, taken := names[tag]; taken {
			return fault.Errorf(fault.Query, "the files of the retrievers %q and %q would both be called %s: name one by another path", other, name, tag)
		}
		names[tag] = name
	}
	return nil
}

// CheckPlaces refuses retrievers whose rankings Write could not write to path, or would write in place of one of the
// inputs. It is called before they are computed.
func CheckPlaces(path string, several bool, retrievers []string, inputs ...string) error {
	for _, name := range retrievers {
		at := place(path, several, Tag(name))
		if err := file.CheckResult(at, inputs...); err != nil {
			return err
		}
		if err := file.CheckReplace(at); err != nil {
			return err
		}
	}
	return CheckTags(retrievers)
}

// place is the path of the file of one of several retrievers, or path itself if there is only one.
func place(path string, several bool, tag string) string {
	if !several {
		return path
	}
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "." + tag + ending
}

// Write writes a retriever's ranking in TREC's format, with its name as the run id. If
// it is one of several retrievers, its name also precedes the file's extension.
func Write(path string, several bool, run *trec.Run, name string, c *console.Console) error {
	tag := Tag(name)
	path = place(path, several, tag)
	queries, err := Replace(path, run, tag)
	if err != nil {
		return err
	}
	c.Printf("%s: %s of %s, %s\n", human.Escape(path), human.Count(run.Len(), "line"), human.Count(queries, "query"), human.Escape(name))
	return nil
}

// Replace replaces a file by the lines of a run and returns the number of queries.
func Replace(path string, run *trec.Run, tag string) (int, error) {
	queries, err := run.Queries()
	if err != nil {
		return 0, err
	}
	return len(queries), file.Replace(path, func(w io.Writer) error {
		for _, query := range queries {
			documents, scores, err := run.Ranking(query)
			if err != nil {
				return err
			}
			if err := CheckWords(append([]string{query}, documents...)...); err != nil {
				return err
			}
			if _, err := w.Write(trec.AppendRanking(nil, query, documents, scores, tag)); err != nil {
				return err
			}
		}
		return nil
	})
}

// CheckWords refuses ids that cannot be columns of a run or of judgements.
func CheckWords(ids ...string) error {
	for _, id := range ids {
		if why := inputs.BadWord(id); why != "" {
			return fault.Errorf(fault.Input, "the id %.80q %s, but spaces separate the columns of runs and judgements: rename it", id, why)
		}
	}
	return nil
}

// ReadQrels reads judgements in TREC's or BEIR's format. It reads subtopics if one of
// the measures is over subtopics.
func ReadQrels(ctx context.Context, path string, measures []*trec.Measure, c *console.Console) (*trec.Qrels, error) {
	if !trec.NeedSubtopics(measures) {
		return inputs.Read(ctx, path, trec.ReadQrels)
	}
	qrels, err := inputs.Read(ctx, path, trec.ReadDiversityQrels)
	if err == nil && qrels.Subtopics() < 2 {
		c.Warnf("%s: no query has more than one subtopic in its second column: are these diversity judgements?", path)
	}
	return qrels, err
}
