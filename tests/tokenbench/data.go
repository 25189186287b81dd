package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// texts returns the passages and the queries. The passages are paragraphs about films from an
// encyclopedia, without their first sentences. The queries are the first sentences of some of them.
func texts(shared string, passages, queries int) (documents, asked []string, err error) {
	if queries < 1 || queries > passages {
		return nil, nil, fmt.Errorf("-queries %d: must be 1 to %d, the number of -passages", queries, passages)
	}
	archive := filepath.Join(shared, "data", "train_open", "text.tar.xz")
	out, err := exec.Command("tar", "-xJOf", archive, "wiki_movies.txt").Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", archive, err)
	}
	every := passages / queries
	var sentences []string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan() && len(documents) < passages; {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			sentences = append(sentences, line)
			continue
		}
		if len(sentences) >= 3 && len(strings.Fields(strings.Join(sentences[1:], " "))) >= 30 {
			if len(documents)%every == 0 && len(asked) < queries {
				asked = append(asked, sentences[0])
			}
			documents = append(documents, strings.Join(sentences[1:], " "))
		}
		sentences = nil
	}
	if len(documents) < passages {
		return nil, nil, fmt.Errorf("%s: only %d passages", archive, len(documents))
	}
	return documents, asked, nil
}

// colbertFolder writes a ColBERT folder: the bundled model, with a projection of its last hidden
// states to dim components. The projection's rows are random and orthonormal, from a fixed seed.
func colbertFolder(topic, dir string, dim int) error {
	for _, name := range []string{"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"} {
		content, err := os.ReadFile(filepath.Join(topic, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	content, err := os.ReadFile(filepath.Join(topic, "config.json"))
	if err != nil {
		return err
	}
	var config map[string]any
	if err := json.Unmarshal(content, &config); err != nil {
		return err
	}
	config["architectures"] = []string{"HF_ColBERT"}
	settings := map[string]any{"query_maxlen": 32, "doc_maxlen": 96, "mask_punctuation": true}
	// The model's reduced vocabulary has no unused pieces, so these two serve as markers.
	settings["query_token_id"], settings["doc_token_id"] = "[CLS]", "[SEP]"
	for name, value := range map[string]any{"config.json": config, "artifact.metadata": settings} {
		if content, err = json.Marshal(value); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	if content, err = os.ReadFile(filepath.Join(topic, "model.safetensors")); err != nil {
		return err
	}
	weights, err := shard.ParseSafetensors(content)
	if err != nil {
		return err
	}
	hidden := int(config["hidden_size"].(float64))
	if dim < 1 || dim > hidden {
		return fmt.Errorf("-dim %d: must be 1 to %d, the model's width", dim, hidden)
	}
	var tensors []shard.Tensor
	for _, name := range weights.Names() {
		t, _ := weights.Tensor(name)
		tensors = append(tensors, t)
	}
	tensors = append(tensors, shard.Tensor{Name: "linear.weight", DType: shard.F32, Shape: []int{dim, hidden}, Data: bytesOf(orthonormal(dim, hidden))})
	if content, err = shard.AppendSafetensors(nil, tensors, nil); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "model.safetensors"), content, 0o600)
}

// orthonormal returns random rows from a fixed seed, made orthonormal one after the other.
func orthonormal(rows, columns int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([][]float64, rows)
	var out []float32
	for i := range all {
		row := make([]float64, columns)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		for _, other := range all[:i] {
			dot := 0.0
			for j := range row {
				dot += row[j] * other[j]
			}
			for j := range row {
				row[j] -= dot * other[j]
			}
		}
		norm := 0.0
		for _, v := range row {
			norm += v * v
		}
		for j := range row {
			row[j] /= math.Sqrt(norm)
			out = append(out, float32(row[j]))
		}
		all[i] = row
	}
	return out
}

func bytesOf(v []float32) []byte {
	var out bytes.Buffer
	for _, x := range v {
		b := math.Float32bits(x)
		out.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
	}
	return out.Bytes()
}

// encodeAll returns the token vectors of each text.
func encodeAll(ctx context.Context, folder string, texts []string, role encoder.Role) (out [][]float32, err error) {
	e, err := model.Open(ctx, folder, model.Options{Int8: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	tokens, ok := e.(model.TokenEncoder)
	if !ok {
		return nil, fmt.Errorf("%s is not a ColBERT folder", folder)
	}
	for first := 0; first < len(texts); first += 100 {
		made, err := tokens.EncodeTokens(ctx, texts[first:min(first+100, len(texts))], role)
		if err != nil {
			return nil, err
		}
		for _, v := range made {
			out = append(out, v.Vectors)
		}
		if first%1000 == 0 {
			fmt.Fprintf(os.Stderr, "\rtokenbench: %d of %d texts encoded", first, len(texts))
		}
	}
	fmt.Fprintln(os.Stderr)
	return out, nil
}

// vectors returns the token vectors of the passages and the queries. It keeps them in files, which
// the Python process reads.
func (b *bench) vectors(ctx context.Context) (documents, asked [][]float32, err error) {
	passages, queries, err := texts(b.shared, b.passages, b.queries)
	if err != nil {
		return nil, nil, err
	}
	folder := filepath.Join(b.keep, "colbert")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	topic := filepath.Join(b.shared, "model", "sides", "topic")
	if err := colbertFolder(topic, folder, b.dim); err != nil {
		return nil, nil, err
	}
	if b.weights, err = os.ReadFile(filepath.Join(topic, "model.safetensors")); err != nil {
		return nil, nil, err
	}
	b.passageTexts, b.folder = passages, folder
	if documents, err = b.kept(ctx, "documents", folder, passages, encoder.Document); err == nil {
		asked, err = b.kept(ctx, "queries", folder, queries, encoder.Query)
	}
	return documents, asked, err
}

// made is the digest of what the vectors of texts are made of, besides -dim.
func (b *bench) made(texts []string) string {
	h := sha256.New()
	h.Write(b.weights)
	for _, text := range texts {
		fmt.Fprintf(h, "%q\n", text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kept reads the vectors of texts from a file, or makes the file. Vectors of other texts or weights are replaced.
func (b *bench) kept(ctx context.Context, name, folder string, texts []string, role encoder.Role) (vectors [][]float32, err error) {
	place, of := filepath.Join(b.keep, name), b.made(texts)
	if was, err := os.ReadFile(place + ".made"); err == nil && string(was) == of {
		counts, err := readCounts(place + ".json")
		if err != nil {
			return nil, err
		}
		content, err := os.ReadFile(place + ".f32")
		if err != nil {
			return nil, err
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		if len(content) != 4*b.dim*total {
			return nil, fmt.Errorf("%s.f32 has %d bytes, %d vectors of -dim %d have %d: they were kept for another -dim, so give that one or another folder to -keep", place, len(content), total, b.dim, 4*b.dim*total)
		}
		for _, n := range counts {
			v := make([]float32, n*b.dim)
			for i := range v {
				v[i] = math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))
			}
			vectors, content = append(vectors, v), content[4*n*b.dim:]
		}
		return vectors, nil
	}
	if vectors, err = encodeAll(ctx, folder, texts, role); err != nil {
		return nil, err
	}
	return vectors, write(b.keep, name, of, vectors, b.dim)
}

// write keeps the vectors of texts and their numbers in two files, and in a third, the last, what they are made of.
func write(folder, name, of string, vectors [][]float32, dim int) error {
	var content []byte
	var counts []int
	for _, v := range vectors {
		content, counts = append(content, bytesOf(v)...), append(counts, len(v)/dim)
	}
	if err := os.RemoveAll(filepath.Join(folder, name+".made")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".f32"), content, 0o600); err != nil {
		return err
	}
	written, err := json.Marshal(counts)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), written, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".made"), []byte(of), 0o600)
}
