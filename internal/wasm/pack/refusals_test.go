package pack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// A manifest that says something impossible is refused before any payload is
// asked for.
func TestManifestRefusals(t *testing.T) {
	files, _ := made(t, tiny(), 3000)
	good := string(files[pack.FileName])
	for _, c := range []struct {
		old, new string // what is replaced, once
		kind     fault.Kind
		says     string
	}{
		{`"vantage-pack"`, `"vantage"`, fault.Input, "not \"vantage-pack\""},
		{`"version":1`, `"version":2`, fault.Version, "this program reads version 1: update"},
		{`"version":1`, `"version":"1"`, fault.Version, "version 0"},
		{`"kind":"encoder"`, `"kind":"decoder"`, fault.Input, `kind "decoder"`},
		{`"kind":"encoder"`, `"kind":"classifier"`, fault.Input, "labels"},
		{`"id":"tiny"`, `"id":""`, fault.Input, "no id"},
		{`"tokenizer":{`, `"tokens":{`, fault.Input, "no tokenizer"},
		{`"tokenizer":{`, `"tokenizer":{"model":{"vocab":{"a":0}}},"rest":{`, fault.Input, "a vocabulary of their own"},
		{`"default_prompt":"query"`, `"default_prompt":"passage"`, fault.Input, "none of the prompts"},
		{`"layers":2`, `"layers":0`, fault.Input, "layers is 0, at least 1"},
		{`"layers":2`, `"layers":2000`, fault.Limit, "layers is 2000, at most 64: choose a smaller model"},
		{`"layers":2`, `"layers":3`, fault.Input, `no tensor "encoder.layer.2.attention`},
		{`"layers":2`, `"layers":-1`, fault.Input, "layers is -1"},
		{`"layers":2`, `"layers":2.5`, fault.Input, "expected an integer"},
		{`"heads":3`, `"heads":5`, fault.Input, "5 heads do not divide a width of 36"},
		{`"hidden":36`, `"hidden":39`, fault.Input, "the configuration asks for"},
		{`"hidden":36`, `"hidden":4095`, fault.Input, "the configuration asks for"},
		{`"vocabulary":`, `"vocabulary":1000000,"was":`, fault.Input, "the configuration asks for [1000000 × 36]"},
		{`"positions":20`, `"positions":15`, fault.Input, "texts of 16 tokens, but only 15 positions"},
		{`"epsilon":1e-12`, `"epsilon":0`, fault.Input, "epsilon"},
		{`"epsilon":1e-12`, `"epsilon":1e-60`, fault.Input, "epsilon"},
		{`"activation":"gelu"`, `"activation":"relu"`, fault.Input, `activation "relu", not gelu or gelu_tanh`},
		{`"activation":"tanh"`, `"activation":"sinh"`, fault.Input, `"sinh" of a dense layer`},
		{`"pooling":"mean"`, `"pooling":"max"`, fault.Input, `pooling "max"`},
		{`"from":1`, `"from":3`, fault.Input, "the branch leaves after layer 3 of 2"},
		{`"dimension":5`, `"dimension":0`, fault.Input, "dimension of the branch is 0"},
		{`"name":"branch"`, `"name":"trunk"`, fault.Input, `section "trunk" that is not expected, or twice`},
		{`"name":"branch"`, `"name":"other"`, fault.Input, `section "other"`},
		{`,` + "\n" + `{"name":"branch"`, `],"rest":[{"name":"branch"`, fault.Input, `no section "branch"`},
		{`"shape":[5,36]`, `"shape":[36,5]`, fault.Input, `"projection.weight" is [36 × 5], the configuration asks for [5 × 36]`},
		{`"shape":[5,36]`, `"shape":[5,36,1,1]`, fault.Input, "too many entries in shape"},
		{`"projection.weight"`, `"projection.bias"`, fault.Input, `"projection.bias" is there twice, or is not of such a model`},
		{`"embeddings.LayerNorm.weight"`, `"embeddings.LayerNorm.bias"`, fault.Input, `"embeddings.LayerNorm.bias" is there twice`},
		{`"shape":[20,36],"encoding":"f16"`, `"shape":[20,36],"encoding":"q8"`, fault.Input, `of encoding "q8", not f16 or f32`},
		{`"shape":[5,36],"encoding":"q`, `"shape":[5,36],"encoding":"f`, fault.Input, "not q4 or q8"},
		{`"offset":0`, `"offset":1`, fault.Input, "begins at byte 1, the one before it ends at 0"},
		{`"offset":0`, `"offset":-1`, fault.Input, "begins at byte -1"},
		{`"bytes":3000`, `"bytes":2999`, fault.Input, "its files have"},
		{`"bytes":3000`, `"bytes":0`, fault.Input, "is said to be empty"},
		{`"bytes":3000`, `"bytes":1000001`, fault.Limit, "is 1000001, at most 1000000"},
		{`"path":"data/`, `"path":"../`, fault.Input, "that is not named after its hash"},
		{`"sha256":"`, `"sha256":"0`, fault.Input, "64 hexadecimal digits"},
		{`"sections":`, `"version":1,"sections":`, fault.Input, "occurs twice"},
		{`"id":"tiny"`, `"id":"` + strings.Repeat("x", 70_000) + `"`, fault.Input, "a text of 70000 bytes"},
		{`"calibration":[`, `"calibration":[` + strings.Repeat("1,", 5000), fault.Input, "too many entries in numbers"},
		{`"wordings":[`, `"wordings":[` + strings.Repeat(`"",`, 5000), fault.Input, "too many entries in texts"},
		{`"calibration":[`, empty(5000) + `"calibration":[`, fault.Input, "too many entries in numbers"},
		{`"wordings":[`, empty(5000) + `"wordings":[`, fault.Input, "too many entries in texts"},
	} {
		if !strings.Contains(good, c.old) {
			t.Errorf("the manifest has no %s", c.old)
			continue
		}
		_, err := pack.Parse([]byte(strings.Replace(good, c.old, c.new, 1)))
		refused(t, c.old+" → "+c.new[:min(len(c.new), 60)], err, c.kind, c.says)
	}
	_, err := pack.Parse([]byte(good[:len(good)/2]))
	refused(t, "half a manifest", err, fault.Input, "not JSON")
	_, err = pack.Parse(make([]byte, pack.MaxManifest+1))
	refused(t, "a large manifest", err, fault.Limit, "this is no pack")
	large := strings.Replace(strings.Replace(good, `"hidden":36`, `"hidden":4095`, 1), `"vocabulary":`, `"vocabulary":1000000,"was":`, 1)
	_, err = pack.Parse([]byte(large))
	refused(t, "large in all", err, fault.Limit, "the memory of all tensors in bytes is 4")
	if _, err := pack.Parse([]byte(strings.Replace(good, `"id":"tiny"`, `"later":{"key":[1]},"id":"tiny"`, 1))); err != nil {
		t.Errorf("a key of a later version: %v", err)
	}
}

