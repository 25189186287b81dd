// Package abi is the only description of the interface between core.wasm and its hosts.
// The core and the wazero host use these Go types directly. The JavaScript side
// (static/src/engine/abi.js, abi.d.ts) is generated from them, and a test fails if it
// differs.
//
// All parameters and results are numbers. Addresses and lengths refer to bytes of the
// core's exported memory "mem", text is UTF-8, vectors are little-endian float32. A
// result below zero is the code of a fault (package fault has the table), and its
// message is at error_text. After each call the host checks that the word at sequence()
// has changed and that the module has not exited. Without these checks, a blocked or
// crashed export would return garbage without an error.
package abi

// Version changes if a host built for the old description would misread the new core.
const Version = 3

// Codes of failed calls in addition to those of the kinds of faults (fault.Table). They
// are mistakes of the host.
const (
	CodeHandle  = -2 // no such handle, or no such section of a pack
	CodeAddress = -3 // an address or length outside any allocated buffer
)

// Types of the elements of an index's rows.
const (
	RowsF32 = 0
	RowsI8  = 1
)

// Sections of a model's pack.
const (
	SectionVocabulary = 0
	SectionTrunk      = 1
	SectionBranch     = 2
	SectionReader     = 3
)

// How a SearchRequest compares vectors (perspective.Score).
const (
	ScoreCosine = 0
	ScoreDot    = 1
)

// FlagExplain asks index_search to fill in the explanation fields of each Hit, except
// for the cosine rank.
const FlagExplain = 1

// FlagCosineRank also asks for the cosine rank of explained hits: their rank by the
// plain cosine among the rows of this index that the mask allows. It costs index_search
// another product per row, unless the method has one with the query, and index_explain a scan.
const FlagCosineRank = 2

// MissingRow is the row of a hit whose document has no row in the index.
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

// SplitInfo holds the result of query_split. The texts are valid until the next call of
// query_split.
type SplitInfo struct {
	Root              uint32
	RootLength        uint32
	Perspective       uint32
	PerspectiveLength uint32
	Kind              uint32 // of perspective
	KindLength        uint32
	Side              uint32 // that the query asks for: 1 for, 2 against, 0 none or both
	Both              uint32 // 1 if it asks for both sides, else 0
}

// Flags of an AutoRequest.
const (
	AutoRoot     = 1   // the query has a root
	AutoRootText = 2   // which has a text
	AutoText     = 4   // the query has a text
	AutoLambda   = 16  // a strength of the projection is asked for
	AutoAngles   = 32  // passages have angles, and the encoder gives texts theirs
	AutoSides    = 64  // the encoder has wordings of for and against
	AutoWords    = 128 // the ranking may be fused with BM25
	AutoRead     = 256 // the query was read: behind its perspective, perspectives has the kind of it
)

// AutoRequest has what decides how to rank a query that names no method.
type AutoRequest struct {
	Perspectives     uint32 // address of perspectiveCount TextRefs; an empty text stands for a vector
	PerspectiveCount uint32
	Table            uint32 // address of tableCount TextRefs: the choices of the collection, or else of the encoder
	TableCount       uint32
	Flags            uint32
}

// AutoChoice holds the result of query_auto. The texts are valid until the next call of
// query_auto.
type AutoChoice struct {
	Kind         uint32 // address of the kind of perspective that decided
	KindLength   uint32
	Method       uint32
	MethodLength uint32
	Lambda       float64 // strength of the projection
	Strength     float64 // strength of the angles
	Weight       float64 // of the words, if the ranking is fused with BM25, otherwise 0
}

// EncodeInfo describes an encoded text.
type EncodeInfo struct {
	Tokens    uint32 // including unknown ones
	Unknown   uint32 // tokens that the vocabulary lacks
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
	MMRCandidates    uint32 // 0 means the default of 100
	Mask             uint32 // address of a byte per row, from index_mask; 0 allows every row
	MaskLength       uint32 // in bytes; rows beyond it are not allowed
	Cut              uint32 // address of the float64 from index_cut for a gated method over several parts; 0 if this index has all rows
	Angles           uint32 // address of angleCount x angleDim float32
	AngleCount       uint32
	AngleDim         uint32
	Score            uint32
	Lambda           float64 // strength of the projection
	Strength         float64 // strength of the angles
	MMR              float64 // λ of maximal marginal relevance, 0..1; negative means off
}

// Filter is one condition on a column. A row must meet all conditions that index_mask
// gets.
type Filter struct {
	Column    uint32
	Kind      uint32
	Set       uint32 // address of setLength uint32 codes or float64 values
	SetLength uint32
	Low       float64 // FilterRange: Low to High inclusive; an infinite bound is open
	High      float64
}

// Hit is one row of the answer, best first.
type Hit struct {
	Row         uint32
	Document    uint32
	Score       float32
	X           float32 // a·c; of a gated method, the gate's score
	Y           float32 // p·c, or the length of c's projection on several perspectives; of a gated method, the second stage's score
	Norm        float32 // norm of c as stored
	Numerator   float32
	Denominator float32
	Cosine      float32 // plain cos(q, c); under the dot product q·c
	CosineRank  uint32  // rank by that alone, from 1
	Topic       float32 // of a method with angles: the part of the score without them
	Side        float32 // of a method with angles: their part of the score
}

// Calibration has the constants by which slants become probabilities of sides (package
// stance).
type Calibration struct {
	TwoWidth float64 // width of two classes, which the core only checks
	Width    float64 // width of three classes
	Level    float64 // level of three classes
	Subject  float64 // least cosine with the root of a text on the subject
}

