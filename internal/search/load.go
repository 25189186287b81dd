package search

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// instance is a core with the collection in its memory.
type instance struct {
	core      Core
	encoder   Encoder // of queries; nil where the collection has none
	documents Encoder // the same but for an encoder outside the core
	index     Index   // nil where the collection has no documents
	words     words
}

func (c *Collection) load(ctx context.Context, core Core, progress func(done, total int64)) (*instance, error) {
	in := &instance{core: core}
	ref, err := c.openEncoder(ctx, in)
	if err != nil || c.store == nil {
		return in, err
	}
	m := c.store.Manifest()
	if in.encoder != nil {
		if err := in.check(ref, m); err != nil {
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
	return in, c.loadColumns(ctx, in.index, m)
}

// openEncoder opens the encoder outside the core, or else that of encoderFiles,
// if there is any.
func (c *Collection) openEncoder(ctx context.Context, in *instance) (EncoderRef, error) {
	if o := c.options.Outside; o != nil {
		in.encoder, in.documents = o.Queries, o.Documents
		return o.EncoderRef, nil
	}
	files, err := c.encoderFiles(ctx)
	if files == nil || err != nil {
		return EncoderRef{}, err
	}
	if in.encoder, err = in.core.OpenEncoder(files.Tokenizer, files.Weights, files.Config); err != nil {
		return EncoderRef{}, fmt.Errorf("encoder %s: %w", files.ID, err)
	}
	in.documents = in.encoder
	return files.EncoderRef, nil
}

// encoderFiles are those given, else those that the collection carries, else
// nil.
func (c *Collection) encoderFiles(ctx context.Context) (*EncoderFiles, error) {
	if c.options.Encoder != nil {
		return c.options.Encoder, nil
	}
	m := c.store.Manifest()
	if m.Encoder == nil {
		return nil, nil
	}
	files := &EncoderFiles{EncoderRef: EncoderRef{m.Model.ID, m.Model.Revision}}
	for _, part := range []struct {
		file manifest.File
		to   *[]byte
	}{{m.Encoder.Tokenizer, &files.Tokenizer}, {m.Encoder.Weights, &files.Weights}, {m.Encoder.Config, &files.Config}} {
		content, err := c.read(ctx, part.file)
		if err != nil {
			return nil, err
		}
		*part.to = content
	}
	return files, nil
}

// How near an encoder must come to the manifest's vectors: engines differ by
// rounding only, another model by far more. Where weights and activations are
// rounded to 8 bits, a difference in the last bit may become one of a step.
const (
	CanaryCosine     = 0.9999
	CanaryCosineInt8 = 0.99
)

// check refuses an encoder that is not the collection's: that of the queries,
// where they have one of their own, or else that of the documents.
func (in *instance) check(ref EncoderRef, m *manifest.Manifest) error {
	encoder := in.documents
	if m.QueryModel != nil {
		encoder = in.encoder
	}
	model, canaries := m.Queries()
	return checkCanaries(encoder, ref, model, canaries)
}

func checkCanaries(encoder Encoder, ref EncoderRef, m *manifest.Model, canaries []manifest.Canary) error {
	mismatch := &EncoderMismatchError{Encoder: ref, Model: EncoderRef{m.ID, m.Revision}, Least: CanaryCosine}
	if m.Int8 {
		mismatch.Least = CanaryCosineInt8
	}
	if encoder.Dim() != m.Dim {
		mismatch.Canary = "(its dimension is " + strconv.Itoa(encoder.Dim()) + ", the collection's " + strconv.Itoa(m.Dim) + ")"
		return mismatch
	}
	for _, canary := range canaries {
		vector, _, err := encoder.Encode(canary.Text)
		if err != nil {
			return err
		}
		if cos := cosine(vector, canary.Vector); !(cos >= mismatch.Least) {
			mismatch.Canary, mismatch.Cosine = canary.Text, cos
			return mismatch
		}
	}
	return nil
}

// cosine of two vectors; 1 where both are zero.
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
