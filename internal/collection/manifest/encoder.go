package manifest

import (
	"fmt"
	"strings"
)

// checkEncoder checks the files of the encoder. A model of KindPack has a pack, and no
// other has one.
func (m *Manifest) checkEncoder(files fileSet) error {
	e := m.Encoder
	if m.Model.Kind == KindPack {
		if e == nil || e.Pack == (File{}) {
			return invalid("encoder.pack", "missing, but model.kind is %q", KindPack)
		}
		if e.Tokenizer != (File{}) || e.Weights != (File{}) || e.Config != (File{}) {
			return invalid("encoder", "the files of a static encoder beside a pack")
		}
		return e.check("encoder", files)
	}
	switch {
	case e == nil:
		return nil
	case e.Pack != (File{}) || len(e.Files) > 0:
		return invalid("encoder.pack", "a pack, but model.kind is %q", m.Model.Kind)
	}
	for _, part := range []struct {
		name string
		file File
	}{{"tokenizer", e.Tokenizer}, {"weights", e.Weights}, {"config", e.Config}} {
		if err := files.add("encoder."+part.name, part.file); err != nil {
			return err
		}
	}
	return nil
}

// check checks the files of a pack, as far as the manifest shows them: pack.json
// itself is compared with them when it is read. Payload files lie below the folder of
// pack.json, with the names that it has for them.
func (p *PackFiles) check(name string, files fileSet) error {
	if err := files.add(name+".pack", p.Pack); err != nil {
		return err
	}
	if p.Pack.Bytes > MaxPackBytes {
		return invalid(name+".pack.bytes", "%d, at most %d", p.Pack.Bytes, MaxPackBytes)
	}
	if n := len(p.Files); n == 0 || n > MaxPackFiles {
		return invalid(name+".files", "%d of them, must be 1 to %d", n, MaxPackFiles)
	}
	folder := p.Payload("data/")
	for i, f := range p.Files {
		field := fmt.Sprintf("%s.files[%d]", name, i)
		if err := files.add(field, f); err != nil {
			return err
		}
		switch {
		case !strings.HasPrefix(f.Path, folder):
			return invalid(field+".path", "%q, must be in %q", f.Path, folder)
		case f.Bytes < 1 || f.Bytes > MaxPackFileBytes:
			return invalid(field+".bytes", "%d, must be 1 to %d", f.Bytes, MaxPackFileBytes)
		}
	}
	return nil
}

// Payload is the path that a payload file of the pack has in the collection.
func (p *PackFiles) Payload(path string) string {
	return p.Pack.Path[:strings.LastIndexByte(p.Pack.Path, '/')+1] + path
}

// checkAngles checks the second vectors of the rows.
func (m *Manifest) checkAngles(files fileSet) error {
	a := m.Angles
	switch {
	case a == nil:
		return nil
	case m.Model.Kind != KindPack:
		return invalid("angles", "only the branch of a pack makes angles, and model.kind is %q", m.Model.Kind)
	case a.Dim < 1 || a.Dim > MaxDim:
		return invalid("angles.dim", "%d, must be 1 to %d", a.Dim, MaxDim)
	case a.DType != m.DType:
		return invalid("angles.dtype", "%q, must be that of the rows, %q", a.DType, m.DType)
	}
	return m.checkRows("angles.files", a.Files, a.Dim, files)
}
