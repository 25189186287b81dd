// Package fault has the kinds of faults that Vantage tells apart, by what a
// caller can do about them. Everything that names a fault follows from the one
// table of this package: the codes of the ABI, the classes of the JavaScript
// library, the codes of the encode server's stream, HTTP status and the
// command's exit codes.
//
// A Kind is an error itself, to be asked for:
//
//	if errors.Is(err, fault.Unavailable) { … try again later … }
//
// An error type says its kind with a method Is:
//
//	func (e *FormatError) Is(target error) bool { return target == fault.Input }
//
// The core links this package, so it imports errors alone.
package fault

import "errors"

// Kind is what kind of fault an error is.
type Kind string

// The kinds; Doc says what each is. Their text is stable: it is the code of the
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

// Facts are what the outside makes of a kind.
type Facts struct {
	Kind  Kind
	Class string // of the JavaScript library
	Code  int32  // of a call of the ABI, below zero
	HTTP  int    // status of an answer of the encode server
	Exit  int    // code of the command
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

// Facts returns the row of a kind; an unknown one has Internal's.
func (k Kind) Facts() Facts {
	for _, f := range Table {
		if f.Kind == k {
			return f
		}
	}
	return Table[len(Table)-1]
}

// OfCode is the kind of a call of the ABI that gave a code below zero.
func OfCode(code int32) Kind {
	for _, f := range Table {
		if f.Code == code {
			return f.Kind
		}
	}
	return Internal
}

// Of is the kind of an error: of the first in its chain, from the outside in,
// that has one. "" if none has.
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
func New(kind Kind, text string) error { return &simple{kind, errors.New(text)} }

// As gives an error a kind, in place of the one that it may have; nil stays nil.
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