// The manifest of a model of token vectors is refused before any payload, too.
func TestTokensRefusals(t *testing.T) {
	files, _ := made(t, late(), 3000)
	good := string(files[pack.FileName])
	m, err := pack.Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	want := late()
	if m.Config.Dimension() != 7 || !reflect.DeepEqual(m.Config.Tokens, want.Config.Tokens) {
		t.Errorf("%+v, want %+v", m.Config.Tokens, want.Config.Tokens)
	}
	for _, c := range []struct {
		old, new string
		kind     fault.Kind
		says     string
	}{
		{`"tokens":{"dimension"`, `"later":{"dimension"`, fault.Input, `pooling "tokens": vectors of tokens go with`},
		{`"pooling":"tokens"`, `"pooling":"mean"`, fault.Input, `pooling "mean": vectors of tokens go with`},
		{`"normalize":true`, `"normalize":false`, fault.Input, "have length 1"},
		{`"tokens":{"dimension"`, `"branch":{"from":1,"layers":1,"dimension":2},"tokens":{"dimension"`, fault.Input, "without dense layers, branch and reader"},
		{`"kind":"encoder"`, `"kind":"classifier"`, fault.Input, "labels"},
		{`"license":`, `"prompts":{"query":"q: "},"license":`, fault.Input, "prompts of an encoder of tokens"},
		{`"dimension":7`, `"dimension":8`, fault.Input, `"linear.weight" is [7 × 36], the configuration asks for [8 × 36]`},
		{`"dimension":7`, `"dimension":0`, fault.Input, "dimension of the vectors of tokens is 0"},
		{`"dimension":7`, `"dimension":5000`, fault.Limit, "dimension of the vectors of tokens is 5000, at most 4096"},
		{`"linear.weight"`, `"projection.weight"`, fault.Input, `"projection.weight" is there twice, or is not of such a model`},
		{`"query_marker":5`, `"query_marker":5000`, fault.Input, "query_marker is 5000, not from 0 to 100"},
		{`"document_marker":6`, `"document_marker":5000`, fault.Input, "document_marker is 5000, not from 0 to 100"},
		{`"mask":4`, `"mask":-1`, fault.Input, "mask is -1"},
		{`"mask":4`, `"mask":5000`, fault.Input, "mask is 5000, not from 0 to 100"},
		{`"query_length":8`, `"query_length":3`, fault.Input, "query_length is 3, not from 4 to 16"},
		{`"query_length":8`, `"query_length":17`, fault.Input, "query_length is 17, not from 4 to 16"},
		{`"document_length":16`, `"document_length":1000`, fault.Input, "document_length is 1000, not from 4 to 16"},
		{`[9,11,12]`, `[9,11,5000]`, fault.Input, "an id of skip is 5000, not from 0 to 100"},
		{`[9,11,12]`, `[9,12,11]`, fault.Input, "do not ascend at 11"},
		{`[9,11,12]`, `[9,9]`, fault.Input, "do not ascend at 9"},
		{`[9,11,12]`, `[` + strings.Repeat("1,", 2000) + `2]`, fault.Input, "too many entries in skip"},
	} {
		if !strings.Contains(good, c.old) {
			t.Errorf("the manifest has no %s", c.old)
			continue
		}
		_, err := pack.Parse([]byte(strings.Replace(good, c.old, c.new, 1)))
		refused(t, c.old+" → "+c.new[:min(len(c.new), 60)], err, c.kind, c.says)
	}
	at := strings.Index(good, `{"name":"linear.weight"`)
	without := strings.TrimSuffix(strings.TrimSpace(good[:at]), ",") + good[at+strings.Index(good[at:], "}")+1:]
	_, err = pack.Parse([]byte(without))
	refused(t, "no projection", err, fault.Input, `section "trunk": no tensor "linear.weight"`)
}

