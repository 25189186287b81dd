package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// maxFrontMatter is the greatest length of a metadata block in bytes, both as written and with the
// text that its aliases repeat.
const maxFrontMatter = 64 << 10

// maxDepth is the greatest depth of a block, although nested values are left out.
const maxDepth = 64

// frontMatter cuts the metadata block off the beginning of a Markdown page: YAML between "---" and "---" (or "..."), or
// TOML between "+++" lines. It keeps names with scalars or lists of scalars, and leaves out nested values, except mappings
// under a name that nested lists in lower case. Without a closing line there is no block. What YAML reads as something other
// than a mapping, as most prose between two thematic breaks, is not a block either.
func frontMatter(content []byte, nested ...string) (metadata map[string]any, body []byte, problem *InputError) {
	first, rest, _ := bytes.Cut(content, []byte("\n"))
	parse, closing := parseYAML, []string{"---", "..."}
	switch string(bytes.TrimRight(first, " \t\r")) {
	case "---":
	case "+++":
		parse, closing = parseTOML, []string{"+++"}
	default:
		return nil, content, nil
	}
	block, body, closed := cutAtLine(rest, closing)
	switch {
	case !closed:
		return nil, content, nil
	case len(block) > maxFrontMatter:
		return nil, nil, unreadable(0, "the front matter is longer than %d KB", maxFrontMatter>>10)
	}
	metadata, problem = parse(block, nested)
	if metadata == nil {
		body = content
	}
	return metadata, body, problem
}

// frontMatter cuts the metadata block off a page of the generator, which may be nil.
func (g *generator) frontMatter(content []byte) (metadata map[string]any, body []byte, problem *InputError) {
	if g == nil {
		return frontMatter(content)
	}
	if g.anyCase != nil {
		metadata, body = jsonFrontMatter(content, g.nested)
	}
	if metadata == nil {
		metadata, body, problem = frontMatter(content, g.nested...)
	}
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		if inner, ok := metadata[name].(map[string]any); ok {
			delete(metadata, name)
			if as := g.hidden(inner); as != "" {
				metadata[as] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		lower := strings.ToLower(name)
		if _, taken := metadata[lower]; !taken && slices.Contains(g.anyCase, lower) {
			metadata[lower] = metadata[name]
			delete(metadata, name)
		}
	}
	return metadata, body, problem
}

// jsonFrontMatter cuts an object in JSON off the beginning of a page. metadata is nil if there is none.
func jsonFrontMatter(content []byte, nested []string) (metadata map[string]any, body []byte) {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(content[:min(len(content), maxFrontMatter)]))
	decoder.UseNumber()
	if !bytes.HasPrefix(content, []byte("{")) || decoder.Decode(&values) != nil {
		return nil, content
	}
	return scalars(values, nested), content[decoder.InputOffset():]
}

// cutAtLine splits the text at the first line that equals one of the given lines.
func cutAtLine(text []byte, lines []string) (before, after []byte, found bool) {
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		next := min(at+len(line)+1, len(text))
		for _, l := range lines {
			if string(bytes.TrimRight(line, " \t\r")) == l {
				return text[:at], text[next:], true
			}
		}
		at = next
	}
	return nil, nil, false
}

// unreadable makes the error of front matter, at a line of the block, or 0 for the
// whole block.
func unreadable(line int, format string, args ...any) *InputError {
	if line > 0 {
		line++ // the opening line
	}
	return &InputError{Line: int64(line), Problem: fmt.Sprintf(format, args...), Remedy: "correct it, or put an empty line before the block if it is not meant as front matter"}
}

