package httpstatus

import (
	"io/fs"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestIs(t *testing.T) {
	for status, want := range map[int][]error{
		400: {fault.Input}, 404: {fs.ErrNotExist, fault.Input}, 410: {fs.ErrNotExist, fault.Input},
		401: {fs.ErrPermission, fault.Input}, 403: {fs.ErrPermission, fault.Input}, 413: {fault.Limit},
		408: {fault.Unavailable}, 429: {fault.Unavailable}, 500: {fault.Unavailable}, 503: {fault.Unavailable},
	} {
		is := map[error]bool{}
		for _, target := range want {
			is[target] = true
		}
		for _, target := range []error{fs.ErrNotExist, fs.ErrPermission, fault.Input, fault.Limit, fault.Unavailable, fault.Internal} {
			if Is(status, target) != is[target] {
				t.Errorf("%d is %v: %v", status, target, !is[target])
			}
		}
	}
}
