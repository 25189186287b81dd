package pack

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Remedies.
const (
	again  = ": fetch the pack again, or make it again with vantage model pack"
	remake = ": make the pack again with vantage model pack"
)

// input is the error for a manifest or payload that says something impossible.
//
//go:noinline
func input(problem string) error { return fault.New(fault.Input, "pack: "+problem+remake) }

// damaged is the error for bytes that are not those that the manifest names.
func damaged(problem string) error { return fault.New(fault.Integrity, "pack: "+problem+again) }

// limit is the error for a pack that is larger than what is read.
func limit(what string, got, most int64, remedy string) error {
	return fault.New(fault.Limit, "pack: "+what+" is "+strconv.FormatInt(got, 10)+", at most "+strconv.FormatInt(most, 10)+": "+remedy)
}

//go:noinline
func quote(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