// parseYAML returns nil if the block is not a mapping. It reads the tree of nodes, in
// which an alias is a single node regardless of what it refers to.
func parseYAML(block []byte, nested []string) (map[string]any, *InputError) {
	loader, err := yaml.NewLoader(bytes.NewReader(block), yaml.WithV3Defaults(), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		return nil, unreadable(0, "the front matter is not YAML: %v", err)
	}
	var document yaml.Node
	if err := loader.Load(&document); err != nil && !errors.Is(err, io.EOF) { // EOF means that there are only comments
		line, why := 0, err.Error()
		if e, ok := errors.AsType[*yaml.LoadError](err); ok {
			line, why = e.Mark.Line, e.Message
		}
		return nil, unreadable(line, "the front matter is not YAML: %s", why)
	}
	metadata := map[string]any{}
	if len(document.Content) == 0 {
		return metadata, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, nil
	}
	if expanded(root, map[*yaml.Node]int{}) > maxFrontMatter {
		return nil, unreadable(0, "the front matter is longer than %d KB where its aliases are followed", maxFrontMatter>>10)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name := root.Content[i]
		if name.Kind != yaml.ScalarNode || name.Value == "" || name.ShortTag() == "!!merge" {
			continue
		}
		if seen[name.Value] {
			return nil, unreadable(name.Line, "the front matter gives %q twice", name.Value)
		}
		seen[name.Value] = true
		if value, ok := yamlValue(root.Content[i+1]); ok {
			metadata[name.Value] = value
		} else if slices.Contains(nested, strings.ToLower(name.Value)) {
			if inner, ok := tree(root.Content[i+1]).(map[string]any); ok {
				metadata[name.Value] = inner
			}
		}
	}
	return metadata, nil
}

// expanded is the number of nodes plus the bytes of their scalars, with aliases
// expanded. It stops counting above maxFrontMatter. A node that contains itself counts
// as too long.
func expanded(n *yaml.Node, known map[*yaml.Node]int) int {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if size, ok := known[n]; ok {
		return size
	}
	known[n] = maxFrontMatter + 1
	size := 1 + len(n.Value)
	for _, child := range n.Content {
		size = min(size+expanded(child, known), maxFrontMatter+1)
	}
	known[n] = size
	return size
}

// yamlValue reads a scalar or a list of scalars.
func yamlValue(n *yaml.Node) (any, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.SequenceNode {
		return yamlScalar(n)
	}
	list := make([]any, len(n.Content))
	for i, item := range n.Content {
		var ok bool
		if list[i], ok = yamlScalar(item); !ok {
			return nil, false
		}
	}
	return list, true
}

// yamlScalar keeps numbers as written if they are valid in JSON. Other numbers and
// dates become strings.
func yamlScalar(n *yaml.Node) (any, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return nil, false
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, false
	case "!!bool":
		if b, err := strconv.ParseBool(strings.ToLower(n.Value)); err == nil {
			return b, true
		}
	case "!!int", "!!float":
		if isNumber(n.Value) {
			return json.Number(n.Value), true
		}
	}
	return n.Value, true
}

func parseTOML(block []byte, nested []string) (map[string]any, *InputError) {
	var values map[string]any
	if err := toml.Unmarshal(block, &values); err != nil {
		line, why := 0, err.Error()
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = e.Position()
			why = strings.TrimPrefix(why, "toml: ")
		}
		return nil, unreadable(line, "the front matter is not TOML: %s", why)
	}
	return scalars(values, nested), nil
}

// scalars returns the values of TOML or JSON that are scalars or lists of scalars, and mappings under the names in nested.
func scalars(values map[string]any, nested []string) map[string]any {
	metadata := map[string]any{}
	for name, value := range values {
		if v, ok := scalarOrList(value); ok && name != "" {
			metadata[name] = v
		} else if inner, ok := value.(map[string]any); ok && slices.Contains(nested, strings.ToLower(name)) {
			metadata[name] = inner
		}
	}
	return metadata
}

func scalarOrList(value any) (any, bool) {
	items, ok := value.([]any)
	if !ok {
		return scalar(value)
	}
	list := make([]any, len(items))
	for i, item := range items {
		if list[i], ok = scalar(item); !ok {
			return nil, false
		}
	}
	return list, true
}

// scalar turns dates into strings, as for YAML.
func scalar(value any) (any, bool) {
	switch v := value.(type) {
	case string, bool:
		return v, true
	case json.Number:
		if isNumber(v.String()) {
			return v, true
		}
		return v.String(), true
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), true
	case float64:
		return json.Number(strconv.FormatFloat(v, 'g', -1, 64)), !math.IsInf(v, 0) && !math.IsNaN(v)
	case time.Time:
		return v.Format(time.RFC3339Nano), true
	case fmt.Stringer: // a date or a time of day without a zone
		return v.String(), true
	}
	return nil, false
}
