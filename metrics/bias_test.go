package metrics

import (
	"slices"
	"testing"
)

func TestBias(t *testing.T) {
	shares, queries := Bias([][]string{{"for", "against", "for"}, nil, {"for"}, {"against"}, {"for"}})
	want := []LabelShare{{"for", 3. / 4, 4. / 6}, {"against", 2. / 4, 2. / 6}}
	if queries != 4 || !slices.Equal(shares, want) {
		t.Errorf("Bias = %v over %d queries, want %v", shares, queries, want)
	}
	if shares, queries := Bias([][]string{nil, {}}); len(shares) != 0 || queries != 0 {
		t.Errorf("Bias of nothing = %v, %d", shares, queries)
	}
}
