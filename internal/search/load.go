package search

import (
	"context"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/threads"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// instance is a core with the collection in its memory.
type instance struct {
	core    Core
	encoder encoder.Encoder // nil if texts are not encoded
	broken  error           // why the encoder that the collection carries cannot be used
	index   Index           // nil if the collection has no documents
	words   words
	tokens  Tokens // nil if documents are compared by one vector each
	reader  Model  // reads queries; nil: the encoder does, if it can
	unread  error  // why the reader that the collection carries cannot be used, or nil

	readingAngles chan struct{} // holds a token while a query reads angles
	anglesRead    int           // files of angles in the index
}

// read finds the root and the perspective of a query: with the help of the reader, or of the encoder if it reads queries,
// else by the wording alone.
func (in *instance) read(query string) (perspective.Reading, error) {
	if in.reader != nil {
		return in.reader.Read(query)
	}
	if r, is := in.encoder.(encoder.QueryReader); is {
		return r.Read(query)
	}
	return in.core.Read(query)
}

// isWhole reports whether a query gives neither root nor perspective, and has a text to read them from.
func (q *Query) isWhole() bool {
	return q.Root == nil && len(q.Perspectives) == 0 && q.Query.Vector == nil
}

// split fills in the root and the perspective of a whole query.
func (in *instance) split(q *Query) (err error) {
	if q.reading, err = in.read(q.Query.Text); err != nil || q.reading == (perspective.Reading{}) {
		return err
	}
	q.Root, q.Perspectives = &Text{Text: q.reading.Root}, []Text{{Text: q.reading.Perspective}}
	return nil
}

// lostReader is why queries are split by the wording alone although the collection carries a reader of queries, or nil.
func (in *instance) lostReader() error {
	if e, is := in.encoder.(*packEncoder); is && in.reader == nil && in.unread == nil {
		return e.unread
	}
	return in.unread
}

func (c *Collection) load(ctx context.Context, core Core, progress func(done, total int64)) (_ *instance, err error) {
	defer threads.Caught(&err)
	in := &instance{core: core, readingAngles: make(chan struct{}, 1)}
	if c.encoding != nil {
		if err := c.openEncoder(ctx, in); err != nil {
			return nil, err
		}
	}
	if c.store == nil {
		return in, nil
	}
	m := c.store.Manifest()
	if m.Reader != nil && c.encoding != nil {
		in.reader, err = c.openReader(ctx, core, m.Reader)
		if in.unread, err = tolerated(core, err); err != nil {
			return nil, err
		}
	}
	dtype := shard.F32
	if m.DType == string(shard.I8) {
		dtype = shard.I8
	}
	if in.index, err = core.OpenIndex(m.Dim, dtype, m.Rows); err != nil {
		return nil, err
	}
	if err := c.loadVectors(ctx, in.index, m, progress); err != nil {
		return nil, err
	}
	if err := c.loadTokens(ctx, in, m); err != nil {
		return nil, err
	}
	return in, c.loadColumns(ctx, in.index, m)
}

// The least cosine between an encoder's canaries and those in the manifest. Engines
// differ only by rounding, another model by far more. If weights and activations are
// rounded to 8 bits, a difference in the last bit can grow to a whole quantization
// step.
const (
	CanaryCosine     = 0.9999
	CanaryCosineInt8 = 0.99
)

// checkCanaries refuses an encoder that is not the collection's. If queries have a
// model of their own, the encoder must be that model, otherwise that of the documents.
func checkCanaries(ctx context.Context, e encoder.Encoder, m *manifest.Manifest) error {
	model, canaries := m.Queries()
	role := encoder.Document
	if m.QueryModel != nil {
		role = encoder.Query
	}
	info := e.Info()
	mismatch := &EncoderMismatchError{Encoder: EncoderRef{info.ID, info.Revision}, Model: EncoderRef{model.ID, model.Revision}, Least: CanaryCosine}
	if model.Int8 {
		mismatch.Least = CanaryCosineInt8
	}
	if info.Dim != model.Dim {
		mismatch.Reason = fmt.Sprintf("it has %d dimensions, and the collection's vectors %d", info.Dim, model.Dim) + useItsModel
		return mismatch
	}
	if _, angled := e.(encoder.AngleEncoder); angled && m.Angles != nil && mismatch.Encoder != mismatch.Model {
		mismatch.Reason = "no canaries compare the angles of texts, so it must be of the same revision" + useItsModel
		return mismatch
	}
	if other := otherPrompts(info, model, role); other != "" {
		mismatch.Reason = other + ": use the prompts of the collection, or index it again"
		return mismatch
	}
	texts := make([]string, len(canaries))
	for i, canary := range canaries {
		texts[i] = canary.Text
	}
	made, err := encoder.Encode(ctx, e, texts, encoder.Options{Role: role})
	if err != nil {
		return err
	}
	for i, canary := range canaries {
		if cos := cosine(made[i].Vector, canary.Vector); !(cos >= mismatch.Least) {
			mismatch.Canary, mismatch.Cosine = canary.Text, cos
			return mismatch
		}
	}
	return nil
}

// otherPrompts says how the prompts of an encoder differ from those of the collection's model, or
// "". Canaries do not tell: they are encoded in one role, and a model may want a prompt for the
// other alone. An encoder without prompts in its description may add them by itself, so that
// nothing is known about it.
func otherPrompts(info encoder.Info, model *manifest.Model, canaries encoder.Role) string {
	if info.Prompts == nil || !model.StatesPrompts() {
		return ""
	}
	roles := []encoder.Role{encoder.Query, encoder.Document}
	if canaries == encoder.Query { // another model encodes the documents
		roles = roles[:1]
	}
	for _, role := range roles {
		if has, wants := encoder.PromptOf(info.Prompts, role), encoder.PromptOf(model.Prompts, role); has != wants {
			return fmt.Sprintf("its prompt for the role %s is %q, the collection's is %q", role, has, wants)
		}
	}
	return ""
}

// cosine is the cosine of two vectors. It is 1 if both are zero.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 && bb == 0 {
		return 1
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

func (c *Collection) loadVectors(ctx context.Context, ix Index, m *manifest.Manifest, progress func(done, total int64)) error {
	var done, total int64
	for _, f := range m.Vectors {
		total += f.Stored
	}
	for _, f := range m.Vectors {
		content, err := c.read(ctx, f.File)
		if err != nil {
			return err
		}
		if err := ix.Load(f.FirstRow, content); err != nil {
			return &FileError{f.Path, err}
		}
		done += f.Stored
		if progress != nil {
			progress(done, total)
		}
	}
	return nil
}

func (c *Collection) loadColumns(ctx context.Context, ix Index, m *manifest.Manifest) error {
	if m.Columns == nil {
		return nil
	}
	content, err := c.read(ctx, m.Columns.File)
	if err != nil {
		return err
	}
	path := m.Columns.File.Path
	file, err := shard.ParseSafetensors(content)
	if err != nil {
		return &FileError{path, err}
	}
	for column, field := range m.Columns.Fields {
		tensor, ok := file.Tensor(field.Tensor)
		want := shard.F64
		if field.Type == "string" {
			want = shard.U32
		}
		if !ok || tensor.DType != want || len(tensor.Shape) != 1 || tensor.Shape[0] != m.Rows {
			return &FileError{path, fmt.Errorf("field %q wants a tensor %q of type %s with %d values: index the corpus again", field.Name, field.Tensor, want, m.Rows)}
		}
		if err := setColumn(ix, uint32(column), tensor); err != nil {
			return &FileError{path, fmt.Errorf("field %q: %w", field.Name, err)}
		}
	}
	return nil
}

func setColumn(ix Index, column uint32, tensor shard.Tensor) error {
	if tensor.DType == shard.U32 {
		codes, err := tensor.Uint32()
		if err != nil {
			return err
		}
		return ix.SetCodes(column, 0, codes)
	}
	values, err := tensor.Float64()
	if err != nil {
		return err
	}
	return ix.SetNumbers(column, 0, values)
}
