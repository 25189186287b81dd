package host

import (
	"encoding/binary"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

var _ search.TokenCore = core{}

// tokenIndex is an index of the vectors of tokens in the core's memory.
type tokenIndex struct {
	in        *instance
	handle    uint64
	documents int // in the files that are loaded
}

func (c core) OpenTokens(codebook []byte, dim, bits, documents int) (search.Tokens, error) {
	b := batch{in: c.in}
	defer b.release()
	pointer := b.put(codebook)
	if b.err != nil {
		return nil, b.err
	}
	handle, err := c.in.call("tokens_open", uint64(pointer), uint64(len(codebook)), uint64(dim), uint64(bits), uint64(documents))
	if err != nil {
		return nil, err
	}
	return &tokenIndex{in: c.in, handle: uint64(handle)}, nil
}

func (t *tokenIndex) Load(first int, file []byte) error {
	pointer, err := t.in.put(file)
	if err != nil {
		return err
	}
	n, err := t.in.call("tokens_load", t.handle, uint64(first), uint64(pointer), uint64(len(file)))
	if err != nil {
		t.in.release(pointer)
		return err
	}
	t.documents += int(n)
	return nil
}

func (t *tokenIndex) Len() int { return t.documents }

func (t *tokenIndex) Search(r *tokens.Request) ([]tokens.Hit, error) {
	b := batch{in: t.in}
	defer b.release()
	capacity := min(max(r.K, 0), t.documents)
	raw := abi.TokenRequest{
		Vectors: b.encode(r.Vectors), Length: uint32(len(r.Vectors)), Gate: uint32(len(r.Gate)),
		K: wanted(r.K), Probes: uint32(max(r.Probes, 0)), Candidates: uint32(max(r.Candidates, 0)),
	}
	raw.Allowed, raw.AllowedLength = b.mask(r.Allowed)
	request, hits := b.encode(raw), b.room(capacity*binary.Size(abi.WordHit{}))
	if b.err != nil {
		return nil, b.err
	}
	n, err := t.in.call("tokens_search", t.handle, uint64(request), uint64(hits), uint64(capacity))
	if err != nil {
		return nil, err
	}
	return t.in.tokenHits(hits, int(n))
}

func (t *tokenIndex) Score(vectors []float32, found []tokens.Hit) error {
	b := batch{in: t.in}
	defer b.release()
	raw := make([]abi.WordHit, len(found))
	for i, h := range found {
		raw[i].Document = h.Document
	}
	pointer, hits := b.encode(vectors), b.encode(raw)
	if b.err != nil {
		return b.err
	}
	if _, err := t.in.call("tokens_score", t.handle, uint64(pointer), uint64(len(vectors)), uint64(hits), uint64(len(found))); err != nil {
		return err
	}
	scored, err := t.in.tokenHits(hits, len(found))
	copy(found, scored)
	return err
}

func (t *tokenIndex) Close() error {
	_, err := t.in.call("tokens_close", t.handle)
	return err
}

// tokenHits reads hits of MaxSim, whose scores are float32.
func (in *instance) tokenHits(pointer uint32, n int) ([]tokens.Hit, error) {
	raw := make([]abi.WordHit, n)
	if err := in.decode(pointer, raw); err != nil {
		return nil, err
	}
	hits := make([]tokens.Hit, n)
	for i, h := range raw {
		hits[i] = tokens.Hit{Document: h.Document, Score: float32(h.Score)}
	}
	return hits, nil
}
