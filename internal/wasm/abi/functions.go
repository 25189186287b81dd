package abi

// Type is the WebAssembly type of a parameter or result.
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

// significance returns the parameters followed by the random seed, an integer below
// 2^53.
func significance(names ...string) []Param {
	return append(u32s(names...), Param{"seed", F64})
}

// Functions lists every export of core.wasm that a host may call, except the Go
// runtime's own run, resume, getsp and the memory "mem".
func Functions() []Function {
	return []Function{
		{"abi_version", nil, I32, "Version of this description."},
		{"sequence", nil, U32, "Address of the u32 that every completed call increments."},
		{"error_text", nil, U32, "Address of a TextRef: the message of the last failed call."},
		{"allocate", u32s("bytes"), U32, "A zeroed, 64-byte-aligned buffer; 0 if the limit is reached."},
		{"release", u32s("pointer"), I32, "Frees a buffer of allocate."},
		{"memory_in_use", nil, F64, "Bytes of heap in use."},
		{"query_split", u32s("model", "text", "textLength", "split"), I32, "Reads a query's root and perspective with its kind and side, by the reader of a model if it has one, by the wording alone if not or if model is 0, and fills a SplitInfo; 1 if it could, else 0."},
		{"query_stance", u32s("text", "textLength"), I32, "Which side a perspective asks for: 1 to support, 2 to oppose, 0 neither."},
		{"query_auto", u32s("request", "choice"), I32, "Chooses how to rank a query that names no method: fills an AutoChoice for an AutoRequest."},
		{"encoder_open", u32s("tokenizer", "tokenizerLength", "weights", "weightsLength", "config", "configLength"), I32, "Handle of a static encoder read from tokenizer.json, model.safetensors and config.json; takes ownership of the weights buffer."},
		{"encoder_dim", u32s("encoder"), I32, "Dimension of its vectors."},
		{"encoder_encode", u32s("encoder", "text", "textLength", "vector", "info"), I32, "Encodes a text into dim float32 and fills an EncodeInfo."},
		{"encoder_close", u32s("encoder"), I32, "Frees an encoder."},
		{"model_open", u32s("manifest", "manifestLength"), I32, "Handle of a model whose pack.json this is; the files of its sections come next."},
		{"model_file", u32s("model", "section", "file", "fileLength"), I32, "Reads the next file of a section, whose hash the host has compared; a model can encode after the last files of its vocabulary and trunk."},
		{"model_encode", u32s("model", "text", "textLength", "vector", "branch", "info"), I32, "Encodes a text: writes its vector and that of the branch as float32, each unless its address is 0, and fills an EncodeInfo; the pack says how many numbers they have."},
		{"model_tokens", u32s("model", "text", "textLength", "document", "vectors", "capacity", "info"), I32, "Encodes a text's tokens into float32, as a document unless that is 0, else as a query, and fills an EncodeInfo; returns how many tokens have vectors, of at most capacity numbers in all."},
		{"model_close", u32s("model"), I32, "Frees a model."},
		{"index_open", u32s("dim", "rowType", "rows"), I32, "Handle of an empty index with room declared for rows of a collection."},
		{"index_rows", u32s("index"), I32, "Rows loaded and added so far, removed ones not counted."},
		{"index_load", u32s("index", "firstRow", "file", "fileLength"), I32, "Adds a vector file; returns its rows and takes ownership of the buffer."},
		{"index_add", u32s("index", "vector"), I32, "Adds one vector at run time; returns its row."},
		{"index_load_angles", u32s("index", "firstRow", "file", "fileLength"), I32, "Adds a file of angles, the second vectors of rows, the first of which is row firstRow's; takes ownership of the buffer and returns the number of angles."},
		{"index_add_angle", u32s("index", "row", "angle", "angleDim"), I32, "Sets the angle of a row that was added at run time."},
		{"index_remove", u32s("index", "row"), I32, "Removes a row from every later answer; 1 if it was there, else 0."},
		{"index_numbers", u32s("index", "column", "firstRow", "values", "count"), I32, "Sets float64 values of a column to filter by; NaN: missing."},
		{"index_codes", u32s("index", "column", "firstRow", "codes", "count"), I32, "Sets u32 codes of a column to filter by; MissingCode: missing."},
		{"index_search", u32s("index", "request", "hits", "capacity"), I32, "Ranks; writes Hits and returns how many, or fails if they are more than the capacity."},
		{"index_scores", u32s("index", "request", "scores", "count"), I32, "Writes the score of every row, in row order; -Infinity if a row is absent, removed or not allowed by the mask."},
		{"index_mask", u32s("index", "filters", "filterCount", "mask", "capacity"), I32, "Writes a byte for each row: 1 if its values meet every Filter, of which there must be at least one, even if its vector is not loaded, else 0; returns the number of rows, and does nothing else if the capacity is 0."},
		{"index_documents", u32s("index", "mask", "maskLength", "documents", "capacity"), I32, "Writes a byte for each document: 1 if it has a row here that the mask allows (0: all rows), else 0; returns the number of documents, which is that of rows."},
		{"index_explain", u32s("index", "request", "hits", "count"), I32, "Explains Hits of any ranking, by their documents; sets the row of a Hit to MissingRow if its document has no row here."},
		{"index_sides", u32s("index", "request", "calibration", "sides", "hits", "capacity"), I32, "Tells the sides of all rows that the mask allows towards the root of a SearchRequest with two angles, those of the root asked for and against; fills a Sides and writes at most 3k SideHits, those for the root, then those on neither side and those against it, each side best first; returns how many."},
		{"index_side", u32s("index", "request", "calibration", "side", "mask", "capacity"), I32, "Writes a byte for each row: 1 if it is on the subject of a root, as index_sides takes it, and on this side, and the request's mask allows it, else 0; returns the number of rows."},
		{"index_sides_of", u32s("index", "request", "calibration", "hits", "count"), I32, "Tells the sides of SideHits by their documents; sets the row of a SideHit to MissingRow if its document has no row or no angle here."},
		{"index_vector", u32s("index", "document", "vector", "angle", "angleDim"), I32, "Writes the row of a document as dim float32, and its angle as angleDim float32 unless that is 0; returns the dimension of its angle, 0 if it has none here."},
		{"index_close", u32s("index"), I32, "Frees an index and its rows."},
		{"metrics_judge", u32s("request", "ranks", "values"), I32, "Judges the queries of a JudgeRequest: writes the rank of the first gold entry of each (u32, from 1; 0: none), and for each k JudgeValues and the recall of each label."},
		{"metrics_portions", u32s("request", "values"), I32, "Writes the shares of a PortionsRequest in float64: for each row the number of its queries that found something, the number of documents that they found, and for each label the share of these queries that found it and its share of these documents."},
		{"qrels_open", u32s("file", "fileLength", "name", "nameLength", "measures", "measuresLength"), I32, "Handle of judgements in TREC's format, with subtopics if one of the measures needs them; the name is for errors."},
		{"qrels_close", u32s("qrels"), I32, "Frees judgements."},
		{"run_open", u32s("file", "fileLength", "name", "nameLength"), I32, "Handle of a run in TREC's format; the name is for errors."},
		{"run_close", u32s("run"), I32, "Frees a run."},
		{"run_evaluate", u32s("request", "evaluation"), I32, "Evaluates the one run of an EvaluateRequest and fills an Evaluation."},
		{"runs_compare", u32s("request", "evaluation"), I32, "Evaluates runs over the same queries and fills an Evaluation."},
		{"significance_mean", significance("values", "count", "rounds", "result"), I32, "Fills the MeanInterval of count float64."},
		{"significance_pair", significance("a", "b", "count", "rounds", "result"), I32, "Tests two lists of count float64 against each other and fills a PairTest."},
		{"significance_holm", u32s("p", "count"), I32, "Replaces count float64 probabilities by those after Holm's correction."},
		{"index_add_at", u32s("index", "row", "vector"), I32, "Adds one vector at run time as this row, which must be beyond all rows declared and added."},
		{"index_gate", u32s("index", "request", "scores", "capacity"), I32, "Writes the first-stage scores of the rows that the mask allows, in any order, and returns how many; 0 if the method has no gate."},
		{"index_cut", u32s("index", "request", "scores", "count", "cut"), I32, "Writes the float64 cut of a gated method from the scores that index_gate gave for all parts of a collection; reorders them."},
		{"index_ahead", u32s("index", "request", "hits", "count"), I32, "Sets the cosineRank of each Hit, of any part, to the number of this index's rows that the mask allows and the plain cosine ranks before it; reads its row and cosine."},
		{"index_records", u32s("index", "rows", "count", "records", "capacity"), I32, "Copies stored rows for index_diversify and returns the bytes of each; does nothing else if the count is 0."},
		{"index_diversify", u32s("index", "request", "hits", "count", "records", "recordsLength"), I32, "Chooses among Hits of all parts, best first, by maximal marginal relevance of their records; moves those to the front and returns how many."},
		{"tokens_open", u32s("codebook", "codebookLength", "dim", "bits", "documents"), I32, "Handle of an empty index of the vectors of tokens, whose residuals have this many bits, with the content of a file of centroids and room for documents of a collection."},
		{"tokens_load", u32s("tokens", "firstDocument", "file", "fileLength"), I32, "Adds a file of token vectors; returns its documents and takes ownership of the buffer."},
		{"tokens_sum", u32s("sum"), I32, "Fills the vectors and the gate of a TokenSum and returns how many float32 the vectors are."},
		{"tokens_search", u32s("tokens", "request", "hits", "capacity"), I32, "Answers a TokenRequest by MaxSim over the documents loaded; writes at most k WordHits, best first, and returns how many."},
		{"tokens_score", u32s("tokens", "vectors", "length", "hits", "count"), I32, "Sets the score of each WordHit to MaxSim with a query of this many float32."},
		{"tokens_close", u32s("tokens"), I32, "Frees an index of token vectors."},
		{"words_open", u32s("lengths", "lengthsLength"), I32, "Handle of an index of words with the documents of a lengths file, or of an empty one if its address is 0."},
		{"words_documents", u32s("words"), I32, "Documents that have numbers in it, removed ones included."},
		{"words_terms", u32s("text", "textLength", "terms"), I32, "Fills a TextRef, valid until the next call, with the distinct words of a text in the form of an index of words, separated by line feeds; returns how many."},
		{"words_load", u32s("words", "file", "fileLength"), I32, "Adds a term file; takes ownership of the buffer."},
		{"words_add", u32s("words", "text", "textLength"), I32, "Adds a document at run time; returns its number."},
		{"words_remove", u32s("words", "document"), I32, "Removes a document from every later answer; 1 if it was there, else 0."},
		{"words_search", u32s("words", "text", "textLength", "k", "keep", "keepLength", "hits", "capacity"), I32, "Ranks by BM25; writes at most k WordHits and returns how many. keep, unless 0: a byte for each document, 0 if it may not be a hit."},
		{"words_fuse", fuse("fusion", "fusionLength", "weight", "vectors", "vectorCount", "words", "wordCount", "hits", "capacity"), I32, "Fuses WordHits of a ranking by vectors with those of a ranking by words; the words have the weight given, the vectors the rest; writes all hits and returns how many."},
		{"words_close", u32s("words"), I32, "Frees an index of words."},
	}
}

// fuse has the parameters of words_fuse, which are all u32 except for the weight.
func fuse(names ...string) []Param {
	params := u32s(names...)
	for i := range params {
		if params[i].Name == "weight" {
			params[i].Type = F64
		}
	}
	return params
}
