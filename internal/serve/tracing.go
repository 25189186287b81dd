package serve

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// traced reports whether spans are to be sent somewhere: if --otlp or
// OpenTelemetry's own environment variables say so.
func (e *Encoding) traced() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return e.Collector != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// checkCollector checks --otlp.
func (e *Encoding) checkCollector() error {
	if e.Collector == "" {
		return nil
	}
	if u, err := url.Parse(e.Collector); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fault.New(fault.Query, "--otlp: give a collector's address such as http://localhost:4318, without a user name or a query: OTEL_EXPORTER_OTLP_HEADERS is for keys") // the address may have one
	}
	return nil
}

// flushTime is how long the last spans may take to be sent.
const flushTime = 3 * time.Second

// startTracing returns a tracer, nil if nothing is traced. OpenTelemetry's environment
// variables set headers, sampling, batching and the service's name.
func (e *Encoding) startTracing(ctx context.Context, version string, c *console.Console) (_ trace.Tracer, done func(), err error) {
	if !e.traced() {
		return nil, func() {}, nil
	}
	otel.SetLogger(logr.New(settingFaults{c}))
	var options []otlptracehttp.Option
	if e.Collector != "" {
		options = append(options, otlptracehttp.WithEndpointURL(strings.TrimSuffix(e.Collector, "/")+"/v1/traces"))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, nil, err
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "vantage"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv()) // the last one wins
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { c.Warnf("traces: %v", err) }))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return provider.Tracer("github.com/vantage-search/vantage/internal/server"), func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		if err := provider.Shutdown(last); err != nil {
			c.Warnf("traces: the last ones were not sent: %v", err)
		}
	}, nil
}

// settingFaults warns of what is wrong with OpenTelemetry's environment variables, in place of
// its own logger, which repeats their values: these may be keys.
type settingFaults struct{ console *console.Console }

func (settingFaults) Init(logr.RuntimeInfo)               {}
func (settingFaults) Enabled(int) bool                    { return false }
func (settingFaults) Info(int, string, ...any)            {}
func (f settingFaults) WithValues(...any) logr.LogSink    { return f }
func (f settingFaults) WithName(name string) logr.LogSink { return f }

func (f settingFaults) Error(err error, what string, _ ...any) {
	if address, ok := errors.AsType[*url.Error](err); ok {
		err = address.Err
	}
	f.console.Warnf("traces: %s: %v: check the variables OTEL_…", what, err)
}
