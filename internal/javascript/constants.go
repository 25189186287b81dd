// Package javascript prints the constants that scripts share with Go: the scoring
// methods, the limits of input, the defaults of a query, and the numbers of the encode
// server's protocol. static/src/constants.js is generated from it, and a test fails if
// the two differ.
//
// Package internal/wasm/abi prints the constants of the core's ABI.
package javascript

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

//go:generate go run ./gen ../../static/src

// FileName is the name of the file that Constants prints.
const FileName = "constants.js"

// constant is a constant of the file. literal prints its value.
type constant struct {
	name  string
	value any
	doc   string
}

// pairs are the names and values of a JavaScript object, in order.
type pairs []pair

type pair struct {
	name  string
	value any
}

// codes are the names of the error codes of the encode server's stream.
var codes = []struct {
	name string
	code wire.Code
}{
	{"protocol", wire.CodeProtocol}, {"too_large", wire.CodeTooLarge}, {"bad_request", wire.CodeBadRequest},
	{"invalid_text", wire.CodeInvalidText}, {"overloaded", wire.CodeOverloaded}, {"rate_limited", wire.CodeRateLimited},
	{"deadline", wire.CodeDeadline}, {"unknown_request", wire.CodeUnknownRequest}, {"internal", wire.CodeInternal},
	{"shutting_down", wire.CodeShuttingDown},
}

func codeNumbers() (out pairs) {
	for _, c := range codes {
		out = append(out, pair{c.name, int(c.code)})
	}
	return out
}

func codeKinds() (out pairs) {
	for _, c := range codes {
		out = append(out, pair{c.name, string(c.code.Kind())})
	}
	return out
}

func kindCodes() (out pairs) {
	for _, f := range fault.Table {
		out = append(out, pair{string(f.Kind), int(f.Code)})
	}
	return out
}

