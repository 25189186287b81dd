package pack

import (
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// The manifest's file name in a pack, and the values of its keys format and version.
const (
	FileName = "pack.json"
	Format   = "vantage-pack"
	Version  = 1
)

// Manifest is what pack.json says.
type Manifest struct {
	Format        string               `json:"format"`
	Version       int                  `json:"version"`
	Kind          string               `json:"kind"` // Encoder or Classifier
	ID            string               `json:"id"`
	Revision      string               `json:"revision"` // of the pack, not of its source
	Source        Source               `json:"source"`
	License       string               `json:"license,omitempty"`  // SPDX identifier
	Language      string               `json:"language,omitempty"` // BCP 47 tag
	Config        Config               `json:"config"`
	Prompts       map[string]string    `json:"prompts,omitempty"` // by role; text that goes before texts of it
	DefaultPrompt string               `json:"default_prompt,omitempty"`
	Numbers       map[string][]float64 `json:"numbers,omitempty"` // such as constants of a calibration
	Texts         map[string][]string  `json:"texts,omitempty"`   // such as wordings
	Sections      []Section            `json:"sections"`

	// Tokenizer lacks the vocabulary. Pack.Tokenizer is the whole tokenizer.
	Tokenizer *encode.Settings `json:"-"`
}

// Source is the model that was packed.
type Source struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

// Section is a part of a pack that is fetched as a whole.
type Section struct {
	Name    string   `json:"name"`
	Files   []File   `json:"files"`
	Tensors []Tensor `json:"tensors,omitempty"`
}

// File is a payload file.
type File struct {
	Path   string `json:"path"` // below the pack's folder, with slashes
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"` // 64 hexadecimal digits
}

// Tensor is an entry of a section's table.
type Tensor struct {
	Name     string   `json:"name"`
	Shape    []int    `json:"shape"`
	Encoding Encoding `json:"encoding"`
	Offset   int64    `json:"offset"` // of its first byte in the section's payload
}

// Bytes of the section's payload.
func (s *Section) Bytes() (n int64) {
	for _, f := range s.Files {
		n += int64(f.Bytes)
	}
	return n
}

// Section returns the section of a name, or nil.
func (m *Manifest) Section(name string) *Section {
	for i := range m.Sections {
		if m.Sections[i].Name == name {
			return &m.Sections[i]
		}
	}
	return nil
}

// Memory is how many bytes a section takes once it is read; for the vocabulary this is
// an estimate. A Decoder needs one of its files at a time in memory as well.
func (m *Manifest) Memory(section string) int64 {
	if section != Vocabulary {
		return m.Config.memory(m.Kind, section)
	}
	const entries = 2 * 48 // a piece may be in two maps
	if s := m.Section(section); s != nil {
		return 2*s.Bytes() + entries*int64(m.Config.Vocabulary)
	}
	return 0
}

// Path is where the payload file with a hash lies. Text has an ending of its own,
// because hosts decide by the ending what to compress.
func Path(section, sha256 string) string {
	if section == Vocabulary {
		return "data/" + sha256[:16] + ".txt"
	}
	return "data/" + sha256[:16] + ".bin"
}
