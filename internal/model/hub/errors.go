package hub

import (
	"fmt"
	"io/fs"
	"net/http"

	"github.com/vantage-search/vantage/internal/httpstatus"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// NameError is a model's name or a revision that cannot be one.
type NameError struct {
	What    string // "model" or "revision"
	Value   string
	Problem string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("%s %.200q %s: expected is ORGANISATION/NAME@REVISION, such as sentence-transformers/all-MiniLM-L6-v2@main", e.What, e.Value, e.Problem)
}

// Is reports the kind of fault: query.
func (e *NameError) Is(target error) bool { return target == fault.Query }

// NotCachedError is a model that is not in the cache, or not as a whole. It is fs.ErrNotExist in the sense of errors.Is.
type NotCachedError struct {
	Name, Revision string
	Cache          string // folder
	Problem        string // what is missing
	Offline        bool   // HF_HUB_OFFLINE forbids to fetch it
}

func (e *NotCachedError) Error() string {
	remedy := fmt.Sprintf("fetch it with: vantage pull %s@%s", e.Name, e.Revision)
	if e.Offline {
		remedy = "unset HF_HUB_OFFLINE to download it, or copy the cache from a machine that has it"
	}
	return fmt.Sprintf("%s@%s is not in the cache %s: %s: %s", e.Name, e.Revision, e.Cache, e.Problem, remedy)
}

// Is reports the kind of fault, input, and fs.ErrNotExist.
func (e *NotCachedError) Is(target error) bool {
	return target == fs.ErrNotExist || target == fault.Input
}

// ModelError is a model that the hub has, but not in a form that can be used: without weights, with an index that names
// files which are not there, with names that lead out of its folder.
type ModelError struct {
	Name    string // model@revision
	File    string // where the fault is, if in one
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

// StatusError is a refusal of the hub. In the sense of errors.Is it is what its status means (see httpstatus.Is), but a
// file that the hub lists and does not give is fault.Unavailable.
type StatusError struct {
	Name string // model@revision
	File string // empty: the model itself
	Host string // that answered
	Page string // of the model, for people
	Code int    // HTTP status
	Kind string // the hub's X-Error-Code: RepoNotFound, RevisionNotFound, EntryNotFound, GatedRepo
	Said string // the hub's X-Error-Message

	storage bool // it is not the hub itself that answered, but where it keeps large files
	auth    bool // the hub was sent a token
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
	case e.Code >= 500:
		return "the hub is in trouble: try again later; what was downloaded is kept"
	}
	return "check HF_ENDPOINT if it is set: this is not how a hub answers"
}

// Is gives the status its meaning for a file system.
func (e *StatusError) Is(target error) bool {
	if e.File != "" && (target == fault.Input || target == fault.Unavailable) { // the hub lists it
		return target == fault.Unavailable
	}
	return httpstatus.Is(e.Code, target)
}

// IntegrityError is a file whose content is not what the hub says it is. Such content is never visible in a snapshot.
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

// DiskError is a cache that cannot be written.
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

// UnreachableError is a hub that does not answer, or not to the end.
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
