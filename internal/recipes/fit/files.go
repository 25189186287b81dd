package fit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// addedToken is a special token as tokenizer.json declares it.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// tokenizerFile returns the tokenizer.json of an uncased BERT tokenizer with the given
// tokens, in the format of the Hugging Face tokenizers library.
func tokenizerFile(tokens []string) ([]byte, error) {
	type object = map[string]any
	var added []addedToken
	for i, s := range specialTokens {
		added = append(added, addedToken{ID: i, Content: s, Special: true})
	}
	vocabulary := make(map[string]int, len(tokens))
	for i, t := range tokens {
		vocabulary[t] = i
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(object{
		"version": "1.0", "truncation": nil, "padding": nil, "post_processor": nil,
		"added_tokens":  added,
		"normalizer":    object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"decoder":       object{"type": "WordPiece", "prefix": continuation, "cleanup": true},
		"model": object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": continuation,
			"max_input_chars_per_word": maxWordRunes, "vocab": vocabulary},
	})
	return out.Bytes(), err
}

// weightsFile returns the model.safetensors of vectors, dim numbers per token,
// quantised to int8.
func weightsFile(vectors []float64, dim int) ([]byte, error) {
	n := len(vectors) / dim
	embeddings, scales := make([]byte, len(vectors)), make([]byte, 0, 4*n)
	row, quantized := make([]float32, dim), make([]int8, dim)
	for i := range n {
		for j := range row {
			row[j] = float32(vectors[i*dim+j])
		}
		bits := math.Float32bits(shard.QuantizeRow(quantized, row))
		scales = append(scales, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		for j, q := range quantized {
			embeddings[i*dim+j] = byte(q)
		}
	}
	return shard.AppendSafetensors(nil, []shard.Tensor{
		{Name: "embeddings", DType: shard.I8, Shape: []int{n, dim}, Data: embeddings},
		{Name: "scales", DType: shard.F32, Shape: []int{n}, Data: scales},
	}, nil)
}

// config is the config.json of a static model.
type config struct {
	ModelType        string   `json:"model_type"`
	Architectures    []string `json:"architectures"`
	ID               string   `json:"id"`
	Language         string   `json:"language,omitempty"`
	Normalize        bool     `json:"normalize"`
	HiddenDim        int      `json:"hidden_dim"`
	VocabSize        int      `json:"vocab_size"`
	SeqLength        int      `json:"seq_length"`
	UnkToken         string   `json:"unk_token"`
	DropUnk          bool     `json:"drop_unk"`
	AddSpecialTokens bool     `json:"add_special_tokens"`
	EmbeddingDType   string   `json:"embedding_dtype"`
}

// fill makes the contents of the files. VocabSize, Dim and Notes must be set before.
func (f *Files) fill(o Options, tokenizer []byte, vectors []float64, c *corpus) error {
	weights, err := weightsFile(vectors, f.Dim)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	id := o.Name
	if id == "" {
		sum := sha256.Sum256(append(tokenizer[:len(tokenizer):len(tokenizer)], weights...))
		id = "vantage-fit-" + hex.EncodeToString(sum[:4])
	}
	configJSON, err := json.MarshalIndent(config{
		ModelType: "model2vec", Architectures: []string{"StaticModel"}, ID: id, Language: o.Language,
		Normalize: true, HiddenDim: f.Dim, VocabSize: f.VocabSize, SeqLength: o.MaxLength,
		UnkToken: "[UNK]", DropUnk: true, EmbeddingDType: "int8",
	}, "", " ")
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	f.Files = staticmodel.New(id, tokenizer, weights, append(configJSON, '\n'))
	f.Language = o.Language
	f.Card = f.card(c)
	if _, err := f.Open(); err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	return nil
}

// card is the model card.
func (f *Files) card(c *corpus) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", f.ID)
	fmt.Fprintf(&b, "A static text encoder that `vantage fit` learnt from a corpus: %d WordPiece tokens × %d dimensions, int8. It knows the words and topics of that corpus and nothing else.\n\n", f.VocabSize, f.Dim)
	if f.Language != "" {
		fmt.Fprintf(&b, "- Language: %s\n", f.Language)
	}
	fmt.Fprintf(&b, "- Revision: `%s`\n", f.Revision)
	fmt.Fprintf(&b, "- Corpus: %d documents, %d words, %d different ones\n", c.documents, len(c.sequence), len(c.words))
	b.WriteString("- Vocabulary: BERT's normaliser and pre-tokenizer, characters and byte-pair merges\n")
	b.WriteString("- Vectors: idf times the right singular vectors of the documents' tf-idf matrix (latent semantic analysis); rows already carry idf\n")
	b.WriteString("- Use: mean of the vectors of known tokens, divided by its length; `embeddings` int8 × `scales`\n")
	for _, note := range f.Notes {
		fmt.Fprintf(&b, "- Note: %s\n", note)
	}
	return []byte(b.String())
}
