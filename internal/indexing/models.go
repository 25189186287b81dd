package indexing

import (
	"cmp"
	"context"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/open"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
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
	for role, text := range asked.Prompts {
		if text == "" && r.Vectors != "" {
			return fault.Errorf(fault.Query, "--prompt %s= removes a prompt, which a collection of --vectors cannot record: leave it out, or remove the prompt from the folder of %s", role, r.Model)
		}
	}
	documents, err := r.open(place.Open(ctx, asked, r.Transformer.Device))
	if err != nil {
		return err
	}
	if err := r.chooseTokens(documents, asked); err != nil {
		return err
	}
	if asked.Prompts == nil && r.options.TokenBits == 0 {
		place.WarnOfPrompts(documents.Info(), r.Console, nil)
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

// DefaultTokenBits is how the vectors of tokens are stored unless the user says otherwise.
const DefaultTokenBits = 4

// chooseTokens decides whether the collection keeps a vector of each token.
func (r *run) chooseTokens(documents model.Encoder, asked model.Options) error {
	_, late := documents.(model.TokenEncoder)
	switch {
	case !late && r.TokenBits != 0:
		return fault.Errorf(fault.Query, "--token-bits goes with a ColBERT: %s has one vector for a whole text", r.Model)
	case !late:
		return nil
	case asked.Pooling != "" && r.TokenBits != 0:
		return fault.New(fault.Query, "--pooling averages the vectors of tokens, and --token-bits keeps them: leave one out")
	case asked.Pooling != "":
		return nil
	case asked.Prompts != nil:
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT), and marks queries and documents itself: leave --prompt out", r.Model)
	case r.Vectors != "":
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT), and --vectors has one for each document: say with --pooling how they were averaged", r.Model)
	case r.QueryModel != "":
		return fault.Errorf(fault.Query, "%s encodes queries and documents: leave --query-model out", r.Model)
	case r.Score != "" && r.Score != perspective.MaxSim:
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT), which are compared by maxsim: leave --score out, or average them with --pooling mean", r.Model)
	}
	r.options.TokenBits = cmp.Or(r.TokenBits, DefaultTokenBits)
	return nil
}

// choosePackTokens is chooseTokens for a pack.
func (r *run) choosePackTokens(e packmodel.Model) error {
	_, late := e.(encoder.TokenEncoder)
	switch {
	case !late && r.TokenBits != 0:
		return fault.Errorf(fault.Query, "--token-bits goes with a ColBERT: the pack %s has one vector for a whole text", r.Encoder)
	case late && r.Score != "" && r.Score != perspective.MaxSim:
		return fault.Errorf(fault.Query, "the pack %s gives a vector for each token (ColBERT), which are compared by maxsim: leave --score out", r.Encoder)
	case late:
		r.options.TokenBits = cmp.Or(r.TokenBits, DefaultTokenBits)
	}
	return nil
}

// openStatic opens a model that the collection will carry.
func (r *run) openStatic(place named.Model) (err error) {
	name := cmp.Or(r.Model, r.Encoder)
	switch {
	case r.QueryModel != "":
		return fault.Errorf(fault.Query, "--query-model goes with a transformer: %s is a static model, which encodes queries and documents alike", name)
	case r.TokenBits != 0:
		return fault.Errorf(fault.Query, "--token-bits goes with a ColBERT: %s is a static model", name)
	case r.Transformer.Any():
		return fault.Errorf(fault.Query, "--pooling, --max-length, --int8, --prompt and --device are for transformers: %s is a static model", name)
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
