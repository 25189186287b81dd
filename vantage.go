// Package vantage searches texts by point of view: a query has a root (what it is
// about) and perspectives (from which side), and both decide the ranking. It
// implements the methods of "Beyond Relevance: Evaluate and Improve Retrievers on
// Perspective Awareness" (Zhao et al., 2024).
//
// A collection is a folder of static files: documents, their vectors, and often the
// encoder that made them. Index writes one. Open opens one in a folder, in an fs.FS or at
// a URL. Collection.Search ranks its documents:
//
//	collection, err := vantage.Open(ctx, "site", nil)
//	…
//	defer collection.Close()
//	result, err := collection.Search(ctx, vantage.Query{
//		Query: vantage.Text{Text: "Find a claim that opposes the argument: We need more night trains"},
//	})
//
// A Reranker ranks texts that are in no collection.
//
// Go code ranks by default. OpenOptions can name another engine: package headless has
// one that runs the WebAssembly module of browsers. All engines give the same bits.
// The encoder in the collection encodes texts by default. If it is a pack, Go code runs it
// only in programs that import package packs or sides. OpenOptions can name another encoder:
// that of packages english, sides or packs, a static model in a folder (NewStaticEncoder), an
// encode server (package client), or your own. Package corpus reads documents for Index.
//
// Scores by vectors are float32, and higher is better. If scores are equal, the lower
// index comes first. Ranks count from 1, indexes of documents and texts from 0.
package vantage
