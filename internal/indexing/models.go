package indexing

import (
	"context"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// openModels opens the model that encodes the documents or has made the given vectors. If
// another model encodes the queries, it opens that one, too.
func (r *run) openModels(ctx context.Context) error {
	place, err := named.Find(ctx, r.Model, r.Console)
	if err != nil {
		return err
	}
	if place.Static {
		return r.openStatic(place)
	}
	if r.IDF {
		return fault.Errorf(fault.Query, "--idf weights the tokens of a static model: %s is a transformer", r.Model)
	}
	asked, err := r.Transformer.Options()
	if err != nil {
		return err
	}
	documents, err := r.open(place.Open(ctx, asked, r.Transformer.Device))
	if err != nil {
		return err
	}
	if _, tokens := documents.(model.TokenEncoder); tokens && asked.Pooling == "" {
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT), and a collection has one for each document: average them with --pooling mean, or choose another model", r.Model)
	}
	r.options.Encoder = open.Encoder(documents)
	if r.QueryModel != "" {
		queries, err := r.open(named.Open(ctx, r.QueryModel, asked, r.Transformer.Device, r.Console))
		if err != nil {
			return err
		}
		if q, d := queries.Info().Dim, documents.Info().Dim; q != d {
			return fault.Errorf(fault.Input, "%s gives %d dimensions, %s %d: they do not belong together", r.QueryModel, q, r.Model, d)
		}
		r.options.QueryEncoder = open.Encoder(queries)
	} else if documents.Info().Architecture == "dpr" {
		return fault.Errorf(fault.Query, "%s is one of DPR's two encoders: name the one of the questions, too: --query-model MODEL", r.Model)
	}
	if r.Vectors == "" {
		r.options.Journal, r.undo, err = collection.JournalPath(r.Output)
	}
	return err
}

// openStatic opens a model that the collection will carry.
func (r *run) openStatic(place named.Model) (err error) {
	switch {
	case r.QueryModel != "":
		return fault.Errorf(fault.Query, "--query-model goes with a transformer: %s is a static model, which encodes queries and documents alike", r.Model)
	case r.Transformer.Any():
		return fault.Errorf(fault.Query, "--pooling, --max-length, --int8 and --device are for transformers: %s is a static model", r.Model)
	}
	r.options.Encoder, err = open.StaticEncoder(place)
	return err
}

// open makes a note to close a model that has just been opened.
func (r *run) open(m model.Encoder, err error) (model.Encoder, error) {
	if err == nil {
		r.close = append(r.close, m.Close)
	}
	return m, err
}
