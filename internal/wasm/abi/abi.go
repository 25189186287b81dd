// Package abi is the one description of the boundary between core.wasm and
// its hosts. The core and the wazero host use these Go types directly; the
// JavaScript side (static/src/engine/abi.js, abi.d.ts) is generated from them, and a
// test fails when it drifts.
//
// Everything crosses as numbers: addresses and lengths are byte offsets into the core's
// exported memory "mem", text is UTF-8, vectors are little-endian float32. A result below
// zero is the code of a fault (package fault has the table) and its message is at
// error_text. After each call the host checks that the word at sequence() has moved and
// that the module has not exited: otherwise a blocked or crashed export would return
// garbage without an error.
package abi

// Version changes whenever a host built for the old description would
// misread the new core.
const Version = 1

// Codes of failed calls beside those of the kinds of faults (fault.Table): mistakes
// of the host.
const (
	CodeHandle  = -2 // no such encoder, model or index
	CodeAddress = -3 // an address or length outside any allocated buffer
)

// Element types of an index's rows.
const (
	RowsF32 = 0
	RowsI8  = 1
)

// Sections of a model's pack.
const (
	SectionVocabulary = 0
	SectionTrunk      = 1
	SectionBranch     = 2
)

// FlagExplain asks index_search to fill the explanation fields of each Hit, but for
// the cosine rank.
const FlagExplain = 1

// FlagCosineRank asks for the cosine rank of explained hits, too: where the plain
// cosine ranks them in this index. It costs index_search another product for each
// row, if the method has none with the query, and index_explain a scan.
const FlagCosineRank = 2

// MissingRow is the row of a hit whose document has none in the index.
const MissingRow = 0xFFFFFFFF

// MissingCode marks a row without a value in a column of codes.
const MissingCode = 0xFFFFFFFF

// Kinds of Filter.
const (
	FilterRange = 0 // low <= value <= high in a column of numbers
	FilterCodes = 1 // code is one of a set of uint32, in a column of codes
	FilterEqual = 2 // value is one of a set of float64, in a column of numbers
)

// TextRef is the address and length of a text.
type TextRef struct {
	Pointer uint32
	Length  uint32
}

// SplitInfo holds what query_split found; the texts are good until the next
// call of it.
type SplitInfo struct {
	Root              uint32
	RootLength        uint32
	Perspective       uint32
	PerspectiveLength uint32
}

// EncodeInfo describes an encoded text.
type EncodeInfo struct {
	Tokens    uint32 // WordPiece tokens, unknown ones included
	Unknown   uint32 // of those, unknown to the vocabulary
	Truncated uint32 // 1 when the text was longer than the model's maximum
}

// SearchRequest is one query. Addresses may be 0 if the method does not
// need the vector (see perspective.Methods).
type SearchRequest struct {
	Method           uint32 // address of the method's name
	MethodLength     uint32
	Query            uint32 // address of dim float32
	Root             uint32 // address of dim float32
	Perspectives     uint32 // address of perspectiveCount x dim float32
	PerspectiveCount uint32
	K                uint32
	Flags            uint32
	MMRCandidates    uint32  // 0: the default of 100
	Mask             uint32  // address of a byte for each row, as index_mask gives them; 0: answers may have every row
	MaskLength       uint32  // in bytes; rows beyond it may not be in answers
	Cut              uint32  // address of the float64 that index_cut gave for a gated method over all parts; 0: this index has all rows
	Lambda           float64 // strength of the projection
	MMR              float64 // trade-off of maximal marginal relevance, 0..1; negative: off
}

// Filter is one condition on a column; a row must meet all that index_mask is given.
type Filter struct {
	Column    uint32
	Kind      uint32
	Set       uint32 // address of setLength uint32 codes or float64 values
	SetLength uint32
	Low       float64 // FilterRange: from Low to High, both included; an infinite bound is open
	High      float64
}

// Hit is one row of the answer, best first.
type Hit struct {
	Row         uint32
	Document    uint32
	Score       float32
	X           float32 // a·c
	Y           float32 // p·c, or the length of c's projection on several perspectives
	Norm        float32 // length of c as stored
	Numerator   float32
	Denominator float32
	Cosine      float32 // plain cos(q, c)
	CosineRank  uint32  // rank under the plain cosine, from 1
}

