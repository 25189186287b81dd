package named

import (
	"path"
	"regexp"
	"strings"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ParsePrompts reads values of --prompt, ROLE=TEXT. It returns nil if there are none. If a role is
// given twice, the last text counts.
func ParsePrompts(given []string) (prompts map[string]string, err error) {
	for _, prompt := range given {
		role, text, ok := strings.Cut(prompt, "=")
		if !ok || role == "" {
			return nil, fault.Errorf(fault.Query, "--prompt is %q, must be ROLE=TEXT", prompt)
		}
		if prompts == nil {
			prompts = map[string]string{}
		}
		prompts[role] = text
	}
	return prompts, nil
}

// ParseIndexPrompts is ParsePrompts for a collection, which has prompts for queries and documents
// alone. Documents may have any name that models have for them.
func ParseIndexPrompts(given []string) (map[string]string, error) {
	read, err := ParsePrompts(given)
	if err != nil || read == nil {
		return nil, err
	}
	prompts := map[string]string{}
	for name, text := range read {
		role := encoder.Role(name)
		switch {
		case !role.Common():
			return nil, fault.Errorf(fault.Query, "--prompt is for the role %q: a collection has prompts for the roles query and document", name)
		case role != encoder.Query:
			role = encoder.Document
		}
		if _, twice := prompts[string(role)]; twice {
			return nil, fault.Errorf(fault.Query, "--prompt is given for %s and for another name of documents: give one of them", name)
		}
		prompts[string(role)] = text
	}
	return prompts, nil
}

// Prompts are the texts that a model wants before queries and documents.
type Prompts struct{ Query, Document string }

// wanting are families of models that were trained with prompts which their folders do not
// declare, by their names on the hub. Their pages say so. Of other models we do not know it.
var wanting = []struct {
	organisation string
	name         *regexp.Regexp
	prompts      Prompts
}{
	{"intfloat", regexp.MustCompile(`^(multilingual-)?e5-(small|base|large)(-v2|-unsupervised)?$`), Prompts{"query: ", "passage: "}},
	{"baai", regexp.MustCompile(`^bge-(small|base|large)-en(-v1\.5)?$`), Prompts{"Represent this sentence for searching relevant passages: ", ""}},
	{"baai", regexp.MustCompile(`^bge-(small|base|large)-zh(-v1\.5)?$`), Prompts{"为这个句子生成表示以用于检索相关文章：", ""}},
}

// Wants returns the prompts that the model wants although its folder declares none. about
// describes the open model. The name decides: that on the hub, or that of the folder.
func (p Model) Wants(about encoder.Info) (wants Prompts, ok bool) {
	if p.Static || p.Dir == "" || len(about.Prompts) > 0 {
		return wants, false
	}
	organisation, name := path.Split(strings.ToLower(model.NameOf(p.Dir, p.id)))
	organisation = strings.TrimSuffix(organisation, "/")
	for _, w := range wanting {
		if (organisation == "" || organisation == w.organisation) && w.name.MatchString(name) {
			return w.prompts, true
		}
	}
	return wants, false
}

// Flags are the flags --prompt that give the prompts.
func (p Prompts) Flags() string {
	flags := ""
	for _, of := range []struct{ role, text string }{{"query", p.Query}, {"document", p.Document}} {
		if of.text != "" {
			flags += " --prompt " + human.Value(of.role+"="+of.text)
		}
	}
	return strings.TrimPrefix(flags, " ")
}

// WarnOfPrompts tells the console that the model wants prompts, unless it has some. remedy says
// how to give them; nil means the flags --prompt.
func (p Model) WarnOfPrompts(about encoder.Info, c *console.Console, remedy func(Prompts) string) {
	wants, ok := p.Wants(about)
	if !ok {
		return
	}
	text := "add " + wants.Flags() + ` (or --prompt query= to do without)`
	if remedy != nil {
		if text = remedy(wants); text == "" {
			return
		}
	}
	c.Warnf("%s was trained with prompts before its texts, and its folder declares none: without them it may find less; %s", about.ID, text)
}
