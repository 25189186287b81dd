package server

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/encoder"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// tracing makes OpenTelemetry spans for requests, their time in the queue, and batches.
// Attributes are numbers and fixed names, never texts. A nil tracing makes no spans.
type tracing struct{ tracer trace.Tracer }

func newTracing(tracer trace.Tracer) *tracing {
	if tracer == nil {
		return nil
	}
	return &tracing{tracer}
}

// caller is a context with only the span that the request's traceparent names.
func (t *tracing) caller(r *http.Request) context.Context {
	if t == nil {
		return context.Background()
	}
	return propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header))
}

// http adds a span to the context of a route's requests.
func (t *tracing) http(method, route string, handle http.HandlerFunc) http.HandlerFunc {
	if t == nil {
		return handle
	}
	return func(w http.ResponseWriter, r *http.Request) {
		_, span := t.tracer.Start(t.caller(r), method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route)))
		recorded := &recorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			if recorded.wrote {
				span.SetAttributes(attribute.Int("http.response.status_code", recorded.status))
			}
			if !recorded.wrote || recorded.status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "") // a panic, or the client disconnected
			}
			span.End()
		}()
		handle(recorded, r.WithContext(trace.ContextWithSpan(r.Context(), span)))
	}
}

// request begins the span of a request on a socket.
func (t *tracing) request(caller context.Context, name string) trace.Span {
	if t == nil {
		return trace.SpanFromContext(context.Background()) // a no-op span
	}
	_, span := t.tracer.Start(caller, name, trace.WithSpanKind(trace.SpanKindServer))
	return span
}

// trail is a traced request in the queue. It is nil if the request is not traced.
type trail struct {
	span, queue   trace.Span
	waiting, left atomic.Int32 // texts in the queue, and unanswered texts
	ends          bool         // the span ends with the last text
}

// follow gives an order its trail. If ends is set, the span ends with the last text of
// the order.
func (t *tracing) follow(span trace.Span, o *order, ends bool) *trail {
	if t == nil || !span.IsRecording() || len(o.jobs) == 0 {
		if ends {
			span.End()
		}
		return nil
	}
	l := &trail{span: span, ends: ends}
	span.SetAttributes(attribute.Int("vantage.texts", len(o.jobs)))
	_, l.queue = t.tracer.Start(trace.ContextWithSpan(context.Background(), span), "queue")
	l.waiting.Store(int32(len(o.jobs)))
	l.left.Store(int32(len(o.jobs)))
	o.trail = l
	return l
}

// taken records that a text has left the queue.
func (l *trail) taken() {
	if l != nil && l.waiting.Add(-1) == 0 {
		l.queue.End()
	}
}

// finished records that a text was answered.
func (l *trail) finished(err error) {
	if l == nil {
		return
	}
	if err != nil {
		l.failed(err)
	}
	if l.left.Add(-1) == 0 {
		l.queue.End() // has no effect if the span has ended
		if l.ends {
			l.span.End()
		}
	}
}

// refused records that the whole request was refused.
func (l *trail) refused(err error) {
	if l == nil {
		return
	}
	l.failed(err)
	l.queue.End()
	if l.ends {
		l.span.End()
	}
}

// failed records an error. All errors here are fixed texts.
func (l *trail) failed(err error) { l.span.SetStatus(codes.Error, err.Error()) }

// batch begins the span of a batch: a child of its first traced request, with
// links to and from the others, whose traces it belongs to as well.
func (t *tracing) batch(ctx context.Context, batch []*job) (context.Context, trace.Span) {
	var first *trail
	seen := map[*trail]bool{}
	var links []trace.Link
	if t != nil {
		for _, j := range batch {
			switch {
			case j.order.trail == nil || seen[j.order.trail]:
				continue
			case first == nil:
				first = j.order.trail
			default:
				links = append(links, trace.Link{SpanContext: j.order.trail.span.SpanContext()})
			}
			seen[j.order.trail] = true
		}
	}
	if first == nil {
		return ctx, trace.SpanFromContext(ctx)
	}
	ctx, span := t.tracer.Start(trace.ContextWithSpan(ctx, first.span), "batch", trace.WithLinks(links...), trace.WithAttributes(attribute.Int("vantage.batch.texts", len(batch))))
	for l := range seen {
		if l != first {
			l.span.AddLink(trace.Link{SpanContext: span.SpanContext()})
		}
	}
	return ctx, span
}

// call begins the span of a call of the model within a batch.
func (t *tracing) call(ctx context.Context, texts int) (context.Context, trace.Span) {
	if t == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, trace.SpanFromContext(ctx)
	}
	return t.tracer.Start(ctx, "encode", trace.WithAttributes(attribute.Int("vantage.texts", texts)))
}

// encoded ends the span of a call of the model.
func (t *tracing) encoded(span trace.Span, embeddings []encoder.Embedding, err error) {
	if t == nil || !span.IsRecording() {
		return
	}
	tokens := 0
	for _, e := range embeddings {
		tokens += e.Tokens
	}
	span.SetAttributes(attribute.Int("vantage.tokens", tokens))
	if err != nil {
		span.SetStatus(codes.Error, "the model failed") // the error itself might hold a text
	}
	span.End()
}
