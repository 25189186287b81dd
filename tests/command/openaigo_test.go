package command

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// openAI returns OpenAI's client for Go, connected to a server.
func openAI(s *server, key string) openai.Client {
	return openai.NewClient(option.WithBaseURL(s.url+"v1"), option.WithAPIKey(key), option.WithMaxRetries(0))
}

// OpenAI's client for Go gets the model's vectors, and its errors.
func TestOpenAIForGo(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	write(t, dir, "keys", "other\nsecret\n")
	s := serve(t, dir, "--model", "model", "--log", "off", "--keys", "keys")
	direct, err := model.Open(t.Context(), filepath.Join(dir, "model"), model.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	id := direct.Info().ID
	list := []string{"night trains", strings.Repeat("work ", 100)}
	want, err := direct.Encode(t.Context(), list, encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := openAI(s, "secret")
	got, err := client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: id, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: list}})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range got.Data {
		for k, x := range e.Embedding {
			if float32(x) != want[i].Vector[k] {
				t.Fatalf("text %d, component %d: %v, want %v", i, k, x, want[i].Vector[k])
			}
		}
	}
	if len(got.Data) != 2 || len(got.Data[1].Embedding) != modeltest.Hidden || got.Usage.PromptTokens != int64(want[0].Tokens+want[1].Tokens) || got.Model != id {
		t.Errorf("%+v", got.Usage)
	}
	short, err := client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: id, Dimensions: openai.Int(5), Input: openai.EmbeddingNewParamsInputUnion{OfString: openai.String("night")}})
	if err != nil || len(short.Data[0].Embedding) != 5 {
		t.Errorf("%v %v", short, err)
	}
	_, err = client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: "gpt", Input: openai.EmbeddingNewParamsInputUnion{OfString: openai.String("night")}})
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != 404 || e.Code != "model_not_found" {
		t.Errorf("%v", err)
	}
	if page, err := client.Models.List(t.Context()); err != nil || len(page.Data) != 1 || page.Data[0].ID != id {
		t.Errorf("%v %v", page, err)
	}
	if m, err := client.Models.Get(t.Context(), id); err != nil || m.ID != id {
		t.Errorf("%v %v", m, err)
	}
	stranger := openAI(s, "secre")
	_, err = stranger.Models.List(t.Context())
	if e, ok := errors.AsType[*openai.Error](err); !ok || e.StatusCode != 401 || e.Code != "invalid_api_key" {
		t.Errorf("%v", err)
	}
}

// OpenAI's client for Go also gets a text's vector from the ids of its tokens, in one
// list or among several; lists that are too long are truncated.
func TestOpenAIForGoTokenIDs(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	s := serve(t, dir, "--model", "model", "--log", "off")
	client := openAI(s, "none")
	ask := func(input openai.EmbeddingNewParamsInputUnion) *openai.CreateEmbeddingResponse {
		t.Helper()
		answer, err := client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: "model", Input: input})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	vocabulary := modeltest.Vocabulary()
	var ids []int64
	for _, token := range []string{"[CLS]", "night", "trains", "[SEP]"} {
		ids = append(ids, int64(slices.Index(vocabulary, token)))
	}
	text := ask(openai.EmbeddingNewParamsInputUnion{OfString: openai.String("night trains")})
	first := text.Data[0].Embedding
	if len(first) != modeltest.Hidden || text.Usage.PromptTokens != 4 {
		t.Errorf("%v, %+v", first, text.Usage)
	}
	for _, input := range []openai.EmbeddingNewParamsInputUnion{{OfArrayOfTokens: ids}, {OfArrayOfTokenArrays: [][]int64{ids, {5}}}, {OfArrayOfTokens: ids}} {
		answer := ask(input)
		if !slices.Equal(answer.Data[0].Embedding, first) || answer.Usage.PromptTokens != int64(4+len(answer.Data)-1) {
			t.Errorf("%v, %+v", answer.Data[0].Embedding, answer.Usage)
		}
	}
	long := ask(openai.EmbeddingNewParamsInputUnion{OfArrayOfTokenArrays: [][]int64{make([]int64, 64), make([]int64, 65), {4}}})
	if long.Usage.PromptTokens != 48+48+1 || !strings.Contains(long.RawJSON(), `"truncated":true`) {
		t.Errorf("%.99s", long.RawJSON())
	}
}
