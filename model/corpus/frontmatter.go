package corpus

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// frontMatter takes the metadata block off the head of a Markdown page: lines between "---" and "---" (or "..."), or
// between "+++" lines. Read are plain names with scalars or lists of scalars, which YAML ("name: value") and TOML
// ("name = value") share; whatever is nested or spans lines is left out. Without a closing line there is no such block.
func frontMatter(content []byte) (map[string]any, []byte) {
	first, rest, _ := bytes.Cut(content, []byte("\n"))
	separator := ":"
	switch string(bytes.TrimRight(first, " \t\r")) {
	case "---":
	case "+++":
		separator = "="
	default:
		return nil, content
	}
	var lines []string
	closed := false
	for len(rest) > 0 && !closed {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		text := strings.TrimRight(string(line), " \t\r")
		closed = text == "---" && separator == ":" || text == "..." && separator == ":" || text == "+++" && separator == "="
		if !closed {
			lines = append(lines, text)
		}
	}
	if !closed {
		return nil, content
	}
	metadata := map[string]any{}
	for i := 0; i < len(lines); i++ {
		if separator == "=" && strings.HasPrefix(lines[i], "[") {
			break // a TOML table: what follows is nested
		}
		name, value, ok := strings.Cut(lines[i], separator)
		name, value = strings.TrimRight(name, " \t"), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name[:1], " \t-#{[") {
			continue
		}
		name = strings.Trim(name, `"'`)
		if value != "" && !strings.HasPrefix(value, "#") {
			if v, ok := parseValue(value); ok && name != "" {
				metadata[name] = v
			}
			continue
		}
		var list []any // "- item" lines below the name, indented or not
		for i+1 < len(lines) {
			item, ok := strings.CutPrefix(strings.TrimLeft(lines[i+1], " \t"), "- ")
			v, scalar := parseScalar(strings.TrimSpace(item))
			if !ok || !scalar || strings.Contains(item, ": ") && !strings.ContainsAny(item[:1], `"'`) {
				break
			}
			list = append(list, v)
			i++
		}
		if list != nil && name != "" {
			metadata[name] = list
		}
	}
	return metadata, rest
}

// parseValue reads a scalar or a list "[a, b]" on one line.
func parseValue(s string) (any, bool) {
	if !strings.HasPrefix(s, "[") {
		return parseScalar(s)
	}
	inner, ok := strings.CutSuffix(s[1:], "]")
	if !ok {
		return nil, false
	}
	list := []any{}
	for item := range strings.SplitSeq(inner, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		v, ok := parseScalar(item)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

func parseScalar(s string) (any, bool) {
	if s == "" {
		return nil, false
	}
	switch s[0] {
	case '"':
		if end := strings.LastIndexByte(s, '"'); end > 0 {
			v, err := strconv.Unquote(s[:end+1])
			return v, err == nil
		}
		return nil, false
	case '\'':
		if end := strings.LastIndexByte(s, '\''); end > 0 {
			return strings.ReplaceAll(s[1:end], "''", "'"), true
		}
		return nil, false
	case '{', '[', '|', '>', '&', '*', '!', '#':
		return nil, false
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	switch {
	case s == "true" || s == "false":
		return s == "true", true
	case s == "null" || s == "~":
		return nil, false
	case isNumber(s):
		return json.Number(s), true
	}
	return s, true
}
