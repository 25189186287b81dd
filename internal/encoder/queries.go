package encoder

import "github.com/vantage-search/vantage/perspective"

// QueryReader is an encoder that also reads queries: a pack with a reader.
type QueryReader interface {
	Encoder
	// Read finds the root and the perspective of a query. The reading is zero if it asks for none.
	Read(query string) (perspective.Reading, error)
}

// Read reads a query: by the encoder if it reads queries, else by the wording alone, as perspective.Read does.
func Read(e Encoder, query string) (perspective.Reading, error) {
	if r, is := e.(QueryReader); is {
		return r.Read(query)
	}
	return perspective.Read(query), nil
}
