package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Parse reads and checks a manifest. Errors: ErrNotCollection, *NewerError, *InvalidError.
func Parse(b []byte) (*Manifest, error) {
	if len(b) > MaxBytes {
		return nil, &InvalidError{Field: "manifest", Problem: tooLarge(int64(len(b)))}
	}
	if !utf8.Valid(b) {
		return nil, invalid("manifest", "not UTF-8")
	}
	if err := jsonlite.Check(b); err != nil {
		return nil, invalid("manifest", "%s", err)
	}
	// The version decides how the rest is read, so it is read first.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		var kind *json.UnmarshalTypeError
		switch {
		case !errors.As(err, &kind):
			return nil, invalid("manifest", "not JSON: %s", err)
		case kind.Field == "version":
			return nil, invalid("version", "a JSON %s where a whole number belongs", kind.Value)
		}
		return nil, ErrNotCollection
	}
	switch {
	case head.Format != Format:
		return nil, ErrNotCollection
	case head.Version > Version:
		return nil, &NewerError{Version: head.Version}
	case head.Version < 1:
		return nil, invalid("version", "%d, the first version is 1", head.Version)
	}
	if err := checkKeys(b); err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, invalid(kind.Field, "a JSON %s where %s belongs", kind.Value, kind.Type)
		}
		return nil, invalid("manifest", "%s", err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, nil
}

// checkKeys walks the JSON and refuses what encoding/json accepts silently: null for
// a number or a text of a list, which it takes for 0 or none; repeated keys, of which different readers use different ones, and keys in another
// case, which encoding/json takes for the known ones and a browser does not. Only the
// keys of "prompts" are free. static/src/collection/manifest.js, whose parser shows no
// repeated keys, leaves this to the programs that write and copy collections.
func checkKeys(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	type object struct {
		keys  map[string]bool // nil in an array
		free  bool
		isKey bool
	}
	var open []object
	var last string
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return invalid("manifest", "not JSON: %s", err)
		}
		if n := len(open); n > 0 && open[n-1].keys != nil && open[n-1].isKey {
			if key, ok := t.(string); ok {
				o := &open[n-1]
				if o.keys[key] {
					return invalid(key, "the key occurs twice in one object")
				}
				if !o.free && !isSnakeCase(key) {
					return invalid(key, "keys are of lower-case letters, digits and '_'")
				}
				o.keys[key], o.isKey, last = true, false, key
				continue
			}
		}
		if n := len(open); n > 0 && t == nil && (open[n-1].keys == nil || open[n-1].free) {
			return invalid("manifest", "null in a list or among the prompts")
		}
		switch t {
		case json.Delim('{'):
			open = append(open, object{keys: map[string]bool{}, free: last == "prompts", isKey: true})
		case json.Delim('['):
			open = append(open, object{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && t != json.Delim('{') && t != json.Delim('[') {
			open[n-1].isKey = true // a scalar, object or array has ended
		}
		last = ""
	}
	return nil
}

func isSnakeCase(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return s != ""
}
