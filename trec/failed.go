//go:build !wasm

package trec

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// failed is the error of a reader that failed, with the place up to which it was read. It is no fault of the input.
func (l *lines) failed(err error) error {
	return fault.At(l.file+":"+strconv.Itoa(l.number), err)
}
