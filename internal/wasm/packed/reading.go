package packed

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/perspective"
)

// CheckReader refuses a pack whose reader has labels that this program does not know.
func CheckReader(m *pack.Manifest) error {
	if m.Config.Reader == nil {
		return nil
	}
	for _, label := range m.Config.Reader.Labels {
		if !perspective.IsLabel(label) {
			return fault.New(fault.Unsupported, "pack: its reader has the label "+strconv.Quote(label)+", which is no kind of perspective: a newer version may know it")
		}
	}
	return nil
}

// maxRead is the most tokens of a query that the reader reads, with the special ones. A longer query is
// no everyday wording.
const maxRead = 64

// sure is how much greater the score of a perspective must be than that of none. Ordinary queries of kinds that no reader
// has learned from, such as the questions of scholars, are taken for requests with scores that are hardly greater.
const sure = .5

// Read finds the root and the perspective of a query: with the pack's reader if that has been read,
// else by the grammar alone.
func (e *Encoder) Read(query string) (perspective.Reading, error) {
	return Read(e.pack, e.model, e.scratch, query)
}

// Read is Encoder.Read with the model of a pack, which is nil as long as it has not been read.
func Read(p *pack.Pack, m *transformer.Quantized, s *transformer.QuantizedScratch, query string) (perspective.Reading, error) {
	words := perspective.Words(query)
	if m == nil || !m.HasReader() || len(words) == 0 || len(words) > maxRead {
		return perspective.Read(query), nil
	}
	tokenizer, first := p.Tokenizer(), [maxRead]int{} // token of each word
	var ids []uint32
	for i, w := range words {
		first[i] = tokenizer.Before() + len(ids)
		ids = tokenizer.Encode(ids, query[w.Start:w.End])
	}
	if len(ids) == 0 {
		return perspective.Read(query), nil
	}
	ids, truncated := tokenizer.Frame(ids, min(maxRead, m.Config().MaxTokens()))
	if truncated {
		return perspective.Read(query), nil
	}
	scores, root, err := m.Read(ids, s)
	if err != nil {
		return perspective.Reading{}, err
	}
	for i := range words {
		if first[i] < len(root) { // the tokenizer may know no token of the last words, and put none behind them
			words[i].Root = root[first[i]]
		}
	}
	labels, best := p.Manifest.Config.Reader.Labels, 0
	for i, label := range labels {
		if label == "" {
			scores[i] += sure
		}
		if scores[i] > scores[best] {
			best = i
		}
	}
	return perspective.ReadTagged(query, words, labels[best]), nil
}
