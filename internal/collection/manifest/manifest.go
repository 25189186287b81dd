// Package manifest describes manifest.json, the only file of a collection with a fixed name. It lists the collection's
// files with their lengths and hashes, says which model made the vectors, and has check texts for query encoders.
//
// A reader of version N reads every collection of version <= N. Readers ignore unknown fields, so optional fields may be
// added to a version. A change that an old reader would misread needs a new version.
package manifest

import (
	"strings"
)

const (
	FileName = "manifest.json"
	Format   = "vantage-collection"
	Version  = 1
)

// Limits that Parse enforces. They prevent a hostile or damaged manifest from causing unbounded work.
const (
	MaxBytes       = 64 << 20  // bytes of manifest.json itself
	MaxFileBytes   = 1 << 30   // bytes of any file, uncompressed or stored
	MaxRows        = 1<<31 - 1 // rows are numbered by 32 bits
	MaxDim         = 65536
	MaxBlock       = 65536 // documents of one block
	MaxCanaries    = 64
	MaxFields      = 1024
	MaxDictionary  = 65536 // distinct values of a string field
	MaxTermFiles   = 65536
	MaxTermBytes   = 128 // bytes of a term, the limit of internal/wasm/lexical
	MaxPathBytes   = 255
	MaxNameBytes   = 4096
	MaxCanaryBytes = 8 << 10 // the canaries are encoded when a collection is opened
	MaxPackFiles   = 4096    // payload files of a pack
	MaxAutoLines   = 64
	MaxAutoLine    = 256 // bytes of a line

	// Those of internal/wasm/pack, which a reader of files does not link.
	MaxPackBytes     = 4 << 20   // bytes of pack.json
	MaxPackFileBytes = 1_000_000 // bytes of a payload file
)

// Manifest is the content of manifest.json.
type Manifest struct {
	Format    string   `json:"format"`
	Version   int      `json:"version"`
	Generator string   `json:"generator"` // program and version that wrote it, such as "vantage 0.1.0"
	Name      string   `json:"name,omitempty"`
	Documents int      `json:"documents"`
	Rows      int      `json:"rows"` // equal to Documents: one vector per document
	Dim       int      `json:"dim"`
	DType     string   `json:"dtype"`           // type of the stored rows: "I8", "F16" or "F32"
	Score     string   `json:"score,omitempty"` // how queries and documents are compared, unless a query says otherwise: "dot" or "maxsim"; absent: "cosine"
	Model     Model    `json:"model"`
	Encoder   *Encoder `json:"encoder,omitempty"` // absent if the collection carries no encoder
	Canaries  []Canary `json:"canaries"`

	// Reader is a pack that reads queries, whatever encodes them. Its vectors are not used. If it is absent, the encoder
	// reads them, if it is a pack that can, or else the grammar.
	Reader *PackFiles `json:"reader,omitempty"`

	// QueryModel is the model of the queries if it differs from Model, as with DPR's
	// two encoders. QueryCanaries are texts with the vectors that QueryModel gives them
	// as queries.
	QueryModel    *Model   `json:"query_model,omitempty"`
	QueryCanaries []Canary `json:"query_canaries,omitempty"`

	// Close is the cosine of query and document from which a hit is close to the query; 0 if
	// that was not measured.
	Close float64 `json:"close,omitempty"`
	// Auto says how queries that name no method are ranked; absent: as the encoder says.
	Auto *Auto `json:"auto,omitempty"`

	Vectors []RowFile `json:"vectors"`
	Tokens  *Tokens   `json:"tokens,omitempty"` // present if and only if Score is "maxsim"
	Angles  *Angles   `json:"angles,omitempty"` // absent if the encoder cannot tell sides apart
	Docs    []DocFile `json:"docs"`
	Columns *Columns  `json:"columns,omitempty"`
	Terms   *Terms    `json:"terms,omitempty"` // absent if the collection cannot be searched by words
}

// Scores, by the names of package perspective.
const (
	ScoreCosine = "cosine"
	ScoreDot    = "dot"
	ScoreMaxSim = "maxsim"
)

// Kinds of model.
const (
	KindStatic   = "static"   // a static encoder, which the engine itself runs
	KindPack     = "pack"     // a transformer as small files, which the engine itself runs; see internal/wasm/pack
	KindExternal = "external" // an encoder outside the collection
)

// Unstated is the architecture of an encoder that encoded the documents and says nothing of its own. Given vectors,
// which need not be the encoder's to the bit, have none.
const Unstated = "unstated"

// Model pins the encoder of the vectors. Prompts are prepended to texts by their role ("query", "document"). Architecture
// is what a transformer, a pack's or an outside one, says of itself if it encoded the documents for this collection, or
// Unstated. It is empty for a static encoder and for vectors that were given.
type Model struct {
	ID           string            `json:"id"`
	Revision     string            `json:"revision"`
	Kind         string            `json:"kind"`
	Architecture string            `json:"architecture,omitempty"`
	Dim          int               `json:"dim"`
	Pooling      string            `json:"pooling,omitempty"`
	Normalize    bool              `json:"normalize"`
	MaxLength    int               `json:"max_length,omitempty"` // in tokens; 0 if unlimited or unknown
	BF16         bool              `json:"bf16,omitempty"`       // computed in bfloat16
	Int8         bool              `json:"int8,omitempty"`       // its layers' weights were quantised to 8 bits
	Language     string            `json:"language,omitempty"`
	Prompts      map[string]string `json:"prompts,omitempty"`
}

