package hostile

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// MaxBytes bounds the files that are written for a hostile collection, together.
const MaxBytes = 1 << 20

// Collection is a hostile collection.
type Collection struct {
	Name string
	// Refused lists words of the error when it is opened. If it is empty, the collection is within the
	// bounds, and may or may not open.
	Refused []string
	write   func(c *writer)
}

// Collections lists all hostile collections.
var Collections = []Collection{
	{"a tokenizer of spaces", []string{"encoder.tokenizer.bytes", "16 MB", "100 times"}, func(c *writer) {
		packed, length := bomb("{", spaces, 512, "}")
		c.m.Encoder.Tokenizer = c.add(packed, length, "")
	}},
	{"objects in a document", []string{"docs[0].bytes", "16 MB", "100 times"}, func(c *writer) {
		packed, length := bomb(`{"_id":"a","text":"","metadata":{"a":[{}`, bytes.Repeat([]byte(",{}"), 1<<18), 80, "]}}")
		c.documents(c.add(packed, length, ""))
	}},
	{"weights of zeros", []string{"encoder.weights.bytes", "16 MB", "100 times"}, func(c *writer) {
		const n = 500
		header := fmt.Sprintf(`{"embeddings":{"dtype":"I8","shape":[%d,256],"data_offsets":[0,%d]}}`, n<<12, n<<20)
		packed, length := bomb(string(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))+header, make([]byte, 1<<20), n, "")
		c.m.Encoder.Weights = c.add(packed, length, "")
	}},
	{"an invalid stored length", []string{"stored length"}, func(c *writer) {
		packed, length := bomb("{", spaces, 512, "}")
		c.m.Encoder.Tokenizer = c.add(packed, length, "")
		c.m.Encoder.Tokenizer.Stored = length
	}},
	{"many files of 15 MB", []string{"files: ", "64 MB", "32 times"}, func(c *writer) {
		// Each row is in a file of its own.
		c.m.Vectors = nil
		for i := range c.m.Rows {
			packed, length := bomb(fmt.Sprint(i), spaces, 15, "")
			c.m.Vectors = append(c.m.Vectors, manifest.RowFile{File: c.add(packed, length, ""), FirstRow: i, Rows: 1})
		}
	}},
	{"a file that is named often", []string{"files: ", "64 MB", "32 times"}, func(c *writer) {
		const n, times = 1000, 2500
		f := c.rows(n, 1, make([]byte, n), true)
		c.m.Dim, c.m.Model.Dim, c.m.Canaries, c.m.Columns, c.m.Terms = 1, 1, nil, nil, nil
		c.m.Documents, c.m.Rows, c.m.Vectors = n*times, n*times, nil
		for i := range times {
			c.m.Vectors = append(c.m.Vectors, manifest.RowFile{File: f, FirstRow: i * n, Rows: n})
		}
		c.lines(1 << 19)
	}},
	{"objects in the manifest", []string{"manifest.json: docs"}, func(c *writer) {
		c.m.Docs = make([]manifest.DocFile, 4000)
		c.extra = `"extra":[` + strings.Repeat("{},", 60_000) + `{}],`
	}},
	// From here on, files keep the bounds on bytes, and nearly all are as large as these allow. If a
	// collection has words in Refused, what it exceeds is a bound on the JSON in them.
	{"tokens", nil, func(c *writer) {
		var b strings.Builder
		b.WriteString(`{"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0`)
		for i := range 300_000 {
			fmt.Fprintf(&b, `,"##%s":0`, digits(i, 4))
		}
		b.WriteString(`}},"pre_tokenizer":{"type":"BertPreTokenizer"}}`)
		c.m.Encoder.Tokenizer = c.pack([]byte(b.String()))
	}},
	{"keys of a tokenizer", nil, func(c *writer) {
		var b strings.Builder
		b.WriteString("{")
		for i := range 300_000 {
			fmt.Fprintf(&b, `"\u0020%s":0,`, digits(i, 4))
		}
		b.WriteString(`"":0}`)
		c.m.Encoder.Tokenizer = c.pack([]byte(b.String()))
	}},
	{"values of a tokenizer", []string{"tokenizer.json", "1000000 values"}, func(c *writer) {
		content := `{"x":[` + strings.Repeat("{},", 5_000_000) + "0]}"
		c.m.Encoder.Tokenizer = c.pack([]byte(content))
	}},
	{"a deep tokenizer", []string{"tokenizer.json", "64 deep"}, func(c *writer) {
		c.m.Encoder.Tokenizer = c.pack([]byte(strings.Repeat(`{"a":`, 3_000_000)))
	}},
	{"a long token", []string{"tokenizer.json", "token 1 has more than 256 bytes"}, func(c *writer) {
		content := `{"model":{"type":"WordPiece","vocab":{"[UNK]":0,"` + strings.Repeat("a", 10_000) + `":1}},"pre_tokenizer":{"type":"BertPreTokenizer"}}`
		c.m.Encoder.Tokenizer = c.pack([]byte(content))
	}},
	{"tensors", nil, func(c *writer) {
		var b strings.Builder
		b.WriteString("{")
		for i := range 130_000 {
			fmt.Fprintf(&b, `"%s":{"dtype":"I8","shape":[0],"data_offsets":[0,0]},`, digits(i, 4))
		}
		b.WriteString(`"embeddings":{"dtype":"I8","shape":[0,256],"data_offsets":[0,0]}}`)
		c.m.Encoder.Weights = c.pack(append(binary.LittleEndian.AppendUint64(nil, uint64(b.Len())), b.String()...))
	}},
	{"documents", nil, func(c *writer) {
		c.m.Docs = nil
		for i := range c.m.Documents { // each in its own block, so that an answer needs all blocks
			line := fmt.Sprintf(`{"_id":"%d","title":"t","text":"","metadata":{"a":[%s0]}}`, i, strings.Repeat(`{"a":{}},`, 450_000))
			c.m.Docs = append(c.m.Docs, manifest.DocFile{File: c.pack([]byte(line)), First: i, Count: 1})
		}
	}},
	{"rows and columns", nil, func(c *writer) {
		const n, fields = 40_000, 28
		c.m.Documents, c.m.Rows = n, n
		lengths := append(binary.AppendUvarint([]byte("VLL1"), n), bytes.Repeat([]byte{9}, n)...)
		c.m.Terms = &manifest.Terms{Lengths: c.pack(lengths), Files: []manifest.TermFile{}}
		c.m.Vectors = []manifest.RowFile{{File: c.rows(n, c.m.Dim, make([]byte, n*c.m.Dim), false), Rows: n}}
		c.lines(n)
		c.m.Columns = &manifest.Columns{}
		var tensors []shard.Tensor
		for i := range fields {
			name := fmt.Sprint("f", i)
			tensors = append(tensors, shard.Tensor{Name: name, DType: shard.F64, Shape: []int{n}, Data: make([]byte, 8*n)})
			c.m.Columns.Fields = append(c.m.Columns.Fields, manifest.Field{Name: name, Type: manifest.TypeNumber, Tensor: name})
		}
		content, err := shard.AppendSafetensors(nil, tensors, nil)
		c.check(err)
		c.m.Columns.File = c.pack(content)
	}},
	{"terms", nil, func(c *writer) {
		const n, files = 140_000, 6 // a term takes about 6 bytes
		c.m.Terms.Files = nil
		for file := range files {
			terms := []byte("VLT1")
			terms = binary.AppendUvarint(terms, uint64(c.m.Documents))
			terms = binary.AppendUvarint(terms, n)
			before := ""
			first := ""
			for i := range n {
				name := digits(file, 1) + digits(i, 4)
				shared := 0
				for shared < len(before) && before[shared] == name[shared] {
					shared++
				}
				terms = append(terms, byte(shared), byte(len(name)-shared))
				terms = append(append(terms, name[shared:]...), 1, 1, 1)
				if before = name; first == "" {
					first = name
				}
			}
			c.m.Terms.Files = append(c.m.Terms.Files, manifest.TermFile{File: c.pack(terms), First: first, Last: before})
		}
	}},
}

