package sides

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

type fever struct {
	ID       *json.RawMessage `json:"claim_id"` // a string or a number, of which every digit counts
	Claim    string           `json:"claim"`
	Evidence []struct {
		Text  string `json:"evidence"`
		Label string `json:"evidence_label"`
	} `json:"evidences"`
}

var feverSides = map[string]Side{"SUPPORTS": For, "REFUTES": Against, "NOT_ENOUGH_INFO": Neither}

// ReadClimateFEVER reads climate-fever.jsonl (Diggelmann et al. 2020): JSON lines of a
// claim_id, a claim, and evidences, each of an evidence, which is a sentence, and an
// evidence_label. Claims are roots, sentences are texts; the label of the whole claim
// does not count.
func ReadClimateFEVER(r io.Reader, name string) (*Set, error) {
	b := newBuilder()
	lines := map[string]int{} // by id
	err := records.Lines(r, name, func(line int, row *fever) error {
		if row.ID != nil {
			id := string(*row.ID)
			if strings.HasPrefix(id, `"`) {
				if err := json.Unmarshal(*row.ID, &id); err != nil {
					return err
				}
			}
			if earlier := lines[id]; earlier > 0 {
				return fmt.Errorf("the claim_id %.80q is already taken by line %d", id, earlier)
			}
			lines[id] = line
		}
		if err := records.CheckText("claim", row.Claim); err != nil {
			return err
		}
		if row.Evidence == nil {
			return errors.New(`no "evidences"`)
		}
		root := b.root(row.Claim)
		for i, e := range row.Evidence {
			side, known := feverSides[e.Label]
			err := records.CheckText("evidence", e.Text)
			if err == nil && !known {
				err = fmt.Errorf("evidence_label is %.60q, must be SUPPORTS, REFUTES or NOT_ENOUGH_INFO", e.Label)
			}
			if err == nil {
				err = b.add(root, e.Text, side)
			}
			if err != nil {
				return fmt.Errorf("evidence %d: %w", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.built(name, `an evidence with the evidence_label SUPPORTS or REFUTES is expected`)
}
