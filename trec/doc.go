// Package trec reads TREC judgements and runs and evaluates runs as NIST's trec_eval 9.0.8 does: the same measures under
// the same names and -m syntax, the same conventions, the same printed lines.
//
//	qrels, err := trec.ReadQrels(file, "qrels.txt")
//	run, err := trec.ReadRun(file, "run.txt")
//	measures, err := trec.ParseMeasures([]string{"map", "P.5,10"})
//	evaluation, err := trec.Evaluate(qrels, run, measures, trec.Options{})
//	out = evaluation.AppendLines(out, trec.Lines{Queries: true, Summary: true})
//
// This package follows trec_eval's conventions. They replace Vantage's own tie rule
// (higher score, then lower corpus index):
//
//   - the rank column of a run is ignored; documents are ranked by descending score as
//     a 32-bit float, and documents with equal scores by descending id, in byte order;
//   - queries of the run without judgements are left out; judged queries that the run
//     lacks are left out, too, but with Options.Complete they count 0 in averages
//     (0.00001 in geometric means; the averages of Accuracy, CoverageSize and
//     Sycophancy always leave them out, and are NaN if no query has a value);
//   - a document is relevant if its grade is at least Options.Level, and judged not
//     relevant if its grade is lower but not negative; a negative grade says that it
//     was pooled and not judged; a document without a judgement counts as not relevant,
//     except in measures over judged documents only (bpref, infAP,
//     num_nonrel_judged_ret).
//
// The package also has all measures of ir_measures that trec_eval lacks, under their
// names in ir_measures: RBP and Judged; ERR and nDCG with exponential gains as in
// gdeval 1.3; α-nDCG, ERR-IA, NRBP, AP-IA, P-IA and subtopic recall over the subtopics
// of diversity judgements as in ndeval 4.5; the measures of cwl_eval; Compat and
// Accuracy. It also has MRecall and the related measures of BERDS. The same conventions
// hold for them.
//
// For malformed lines that trec_eval accepts (duplicates that are never reached, text
// in place of numbers, NaN), the readers return an error that names file and line. If
// trec_eval would divide 0 by 0 (an empty ranking left by Options.JudgedOnly, gains
// that are all 0), the value is 0.
package trec
