package pack

import (
	"slices"
	"strconv"
)

// check checks that the parts of a manifest agree.
func (m *Manifest) check() error {
	if m.Kind != Encoder && m.Kind != Classifier {
		return input("kind " + quote(m.Kind) + ", not " + Encoder + " or " + Classifier)
	}
	if m.ID == "" || m.Revision == "" {
		return input("the manifest has no id or no revision")
	}
	if m.Tokenizer == nil {
		return input("the manifest has no tokenizer")
	}
	if m.DefaultPrompt != "" {
		if _, ok := m.Prompts[m.DefaultPrompt]; !ok {
			return input("default_prompt is " + quote(m.DefaultPrompt) + ", which is none of the prompts")
		}
	}
	if err := m.Config.check(m.Kind); err != nil {
		return err
	}
	if m.Config.Tokens != nil && len(m.Prompts) > 0 {
		return input("prompts of an encoder of tokens, which marks queries and documents itself")
	}
	want := []string{Vocabulary, Trunk}
	if m.Config.Branch != nil {
		want = append(want, BranchSection)
	}
	if m.Config.Reader != nil {
		want = append(want, ReaderSection)
	}
	for i := range m.Sections {
		s := &m.Sections[i]
		if !slices.Contains(want, s.Name) || m.Section(s.Name) != s {
			return input("a section " + quote(s.Name) + " that is not expected, or twice")
		}
		if err := m.checkSection(s); err != nil {
			return err
		}
	}
	for _, name := range want {
		if m.Section(name) == nil {
			return input("no section " + quote(name))
		}
	}
	return nil
}

// maxVocabularyBytes bounds the text of the pieces, all of which are short.
const maxVocabularyBytes = 32 << 20

func (m *Manifest) checkSection(s *Section) error {
	where := "section " + quote(s.Name) + ": "
	for _, f := range s.Files {
		switch {
		case !isSHA256(f.SHA256):
			return input(where + "a file whose sha256 is not 64 hexadecimal digits")
		case f.Path != Path(s.Name, f.SHA256):
			return input(where + "a file " + quote(f.Path) + " that is not named after its hash")
		case f.Bytes < 1:
			return input(where + quote(f.Path) + " is said to be empty")
		case f.Bytes > MaxFile:
			return limit(where+"the length of "+quote(f.Path)+" in bytes", int64(f.Bytes), MaxFile, "make the pack again with vantage model pack")
		}
	}
	if s.Name == Vocabulary {
		if n := s.Bytes(); n > maxVocabularyBytes {
			return limit(where+"its length in bytes", n, maxVocabularyBytes, smaller)
		}
		if len(s.Tensors) > 0 {
			return input(where + "tensors in a vocabulary")
		}
		return nil
	}
	return m.checkTensors(s, where)
}

// checkTensors compares a section's table with what the configuration asks for,
// and with the length of the payload.
func (m *Manifest) checkTensors(s *Section, where string) error {
	needs := map[string]Need{}
	m.Config.Needs(m.Kind, s.Name, func(n Need) { needs[n.Name] = n })
	at := int64(0)
	for i := range s.Tensors {
		t := &s.Tensors[i]
		name := where + "tensor " + quote(t.Name)
		n, ok := needs[t.Name]
		if !ok {
			return input(name + " is there twice, or is not of such a model")
		}
		delete(needs, t.Name)
		if !slices.Equal(t.Shape, n.Shape) {
			return input(name + " is " + shapeText(t.Shape) + ", the configuration asks for " + shapeText(n.Shape))
		}
		if ok := t.Encoding.known(n.Matrix); !ok {
			return input(name + " is of encoding " + quote(string(t.Encoding)) + ", not " + encodings(n.Matrix))
		}
		if t.Offset != at {
			return input(name + " begins at byte " + strconv.FormatInt(t.Offset, 10) + ", the one before it ends at " + strconv.FormatInt(at, 10))
		}
		at += t.bytes()
	}
	if len(needs) > 0 {
		var first string
		for name := range needs {
			if first == "" || name < first {
				first = name
			}
		}
		return input(where + "no tensor " + quote(first))
	}
	if n := s.Bytes(); n != at {
		return input(where + "its files have " + strconv.FormatInt(n, 10) + " bytes, its tensors " + strconv.FormatInt(at, 10))
	}
	return nil
}

func isSHA256(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 64
}

func shapeText(shape []int) string {
	s := "["
	for i, n := range shape {
		if i > 0 {
			s += " × "
		}
		s += strconv.Itoa(n)
	}
	return s + "]"
}
