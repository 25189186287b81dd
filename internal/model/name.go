package model

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// NameOf is the name of a model: its id, or a name from its folder. A folder in the
// hub's cache, models--ORGANISATION--NAME/snapshots/COMMIT, has both parts of an id.
func NameOf(dir, id string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil || id != "" {
		return cmp.Or(id, filepath.Base(dir))
	}
	snapshots, commit := filepath.Split(absolute)
	cached, folder := filepath.Split(filepath.Clean(snapshots))
	if name, ok := strings.CutPrefix(filepath.Base(cached), "models--"); ok && folder == "snapshots" {
		return strings.ReplaceAll(name, "--", "/")
	}
	return commit
}

// instructors are models of the hub whose prompts do not count in pooling, although
// their folders do not say so. sentence-transformers recognises them by their names,
// too.
var instructors = []string{"instructor-base", "instructor-large", "instructor-xl"}

// leaveOutInstructions leaves prompts out of the pooling if the model is one of
// instructors.
func (e *textEncoder) leaveOutInstructions(shown, name string) {
	name = strings.ToLower(path.Base(name))
	e.recipe.instructed = e.recipe.instructed || slices.Contains(instructors, name)
	switch {
	case e.recipe.skipPrompt:
	case slices.Contains(instructors, name):
		e.recipe.skipPrompt = true
	case strings.Contains(name, "instructor"):
		e.notice(fmt.Sprintf("%s: prompts count in its vectors; if it was trained as INSTRUCTOR is, set include_prompt to false in 1_Pooling/config.json", shown))
	}
}
