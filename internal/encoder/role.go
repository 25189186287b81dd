package encoder

import "slices"

// Role is the role of a text in retrieval. Models may have a prompt for each role.
type Role string

// The roles.
const (
	NoRole   Role = ""
	Query    Role = "query"
	Document Role = "document"
)

// documentRoles are the names that models give to the prompt of documents: first those
// that sentence-transformers looks for, in its order.
var documentRoles = []Role{Document, "passage", "corpus", "context"}

// Common reports whether a model may lack a prompt for the role. Queries and documents
// need no prompt, because a model need not distinguish them.
func (r Role) Common() bool { return r == Query || slices.Contains(documentRoles, r) }

// Prompt is the text to put before texts of a role. ok is false if the role needs a
// prompt that the model does not have.
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
