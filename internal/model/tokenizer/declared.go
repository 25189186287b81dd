package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// Tokens are declared in several places beside a vocabulary or a tokenizer.json. Like transformers, this file adds those that the
// vocabulary does not look for as a whole. Their ids are those of the vocabulary, or the next ones after it, in order.

// tokenList is a list of tokens. An object of names and tokens is none: its names are roles.
type tokenList []token

func (l *tokenList) UnmarshalJSON(b []byte) error {
	if *l = nil; bytes.HasPrefix(b, []byte("{")) {
		return nil
	}
	return json.Unmarshal(b, (*[]token)(l))
}

// members are the names and values of a JSON object in the order of the text.
func members(b []byte) (names []string, values []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, errors.Join(err, errors.New("expected an object of tokens"))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		names, values = append(names, fmt.Sprint(name)), append(values, value)
	}
	return names, values, nil
}

// roles are the names of special tokens, in the order in which the library adds them.
var roles = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// readSpecial takes the special tokens of tokenizer_config.json, or of special_tokens_map.json if that is read, too: those with a
// role, and lists of others. Of two lists in one file, and of two files, extra_special_tokens and the first count.
func (s *settings) readSpecial(text []byte) error {
	var lists struct {
		Extra      tokenList `json:"extra_special_tokens"`
		Additional tokenList `json:"additional_special_tokens"`
	}
	if err := unpack.JSON(text, &lists); err != nil {
		return err
	}
	if s.extra = append(s.extra, lists.Extra...); len(s.extra) == 0 {
		s.extra = lists.Additional
	}
	names, values, err := members(unpack.Unmarked(text))
	if err != nil {
		return err
	}
	for i, name := range names {
		switch {
		case name == "extra_special_tokens" && bytes.HasPrefix(values[i], []byte("{")):
			more, tokens, err := members(values[i])
			if err != nil {
				return err
			}
			for i, role := range more {
				s.name(role, tokens[i])
			}
		case strings.HasSuffix(name, "_token"): // but not those such as add_bos_token
			s.name(name, values[i])
		}
	}
	return nil
}

// name gives a role to a token, if the value is one.
func (s *settings) name(role string, value json.RawMessage) {
	var t token
	if t.UnmarshalJSON(value) != nil {
		return
	}
	if !slices.Contains(roles, role) && !slices.Contains(s.roles, role) {
		s.roles = append(s.roles, role)
	}
	s.named[role] = t
}

// special are the tokens that have a role, and the others that are listed.
func (s *settings) special() (tokens []token) {
	for _, role := range slices.Concat(roles, s.roles) {
		tokens = append(tokens, s.named[role])
	}
	return append(tokens, s.extra...)
}

// readAdded reads the tokens with ids: those of added_tokens_decoder, or else of added_tokens.json, which folders before 2023 have.
func (s *settings) readAdded(dir string) error {
	at := map[int]token{}
	for key, t := range s.Decoder {
		id, err := strconv.Atoi(key)
		if err != nil || id < 0 || id > math.MaxInt32 {
			return fmt.Errorf("%s: added_tokens_decoder has the id %.80q", filepath.Join(dir, "tokenizer_config.json"), key)
		}
		if t.unsaid {
			t.Normalized = !t.Special
		}
		at[id] = t
	}
	path := filepath.Join(dir, "added_tokens.json")
	if b, err := read(path); s.Decoder == nil && !errors.Is(err, fs.ErrNotExist) {
		var ids map[string]int
		if err == nil {
			err = unpack.JSON(b, &ids)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for content, id := range ids {
			special := slices.ContainsFunc(s.special(), func(t token) bool { return t.Content == content && !t.described })
			at[id] = token{Content: content, Special: special, Normalized: !special}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(at)) {
		s.added = append(s.added, at[id])
	}
	return nil
}

// declare adds the declared tokens that a tokenizer.json does not look for. Those that neither the vocabulary nor the model has
// room for are left out: in the library, a text that spells one has no vector.
func (s *settings) declare(file map[string]json.RawMessage) bool {
	var entries []object
	if list := file["added_tokens"]; list != nil && json.Unmarshal(list, &entries) != nil {
		return false
	}
	places, next := map[string]int{}, 0
	for i, entry := range entries {
		id, _ := entry["id"].(float64)
		content, _ := entry["content"].(string) // Parse refuses any other
		places[content], next = i, max(next, int(id)+1)
	}
	var vocabulary map[string]int
	changes, settled := 0, len(entries)
	for i, t := range append(slices.Clone(s.added), s.special()...) {
		listed := i >= len(s.added) // as a special token, without an id
		if i == len(s.added) {
			settled = len(entries)
		}
		at, known := places[t.Content]
		if t.Content == "" || known && (!listed || at < settled) { // of special tokens that are only listed, the last description counts
			continue
		}
		if vocabulary == nil {
			if vocabulary = vocabularyOf(file["model"]); vocabulary == nil {
				return false
			}
			next = max(next, len(vocabulary))
		}
		id, has := vocabulary[t.Content]
		if known {
			id, _ = entries[at]["id"].(int)
		} else {
			if !has && s.modelSize > 0 && next >= s.modelSize {
				continue
			}
			if !has {
				id, next = next, next+1
			}
			at, entries = len(entries), append(entries, nil)
			places[t.Content] = at
		}
		changes++
		entries[at] = object{"id": id, "content": t.Content, "lstrip": t.Lstrip, "rstrip": t.Rstrip, "single_word": t.SingleWord, "normalized": t.Normalized, "special": t.Special || listed}
	}
	text, err := json.Marshal(entries)
	if changes > 0 && err == nil {
		file["added_tokens"] = text
	}
	return changes > 0 && err == nil
}

// vocabularyOf are the ids of a tokenizer.json's own tokens; nil if it has none, or is malformed.
func vocabularyOf(model json.RawMessage) map[string]int {
	var m struct{ Vocab json.RawMessage }
	if json.Unmarshal(model, &m) != nil {
		return nil
	}
	var ids map[string]int
	if json.Unmarshal(m.Vocab, &ids) == nil {
		return ids
	}
	var pieces [][]any
	if json.Unmarshal(m.Vocab, &pieces) != nil {
		return nil
	}
	ids = make(map[string]int, len(pieces))
	for id, p := range pieces {
		if len(p) > 0 {
			if name, ok := p[0].(string); ok {
				ids[name] = id
			}
		}
	}
	return ids
}
