// Package vantage searches texts by point of view: a query has a root (what it is
// about) and perspectives (from which side), and both rank. It implements the
// methods of "Beyond Relevance: Evaluate and Improve Retrievers on Perspective
// Awareness" (Zhao et al., 2024).
//
// A collection is a folder of static files: documents, their vectors, and often the
// encoder that made them. Index writes one, Open opens one, in a folder, an fs.FS or
// behind a URL, and Collection.Search ranks its documents:
//
//	collection, err := vantage.Open(ctx, "site")
//	…
//	defer collection.Close()
//	result, err := collection.Search(ctx, vantage.Query{
//		Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"},
//	})
//
// A Reranker ranks texts that are in no collection.
//
// The Go code of this package ranks, unless WithEngine gives another engine: that of
// package headless is the WebAssembly module that browsers run. All engines give the
// same answers, to the bit. Texts are encoded by the encoder that the collection
// carries, unless WithEncoder gives another: a StaticEncoder, such as the English one
// of package english, one that a server runs (package client), or a program's own.
//
// Scores of vectors are float32, higher is better, and of equal ones the lower index
// comes first. Ranks count from 1, indexes of documents and texts from 0.
package vantage
