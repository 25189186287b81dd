package extension

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"maps"
	"slices"
	"time"
)

// Zip packs files. The same files give the same bytes: names are sorted, and times are fixed.
func Zip(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		packed, err := deflate(content)
		if err != nil {
			return nil, err
		}
		header := &zip.FileHeader{
			Name:               name,
			Method:             zip.Deflate,
			Modified:           time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
			CRC32:              crc32.ChecksumIEEE(content),
			CompressedSize64:   uint64(len(packed)),
			UncompressedSize64: uint64(len(content)),
		}
		header.SetMode(0o644)
		file, err := archive.CreateRaw(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(packed); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// deflate packs as well as it can: tables of weights are smaller without the search for repetitions.
func deflate(content []byte) ([]byte, error) {
	var best []byte
	for _, level := range []int{flate.BestCompression, flate.HuffmanOnly} {
		var out bytes.Buffer
		w, err := flate.NewWriter(&out, level)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(content); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		if best == nil || out.Len() < len(best) {
			best = out.Bytes()
		}
	}
	return best, nil
}