// So is the manifest of a model with a reader of queries.
func TestReaderRefusals(t *testing.T) {
	files, _ := made(t, tiny(), 3000)
	good := string(files[pack.FileName])
	if m, err := pack.Parse([]byte(good)); err != nil || !reflect.DeepEqual(m.Config.Reader, tiny().Config.Reader) {
		t.Fatalf("%+v, %v", m.Config.Reader, err)
	}
	const reader = `"reader":{"states":[1,2],"width":7,"labels":["","stance:for","place"]}`
	labels := func(n int) string {
		return strings.Replace(reader, `"",`, strings.Repeat(`"",`, n-2), 1)
	}
	for _, c := range []struct {
		new  string // in place of the reader
		kind fault.Kind
		says string
	}{
		{strings.Replace(reader, "[1,2]", "[2,1]", 1), fault.Input, "the reader's states are not those after layers from 1 to 2, in rising order"},
		{strings.Replace(reader, "[1,2]", "[1,1]", 1), fault.Input, "in rising order"},
		{strings.Replace(reader, "[1,2]", "[1,3]", 1), fault.Input, "layers from 1 to 2"},
		{strings.Replace(reader, "[1,2]", "[0,1]", 1), fault.Input, "layers from 1 to 2"},
		{strings.Replace(reader, "[1,2]", "[-1,1]", 1), fault.Input, "states is -1"},
		{strings.Replace(reader, "[1,2]", "[1.5,2]", 1), fault.Input, "expected an integer"},
		{strings.Replace(reader, "[1,2]", "[]", 1), fault.Input, "the number of the reader's states is 0, at least 1"},
		{strings.Replace(reader, "[1,2]", "[1,2,3,4,5,6,7,8,9]", 1), fault.Limit, "the number of the reader's states is 9, at most 8"},
		{strings.Replace(reader, "[1,2]", "["+strings.Repeat("1,", 99)+"1]", 1), fault.Input, "too many entries in states"},
		{strings.Replace(reader, "[1,2]", "[1]", 1), fault.Input, `tensor "reader.states.weight" is [7 × 72], the configuration asks for [7 × 36]`},
		{strings.Replace(reader, `"width":7`, `"width":0`, 1), fault.Input, "width of the reader is 0, at least 1"},
		{strings.Replace(reader, `"width":7`, `"wide":7`, 1), fault.Input, "width of the reader is 0"},
		{strings.Replace(reader, `"width":7`, `"width":-7`, 1), fault.Input, "width is -7"},
		{strings.Replace(reader, `"width":7`, `"width":4097`, 1), fault.Limit, "width of the reader is 4097, at most 4096"},
		{strings.Replace(reader, `"width":7`, `"width":8`, 1), fault.Input, `tensor "reader.states.weight" is [7 × 72], the configuration asks for [8 × 72]`},
		{`"reader":{"states":[1,2],"width":7}`, fault.Input, "the number of the reader's labels is 0, at least 1"},
		{labels(65), fault.Limit, "the number of the reader's labels is 65, at most 64"},
		{labels(5000), fault.Input, "too many entries in labels"},
		{`"reader":{"states":[1,2],"width":7,"labels":["` + strings.Repeat("x", 65) + `"]}`, fault.Limit, "the length of a label of the reader is 65, at most 64"},
		{labels(4), fault.Input, `tensor "reader.label.weight" is [3 × 21], the configuration asks for [4 × 21]`},
		{strings.Replace(reader, "place", strings.Repeat("x", 70_000), 1), fault.Input, "a text of 70000 bytes"},
		{strings.Replace(reader, `"",`, `7,`, 1), fault.Input, "expected"},
		{`"reader":[]`, fault.Input, "expected"},
		{`"later":1`, fault.Input, `a section "reader" that is not expected`},
	} {
		if !strings.Contains(good, reader) {
			t.Fatal("the manifest has another reader")
		}
		_, err := pack.Parse([]byte(strings.Replace(good, reader, c.new, 1)))
		refused(t, c.new[:min(len(c.new), 90)], err, c.kind, c.says)
	}
	at := strings.LastIndex(good, `,`+"\n"+`{"name":"reader","files"`)
	for what, c := range map[string]struct{ json, says string }{
		"no section":          {good[:at] + `],"rest":[` + good[at+2:], `no section "reader"`},
		"a section twice":     {strings.Replace(good, `{"name":"branch","files"`, `{"name":"reader","files"`, 1), "is there twice, or is not of such a model"},
		"a tensor missing":    {strings.Replace(good, `{"name":"reader.gate.bias"`, `{"name":"reader.gate.base"`, 1), `"reader.gate.base" is there twice, or is not`},
		"a tensor twice":      {strings.Replace(good, `{"name":"reader.gate.bias"`, `{"name":"reader.label.bias"`, 1), `"reader.label.bias" is there twice`},
		"a wrong shape":       {strings.Replace(good, `"shape":[7,35]`, `"shape":[35,7]`, 1), `"reader.near.0.weight" is [35 × 7], the configuration asks for [7 × 35]`},
		"in a classifier":     {inClassifier(t, reader), "no reader"},
		"in a model of words": {inTokens(t, reader), "without dense layers, branch and reader"},
	} {
		if c.json == good {
			t.Errorf("%s: the manifest is unchanged", what)
		}
		_, err := pack.Parse([]byte(c.json))
		refused(t, what, err, fault.Input, c.says)
	}
	// A reader counts in the memory of all tensors. The trunk below takes 8 MB less than is allowed.
	large := strings.NewReplacer(`"hidden":36`, `"hidden":4095`, `"positions":20`, `"positions":1`, `"max_length":16`, `"max_length":1`, `"intermediate":70`, `"intermediate":1`,
		`"dense":[`, `"was":[`, `"branch":{`, `"before":{`, `"layers":2`, `"layers":1`, `"states":[1,2]`, `"states":[1]`)
	most := (pack.MaxMemory - 4*4095*4101 - 8<<20) / (4095 + 4)
	big := strings.Replace(large.Replace(good), `"vocabulary":`, fmt.Sprintf(`"vocabulary":%d,"pieces":`, most), 1)
	_, err := pack.Parse([]byte(big))
	refused(t, "a small reader", err, fault.Input, "the configuration asks for")
	_, err = pack.Parse([]byte(strings.Replace(big, `"width":7`, `"width":1500`, 1)))
	refused(t, "a large reader", err, fault.Limit, "the memory of all tensors in bytes is 5")
}

