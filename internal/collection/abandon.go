package collection

import (
	"errors"
	"io/fs"
	"path"
)

// undo lists what publishing has made that was not there before.
type undo struct {
	journal bool     // no interrupted run had left one
	folders []string // of the collection
	files   []string // in their places, or about to be
	tooLate bool     // the new manifest may be in its place, and names the files
}

// abandon removes the staged files and what publishing has made. A journal of an interrupted run stays, with the files
// that it names.
func (s *stage) abandon() {
	for _, name := range s.moves {
		s.disk.Remove(name)
	}
	s.disk.Remove(stagedManifest)
	s.disk.Remove(journalName + ".new")
	if !s.undo.tooLate && s.takeBack() && s.undo.journal {
		s.disk.Remove(journalName)
	}
	s.disk.Remove(stagingDir) // fails while there is a journal
}

// takeBack removes the published files, and reports whether that is durable: files that would come back after a power
// failure must still be in the journal.
func (s *stage) takeBack() bool {
	changed := map[string]bool{}
	for _, name := range s.undo.files {
		if err := s.disk.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		changed[path.Dir(name)] = true
	}
	for folder := range changed {
		if s.disk.SyncDir(folder) != nil {
			return false
		}
	}
	for _, folder := range s.undo.folders {
		s.disk.Remove(folder) // it stays if it contains other files
	}
	return true
}
