package pirbench

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A retriever that cannot be opened is reported before the chat model is asked anything.
func TestNothingAskedInVain(t *testing.T) {
	dir := t.TempDir()
	s := chatscript.Serve(t, chatscript.Says(`{"root": "a", "perspective": "b"}`))
	for _, retrievers := range [][]string{{VectorsPrefix + dir}, {"static", VectorsPrefix + dir}, {"static", filepath.Join(dir, "none")}} {
		e := Experiment{Retrievers: retrievers, Methods: []string{"none"}, Extract: true, Chat: chat.Settings{URL: s.URL, Model: "m", Anew: true},
			Encoding: retrieve.Encoding{Console: console.New(&bytes.Buffer{})}}
		if _, err := e.Evaluate(t.Context(), []string{debates}); !errors.Is(err, fault.Input) {
			t.Errorf("%q: %v", retrievers, err)
		}
		if n := len(s.Asked()); n != 0 {
			t.Errorf("%q: %d questions were asked before", retrievers, n)
		}
	}
}
