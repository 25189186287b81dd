package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/perspective"
)

// carriedPack is the pack that a collection carries. The core encodes with it.
type carriedPack struct{ c *Collection }

func (k carriedPack) ref() EncoderRef {
	m := k.c.store.Manifest().Model
	return EncoderRef{m.ID, m.Revision}
}

// open reads the pack, and its reader of queries if it has one, but not its branch. The branch is read when a query first needs an
// angle.
func (k carriedPack) open(ctx context.Context, core Core) (encoder.Encoder, error) {
	p, json, err := k.c.readPack(ctx)
	if err != nil {
		return nil, err
	}
	path := k.c.store.Manifest().Encoder.Pack.Path
	model, err := core.OpenModel(json)
	if err != nil {
		return nil, &FileError{path, err}
	}
	e := &packEncoder{c: k.c, pack: p, model: model, about: packencoder.Info(p), reading: make(chan struct{}, 1)}
	for _, section := range []string{pack.Vocabulary, pack.Trunk} {
		if err := e.read(ctx, section); err != nil {
			return nil, err
		}
	}
	if p.Config.Reader != nil {
		if e.unread, err = tolerated(core, e.read(ctx, pack.ReaderSection)); err != nil {
			return nil, err
		}
	}
	if p.Config.Tokens != nil {
		return encoder.Late{TokenEncoder: packTokens{e}}, nil
	}
	return e, nil
}

// readPack reads the pack.json of the collection's pack, and compares it with the manifest. A
// pack that was exchanged would rank wrongly, and the manifest would not have the hashes of
// its files.
func (c *Collection) readPack(ctx context.Context) (*pack.Manifest, []byte, error) {
	m := c.store.Manifest()
	json, err := c.read(ctx, m.Encoder.Pack)
	if err != nil {
		return nil, nil, err
	}
	p, err := pack.Parse(json)
	if err == nil {
		err = samePack(p, m)
	}
	if err != nil {
		return nil, nil, &FileError{m.Encoder.Pack.Path, err}
	}
	return p, json, nil
}

// Pack returns the pack.json of the pack that the collection carries, or nil if it carries
// none.
func (c *Collection) Pack(ctx context.Context) (*pack.Manifest, error) {
	if c.store == nil || c.store.Manifest().Model.Kind != manifest.KindPack {
		return nil, nil
	}
	p, _, err := c.readPack(ctx)
	return p, err
}

// samePack refuses a pack that is not the one that the manifest describes.
func samePack(p *pack.Manifest, m *manifest.Manifest) error {
	angles := 0
	if p.Config.Branch != nil {
		angles = p.Config.Branch.Dimension
	}
	problem := ""
	switch {
	case p.Kind != pack.Encoder:
		problem = "it is a " + p.Kind + ", not an encoder"
	case p.ID != m.Model.ID || p.Revision != m.Model.Revision:
		problem = fmt.Sprintf("it is %s@%s, the manifest's model is %s@%s", p.ID, p.Revision, m.Model.ID, m.Model.Revision)
	case (p.Config.Tokens != nil) != (m.Tokens != nil):
		problem = "one of pack and collection has vectors of tokens (maxsim), the other of whole texts"
	case p.Config.Dimension() != m.Dim:
		problem = fmt.Sprintf("its vectors have %d components, the collection's rows %d", p.Config.Dimension(), m.Dim)
	case m.Angles != nil && m.Angles.Dim != angles:
		problem = fmt.Sprintf("its angles have %d components, the collection's %d", angles, m.Angles.Dim)
	case !slices.Equal(listed(p, &m.Encoder.PackFiles), m.Encoder.Files):
		problem = "its payload files are not those of encoder.files in manifest.json"
	}
	if problem != "" {
		return fault.New(fault.Integrity, problem+": re-upload the folder, or index the corpus again")
	}
	return nil
}

// listed returns the payload files of a pack, as a manifest must name them.
func listed(p *pack.Manifest, at *manifest.PackFiles) []manifest.File {
	var files []manifest.File
	for _, f := range packfile.Payload(p) {
		files = append(files, payload(f, at))
	}
	for i := range min(len(files), len(at.Files)) {
		files[i].Stored = at.Files[i].Stored // which pack.json does not know
	}
	return files
}

