// Package inspect says what a collection holds, and checks it, as `vantage inspect` does.
package inspect

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Report is what `vantage inspect --json` prints.
type Report struct {
	Collection string `json:"collection"` // folder or address
	vantage.Description
	Pack     *vantage.Pack   `json:"pack,omitempty"` // what the encoder says about itself, if it is a pack
	Fields   []vantage.Field `json:"fields"`
	Verified bool            `json:"verified"`         // every file was checked
	Faults   []string        `json:"faults,omitempty"` // what the check found
}

// Collection describes a collection and, if verify is set, checks every file of it. If
// files are damaged, it returns the report and faults, which joins an error for each of
// them, with the place of the collection. err says why there is no report.
func Collection(ctx context.Context, c *vantage.Collection, verify bool) (r *Report, faults, err error) {
	place := c.Place()
	r = &Report{Collection: place, Description: *c.Describe(), Verified: verify}
	var found []error
	if verify {
		if found, err = c.Verify(ctx); err != nil {
			return nil, nil, err
		}
	}
	var broken [2]error
	r.Pack, broken[0] = c.Pack(ctx)
	r.Fields, broken[1] = c.Fields(ctx)
	for _, err := range broken {
		if err != nil && !verify {
			return nil, nil, fault.At(place, err)
		}
		if err != nil {
			found = append(found, err)
		}
	}
	found = unique(found)
	for i, f := range found {
		r.Faults = append(r.Faults, f.Error())
		found[i] = fault.At(place, f)
	}
	return r, fault.As(fault.Input, errors.Join(found...)), nil
}

// unique leaves out faults that were found twice.
func unique(faults []error) (out []error) {
	seen := map[string]bool{}
	for _, fault := range faults {
		if !seen[fault.Error()] {
			seen[fault.Error()] = true
			out = append(out, fault)
		}
	}
	return out
}
