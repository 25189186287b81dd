// Package encode turns text into vectors inside the browser core: the WordPiece
// tokenizer of BERT models, read from a tokenizer.json, and static encoders in the
// layout of Model2Vec, whose sentence vector is the mean of token vectors. It also has
// other tokenizers of transformers, byte-level BPE and general pipelines, for the models
// of internal/model, which run natively. The core does not link these.
//
// The first two give the same bits in the browser and natively, because Unicode
// properties are frozen in generated tables, and sums are taken in float64 in a fixed
// order.
package encode