// payload is a payload file in the collection. It is not compressed.
func payload(f pack.File, at *manifest.PackFiles) manifest.File {
	return manifest.File{Path: at.Payload(f.Path), SHA256: f.SHA256, Bytes: int64(f.Bytes), Stored: int64(f.Bytes)}
}

// packEncoder is a core's encoder of a collection's pack.
type packEncoder struct {
	c     *Collection
	pack  *pack.Manifest
	model Model
	about encoder.Info

	unread error // why the reader of queries cannot be used, or nil

	branch  bool          // whether the branch has been read
	reading chan struct{} // holds an element while branch is in use, as a lock that a context can interrupt
}

var _ encoder.AngleEncoder = (*packEncoder)(nil)

// read reads the files of a section.
func (e *packEncoder) read(ctx context.Context, section string) error {
	return e.c.readSection(ctx, e.model, e.pack.Section(section), &e.c.store.Manifest().Encoder.PackFiles)
}

// readSection reads the files of a section into a model. It gives it none before all are there, because
// the model then allocates tensors of the sizes in pack.json, which may name hundreds of
// megabytes that no file has.
func (c *Collection) readSection(ctx context.Context, model Model, s *pack.Section, at *manifest.PackFiles) error {
	contents := make([][]byte, len(s.Files))
	for i, f := range s.Files {
		var err error
		if contents[i], err = c.read(ctx, payload(f, at)); err != nil {
			return err
		}
	}
	for i, content := range contents {
		if err := model.File(s.Name, content); err != nil {
			return &FileError{at.Payload(s.Files[i].Path), err}
		}
		contents[i] = nil
	}
	return nil
}

// Read implements encoder.QueryReader, by the wording alone if the encoder has no reader, or lost it.
func (e *packEncoder) Read(query string) (perspective.Reading, error) { return e.model.Read(query) }

func (e *packEncoder) Info() encoder.Info { return e.about }

func (e *packEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	out := make([]encoder.Embedding, len(texts))
	return out, e.each(ctx, texts, o, false, func(i int, vector []float32, info encode.Info) {
		out[i] = encoder.Embedding{Vector: vector, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
	})
}

func (e *packEncoder) AngleDim() int {
	_, dim := e.model.Dim()
	return dim
}

func (e *packEncoder) EncodeAngles(ctx context.Context, texts []string, o encoder.Options) ([][]float32, error) {
	if e.AngleDim() == 0 {
		return nil, errNoAngles(e.about.ID)
	}
	if err := e.readBranch(ctx); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	return out, e.each(ctx, texts, o, true, func(i int, angle []float32, _ encode.Info) { out[i] = angle })
}

// readBranch reads the branch if it has not been read. If that fails, the next call
// tries again.
func (e *packEncoder) readBranch(ctx context.Context) error {
	select {
	case e.reading <- struct{}{}:
		defer func() { <-e.reading }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.branch {
		return nil
	}
	if err := e.read(ctx, pack.BranchSection); err != nil {
		return &noAngles{err}
	}
	e.branch = true
	return nil
}

func (e *packEncoder) Tables() (numbers map[string][]float64, texts map[string][]string) {
	return e.pack.Numbers, e.pack.Texts
}

// each encodes texts one by one: a core computes one at a time.
func (e *packEncoder) each(ctx context.Context, texts []string, o encoder.Options, angle bool, use func(i int, vector []float32, info encode.Info)) error {
	before, err := e.about.Before(len(texts), o)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		vector, info, err := e.model.Encode(before(i)+text, angle)
		if err != nil {
			return err
		}
		use(i, vector, info)
	}
	return nil
}

// packTokens is a packEncoder whose pack gives each token a vector.
type packTokens struct{ *packEncoder }

func (e packTokens) TokenInfo() encoder.Info { return e.about }

// EncodeTokens implements encoder.TokenEncoder.
func (e packTokens) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	out := make([]encoder.TokenVectors, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors, info, err := e.model.EncodeTokens(text, role != encoder.Query)
		if err != nil {
			return nil, err
		}
		out[i] = encoder.TokenVectors{Vectors: vectors, Rows: len(vectors) / e.about.Dim, Dim: e.about.Dim, Tokens: info.Tokens, Truncated: info.Truncated}
	}
	return out, nil
}
