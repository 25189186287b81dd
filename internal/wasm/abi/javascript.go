//go:build !wasm

package abi

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

//go:generate go run ./internal/gen ../../../static/src/engine

// constants are the constants in the order of the file.
var constants = []struct {
	name  string
	value int64
	doc   string
}{
	{"VERSION", Version, "Version of the ABI."},
	{"CODE_HANDLE", CodeHandle, "No such handle, or no such section of a pack."},
	{"CODE_ADDRESS", CodeAddress, "An address or length outside any allocated buffer."},
	{"SECTION_VOCABULARY", SectionVocabulary, "The pieces of a pack's tokenizer."},
	{"SECTION_TRUNK", SectionTrunk, "A pack's tensors for vectors."},
	{"SECTION_BRANCH", SectionBranch, "A pack's tensors for the vectors of the branch."},
	{"SECTION_READER", SectionReader, "A pack's tensors for the reader of queries."},
	{"ROWS_F32", RowsF32, "float32 rows."},
	{"ROWS_I8", RowsI8, "int8 rows with a scale each."},
	{"AUTO_ROOT", AutoRoot, "The query has a root."},
	{"AUTO_ROOT_TEXT", AutoRootText, "The root has a text."},
	{"AUTO_TEXT", AutoText, "The query has a text."},
	{"AUTO_LAMBDA", AutoLambda, "A strength of the projection is asked for."},
	{"AUTO_ANGLES", AutoAngles, "Passages have angles, and the encoder gives texts theirs."},
	{"AUTO_SIDES", AutoSides, "The encoder has wordings of for and against."},
	{"AUTO_WORDS", AutoWords, "The ranking may be fused with BM25."},
	{"AUTO_READ", AutoRead, "The query was read: behind its perspective, perspectives has the kind of it."},
	{"SCORE_COSINE", ScoreCosine, "Vectors are compared by their cosine."},
	{"SCORE_DOT", ScoreDot, "Vectors are compared by their dot product."},
	{"FLAG_EXPLAIN", FlagExplain, "Fill the explanation of each hit except its cosine rank."},
	{"FLAG_COSINE_RANK", FlagCosineRank, "Also rank explained hits by the plain cosine."},
	{"MISSING_ROW", MissingRow, "The row of a hit whose document has none in the index."},
	{"MISSING_CODE", MissingCode, "A row without a value in a column of codes."},
	{"FILTER_RANGE", FilterRange, "low <= value <= high."},
	{"FILTER_CODES", FilterCodes, "The code is one of a set."},
	{"FILTER_EQUAL", FilterEqual, "The value is one of a set of numbers."},
	{"SIDE_NEITHER", SideNeither, "On neither side of the root."},
	{"SIDE_FOR", SideFor, "For the root."},
	{"SIDE_AGAINST", SideAgainst, "Against the root."},
	{"EVALUATE_COMPLETE", EvaluateComplete, "Average over all judged queries."},
	{"EVALUATE_JUDGED_ONLY", EvaluateJudgedOnly, "Drop documents without a judgement first."},
	{"VALUE_PER_QUERY", ValuePerQuery, "There is a value for each query."},
	{"VALUE_AVERAGED", ValueAveraged, "The value has an average, or a total."},
	{"VALUE_TEXT", ValueText, "The value is a text."},
}

// structs are the structures of the ABI, in the order of the file.
var structs = []reflect.Type{
	reflect.TypeFor[TextRef](),
	reflect.TypeFor[SplitInfo](),
	reflect.TypeFor[AutoRequest](),
	reflect.TypeFor[AutoChoice](),
	reflect.TypeFor[EncodeInfo](),
	reflect.TypeFor[SearchRequest](),
	reflect.TypeFor[Filter](),
	reflect.TypeFor[Hit](),
	reflect.TypeFor[Calibration](),
	reflect.TypeFor[Sides](),
	reflect.TypeFor[SideHit](),
	reflect.TypeFor[JudgeRequest](),
	reflect.TypeFor[JudgeValues](),
	reflect.TypeFor[PortionsRequest](),
	reflect.TypeFor[EvaluateRequest](),
	reflect.TypeFor[Evaluation](),
	reflect.TypeFor[MeanInterval](),
	reflect.TypeFor[PairTest](),
	reflect.TypeFor[TokenSum](),
	reflect.TypeFor[TokenRequest](),
	reflect.TypeFor[WordHit](),
}