// inClassifier is the manifest of a classifier that names a reader.
func inClassifier(t *testing.T, reader string) string {
	m := tiny()
	m.Kind, m.Config.Pooling, m.Config.Normalize, m.Config.Dense, m.Config.Branch, m.Config.Reader = pack.Classifier, pack.CLS, false, nil, nil, nil
	m.Config.Labels = []string{"no", "yes"}
	files, _ := made(t, m, 0)
	return strings.Replace(string(files[pack.FileName]), `"labels":["no"`, reader+`,"labels":["no"`, 1)
}

// inTokens is the manifest of a model of token vectors that names a reader.
func inTokens(t *testing.T, reader string) string {
	files, _ := made(t, late(), 0)
	return strings.Replace(string(files[pack.FileName]), `"tokens":{"dimension"`, reader+`,"tokens":{"dimension"`, 1)
}

// remedy matches errors that end with what to do. Of what is no pack at all, saying so is enough.
var remedy = regexp.MustCompile(`: (check|choose|fetch|make|read|update) [^:]+$|: this is no pack$`)

func refused(t *testing.T, what string, err error, kind fault.Kind, says string) {
	t.Helper()
	if err == nil || fault.Of(err) != kind || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v (%s), want %q (%s)", what, err, fault.Of(err), says, kind)
	}
	if err != nil && !remedy.MatchString(err.Error()) {
		t.Errorf("%s: no remedy in %v", what, err)
	}
}

