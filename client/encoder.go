package client

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage"
)

// Encoder is the server's model, for vantage.OpenOptions, vantage.NewReranker and
// vantage.Index. It works for as long as the client is open.
func (c *Client) Encoder() vantage.Encoder { return remote{c} }

// remote is a server's model as an encoder.
type remote struct{ c *Client }

func (r remote) Model() vantage.Model {
	m := r.c.Facts().Model
	if m.Prompts == nil { // a server says all that it puts before texts
		m.Prompts = map[string]string{}
	}
	return vantage.Model{ID: m.ID, Revision: m.Revision, Dim: m.Dim, Normalize: m.Normalize, MaxLength: m.MaxLength, Prompts: m.Prompts}
}

// Remote says that texts leave the program, for vantage.Query.Contexts.
func (remote) Remote() bool { return true }

func (r remote) Encode(ctx context.Context, texts []string, role vantage.Role) ([]vantage.Encoding, error) {
	answers, err := r.c.Encode(ctx, texts, EncodeOptions{Role: role})
	if err != nil {
		return nil, err
	}
	out := make([]vantage.Encoding, len(texts))
	for i, a := range answers {
		if a.Err != nil {
			return nil, fmt.Errorf("text %d (%.60q): %w", i, texts[i], a.Err)
		}
		out[i] = vantage.Encoding{Vector: a.Vector, Tokens: a.Tokens, Truncated: a.Truncated}
	}
	return out, nil
}
