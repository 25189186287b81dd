//go:build !js

package trec

import (
	"strings"
	"testing"
)

// Judgements in BEIR's format give the same as in TREC's, with or without a header.
func TestBEIRJudgements(t *testing.T) {
	const want = "1 a 2, 1 b 0, 1 two words -1, q a 1, "
	for name, text := range map[string]string{
		"heading":       "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n1\ttwo words\t-1\nq\ta\t1\n",
		"other heading": "qid\tdocid\tscore\r\n1\ta\t2\r\n1\tb\t0\r\n\r\n1\ttwo words\t-1\r\nq\ta\t1",
		"four words":    "qid\tdocument id\tscore\n1\ta\t2\n1\tb\t0\n1\ttwo words\t-1\nq\ta\t1\n",
		"byte order":    "\xef\xbb\xbfquery-id\tcorpus-id\tscore\n1\ta\t2 \n1\tb\t0\n \t \n1\ttwo words\t-1\nq\ta\t1\n",
		"no heading":    "\n1\ta\t2\n1\tb\t0\n1\ttwo words\t-1\nq\ta\t1\n",
	} {
		var got strings.Builder
		qrels, err := ReadQrels(strings.NewReader(text), "qrels.tsv")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, c := range [][2]string{{"1", "a"}, {"1", "b"}, {"1", "two words"}, {"q", "a"}} {
			grade, judged := qrels.Grade(c[0], c[1])
			if judged {
				got.WriteString(c[0] + " " + c[1] + " " + map[int32]string{2: "2", 0: "0", -1: "-1", 1: "1"}[grade] + ", ")
			}
		}
		if got.String() != want || len(qrels.Queries()) != 2 {
			t.Errorf("%s: %s for queries %q", name, got.String(), qrels.Queries())
		}
	}
	// Lines in TREC's format may have tabs: three, or two and a space.
	for _, text := range []string{"1\t0\ta\t1\n", "1 0\ta\t1\n", "1\t0 a\t1\n", "1\t0\ta 1\n"} {
		qrels, err := ReadQrels(strings.NewReader(text), "qrels.txt")
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if grade, judged := qrels.Grade("1", "a"); grade != 1 || !judged {
			t.Errorf("%q: grade %d, %t", text, grade, judged)
		}
	}
	const head = "query-id\tcorpus-id\tscore\n"
	for text, want := range map[string]string{
		head:                        "q.tsv: no judgements in this file",
		head + "1\ta\n":             "q.tsv:2: a judgement has 3 columns between tabs (query-id, corpus-id, score), this line has 2",
		head + "1 0 a 1\n":          "q.tsv:2: a judgement has 3 columns between tabs (query-id, corpus-id, score), this line has 1",
		head + "\n1\ta\tyes\n":      `q.tsv:3: the score "yes" is not an integer of 32 bits`,
		"1\ta\tyes\n":               `q.tsv:1: the score "yes" is not an integer of 32 bits`,
		head + "1\t\t1\n":           "q.tsv:2: the document id is empty",
		head + "\ta\t1\n":           "q.tsv:2: the query id is empty",
		"1\ta\t1\n2\tb\t1\n1\ta\t0": `q.tsv:3: document "a" was judged before for query "1"`,
		head + "1\tb\x00\t1":        "q.tsv:2: the line has a NUL byte: is this a text file?",
	} {
		if _, err := ReadQrels(strings.NewReader(text), "q.tsv"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ReadDiversityQrels(strings.NewReader(head+"1\ta\t1\n"), "q.tsv"); err == nil || !strings.HasPrefix(err.Error(), "q.tsv:2: BEIR's judgements name no subtopics") {
		t.Errorf("subtopics: %v", err)
	}
}
