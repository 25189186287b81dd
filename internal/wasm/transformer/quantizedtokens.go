package transformer

// TokenProjection is the name of the projection to vectors of tokens, without ".weight".
// It has no bias.
const TokenProjection = "linear"

// EncodeTokens writes the vector of every token of a batch, [tokens, Config.Tokens]: its
// state after the last layer, projected and scaled to length 1 (Khattab and Zaharia 2020,
// ColBERT, §3.2). Batch.Keys leaves the padding of queries out of attention. Padding has
// vectors all the same.
func (m *Quantized) EncodeTokens(vectors []float32, b *Batch, s *QuantizedScratch) error {
	if m.tokens == nil {
		return errTokens
	}
	if err := b.check(m.c.Vocabulary, max(1, m.c.Types), m.c.MaxTokens()); err != nil {
		return err
	}
	dim := m.c.Tokens
	if len(vectors) < len(b.IDs)*dim {
		return errRoom
	}
	s.passes(b, func(_ int, part *Batch) {
		x := m.embed(part, s)
		for i := range m.layers {
			m.layers[i].apply(&m.c, x, part, s)
		}
		to := vectors[:len(part.IDs)*dim]
		vectors = vectors[len(to):]
		m.linear(m.tokens, to, x, m.c.Hidden, len(part.IDs), s)
		normalize(to, dim)
	})
	return nil
}
