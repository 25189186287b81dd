package berds

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

// The detector with the bundled pack finds the side of plain texts, and leaves out what
// is on another subject.
func TestDetector(t *testing.T) {
	model, err := packmodel.Open(t.Context(), os.DirFS("../../../sides/pack"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	d, err := newSidesDetector("sides", model)
	if err != nil {
		t.Fatal(err)
	}
	var e Experiment
	const root, against = "Zoos should be closed", "Zoos save endangered species and teach children."
	judgements := []Judgement{
		{Document: "Zoos are cruel: animals suffer in cages.", Perspective: root, Contains: true},
		{Document: against, Perspective: root, Contains: true},
		{Document: "A train to Vienna leaves at ten.", Perspective: root},
		{Document: against, Perspective: "The voting age should be lowered to 16"},
	}
	found, err := e.detect(t.Context(), d, judgements)
	if err != nil {
		t.Fatal(err)
	}
	// One of two is found, and nothing else: precision 1, recall 1/2.
	if got := found.MostProbable; got == nil || got.Positive != .25 || got.Accuracy != .75 || approx.Apart(got.F1, 2./3, 1e-12) {
		t.Errorf("%+v", got)
	}
	data := &Perspectrum{Pool: []string{judgements[0].Document, against, judgements[2].Document}, Claims: []Claim{
		{Text: root, Split: Test, Documents: [][]uint32{Support: {0}, Oppose: {1, 2}}},
		{Text: "without documents", Split: Test, Documents: make([][]uint32, Perspectives)},
		{Text: "another split", Split: Development, Documents: [][]uint32{Support: {2}, Oppose: nil}},
	}}
	on, err := e.detectOnPerspectrum(t.Context(), []detector{d}, data)
	if err != nil {
		t.Fatal(err)
	}
	// The third document is on another subject, so that the detector says no in both of its rows.
	if want := (DetectionOnPerspectrum{Claims: 1, Rows: 6, Random: Detection{.5, .5, .5}, Detector: Detection{2. / 6, 5. / 6, 4. / 5}, name: "sides"}); !reflect.DeepEqual(*on, want) {
		t.Errorf("%+v, want %+v", *on, want)
	}
	if n := len(on.table().Rows); n != 2 {
		t.Errorf("%d rows", n)
	}
}

// The end of a document that is longer than the model reads counts, too.
func TestDetectorWindows(t *testing.T) {
	d := openTestDetector(t, "sides").(*sidesDetector)
	filler := strings.Repeat("The museum of the town has rooms for clocks, maps and old coins, and opens at ten. ", 24)
	const root, said = "Zoos should be closed", "Zoos are cruel and should be closed: animals suffer in cages."
	windows := d.windows(filler + said)
	if len(windows) < 3 || !strings.HasSuffix(windows[len(windows)-1], said) {
		t.Fatalf("%d windows", len(windows))
	}
	for _, w := range windows {
		if found, err := d.model.Encode(t.Context(), []string{w}, encoder.Options{Role: encoder.Document}); err != nil || found[0].Truncated {
			t.Errorf("%q is cut off: %v", w, err)
		}
	}
	if got := d.windows(said); len(got) != 1 || got[0] != said {
		t.Errorf("%q", got)
	}
	own := windows[len(windows)-1]
	got, err := d.judge(t.Context(), []pair{{root, filler + said}, {root, filler}, {root, own}, {root, said}}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != got[2] || got[1].supports || got[1].opposes || got[1].score >= got[0].score || !got[3].supports {
		t.Errorf("%+v", got)
	}
}

// A long document that argues for and against a perspective supports it as well as it opposes it,
// whichever part comes first.
func TestDetectorBothSides(t *testing.T) {
	d := openTestDetector(t, "sides")
	pro := strings.Repeat("Primary schools should stop giving homework, because it harms children and helps nobody learn. "+
		"Homework ought to be abolished: small children need to play and rest in the evening. "+
		"Banning homework in primary school is right. It only causes stress and quarrels at home. ", 10)
	con := strings.Repeat("Homework in primary schools must stay: it teaches children discipline and good habits. "+
		"Banning homework would be a serious mistake, as pupils learn most by practising at home. "+
		"Primary schools should keep homework, because it clearly improves results. ", 10)
	const root = "Homework should be banned in primary schools."
	got, err := d.judge(t.Context(), []pair{{root, pro}, {root, con}, {root, pro + con}, {root, con + pro}}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]bool{{true, false}, {false, true}, {true, true}, {true, true}} {
		if found := [2]bool{got[i].supports, got[i].opposes}; found != want {
			t.Errorf("%d: supports and opposes it: %v, want %v", i, found, want)
		}
	}
}
