package collection

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Limits of the columns. Dictionaries are in the manifest, which every visitor loads.
const (
	MaxColumns              = 256
	maxLeftOut              = 4096 // once so many fields are left out, new fields get no columns and are not recorded
	maxDictionaryBytes      = 1 << 20
	maxDictionaryBytesTotal = 4 << 20
	maxDictionaryValues     = 500_000 // in all fields; the manifest has room for twice as many values
	maxColumnsBytes         = 256 << 20
	maxFieldName            = 256
)

// columns collects the metadata of all documents by field. If all values of a field
// have the same type, the field has that type. Otherwise it is a string field, with
// numbers and truth values in JSON's form. null counts as missing. Fields with nested
// values, or with more distinct strings than a dictionary takes, are left out.
type columns struct {
	fields  map[string]*column
	leftOut map[string]string // field → reason
}

// column holds the values of a field, only for the rows that have one.
type column struct {
	kind    string
	rows    []uint32
	numbers []float64 // of number and bool fields
	codes   []uint32  // of string fields
	values  []string
	code    map[string]uint32
	bytes   int // length of all values
}

func newColumns() *columns {
	return &columns{fields: map[string]*column{}, leftOut: map[string]string{}}
}

// add adds the metadata of the next document.
func (c *columns) add(row int, metadata map[string]any) {
	// Sort the names, so that the choice of fields does not depend on Go's map order.
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		if c.leftOut[name] != "" {
			continue
		}
		value := written(metadata[name])
		if value == nil {
			continue
		}
		field := c.fields[name]
		if field == nil {
			if reason := c.refuse(name); reason != "" {
				if len(c.leftOut) < maxLeftOut {
					c.leftOut[name] = reason
				}
				continue
			}
			field = &column{}
			c.fields[name] = field
		}
		if reason := field.add(uint32(row), value); reason != "" {
			delete(c.fields, name)
			c.leftOut[name] = reason
		}
	}
}

// refuse says why a new field cannot have a column, or "".
func (c *columns) refuse(name string) string {
	switch {
	case name == "" || name == "__metadata__" || len(name) > maxFieldName || strings.ToValidUTF8(name, "") != name:
		return fmt.Sprintf("the name must be UTF-8 of 1 to %d bytes, and not __metadata__", maxFieldName)
	case len(c.fields) == MaxColumns || len(c.leftOut) >= maxLeftOut:
		return fmt.Sprintf("there are more than %d fields", MaxColumns)
	}
	return ""
}

func (c *column) add(row uint32, value any) (reason string) {
	kind, number, text := classify(value)
	if kind == "" {
		return "its values are lists, or nested"
	}
	if c.kind == "" {
		c.kind = kind
	}
	if c.kind != kind && c.kind != manifest.TypeString {
		if reason := c.toStrings(); reason != "" {
			return reason
		}
	}
	c.rows = append(c.rows, row)
	if c.kind != manifest.TypeString {
		c.numbers = append(c.numbers, number)
		return ""
	}
	if kind != manifest.TypeString {
		text = literal(kind, number)
	}
	return c.addString(text)
}

func (c *column) addString(s string) (reason string) {
	code, ok := c.code[s]
	if !ok {
		code = uint32(len(c.values))
		if c.bytes += len(s); len(c.values) == manifest.MaxDictionary || c.bytes > maxDictionaryBytes {
			return fmt.Sprintf("it has more than %d different values, or more than %d MB of them", manifest.MaxDictionary, maxDictionaryBytes>>20)
		}
		if c.code == nil {
			c.code = map[string]uint32{}
		}
		s = strings.Clone(s)
		c.code[s] = code
		c.values = append(c.values, s)
	}
	c.codes = append(c.codes, code)
	return ""
}

// toStrings turns a column of mixed types into a string column.
func (c *column) toStrings() (reason string) {
	numbers, kind := c.numbers, c.kind
	c.kind, c.numbers = manifest.TypeString, nil
	for _, number := range numbers {
		if reason := c.addString(literal(kind, number)); reason != "" {
			return reason
		}
	}
	return ""
}

// written returns a scalar of a Go program as the document's JSON has it: types of its own,
// such as a named string or a time, by what encoding/json makes of them, and a float32 by
// its shortest digits. Other values stay what they are.
func written(value any) any {
	switch v := value.(type) {
	case nil, string, bool, json.Number, float64, []any, map[string]any:
		return value
	case json.RawMessage:
		if len(v) > 0 && (v[0] == '{' || v[0] == '[') {
			return value // may be long
		}
	}
	if v := reflect.ValueOf(value); v.Type().PkgPath() == "" && (v.CanInt() || v.CanUint()) {
		return value
	}
	text, err := json.Marshal(value)
	if err != nil || text[0] == '{' || text[0] == '[' {
		return value
	}
	var scalar any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&scalar); err != nil {
		return value
	}
	return scalar
}

