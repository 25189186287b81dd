package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// parted is a model that computes the topic and the angle of a text in one pass, such as a
// packmodel.Encoder.
type parted interface {
	encoder.AngleEncoder
	EncodeParts(ctx context.Context, texts []string, o encoder.Options, parts encoder.Parts) ([]encoder.PartVectors, error)
}

// sideModel is a model that can tell which side of a root a text is on.
type sideModel struct {
	model       parted
	angleDim    int
	texts       map[string][]string // the pack's tables of texts, with the wordings for and against a root
	calibration stance.Calibration
}

// sideModelOf returns nil for a model that cannot tell sides apart.
func sideModelOf(model encoder.Encoder) *sideModel {
	p, ok := model.(parted)
	if !ok || p.AngleDim() == 0 {
		return nil
	}
	numbers, texts := p.Tables()
	constants, err := stance.Of(numbers)
	if err != nil || len(texts[stance.For.String()]) == 0 || len(texts[stance.Against.String()]) == 0 {
		return nil
	}
	return &sideModel{p, p.AngleDim(), texts, constants}
}

// encode returns the topic of each text, followed by its angle. One pass gives both.
func (m *sideModel) encode(ctx context.Context, texts []string, role encoder.Role) ([]encoder.Embedding, error) {
	found, err := m.model.EncodeParts(ctx, texts, encoder.Options{Role: role}, encoder.Trunk|encoder.Branch)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(found))
	for i, v := range found {
		out[i] = encoder.Embedding{Vector: slices.Concat(v.Trunk, v.Branch), Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, nil
}

// sidesRequest is the body of POST /v1/sides.
type sidesRequest struct {
	Model string          `json:"model"`
	Root  string          `json:"root"`
	Texts json.RawMessage `json:"texts"`
}

// side is what the answer says about a text.
type side struct {
	Index       int     `json:"index"`
	Side        string  `json:"side"` // for, neither or against
	Probability float32 `json:"probability"`
	Cosine      float32 `json:"cosine"` // with the root
	Slant       float32 `json:"slant"`
	OnSubject   bool    `json:"on_subject"`
	Truncated   bool    `json:"truncated,omitempty"`
}

// counts has the numbers of texts on the subject, by side, and the number of those that are not.
type counts struct {
	For        int `json:"for"`
	Neither    int `json:"neither"`
	Against    int `json:"against"`
	OffSubject int `json:"off_subject"`
}

// sides answers POST /v1/sides.
func (s *Server) sides(w http.ResponseWriter, r *http.Request) {
	s.bounded(w, r, func(ctx context.Context, memory *held, body []byte) error {
		root, texts, err := s.readSides(body)
		if err != nil {
			return err
		}
		// The vectors are held twice while they are compared.
		each := textBytes + 2*roundUp(4*s.engine.dim(true))
		if err := memory.take(int64(len(texts)*each + 3*(len(root)+each))); err != nil {
			return err
		}
		wordings := s.engine.sides.texts
		asked, err := s.encodeAll(ctx, r, encoder.Query, true,
			[]ask{{text: root}, {text: claim.Asking(wordings, stance.For, root)}, {text: claim.Asking(wordings, stance.Against, root)}})
		if err != nil {
			return err
		}
		given, err := s.encodeAll(ctx, r, encoder.Document, true, texts)
		if err != nil {
			return err
		}
		told, err := s.tell(asked, given)
		if err != nil {
			return err
		}
		s.writeSides(w, told, asked, given)
		return nil
	})
}

// readSides reads and checks a request.
func (s *Server) readSides(body []byte) (root string, texts []ask, err error) {
	var q sidesRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return "", nil, wrongBody(err, "the body is not the JSON of a request for sides: give root, a text, and texts, a list of texts")
	}
	if err := s.checkModel(q.Model); err != nil {
		return "", nil, err
	}
	switch most := s.limits.TextBytes; {
	case s.engine.sides == nil:
		e := wrong("model", "%s cannot tell sides apart: ask a server with a pack that does, such as vantage serve --model sides", s.engine.info.ID)
		e.Code = "no_sides"
		return "", nil, e
	case strings.TrimSpace(q.Root) == "":
		return "", nil, wrong("root", "root is missing or empty: give the claim that texts are for or against")
	case len(q.Root) > most:
		return "", nil, wrong("root", "root has %d bytes, at most %d", len(q.Root), most)
	case len(q.Texts) == 0 || q.Texts[0] != '[':
		return "", nil, wrong("texts", "texts is missing, or is not a list of texts")
	}
	texts, e := askEach(q.Texts, s.limits.Texts, "texts has elements that are not texts", askOfText)
	if e == nil && len(texts) == 0 {
		e = wrong("texts", "texts is empty")
	}
	if e == nil {
		e = s.checkInput(texts, encoder.Document)
	}
	if e != nil {
		e.Param = "texts"
		return "", nil, e
	}
	return q.Root, texts, nil
}

// tell compares texts with the root's vectors: its topic, and the angles of the queries for and
// against it. The numbers are those of vantage.Reranker.SidesOf, to the bit.
func (s *Server) tell(root, texts []encoder.Embedding) ([]ranking.Stance, error) {
	dim := s.engine.info.Dim
	ix, err := index.New(dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	hits := make([]index.Hit, len(texts))
	for i, text := range texts {
		row, err := ix.Add(text.Vector[:dim])
		if err == nil {
			err = ix.AddAngle(row, text.Vector[dim:])
		}
		if err != nil {
			return nil, err
		}
		hits[i] = index.Hit{Row: row, Document: uint32(row)}
	}
	q := perspective.Query{Method: "contrast", Strength: 1, Root: root[0].Vector[:dim], Angles: [][]float32{root[1].Vector[dim:], root[2].Vector[dim:]}}
	return ranking.TellOf(ix, &ranking.Request{Query: q}, s.engine.sides.calibration, hits)
}

func (s *Server) writeSides(w http.ResponseWriter, told []ranking.Stance, root, texts []encoder.Embedding) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	out := bufio.NewWriterSize(w, 16<<10)
	out.WriteString(`{"object":"list","data":[`)
	tokens, n := 0, counts{}
	for _, e := range root {
		tokens += e.Tokens
	}
	for i, t := range told {
		if i > 0 {
			out.WriteByte(',')
		}
		tokens += texts[i].Tokens
		one := side{Index: i, Side: t.Side.String(), Probability: t.Neither, Cosine: t.Cosine, Slant: t.Slant, OnSubject: t.OnSubject, Truncated: texts[i].Truncated}
		count := &n.Neither
		switch t.Side {
		case stance.For:
			one.Probability, count = t.For, &n.For
		case stance.Against:
			one.Probability, count = t.Against, &n.Against
		}
		if !t.OnSubject {
			count = &n.OffSubject
		}
		*count++
		if _, err := out.Write(mustJSON(one)); err != nil {
			return // the client has gone
		}
	}
	info := s.engine.info
	fmt.Fprintf(out, `],"counts":%s,"subject":%s,"model":%s,"revision":%s,"usage":%s}`+"\n", mustJSON(n), mustJSON(s.engine.sides.calibration.Subject),
		mustJSON(info.ID), mustJSON(info.Revision), mustJSON(usage{tokens, tokens}))
	out.Flush()
}
