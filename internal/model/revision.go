package model

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/model/weights"
)

// revision identifies a model by its content. It is the first 16 hexadecimal digits of
// the SHA-256 over the names, lengths and contents of the files that may decide its
// vectors: all with an extension of settingsFiles and the checkpoint in use, also in the
// folders of sentence-transformers' modules. It does not depend on the folder's name or on
// other files, such as README.md.
func revision(dir string) (string, error) {
	var modules []moduleFile
	if _, err := readJSON(filepath.Join(dir, "modules.json"), &modules); err != nil {
		return "", err
	}
	folders := []string{"."}
	for _, m := range modules {
		if at := filepath.Clean(filepath.FromSlash(m.Path)); filepath.IsLocal(at) && !slices.Contains(folders, at) {
			folders = append(folders, at)
		}
	}
	slices.Sort(folders)
	hash := sha256.New()
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a module without settings
		}
		if err != nil {
			return "", err
		}
		checkpoint := weights.Files(filepath.Join(dir, folder))
		for _, e := range entries { // sorted
			name := e.Name()
			if !slices.Contains(settingsFiles, strings.ToLower(filepath.Ext(name))) && !slices.Contains(checkpoint, name) {
				continue
			}
			if err := hashFile(hash, dir, filepath.Join(folder, name)); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

// settingsFiles are the extensions of the files that are read beside the weights: JSON,
// vocabularies and merges, SentencePiece models, ColBERT's settings.
var settingsFiles = []string{".json", ".txt", ".model", ".metadata"}

// soughtFiles are patterns of filepath.Match for the files that readers look for.
var soughtFiles = []string{"modules.json", "*config.json", "config_sentence_transformers.json", "*.index.json",
	"tokenizer.json", "special_tokens_map.json", "added_tokens.json", "vocab.txt", "vocab.json", "merges.txt", "*.model", "*.metadata", "*.safetensors", "*.bin"}

// hashFile adds a regular file to the hash and skips anything else. A link that leads nowhere
// is an error if readers look for a file of its name: they would go without it, and the model
// would make other vectors.
func hashFile(hash io.Writer, dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path) // a link in the hub's cache leads to the file
	if errors.Is(err, fs.ErrNotExist) {
		sought := func(pattern string) bool { ok, _ := filepath.Match(pattern, filepath.Base(name)); return ok }
		if !slices.ContainsFunc(soughtFiles, sought) {
			return nil
		}
		return fmt.Errorf("%s is a link that leads nowhere: %w: restore the file that it led to, or remove the link", path, fs.ErrNotExist)
	}
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	f, size, err := file.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(hash, "%s\n%d\n", filepath.ToSlash(name), size)
	_, err = io.Copy(hash, io.LimitReader(f, size))
	return err
}