// A payload file that is cut, long or changed is refused by its length or its hash. So are sections with a file too few
// or too many, and tensors that are not there, or are asked for twice or in another shape.
func TestDamagedFiles(t *testing.T) {
	files, _ := made(t, tiny(), 3000)
	read := func(change func(path string, content []byte) []byte) error {
		_, err := packfile.Read(func(path string) ([]byte, error) {
			content, err := files.Get(path)
			if path == pack.FileName {
				return content, err
			}
			return change(path, bytes.Clone(content)), err
		})
		return err
	}
	refused(t, "cut", read(func(_ string, b []byte) []byte { return b[:len(b)-1] }), fault.Integrity, "bytes, not")
	refused(t, "long", read(func(_ string, b []byte) []byte { return append(b, 0) }), fault.Integrity, "bytes, not")
	refused(t, "changed", read(func(_ string, b []byte) []byte { b[len(b)/2] ^= 1; return b }), fault.Integrity, "its SHA-256 differs")
	p, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		t.Fatal(err)
	}
	trunk := p.Manifest.Section(pack.Trunk).Files
	d, _ := p.Read(pack.Trunk)
	if err := d.File(files[trunk[0].Path]); err != nil {
		t.Fatal(err)
	}
	refused(t, "too few", d.Close(), fault.Integrity, "ends after 1 of")
	refused(t, "after an error", d.File(files[trunk[1].Path]), fault.Integrity, "ends after 1 of")
	if d, err = p.Read(pack.Vocabulary); err == nil {
		err = d.File(files[p.Manifest.Section(pack.Vocabulary).Files[0].Path])
	}
	if err != nil {
		t.Fatal(err)
	}
	refused(t, "too many", d.File(nil), fault.Input, "no more than 1 files")
	_, err = p.Read("head")
	refused(t, "no section", err, fault.Input, `no section "head"`)
	_, err = p.Matrix("projection.weight", 5, 36)
	refused(t, "not read", err, fault.Unavailable, "read the section")
	_, err = p.Vector("projection.bias", 5)
	refused(t, "not there", err, fault.Unavailable, "read the section")
	whole, err := packfile.Read(files.Get)
	if err != nil {
		t.Fatal(err)
	}
	_, err = whole.Matrix("projection.weight", 5, 35)
	refused(t, "another shape", err, fault.Input, "is [5 × 36], not [5 × 35]")
	if _, err = whole.Matrix("projection.weight", 5, 36); err != nil || whole.Has("projection.weight") {
		t.Errorf("a matrix is not handed over: %v", err)
	}
	_, err = whole.Matrix("projection.weight", 5, 36)
	refused(t, "twice", err, fault.Unavailable, "ask for a matrix once")
	_, err = whole.Vector("embeddings.LayerNorm.bias", 35)
	refused(t, "another length", err, fault.Input, "has 36 values, not 35")
}

