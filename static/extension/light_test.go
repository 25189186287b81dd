package extension

import (
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
)

// The cut encoder has few bytes in the zip, and nearly the same vectors. If its rows are not rounded, only the scales differ.
func TestLight(t *testing.T) {
	files, err := light(root)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := deflate(files["light/model.safetensors"])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d in the zip", len(files["light/model.safetensors"]), len(packed))
	if len(packed) > 1_150_000 {
		t.Errorf("%d bytes in the zip", len(packed))
	}
	model := fstest.MapFS{}
	for name, content := range files {
		model[filepath.Base(name)] = &fstest.MapFile{Data: content}
	}
	texts := []string{
		sentence, "A four-day working week should become the norm.", "in Germany", "for parents",
		"Free museums never served those who live far away, because a ticket to the city costs more than the visit.",
	}
	cut := vectors(t, model, texts)
	whole, err := english.Encoder().Encode(t.Context(), texts, vantage.RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if cosine := cosine(cut[i].Vector, whole[i].Vector); cosine < 0.95 {
			t.Errorf("%q has the cosine %.4f with its whole vector", text, cosine)
		}
	}
	same, err := cutLight(os.DirFS(filepath.Join(root, "internal", "model", "builtin", "english")), 256, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range same {
		model[name] = &fstest.MapFile{Data: content}
	}
	for i, encoded := range vectors(t, model, texts) {
		if cosine := cosine(encoded.Vector, whole[i].Vector); cosine < 0.9999 {
			t.Errorf("%q, not rounded, has the cosine %.6f with its whole vector", texts[i], cosine)
		}
	}
}

func vectors(t *testing.T, model fs.FS, texts []string) []vantage.Encoding {
	t.Helper()
	encoder, err := vantage.NewStaticEncoder("cut", model)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := encoder.Encode(t.Context(), texts, vantage.RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	return dot / math.Sqrt(aa*bb)
}

// A file that is not a table of int8 rows with scales is refused.
func TestCutWeights(t *testing.T) {
	whole := func(header string) []byte {
		file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		return append(append(file, header...), make([]byte, 16)...)
	}
	for _, file := range [][]byte{
		nil,
		binary.LittleEndian.AppendUint64(nil, 1<<60),
		whole("{"),
		whole("{}"),
		whole(`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"scales":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`),
		whole(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"scales":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`),
		whole(`{"embeddings":{"dtype":"I8","shape":[9,2],"data_offsets":[0,4]},"scales":{"dtype":"F32","shape":[9],"data_offsets":[8,12]}}`),
		whole(`{"embeddings":{"dtype":"I8","shape":[1,2],"data_offsets":[0,99]},"scales":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`),
	} {
		if _, err := cutWeights(file, 2, 1); err == nil {
			t.Errorf("%q is accepted", file)
		}
	}
}
