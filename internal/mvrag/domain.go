package mvrag

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Domain is a field of knowledge and the perspectives from which its experts look at a
// case (Section 3.2 of the paper).
type Domain struct {
	Name         string
	Perspectives []Perspective // at least one, with different names
}

// Perspective is one way of looking at a case.
type Perspective struct {
	Name        string
	Description string // what a text says from this perspective
	Hint        string // how a query is rewritten for it, or ""
}

// Limits of a domain's file. The texts go into prompts, one line each.
const (
	maxFile         = 64 << 10 // bytes
	maxDepth        = 8        // of YAML
	MaxPerspectives = 16
	maxName         = 60  // characters
	maxText         = 500 // characters of a description and of a hint
)

//go:embed domains/*.yaml
var shipped embed.FS

// Domains are the names of the domains that are shipped.
func Domains() (names []string) {
	files, _ := shipped.ReadDir("domains")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// Open returns a shipped domain by its name, in which spaces may stand for hyphens, or reads one from a file. A name with a
// slash or a dot is that of a file.
func Open(name string) (*Domain, error) {
	if hyphenated := strings.ReplaceAll(name, " ", "-"); slices.Contains(Domains(), hyphenated) {
		text, err := shipped.ReadFile(path.Join("domains", hyphenated+".yaml"))
		if err != nil {
			return nil, err
		}
		return Parse(hyphenated+".yaml", text)
	}
	if !strings.ContainsAny(name, `./\`) {
		return nil, fault.Errorf(fault.Query, "there is no domain %q: the domains are %s; name a file of your own by its path, such as ./%s.yaml", name, strings.Join(Domains(), ", "), human.Escape(name))
	}
	text, err := file.Read(name, maxFile, "domain")
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	return Parse(name, text)
}

// Parse reads a domain in YAML. name is the file's, for errors. Errors are fault.Input and
// name the file and, as far as they are known, the line and the field.
func Parse(name string, text []byte) (*Domain, error) {
	p := parser{file: name}
	root, err := p.load(text)
	if err != nil {
		return nil, err
	}
	return p.domain(root)
}

// parser reads the nodes of a file.
type parser struct{ file string }

func (p *parser) errorf(line int, field, format string, args ...any) error {
	at := p.file
	if line > 0 {
		at = fmt.Sprintf("%s:%d", at, line)
	}
	if field != "" {
		at += ": " + field
	}
	return fault.Errorf(fault.Input, "%s: %w", at, fmt.Errorf(format, args...))
}

// load returns the mapping of the file. Aliases are not expanded in the tree of nodes, so
// that its size is bounded by that of the text.
func (p *parser) load(text []byte) (*yaml.Node, error) {
	switch {
	case len(text) > maxFile:
		return nil, p.errorf(0, "", "%d bytes, at most %d: is it a domain?", len(text), maxFile)
	case !utf8.Valid(text):
		return nil, p.errorf(0, "", "not UTF-8: convert the file")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithV3Defaults(), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		return nil, p.errorf(0, "", "not YAML: %w", err)
	}
	var document, another yaml.Node
	if err := loader.Load(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, p.syntax(err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, p.errorf(0, "", `not a domain: it has "name: …" and "perspectives: …"`)
	}
	if err := loader.Load(&another); err == nil {
		return nil, p.errorf(another.Line, "", "a second document: a file has one domain")
	} else if !errors.Is(err, io.EOF) {
		return nil, p.syntax(err)
	}
	return document.Content[0], nil
}

func (p *parser) syntax(err error) error {
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		return p.errorf(e.Mark.Line, "", "not YAML: %s", human.Escape(e.Message))
	}
	return p.errorf(0, "", "not YAML: %s", human.Escape(err.Error()))
}

func (p *parser) domain(root *yaml.Node) (*Domain, error) {
	fields, err := p.fields(root, "", "name", "perspectives")
	if err != nil {
		return nil, err
	}
	var d Domain
	if d.Name, err = p.text(root, fields, "", "name", maxName); err != nil {
		return nil, err
	}
	list := fields["perspectives"]
	switch {
	case list == nil:
		return nil, p.errorf(root.Line, "perspectives", "missing")
	case list.Kind != yaml.SequenceNode:
		return nil, p.errorf(list.Line, "perspectives", `not a list: begin each with "- name: …"`)
	case list.Anchor != "":
		return nil, p.anchored(list, "perspectives")
	case len(list.Content) == 0 || len(list.Content) > MaxPerspectives:
		return nil, p.errorf(list.Line, "perspectives", "%d of them, must be 1 to %d", len(list.Content), MaxPerspectives)
	}
	for i, node := range list.Content {
		at := fmt.Sprintf("perspectives[%d]", i)
		one, err := p.perspective(node, at)
		if err != nil {
			return nil, err
		}
		if _, there := d.Find(one.Name); there {
			return nil, p.errorf(node.Line, at+".name", "%q is there twice", one.Name)
		}
		d.Perspectives = append(d.Perspectives, one)
	}
	return &d, nil
}

func (p *parser) perspective(node *yaml.Node, at string) (one Perspective, err error) {
	fields, err := p.fields(node, at, "name", "description", "hint")
	if err != nil {
		return one, err
	}
	if one.Name, err = p.text(node, fields, at, "name", maxName); err != nil {
		return one, err
	}
	if one.Description, err = p.text(node, fields, at, "description", maxText); err != nil {
		return one, err
	}
	if fields["hint"] != nil {
		one.Hint, err = p.text(node, fields, at, "hint", maxText)
	}
	return one, err
}

// fields are the values of a mapping that has no other fields than the given ones.
func (p *parser) fields(node *yaml.Node, at string, known ...string) (map[string]*yaml.Node, error) {
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return nil, p.anchored(node, at)
	case node.Kind != yaml.MappingNode:
		return nil, p.errorf(node.Line, at, "must have the fields %s", strings.Join(known, ", "))
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		name := key.Value
		switch {
		case key.Kind != yaml.ScalarNode || !slices.Contains(known, name):
			return nil, p.errorf(key.Line, join(at, clip(name)), "no such field: the fields are %s", strings.Join(known, ", "))
		case fields[name] != nil:
			return nil, p.errorf(key.Line, join(at, name), "given twice")
		}
		fields[name] = node.Content[i+1]
	}
	return fields, nil
}

// text is a field with a text of one line.
func (p *parser) text(owner *yaml.Node, fields map[string]*yaml.Node, at, name string, most int) (string, error) {
	node, at := fields[name], join(at, name)
	if node == nil {
		return "", p.errorf(owner.Line, at, "missing")
	}
	value := strings.TrimSpace(node.Value)
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return "", p.anchored(node, at)
	case node.Kind != yaml.ScalarNode:
		return "", p.errorf(node.Line, at, "not a text")
	case node.ShortTag() != "!!str":
		return "", p.errorf(node.Line, at, "%s is not a text: put it between quotes", clip(node.Value))
	case value == "":
		return "", p.errorf(node.Line, at, "empty")
	case utf8.RuneCountInString(value) > most:
		return "", p.errorf(node.Line, at, "%d characters, at most %d", utf8.RuneCountInString(value), most)
	case strings.ContainsFunc(value, breaks):
		return "", p.errorf(node.Line, at, `a line break or a control character: fold the text with "%s: >-"`, name)
	}
	return value, nil
}

// breaks reports whether a character could end a line of a prompt, or hide in it. Two
// invisible ones belong to the spelling of some languages.
func breaks(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	return unicode.IsControl(r) || r != nonJoiner && r != joiner && unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cf)
}

func (p *parser) anchored(node *yaml.Node, at string) error {
	return p.errorf(node.Line, at, "an anchor or an alias: write the text again")
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// clip shortens and escapes a text of the file, or of a model's reply, for an error.
func clip(text string) string {
	if len(text) > maxName {
		text = strings.ToValidUTF8(text[:maxName], "") + "…"
	}
	return human.Escape(text)
}

// Find returns the index of the perspective with a name; upper and lower case are the same.
func (d *Domain) Find(name string) (int, bool) {
	i := slices.IndexFunc(d.Perspectives, func(p Perspective) bool { return strings.EqualFold(p.Name, strings.TrimSpace(name)) })
	return i, i >= 0
}

// String lists the names of the perspectives.
func (d *Domain) String() string {
	var names []string
	for _, p := range d.Perspectives {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
