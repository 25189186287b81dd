// Package remote reads collections over HTTP. It links neither encoders nor models, so that programs that only read a
// collection need none.
package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/httpstatus"
	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/stall"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// StatusError is the status with which a host answered instead of sending the file.
type StatusError struct {
	URL  string
	Code int
}

func (e *StatusError) Error() string {
	remedy := "check the address, and that the whole folder is uploaded and public"
	if e.Is(fault.Unavailable) {
		remedy = "try again later"
	}
	return fmt.Sprintf("%s: the host answered %d %s: %s", e.URL, e.Code, http.StatusText(e.Code), remedy)
}

// Is reports what the status means; see httpstatus.Is.
func (e *StatusError) Is(target error) bool { return httpstatus.Is(e.Code, target) }

// StalledError says that a host has stopped sending. It is a net.Error.
type StalledError struct {
	URL   string
	After time.Duration
}

func (e *StalledError) Error() string {
	return fmt.Sprintf("%s: nothing came from the host for %v: check the network, or try again later", e.URL, e.After)
}

// Is reports the kind of fault: unavailable.
func (e *StalledError) Is(target error) bool { return target == fault.Unavailable }

// Timeout is true.
func (e *StalledError) Timeout() bool { return true }

// Temporary is part of net.Error.
func (e *StalledError) Temporary() bool { return true }

// IsAddress reports whether a place is an address that FS reads, and not a folder.
func IsAddress(place string) bool {
	scheme, _, found := strings.Cut(place, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// FS reads files below a URL with GET, for store.Open. It retries temporary faults a
// few times: broken connections, answers that are cut off, 408, 429 and 5xx. A host that is
// silent for half a minute is a *StalledError. client may be nil. Opening a file reads
// all of it, at most 1 GB.
func FS(baseURL string, client *http.Client) fs.FS {
	if client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSHandshakeTimeout = 0 // stall limits all silence
		client = &http.Client{Transport: transport}
	}
	return &host{base: baseURL, client: client, retry: patient, stall: stall.After}
}

type host struct {
	base   string
	client *http.Client
	retry  retry.Policy
	stall  time.Duration // time without a byte after which a host counts as silent
}

var patient = retry.Policy{Attempts: 4, Delay: 250 * time.Millisecond, Most: time.Second, Wait: maxDelay}

// maxDelay is the longest pause, even if a host asks for more by Retry-After.
const maxDelay = 30 * time.Second

var _ store.Fetcher = (*host)(nil)

// Open reads the file.
func (h *host) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	b, err := h.Fetch(context.Background(), name, manifest.MaxFileBytes)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{Reader: bytes.NewReader(b), name: path.Base(name)}, nil
}

// Fetch reads the file, which may have at most limit bytes.
func (h *host) Fetch(ctx context.Context, name string, limit int64) ([]byte, error) {
	base, err := url.Parse(h.base)
	if err != nil {
		return nil, err
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fault.Errorf(fault.Input, "%q is not an http:// or https:// address of a host", h.base)
	}
	address := base.JoinPath(strings.Split(name, "/")...).String()
	var content []byte
	err = h.retry.Do(ctx, nil, func() (progress bool, err error) {
		content, err = h.get(ctx, address, limit)
		return false, err
	})
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", address, context.Cause(ctx))
	}
	return content, err
}

// get makes one attempt. There is no second one if the host was silent.
func (h *host) get(ctx context.Context, address string, limit int64) ([]byte, error) {
	ctx, watch := stall.New(ctx, h.stall)
	defer watch.Stop()
	start := time.Now()
	content, err := h.read(ctx, watch, address, limit)
	if err = watch.Explain(err); errors.Is(err, stall.Err) {
		return nil, &StalledError{URL: address, After: h.stall}
	}
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		took := time.Since(start)
		if most := h.client.Timeout; most > 0 && took >= most { // the host may have sent something
			return nil, fault.Errorf(fault.Unavailable, "%s: took longer than the %v that the http.Client allows: raise its Timeout: %w", address, most, late)
		}
		return nil, &StalledError{URL: address, After: took.Round(time.Millisecond)}
	}
	return content, err
}

// read is get without the limit on silence.
func (h *host) read(ctx context.Context, watch *stall.Watch, address string, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	// Files are compressed already. If the transport asked the host for gzip, it would unpack the answer before its
	// length can be bounded.
	request.Header.Set("Accept-Encoding", "identity")
	response, err := h.client.Do(request)
	if err != nil {
		return nil, &retry.Passing{Err: fault.As(fault.Unavailable, err)}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		err := &StatusError{URL: address, Code: response.StatusCode}
		if !httpstatus.Is(err.Code, fault.Unavailable) {
			return nil, err
		}
		return nil, &retry.Passing{Err: err, Wait: min(retry.After(response.Header, time.Now()), maxDelay)}
	}
	if response.ContentLength > limit {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d", address, store.ErrTooLong, response.ContentLength, limit)
	}
	body := watch.Reader(response.Body)
	if strings.EqualFold(response.Header.Get("Content-Encoding"), "gzip") && !response.Uncompressed {
		z, err := unpack.NewReader(body) // the host compressed without being asked
		if err != nil {
			return nil, &retry.Passing{Err: fault.Errorf(fault.Unavailable, "%s: %w", address, err)}
		}
		body = z
	}
	b, err := io.ReadAll(io.LimitReader(body, limit+1))
	if _, ok := errors.AsType[*unpack.ExpansionError](err); ok {
		return nil, fmt.Errorf("%s: Content-Encoding gzip: %w", address, err)
	}
	if err != nil {
		return nil, &retry.Passing{Err: fault.Errorf(fault.Unavailable, "%s: the answer was cut off: %w", address, err)}
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", address, store.ErrTooLong, limit)
	}
	return b, nil
}

// file is a file in memory.
type file struct {
	*bytes.Reader
	name string
}

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (f *file) Close() error               { return nil }
func (f *file) Name() string               { return f.name }
func (f *file) Mode() fs.FileMode          { return 0o444 }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return false }
func (f *file) Sys() any                   { return nil }