// Values that an encoding does not have are refused although their hash is right.
func TestPayloadRefusals(t *testing.T) {
	m := tiny()
	m.Config.Vocabulary = len(modeltest.Vocabulary())
	tensors := random(m, 1)
	const table, bias = "embeddings.word_embeddings.weight", "embeddings.LayerNorm.bias"
	q4 := func(at int, b ...byte) func() {
		return func() {
			row := packfile.AppendQ4(nil, make([]int8, m.Config.Hidden), []uint16{0x3c00, 0x3c00}) // 36 = 32 + 4
			good := bytes.Clone(row)
			copy(row[at:], b)
			payload := bytes.Repeat(good, 3)
			payload = append(payload, row...)
			payload = append(payload, bytes.Repeat(good, m.Config.Vocabulary-4)...)
			tensors[table] = stored{Tensor: packfile.Tensor{Encoding: pack.Q4, Payload: payload}}
		}
	}
	q8 := func(at int, b ...byte) func() {
		return func() {
			payload := make([]byte, m.Config.Vocabulary*(4+m.Config.Hidden))
			copy(payload[3*(4+m.Config.Hidden)+at:], b)
			tensors[table] = stored{Tensor: packfile.Tensor{Encoding: pack.Q8, Payload: payload}}
		}
	}
	floats := func(e pack.Encoding, width int, b ...byte) func() {
		return func() {
			payload := make([]byte, width*m.Config.Hidden)
			copy(payload[width:], b)
			tensors[bias] = stored{Tensor: packfile.Tensor{Encoding: e, Payload: payload}}
		}
	}
	good4, good16 := tensors[table], tensors[bias]
	for what, c := range map[string]struct {
		set  func()
		says string
	}{
		"q4, infinite scale": {q4(0, 0x00, 0x7c), table + `", row 3, has a scale`},
		"q4, NaN scale":      {q4(18, 0x01, 0x7e), table + `", row 3, has a scale`},
		"q4, negative scale": {q4(0, 0x00, 0xbc), table + `", row 3, has a scale`},
		"q4, negative zero":  {q4(0, 0x00, 0x80), table + `", row 3, has a scale`},
		"q4, -8":             {q4(20, 0x08), table + `", row 3, has a value`},
		"q8, infinite scale": {q8(0, 0, 0, 0x80, 0x7f), table + `", row 3, has a scale`},
		"q8, NaN scale":      {q8(0, 0, 0, 0xc0, 0x7f), table + `", row 3, has a scale`},
		"q8, negative scale": {q8(0, 0, 0, 0x80, 0xbf), table + `", row 3, has a scale`},
		"q8, -128":           {q8(5, 0x80), table + `", row 3, has a value`},
		"f16, infinite":      {floats(pack.F16, 2, 0x00, 0xfc), bias + `" has a value that is no finite number`},
		"f16, NaN":           {floats(pack.F16, 2, 0x01, 0x7c), bias + `" has a value that is no finite number`},
		"f32, infinite":      {floats(pack.F32, 4, 0, 0, 0x80, 0x7f), bias + `" has a value that is no finite number`},
		"f32, NaN":           {floats(pack.F32, 4, 0, 0, 0xc0, 0x7f), bias + `" has a value that is no finite number`},
	} {
		tensors[table], tensors[bias] = good4, good16
		c.set()
		_, err := packfile.Read(build(t, m, tensors, 1000).Get)
		refused(t, what, err, fault.Input, c.says)
	}
	// A last group of odd length leaves half a byte, which must hold the value zero, stored as 8.
	odd := packfile.AppendQ4(nil, make([]int8, 35), []uint16{0x3c00, 0x3c00})
	odd[len(odd)-1] |= 0x90
	m = tiny()
	m.Config.Hidden, m.Config.Heads, m.Config.Vocabulary = 35, 5, len(modeltest.Vocabulary())
	tensors = random(m, 1)
	tensors[table] = stored{Tensor: packfile.Tensor{Encoding: pack.Q4, Payload: bytes.Repeat(odd, m.Config.Vocabulary)}}
	_, err := packfile.Read(build(t, m, tensors, 1000).Get)
	refused(t, "q4, padding", err, fault.Input, "row 0, has a value")
}

