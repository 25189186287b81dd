package vantage

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// fill sets every part of a value to something other than zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0))
		fill(t, v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, value)
		v.SetMapIndex(reflect.ValueOf("query").Convert(v.Type().Key()), value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("a %s", v.Kind())
	}
}

func filled[T any](t *testing.T) (v T) {
	fill(t, reflect.ValueOf(&v).Elem())
	return v
}

// text returns all parts of a value by the names of their fields. Fields of an embedded
// Info count as fields of the value, as in this package.
func text(t *testing.T, v any) string {
	t.Helper()
	var tree func(v reflect.Value) any
	tree = func(v reflect.Value) any {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				return nil
			}
			return tree(v.Elem())
		case reflect.Slice:
			var all []any
			for i := range v.Len() {
				all = append(all, tree(v.Index(i)))
			}
			return all
		case reflect.Struct:
			all := map[string]any{}
			for i := range v.NumField() {
				if !v.Type().Field(i).IsExported() { // such as how a query was read, which its texts say
					continue
				}
				field := tree(v.Field(i))
				if v.Field(i).Type() == reflect.TypeFor[encode.Info]() {
					for name, value := range field.(map[string]any) {
						all[name] = value
					}
					continue
				}
				all[v.Type().Field(i).Name] = field
			}
			return all
		}
		return v.Interface()
	}
	b, err := json.Marshal(tree(reflect.ValueOf(v)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Conversion loses no part of a query, and no part of a result.
func TestConversions(t *testing.T) {
	query := filled[Query](t)
	if in, out := text(t, query), text(t, queryOf(query)); in != out {
		t.Errorf("a query\n%s became\n%s", in, out)
	}
	result := filled[search.Result](t)
	converted := resultOf(&result)
	if in, out := text(t, result), text(t, *converted); in != out {
		t.Errorf("an answer\n%s became\n%s", in, out)
	}
	for _, r := range []search.Result{result, {Hits: []search.Hit{}}, {Hits: []search.Hit{{Rank: 1}}}} {
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(resultOf(&r)); err != nil || string(got) != string(want) {
			t.Errorf("JSON %s, want %s (%v)", got, want, err)
		}
	}
	if got, want := text(t, textsOf(converted).Texts), text(t, result.Texts); got != want {
		t.Errorf("texts %s, want %s", got, want)
	}
	described := filled[manifest.Model](t)
	want, err := json.Marshal(described)
	if err != nil {
		t.Fatal(err)
	}
	model := modelOf(described)
	if got, err := json.Marshal(model); err != nil || string(got) != string(want) {
		t.Errorf("a model %s, want %s (%v)", got, want, err)
	}
	model.Prompts["query"] = "other"
	if described.Prompts["query"] == "other" {
		t.Error("a change to a description changed the manifest")
	}
	if m := modelOf(manifest.Model{Architecture: manifest.Unstated}); m.Architecture != "" {
		t.Errorf("an encoder that does not say its architecture has the one %q", m.Architecture)
	}
	if MethodWords != search.MethodWords {
		t.Errorf("MethodWords is %q, want %q", MethodWords, search.MethodWords)
	}
	about, err := os.ReadFile("query.go") // its text is the documentation
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range search.Fusions() {
		if !strings.Contains(string(about), `"`+name+`"`) {
			t.Errorf("the comment of Hybrid.Fusion does not mention %q", name)
		}
	}
	// An encoder is described by what its Model says.
	info := outsideEncoder{constant{model: filled[Model](t)}}.Info()
	for name, is := range map[string]bool{"id": info.ID == "text", "revision": info.Revision == "text", "architecture": info.Architecture == "text", "dim": info.Dim == 7,
		"pooling": info.Pooling == "text", "normalize": info.Normalize, "length": info.MaxLength == 7, "bf16": info.BF16, "int8": info.Int8, "language": info.Language == "text", "prompts": info.Prompts["query"] == "text"} {
		if !is {
			t.Errorf("the encoder's %s is lost: %+v", name, info)
		}
	}
}
