package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
)

// maxRequests is the greatest number of requests that a child works on concurrently.
const maxRequests = 64

// server is the child's side.
type server struct {
	out     io.Writer
	encoder model.Encoder
	info    encoder.Info

	mu      sync.Mutex
	under   map[uint64]context.CancelFunc // running requests
	writing sync.Mutex
}

// Serve is the child's main loop. It opens the model that the parent asks for and
// encodes until in ends, which happens when the parent has ended. If open returns a
// *ModelError, Start returns it too. The process must end when Serve returns, because
// abandoned work may still be running.
func Serve(in io.Reader, out io.Writer, open func(ctx context.Context, config []byte) (model.Encoder, error)) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	first, err := readFrame(in)
	if err != nil {
		return fmt.Errorf("nothing can be read from the parent: %w", err)
	}
	if first.kind != kindOpen || first.id != version {
		return fmt.Errorf("%w: an engine's process is started by vantage itself, and by the same version", errFrame)
	}
	s := &server{out: out, under: map[uint64]context.CancelFunc{}}
	go s.open(ctx, first.content, open)
	for {
		f, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.take(ctx, f)
		}
		if err != nil {
			return err
		}
	}
}

// open opens the encoder and tells the parent.
func (s *server) open(ctx context.Context, config []byte, open func(ctx context.Context, config []byte) (model.Encoder, error)) {
	encoder, err := open(ctx, config)
	if err != nil {
		s.answer(0, nil, err)
		return
	}
	s.mu.Lock()
	s.encoder, s.info = encoder, encoder.Info()
	s.mu.Unlock()
	info, err := describe(s.info)
	b := append(beginFrame(kindReady, 0), info...)
	if err == nil {
		b, err = endFrame(b)
	}
	s.answer(0, b, err)
}

// take handles a frame. It starts a goroutine to encode.
func (s *server) take(ctx context.Context, f frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.kind == kindCancel {
		if cancel := s.under[f.id]; cancel != nil {
			cancel()
		}
		return nil
	}
	if f.kind != kindTexts && f.kind != kindIDs {
		return fmt.Errorf("%w: kind %d", errFrame, f.kind)
	}
	w, err := parseWork(f)
	if err != nil {
		return err
	}
	if s.encoder == nil || s.under[f.id] != nil || len(s.under) >= maxRequests {
		return fmt.Errorf("request %d comes before the model is open, comes twice, or is one of more than %d", f.id, maxRequests)
	}
	ctx, cancel := context.WithCancel(ctx)
	s.under[f.id] = cancel
	go func() {
		defer cancel()
		embeddings, err := s.encode(ctx, w)
		var b []byte
		if err == nil {
			b, err = vectorsFrame(f.id, embeddings, s.info.Dim)
		}
		s.mu.Lock()
		delete(s.under, f.id)
		s.mu.Unlock()
		s.answer(f.id, b, err)
	}()
	return nil
}

// encode calls the encoder and turns panics into errors.
func (s *server) encode(ctx context.Context, w work) (embeddings []encoder.Embedding, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if w.ids == nil {
		return s.encoder.Encode(ctx, w.texts, w.options)
	}
	if e, ok := s.encoder.(encoder.IDEncoder); ok {
		return e.EncodeIDs(ctx, w.ids)
	}
	return nil, fmt.Errorf("%s takes no token ids", s.info.ID)
}

// answer sends a frame, or an error instead. Failed writes are ignored: if the parent
// has ended, the input of Serve ends, too.
func (s *server) answer(id uint64, b []byte, err error) {
	if err != nil {
		k, text := kindError, err.Error()
		if _, ok := errors.AsType[*ModelError](err); ok {
			k = kindModel
		}
		b, _ = endFrame(append(beginFrame(k, id), text[:min(len(text), maxWords)]...)) // the frame is never too long
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.out.Write(b)
}
