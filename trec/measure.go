package trec

import "github.com/vantage-search/vantage/internal/wasm/logs"

// Measure is a measure with its parameters, under its name in trec_eval or ir_measures.
type Measure struct {
	kind   *kind
	params []float64 // cutoffs or coefficients
	gains  []gain    // gains of grades, if the measure takes them
	names  []string  // names of its values
	level  int32     // the measure's own least relevant grade, or 0
	cut    int       // rank at which the measure cuts the ranking, or 0

	judgedOnly bool            // leave out documents without a judgement
	regraded   map[int32]int32 // grades to replace by other grades; may be nil
	side       string          // the subtopic that the measure is about
}

// Name is the measure's name without parameters, as in "ndcg_cut".
func (m *Measure) Name() string { return m.kind.name }

// Names are the names of the measure's values, as in "ndcg_cut_5", "ndcg_cut_10".
func (m *Measure) Names() []string { return m.names }

// PerQuery reports whether the measure has values for single queries. The run's id, the
// number of queries and geometric means have none.
func (m *Measure) PerQuery() bool { return !m.kind.hidden }

// Averaged reports whether the measure's values have an average or a total.
func (m *Measure) Averaged() bool { return m.kind.average != none }

// IsText reports whether the measure's value is a text (runid, relstring).
func (m *Measure) IsText() bool { return m.kind.compute == nil && m.kind.value == nil }

// kind is a measure without its parameters.
type kind struct {
	name     string
	syntax   syntax
	defaults []float64
	value    func(s *scratch, j *Judged) float64                    // computes a measure without parameters and with one value
	compute  func(s *scratch, j *Judged, m *Measure, out []float64) // computes other measures; out is all zeros
	average  average
	whole    bool // printed as an integer
	hidden   bool // not printed query by query

	intents bool  // the measure is over subtopics
	sided   bool  // the measure is about one subtopic
	most    int32 // the highest grade that the measure accepts, 0 for any
	scale   bool  // gains are grades on a scale from params[1] to params[2]; params[2] is required
}

// average is how a run's value follows from the values of its queries.
type average int

const (
	mean      average = iota
	total             // sum of the queries' values
	geometric         // exp of the mean of the queries' values, which are logarithms
	defined           // mean over the queries that have a value; the others have NaN
	none              // the run has no value
)

// scratch is memory for computing measures, reused from query to query.
type scratch struct {
	logs  logs.Table
	gains []gain
	other []gain
	ideal []float64
	cuts  []int

	collection int
}

var (
	documentCutoffs = []float64{5, 10, 15, 20, 30, 100, 200, 500, 1000}
	recallCutoffs   = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	multiples       = []float64{.2, .4, .6, .8, 1, 1.2, 1.4, 1.6, 1.8, 2}
)

// kinds are the measures of all_trec, in the order in which trec_eval prints them.
var kinds = []*kind{
	{name: "runid", average: none, hidden: true},
	{name: "num_q", value: one, average: total, whole: true, hidden: true},
	{name: "num_ret", value: numRetrieved, average: total, whole: true},
	{name: "num_rel", value: numRelevant, average: total, whole: true},
	{name: "num_rel_ret", value: numRelevantRetrieved, average: total, whole: true},
	{name: "map", value: averagePrecision},
	{name: "gm_map", value: logAveragePrecision, average: geometric, hidden: true},
	{name: "Rprec", value: rPrecision},
	{name: "bpref", value: binaryPreference},
	{name: "recip_rank", value: reciprocalRank},
	{name: "iprec_at_recall", syntax: shares, defaults: recallCutoffs, compute: precisionAtRecall},
	{name: "P", syntax: cutoffs, defaults: documentCutoffs, compute: precisionAt},
	{name: "relstring", syntax: coefficients, defaults: []float64{10}, average: none},
	{name: "recall", syntax: cutoffs, defaults: documentCutoffs, compute: recallAt},
	{name: "infAP", value: inferredAP},
	{name: "gm_bpref", value: logBinaryPreference, average: geometric, hidden: true},
	{name: "Rprec_mult", syntax: shares, defaults: multiples, compute: precisionAtMultiples},
	{name: "utility", syntax: coefficients, defaults: []float64{1, -1, 0, 0}, compute: utility},
	{name: "11pt_avg", syntax: coefficients, defaults: recallCutoffs, compute: averageOverRecall},
	{name: "binG", value: binaryG},
	{name: "G", syntax: gradeGains, compute: normalizedGain},
	{name: "ndcg", syntax: gradeGains, compute: ndcg},
	{name: "ndcg_rel", syntax: gradeGains, compute: ndcgOverRelevant},
	{name: "Rndcg", syntax: gradeGains, compute: ndcgOverLevels},
	{name: "ndcg_cut", syntax: cutoffs, defaults: documentCutoffs, compute: ndcgAt},
	{name: "map_cut", syntax: cutoffs, defaults: documentCutoffs, compute: averagePrecisionAt},
	{name: "relative_P", syntax: cutoffs, defaults: documentCutoffs, compute: relativePrecisionAt},
	{name: "success", syntax: cutoffs, defaults: []float64{1, 5, 10}, compute: successAt},
	{name: "set_P", value: setPrecision},
	{name: "set_relative_P", value: setRelativePrecision},
	{name: "set_recall", value: setRecall},
	{name: "set_map", value: setAveragePrecision},
	{name: "set_F", syntax: coefficients, defaults: []float64{1}, compute: setF},
	{name: "num_nonrel_judged_ret", value: numNotRelevantRetrieved, average: total, whole: true},
}

// official and sets are the measures behind trec_eval's nicknames; all_trec means all
// kinds.
var (
	official = []string{"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
		"iprec_at_recall", "P"}
	sets = []string{"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
		"set_map", "set_F"}
)
