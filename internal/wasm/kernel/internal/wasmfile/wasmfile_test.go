package wasmfile

import (
	"bytes"
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/signature"
)

// A list longer than 64 functions needs more than one byte for table offsets
// (signed LEB128) and one longer than 128 for indexes (unsigned).
func TestLinkageOfManyFunctions(t *testing.T) {
	var functions []signature.Function
	for i := range 200 {
		functions = append(functions, signature.Function{
			Name:   string([]byte{'f', byte('a' + i/26), byte('a' + i%26)}),
			Params: []signature.Param{{Name: "a", Type: signature.U32}, {Name: "b", Type: signature.F64}},
			Result: signature.U32,
		})
	}
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	for name, module := range map[string][]byte{"shim": Shim(functions), "glue": Glue(functions), "host": Host(3)} {
		if _, err := runtime.CompileModule(ctx, module); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSectionsRoundTrip(t *testing.T) {
	module := Shim(signature.Functions)
	tied := Section{ID: Custom, Name: "vantage.source", Body: []byte("abc")}.Append(bytes.Clone(module))
	body, err := CustomSection(tied, "vantage.source")
	if err != nil || string(body) != "abc" {
		t.Errorf("custom section %q, %v", body, err)
	}
	if _, err := CustomSection(module, "vantage.source"); err == nil {
		t.Error("found a custom section that is not there")
	}
	sections, err := Sections(tied)
	if err != nil {
		t.Fatal(err)
	}
	var again []byte
	for _, s := range sections {
		again = s.Append(again)
	}
	if !bytes.Equal(again, tied) {
		t.Error("the sections do not add up to the module")
	}
	// Every proper prefix is an error, or a module with fewer sections.
	for n := range tied {
		if short, err := Sections(tied[:n]); err == nil && len(short) >= len(sections) {
			t.Errorf("a module cut at %d of %d bytes reads as whole", n, len(tied))
		}
	}
}

func TestBare(t *testing.T) {
	table := Section{ID: Table, Body: []byte{1, typeFuncref, 1, 1, 1}}.Append(nil)
	bare, err := Bare(table)
	if err != nil {
		t.Fatal(err)
	}
	if len(bare) != 0 {
		t.Errorf("%d bytes are left, want none", len(bare))
	}
	for _, id := range []byte{Memory, Start, Element, Data, DataSize, Custom} {
		if _, err := Bare(Section{ID: id, Body: []byte{0}}.Append(nil)); err == nil {
			t.Errorf("a module with a section %d passes", id)
		}
	}
}
