package progress_test

import (
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/progress"
)

// Stages of this package and of others, which name them, have units, and a nil Bar shows nothing. The
// list is not complete.
func TestStages(t *testing.T) {
	for _, stage := range []string{collection.StageWeigh, collection.StageEncode, collection.StageWrite, pireval.StageEmbed, pireval.StageRank, "read", "vocabulary", "vectors",
		progress.Load, progress.Pull, progress.Index, progress.Search, progress.Verify} {
		var b strings.Builder
		p := progress.New(&b)
		p.Update(stage, 2, 2)
		p.End()
		if line := b.String(); strings.HasPrefix(line, stage+": 2 s,") || !strings.HasPrefix(line, stage+": ") {
			t.Errorf("%q", line)
		}
	}
	var none *progress.Bar // shows nothing
	none.Update("encode", 1, 2)
	none.End()
	none.Stop()
}
