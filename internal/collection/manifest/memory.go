package manifest

import "github.com/vantage-search/vantage/internal/collection/unpack"

// This file limits the memory of a collection. Many files that are each within the
// limits of internal/collection/unpack, or one file that is named many times, can still
// take a thousand times their length on the host. So all files together may take
// FreeMemory bytes, or MemoryRatio times their length on the host if that is more.
// static/src/collection/manifest/memory.js has the same rule.
const (
	FreeMemory  = 64 << 20
	MemoryRatio = 32
)

// Bytes of memory per byte of a file, as a rough upper bound. Vectors are counted row by row, because rows are padded.
const (
	TokenizerMemory = 4  // for two maps of tokens
	PackMemory      = 4  // 4 bits become 8, while a file is still in memory; the vocabulary becomes two maps of tokens
	CodebookMemory  = 4  // float16 becomes float32, padded
	TokenMemory     = 8  // for each token vector: its place in the lists of the centroids
	ColumnsMemory   = 4  // for the file, its values, and temporary copies
	LengthsMemory   = 12 // each byte is a document, for which a search keeps a length, 4 bytes, and a score, 8 bytes
	TermsMemory     = 12 // can be more if most terms are in one document each: see lexical.Index.Load
)

// rowMemory returns the bytes of a padded row with its scale, norm and document.
func rowMemory(dim int, dtype string) int64 {
	if dtype == "I8" {
		return int64(dim+15)/16*16 + 16
	}
	return int64(dim+7)/8*32 + 16
}

// checkMemory refuses a collection that is small on the host and large in memory. A
// file that is named several times is stored once, but read once per name.
func (m *Manifest) checkMemory(files fileSet) error {
	var stored, memory int64
	for _, f := range files {
		stored += f.Stored
	}
	if e := m.Encoder; e != nil {
		memory += TokenizerMemory*e.Tokenizer.Bytes + e.Weights.Bytes + e.Config.Bytes
		memory += e.PackFiles.memory()
	}
	if m.Reader != nil {
		memory += m.Reader.memory()
	}
	for _, f := range m.Vectors {
		memory += f.Bytes + int64(f.Rows)*rowMemory(m.Dim, m.DType)
	}
	if a := m.Angles; a != nil {
		for _, f := range a.Files {
			memory += f.Bytes + int64(f.Rows)*rowMemory(a.Dim, m.DType)
		}
	}
	if t := m.Tokens; t != nil {
		memory += CodebookMemory * t.Codebook.Bytes
		for _, f := range t.Files {
			memory += f.Bytes + TokenMemory*f.Vectors + 4*int64(t.Centroids+f.Count)
		}
	}
	if m.Columns != nil {
		memory += ColumnsMemory * m.Columns.File.Bytes
	}
	if m.Terms != nil {
		memory += LengthsMemory * m.Terms.Lengths.Bytes
		for _, f := range m.Terms.Files {
			memory += TermsMemory * f.Bytes
		}
	}
	for _, f := range m.Docs {
		memory += f.Bytes
	}
	if most := max(FreeMemory, MemoryRatio*stored); memory > most {
		return invalid("files", "%d bytes on the host take %d in memory, at most %d MB and beyond that %d times as many are loaded", stored, memory, FreeMemory>>20, MemoryRatio)
	}
	return nil
}

// memory is what the files of a pack take. A static encoder has none of these files.
func (p *PackFiles) memory() (memory int64) {
	for _, f := range p.All() {
		memory += PackMemory * f.Bytes
	}
	return memory
}

// checkExpansion refuses a file that exceeds the limit of internal/collection/unpack.
func checkExpansion(field string, f File) error {
	if most := unpack.Most(f.Stored); f.Bytes > most {
		return invalid(field+".bytes", "%d in %d stored, at most %d are unpacked: a file may unpack to %d MB, and beyond that to %d times its stored length", f.Bytes, f.Stored, most, unpack.Free>>20, unpack.Ratio)
	}
	return nil
}
