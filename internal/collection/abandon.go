package collection

import (
	"errors"
	"io/fs"
	"path"
	"slices"
)

// undo lists the new files and folders that publishing has made.
type undo struct {
	journal bool     // this run created the journal
	folders []string // new folders of the collection, each before those in it
	files   []string // new files, in their places or about to be moved there
	tooLate bool     // the new manifest may be in its place, and it names the files
}

// abandon removes the staged files and, unless the new manifest may be in its place,
// everything that publishing has made. A journal of an interrupted run stays, with the
// files that it names.
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

// takeBack removes the published files and reports whether the removal is durable. If
// it is not, the journal must keep naming them, because a power failure could bring
// them back.
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
	for _, folder := range slices.Backward(s.undo.folders) {
		s.disk.Remove(folder) // fails if the folder contains other files
	}
	return true
}
