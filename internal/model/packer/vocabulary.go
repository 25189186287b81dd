package packer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// continuing is the prefix of pieces that continue a word, unless the settings name another one.
const continuing = "##"

// cut reduces the vocabulary to a number of pieces: those that special and added
// tokens need, all single characters, and of the rest those that are used most.
// Nothing that the tokenizer knows becomes unknown: a word is then spelt with
// shorter pieces, at worst with single characters.
func (o *original) cut(pieces int, used []float64) error {
	if pieces >= len(o.pieces) {
		return nil
	}
	prefix, always, err := o.indispensable()
	if err != nil {
		return err
	}
	if err := o.spellable(prefix, always); err != nil {
		return err
	}
	if pieces < len(always) {
		return fault.Errorf(fault.Query, "a vocabulary of %d pieces: the special tokens and single characters alone are %d; ask for more", pieces, len(always))
	}
	rest := []int{}
	for id := range o.pieces {
		if !always[id] {
			rest = append(rest, id)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(used[b], used[a]) }) // then by id
	for _, id := range rest[:pieces-len(always)] {
		always[id] = true
	}
	return o.keep(slices.Sorted(maps.Keys(always)))
}

// indispensable are the ids that a cut keeps, and the prefix of continuing pieces.
func (o *original) indispensable() (prefix string, ids map[int]bool, err error) {
	_, model, added, err := takeApart(o.settings)
	if err != nil {
		return "", nil, err
	}
	prefix = continuing
	if err := optional(model["continuing_subword_prefix"], &prefix); err != nil { // null leaves it
		return "", nil, err
	}
	ids = map[int]bool{int(o.tokenizer.UnknownID()): true}
	for _, a := range added {
		ids[a.id] = true
	}
	for _, id := range o.tokenizer.EncodeSpecial(nil, "", 0) {
		ids[int(id)] = true
	}
	if o.tokenizer.TakesPairs() {
		pair, _, _ := o.tokenizer.FramePair(nil, nil, 0)
		for _, id := range pair {
			ids[int(id)] = true
		}
	}
	if t := o.manifest.Config.Tokens; t != nil {
		for _, id := range tokenPieces(t) {
			ids[id] = true
		}
	}
	for id, piece := range o.pieces {
		if utf8.RuneCountInString(piece) == 1 || utf8.RuneCountInString(strings.TrimPrefix(piece, prefix)) == 1 {
			ids[id] = true
		}
	}
	return prefix, ids, nil
}

// spellable makes sure that every piece that may be cut can be spelt with single
// characters. A vocabulary in which one cannot is not cut at all: a word that has this
// piece in it could become unknown.
func (o *original) spellable(prefix string, always map[int]bool) error {
	known := map[string]bool{}
	for id := range always {
		known[o.pieces[id]] = true
	}
	for id, piece := range o.pieces {
		word, continues := strings.CutPrefix(piece, prefix)
		if always[id] || !isWord(word) {
			continue
		}
		for at, r := range word {
			single := string(r)
			if at > 0 || continues {
				single = prefix + single
			}
			if !known[single] {
				return fault.Errorf(fault.Unsupported, "the vocabulary cannot be cut: piece %q cannot be spelt without %q, which is not in it; leave --vocabulary out", piece, single)
			}
		}
	}
	return nil
}

// isWord reports whether the pre-tokenizer leaves a text whole. It separates punctuation
// from the rest of a word.
func isWord(text string) bool {
	for word := range encode.Words([]byte(text)) {
		return string(word) == text
	}
	return false
}

// keep reduces the embeddings, the pieces and the settings to the given ids, which ascend.
func (o *original) keep(ids []int) error {
	const words = "embeddings.word_embeddings.weight"
	width := o.manifest.Config.Hidden
	table := make([]float32, 0, len(ids)*width)
	pieces, places := make([]string, len(ids)), map[int]int{}
	for at, id := range ids {
		table = append(table, o.values[words][id*width:][:width]...)
		pieces[at], places[id] = o.pieces[id], at
	}
	settings, err := renumber(o.settings, places)
	if err != nil {
		return err
	}
	o.values[words], o.pieces, o.settings, o.manifest.Config.Vocabulary = table, pieces, settings, len(ids)
	o.manifest.Config.Tokens = renumberTokens(o.manifest.Config.Tokens, places)
	o.tokenizer, err = tokenizerOf(settings, pieces)
	return err
}

// renumber changes the ids of added tokens and of the post-processor.
func renumber(settings []byte, places map[int]int) ([]byte, error) {
	var s map[string]any
	d := json.NewDecoder(bytes.NewReader(settings))
	d.UseNumber()
	if err := d.Decode(&s); err != nil {
		return nil, err
	}
	change := func(v any) (json.Number, error) {
		n, _ := v.(json.Number)
		id, err := n.Int64()
		place, ok := places[int(id)]
		if err != nil || !ok {
			return "", fmt.Errorf("tokenizer.json: id %v of a special token is none of the vocabulary", v)
		}
		return json.Number(fmt.Sprint(place)), nil
	}
	var err error
	set := func(v any) any {
		n, e := change(v)
		err = cmp.Or(err, e)
		return n
	}
	added, _ := s["added_tokens"].([]any)
	for _, a := range added {
		token, _ := a.(map[string]any)
		token["id"] = set(token["id"])
	}
	post, _ := s["post_processor"].(map[string]any)
	for _, name := range []string{"cls", "sep"} { // of BertProcessing: ["[CLS]", 101]
		if token, _ := post[name].([]any); len(token) == 2 {
			token[1] = set(token[1])
		}
	}
	special, _ := post["special_tokens"].(map[string]any)
	for _, t := range special {
		token, _ := t.(map[string]any)
		ids, _ := token["ids"].([]any)
		for i := range ids {
			ids[i] = set(ids[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return marshal(s)
}
