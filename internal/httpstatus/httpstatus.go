// Package httpstatus says what the status of an HTTP answer means as an error.
package httpstatus

import (
	"io/fs"
	"net/http"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Is reports whether target is what a status means: 404 and 410 are
// fs.ErrNotExist, 401 and 403 fs.ErrPermission, all four fault.Input because the
// address or the key is at fault; 413 is fault.Limit; 408, 429 and 500 up are
// fault.Unavailable, and whatever remains fault.Input. It is for the method Is of
// errors that hold a status.
func Is(status int, target error) bool {
	switch status {
	case http.StatusNotFound, http.StatusGone:
		return target == fs.ErrNotExist || target == fault.Input
	case http.StatusUnauthorized, http.StatusForbidden:
		return target == fs.ErrPermission || target == fault.Input
	case http.StatusRequestEntityTooLarge:
		return target == fault.Limit
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return target == fault.Unavailable
	}
	if status >= 500 {
		return target == fault.Unavailable
	}
	return target == fault.Input
}
