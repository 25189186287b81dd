package quantized

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// AnnouncedBytes is what the largest tensor of Announced takes in memory.
const AnnouncedBytes = announcedWidth * announcedPieces

const announcedWidth, announcedPieces = 2048, 200_000

// Announced is a pack with a vocabulary of many pieces, whose pack.json lists files for a
// tensor of 400 MB. Of its trunk it has only the first file. Its vectors have dim
// components.
func Announced(dim int) (packfile.Files, error) {
	small, err := TinyPack(Tiny, 1)
	if err != nil {
		return nil, err
	}
	m, err := pack.Parse(small[pack.FileName])
	if err != nil {
		return nil, err
	}
	files := packfile.Files{}
	add := func(s *pack.Section, content []byte) {
		for first := 0; first < len(content); first += pack.MaxFile {
			part := content[first:min(len(content), first+pack.MaxFile)]
			f := announced(s.Name, sha256.Sum256(part), len(part))
			s.Files, files[f.Path] = append(s.Files, f), part
		}
	}
	pieces := modeltest.Vocabulary()
	for len(pieces) < announcedPieces {
		pieces = append(pieces, "w"+strconv.Itoa(len(pieces)))
	}
	vocabulary, trunk := pack.Section{Name: pack.Vocabulary}, pack.Section{Name: pack.Trunk}
	add(&vocabulary, []byte(strings.Join(pieces, "\n")+"\n"))

	c := &m.Config
	c.Vocabulary, c.Hidden, c.Heads, c.Intermediate, c.Layers, c.Branch = announcedPieces, announcedWidth, 32, 16, 1, nil
	c.Dense = []pack.Dense{{Out: dim, Activation: pack.Identity}}
	bytes := 0
	c.Needs(m.Kind, pack.Trunk, func(n pack.Need) {
		t := pack.Tensor{Name: n.Name, Shape: n.Shape, Encoding: pack.F16, Offset: int64(bytes)}
		width := 1
		if n.Matrix {
			t.Encoding, width = pack.Q8, n.Shape[1]
		}
		values := 1
		for _, size := range n.Shape {
			values *= size
		}
		trunk.Tensors = append(trunk.Tensors, t)
		bytes += values / width * t.Encoding.RowBytes(width)
	})
	add(&trunk, make([]byte, pack.MaxFile))
	for bytes -= pack.MaxFile; bytes > 0; bytes -= pack.MaxFile {
		trunk.Files = append(trunk.Files, announced(pack.Trunk, sha256.Sum256([]byte(strconv.Itoa(bytes))), min(bytes, pack.MaxFile)))
	}
	m.Sections = []pack.Section{vocabulary, trunk}

	var tokenizer struct {
		Tokenizer json.RawMessage `json:"tokenizer"`
	}
	if err := json.Unmarshal(small[pack.FileName], &tokenizer); err != nil {
		return nil, err
	}
	files[pack.FileName], err = json.Marshal(struct {
		*pack.Manifest
		Tokenizer json.RawMessage `json:"tokenizer"`
	}{m, tokenizer.Tokenizer})
	return files, err
}

func announced(section string, sum [32]byte, bytes int) pack.File {
	hash := hex.EncodeToString(sum[:])
	return pack.File{Path: pack.Path(section, hash), Bytes: bytes, SHA256: hash}
}
