package berds

import (
	"math"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
)

// The detector with the bundled pack finds the side of plain texts, and leaves out what
// is on another subject.
func TestDetector(t *testing.T) {
	model, err := packmodel.Open(t.Context(), os.DirFS("../../../sides/pack"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	done := 0
	d, err := newDetector(model, func(n, _ int) { done = n })
	if err != nil {
		t.Fatal(err)
	}
	const root, against = "Zoos should be closed", "Zoos save endangered species and teach children."
	judgements := []Judgement{
		{Document: "Zoos are cruel: animals suffer in cages.", Perspective: root, Contains: true},
		{Document: against, Perspective: root, Contains: true},
		{Document: "A train to Vienna leaves at ten.", Perspective: root},
		{Document: against, Perspective: "The voting age should be lowered to 16"},
	}
	got, err := d.detect(t.Context(), judgements)
	if err != nil {
		t.Fatal(err)
	}
	// One of two is found, and nothing else: precision 1, recall 1/2.
	if got.Positive != .25 || got.Accuracy != .75 || math.Abs(got.F1-2./3) > 1e-12 || done == 0 {
		t.Errorf("%+v", got)
	}
	data := &Perspectrum{Pool: []string{judgements[0].Document, against, judgements[2].Document}, Claims: []Claim{
		{Text: root, Split: Test, Documents: [Perspectives][]uint32{Support: {0}, Oppose: {1, 2}}},
		{Text: "without documents", Split: Test},
		{Text: "another split", Split: Development, Documents: [Perspectives][]uint32{Support: {2}}},
	}}
	on, err := d.perspectrum(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	// The third document is on another subject, so that both of its rows are negative.
	if want := (DetectionOnPerspectrum{Claims: 1, Rows: 6, Random: Detection{.5, .5, .5}, Sides: Detection{2. / 6, 5. / 6, 4. / 5}}); *on != want {
		t.Errorf("%+v, want %+v", *on, want)
	}
	if n := len(on.table().Rows); n != 2 {
		t.Errorf("%d rows", n)
	}
}
