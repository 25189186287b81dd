package pack

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/weights"
)

// Decoder reads a section's payload files, in their order, straight into the
// tensors of its pack. In addition it holds at most one row.
type Decoder struct {
	pack    *Pack
	section *Section
	err     error // that has ended the reading

	file int // index of the next file
	text []byte

	tensor  int // index of the tensor that is being read
	row     int // its next row
	partial []byte
	matrix  weights.Matrix8
	vector  []float32
	read    map[string]weights.Matrix8
	floats  map[string][]float32
}

// Read begins to read a section.
func (p *Pack) Read(section string) (*Decoder, error) {
	s := p.Manifest.Section(section)
	if s == nil {
		return nil, input("the pack has no section " + quote(section))
	}
	d := &Decoder{pack: p, section: s, read: map[string]weights.Matrix8{}, floats: map[string][]float32{}}
	if section == Vocabulary {
		d.text = make([]byte, 0, s.Bytes())
	}
	return d, nil
}

// File reads the next file as a whole. It does not keep content. After an error
// the section cannot be read further.
func (d *Decoder) File(content []byte) error {
	if d.err == nil {
		d.err = d.next(content)
	}
	return d.err
}

func (d *Decoder) next(content []byte) error {
	if d.file == len(d.section.Files) {
		return input("section " + quote(d.section.Name) + " has no more than " + strconv.Itoa(d.file) + " files")
	}
	f := d.section.Files[d.file]
	d.file++
	if len(content) != f.Bytes {
		return damaged(quote(f.Path) + " has " + strconv.Itoa(len(content)) + " bytes, not " + strconv.Itoa(f.Bytes))
	}
	if d.pack.hash != nil {
		if sum := d.pack.hash(content); hexadecimal(sum) != f.SHA256 {
			return damaged(quote(f.Path) + " has another content than the manifest says (its SHA-256 differs)")
		}
	}
	if d.section.Name == Vocabulary {
		d.text = append(d.text, content...)
		return nil
	}
	return d.payload(content)
}

// payload reads the bytes that come next into tensors.
func (d *Decoder) payload(content []byte) error {
	for len(content) > 0 {
		t := &d.section.Tensors[d.tensor]
		rows, width := t.rows()
		if d.row == 0 && len(d.partial) == 0 {
			d.begin(t)
		}
		length := t.Encoding.RowBytes(width)
		if len(d.partial) > 0 || len(content) < length { // a row that is split between two files
			n := min(length-len(d.partial), len(content))
			d.partial = append(d.partial, content[:n]...)
			content = content[n:]
			if len(d.partial) < length {
				return nil
			}
			if err := d.rows(t, d.partial, 1); err != nil {
				return err
			}
			d.partial = d.partial[:0]
		} else {
			n := min(len(content)/length, rows-d.row)
			if err := d.rows(t, content[:n*length], n); err != nil {
				return err
			}
			content = content[n*length:]
		}
		if d.row == rows {
			d.end(t)
		}
	}
	return nil
}

// begin allocates a tensor.
func (d *Decoder) begin(t *Tensor) {
	rows, width := t.rows()
	if t.Encoding == Q4 || t.Encoding == Q8 {
		d.matrix = weights.Matrix8{Out: rows, In: width, Values: make([]int8, rows*width), Scales: make([]float32, rows)}
	} else {
		d.vector = make([]float32, rows)
	}
}

// rows reads whole rows of a tensor.
func (d *Decoder) rows(t *Tensor, src []byte, n int) error {
	from := d.row
	d.row += n
	if t.Encoding == F16 || t.Encoding == F32 {
		if fault := t.Encoding.readFloats(d.vector[from:d.row], src); fault != "" {
			return input("tensor " + quote(t.Name) + " " + fault)
		}
		return nil
	}
	width := d.matrix.In
	length := t.Encoding.RowBytes(width)
	read, done := readQ8, 0
	if t.Encoding == Q4 {
		read, done = readQ4, readRowsQ4(d.matrix.Values[from*width:], d.matrix.Scales[from:], src, n, width)
	}
	for i := done; i < n; i++ {
		row := from + i
		scale, fault := read(d.matrix.Values[row*width:][:width], src[i*length:][:length])
		if fault != "" {
			return input("tensor " + quote(t.Name) + ", row " + strconv.Itoa(row) + ", " + fault)
		}
		d.matrix.Scales[row] = scale
	}
	return nil
}

// end keeps a tensor that has been read.
func (d *Decoder) end(t *Tensor) {
	if t.Encoding == Q4 || t.Encoding == Q8 {
		d.read[t.Name] = d.matrix
	} else {
		d.floats[t.Name] = d.vector
	}
	d.matrix, d.vector = weights.Matrix8{}, nil
	d.tensor, d.row = d.tensor+1, 0
}

// Whole reports whether all files of the section have been read.
func (d *Decoder) Whole() bool { return d.err == nil && d.file == len(d.section.Files) }

// Close ends the reading of a section, of which all files must have been read, and
// gives its tensors to the pack.
func (d *Decoder) Close() error {
	if d.err != nil {
		return d.err
	}
	if n := len(d.section.Files); d.file < n {
		d.err = damaged("section " + quote(d.section.Name) + " ends after " + strconv.Itoa(d.file) + " of " + strconv.Itoa(n) + " files")
		return d.err
	}
	if d.section.Name == Vocabulary {
		tokenizer, err := d.pack.Manifest.Tokenizer.WordPiece(d.text, d.pack.Manifest.Config.Vocabulary)
		if err != nil {
			d.err = input(err.Error())
			return d.err
		}
		d.pack.tokenizer, d.text = tokenizer, nil
		return nil
	}
	for name, m := range d.read {
		d.pack.matrices[name] = m
	}
	for name, v := range d.floats {
		d.pack.vectors[name] = v
	}
	return nil
}

func hexadecimal(sum [32]byte) string {
	const digits = "0123456789abcdef"
	var s [64]byte
	for i, b := range sum {
		s[2*i], s[2*i+1] = digits[b>>4], digits[b&15]
	}
	return string(s[:])
}
