// Package bridge lets package headless make a vantage.Engine. The parts of an Engine
// are internal, so that programs can only pass it on.
package bridge

import (
	"context"

	"github.com/vantage-search/vantage/internal/search"
)

// Engine has the parts of a vantage.Engine.
type Engine struct {
	// Core starts an instance, which holds one collection.
	Core func(ctx context.Context) (search.Core, error)
	// Instances is the number of instances that answer the queries of one collection at
	// a time.
	Instances int
	// Close frees the resources that the instances share.
	Close func(ctx context.Context) error
}

// NewEngine returns a *vantage.Engine. Package vantage sets it when it is linked.
var NewEngine func(Engine) any
