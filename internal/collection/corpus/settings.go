package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// settings are the configuration of a generator. For a missing value, text and flag return the default that the caller
// gives.
type settings map[string]any

// readSettings reads the configuration file of a generator: YAML, of which JSON is a part, or TOML.
func readSettings(root fs.FS, name string) (settings, *InputError) {
	b, problem := readSmall(root, name)
	if problem != nil {
		return nil, problem
	}
	values := map[string]any{}
	if strings.HasSuffix(name, ".toml") {
		if err := toml.Unmarshal(b, &values); err != nil {
			problem := &InputError{File: name, Problem: "not TOML: " + strings.TrimPrefix(err.Error(), "toml: "), Remedy: "correct it, or move it out of the folder to read plain pages", Err: err}
			if e, ok := errors.AsType[*toml.DecodeError](err); ok {
				line, _ := e.Position()
				problem.Line = int64(line)
			}
			return nil, problem
		}
		return values, nil
	}
	bad := func(line int, why string) (settings, *InputError) {
		return nil, &InputError{File: name, Line: int64(line), Problem: "not YAML: " + why, Remedy: "correct it, or move it out of the folder to read plain pages"}
	}
	loader, err := yaml.NewLoader(bytes.NewReader(b), yaml.WithV3Defaults(), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		return bad(0, err.Error())
	}
	var document yaml.Node
	if err := loader.Load(&document); err != nil && !errors.Is(err, io.EOF) {
		if e, ok := errors.AsType[*yaml.LoadError](err); ok {
			return bad(e.Mark.Line, e.Message)
		}
		return bad(0, err.Error())
	}
	if len(document.Content) == 0 {
		return values, nil
	}
	if expanded(document.Content[0], map[*yaml.Node]int{}) > maxFrontMatter {
		return nil, &InputError{File: name, Problem: fmt.Sprintf("longer than %d KB where its aliases are followed", maxFrontMatter>>10), Remedy: "shorten it, or move it out of the folder to read plain pages"}
	}
	values, _ = tree(document.Content[0]).(map[string]any)
	return values, nil
}

// tree turns a node, whose expansion is bounded, into maps, lists and scalars. Scalars other than booleans
// become strings, whatever their tags.
func tree(n *yaml.Node) any {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = tree(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = tree(item)
		}
		return list
	}
	if n.ShortTag() == "!!bool" {
		return strings.EqualFold(n.Value, "true")
	}
	return n.Value
}

// readSmall reads a file of at most maxFrontMatter bytes.
func readSmall(root fs.FS, name string) ([]byte, *InputError) {
	f, err := root.Open(name)
	if err != nil {
		return nil, &InputError{File: name, Problem: "cannot be read: " + cause(err), Remedy: "check its permissions", Err: err}
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFrontMatter+1))
	if err != nil {
		return nil, &InputError{File: name, Problem: "cannot be read: " + cause(err), Remedy: "check the disk", Err: err}
	}
	if len(b) > maxFrontMatter {
		return nil, &InputError{File: name, Problem: fmt.Sprintf("longer than %d KB", maxFrontMatter>>10), Remedy: "shorten it, or move it out of the folder to read plain pages"}
	}
	return b, nil
}

// get returns the value under the names, each of which lies in the mapping under the name before it. Case does not
// count, as with Hugo.
func (s settings) get(names ...string) any {
	var value any = map[string]any(s)
	for _, name := range names {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		if value, ok = m[name]; !ok {
			for _, key := range slices.Sorted(maps.Keys(m)) { // the first of several always wins
				if strings.EqualFold(key, name) {
					value = m[key]
					break
				}
			}
		}
	}
	return value
}

// merge puts the values of a mapping into another one, name by name. Case does not count, and values that are no mappings replace
// earlier ones.
func merge(into, values map[string]any) {
	known := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(into)) {
		if lower := strings.ToLower(name); known[lower] == "" {
			known[lower] = name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		at := cmp.Or(known[strings.ToLower(name)], name)
		earlier, both := into[at].(map[string]any)
		later, ok := values[name].(map[string]any)
		if both && ok {
			merge(earlier, later)
		} else {
			into[at] = values[name]
		}
	}
}

func (s settings) text(standard string, names ...string) string {
	if v, ok := s.get(names...).(string); ok {
		return v
	}
	return standard
}

func (s settings) flag(standard bool, names ...string) bool {
	if v, ok := truth(s.get(names...)); ok {
		return v
	}
	return standard
}

// list returns a list of strings; a single string is a list, too.
func (s settings) list(names ...string) []string {
	switch v := s.get(names...).(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			if text, ok := item.(string); ok {
				list = append(list, text)
			}
		}
		return list
	}
	return nil
}

// script is the configuration of a generator in JavaScript, without its comments. It is not run, so only values that are written
// out are found.
type script string

const (
	scriptText  = "(?s:`(?:[^`\\\\]|\\\\.)*`)" + `|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
	scriptValue = "[\"']?\\s*:\\s*" // stands between a name and its value
)

var (
	quotedText = regexp.MustCompile("^(?:" + scriptText + ")")
	// scriptPart matches a text between quotation marks, in which nothing is a comment, or a comment.
	scriptPart = regexp.MustCompile(scriptText + `|//[^\n]*|(?s:/\*.*?\*/)`)
)

func newScript(content []byte) script {
	return script(scriptPart.ReplaceAllFunc(content, func(part []byte) []byte {
		if part[0] == '/' {
			return nil
		}
		return part
	}))
}

func (s script) text(standard, name string) string {
	m := regexp.MustCompile(`\b` + name + scriptValue + `["'` + "`" + `]([^"'` + "`" + `$\n]*)["'` + "`" + `]`).FindStringSubmatch(string(s))
	if m == nil {
		return standard
	}
	return m[1]
}

// within returns what stands between the braces, or brackets, of the first object or list with this name, or "".
func (s script) within(name string) script {
	at := regexp.MustCompile(`\b` + name + scriptValue + `[{\[]`).FindStringIndex(string(s))
	if at == nil {
		return ""
	}
	return s[at[1]:].inner()
}

// inner returns what stands before the bracket that closes one before the script, or "" if none does.
func (s script) inner() script {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'', '`':
			i += s[i:].quoted()
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return ""
}

// without leaves out a part of the script.
func (s script) without(part script) script {
	return script(strings.Replace(string(s), string(part), "", 1))
}

// own leaves out what stands in objects and lists within the script.
func (s script) own() script {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		from := i
		switch s[i] {
		case '"', '\'', '`':
			i += s[i:].quoted()
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth <= 0 {
			b.WriteString(string(s[from : i+1]))
		}
	}
	return script(b.String())
}

// quoted returns how many characters follow the first one in the text between quotation marks that the script begins with.
func (s script) quoted() int {
	return max(len(quotedText.FindString(string(s[:min(len(s), maxQuoted)])))-1, 0)
}

// maxQuoted bounds a text between quotation marks that is passed over.
const maxQuoted = 1 << 10

// flag returns the value that is written out, or else the default.
func (s script) flag(standard bool, name string) bool {
	m := regexp.MustCompile(`\b` + name + scriptValue + `(true|false)\b`).FindStringSubmatch(string(s))
	if m == nil {
		return standard
	}
	value, _ := strconv.ParseBool(m[1])
	return value
}
