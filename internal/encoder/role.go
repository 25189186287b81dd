package encoder

import "slices"

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

// Common reports whether a role needs no prompt: a model need not tell queries
// and documents apart.
func (r Role) Common() bool { return r == Query || slices.Contains(documentRoles, r) }

// Prompt is the text that goes before texts of a role. ok is false if the role
// needs a prompt that the model does not have.
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
	return "", role.Common()
}
