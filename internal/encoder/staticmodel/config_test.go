package staticmodel

import (
	"strings"
	"testing"
)

// What model2vec writes becomes what the engine knows; a config.json of our own keeps its bytes.
func TestEngineConfig(t *testing.T) {
	for in, want := range map[string]string{
		`{ "model_type": "model2vec", "seq_length": 9, "normalize": true }`:                  `{ "model_type": "model2vec", "seq_length": 9, "normalize": true }`,
		`{"max_length": 8, "seq_length": 1000000, "normalize": true}`:                        `{"normalize":true,"seq_length":8}`,
		`{"seq_length": 1000000, "normalize": true}`:                                         `{"normalize":true}`, // model2vec takes 512, its default
		`{"max_length": null, "seq_length": 1000000}`:                                        `{"seq_length":1073741824}`,
		`{"max_length": null}`:                                                               `{"seq_length":1073741824}`,
		`{"model_type": "SentenceTransformer", "prompts": {"query": ""}, "max_length": 512}`: `{"model_type":"model2vec","prompts":{"query":""},"seq_length":512}`,
		`{"model_type": "bert"}`:                                                             `{"model_type": "bert"}`,
	} {
		if got, err := engineConfig([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%s: %s (%v), want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`{"max_length": 0}`, `{"max_length": -1}`, `{"max_length": 1.5}`, `{"max_length": "8"}`, `{"max_length": 1073741825}`} {
		if _, err := engineConfig([]byte(in)); err == nil || !strings.Contains(err.Error(), "max_length is") {
			t.Errorf("%s: %v", in, err)
		}
	}
}
