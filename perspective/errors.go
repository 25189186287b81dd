package perspective

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// DegenerateError says that the vectors leave the method nothing to score with.
type DegenerateError struct {
	Method string // name of the method
	Reason string // what vanished, and the remedy
}

func (e *DegenerateError) Error() string { return "method " + e.Method + ": " + e.Reason }

// Is reports the kind of fault: query.
func (e *DegenerateError) Is(target error) bool { return target == fault.Query }

// UnknownMethodError says that no method has the name.
type UnknownMethodError struct {
	Method string   // as given by the caller
	Also   []string // names that the caller accepts in addition
}

func (e *UnknownMethodError) Error() string {
	s := "unknown method " + strconv.Quote(shorten(e.Method)) + ": use one of "
	for i := range table {
		if i > 0 {
			s += ", "
		}
		s += table[i].Short()
	}
	for _, name := range e.Also {
		s += ", " + name
	}
	return s
}

// Is reports the kind of fault: query.
func (e *UnknownMethodError) Is(target error) bool { return target == fault.Query }

// MissingError says that the method needs a vector that the query does not have.
type MissingError struct {
	Method string // name of the method
	What   string // "query", "root" or "perspective"
}

func (e *MissingError) Error() string {
	return "method " + e.Method + " needs a " + e.What + ": give one, or use a method that needs none"
}

// Is reports the kind of fault: query.
func (e *MissingError) Is(target error) bool { return target == fault.Query }

// DimensionError says that vectors differ in length.
type DimensionError struct {
	What      string // the vector, such as "root" or "perspective 2"
	Got, Want int
}

func (e *DimensionError) Error() string {
	return e.What + " has " + strconv.Itoa(e.Got) + " dimensions, not " + strconv.Itoa(e.Want) +
		": encode all texts of a query with the same model"
}

// Is reports the kind of fault: query.
func (e *DimensionError) Is(target error) bool { return target == fault.Query }

// NonFiniteError says that a number is NaN or infinite.
type NonFiniteError struct {
	What  string // the vector, such as "query" or "perspective 2", or "lambda" or "strength"
	Index int    // index of the element; -1 for lambda and strength
	Value float64
}

func (e *NonFiniteError) Error() string {
	where := e.What
	if e.Index >= 0 {
		where += ", element " + strconv.Itoa(e.Index) + ","
	}
	return where + " is " + strconv.FormatFloat(e.Value, 'g', -1, 64) + ": it must be a finite number"
}

// Is reports the kind of fault: query.
func (e *NonFiniteError) Is(target error) bool { return target == fault.Query }

// LambdaError says that λ is out of range.
type LambdaError struct {
	Lambda float64
}

func (e *LambdaError) Error() string {
	limit := strconv.FormatFloat(MaxLambda, 'g', -1, 64)
	return "lambda is " + strconv.FormatFloat(e.Lambda, 'g', -1, 64) + ": it must be between -" + limit + " and " + limit +
		" (1 is the paper's projection, 0 the plain cosine)"
}

// Is reports the kind of fault: query.
func (e *LambdaError) Is(target error) bool { return target == fault.Query }

// StrengthError says that the strength of the angle is out of range.
type StrengthError struct {
	Strength float64
}

func (e *StrengthError) Error() string {
	limit := strconv.FormatFloat(MaxStrength, 'g', -1, 64)
	return "strength is " + strconv.FormatFloat(e.Strength, 'g', -1, 64) + ": it must be between -" + limit + " and " + limit +
		" (0 leaves the angle out, a negative strength asks for the opposite)"
}

// Is reports the kind of fault: query.
func (e *StrengthError) Is(target error) bool { return target == fault.Query }

// AnglesError says that a query has another number of angle vectors than its method
// needs.
type AnglesError struct {
	Method    string // name of the method
	Got, Want int
}

func (e *AnglesError) Error() string {
	need := " needs one angle vector, the query's"
	if e.Want == 2 {
		need = " needs two angle vectors, the root's asked for each of two opposite sides"
	}
	return "method " + e.Method + need + ", and the query has " + strconv.Itoa(e.Got) +
		": encode them with an encoder that tells sides apart, or use another method"
}

// Is reports the kind of fault: query.
func (e *AnglesError) Is(target error) bool { return target == fault.Query }

// TooManyError says that a query has more than MaxPerspectives perspectives.
type TooManyError struct {
	Got int
}

func (e *TooManyError) Error() string {
	return "the query has " + strconv.Itoa(e.Got) + " perspectives, at most " + strconv.Itoa(MaxPerspectives) +
		": merge some into one text"
}

// Is reports the kind of fault: query.
func (e *TooManyError) Is(target error) bool { return target == fault.Query }

// shorten cuts a long name for use in a message.
func shorten(name string) string {
	const limit = 64
	if len(name) <= limit {
		return name
	}
	return name[:limit] + "..."
}
