// Package model opens encoders by the name or folder that HuggingFace's
// libraries know them by, and gives the vectors that these give.
package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Encoder turns texts into vectors. It may be used by several goroutines.
type Encoder interface {
	Info() Info
	// Encode returns one embedding for each text, in order. A text's embedding is
	// the same to the bit whatever texts it is encoded with; on a device (see
	// Options), to 1e-5.
	Encode(ctx context.Context, texts []string, o EncodeOptions) ([]Embedding, error)
	// Close frees the model; nothing may be encoded afterwards.
	Close() error
}

// IDEncoder is an encoder that also takes texts as the ids of their tokens.
type IDEncoder interface {
	Encoder
	// EncodeIDs returns one embedding for each list of ids of the model's tokenizer,
	// as `vantage tokenize` prints them: special tokens included, and the prompt
	// if there is to be one, since none is added. A list that is longer than the
	// model takes is cut as its text would be. See Info.CheckIDs for what is wrong
	// with a list.
	EncodeIDs(ctx context.Context, ids [][]uint32) ([]Embedding, error)
}

// TokenEncoder is an encoder that has a vector for each token (ColBERT).
type TokenEncoder interface {
	Encoder
	// EncodeTokens returns the vectors by which texts are compared, see
	// rerank.MaxSim: of queries with padding as augmentation, of documents without
	// punctuation.
	EncodeTokens(ctx context.Context, texts []string, role Role) ([]TokenVectors, error)
}

// Classifier is a model that sorts a text, or a pair of texts, into classes.
type Classifier interface {
	Info() Info
	// Labels of the classes.
	Labels() []string
	// Classify returns, for each pair, the logit of each class. An empty second
	// text means that there is none.
	Classify(ctx context.Context, pairs [][2]string) ([]Scores, error)
	Close() error
}

// Decoder is a language model with its last hidden states (PGRA's stage 2).
type Decoder interface {
	Encoder
	// Logits returns for each text the score of every token to come next.
	Logits(ctx context.Context, texts []string) ([]Scores, error)
	// TokenID is the id of a token by its spelling.
	TokenID(token string) (uint32, bool)
}

// Role is what a text is in retrieval; models may have a prompt for it.
type Role string

// The roles.
const (
	NoRole   Role = ""
	Query    Role = "query"
	Document Role = "document"
)

// documentRoles are the names under which models have the prompt of documents,
// in the order in which sentence-transformers looks for them.
var documentRoles = []Role{Document, "passage", "corpus", "context"}

// common reports whether a role needs no prompt: a model need not tell queries
// and documents apart.
func (r Role) common() bool { return r == Query || slices.Contains(documentRoles, r) }

// Prompt is the text that goes before texts of a role; ok is false if a model
// would have to have one, and has not.
func (i *Info) Prompt(role Role) (text string, ok bool) {
	names := []Role{role}
	switch {
	case role == NoRole:
		return i.Prompts[i.DefaultPrompt], true
	case slices.Contains(documentRoles, role):
		names = append(names, documentRoles...)
	}
	for _, name := range names {
		if text, ok := i.Prompts[string(name)]; ok {
			return text, true
		}
	}
	return "", role.common()
}

// EncodeOptions say how texts are encoded.
type EncodeOptions struct {
	// Role picks the prompt of this name, if the model has one. Without a role
	// only the model's default prompt is used.
	Role Role
	// Prompt replaces what Role picks; a pointer to "" is no prompt at all.
	Prompt *string
	// Prompts replace both: one for each text, such as the instructions of INSTRUCTOR;
	// nil: all texts have the same.
	Prompts []string
}

// Check refuses another number of prompts than of texts.
func (o *EncodeOptions) Check(texts int) error {
	if o.Prompts != nil && len(o.Prompts) != texts {
		return fmt.Errorf("%d prompts for %d texts: give one for each", len(o.Prompts), texts)
	}
	return nil
}

// Embedding is what became of a text.
type Embedding struct {
	Vector    []float32
	Tokens    int  // special ones included, after truncation
	Truncated bool // the text was longer than the model takes
}

// TokenVectors are a text's vectors, one row each.
type TokenVectors struct {
	Vectors   []float32 // [Rows, Dim]
	Rows, Dim int
	Tokens    int
	Truncated bool
}

// Scores are the logits of a text.
type Scores struct {
	Logits    []float32 // nil: the text has no tokens
	Tokens    int
	Truncated bool
}

// Info describes a model.
type Info struct {
	ID           string            `json:"id"`
	Revision     string            `json:"revision,omitempty"`
	Architecture string            `json:"architecture"`
	Dim          int               `json:"dim"`
	Pooling      string            `json:"pooling,omitempty"`
	Normalize    bool              `json:"normalize"`
	MaxLength    int               `json:"max_length"`       // tokens; 0: any number
	Vocabulary   int               `json:"vocabulary"`       // token ids are less
	Int8         bool              `json:"int8,omitempty"`   // the layers' weights are rounded to 8 bits
	BF16         bool              `json:"bf16,omitempty"`   // computed in bfloat16
	Device       string            `json:"device,omitempty"` // that computes it; empty: the processor
	Prompts      map[string]string `json:"prompts,omitempty"`
	// DefaultPrompt is the name of the prompt that applies without a role; empty:
	// none.
	DefaultPrompt string `json:"default_prompt,omitempty"`
}

// PortionBytes is about how much text is best encoded at once: a second's work of
// the processor, or what keeps a device busy.
func (i *Info) PortionBytes() int {
	if i.Device != "" {
		return 4 << 20
	}
	return 32 << 10
}

// CheckIDs says what is wrong with the ids of a text's tokens, if anything is.
func (i *Info) CheckIDs(ids []uint32) error {
	if len(ids) == 0 {
		return errors.New("an empty list of token ids: leave it out, or send the text")
	}
	for at, id := range ids {
		if int64(id) >= int64(i.Vocabulary) {
			return fmt.Errorf("token %d has the id %d, and %s has %d tokens: ids are those that vantage tokenize prints for this model; "+
				"a client that sends ids of OpenAI's models is to send texts (LangChain: check_embedding_ctx_length=False)", at, id, i.ID, i.Vocabulary)
		}
	}
	return nil
}

// checkIDs checks several lists.
func (i *Info) checkIDs(lists [][]uint32) error {
	for n, ids := range lists {
		if err := i.CheckIDs(ids); err != nil {
			return fmt.Errorf("text %d: %w", n, err)
		}
	}
	return nil
}