// Sides of a SideHit, which are also the results of query_stance.
const (
	SideNeither = 0
	SideFor     = 1
	SideAgainst = 2
)

// Sides counts the rows on the subject by their sides, and the SideHits of each side.
type Sides struct {
	For         uint32
	Neither     uint32
	Against     uint32
	ForHits     uint32
	NeitherHits uint32
	AgainstHits uint32
}

// SideHit is a row with its side towards a root.
type SideHit struct {
	Row       uint32
	Document  uint32
	Score     float32 // among its side: cosine, plus (for) or minus (against) strength x slant
	Cosine    float32 // of root and row
	Slant     float32 // (u - v)·a
	For       float32 // probabilities
	Neither   float32
	Against   float32
	Side      uint32 // the most probable side
	OnSubject uint32 // 1 if the cosine is high enough, else 0
}

// JudgeRequest has queries to judge by the metrics of perspective-aware retrieval.
// Rankings and gold entries are uint32 corpus indexes, those of all queries in
// sequence; the i-th of the ends is the end of those of query i. Roots, perspectives
// and labels are numbers that identify texts. Address 0 means that all queries have the
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

// JudgeValues are the metrics at one k. The recall of each label follows as a float64.
type JudgeValues struct {
	Recall                     float64
	MacroRecall                float64
	PRecall                    float64
	PRecallNotebook            float64
	PRecallByUniquePerspective float64
}

// PortionsRequest has the labels of the documents that queries found, as numbers, those
// of all queries in sequence; the i-th of the ends is the end of those of query i. Each
// query belongs to a row of the table that is written.
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
	EvaluateComplete   = 1 // average over all judged queries; those that a run lacks count 0
	EvaluateJudgedOnly = 2 // first drop documents without a judgement
)

// EvaluateRequest asks for measures of runs, with the syntax and conventions of
// trec_eval.
type EvaluateRequest struct {
	Qrels          uint32 // handle
	Runs           uint32 // address of runCount uint32 handles
	RunCount       uint32
	Measures       uint32 // address of their names, separated by newlines; none means all_trec
	MeasuresLength uint32
	Level          uint32 // least relevant grade; 0 means 1
	Flags          uint32
	MaxRetrieved   uint32 // most documents of a query to look at; 0 means all
	Collection     uint32 // number of documents in the collection, for utility's last coefficient
}

// Kinds of an Evaluation's values.
const (
	ValuePerQuery = 1 // there is a value for each query
	ValueAveraged = 2 // there is an average or a total
	ValueText     = 4 // the value is a text
)

// Evaluation is the result of an EvaluateRequest. Its addresses are valid until the next
// request.
type Evaluation struct {
	Names         uint32 // address of the names of the values, separated by newlines
	NamesLength   uint32
	NameCount     uint32
	Kinds         uint32 // address of nameCount uint32
	Queries       uint32 // address of the ids of the queries, separated by newlines
	QueriesLength uint32
	QueryCount    uint32
	Values        uint32 // address of nameCount x runCount x queryCount float64
	Averages      uint32 // of run_evaluate: address of nameCount float64
	Count         uint32 // of run_evaluate: number of queries in the averages
	RunID         uint32 // of run_evaluate: address of the run's id
	RunIDLength   uint32
	Texts         uint32 // of run_evaluate: address of relstring of each query, separated by newlines
	TextsLength   uint32
	Missing       uint32 // of runs_compare: address of runCount uint32, the number of queries that the run lacks
}

// MeanInterval is a mean with its bootstrap interval of 95 %.
type MeanInterval struct {
	Mean float64
	Low  float64
	High float64
}

// PairTest is the comparison of the values of a and b.
type PairTest struct {
	Difference    float64 // mean of b - a
	Low           float64 // bootstrap interval of 95 % of the difference
	High          float64
	T             float64 // may be infinite
	PTTest        float64
	Randomization float64
	Better        uint32 // queries for which b has the greater value
	Worse         uint32
}

// TokenSum asks which vectors of tokens a method compares with documents by MaxSim.
// Addresses are of float32, dim for each token; lengths are numbers of float32.
type TokenSum struct {
	Method             uint32 // address of the method's name
	MethodLength       uint32
	Dim                uint32
	Query              uint32 // 0: not given
	QueryLength        uint32
	Root               uint32 // 0: not given
	RootLength         uint32
	Perspectives       uint32 // one after the other
	PerspectiveLengths uint32 // address of perspectiveCount u32
	PerspectiveCount   uint32
	Vectors            uint32 // the answer's address, valid until the next tokens_sum
	Gate               uint32 // how many float32 of it are a gate's; 0: the method has none
}

// TokenRequest is a query by MaxSim.
type TokenRequest struct {
	Vectors       uint32 // address of float32, dim for each token
	Length        uint32 // number of float32
	Gate          uint32 // how many of the first float32 are those of a gate; 0: there is none
	K             uint32
	Probes        uint32 // centroids that find candidates for each vector; 0 means the default
	Candidates    uint32 // documents that are compared by their vectors; 0 means the default
	Allowed       uint32 // address of a byte per document, 0 if it must not be a hit; 0 allows all
	AllowedLength uint32
}

// WordHit is a document with its score by words, by MaxSim or by a fusion.
type WordHit struct {
	Score    float64
	Document uint32
	Reserved uint32
}
