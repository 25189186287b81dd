package judgements

import (
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// What the page refuses to read is an error: a file of too many values or bytes. One that is just within is written.
func TestMarshalBounds(t *testing.T) {
	of := func(id string, n int) *Judgements {
		return &Judgements{Format: "vantage-judgements", Version: 1, Queries: []Query{{ID: "q", Text: "cats", Gold: slices.Repeat([]string{id}, n)}}}
	}
	const others = 8 // the file, format, version, the list of queries, a query with its id, text and list of documents
	content, err := of("d", jsonlite.MaxValues-others).Marshal()
	if err != nil || jsonlite.Check(content) != nil {
		t.Errorf("as many values as a page reads: %v", err)
	}
	_, err = of("d", jsonlite.MaxValues-others+1).Marshal()
	if err == nil || fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "more than 1000000 values") || !strings.Contains(err.Error(), ": give fewer queries") {
		t.Errorf("one value more: %v", err)
	}
	empty, err := of("", 1).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	room := maxJudgementsBytes - len(empty)
	if content, err = of(strings.Repeat("d", room), 1).Marshal(); err != nil || len(content) != maxJudgementsBytes {
		t.Errorf("as many bytes as a page loads: %d, %v", len(content), err)
	}
	if _, err = of(strings.Repeat("d", room+1), 1).Marshal(); err == nil || !strings.Contains(err.Error(), "a page loads at most 16") {
		t.Errorf("one byte more: %v", err)
	}
}
