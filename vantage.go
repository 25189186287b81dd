// Package vantage searches texts by point of view: a query has a root (what it
// is about) and perspectives (from which side), and both rank.
package vantage

import "github.com/vantage-search/vantage/internal/search"

// A Query asks for the documents nearest to a root, seen from a perspective.
type Query = search.Query

// A Text is a text to be encoded, or the vector it would give.
type Text = search.Text