// constants are the constants in the order of the file.
var constants = []constant{
	{"UNPACK_FREE", unpack.Free, "Bytes that any compressed file may unpack to."},
	{"UNPACK_RATIO", unpack.Ratio, "Beyond UNPACK_FREE, how many times its compressed length a file may unpack to."},
	{"JSON_DEPTH", jsonlite.MaxDepth, "Greatest nesting depth of objects and arrays in a JSON text."},
	{"JSON_VALUES", jsonlite.MaxValues, "Most values of a JSON text: objects, arrays, strings, numbers, true, false and null; keys do not count."},

	{"MANIFEST_NAME", manifest.FileName, "Name of a collection's manifest."},
	{"MANIFEST_FORMAT", manifest.Format, "Value of the manifest's field `format`."},
	{"MANIFEST_VERSION", manifest.Version, "Version of the collection format."},
	{"MAX_MANIFEST_BYTES", manifest.MaxBytes, "Most bytes of the manifest itself."},
	{"MAX_FILE_BYTES", manifest.MaxFileBytes, "Most bytes of any file, uncompressed or stored."},
	{"MAX_ROWS", manifest.MaxRows, "Most rows of a collection."},
	{"MAX_DIM", manifest.MaxDim, "Most components of a vector."},
	{"MAX_CENTROIDS", manifest.MaxCentroids, "Most centroids of token vectors."},
	{"MAX_BLOCK", manifest.MaxBlock, "Most documents of one block."},
	{"MAX_AUTO_LINES", manifest.MaxAutoLines, "Most lines of a collection's table for auto."},
	{"MAX_AUTO_LINE", manifest.MaxAutoLine, "Most bytes of such a line."},
	{"MAX_CANARIES", manifest.MaxCanaries, "Most canaries."},
	{"MAX_FIELDS", manifest.MaxFields, "Most fields to filter by."},
	{"MAX_DICTIONARY", manifest.MaxDictionary, "Most distinct values of a string field."},
	{"MAX_TERM_FILES", manifest.MaxTermFiles, "Most term files."},
	{"MAX_TERM_BYTES", manifest.MaxTermBytes, "Most bytes of a term."},
	{"MAX_PATH_BYTES", manifest.MaxPathBytes, "Most bytes of a file's path."},
	{"MAX_NAME_BYTES", manifest.MaxNameBytes, "Most bytes of a name."},
	{"MAX_CANARY_BYTES", manifest.MaxCanaryBytes, "Most bytes of a canary's text."},
	{"MAX_PACK_FILES", manifest.MaxPackFiles, "Most payload files of a pack."},
	{"MAX_PACK_FILE", pack.MaxFile, "Most bytes of a payload file of a pack."},
	{"MAX_PACK_MANIFEST", pack.MaxManifest, "Most bytes of a pack.json."},
	{"MEMORY_FREE", manifest.FreeMemory, "Bytes that the files of any collection may take in memory together."},
	{"MEMORY_RATIO", manifest.MemoryRatio, "Beyond MEMORY_FREE, how many times their stored size."},
	{"TOKENIZER_MEMORY", manifest.TokenizerMemory, "Bytes of memory for each byte of a tokenizer."},
	{"PACK_MEMORY", manifest.PackMemory, "Bytes of memory for each byte of a pack."},
	{"CODEBOOK_MEMORY", manifest.CodebookMemory, "Bytes of memory for each byte of the centroids of token vectors."},
	{"TOKEN_MEMORY", manifest.TokenMemory, "Bytes of memory for each token vector, beside those of its file."},
	{"COLUMNS_MEMORY", manifest.ColumnsMemory, "Bytes of memory for each byte of columns."},
	{"LENGTHS_MEMORY", manifest.LengthsMemory, "Bytes of memory for each byte of documents' lengths."},
	{"TERMS_MEMORY", manifest.TermsMemory, "Bytes of memory for each byte of term files."},
	{"MAX_HEADER_BYTES", shard.MaxHeader, "Most bytes of a safetensors file's header."},
	{"MAX_COLUMNS", collection.MaxColumns, "Most fields that are taken from documents; a manifest may have more."},

	{"AUTO", search.MethodAuto, "The default ranking; an encoder's `texts` may have a table of its own for it under this name."},
	{"AUTO_FUSION", perspective.HybridFusion, "How AUTO fuses with words."},
	{"DEFAULT_K", search.DefaultK, "Number of hits, unless a query sets it."},
	{"DEFAULT_LAMBDA", search.DefaultLambda, "Strength of the projection, unless a query sets it."},
	{"DEFAULT_WEIGHT", search.DefaultWeight, "Weight of the words in a fusion, unless a query sets it."},
	{"DEFAULT_FUSION", search.ReciprocalRank, "Fusion, unless a query sets it."},
	{"FUSION_DEPTH", search.DefaultDepth, "How many of the best of each ranking are fused, unless more are wanted."},
	{"CLOSE_MARGIN", search.CloseMargin, "How far below the level a hit's cosine may lie if it shares words, so that the hit still counts as close."},
	{"LONG_WORD", lexical.LongWord, "Least number of letters of a word that says something about a subject."},
	{"SHARED_WORDS", lexical.SharedWords, "Least number of different long words in common at which a document and a text are said to share words."},
	{"MMR_CANDIDATES", rerank.DefaultCandidates, "Rows among which MMR chooses, unless more are wanted."},
	{"MAX_RESCORE", search.MaxRescore, "Most documents that are encoded again for a query."},
	{"SUNK_DOT", perspective.SunkDot, "Score of documents that a gate sank, by dot product and by MaxSim, before it is rounded to float32."},
	{"MAX_CONTEXTS", joint.MaxContexts, "Most private contexts of a query."},
	{"DEFAULT_CONTEXT_LAMBDA", joint.DefaultLambda, "Weight of the query beside its contexts, unless it sets one."},
	{"DEFAULT_CONTEXT_LAMBDA_MAXSIM", joint.DefaultLambdaMaxSim, "The same by MaxSim."},
	{"CALIBRATION", pairs{
		{"twoWidth", stance.Standard.TwoWidth}, {"width", stance.Standard.Width},
		{"level", stance.Standard.Level}, {"subject", stance.Standard.Subject},
	}, "Constants of the probabilities of sides, unless the encoder's tables have others."},
	{"CLAIM_VERBS", claim.Verbs, "Words by which a root is taken for a claim."},
	{"PHRASE_WORDS", claim.PhraseWords, "Most words of a root that is taken for a phrase, not a claim."},
	{"OTHER_SIDE_STRENGTH", search.OtherSideStrength, "Strength of the angles on the other side of a root, unless a query sets it."},
	{"FAR_STRENGTH", search.FarStrength, "The same without a root."},
	{"MAX_LAMBDA", int(perspective.MaxLambda), "Greatest strength of projections."},
	{"MAX_STRENGTH", int(perspective.MaxStrength), "Greatest strength of angles."},
	{"CANARY_COSINE", search.CanaryCosine, "Least cosine of a canary's vector with the one that an encoder gives."},
	{"CANARY_COSINE_INT8", search.CanaryCosineInt8, "The same for a model with weights of 8 bits, whose vectors differ between processors."},

	{"PROTOCOL", wire.Protocol, "The WebSocket subprotocol of an encode server."},
	{"KEY_PROTOCOL", wire.KeyProtocol, "Prefix of the additional subprotocol that carries a key."},
	{"WIRE_VERSION", wire.Version, "Version of the frames."},
	{"WIRE_HEADER", wire.HeaderSize, "Offset of the body of a frame."},
	{"WHOLE_REQUEST", wire.WholeRequest, "The index of a fault that ends a request."},
	{"FRAME", pairs{
		{"hello", int(wire.TypeHello)}, {"encode", int(wire.TypeEncode)}, {"cancel", int(wire.TypeCancel)},
		{"resume", int(wire.TypeResume)}, {"ack", int(wire.TypeAck)}, {"ping", int(wire.TypePing)},
		{"welcome", int(wire.TypeWelcome)}, {"vector", int(wire.TypeVector)}, {"fault", int(wire.TypeFault)},
		{"done", int(wire.TypeDone)}, {"pong", int(wire.TypePong)}, {"goodbye", int(wire.TypeGoodbye)},
	}, "Types of frames."},
	{"ROLE", pairs{
		{"none", int(wire.NoRole)}, {"query", int(wire.Query)}, {"document", int(wire.Document)},
		{"root", int(wire.Root)}, {"perspective", int(wire.Perspective)},
	}, "Roles of texts."},
	{"DTYPE", pairs{{"f32", int(wire.F32)}, {"f16", int(wire.F16)}, {"int8", int(wire.Int8)}}, "Types of a vector's components."},
	{"CODE", codeNumbers(), "Codes of faults."},

	{"CODE_KIND", codeKinds(), "The kind of fault that each code stands for."},
	{"KIND_CODE", kindCodes(), "The code that a call of the core returns for each kind of fault."},

	{"SCORES", perspective.Scores(), "How vectors of whole texts may be compared, the default first."},
	{"MAXSIM", string(perspective.MaxSim), "How vectors of tokens are compared."},

	{"WORDS", search.MethodWords, "The method that ranks by words alone. Searches accept it in addition to METHODS."},
}

