// Package packfile makes the files of packs, which package pack reads.
package packfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// Files of a pack by their paths, pack.json among them.
type Files map[string][]byte

// Tensor is a tensor as it is stored.
type Tensor struct {
	Encoding pack.Encoding
	Payload  []byte
}

// Content is what a pack consists of beside its manifest.
type Content struct {
	Tokenizer json.RawMessage // a tokenizer.json without a vocabulary
	Pieces    []string        // in the order of their ids
	Tensors   map[string]Tensor
	FileBytes int // of a payload file at most; 0: pack.MaxFile
}

// Build makes the files of a pack. Of the manifest it takes everything but the format, its
// version, the revision, the number of pieces and the sections, which it sets itself. It
// checks the manifest as a reader does, but not the tensors' payload.
func Build(m pack.Manifest, c Content) (Files, error) {
	if c.FileBytes == 0 {
		c.FileBytes = pack.MaxFile
	}
	files := Files{}
	var text bytes.Buffer
	for id, piece := range c.Pieces {
		if strings.ContainsAny(piece, "\n") || piece == "" {
			return nil, fault.Errorf(fault.Input, "piece %d of the vocabulary is %q: a piece has a line of its own", id, piece)
		}
		text.WriteString(piece)
		text.WriteByte('\n')
	}
	m.Format, m.Version, m.Revision = pack.Format, pack.Version, ""
	m.Config.Vocabulary = len(c.Pieces)
	m.Sections = []pack.Section{{Name: pack.Vocabulary, Files: files.add(pack.Vocabulary, text.Bytes(), c.FileBytes)}}
	names := []string{pack.Trunk}
	if m.Config.Branch != nil {
		names = append(names, pack.BranchSection)
	}
	if m.Config.Reader != nil {
		names = append(names, pack.ReaderSection)
	}
	for _, name := range names {
		s := pack.Section{Name: name}
		var payload []byte
		var missing []string
		m.Config.Needs(m.Kind, name, func(n pack.Need) {
			t, ok := c.Tensors[n.Name]
			if !ok {
				missing = append(missing, n.Name)
			}
			s.Tensors = append(s.Tensors, pack.Tensor{Name: n.Name, Shape: n.Shape, Encoding: t.Encoding, Offset: int64(len(payload))})
			payload = append(payload, t.Payload...)
		})
		if missing != nil {
			return nil, fmt.Errorf("packfile: no tensor %q", missing[0])
		}
		s.Files = files.add(name, payload, c.FileBytes)
		m.Sections = append(m.Sections, s)
	}
	manifest, err := encode(m, c.Tokenizer)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(manifest)
	m.Revision = hex.EncodeToString(sum[:8])
	if files[pack.FileName], err = encode(m, c.Tokenizer); err != nil {
		return nil, err
	}
	_, err = pack.Parse(files[pack.FileName])
	return files, err
}

// add cuts a section's payload into files.
func (f Files) add(section string, payload []byte, most int) (list []pack.File) {
	for len(payload) > 0 {
		content := payload[:min(len(payload), most)]
		payload = payload[len(content):]
		sum := sha256.Sum256(content)
		hash := hex.EncodeToString(sum[:])
		path := pack.Path(section, hash)
		f[path] = content
		list = append(list, pack.File{Path: path, Bytes: len(content), SHA256: hash})
	}
	return list
}

// encode writes a manifest. After the first of a list, sections, tensors and files begin a new line.
func encode(m pack.Manifest, tokenizer json.RawMessage) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		pack.Manifest
		Tokenizer json.RawMessage `json:"tokenizer"`
	}{m, tokenizer})
	text := strings.NewReplacer(`,{"name":`, ",\n"+`{"name":`, `,{"path":`, ",\n"+`{"path":`).Replace(out.String())
	return []byte(text), err
}

// Read reads a whole pack from its files, and compares all hashes. All files of a section
// are there before it makes room for tensors: a pack.json may announce hundreds of
// megabytes that no file has.
func Read(get func(path string) ([]byte, error)) (*pack.Pack, error) {
	manifest, err := get(pack.FileName)
	if err != nil {
		return nil, err
	}
	p, err := pack.Open(manifest, sha256.Sum256)
	if err != nil {
		return nil, err
	}
	for _, s := range p.Manifest.Sections {
		d, err := p.Read(s.Name)
		if err != nil {
			return nil, err
		}
		contents := make([][]byte, len(s.Files))
		for i, f := range s.Files {
			if contents[i], err = get(f.Path); err != nil {
				return nil, err
			}
		}
		for i, content := range contents {
			if err := d.File(content); err != nil {
				return nil, err
			}
			contents[i] = nil
		}
		if err := d.Close(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Payload lists a pack's payload files: vocabulary, trunk, branch, reader.
func Payload(m *pack.Manifest) (files []pack.File) {
	for _, name := range []string{pack.Vocabulary, pack.Trunk, pack.BranchSection, pack.ReaderSection} {
		if s := m.Section(name); s != nil {
			files = append(files, s.Files...)
		}
	}
	return files
}

// Get returns a file, as Read asks for it.
func (f Files) Get(path string) ([]byte, error) {
	content, ok := f[path]
	if !ok {
		return nil, fault.Errorf(fault.Input, "%s is not there", path)
	}
	return content, nil
}
