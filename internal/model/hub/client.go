package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/retry"
	"github.com/vantage-search/vantage/internal/stall"
)

// Limits of answers.
const (
	maxRedirects = 10
	maxHeader    = 256 << 10 // bytes
	maxListing   = 64 << 20  // bytes of the list of files
	maxFile      = 1 << 42   // bytes
)

// client fetches one revision of one model from a hub.
type client struct {
	settings
	timing
	http   *http.Client
	name   string
	model  string // name@revision
	notice func(string)
}

func newClient(s settings, name, revision string, notice func(string)) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // sizes and ranges must refer to uncompressed files
	transport.MaxResponseHeaderBytes = maxHeader
	transport.TLSHandshakeTimeout = 10 * time.Second
	return &client{
		settings: s, timing: patient, name: name, model: name + "@" + revision, notice: notice,
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// page is the address of the model's web page.
func (c *client) page() string { return c.endpoint.Redacted() + "/" + c.name }

// listing is the hub's answer about a revision.
type listing struct {
	Commit   string `json:"sha"`
	Siblings []struct {
		Name string `json:"rfilename"`
	} `json:"siblings"`
}

// list asks for the commit and the files of a revision: GET /api/models/NAME/revision/REVISION.
func (c *client) list(ctx context.Context, revision string) (commit string, files []string, err error) {
	address := c.endpoint.String() + "/api/models/" + c.name + "/revision/" + url.PathEscape(revision)
	var body []byte
	err = c.retry(ctx, func() (bool, error) {
		answer, err := c.send(ctx, http.MethodGet, address, "", nil)
		if err != nil {
			return false, err
		}
		defer answer.Close()
		body, err = io.ReadAll(io.LimitReader(answer, maxListing+1))
		if err != nil {
			return false, &retry.Passing{Err: c.broken("", err)}
		}
		return false, nil
	})
	if err != nil {
		return "", nil, err
	}
	if len(body) > maxListing {
		return "", nil, &ModelError{Name: c.model, Problem: fmt.Sprintf("the list of its files has more than %d bytes", maxListing), Remedy: "use a repository with one model"}
	}
	commit, files, err = parseListing(body)
	if err == nil && isCommit(revision) && commit != revision {
		err = fmt.Errorf("it is of commit %s", commit)
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: the answer of %s is not a list of a model's files: %w: check HF_ENDPOINT if it is set, and that no proxy answers instead", c.model, c.endpoint.Host, err)
	}
	return commit, files, nil
}

func parseListing(body []byte) (commit string, files []string, err error) {
	var l listing
	if err := unpack.JSON(body, &l); err != nil {
		return "", nil, err
	}
	if !isCommit(l.Commit) {
		return "", nil, fmt.Errorf("its commit is %.80q, which is not a hash", l.Commit)
	}
	for _, s := range l.Siblings {
		files = append(files, s.Name)
	}
	return l.Commit, files, nil
}

// meta is the hub's information about a file.
type meta struct {
	etag string
	size int64
}

// head asks for the hash and size of a file. If the file is in LFS, they are in X-Linked-Etag and X-Linked-Size of
// the answer that redirects to its storage; otherwise they are the ETag and the length.
func (c *client) head(ctx context.Context, commit, file string) (m meta, err error) {
	err = c.retry(ctx, func() (bool, error) {
		answer, err := c.send(ctx, http.MethodHead, c.address(commit, file), file, nil)
		if err != nil {
			return false, err
		}
		defer answer.Close()
		m, err = metaOf(answer.Header, answer.ContentLength)
		if of := answer.Header.Get("X-Repo-Commit"); err == nil && of != "" && of != commit {
			err = fmt.Errorf("it is of commit %.80q, not of %s", of, commit)
		}
		if err != nil {
			err = fmt.Errorf("%s: %s: the answer of %s cannot be checked: %w: check HF_ENDPOINT if it is set, and that no proxy changes answers", c.model, file, answer.host, err)
		}
		return false, err
	})
	if err == nil {
		err = checkSize(c.model, file, m.size)
	}
	return m, err
}

func metaOf(h http.Header, length int64) (meta, error) {
	header, linked := h.Get("X-Linked-Etag"), h.Get("X-Linked-Size")
	if header == "" {
		header = h.Get("ETag")
	}
	m := meta{etag: normalETag(header), size: length}
	if linked != "" {
		n, err := strconv.ParseInt(linked, 10, 64)
		if err != nil {
			return meta{}, fmt.Errorf("its X-Linked-Size is %.80q", linked)
		}
		m.size = n
	}
	switch {
	case digestOf(m.etag) == nil:
		return meta{}, fmt.Errorf("its ETag %.80q is neither a SHA-1 nor a SHA-256", header)
	case m.size < 0:
		return meta{}, errors.New("it tells no size")
	case m.size > maxFile:
		return meta{}, fmt.Errorf("its size is %d bytes, at most %d", m.size, int64(maxFile))
	}
	return m, nil
}

// address is the URL of a file.
func (c *client) address(commit, file string) string {
	parts := strings.Split(file, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return c.endpoint.String() + "/" + c.name + "/resolve/" + commit + "/" + strings.Join(parts, "/")
}

// send makes a request and follows redirects. It sends the token only to the hub. HEAD stops at the first answer that
// has a linked file's hash. A status other than 2xx is an error.
func (c *client) send(ctx context.Context, method, address, file string, header http.Header) (*answer, error) {
	ctx, watch := stall.New(ctx, c.stall)
	response, err := c.follow(ctx, method, address, header)
	if err != nil {
		err = watch.Explain(err)
		watch.Stop()
		return nil, c.unreachable(file, err)
	}
	a := &answer{Response: response, host: response.Request.URL.Host, watch: watch}
	a.Reader = watch.Reader(response.Body)
	linked := method == http.MethodHead && response.Header.Get("X-Linked-Etag") != ""
	if code := response.StatusCode; code/100 != 2 && !(linked && code/100 == 3) {
		a.Close()
		return nil, c.refused(a, file)
	}
	if e := response.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		a.Close()
		return nil, &retry.Passing{Err: fmt.Errorf("%s: %s: %s answers in the encoding %.40q although none was asked for: check proxies on the way", c.model, file, a.host, e)}
	}
	return a, nil
}

// follow is http.Client.Do, with redirects in the way of huggingface_hub.
func (c *client) follow(ctx context.Context, method, address string, header http.Header) (*http.Response, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	for range maxRedirects + 1 {
		request, err := http.NewRequestWithContext(ctx, method, at.String(), nil)
		if err != nil {
			return nil, err
		}
		for key, values := range header {
			request.Header[key] = values
		}
		request.Header.Set("User-Agent", "vantage")
		request.Header.Set("Accept-Encoding", "identity")
		if c.token != "" && c.isHub(at) {
			request.Header.Set("Authorization", "Bearer "+c.token)
		}
		response, err := c.http.Do(request)
		if err != nil {
			return nil, err
		}
		to := response.Header.Get("Location")
		switch response.StatusCode {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		default:
			return response, nil
		}
		if to == "" || method == http.MethodHead && response.Header.Get("X-Linked-Etag") != "" {
			return response, nil
		}
		response.Body.Close()
		next, err := at.Parse(to)
		if err != nil || next.Host == "" || next.Scheme != "https" && (next.Scheme != "http" || at.Scheme == "https") {
			return nil, &redirectError{"a redirect leads to no https address"}
		}
		next.User = nil // a redirect must not choose our credentials
		if c.isHub(next) {
			next.User = c.endpoint.User
		}
		at = next
	}
	return nil, &redirectError{fmt.Sprintf("more than %d redirects", maxRedirects)}
}

// isHub reports whether an address belongs to the hub itself, which may receive the token.
func (c *client) isHub(at *url.URL) bool {
	return at.Scheme == c.endpoint.Scheme && at.Host == c.endpoint.Host
}

// redirectError is a redirect that is not followed.
type redirectError struct{ problem string }

func (e *redirectError) Error() string { return e.problem }

// unreachable is the error if there was no answer.
func (c *client) unreachable(file string, err error) error {
	at := c.model
	if file != "" {
		at += ": " + file
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // omit the address, which may be signed
	}
	var redirect *redirectError
	if errors.As(err, &redirect) {
		return fmt.Errorf("%s: %s: %w: check HF_ENDPOINT if it is set, and that no proxy answers instead", at, c.endpoint.Host, err)
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return fmt.Errorf("%s: %s cannot be trusted: %w: check the clock, HF_ENDPOINT and certificates (SSL_CERT_FILE)", at, c.endpoint.Host, err)
	}
	return &retry.Passing{Err: &UnreachableError{at, c.endpoint.Host, err}}
}

// broken is the error of an answer that ended too early.
func (c *client) broken(file string, err error) error {
	at := c.model
	if file != "" {
		at += ": " + file
	}
	return &UnreachableError{at, c.endpoint.Host, fmt.Errorf("the answer was cut off: %w", err)}
}

// refused is the error of an answer other than the file.
func (c *client) refused(a *answer, file string) error {
	err := &StatusError{Name: c.model, File: file, Host: a.host, Page: c.page(), Code: a.StatusCode,
		Kind: a.Header.Get("X-Error-Code"), Said: a.Header.Get("X-Error-Message"), storage: a.host != c.endpoint.Host, auth: c.token != ""}
	switch code := err.Code; {
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500,
		err.storage && code == http.StatusForbidden: // the signature of the address has expired, and the next attempt gets a new one
		return &retry.Passing{Err: err, Wait: retry.After(a.Header, time.Now())}
	}
	return err
}