var spaces = bytes.Repeat([]byte(" "), 1<<20)

// digits writes i with n digits of base 36, whose byte order is that of the numbers.
func digits(i, n int) string {
	b := make([]byte, n)
	for at := n - 1; at >= 0; at-- {
		b[at] = "0123456789abcdefghijklmnopqrstuvwxyz"[i%36]
		i /= 36
	}
	return string(b)
}

// writer writes a collection's files.
type writer struct {
	m     *manifest.Manifest
	dir   string
	bytes int64
	extra string // JSON for the manifest
	err   error
}

// Write makes the collection in dir from the valid collection in base, which has an encoder, terms,
// and rows of I8.
func (h *Collection) Write(base, dir string) error {
	text, err := os.ReadFile(filepath.Join(base, manifest.FileName))
	if err != nil {
		return err
	}
	c := &writer{dir: dir}
	if c.m, err = manifest.Parse(text); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
		return err
	}
	c.m.Reader = nil // what is stored for it would allow more memory
	h.write(c)
	text, err = json.Marshal(c.m) // without the checks of the writer
	c.check(err)
	if c.extra != "" {
		text = bytes.Replace(text, []byte("{"), []byte("{"+c.extra), 1)
	}
	if c.bytes += int64(len(text)); c.bytes > MaxBytes {
		c.check(fmt.Errorf("%s: %d bytes", h.Name, c.bytes))
	}
	c.check(os.WriteFile(filepath.Join(dir, manifest.FileName), text, 0o644))
	return c.err
}

