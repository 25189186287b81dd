// Package httpstatus maps the status of an HTTP answer to kinds of errors.
package httpstatus

import (
	"io/fs"
	"net/http"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Is reports whether a status means target. 404 and 410 mean fs.ErrNotExist, 401 and
// 403 fs.ErrPermission, and all four fault.Input, because the address or the key is at
// fault. 413 means fault.Limit; 408, 429 and 500 or greater mean fault.Unavailable; all
// others mean fault.Input. Errors that hold a status call it in their method Is.
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