const banner = "// Generated from internal/wasm/abi by `make generate`; do not edit.\n\n"

// JavaScript returns the text of abi.js and abi.d.ts by file name.
func JavaScript() map[string]string {
	return map[string]string{"abi.js": javascript(), "abi.d.ts": declarations()}
}

func javascript() string {
	var b strings.Builder
	b.WriteString(banner)
	for _, c := range constants {
		fmt.Fprintf(&b, "/** %s */\nexport const %s = %d;\n", c.doc, c.name, c.value)
	}
	for _, t := range structs {
		fmt.Fprintf(&b, "\n/** Byte offsets of the fields of %s. */\nexport const %s = Object.freeze({\n  size: %d,\n", t.Name(), t.Name(), t.Size())
		for f := range t.Fields() {
			fmt.Fprintf(&b, "  %s: %d, // %s\n", camel(f.Name), f.Offset, f.Type)
		}
		b.WriteString("});\n")
	}
	b.WriteString("\n/** Exports of the core and their number of parameters. */\nexport const FUNCTIONS = Object.freeze({\n")
	for _, f := range Functions() {
		fmt.Fprintf(&b, "  %s: %d,\n", f.Name, len(f.Params))
	}
	b.WriteString("});\n")
	return b.String()
}

func declarations() string {
	var b strings.Builder
	b.WriteString(banner)
	for _, c := range constants {
		fmt.Fprintf(&b, "/** %s */\nexport const %s: %d;\n", c.doc, c.name, c.value)
	}
	for _, t := range structs {
		fmt.Fprintf(&b, "\n/** Byte offsets of the fields of %s. */\nexport const %s: {\n  readonly size: %d;\n", t.Name(), t.Name(), t.Size())
		for f := range t.Fields() {
			fmt.Fprintf(&b, "  /** %s */\n  readonly %s: %d;\n", f.Type, camel(f.Name), f.Offset)
		}
		b.WriteString("};\n")
	}
	b.WriteString("\n/** The exports of core.wasm beside the Go runtime's own. */\nexport interface CoreExports {\n  readonly mem: WebAssembly.Memory;\n")
	for _, f := range Functions() {
		params := make([]string, len(f.Params))
		for i, p := range f.Params {
			params[i] = p.Name + ": number"
		}
		b.WriteString(comment("  ", f.Doc))
		signature := fmt.Sprintf("  %s(%s): number;\n", f.Name, strings.Join(params, ", "))
		if len(signature) > columns+1 {
			signature = fmt.Sprintf("  %s(\n    %s,\n  ): number;\n", f.Name, strings.Join(params, ",\n    "))
		}
		b.WriteString(signature)
	}
	b.WriteString("}\n\n/** Exports of the core and their number of parameters. */\nexport const FUNCTIONS: { readonly [name in Exclude<keyof CoreExports, \"mem\">]: number };\n")
	return b.String()
}

// columns is the greatest length of a line, in characters.
const columns = 120

// comment returns a documentation comment, which has several lines if the text is long.
func comment(indent, text string) string {
	if line := indent + "/** " + text + " */"; len(line) <= columns {
		return line + "\n"
	}
	lines := []string{indent + " *"}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		if len(*last)+1+len(word) > columns {
			lines = append(lines, indent+" *")
			last = &lines[len(lines)-1]
		}
		*last += " " + word
	}
	return indent + "/**\n" + strings.Join(lines, "\n") + "\n" + indent + " */\n"
}

// camel turns MMRCandidates into mmrCandidates and MethodLength into
// methodLength.
func camel(name string) string {
	runes := []rune(name)
	for i := range runes {
		if i > 0 && i+1 < len(runes) && !unicode.IsUpper(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}
