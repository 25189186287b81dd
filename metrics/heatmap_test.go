package metrics

import (
	"reflect"
	"testing"
)

func TestHeatMap(t *testing.T) {
	got := NewHeatMap([]Located{
		{"Kenya", []string{"Kenya", "India"}},
		{"Peru", nil},
		{"Kenya", []string{"Kenya", "Peru"}},
	})
	want := HeatMap{
		Locations: []string{"Kenya", "Peru", "India"},
		Portions:  [][]float64{{2. / 4, 1. / 4, 1. / 4}, {0, 0, 0}, {0, 0, 0}},
		Documents: []int{4, 0, 0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("HeatMap = %v, want %v", got, want)
	}
	if empty := NewHeatMap(nil); len(empty.Locations) != 0 || len(empty.Portions) != 0 {
		t.Errorf("HeatMap of nothing = %v", empty)
	}
}
