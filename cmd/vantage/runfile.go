package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/wasm/metrics/trec"
)

// writeRun writes what a retriever ranked in TREC's format, its name as the run
// id. Where it is one of several, its name stands before the file's ending, too.
func writeRun(path string, several bool, run *trec.Run, name string) error {
	tag := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '-'
	}, name)
	if several {
		ending := filepath.Ext(path)
		path = strings.TrimSuffix(path, ending) + "." + tag + ending
	}
	queries, err := run.Queries()
	if err != nil {
		return err
	}
	err = replaceFile(path, func(w io.Writer) error {
		for _, query := range queries {
			documents, scores, err := run.Ranking(query)
			if err != nil {
				return err
			}
			for _, id := range append([]string{query}, documents...) {
				if why := badWord(id); why != "" {
					return inputf("the id %.80q %s, but a run file has columns between spaces: rename it", id, why)
				}
			}
			if _, err := w.Write(trec.AppendRanking(nil, query, documents, scores, tag)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s of %s, %s\n", escape(path), count(run.Len(), "line"), count(len(queries), "query"), escape(name))
	return nil
}
