package encoder

import (
	"maps"
	"slices"
)

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

// PromptOf is the prompt for queries or documents among those of a model, "" if it has none.
func PromptOf(prompts map[string]string, role Role) string {
	text, _ := (&Info{Prompts: prompts}).Prompt(role)
	return text
}

// ReplacePrompts puts other prompts in place of the model's own, by role. "" removes a prompt. A
// prompt for documents replaces those under all the names that a model may have for them, unless
// it is the one that documents get already.
func (i *Info) ReplacePrompts(prompts map[string]string) {
	replaced := maps.Clone(i.Prompts)
	if replaced == nil {
		replaced = map[string]string{}
	}
	for name, text := range prompts {
		if same, _ := i.Prompt(Role(name)); same == text && Role(name).Common() {
			continue
		}
		names := []string{name}
		if slices.Contains(documentRoles, Role(name)) {
			for _, other := range documentRoles {
				if _, ok := replaced[string(other)]; ok {
					names = append(names, string(other))
				}
			}
		}
		for _, name := range names {
			if replaced[name] = text; text == "" {
				delete(replaced, name)
			}
		}
	}
	i.Prompts = replaced
}
