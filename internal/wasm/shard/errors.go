package shard

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// FormatError says what is wrong with a vector file or with the tensors to be written.
type FormatError struct {
	Tensor  string // "" means the whole file
	Problem string
}

func (e *FormatError) Error() string {
	if e.Tensor == "" {
		return "safetensors: " + e.Problem
	}
	return "safetensors: tensor " + strconv.Quote(clip(e.Tensor)) + ": " + e.Problem
}

// Is reports the kind of fault: input.
func (e *FormatError) Is(target error) bool { return target == fault.Input }

//go:noinline
func formatError(tensor, problem string) error { return &FormatError{tensor, problem} }

// RowError says which row cannot be used, and why.
type RowError struct {
	Tensor  string
	Row     int
	Column  int // -1 means the whole row
	Problem string
}

func (e *RowError) Error() string {
	at := "row " + strconv.Itoa(e.Row)
	if e.Column >= 0 {
		at += ", column " + strconv.Itoa(e.Column)
	}
	return "tensor " + strconv.Quote(e.Tensor) + ": " + at + ": " + e.Problem
}

// Is reports the kind of fault: input.
func (e *RowError) Is(target error) bool { return target == fault.Input }

// clip shortens a name that comes from a file.
func clip(name string) string {
	const most = 64
	if len(name) > most {
		return name[:most] + "…"
	}
	return name
}

// shapeText writes a shape as [n, d], or the beginning of a long one.
func shapeText(shape []int) string {
	const most = 8
	text := "["
	for i, n := range shape {
		if i > 0 {
			text += ", "
		}
		if i == most {
			text += "…"
			break
		}
		text += strconv.Itoa(n)
	}
	return text + "]"
}

// floatText writes a number for an error message.
func floatText(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
