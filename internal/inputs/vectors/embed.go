package vectors

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs/texts"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Report is the result of Embed.
type Report struct {
	Output     string       `json:"output"`
	Texts      int64        `json:"texts"`
	Tokens     int64        `json:"tokens"`
	Truncated  int64        `json:"truncated"` // texts longer than the model's limit
	Model      encoder.Info `json:"model"`
	Prompt     string       `json:"prompt"`     // prompt of the texts without an instruction
	Instructed int64        `json:"instructed"` // number of texts with an instruction
	Seconds    float64      `json:"seconds"`
}

// Embed encodes texts and writes their vectors to the output file, in the format of its
// extension. If anything fails, the old file stays. The caller must end the bar, which
// may be nil.
func Embed(ctx context.Context, e encoder.Encoder, in *texts.Source, output string, o encoder.Options, show *progress.Bar) (*Report, error) {
	r := &Report{Output: output, Model: e.Info()}
	if o.Prompt != nil {
		r.Prompt = *o.Prompt
	} else {
		r.Prompt, _ = r.Model.Prompt(o.Role)
	}
	if err := file.CheckOther(output, in.Name); err != nil {
		return nil, err
	}
	started := time.Now()
	err := file.Replace(output, func(w io.Writer) error { return r.encode(ctx, e, in, o, w, show) })
	r.Seconds = time.Since(started).Seconds()
	return r, err
}

// encode encodes the texts in portions and writes their vectors.
func (r *Report) encode(ctx context.Context, e encoder.Encoder, in *texts.Source, o encoder.Options, w io.Writer, show *progress.Bar) (err error) {
	out, err := newWriter(r.Output)
	if err != nil {
		return err
	}
	if err := out.begin(w, r.Output, r.Model); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.end()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for p := range in.Portions(ctx, r.Model.PortionBytes(), r.Model.MaxLength) {
		if p.Err != nil {
			return p.Err
		}
		embeddings, instructed, err := p.Encode(ctx, e, o)
		if err != nil {
			if ctx.Err() == nil {
				err = fault.As(fault.Input, err)
			}
			return err
		}
		for i, v := range embeddings {
			for _, x := range v.Vector {
				if !(math.Abs(float64(x)) <= math.MaxFloat32) {
					return fault.Errorf(fault.Input, "the model gives text %d a vector with %v in it: its weights are damaged", r.Texts+int64(i)+1, x)
				}
			}
			r.Tokens += int64(v.Tokens)
			if v.Truncated {
				r.Truncated++
			}
		}
		if err := out.add(p.IDs, embeddings); err != nil {
			return err
		}
		r.Texts += int64(len(p.Texts))
		r.Instructed += int64(instructed)
		show.Update(progress.Embed, r.Texts, 0)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.Texts == 0 {
		return fault.Errorf(fault.Input, "%s: no texts in it", in.Name)
	}
	return out.finish(r.Texts)
}