// JudgeRequest are queries to be judged by the metrics of perspective-aware retrieval.
// Rankings and gold entries of all queries follow each other, as uint32 corpus indexes; the
// i-th of the ends is where those of query i end. Roots, perspectives and labels are
// numbers that stand for texts of the queries. Address 0 means that all queries have the
// same one.
type JudgeRequest struct {
	Queries      uint32
	Rankings     uint32 // address of uint32, best first
	RankingEnds  uint32 // address of queries uint32
	Gold         uint32 // address of uint32
	GoldEnds     uint32 // address of queries uint32
	Roots        uint32 // address of queries uint32
	Perspectives uint32 // address of queries uint32
	Labels       uint32 // address of queries uint32, each below labelCount
	LabelCount   uint32
	Ks           uint32 // address of kCount uint32
	KCount       uint32
}

// JudgeValues are the metrics at one k; the recall of each label follows, a
// float64 each.
type JudgeValues struct {
	Recall                     float64
	MacroRecall                float64
	PRecall                    float64
	PRecallNotebook            float64
	PRecallByUniquePerspective float64
}

// PortionsRequest has the labels of what queries found, as consecutive numbers; the i-th of
// the ends is where those of query i end. Each query counts for a row.
type PortionsRequest struct {
	Queries    uint32
	Found      uint32 // address of uint32, each below labelCount
	FoundEnds  uint32 // address of queries uint32
	Rows       uint32 // address of queries uint32, each below rowCount
	RowCount   uint32
	LabelCount uint32
}

// Flags of EvaluateRequest.
const (
	EvaluateComplete   = 1 // average over all judged queries, those that a run lacks counting 0
	EvaluateJudgedOnly = 2 // drop documents without a judgement first
)

// EvaluateRequest asks for measures of runs, in the syntax and by the
// conventions of trec_eval.
type EvaluateRequest struct {
	Qrels          uint32 // handle
	Runs           uint32 // address of runCount uint32 handles
	RunCount       uint32
	Measures       uint32 // address of their names, a newline between two; none: all_trec
	MeasuresLength uint32
	Level          uint32 // least grade that is relevant; 0: 1
	Flags          uint32
	MaxRetrieved   uint32 // documents of a query that are looked at; 0: all
	Collection     uint32 // documents in the collection, for utility's last coefficient
}

// Kinds of an Evaluation's values.
const (
	ValuePerQuery = 1 // it is one of each query
	ValueAveraged = 2 // it has an average, or a total
	ValueText     = 4 // it is a text
)

// Evaluation is the result of an EvaluateRequest. Its addresses are valid until the next
// request.
type Evaluation struct {
	Names         uint32 // address of the names of the values, a newline between two
	NamesLength   uint32
	NameCount     uint32
	Kinds         uint32 // address of nameCount uint32
	Queries       uint32 // address of the ids of the queries, a newline between two
	QueriesLength uint32
	QueryCount    uint32
	Values        uint32 // address of nameCount x runCount x queryCount float64
	Averages      uint32 // of run_evaluate: address of nameCount float64
	Count         uint32 // of run_evaluate: queries that are averaged over
	RunID         uint32 // of run_evaluate: address of the run's id
	RunIDLength   uint32
	Texts         uint32 // of run_evaluate: address of relstring of each query, a newline between two
	TextsLength   uint32
	Missing       uint32 // of runs_compare: address of runCount uint32, queries that the run lacks
}

// MeanInterval is a mean with its bootstrap interval of 95 %.
type MeanInterval struct {
	Mean float64
	Low  float64
	High float64
}

// PairTest is how the values of b differ from those of a.
type PairTest struct {
	Difference    float64 // mean of b - a
	Low           float64 // its bootstrap interval of 95 %
	High          float64
	T             float64 // may be infinite
	PTTest        float64
	Randomization float64
	Better        uint32 // queries for which b has the greater value
	Worse         uint32
}

// WordHit is a document and its score by its words, or by a fusion.
type WordHit struct {
	Score    float64
	Document uint32
	Reserved uint32
}
