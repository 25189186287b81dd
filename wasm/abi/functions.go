package abi

// Type is a WebAssembly value type of a parameter or result.
type Type string

// The value types in use.
const (
	U32 Type = "u32"
	I32 Type = "i32"
	F64 Type = "f64"
)

// Param is one parameter of an exported function.
type Param struct {
	Name string
	Type Type
}

// Function is one export of the core.
type Function struct {
	Name   string
	Params []Param
	Result Type
	Doc    string
}

func u32s(names ...string) []Param {
	params := make([]Param, len(names))
	for i, name := range names {
		params[i] = Param{name, U32}
	}
	return params
}

// significance are parameters that end in the seed of what is drawn, a whole
// number below 2^53.
func significance(names ...string) []Param {
	return append(u32s(names...), Param{"seed", F64})
}

// Functions lists every export of core.wasm that a host may call, beside the
// Go runtime's own run, resume, getsp and the memory "mem".
func Functions() []Function {
	return []Function{
		{"abi_version", nil, I32, "Version of this description."},
		{"sequence", nil, U32, "Address of the u32 that every completed call increments."},
		{"error_text", nil, U32, "Address of a TextRef: the message of the last failed call."},
		{"allocate", u32s("bytes"), U32, "A zeroed, 64-byte-aligned buffer; 0 when the limit is reached."},
		{"release", u32s("pointer"), I32, "Frees a buffer of allocate."},
		{"memory_in_use", nil, F64, "Bytes of heap in use."},
		{"query_split", u32s("text", "textLength", "split"), I32, "Splits a query's surface form into root and perspective and fills a SplitInfo; 1 if it could, else 0."},
		{"encoder_open", u32s("tokenizer", "tokenizerLength", "weights", "weightsLength", "config", "configLength"), I32, "Handle of a static encoder read from tokenizer.json, model.safetensors and config.json; takes ownership of the weights buffer."},
		{"encoder_dim", u32s("encoder"), I32, "Dimension of its vectors."},
		{"encoder_encode", u32s("encoder", "text", "textLength", "vector", "info"), I32, "Encodes a text into dim float32 and fills an EncodeInfo."},
		{"encoder_close", u32s("encoder"), I32, "Frees an encoder."},
		{"index_open", u32s("dim", "rowType", "rows"), I32, "Handle of an empty index with room declared for rows of a collection."},
		{"index_rows", u32s("index"), I32, "Rows loaded and added so far, removed ones not counted."},
		{"index_load", u32s("index", "firstRow", "file", "fileLength"), I32, "Adds a vector file; returns its rows and takes ownership of the buffer."},
		{"index_add", u32s("index", "vector"), I32, "Adds one vector at run time; returns its row."},
		{"index_remove", u32s("index", "row"), I32, "Removes a row from every later answer; 1 if it was there, else 0."},
		{"index_numbers", u32s("index", "column", "firstRow", "values", "count"), I32, "Sets float64 values of a column to filter by; NaN: missing."},
		{"index_codes", u32s("index", "column", "firstRow", "codes", "count"), I32, "Sets u32 codes of a column to filter by; MissingCode: missing."},
		{"index_search", u32s("index", "request", "hits", "capacity"), I32, "Ranks; writes at most capacity Hits and returns how many."},
		{"index_scores", u32s("index", "request", "scores", "count"), I32, "Writes the score of every row, in row order; -Infinity where a row is absent, removed or filtered out."},
		{"index_close", u32s("index"), I32, "Frees an index and its rows."},
		{"metrics_judge", u32s("request", "ranks", "values"), I32, "Judges the queries of a JudgeRequest: writes the rank of the first gold entry of each (u32, from 1; 0: none), and for each k JudgeValues and the recall of each label."},
		{"qrels_open", u32s("file", "fileLength", "name", "nameLength"), I32, "Handle of judgements in TREC's format; the name is for errors."},
		{"qrels_close", u32s("qrels"), I32, "Frees judgements."},
		{"run_open", u32s("file", "fileLength", "name", "nameLength"), I32, "Handle of a run in TREC's format; the name is for errors."},
		{"run_close", u32s("run"), I32, "Frees a run."},
		{"run_evaluate", u32s("request", "evaluation"), I32, "Evaluates the one run of an EvaluateRequest and fills an Evaluation."},
		{"runs_compare", u32s("request", "evaluation"), I32, "Evaluates runs over the same queries and fills an Evaluation."},
		{"significance_mean", significance("values", "count", "rounds", "result"), I32, "Fills the MeanInterval of count float64."},
		{"significance_pair", significance("a", "b", "count", "rounds", "result"), I32, "Tests two lists of count float64 against each other and fills a PairTest."},
		{"significance_holm", u32s("p", "count"), I32, "Replaces count float64 probabilities by those after Holm's correction."},
	}
}