// classify returns a scalar's type, "" for anything nested.
func classify(value any) (kind string, number float64, text string) {
	switch v := value.(type) {
	case string:
		return manifest.TypeString, 0, strings.ToValidUTF8(v, "\ufffd")
	case bool:
		if v {
			number = 1
		}
		return manifest.TypeBool, number, ""
	case json.Number:
		number, err := strconv.ParseFloat(v.String(), 64)
		if err != nil {
			return manifest.TypeString, 0, v.String() // outside the range of float64
		}
		return manifest.TypeNumber, number, ""
	case float64:
		return manifest.TypeNumber, v, ""
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return manifest.TypeNumber, float64(v.Int()), ""
	case v.CanUint():
		return manifest.TypeNumber, float64(v.Uint()), ""
	case v.CanFloat():
		return manifest.TypeNumber, v.Float(), ""
	}
	return "", 0, ""
}

// literal is a number or truth value in JSON's form.
func literal(kind string, number float64) string {
	if kind == manifest.TypeBool {
		return strconv.FormatBool(number != 0)
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}

// missing is the code of a row without a value.
const missing = math.MaxUint32

// build writes the columns in the order of the fields' names. It returns no content if
// there is no column.
func (c *columns) build(rows int) (content []byte, fields []manifest.Field, err error) {
	var names []string
	for name := range c.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	var tensors []shard.Tensor
	size, dictionaries, values := 0, 0, 0
	for _, name := range names {
		col := c.fields[name]
		width := 8
		if col.kind == manifest.TypeString {
			width = 4
		}
		if size+width*rows > maxColumnsBytes {
			c.leftOut[name] = fmt.Sprintf("the columns would take more than %d MB", maxColumnsBytes>>20)
			continue
		}
		if dictionaries+col.bytes > maxDictionaryBytesTotal {
			c.leftOut[name] = fmt.Sprintf("the dictionaries of all fields would take more than %d MB", maxDictionaryBytesTotal>>20)
			continue
		}
		if values+len(col.values) > maxDictionaryValues {
			c.leftOut[name] = fmt.Sprintf("the dictionaries of all fields would have more than %d values", maxDictionaryValues)
			continue
		}
		size, dictionaries, values = size+width*rows, dictionaries+col.bytes, values+len(col.values)
		field := manifest.Field{Name: name, Type: col.kind, Tensor: name}
		tensor := shard.Tensor{Name: name, Shape: []int{rows}}
		if col.kind == manifest.TypeString {
			tensor.DType = shard.U32
			tensor.Data, field.Values = col.buildStrings(rows)
		} else {
			tensor.DType = shard.F64
			tensor.Data = col.buildNumbers(rows)
		}
		tensors = append(tensors, tensor)
		fields = append(fields, field)
	}
	if len(tensors) == 0 {
		return nil, nil, nil
	}
	content, err = shard.AppendSafetensors(nil, tensors, nil)
	return content, fields, err
}

func (c *column) buildNumbers(rows int) []byte {
	data := make([]byte, 8*rows)
	for i := range rows {
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(math.NaN()))
	}
	for i, row := range c.rows {
		binary.LittleEndian.PutUint64(data[8*row:], math.Float64bits(c.numbers[i]))
	}
	return data
}

// buildStrings sorts the dictionary, so that it does not depend on the order of the
// documents.
func (c *column) buildStrings(rows int) ([]byte, []string) {
	order := make([]uint32, len(c.values))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(c.values[a], c.values[b]) })
	values := make([]string, len(order))
	code := make([]uint32, len(order))
	for i, old := range order {
		values[i], code[old] = c.values[old], uint32(i)
	}
	data := make([]byte, 4*rows)
	for i := range rows {
		binary.LittleEndian.PutUint32(data[4*i:], missing)
	}
	for i, row := range c.rows {
		binary.LittleEndian.PutUint32(data[4*row:], code[c.codes[i]])
	}
	return data, values
}

// report lists the fields that were left out, by name.
func (c *columns) report() []LeftOut {
	var out []LeftOut
	for name, reason := range c.leftOut {
		out = append(out, LeftOut{name, reason})
	}
	slices.SortFunc(out, func(a, b LeftOut) int { return cmp.Compare(a.Field, b.Field) })
	return out
}
