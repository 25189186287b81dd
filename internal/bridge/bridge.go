// Package bridge lets other packages of this module make values of package vantage whose
// parts are internal and which programs can only pass on. Package headless makes engines;
// packages english, packs and internal/open make encoders.
package bridge

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
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

// NewEncoder returns a vantage.Encoder. A *staticmodel.Encoder runs in the engine. It and a
// packencoder.Encoder are written into collections. Package vantage sets it when it is linked.
var NewEncoder func(encoder.Encoder) any
