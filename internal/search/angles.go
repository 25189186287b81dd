package search

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// checkAngles refuses a method that needs angles, which no collection has.
func (q *Query) checkAngles() error {
	if m, err := perspective.Lookup(q.Method); err == nil && m.Angles > 0 {
		return fault.Errorf(fault.Query, "method %s needs the angles of passages, and the collection has none: use another method, or index it with an encoder that hears sides", m.Short())
	}
	return nil
}
