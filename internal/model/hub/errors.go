package hub

import (
	"fmt"
	"io/fs"
	"net/http"

	"github.com/vantage-search/vantage/internal/httpstatus"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// NameError is the error of an invalid name of a model or a revision.
type NameError struct {
	What    string // "model" or "revision"
	Value   string
	Problem string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("%s %.200q %s: expected ORGANISATION/NAME@REVISION, such as sentence-transformers/all-MiniLM-L6-v2@main", e.What, e.Value, e.Problem)
}

// Is reports the kind of fault: query.
func (e *NameError) Is(target error) bool { return target == fault.Query }

// NotCachedError says that a model is not completely in the cache. In the sense of
// errors.Is, it is fs.ErrNotExist.
type NotCachedError struct {
	Name, Revision string
	Cache          string // folder of the cache
	Problem        string // what is missing
	Offline        bool   // HF_HUB_OFFLINE forbids fetching it
}

func (e *NotCachedError) Error() string {
	remedy := "fetch it with: vantage pull " + human.Argument(e.Name+"@"+e.Revision)
	if e.Offline {
		remedy = "unset HF_HUB_OFFLINE to download it, or copy the cache from a machine that has it"
	}
	return fmt.Sprintf("%s@%s is not in the cache %s: %s: %s", e.Name, e.Revision, e.Cache, e.Problem, remedy)
}

// Is reports the kind of fault, input, and fs.ErrNotExist.
func (e *NotCachedError) Is(target error) bool {
	return target == fs.ErrNotExist || target == fault.Input
}

// ModelError says that the hub has a model in an unusable form: without weights, with
// an index that names missing files, or with names that lead out of its folder.
type ModelError struct {
	Name    string // model@revision
	File    string // the faulty file, or empty
	Problem string
	Remedy  string
}

func (e *ModelError) Error() string {
	at := e.Name
	if e.File != "" {
		at += ": " + e.File
	}
	return fmt.Sprintf("%s: %s: %s", at, e.Problem, e.Remedy)
}

// Is reports the kind of fault: input.
func (e *ModelError) Is(target error) bool { return target == fault.Input }

// StatusError is a refusal by the hub. errors.Is goes by the meaning of the status (see
// httpstatus.Is), except that 404 or 410 for a file, and any refusal by the storage, is
// fault.Unavailable and not fault.Input: the hub has listed the file, and sent us to the storage.
type StatusError struct {
	Name string // model@revision
	File string // empty if the model itself was refused
	Host string // host that answered
	Page string // web page of the model
	Code int    // HTTP status
	Kind string // the hub's X-Error-Code: RepoNotFound, RevisionNotFound, EntryNotFound, GatedRepo
	Said string // the hub's X-Error-Message

	storage bool // the hub's storage of large files answered, not the hub itself
	auth    bool // a token was sent to the hub
}

func (e *StatusError) Error() string {
	at := e.Name
	if e.File != "" {
		at += ": " + e.File
	}
	text := fmt.Sprintf("%s: %s answered %d %s", at, e.Host, e.Code, http.StatusText(e.Code))
	if e.Said != "" {
		text += fmt.Sprintf(" (%.200q)", e.Said)
	}
	return text + ": " + e.remedy()
}

func (e *StatusError) remedy() string {
	licence := "accept the licence on " + e.Page
	switch {
	case e.storage && e.Code < 500 && e.Code != http.StatusTooManyRequests:
		return "the hub sent us there for this file: try again later"
	case e.Code == http.StatusUnauthorized && e.auth:
		return "the token is not valid, or may not read this model: check HF_TOKEN, and " + licence + " if it is gated"
	case e.Code == http.StatusUnauthorized:
		return "there is no such model, or it is private or gated: check the name; if it is right, set HF_TOKEN, and " + licence + " if it is gated"
	case e.Code == http.StatusForbidden && e.auth:
		return licence + " with the account of HF_TOKEN, or use a token that may read this model"
	case e.Code == http.StatusForbidden:
		return "the model is gated or private: " + licence + " and set HF_TOKEN"
	case e.Kind == "RevisionNotFound":
		return "there is no such revision: see the branches and tags on " + e.Page
	case e.Is(fs.ErrNotExist) && e.File != "":
		return "the hub lists this file but does not have it: try again later, or another revision"
	case e.Is(fs.ErrNotExist):
		return "check the model's name and revision, and HF_ENDPOINT if it is set"
	case e.Code == http.StatusTooManyRequests:
		return "too many requests: wait some minutes; HF_TOKEN raises the limit"
	case e.Code == http.StatusRequestTimeout, e.Code >= 500:
		return "the hub is in trouble: try again later; what was downloaded is kept"
	}
	return "check HF_ENDPOINT if it is set: this is not how a hub answers"
}

// Is maps the status to kinds of errors.
func (e *StatusError) Is(target error) bool {
	if (e.storage || e.File != "" && httpstatus.Is(e.Code, fs.ErrNotExist)) && (target == fault.Input || target == fault.Unavailable) {
		return target == fault.Unavailable
	}
	return httpstatus.Is(e.Code, target)
}

// IntegrityError says that a file's content, downloaded or in the cache, differs from the
// hub's size or hash. Such a download is never visible in a snapshot.
type IntegrityError struct {
	Name          string // model@revision
	File          string
	What          string // "size", "SHA-256", …
	Expected, Got string
	Remedy        string
}

func (e *IntegrityError) Error() string {
	return fmt.Sprintf("%s: %s: %s is %s, expected %s: %s", e.Name, e.File, e.What, e.Got, e.Expected, e.Remedy)
}

// Is reports the kind of fault: integrity.
func (e *IntegrityError) Is(target error) bool { return target == fault.Integrity }

// DiskError says that the cache cannot be written.
type DiskError struct {
	Path   string
	Remedy string
	Err    error
}

func (e *DiskError) Error() string {
	return fmt.Sprintf("%s: %v: %s", e.Path, e.Err, e.Remedy)
}

// Is reports the kind of fault: unavailable.
func (e *DiskError) Is(target error) bool { return target == fault.Unavailable }

func (e *DiskError) Unwrap() error { return e.Err }

// UnreachableError says that the hub does not answer, or that its answer broke off.
type UnreachableError struct {
	At   string // model@revision, and the file
	Host string
	Err  error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s: %s: %v: check the connection, HTTPS_PROXY and HF_ENDPOINT, and try again: what was downloaded is kept", e.At, e.Host, e.Err)
}

// Is reports the kind of fault: unavailable.
func (e *UnreachableError) Is(target error) bool { return target == fault.Unavailable }

func (e *UnreachableError) Unwrap() error { return e.Err }
