package retrieve

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
)

// prefixes has the prefix for each role of texts. It is nil if there are none.
func (s *Spec) prefixes() map[encoder.Role]string {
	var prefixes map[encoder.Role]string
	for role, prefix := range map[encoder.Role]string{encoder.Query: s.QueryPrefix, encoder.Document: s.DocumentPrefix} {
		if prefix != "" {
			if prefixes == nil {
				prefixes = map[encoder.Role]string{}
			}
			prefixes[role] = prefix
		}
	}
	return prefixes
}

// prefixesFor says how to give a model the prompts that it wants.
func prefixesFor(wants named.Prompts) string {
	options := ""
	for _, o := range []struct{ name, text string }{{QueryPrefixOption, wants.Query}, {DocumentPrefixOption, wants.Document}} {
		if o.text != "" {
			options += "," + o.name + "=" + o.text
		}
	}
	return "append " + human.Value(options) + " to its name"
}

// prefixed is a transformer that reads a prefix before the texts of a role, in place of
// the model's own prompt.
type prefixed struct {
	model.Encoder
	prefixes map[encoder.Role]string
}

// Encode encodes texts, each with the prefix for its role.
func (p *prefixed) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if prefix, ok := p.prefixes[o.Role]; ok && o.Prompt == nil && o.Prompts == nil {
		o.Prompt = &prefix
	}
	return p.Encoder.Encode(ctx, texts, o)
}

// Info describes the model with its prefixes as its prompts.
func (p *prefixed) Info() encoder.Info {
	info := p.Encoder.Info()
	prompts := map[string]string{}
	for name, prompt := range info.Prompts {
		prompts[name] = prompt
	}
	for role, prefix := range p.prefixes {
		prompts[string(role)] = prefix
	}
	info.Prompts = prompts
	return info
}
