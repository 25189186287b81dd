package trec_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/vantage-search/vantage/trec"
)

const judgements = `q1 0 d1 1
q1 0 d2 0
q2 0 d3 2
`

const results = `q1 Q0 d2 1 0.9 mine
q1 Q0 d1 2 0.8 mine
q2 Q0 d3 1 0.7 mine
`

func read() (*trec.Qrels, *trec.Run) {
	qrels, err := trec.ReadQrels(strings.NewReader(judgements), "qrels.txt")
	if err != nil {
		log.Fatal(err)
	}
	run, err := trec.ReadRun(strings.NewReader(results), "run.txt")
	if err != nil {
		log.Fatal(err)
	}
	return qrels, run
}

// Evaluate a run, and print what trec_eval -q prints.
func Example() {
	qrels, run := read()
	measures, err := trec.ParseMeasures([]string{"map", "P.1", "nDCG@10"})
	if err != nil {
		log.Fatal(err)
	}
	evaluation, err := trec.Evaluate(qrels, run, measures, trec.Options{})
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(evaluation.AppendLines(nil, trec.Lines{Queries: true, Summary: true}))
	// Output:
	// map                   	q1	0.5000
	// P_1                   	q1	0.0000
	// nDCG@10               	q1	0.6309
	// map                   	q2	1.0000
	// P_1                   	q2	1.0000
	// nDCG@10               	q2	1.0000
	// map                   	all	0.7500
	// P_1                   	all	0.5000
	// nDCG@10               	all	0.8155
}

func ExampleEvaluate() {
	qrels, run := read()
	measures, err := trec.ParseMeasures([]string{"recip_rank"})
	if err != nil {
		log.Fatal(err)
	}
	evaluation, err := trec.Evaluate(qrels, run, measures, trec.Options{Level: 2}) // only grades from 2 on are relevant
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(measures[0].Name(), evaluation.Averages, "over", evaluation.Count, "queries")
	for _, q := range evaluation.Queries {
		fmt.Println(q.Query, q.Values)
	}
	// Output:
	// recip_rank [0.5] over 2 queries
	// q1 [0]
	// q2 [1]
}

func ExampleReadRun() {
	_, err := trec.ReadRun(strings.NewReader("q1 Q0 d1 1 high mine\n"), "run.txt")
	var line *trec.LineError
	if errors.As(err, &line) {
		fmt.Println(line.File, line.Line)
	}
	// Output:
	// run.txt 1
}

// A run need not come from a file.
func ExampleNewRun() {
	run, qrels := trec.NewRun("mine", "memory"), trec.NewQrels("memory")
	qrels.Add("q1", "d7", 1)
	for i, document := range []string{"d3", "d7", "d9"} {
		if err := run.Add("q1", document, 1/float32(1+i)); err != nil {
			log.Fatal(err)
		}
	}
	documents, scores, err := run.Ranking("q1")
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(trec.AppendRanking(nil, "q1", documents, scores, run.ID()))
	grade, judged := qrels.Grade("q1", "d7")
	fmt.Println(grade, judged)
	// Output:
	// q1 Q0 d3 1 1 mine
	// q1 Q0 d7 2 0.5 mine
	// q1 Q0 d9 3 0.33333334 mine
	// 1 true
}

// CompareValues has the values of several runs query by query, for tests of significance.
func ExampleCompareValues() {
	qrels, run := read()
	other, err := trec.ReadRun(strings.NewReader("q1 Q0 d1 1 1 other\n"), "other.txt")
	if err != nil {
		log.Fatal(err)
	}
	measures, err := trec.ParseMeasures([]string{"recip_rank"})
	if err != nil {
		log.Fatal(err)
	}
	values, missing, err := trec.CompareValues(qrels, []*trec.Run{run, other}, measures, trec.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range values {
		fmt.Println(v.Measure, v.Queries, v.Runs)
	}
	fmt.Println("queries that each run lacks:", missing)
	// Output:
	// recip_rank [q1 q2] [[0.5 1] [1 0]]
	// queries that each run lacks: [0 1]
}

// Judgements by subtopic are for measures of diversity.
func ExampleReadDiversityQrels() {
	measures, err := trec.ParseMeasures([]string{"StRecall@1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(trec.NeedSubtopics(measures))
	qrels, err := trec.ReadDiversityQrels(strings.NewReader("q1 money d1 1\nq1 health d2 1\n"), "qrels.txt")
	if err != nil {
		log.Fatal(err)
	}
	_, run := read()
	evaluation, err := trec.Evaluate(qrels, run, measures, trec.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(qrels.Subtopics(), evaluation.Averages)
	// Output:
	// true
	// 2 [0.5]
}

func ExampleEachJudgement() {
	err := trec.EachJudgement(strings.NewReader(judgements), "qrels.txt", func(j *trec.Judgement) error {
		if j.Grade > 0 {
			fmt.Printf("%s answers %s (line %d)\n", j.Document, j.Query, j.Line)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// d1 answers q1 (line 1)
	// d3 answers q2 (line 3)
}
