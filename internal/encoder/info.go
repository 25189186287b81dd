package encoder

import (
	"errors"
	"fmt"
)

// Info describes a model.
type Info struct {
	ID           string            `json:"id"`
	Revision     string            `json:"revision,omitempty"`
	Language     string            `json:"language,omitempty"` // BCP 47 tag of the texts that the model is for; empty if not stated
	Architecture string            `json:"architecture"`
	Dim          int               `json:"dim"`
	Pooling      string            `json:"pooling,omitempty"`
	Normalize    bool              `json:"normalize"`
	MaxLength    int               `json:"max_length"`       // in tokens; 0 means no limit
	Vocabulary   int               `json:"vocabulary"`       // number of token ids
	Int8         bool              `json:"int8,omitempty"`   // the layers' weights are quantised to 8 bits
	BF16         bool              `json:"bf16,omitempty"`   // computed in bfloat16
	Device       string            `json:"device,omitempty"` // the device that computes it; empty means the processor
	Prompts      map[string]string `json:"prompts,omitempty"`
	// Score is how the model says that its vectors are compared, by the names of package
	// perspective or another name; empty if it does not say. It is not in the JSON, because
	// the manifest of a collection has a field of its own for it.
	Score string `json:"-"`
	// Instructed says that a text goes with an instruction, whose own tokens are left out of
	// the pooling, as in INSTRUCTOR.
	Instructed bool `json:"-"`
	// DefaultPrompt is the name of the prompt that applies without a role; empty if
	// there is none.
	DefaultPrompt string `json:"default_prompt,omitempty"`
}

// PortionBytes is a good size for the texts of one call: about a second's work of the
// processor, or enough to keep a device busy.
func (i *Info) PortionBytes() int {
	if i.Device != "" {
		return 4 << 20
	}
	return 32 << 10
}

// CheckIDs returns an error if the ids of a text's tokens are not the model's.
func (i *Info) CheckIDs(ids []uint32) error {
	if len(ids) == 0 {
		return errors.New("an empty list of token ids: leave it out, or send the text")
	}
	for at, id := range ids {
		if int64(id) >= int64(i.Vocabulary) {
			return fmt.Errorf("token %d has the id %d, and %s has %d tokens: ids are those that vantage tokenize prints for this model; "+
				"a client that sends ids of OpenAI's models must send texts instead (LangChain: check_embedding_ctx_length=False)", at, id, i.ID, i.Vocabulary)
		}
	}
	return nil
}

// CheckLists is CheckIDs for the ids of several texts.
func (i *Info) CheckLists(lists [][]uint32) error {
	for n, ids := range lists {
		if err := i.CheckIDs(ids); err != nil {
			return fmt.Errorf("text %d: %w", n, err)
		}
	}
	return nil
}

// Before returns the prompt that goes before each of some texts. It is an error if the role
// needs a prompt that the model does not have (see Prompt).
func (i *Info) Before(texts int, o Options) (func(text int) string, error) {
	if err := o.Check(texts); err != nil {
		return nil, err
	}
	switch {
	case o.Prompts != nil:
		return func(text int) string { return o.Prompts[text] }, nil
	case o.Prompt != nil:
		return func(int) string { return *o.Prompt }, nil
	}
	prompt, ok := i.Prompt(o.Role)
	if !ok {
		return nil, fmt.Errorf("%s has no prompt named %q", i.ID, o.Role)
	}
	return func(int) string { return prompt }, nil
}
