// Package runs reads and writes the files of evaluations: runs and judgements in
// TREC's format.
package runs

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Tag is a name as a run's id and in the names of files.
func Tag(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '-'
	}, name)
}

// CheckTags refuses retrievers whose files would have one name.
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

// Write writes what a retriever ranked in TREC's format, its name as the run
// id. If it is one of several, its name stands before the file's ending, too.
func Write(path string, several bool, run *trec.Run, name string, c *console.Console) error {
	tag := Tag(name)
	if several {
		ending := filepath.Ext(path)
		path = strings.TrimSuffix(path, ending) + "." + tag + ending
	}
	queries, err := Replace(path, run, tag)
	if err != nil {
		return err
	}
	c.Printf("%s: %s of %s, %s\n", human.Escape(path), human.Count(run.Len(), "line"), human.Count(queries, "query"), human.Escape(name))
	return nil
}

// Replace gives a file the lines of a run and tells of how many queries.
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
		if why := BadWord(id); why != "" {
			return fault.Errorf(fault.Input, "the id %.80q %s, but runs and judgements have columns between spaces: rename it", id, why)
		}
	}
	return nil
}

// BadWord says why s cannot be a column of a run file, or "".
func BadWord(s string) string {
	if s == "" {
		return "is empty"
	}
	if !utf8.ValidString(s) {
		return "is not UTF-8"
	}
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return "has white space in it"
		}
	}
	return ""
}

// ReadQrels reads judgements, TREC's or BEIR's, by subtopic if one of the
// measures is over subtopics.
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
