package encode

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Static is a static encoder in the layout of Model2Vec: the vector of a text is the
// mean of the vectors of its tokens, scaled to length 1 if the model says so. Its
// methods may be called by several goroutines at a time.
type Static struct {
	tokenizer *WordPiece
	table     table
	dim       int
	maxLength int
	normalize bool
	scratch   sync.Pool // *staticScratch
}

type staticScratch struct {
	ids []uint32
	sum []float64
}

// Info describes an encoded text.
type Info struct {
	Tokens    int  // all tokens, including unknown ones and those beyond the model's maximum
	Unknown   int  // tokens that are not in the vocabulary; a static encoder leaves them out
	Truncated bool // there were more tokens (static encoder: known ones) than the model's maximum; the rest is left out
}

// UnknownShare is the share of tokens that are not in the vocabulary, 0 for a
// text without tokens.
func (i Info) UnknownShare() float64 {
	if i.Tokens == 0 {
		return 0
	}
	return float64(i.Unknown) / float64(i.Tokens)
}

// Dim returns the length of vectors.
func (s *Static) Dim() int { return s.dim }

// MaxLength returns the most known tokens of a text that count.
func (s *Static) MaxLength() int { return s.maxLength }

// Normalize reports whether vectors have length 1 (or 0).
func (s *Static) Normalize() bool { return s.normalize }

// Tokenizer returns the model's tokenizer. It has no post-processor, because static
// models encode without special tokens.
func (s *Static) Tokenizer() *WordPiece { return s.tokenizer }

// Tokens appends the ids in the mean of a text: its known tokens, at most MaxLength.
func (s *Static) Tokens(dst []uint32, text string) ([]uint32, Info) {
	begin := len(dst)
	dst = s.tokenizer.Encode(dst, text)
	return s.keep(dst, begin)
}

// keep keeps the ids of dst[begin:] that count in a mean.
func (s *Static) keep(dst []uint32, begin int) ([]uint32, Info) {
	info := Info{Tokens: len(dst) - begin}
	kept := dst[:begin]
	for _, id := range dst[begin:] {
		switch {
		case id == s.tokenizer.unknown:
			info.Unknown++
		case len(kept)-begin == s.maxLength:
			info.Truncated = true
		default:
			kept = append(kept, id)
		}
	}
	return kept, info
}

// Encode writes the vector of a text to out, which has length Dim: the zero
// vector if no token is known. Sums are taken in float64, token by token, so
// that every machine gives the same bits.
func (s *Static) Encode(out []float32, text string) Info {
	scratch := s.borrow()
	ids, info := s.Tokens(scratch.ids[:0], text)
	s.mean(out, ids, scratch)
	return info
}

// EncodeIDs is Encode for token ids of the model's tokenizer without special ones, all
// less than its VocabSize.
func (s *Static) EncodeIDs(out []float32, ids []uint32) Info {
	scratch := s.borrow()
	ids, info := s.keep(append(scratch.ids[:0], ids...), 0)
	s.mean(out, ids, scratch)
	return info
}

func (s *Static) borrow() *staticScratch {
	scratch, ok := s.scratch.Get().(*staticScratch)
	if !ok {
		scratch = &staticScratch{sum: make([]float64, s.dim)}
	}
	return scratch
}

// mean writes the mean vector of tokens to out, and returns the scratch to its pool.
func (s *Static) mean(out []float32, ids []uint32, scratch *staticScratch) {
	sum := scratch.sum
	clear(sum)
	for _, id := range ids {
		s.table.add(sum, id)
	}
	scale := 1.0
	if n := len(ids); n > 0 {
		scale = float64(n)
	}
	if s.normalize {
		square := 0.0
		for _, v := range sum {
			square += float64(v * v)
		}
		if square > 0 {
			scale = math.Sqrt(square)
		}
	}
	out = out[:len(sum)]
	for j, v := range sum {
		out[j] = float32(v / scale)
	}
	if cap(ids) <= mostScratch {
		scratch.ids = ids
		s.scratch.Put(scratch)
	}
}

// table holds the vectors of tokens as the file stores them.
type table struct {
	dtype   shard.DType
	data    []byte // rows of dim elements, a part of the file
	dim     int
	weights []float64 // weight of each token; nil if all are 1. In an I8 table it includes the row's scale
	rows    []uint32  // row of each token; nil if token i has row i
}

// add adds the vector of a token to sum.
func (t *table) add(sum []float64, id uint32) {
	row, weight := int(id), 1.0
	if t.rows != nil {
		row = int(t.rows[id])
	}
	if t.weights != nil {
		weight = t.weights[id]
	}
	dim := len(sum)
	if t.dtype != shard.I8 {
		for j := range sum {
			sum[j] += float64(number(t.dtype, t.data, row*dim+j) * weight)
		}
		return
	}
	data := t.data[row*dim:][:dim]
	for j := range sum {
		sum[j] += float64(float64(int8(data[j])) * weight)
	}
}

// number returns element i of a tensor's data, or NaN for a dtype that static models do
// not have.
func number(dtype shard.DType, data []byte, i int) float64 {
	switch dtype {
	case shard.I8:
		return float64(int8(data[i]))
	case shard.F16:
		return float64(shard.F16ToF32(binary.LittleEndian.Uint16(data[2*i:])))
	case shard.F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	case shard.F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(data[4*i:])))
	case "I64":
		return float64(int64(binary.LittleEndian.Uint64(data[8*i:])))
	}
	return math.NaN()
}
