package encoder

import "github.com/vantage-search/vantage/perspective"

// QueryReader is an encoder that also reads queries: a pack with a reader.
type QueryReader interface {
	Encoder
	// Split splits a query into root and perspective. ok is false if it asks for none.
	Split(query string) (root, perspective string, ok bool, err error)
}

// Split splits a query into root and perspective: by the encoder if it reads queries, else by the wording alone, as
// perspective.Split does.
func Split(e Encoder, query string) (root, asked string, ok bool, err error) {
	if r, is := e.(QueryReader); is {
		return r.Split(query)
	}
	root, asked, ok = perspective.Split(query)
	return root, asked, ok, nil
}
