package server

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/vantage-search/vantage/internal/encoder"
)

// metrics are the metrics at /metrics.
type metrics struct {
	registry                     *prometheus.Registry
	requests                     *prometheus.CounterVec
	refused, dropped             *prometheus.CounterVec
	texts, tokens, failures      prometheus.Counter
	chatTokens                   prometheus.Counter
	cacheHits, cacheMisses       prometheus.Counter
	sockets                      prometheus.Gauge
	waited, encoding, batchTexts prometheus.Histogram
	batchTokens                  prometheus.Histogram
	latency                      *prometheus.HistogramVec
}

func newMetrics() *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "vantage_" + name, Help: help})
	}
	histogram := func(name, help string, start, factor float64, n int) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: "vantage_" + name, Help: help, Buckets: prometheus.ExponentialBuckets(start, factor, n)})
	}
	vector := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "vantage_" + name, Help: help}, labels)
	}
	m := &metrics{
		registry:    prometheus.NewRegistry(),
		requests:    vector("requests_total", "Requests, by route and status, which is 499 if the client left before the answer; those of sockets (ENCODE) by ok or their fault.", "route", "status"),
		refused:     vector("refused_total", "Requests and connections refused, by reason.", "reason"),
		dropped:     vector("dropped_total", "Texts that were not encoded after all, by reason.", "reason"),
		texts:       counter("texts_total", "Texts encoded."),
		tokens:      counter("tokens_total", "Tokens encoded."),
		chatTokens:  counter("chat_tokens_total", "Tokens of the chat model, in prompts and replies."),
		failures:    counter("encode_failures_total", "Calls of the model that failed."),
		cacheHits:   counter("cache_hits_total", "Texts answered from the cache."),
		cacheMisses: counter("cache_misses_total", "Texts that the cache did not know."),
		sockets:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "vantage_sockets", Help: "Open WebSockets."}),
		waited:      histogram("queue_wait_seconds", "Time of a text in the queue.", 0.0005, 2, 16),
		encoding:    histogram("encode_seconds", "Time of a batch in the model.", 0.0005, 2, 16),
		batchTexts:  histogram("batch_texts", "Texts of a batch.", 1, 2, 12),
		batchTokens: histogram("batch_tokens", "Tokens of a batch.", 4, 2, 14),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "vantage_request_seconds", Help: "Time of a request, by route; of ENCODE until its last answer.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16)}, []string{"route"}),
	}
	// The counters with reasons exist from the start, so that Prometheus sees their
	// first increment.
	for counters, reasons := range map[*prometheus.CounterVec][]string{m.refused: {"budget", "connections", "host", "key", "origin", "overloaded", "protocol", "rate", "shutting_down", "slow"},
		m.dropped: {droppedAway, "cancelled", "deadline", "shutting_down"}} {
		for _, reason := range reasons {
			counters.WithLabelValues(reason)
		}
	}
	m.registry.MustRegister(m.requests, m.refused, m.dropped, m.texts, m.tokens, m.chatTokens, m.failures, m.cacheHits, m.cacheMisses, m.sockets, m.waited, m.encoding,
		m.batchTexts, m.batchTokens, m.latency, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// watch adds a gauge that is read on demand.
func (m *metrics) watch(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "vantage_" + name, Help: help}, value))
}

// model adds a gauge whose labels describe the model.
func (m *metrics) model(info *encoder.Info) {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "vantage_model_info", Help: "1, with what is served as labels."}, []string{"model", "revision", "architecture"})
	g.WithLabelValues(info.ID, info.Revision, info.Architecture).Set(1)
	m.registry.MustRegister(g)
}

// droppedAway is the label of texts that are lost because their client was away.
const droppedAway = "away"

// reason is the label of an error.
func reason(err error) string {
	switch {
	case errors.Is(err, errDeadline), errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case errors.Is(err, errShuttingDown):
		return "shutting_down"
	}
	return "cancelled"
}