func (c *writer) check(err error) {
	if c.err == nil {
		c.err = err
	}
}

// add writes a file. length and hash are those of its unpacked content.
func (c *writer) add(stored []byte, length int64, hash string) manifest.File {
	sum := sha256.Sum256(stored)
	name := hex.EncodeToString(sum[:])
	if hash == "" { // any hash will do: a reader that compares it has already unpacked everything
		hash = name
	}
	c.bytes += int64(len(stored))
	c.check(os.WriteFile(filepath.Join(c.dir, name[:16]+".bin"), stored, 0o644))
	return manifest.File{Path: name[:16] + ".bin", SHA256: hash, Bytes: length, Stored: int64(len(stored))}
}

// pack writes a file, compressed.
func (c *writer) pack(content []byte) manifest.File {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content)
	z.Close()
	sum := sha256.Sum256(content)
	return c.add(b.Bytes(), int64(len(content)), hex.EncodeToString(sum[:]))
}

// rows writes a vector file.
func (c *writer) rows(n, dim int, data []byte, plain bool) manifest.File {
	content, err := shard.AppendSafetensors(nil, []shard.Tensor{
		{Name: "scales", DType: shard.F32, Shape: []int{n}, Data: make([]byte, 4*n)},
		{Name: "vectors", DType: shard.I8, Shape: []int{n, dim}, Data: data},
	}, nil)
	c.check(err)
	if !plain {
		return c.pack(content)
	}
	sum := sha256.Sum256(content)
	return c.add(content, int64(len(content)), hex.EncodeToString(sum[:]))
}

// documents makes f the only block of documents.
func (c *writer) documents(f manifest.File) {
	c.m.Docs = []manifest.DocFile{{File: f, Count: c.m.Documents}}
}

// lines makes blocks of all documents, which are equal.
func (c *writer) lines(block int) {
	c.m.Docs = nil
	files := map[int]manifest.File{}
	for first := 0; first < c.m.Documents; first += min(block, manifest.MaxBlock) {
		n := min(block, manifest.MaxBlock, c.m.Documents-first)
		if _, ok := files[n]; !ok {
			files[n] = c.pack([]byte(strings.Repeat("{\"_id\":\"a\",\"text\":\"\"}\n", n)))
		}
		c.m.Docs = append(c.m.Docs, manifest.DocFile{File: files[n], First: first, Count: n})
	}
}