// StatesPrompts reports whether Prompts are all that go before texts. Otherwise, nothing is known
// about them: the model is static, or the one who indexed did not say.
func (m *Model) StatesPrompts() bool {
	return len(m.Prompts) > 0 || m.Architecture != "" && m.Architecture != Unstated
}

// LanguageText says in words which texts an encoder is for, such as "English only".
func LanguageText(tag string) string {
	switch {
	case tag == "":
		return "its language is not stated"
	case tag == "en" || strings.HasPrefix(tag, "en-"):
		return "English only"
	}
	return "made for language " + tag
}

// Queries returns the model of the queries, and the canaries that a query encoder must reproduce.
func (m *Manifest) Queries() (*Model, []Canary) {
	if m.QueryModel != nil {
		return m.QueryModel, m.QueryCanaries
	}
	return &m.Model, m.Canaries
}

// File is one file of the collection. The hash and Bytes are of the uncompressed content, so they hold whether or not
// a host decodes gzip on the way.
type File struct {
	Path   string `json:"path"`   // relative to manifest.json, '/' between segments of [A-Za-z0-9._-]
	SHA256 string `json:"sha256"` // 64 lower-case hexadecimal digits
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"stored"` // length on the host, compressed or not
}

// Encoder is the encoder that the collection carries: the three files of a static one,
// or those of a pack.
type Encoder struct {
	Tokenizer File `json:"tokenizer,omitzero"`
	Weights   File `json:"weights,omitzero"`
	Config    File `json:"config,omitzero"`

	PackFiles
}

// PackFiles are the files of a pack.
type PackFiles struct {
	Pack  File   `json:"pack,omitzero"`   // its pack.json
	Files []File `json:"files,omitempty"` // all its payload files, in the order of pack.json's sections: vocabulary, trunk, branch, reader
}

// All are the encoder's files.
func (e *Encoder) All() []File {
	if e.Pack != (File{}) {
		return e.PackFiles.All()
	}
	return []File{e.Tokenizer, e.Weights, e.Config}
}

// All are the pack's files.
func (p *PackFiles) All() []File { return append([]File{p.Pack}, p.Files...) }

// Angles are the second vectors of the rows, by the branch of the pack that the
// collection carries: row i is the angle of document i, stored as the rows are.
type Angles struct {
	Dim   int       `json:"dim"`
	DType string    `json:"dtype"` // that of the manifest
	Files []RowFile `json:"files"`
}

// Tokens are the vectors of the documents' tokens, each of the manifest's Dim components,
// in the format of internal/wasm/tokens. Row i of Vectors is then the mean of the token
// vectors of document i, scaled to length 1.
type Tokens struct {
	Bits      int         `json:"bits"`      // of a component of a residual: 8, 4 or 2
	Centroids int         `json:"centroids"` // number of centroids
	Codebook  File        `json:"codebook"`  // the centroids
	Files     []TokenFile `json:"files"`
}

// TokenFile holds the vectors of documents First to First+Count-1.
type TokenFile struct {
	File
	First   int   `json:"first"`
	Count   int   `json:"count"`
	Vectors int64 `json:"vectors"` // of all of these documents
}

// Auto is the default ranking that the owner's judged queries chose: a table that replaces
// the encoder's, in lines of perspective.ParseChoices, and what it was chosen on. Before and
// After are nDCG@10 on other judged queries, by the encoder's table and by this one.
type Auto struct {
	Table      []string `json:"table"`
	ChosenOn   int      `json:"chosen_on"`   // judged queries
	MeasuredOn int      `json:"measured_on"` // other ones
	Before     float64  `json:"before"`
	After      float64  `json:"after"`
}

// Canary is a text with the vector that the collection's encoder gives it. An encoder
// that gives another vector is refused, because it would silently rank wrongly.
type Canary struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

// RowFile holds the vectors of rows FirstRow to FirstRow+Rows-1.
type RowFile struct {
	File
	FirstRow int `json:"first_row"`
	Rows     int `json:"rows"`
}

// DocFile holds documents First to First+Count-1 as JSON lines.
type DocFile struct {
	File
	First int `json:"first"`
	Count int `json:"count"`
}

// Columns is the file of typed metadata, one tensor per field.
type Columns struct {
	File   File    `json:"file"`
	Fields []Field `json:"fields"`
}

// Types of a field. A number or bool column is F64 (missing values are NaN, bools 0 or
// 1). A string column has U32 codes, which are indexes into Values (0xFFFFFFFF if
// missing).
const (
	TypeString = "string"
	TypeNumber = "number"
	TypeBool   = "bool"
)

// Field is one metadata field that filters may use.
type Field struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Tensor string   `json:"tensor"`
	Values []string `json:"values,omitempty"` // dictionary of a string field
}

// Terms is the inverted index of the documents in the format of internal/wasm/lexical:
// the lengths of the documents, and files that each contain the terms from First to
// Last. Files are in byte order of their terms.
type Terms struct {
	Lengths File       `json:"lengths"`
	Files   []TermFile `json:"files"`
}

// TermFile holds the postings of the terms from First to Last.
type TermFile struct {
	File
	First string `json:"first"`
	Last  string `json:"last"`
}
