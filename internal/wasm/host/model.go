package host

import (
	"encoding/binary"
	"slices"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
)

func (c core) OpenModel(manifest []byte) (search.Model, error) {
	p, err := pack.Parse(manifest)
	if err != nil {
		return nil, err
	}
	b := batch{in: c.in}
	defer b.release()
	at := b.put(manifest)
	if b.err != nil {
		return nil, b.err
	}
	handle, err := c.in.call("model_open", uint64(at), uint64(len(manifest)))
	if err != nil {
		return nil, err
	}
	m := model{in: c.in, handle: uint64(handle), dim: p.Config.Dimension(), tokens: p.Config.Tokens}
	if p.Config.Branch != nil {
		m.angle = p.Config.Branch.Dimension
	}
	return m, nil
}

// model is the encoder of a pack in the core's memory.
type model struct {
	in         *instance
	handle     uint64
	dim, angle int
	tokens     *pack.Tokens // nil if it has one vector for a whole text
}

func (m model) Dim() (vector, angle int) { return m.dim, m.angle }

// sections have the numbers of the ABI.
var sections = []string{abi.SectionVocabulary: pack.Vocabulary, abi.SectionTrunk: pack.Trunk, abi.SectionBranch: pack.BranchSection, abi.SectionReader: pack.ReaderSection}

func (m model) File(section string, content []byte) error {
	b := batch{in: m.in}
	defer b.release()
	at := b.put(content)
	if b.err != nil {
		return b.err
	}
	_, err := m.in.call("model_file", m.handle, uint64(slices.Index(sections, section)), uint64(at), uint64(len(content)))
	return err
}

func (m model) Encode(text string, angle bool) ([]float32, encode.Info, error) {
	b := batch{in: m.in}
	defer b.release()
	dim := m.dim
	if angle {
		dim = m.angle
	}
	t, v, i := b.put([]byte(text)), b.room(4*dim), b.room(binary.Size(abi.EncodeInfo{}))
	if b.err != nil {
		return nil, encode.Info{}, b.err
	}
	vector, branch := v, uint32(0)
	if angle {
		vector, branch = 0, v
	}
	if _, err := m.in.call("model_encode", m.handle, uint64(t), uint64(len(text)), uint64(vector), uint64(branch), uint64(i)); err != nil {
		return nil, encode.Info{}, err
	}
	return m.in.encoded(v, dim, i)
}

func (m model) Read(query string) (perspective.Reading, error) {
	return m.in.readQuery(m.handle, query)
}

func (m model) EncodeTokens(text string, document bool) ([]float32, encode.Info, error) {
	room, as := 0, uint64(0)
	if m.tokens != nil {
		room = m.tokens.Length(document) * m.dim
	}
	if document {
		as = 1
	}
	b := batch{in: m.in}
	defer b.release()
	t, v, i := b.put([]byte(text)), b.room(4*room), b.room(binary.Size(abi.EncodeInfo{}))
	if b.err != nil {
		return nil, encode.Info{}, b.err
	}
	rows, err := m.in.call("model_tokens", m.handle, uint64(t), uint64(len(text)), as, uint64(v), uint64(room), uint64(i))
	if err != nil {
		return nil, encode.Info{}, err
	}
	return m.in.encoded(v, int(rows)*m.dim, i)
}