// Constants returns the text of static/src/constants.js.
func Constants() string {
	var b strings.Builder
	b.WriteString("// Generated from internal/javascript by `make generate`; do not edit.\n\n")
	for _, c := range constants {
		value := " " + literal(c.value)
		if text, ok := c.value.(string); ok && len(c.name)+len(value) > columns-len("export const  =;") {
			value = broken(text)
		}
		fmt.Fprintf(&b, "/** %s */\nexport const %s =%s;\n", c.doc, c.name, value)
	}
	b.WriteString("\n/**\n * Every scoring method, in the order of the command's list.\n * @type {readonly import('../lib/index.d.ts').Method[]}\n */\n")
	b.WriteString("export const METHODS = /* @__PURE__ */ Object.freeze([\n")
	for _, m := range perspective.Methods() {
		needs := []string{}
		if m.NeedsRoot {
			needs = append(needs, "root")
		}
		if m.NeedsPerspective {
			needs = append(needs, "perspective")
		}
		b.WriteString("  {\n")
		for _, field := range []struct {
			name  string
			value any
		}{
			{"name", m.Name}, {"aliases", append([]string{}, m.Aliases...)}, {"summary", m.Summary}, {"formula", m.Formula},
			{"needs", needs}, {"lambda", m.Lambda}, {"angles", m.Angles}, {"strength", m.Strength},
			{"sums", perspective.CheckSum(m.Name) == nil},
		} {
			line := fmt.Sprintf("    %s: %s,\n", field.name, literal(field.value))
			if len([]rune(line)) > columns+1 {
				line = fmt.Sprintf("    %s:\n      %s,\n", field.name, literal(field.value))
			}
			b.WriteString(line)
		}
		b.WriteString("  },\n")
	}
	b.WriteString("]);\n")
	return b.String()
}

// columns is the greatest length of a line, in characters.
const columns = 120

// literal returns a value as a JavaScript literal.
func literal(value any) string {
	switch v := value.(type) {
	case pairs:
		var b strings.Builder
		b.WriteString("/* @__PURE__ */ Object.freeze({\n") // so that scripts that do not use it do not get it
		for _, p := range v {
			fmt.Fprintf(&b, "  %s: %s,\n", p.name, literal(p.value))
		}
		return b.String() + "})"
	case []string:
		var quoted []string
		for _, text := range v {
			quoted = append(quoted, literal(text))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		text, err := json.Marshal(v) // JSON escapes all characters that a JavaScript string must not contain
		if err != nil {
			panic(err) // a string can always be marshalled
		}
		quoted := strings.NewReplacer(`\u003e`, ">", `\u003c`, "<", `\u0026`, "&").Replace(string(text))
		if !strings.ContainsAny(v, `"'\`) {
			return "'" + quoted[1:len(quoted)-1] + "'"
		}
		return quoted
	default:
		return fmt.Sprint(v)
	}
}

// broken returns the literal of a text, cut between words into several lines.
func broken(text string) string {
	var lines []string
	line := ""
	for word := range strings.SplitAfterSeq(text, " ") {
		if len(line)+len(word) > columns-len(`  "" +`) {
			lines, line = append(lines, "\n  "+literal(line)), ""
		}
		line += word
	}
	return strings.Join(append(lines, "\n  "+literal(line)), " +")
}
