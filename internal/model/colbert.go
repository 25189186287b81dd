package model

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// colbert holds what a late-interaction model adds to BERT (Khattab and Zaharia 2020,
// §3.2).
type colbert struct {
	project         *transformer.Head
	query, document uint32 // markers that follow the first special token
	mask            uint32 // pads queries
	filler          []uint32
	queryLen        int
	documentLen     int
	attendToMask    bool
	skip            []uint32 // ids that are left out of documents, sorted: [PAD] and punctuation
	pad             []uint32 // the id of [PAD], if there is one: a text may spell it
}

// readColBERT reads a ColBERT folder's settings. It returns nil for other folders.
func readColBERT(dir string, c *config, e *textEncoder) (*colbert, error) {
	var s struct {
		Query        string `json:"query_token_id"`
		Document     string `json:"doc_token_id"`
		QueryLen     int    `json:"query_maxlen"`
		DocumentLen  int    `json:"doc_maxlen"`
		AttendToMask bool   `json:"attend_to_mask_tokens"`
		Punctuation  *bool  `json:"mask_punctuation"`
	}
	path := filepath.Join(dir, "artifact.metadata")
	found, err := readJSON(path, &s)
	if err != nil {
		return nil, err
	}
	if !found && !slices.Contains(c.Architectures, "HF_ColBERT") {
		return nil, nil
	}
	if c.Type == "t5" || c.Type == "mpnet" { // MPNet's vocabulary has a [MASK] that is not its mask
		return nil, fmt.Errorf("%s: a ColBERT folder with the architecture %s is not supported, only one of BERT's kind", dir, c.Type)
	}
	if s.Query == "" {
		s.Query = "[unused0]"
	}
	if s.Document == "" {
		s.Document = "[unused1]"
	}
	if s.QueryLen == 0 {
		s.QueryLen = 32
	}
	if s.DocumentLen == 0 {
		s.DocumentLen = 220
	}
	most := e.size.MaxTokens()
	if s.QueryLen < 4 || s.DocumentLen < 4 || s.QueryLen > most || s.DocumentLen > most {
		return nil, fmt.Errorf("%s: query_maxlen %d and doc_maxlen %d; the model takes 4 to %d tokens", path, s.QueryLen, s.DocumentLen, most)
	}
	k := &colbert{queryLen: s.QueryLen, documentLen: s.DocumentLen, attendToMask: s.AttendToMask, filler: e.tokens.Encode(nil, ".")}
	for _, t := range []struct {
		token string
		id    *uint32
	}{{s.Query, &k.query}, {s.Document, &k.document}, {"[MASK]", &k.mask}} {
		id, ok := e.tokens.ID(t.token)
		if !ok {
			return nil, fmt.Errorf("%s: %w: %q", dir, errTokens, t.token)
		}
		*t.id = id
	}
	if len(k.filler) != 1 {
		return nil, fmt.Errorf("%s: %w: %q", dir, errTokens, ".")
	}
	if pad, ok := e.tokens.ID(pack.Pad); ok {
		k.pad, k.skip = []uint32{pad}, []uint32{pad}
	}
	if or(s.Punctuation, true) {
		for _, c := range "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" {
			k.skip = append(k.skip, e.tokens.Encode(nil, string(c))...)
		}
	}
	slices.Sort(k.skip)
	k.project, err = transformer.NewHead(e.checkpoint, e.size.Hidden(), transformer.HeadLayer{Name: "linear", Activation: dense.None})
	if err != nil {
		return nil, fmt.Errorf("%s is a ColBERT folder without its projection (linear.weight): take the folder as it was trained: %w", dir, err)
	}
	return k, nil
}

// tokenEncoder is an open ColBERT model.
type tokenEncoder struct{ *textEncoder }

// TokenInfo implements encoder.TokenEncoder.
func (t *tokenEncoder) TokenInfo() encoder.Info {
	i := t.Info()
	i.Dim, i.MaxLength = t.colbert.project.Out(), t.colbert.documentLen
	i.Pooling, i.Normalize, i.Prompts, i.DefaultPrompt, i.Score = encoder.PoolingTokens, true, nil, "", encoder.ScoreTokens
	return i
}

// EncodeTokens implements TokenEncoder. It encodes texts in the role encoder.Query as queries,
// and all others as documents.
func (t *tokenEncoder) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	k := t.colbert
	inputs := make([]input, len(texts))
	for i, text := range texts {
		// The marker replaces a full stop before the text.
		ids := append(slices.Clone(k.filler), t.encode(text)...)
		most, marker := k.documentLen, k.document
		if role == encoder.Query {
			most, marker = k.queryLen, k.query
		}
		in := &inputs[i]
		if in.ids, in.truncated = t.tokens.Frame(ids, most); len(in.ids) > 1 {
			in.ids[1] = marker
		}
		if role == encoder.Query {
			for j, id := range in.ids {
				if slices.Contains(k.pad, id) { // as if it were padding
					in.ids[j] = k.mask
				}
			}
			if !k.attendToMask {
				in.keys = len(in.ids)
			}
			for len(in.ids) < most {
				in.ids = append(in.ids, k.mask)
			}
		}
	}
	vectors := make([]encoder.TokenVectors, len(texts))
	err := t.forward(ctx, inputs, func(i int, hidden []float32) {
		ids, dim := inputs[i].ids, k.project.Out()
		projected := k.project.Apply(t.workers, hidden, len(ids))
		v := encoder.TokenVectors{Dim: dim, Tokens: len(ids), Truncated: inputs[i].truncated}
		for j, id := range ids {
			if _, found := slices.BinarySearch(k.skip, id); found && role != encoder.Query {
				continue
			}
			row := projected[j*dim : (j+1)*dim]
			normalize(row)
			v.Vectors = append(v.Vectors, row...)
			v.Rows++
		}
		vectors[i] = v
	})
	return vectors, err
}
