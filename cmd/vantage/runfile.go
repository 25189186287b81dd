package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/trec"
)

// runTag is a name as a run's id and in the names of files.
func runTag(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '-'
	}, name)
}

// checkTags refuses retrievers whose files would have one name.
func checkTags(retrievers []string) error {
	names := map[string]string{}
	for _, name := range retrievers {
		tag := runTag(name)
		if other, taken := names[tag]; taken {
			return usagef("the files of the retrievers %q and %q would both be called %s: name one by another path", other, name, tag)
		}
		names[tag] = name
	}
	return nil
}

// writeRun writes what a retriever ranked in TREC's format, its name as the run
// id. Where it is one of several, its name stands before the file's ending, too.
func writeRun(path string, several bool, run *trec.Run, name string) error {
	tag := runTag(name)
	if several {
		ending := filepath.Ext(path)
		path = strings.TrimSuffix(path, ending) + "." + tag + ending
	}
	queries, err := replaceRun(path, run, tag)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s of %s, %s\n", escape(path), count(run.Len(), "line"), count(queries, "query"), escape(name))
	return nil
}

// replaceRun gives a file the lines of a run and tells of how many queries.
func replaceRun(path string, run *trec.Run, tag string) (int, error) {
	queries, err := run.Queries()
	if err != nil {
		return 0, err
	}
	return len(queries), replaceFile(path, func(w io.Writer) error {
		for _, query := range queries {
			documents, scores, err := run.Ranking(query)
			if err != nil {
				return err
			}
			if err := checkWords(append([]string{query}, documents...)...); err != nil {
				return err
			}
			if _, err := w.Write(trec.AppendRanking(nil, query, documents, scores, tag)); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkWords refuses ids that cannot be columns of a run or of judgements.
func checkWords(ids ...string) error {
	for _, id := range ids {
		if why := badWord(id); why != "" {
			return inputf("the id %.80q %s, but runs and judgements have columns between spaces: rename it", id, why)
		}
	}
	return nil
}
