// Package fault has the kinds of faults that Vantage distinguishes by what a caller can
// do about them. The table in this package gives each kind its code in the ABI, its class
// in the JavaScript library, its HTTP status and its exit code. Only the encode server's
// stream has codes of its own, each of which has a kind (internal/server/wire).
//
// A Kind is itself an error, so that callers can write
//
//	if errors.Is(err, fault.Unavailable) { … try again later … }
//
// An error type reports its kind with a method Is:
//
//	func (e *FormatError) Is(target error) bool { return target == fault.Input }
//
// The core links this package, so what is built for WebAssembly imports only package errors.
package fault

import "errors"

// Kind is the kind of a fault.
type Kind string

// The kinds, which Doc describes. Their text is stable, because it is the code of the
// JavaScript classes.
const (
	Input       Kind = "input"
	Query       Kind = "query"
	Limit       Kind = "limit"
	Integrity   Kind = "integrity"
	Version     Kind = "version"
	Unsupported Kind = "unsupported"
	Unavailable Kind = "unavailable"
	Internal    Kind = "internal"
)

func (k Kind) Error() string { return string(k) }

// Facts are the representations of a kind outside Go.
type Facts struct {
	Kind  Kind
	Class string // class of the JavaScript library
	Code  int32  // result of a call of the ABI, below zero
	HTTP  int    // HTTP status of the encode server's answer; internal/server/wire names the exceptions, such as 429
	Exit  int    // exit code of the command
}

// Table has the facts of every kind. Codes -2 and -3 of the ABI, a handle and
// an address that the core does not know, are faults of the host: Internal.
var Table = [...]Facts{
	{Input, "InputError", -4, 400, 3},
	{Query, "QueryError", -5, 400, 2},
	{Limit, "LimitError", -6, 413, 3},
	{Integrity, "IntegrityError", -8, 502, 3},
	{Version, "VersionError", -9, 400, 3},
	{Unsupported, "UnsupportedError", -7, 400, 3},
	{Unavailable, "UnavailableError", -10, 503, 1},
	{Internal, "InternalError", -1, 500, 1},
}

// Facts returns the row of a kind. An unknown kind has the row of Internal.
func (k Kind) Facts() Facts {
	for _, f := range Table {
		if f.Kind == k {
			return f
		}
	}
	return Table[len(Table)-1]
}

// OfCode is the kind of a negative result of the ABI.
func OfCode(code int32) Kind {
	for _, f := range Table {
		if f.Code == code {
			return f.Kind
		}
	}
	return Internal
}

// Of is the kind of the first error in a chain that has one, from the outside in. It is
// "" if none has.
func Of(err error) Kind {
	for err != nil {
		if kind, ok := err.(Kind); ok {
			return kind
		}
		if is, ok := err.(interface{ Is(target error) bool }); ok {
			for _, f := range Table {
				if is.Is(f.Kind) {
					return f.Kind
				}
			}
		}
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			err = u.Unwrap()
		case interface{ Unwrap() []error }:
			for _, one := range u.Unwrap() {
				if kind := Of(one); kind != "" {
					return kind
				}
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

// New is errors.New with a kind.
//
//go:noinline
func New(kind Kind, text string) error { return &simple{kind, errors.New(text)} }

// As gives an error a kind. Of returns it in place of the error's own kind, but errors.Is finds both. nil stays nil.
//
//go:noinline
func As(kind Kind, err error) error {
	if err == nil {
		return nil
	}
	return &simple{kind, err}
}

type simple struct {
	kind Kind
	err  error
}

func (e *simple) Error() string        { return e.err.Error() }
func (e *simple) Unwrap() error        { return e.err }
func (e *simple) Is(target error) bool { return target == e.kind }
