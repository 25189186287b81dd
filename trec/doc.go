// Package trec reads TREC judgements and runs and evaluates runs as NIST's trec_eval 9.0.8 does: the same measures under
// the same names and -m syntax, the same conventions, the same printed lines.
//
//	qrels, err := trec.ReadQrels(file, "qrels.txt")
//	run, err := trec.ReadRun(file, "run.txt")
//	measures, err := trec.ParseMeasures([]string{"map", "P.5,10"})
//	evaluation, err := trec.Evaluate(qrels, run, measures, trec.Options{})
//	out = evaluation.AppendLines(out, trec.Lines{Queries: true, Summary: true})
//
// trec_eval's conventions, which hold here in place of Vantage's own tie rule (higher score, then lower corpus index):
//
//   - the rank column of a run is ignored; documents are ranked by score, held as a 32-bit float, and equal scores by
//     document id, descending in the order of its bytes;
//   - queries of the run without judgements are left out, and so are judged queries that the run lacks, except that
//     Options.Complete averages over all judged queries, a missing one counting 0 (its geometric means 0.00001);
//   - a document is relevant from Options.Level on, judged and not relevant from 0 on; a negative judgement says that it
//     was pooled and not judged; a document without judgement counts as not relevant, except for the measures that look
//     at judged documents alone (bpref, infAP, num_nonrel_judged_ret).
//
// Beside trec_eval's measures there are those of ir_measures that it lacks, under their names there: RBP and Judged, ERR and
// nDCG with exponential gains as gdeval 1.3 computes them, and over the subtopics of diversity judgements α-nDCG, ERR-IA, NRBP,
// AP-IA, P-IA and subtopic recall as ndeval 4.5 does, the measures of cwl_eval, Compat and Accuracy, so that none of
// ir_measures' is missing; and MRecall and its kin of BERDS. The conventions above hold for them, too.
//
// Where trec_eval reads on (duplicate lines that are never reached, text in place of numbers, NaN), the readers stop with
// an error that names file and line. Where it divides 0 by 0 (an empty ranking left by Options.JudgedOnly, gains that are
// all 0), the value is 0.
package trec