// A vocabulary with holes, with a piece twice, or of another length is refused.
func TestVocabularyRefusals(t *testing.T) {
	for what, c := range map[string]struct {
		change func(pieces []string) string
		says   string
	}{
		"twice":          {func(p []string) string { p[20] = p[21]; return lines(p) }, `has token "` + modeltest.Vocabulary()[21] + `" twice`},
		"a hole":         {func(p []string) string { p[20] = ""; return lines(p) }, "no piece with id 20"},
		"no last line":   {func(p []string) string { return strings.TrimSuffix(lines(p), "\n") + "x" }, "lines for"},
		"one less":       {func(p []string) string { return lines(p[:len(p)-1]) }, "lines for"},
		"no [UNK]":       {func(p []string) string { p[1] = "x1"; return lines(p) }, `lacks the unknown token "[UNK]"`},
		"another [MASK]": {func(p []string) string { p[4], p[5] = p[5], p[4]; return lines(p) }, `added token "[MASK]" has id 4`},
	} {
		text := c.change(modeltest.Vocabulary())
		files, _ := made(t, tiny(), 0)
		p, err := pack.Open(files[pack.FileName], nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Manifest.Section(pack.Vocabulary).Files[0].Bytes = len(text)
		d, err := p.Read(pack.Vocabulary)
		if err == nil {
			err = d.File([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
		refused(t, what, d.Close(), fault.Input, c.says)
	}
}

func lines(pieces []string) string { return strings.Join(pieces, "\n") + "\n" }

// Build refuses what it cannot write, and Read a pack without files.
func TestBuildRefusals(t *testing.T) {
	m := tiny()
	for _, pieces := range [][]string{{"a", ""}, {"a\nb"}} {
		if _, err := packfile.Build(m, packfile.Content{Pieces: pieces}); fault.Of(err) != fault.Input {
			t.Errorf("%q: %v", pieces, err)
		}
	}
	if _, err := packfile.Build(m, packfile.Content{Pieces: []string{"a"}}); err == nil || !strings.Contains(err.Error(), "no tensor") {
		t.Errorf("without tensors: %v", err)
	}
	files := packfile.Files{}
	if _, err := packfile.Read(files.Get); fault.Of(err) != fault.Input || errors.Is(err, fault.Integrity) {
		t.Errorf("no files: %v", err)
	}
}

// empty writes n names of empty lists.
func empty(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"n%d":[],`, i)
	}
	return b.String()
}
